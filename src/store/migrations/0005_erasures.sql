-- What was erased at whose wish: counts, and a keyed hash of the address.
CREATE TABLE cf_erasures (
  id {identity},
  uuid TEXT NOT NULL UNIQUE,
  address_hash TEXT NOT NULL,
  submissions {bigint} NOT NULL,
  queue_entries {bigint} NOT NULL,
  action_logs {bigint} NOT NULL,
  files {bigint} NOT NULL,
  erased_at {bigint} NOT NULL
);
