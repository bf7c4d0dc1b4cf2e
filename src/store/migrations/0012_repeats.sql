-- A submit is a repeat only if its answers equal those of the first submit with the key.
ALTER TABLE cf_submission_keys ADD COLUMN answers_hash TEXT NOT NULL DEFAULT '';
