-- The delivery of a successful run: kept in an outbox, or accepted by the receiver.
ALTER TABLE cf_action_logs ADD COLUMN detail TEXT NOT NULL DEFAULT '';

-- The time when a user dismissed a failed entry, which then needs no attention.
ALTER TABLE cf_action_queue ADD COLUMN dismissed_at BIGINT;
CREATE INDEX cf_action_queue_attention ON cf_action_queue (completed_at) WHERE status = 'failed' AND dismissed_at IS NULL;
