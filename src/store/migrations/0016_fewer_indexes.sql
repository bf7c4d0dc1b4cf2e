-- Lists of the queue and of its log are now sorted by id, which rises with time.
DROP INDEX cf_action_queue_status;
DROP INDEX cf_action_queue_form;
DROP INDEX cf_action_queue_form_status;
DROP INDEX cf_action_logs_status;
DROP INDEX cf_action_logs_form;
DROP INDEX cf_action_logs_form_status;
DROP INDEX cf_action_logs_submission;
CREATE INDEX cf_action_logs_submission ON cf_action_logs (submission_id);
