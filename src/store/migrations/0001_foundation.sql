-- The tables of a first installation. `{identity}` and `{bigint}` are the dialect's words
-- (src/store/migrate.rs). Times are integer milliseconds UTC; JSON is text; flags are 0 and 1.

CREATE TABLE cf_settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);

-- `change_token` names the last change, so that the later statements of its batch find the form by
-- it, and find nothing where another change came first. `has_schema` is 1 when the meta
-- `_cf_form_schema` is set, wherever the host keeps its meta.
CREATE TABLE cf_forms (
  id {identity},
  change_token TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  slug TEXT NOT NULL UNIQUE,
  markup TEXT NOT NULL,
  settings TEXT NOT NULL,
  messages TEXT NOT NULL,
  source TEXT NOT NULL,
  has_schema {bigint} NOT NULL,
  revision {bigint} NOT NULL,
  created_at {bigint} NOT NULL,
  updated_at {bigint} NOT NULL
);

CREATE TABLE cf_form_meta (
  form_id {bigint} NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (form_id, name)
);

-- Who changed what of a form, and when. What a change left alone is NULL in its row.
CREATE TABLE cf_form_revisions (
  form_id {bigint} NOT NULL,
  revision {bigint} NOT NULL,
  title TEXT,
  markup TEXT,
  schema TEXT,
  settings TEXT,
  messages TEXT,
  source TEXT NOT NULL,
  user_id TEXT NOT NULL,
  user_login TEXT NOT NULL,
  created_at {bigint} NOT NULL,
  PRIMARY KEY (form_id, revision)
);

-- `change_token` names the batch that wrote the row last, so that the later statements of that batch
-- can depend on its having done so. `unsaved` is the status of a row that only waits for its actions:
-- its form keeps no submissions.
CREATE TABLE cf_submissions (
  id {identity},
  uuid TEXT NOT NULL UNIQUE,
  form_id {bigint} NOT NULL,
  status TEXT NOT NULL,
  change_token TEXT NOT NULL,
  is_spam {bigint} NOT NULL,
  spam_score {bigint} NOT NULL,
  spam_reasons TEXT NOT NULL,
  actions_withheld {bigint} NOT NULL,
  data TEXT NOT NULL,
  files TEXT NOT NULL,
  ip_address TEXT NOT NULL,
  user_agent TEXT NOT NULL,
  referer_url TEXT NOT NULL,
  page_url TEXT NOT NULL,
  schema_revision {bigint} NOT NULL,
  submitted_at {bigint} NOT NULL,
  modified_at {bigint} NOT NULL
);

-- Lists are walked by time, newest first. What they show unless a status is asked for has indexes of
-- its own, so that a flood of spam does not slow them: their condition is `LISTED` of
-- src/store/submissions/list.rs, word for word. They come last, because of indexes that seem equal to
-- SQLite it takes the newest.
CREATE INDEX cf_submissions_time ON cf_submissions (submitted_at, id);
CREATE INDEX cf_submissions_form ON cf_submissions (form_id, submitted_at, id);
CREATE INDEX cf_submissions_status ON cf_submissions (status, submitted_at, id);
CREATE INDEX cf_submissions_form_status ON cf_submissions (form_id, status, submitted_at, id);
CREATE INDEX cf_submissions_listed ON cf_submissions (submitted_at, id) WHERE status NOT IN ('spam', 'trash', 'unsaved');
CREATE INDEX cf_submissions_form_listed ON cf_submissions (form_id, submitted_at, id) WHERE status NOT IN ('spam', 'trash', 'unsaved');

-- One row for each key that a visitor's submit carried: a repeat finds the first answer. The key is
-- stored as a hash; `submission_id` is 0 where the form keeps no submissions.
CREATE TABLE cf_submission_keys (
  form_id {bigint} NOT NULL,
  submission_key TEXT NOT NULL,
  submission_uuid TEXT NOT NULL,
  submission_id {bigint} NOT NULL,
  answer TEXT NOT NULL,
  created_at {bigint} NOT NULL,
  PRIMARY KEY (form_id, submission_key)
);

CREATE INDEX cf_submission_keys_submission ON cf_submission_keys (submission_uuid);
CREATE INDEX cf_submission_keys_age ON cf_submission_keys (created_at);

-- Counted gates: at most so many per form and bucket within a window that begins with its first.
CREATE TABLE cf_rate_limits (
  form_id {bigint} NOT NULL,
  bucket TEXT NOT NULL,
  window_start {bigint} NOT NULL,
  count {bigint} NOT NULL,
  PRIMARY KEY (form_id, bucket)
);

CREATE INDEX cf_rate_limits_age ON cf_rate_limits (window_start);

-- Every counter of every analytic. `date` is a UTC day as YYYY-MM-DD, or '' for a running total.
CREATE TABLE cf_stats (
  form_id {bigint} NOT NULL,
  metric TEXT NOT NULL,
  date TEXT NOT NULL,
  label TEXT NOT NULL,
  shard {bigint} NOT NULL,
  count {bigint} NOT NULL,
  PRIMARY KEY (form_id, metric, date, label, shard)
);

-- `due_at` is when a worker may claim the entry: its schedule, or the end of the lease that holds
-- it; NULL once it is finished. `lane` is the action of one form: what shares an endpoint.
-- `abandoned` counts the leases that ran out.
CREATE TABLE cf_action_queue (
  id {identity},
  form_id {bigint} NOT NULL,
  submission_id {bigint} NOT NULL,
  action_type TEXT NOT NULL,
  action_index {bigint} NOT NULL,
  settings TEXT NOT NULL,
  status TEXT NOT NULL,
  priority {bigint} NOT NULL,
  attempts {bigint} NOT NULL,
  abandoned {bigint} NOT NULL,
  max_retries {bigint} NOT NULL,
  last_error TEXT NOT NULL,
  idempotency_key TEXT NOT NULL UNIQUE,
  lane TEXT NOT NULL,
  lease TEXT NOT NULL,
  due_at {bigint},
  scheduled_at {bigint} NOT NULL,
  started_at {bigint},
  completed_at {bigint},
  created_at {bigint} NOT NULL
);

CREATE INDEX cf_action_queue_lanes ON cf_action_queue (lane, priority, due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX cf_action_queue_running ON cf_action_queue (lane, due_at) WHERE status = 'processing';
CREATE INDEX cf_action_queue_status ON cf_action_queue (status, id);
CREATE INDEX cf_action_queue_form ON cf_action_queue (form_id, status, id);
CREATE INDEX cf_action_queue_submission ON cf_action_queue (submission_id);

CREATE TABLE cf_action_logs (
  id {identity},
  queue_id {bigint} NOT NULL,
  form_id {bigint} NOT NULL,
  submission_id {bigint} NOT NULL,
  action_type TEXT NOT NULL,
  status TEXT NOT NULL,
  message TEXT NOT NULL,
  attempt {bigint} NOT NULL,
  duration_ms {bigint} NOT NULL,
  created_at {bigint} NOT NULL
);

CREATE INDEX cf_action_logs_form ON cf_action_logs (form_id, status, id);
CREATE INDEX cf_action_logs_status ON cf_action_logs (status, id);
CREATE INDEX cf_action_logs_submission ON cf_action_logs (submission_id, id);

CREATE TABLE cf_uploads (
  id {identity},
  uuid TEXT NOT NULL UNIQUE,
  form_id {bigint} NOT NULL,
  submission_id {bigint} NOT NULL,
  field_name TEXT NOT NULL,
  filename TEXT NOT NULL,
  content_type TEXT NOT NULL,
  size {bigint} NOT NULL,
  file_key TEXT NOT NULL,
  created_at {bigint} NOT NULL
);

CREATE INDEX cf_uploads_submission ON cf_uploads (submission_id);
CREATE INDEX cf_uploads_form ON cf_uploads (form_id);
