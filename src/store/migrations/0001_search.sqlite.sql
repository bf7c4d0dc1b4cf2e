-- The words of each submission, by its id. Contentless: the words live in cf_submissions already.
CREATE VIRTUAL TABLE cf_submission_search USING fts5(
  words, content = '', contentless_delete = 1, tokenize = 'unicode61', prefix = '2 3'
);
