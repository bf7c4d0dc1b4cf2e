-- The words of each submission, by its id. Contentless: the words live in cf_submissions already.
-- The engine splits and folds words itself (src/submissions/words.rs), alike for every database:
-- `ascii` leaves them as they are. Their places in the text are not kept.
CREATE VIRTUAL TABLE cf_submission_search USING fts5(
  words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii', prefix = '2 3'
);
