-- The order of starts: lower priority first, then the older schedule. A lease does not change the order.
DROP INDEX cf_action_queue_lanes;
CREATE INDEX cf_action_queue_lanes ON cf_action_queue (lane, priority, scheduled_at, id, due_at) WHERE due_at IS NOT NULL;

-- For entries that run alone because they lost five leases. The fifth loss is counted at the next claim.
CREATE INDEX cf_action_queue_alone ON cf_action_queue (due_at) WHERE abandoned >= 4 AND due_at IS NOT NULL;

-- A lost lease does not count as an attempt.
UPDATE cf_action_queue SET attempts = attempts - abandoned WHERE abandoned > 0;
