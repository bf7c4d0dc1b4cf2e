-- A repeat has the key and the answers of the first.
ALTER TABLE cf_submission_keys ADD COLUMN answers_hash TEXT NOT NULL DEFAULT '';
