-- For files that are stored before the submit. The submit claims a file by its token, of which only the hash is stored.
ALTER TABLE cf_uploads ADD COLUMN token_hash TEXT;
ALTER TABLE cf_uploads ADD COLUMN sha256 TEXT NOT NULL DEFAULT '';
ALTER TABLE cf_uploads ADD COLUMN expires_at BIGINT NOT NULL DEFAULT 0;
-- Keyed hashes of the email addresses that were sent with the file, each between spaces.
ALTER TABLE cf_uploads ADD COLUMN owners TEXT NOT NULL DEFAULT '';
CREATE INDEX cf_uploads_token ON cf_uploads (token_hash) WHERE token_hash IS NOT NULL;

-- The index has all columns that the count of a form's unclaimed bytes needs.
DROP INDEX cf_uploads_form;
CREATE INDEX cf_uploads_form ON cf_uploads (form_id, submission_id, size);
