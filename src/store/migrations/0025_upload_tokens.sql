-- Files that are stored before the submit. The submit claims one by its token, of which only the hash is stored.
ALTER TABLE cf_uploads ADD COLUMN token_hash TEXT;
ALTER TABLE cf_uploads ADD COLUMN sha256 TEXT NOT NULL DEFAULT '';
ALTER TABLE cf_uploads ADD COLUMN expires_at BIGINT NOT NULL DEFAULT 0;
-- Keyed hashes of the email addresses that were sent with the file, each between spaces.
ALTER TABLE cf_uploads ADD COLUMN owners TEXT NOT NULL DEFAULT '';
CREATE INDEX cf_uploads_token ON cf_uploads (token_hash) WHERE token_hash IS NOT NULL;

-- The unclaimed bytes of a form are counted from the index alone.
DROP INDEX cf_uploads_form;
CREATE INDEX cf_uploads_form ON cf_uploads (form_id, submission_id, size);
