-- sqlite
-- Smaller pages, each of which a search for several words can step over in the list of a frequent
-- one: at 1 million submissions a whole email address is found in a tenth of the time.
INSERT INTO cf_submission_search (cf_submission_search, rank) VALUES ('pgsz', 1000);

-- postgres
-- The blocks of ids that a submission lies in, for searches in the order of ids
-- (src/store/search_blocks.rs): of 2^8, 2^12, 2^16, 2^20 and 2^24 ids, as 16 times the number of the block
-- and the number of its size; 8 more for the sample of a larger block, of hundreds to thousands of ids,
-- and 10 more for the rough sample of the largest, of tens. Samples are by primes, since people count in
-- tens.
DROP INDEX cf_submission_search_words;
ALTER TABLE cf_submission_search ADD COLUMN blocks BIGINT[] NOT NULL GENERATED ALWAYS AS (
  ARRAY[(rowid >> 8) * 16, (rowid >> 12) * 16 + 1, (rowid >> 16) * 16 + 2, (rowid >> 20) * 16 + 3, (rowid >> 24) * 16 + 4]
  || CASE WHEN rowid % 17 = 0 THEN ARRAY[(rowid >> 12) * 16 + 8 + 1] ELSE '{}' END
  || CASE WHEN rowid % 257 = 0 THEN ARRAY[(rowid >> 16) * 16 + 8 + 2] ELSE '{}' END
  || CASE WHEN rowid % 1021 = 0 THEN ARRAY[(rowid >> 20) * 16 + 8 + 3] ELSE '{}' END
  || CASE WHEN rowid % 4093 = 0 THEN ARRAY[(rowid >> 24) * 16 + 8 + 4] ELSE '{}' END
  || CASE WHEN rowid % 32749 = 0 THEN ARRAY[(rowid >> 20) * 16 + 10 + 3, (rowid >> 24) * 16 + 10 + 4] ELSE '{}' END
) STORED;

-- What is written goes into it at once: a search would go through all that is put off, and that for
-- each block.
CREATE INDEX cf_submission_search_words ON cf_submission_search USING GIN (words, blocks) WITH (fastupdate = off);
