-- Imports of large files, which run in parts. `data` is a JSON object of the host: the file, the caller's
-- options, the progress and the report. One process at a time has the lease.
CREATE TABLE cf_imports (
  id {identity},
  state TEXT NOT NULL,
  data TEXT NOT NULL,
  lease_until BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL
);

CREATE INDEX cf_imports_state ON cf_imports (state, created_at);

ALTER TABLE cf_submissions ADD COLUMN import_id BIGINT;
CREATE INDEX cf_submissions_import ON cf_submissions (import_id, id) WHERE import_id IS NOT NULL;
