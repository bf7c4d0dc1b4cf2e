-- sqlite
-- Smaller pages. A search for several words can skip pages in the list of a frequent word: at 1 million
-- submissions, an email address is found in a tenth of the time.
INSERT INTO cf_submission_search (cf_submission_search, rank) VALUES ('pgsz', 1000);

-- postgres
-- The blocks of ids that contain a submission, for searches in the order of ids
-- (src/store/search_blocks.rs). Blocks have 2^8, 2^12, 2^16, 2^20 or 2^24 ids. A block is written as 16 times
-- its number plus the index of its size. 8 is added for the sample of a larger block, which has hundreds to
-- thousands of ids, and 10 for the rough sample of a largest block, which has tens. Sampling intervals are
-- primes, since ids often follow decimal patterns.
DROP INDEX cf_submission_search_words;
ALTER TABLE cf_submission_search ADD COLUMN blocks BIGINT[] NOT NULL GENERATED ALWAYS AS (
  ARRAY[(rowid >> 8) * 16, (rowid >> 12) * 16 + 1, (rowid >> 16) * 16 + 2, (rowid >> 20) * 16 + 3, (rowid >> 24) * 16 + 4]
  || CASE WHEN rowid % 17 = 0 THEN ARRAY[(rowid >> 12) * 16 + 8 + 1] ELSE '{}' END
  || CASE WHEN rowid % 257 = 0 THEN ARRAY[(rowid >> 16) * 16 + 8 + 2] ELSE '{}' END
  || CASE WHEN rowid % 1021 = 0 THEN ARRAY[(rowid >> 20) * 16 + 8 + 3] ELSE '{}' END
  || CASE WHEN rowid % 4093 = 0 THEN ARRAY[(rowid >> 24) * 16 + 8 + 4] ELSE '{}' END
  || CASE WHEN rowid % 32749 = 0 THEN ARRAY[(rowid >> 20) * 16 + 10 + 3, (rowid >> 24) * 16 + 10 + 4] ELSE '{}' END
) STORED;

-- Writes update the index at once. Otherwise a search would scan the list of pending writes for each block.
CREATE INDEX cf_submission_search_words ON cf_submission_search USING GIN (words, blocks) WITH (fastupdate = off);
