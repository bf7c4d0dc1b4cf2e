-- Saved progress of visitors. The text is encrypted under a random key; `files` lists the hashes of the tokens of its
-- uploads.
CREATE TABLE cf_saved (
  id TEXT NOT NULL PRIMARY KEY,
  form_id BIGINT NOT NULL,
  sealed TEXT NOT NULL,
  bytes BIGINT NOT NULL,
  files TEXT NOT NULL,
  version BIGINT NOT NULL,
  mails BIGINT NOT NULL,
  saved_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX cf_saved_form ON cf_saved (form_id, saved_at);
CREATE INDEX cf_saved_expiry ON cf_saved (expires_at);

-- The key of saved progress, wrapped under each token that opens it. Only the hash of a token is stored.
CREATE TABLE cf_saved_tokens (
  token_hash TEXT NOT NULL PRIMARY KEY,
  saved_id TEXT NOT NULL,
  form_id BIGINT NOT NULL,
  wrapped TEXT NOT NULL,
  is_mailed BIGINT NOT NULL
);
CREATE INDEX cf_saved_tokens_saved ON cf_saved_tokens (saved_id);
CREATE INDEX cf_saved_tokens_form ON cf_saved_tokens (form_id);

-- Keyed hashes of the addresses in saved progress, by which an erasure finds it.
CREATE TABLE cf_saved_owners (
  address_hash TEXT NOT NULL,
  saved_id TEXT NOT NULL,
  form_id BIGINT NOT NULL,
  PRIMARY KEY (address_hash, saved_id)
);
CREATE INDEX cf_saved_owners_saved ON cf_saved_owners (saved_id);
CREATE INDEX cf_saved_owners_form ON cf_saved_owners (form_id);

-- The number and the bytes of a form's saved progress.
CREATE TABLE cf_saved_totals (
  form_id BIGINT NOT NULL PRIMARY KEY,
  open BIGINT NOT NULL,
  bytes BIGINT NOT NULL
);

ALTER TABLE cf_erasures ADD COLUMN saved BIGINT NOT NULL DEFAULT 0;
