-- Entries of the queue and of its log are only ever added, so that their ids rise with time: their lists are walked
-- by id alone.
DROP INDEX cf_action_queue_status;
DROP INDEX cf_action_queue_form;
DROP INDEX cf_action_queue_form_status;
DROP INDEX cf_action_logs_status;
DROP INDEX cf_action_logs_form;
DROP INDEX cf_action_logs_form_status;

-- sqlite
-- FTS5 knows the order of ids, and forms and statuses as words: lists of submissions by id are read from it.
DROP INDEX cf_submissions_status_id;
DROP INDEX cf_submissions_form_id;
DROP INDEX cf_submissions_form_status_id;
DROP INDEX cf_submissions_listed_id;
DROP INDEX cf_submissions_form_listed_id;
