-- For lists by last activity. These always have a filter by status, so two indexes suffice.
CREATE INDEX cf_submissions_status_activity ON cf_submissions (status, modified_at, id);
CREATE INDEX cf_submissions_form_status_activity ON cf_submissions (form_id, status, modified_at, id);
