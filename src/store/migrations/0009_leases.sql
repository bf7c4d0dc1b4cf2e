-- What starts first is of lower priority, then the older schedule; a lease does not make younger.
DROP INDEX cf_action_queue_lanes;
CREATE INDEX cf_action_queue_lanes ON cf_action_queue (lane, priority, scheduled_at, id, due_at) WHERE due_at IS NOT NULL;

-- Entries that run alone, because they lost five leases; the fifth is counted when it is claimed again.
CREATE INDEX cf_action_queue_alone ON cf_action_queue (due_at) WHERE abandoned >= 4 AND due_at IS NOT NULL;

-- A lost lease uses up no attempt.
UPDATE cf_action_queue SET attempts = attempts - abandoned WHERE abandoned > 0;
