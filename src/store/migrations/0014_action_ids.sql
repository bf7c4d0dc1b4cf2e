-- The id of the entry's action, which stays the same when the action moves. Empty for entries that are older than this
-- column.
ALTER TABLE cf_action_queue ADD COLUMN action_id TEXT NOT NULL DEFAULT '';
ALTER TABLE cf_action_logs ADD COLUMN action_id TEXT NOT NULL DEFAULT '';

-- The request and the response of a failed run, as JSON without secrets; empty for none.
ALTER TABLE cf_action_logs ADD COLUMN output TEXT NOT NULL DEFAULT '';
