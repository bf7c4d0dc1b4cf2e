-- Receipts of erasures: the counts of erased rows, and a keyed hash of the address.
CREATE TABLE cf_erasures (
  id {identity},
  uuid TEXT NOT NULL UNIQUE,
  address_hash TEXT NOT NULL,
  submissions BIGINT NOT NULL,
  queue_entries BIGINT NOT NULL,
  action_logs BIGINT NOT NULL,
  files BIGINT NOT NULL,
  erased_at BIGINT NOT NULL
);
