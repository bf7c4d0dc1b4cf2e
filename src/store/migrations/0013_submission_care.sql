-- What users do with a submission: star it, add notes, change its status and its answers. `former_addresses` are the
-- keyed hashes of addresses in former answers. Requests for personal data find the submission by them, because its
-- events contain the old values.
ALTER TABLE cf_submissions ADD COLUMN starred BIGINT NOT NULL DEFAULT 0;
ALTER TABLE cf_submissions ADD COLUMN former_addresses TEXT NOT NULL DEFAULT '';

-- `detail` is a JSON object, by kind: `note` {text}, `status` {from, to}, `edited` {previous}.
CREATE TABLE cf_submission_events (
  id {identity},
  submission_id BIGINT NOT NULL,
  form_id BIGINT NOT NULL,
  kind TEXT NOT NULL,
  user_login TEXT NOT NULL,
  detail TEXT NOT NULL,
  created_at BIGINT NOT NULL
);

CREATE INDEX cf_submission_events_submission ON cf_submission_events (submission_id, id);
CREATE INDEX cf_submission_events_form ON cf_submission_events (form_id);
