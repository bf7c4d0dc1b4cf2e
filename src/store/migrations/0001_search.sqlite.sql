-- The words of each submission, by its id. Contentless: the words live in cf_submissions already.
-- The engine splits and folds words itself (src/submissions/words.rs), alike for every database:
-- `ascii` leaves them as they are. Their places in the text are not kept. Beginnings of words that
-- have a list of their own are found without merging the lists of all words that begin so.
CREATE VIRTUAL TABLE cf_submission_search USING fts5(
  words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii', prefix = '2 3 4 5 6 7 8 9 10'
);
