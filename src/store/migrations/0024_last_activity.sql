-- Lists by last activity. They always name statuses, so that two indexes do.
CREATE INDEX cf_submissions_status_activity ON cf_submissions (status, modified_at, id);
CREATE INDEX cf_submissions_form_status_activity ON cf_submissions (form_id, status, modified_at, id);
