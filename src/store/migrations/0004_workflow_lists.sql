-- For lists of the queue and its log by time, with and without filters, and for the purge of old rows.
DROP INDEX cf_action_queue_status;
DROP INDEX cf_action_queue_form;
CREATE INDEX cf_action_queue_time ON cf_action_queue (created_at, id);
CREATE INDEX cf_action_queue_status ON cf_action_queue (status, created_at, id);
CREATE INDEX cf_action_queue_form ON cf_action_queue (form_id, created_at, id);
CREATE INDEX cf_action_queue_form_status ON cf_action_queue (form_id, status, created_at, id);

DROP INDEX cf_action_logs_form;
DROP INDEX cf_action_logs_status;
DROP INDEX cf_action_logs_submission;
CREATE INDEX cf_action_logs_time ON cf_action_logs (created_at, id);
CREATE INDEX cf_action_logs_status ON cf_action_logs (status, created_at, id);
CREATE INDEX cf_action_logs_form ON cf_action_logs (form_id, created_at, id);
CREATE INDEX cf_action_logs_form_status ON cf_action_logs (form_id, status, created_at, id);
CREATE INDEX cf_action_logs_submission ON cf_action_logs (submission_id, created_at, id);
