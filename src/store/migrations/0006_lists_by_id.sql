-- For lists by id, filtered by form and status.
CREATE INDEX cf_submissions_status_id ON cf_submissions (status, id);
CREATE INDEX cf_submissions_form_id ON cf_submissions (form_id, id);
CREATE INDEX cf_submissions_form_status_id ON cf_submissions (form_id, status, id);
CREATE INDEX cf_submissions_listed_id ON cf_submissions (id) WHERE status NOT IN ('spam', 'trash', 'unsaved');
CREATE INDEX cf_submissions_form_listed_id ON cf_submissions (form_id, id) WHERE status NOT IN ('spam', 'trash', 'unsaved');
CREATE INDEX cf_action_queue_status_id ON cf_action_queue (status, id);
CREATE INDEX cf_action_queue_form_id ON cf_action_queue (form_id, id);
CREATE INDEX cf_action_queue_form_status_id ON cf_action_queue (form_id, status, id);
CREATE INDEX cf_action_logs_status_id ON cf_action_logs (status, id);
CREATE INDEX cf_action_logs_form_id ON cf_action_logs (form_id, id);
CREATE INDEX cf_action_logs_form_status_id ON cf_action_logs (form_id, status, id);

-- For the entry that has waited longest.
CREATE INDEX cf_action_queue_waiting ON cf_action_queue (due_at) WHERE status = 'pending' AND due_at IS NOT NULL;

-- For searches of unreferenced files, oldest first, and of a file by its key.
DROP INDEX cf_uploads_submission;
CREATE INDEX cf_uploads_submission ON cf_uploads (submission_id, created_at, id);
CREATE INDEX cf_uploads_key ON cf_uploads (file_key);
