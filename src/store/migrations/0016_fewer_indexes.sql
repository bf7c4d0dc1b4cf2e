-- Lists of the queue and of its log are walked by id, which rises with time.
DROP INDEX cf_action_queue_status;
DROP INDEX cf_action_queue_form;
DROP INDEX cf_action_queue_form_status;
DROP INDEX cf_action_logs_status;
DROP INDEX cf_action_logs_form;
DROP INDEX cf_action_logs_form_status;

-- sqlite
-- Lists of submissions by id are read from the index of words.
DROP INDEX cf_submissions_status_id;
DROP INDEX cf_submissions_form_id;
DROP INDEX cf_submissions_form_status_id;
DROP INDEX cf_submissions_listed_id;
DROP INDEX cf_submissions_form_listed_id;
