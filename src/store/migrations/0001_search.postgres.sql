-- The words of each submission, by its id.
CREATE TABLE cf_submission_search (
  rowid BIGINT PRIMARY KEY,
  words TSVECTOR NOT NULL
);

CREATE INDEX cf_submission_search_words ON cf_submission_search USING GIN (words);
