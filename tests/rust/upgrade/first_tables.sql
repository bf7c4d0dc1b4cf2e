-- The tables of a site of the first development version, before its search knew statuses and addresses.

CREATE TABLE cf_settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);

CREATE TABLE cf_forms (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  change_token TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  slug TEXT NOT NULL UNIQUE,
  markup TEXT NOT NULL,
  settings TEXT NOT NULL,
  messages TEXT NOT NULL,
  source TEXT NOT NULL,
  has_schema BIGINT NOT NULL,
  revision BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);

CREATE TABLE cf_form_meta (
  form_id BIGINT NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (form_id, name)
);

CREATE TABLE cf_form_revisions (
  form_id BIGINT NOT NULL,
  revision BIGINT NOT NULL,
  title TEXT,
  markup TEXT,
  schema TEXT,
  settings TEXT,
  messages TEXT,
  source TEXT NOT NULL,
  user_id TEXT NOT NULL,
  user_login TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (form_id, revision)
);

CREATE TABLE cf_submissions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE,
  form_id BIGINT NOT NULL,
  status TEXT NOT NULL,
  change_token TEXT NOT NULL,
  is_spam BIGINT NOT NULL,
  spam_score BIGINT NOT NULL,
  spam_reasons TEXT NOT NULL,
  actions_withheld BIGINT NOT NULL,
  data TEXT NOT NULL,
  files TEXT NOT NULL,
  ip_address TEXT NOT NULL,
  user_agent TEXT NOT NULL,
  referer_url TEXT NOT NULL,
  page_url TEXT NOT NULL,
  schema_revision BIGINT NOT NULL,
  submitted_at BIGINT NOT NULL,
  modified_at BIGINT NOT NULL
);

CREATE INDEX cf_submissions_time ON cf_submissions (submitted_at, id);
CREATE INDEX cf_submissions_form ON cf_submissions (form_id, submitted_at, id);
CREATE INDEX cf_submissions_status ON cf_submissions (status, submitted_at, id);
CREATE INDEX cf_submissions_form_status ON cf_submissions (form_id, status, submitted_at, id);
CREATE INDEX cf_submissions_listed ON cf_submissions (submitted_at, id) WHERE status NOT IN ('spam', 'trash', 'unsaved');
CREATE INDEX cf_submissions_form_listed ON cf_submissions (form_id, submitted_at, id) WHERE status NOT IN ('spam', 'trash', 'unsaved');

CREATE TABLE cf_submission_keys (
  form_id BIGINT NOT NULL,
  submission_key TEXT NOT NULL,
  submission_uuid TEXT NOT NULL,
  submission_id BIGINT NOT NULL,
  answer TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (form_id, submission_key)
);

CREATE INDEX cf_submission_keys_submission ON cf_submission_keys (submission_uuid);
CREATE INDEX cf_submission_keys_age ON cf_submission_keys (created_at);

CREATE TABLE cf_rate_limits (
  form_id BIGINT NOT NULL,
  bucket TEXT NOT NULL,
  window_start BIGINT NOT NULL,
  count BIGINT NOT NULL,
  PRIMARY KEY (form_id, bucket)
);

CREATE INDEX cf_rate_limits_age ON cf_rate_limits (window_start);

CREATE TABLE cf_stats (
  form_id BIGINT NOT NULL,
  metric TEXT NOT NULL,
  date TEXT NOT NULL,
  label TEXT NOT NULL,
  shard BIGINT NOT NULL,
  count BIGINT NOT NULL,
  PRIMARY KEY (form_id, metric, date, label, shard)
);

CREATE TABLE cf_action_queue (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  form_id BIGINT NOT NULL,
  submission_id BIGINT NOT NULL,
  action_type TEXT NOT NULL,
  action_index BIGINT NOT NULL,
  settings TEXT NOT NULL,
  status TEXT NOT NULL,
  priority BIGINT NOT NULL,
  attempts BIGINT NOT NULL,
  abandoned BIGINT NOT NULL,
  max_retries BIGINT NOT NULL,
  last_error TEXT NOT NULL,
  idempotency_key TEXT NOT NULL UNIQUE,
  lane TEXT NOT NULL,
  lease TEXT NOT NULL,
  due_at BIGINT,
  scheduled_at BIGINT NOT NULL,
  started_at BIGINT,
  completed_at BIGINT,
  created_at BIGINT NOT NULL
);

CREATE INDEX cf_action_queue_lanes ON cf_action_queue (lane, priority, due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX cf_action_queue_running ON cf_action_queue (lane, due_at) WHERE status = 'processing';
CREATE INDEX cf_action_queue_status ON cf_action_queue (status, id);
CREATE INDEX cf_action_queue_form ON cf_action_queue (form_id, status, id);
CREATE INDEX cf_action_queue_submission ON cf_action_queue (submission_id);

CREATE TABLE cf_action_logs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  queue_id BIGINT NOT NULL,
  form_id BIGINT NOT NULL,
  submission_id BIGINT NOT NULL,
  action_type TEXT NOT NULL,
  status TEXT NOT NULL,
  message TEXT NOT NULL,
  attempt BIGINT NOT NULL,
  duration_ms BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);

CREATE INDEX cf_action_logs_form ON cf_action_logs (form_id, status, id);
CREATE INDEX cf_action_logs_status ON cf_action_logs (status, id);
CREATE INDEX cf_action_logs_submission ON cf_action_logs (submission_id, id);

CREATE TABLE cf_uploads (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE,
  form_id BIGINT NOT NULL,
  submission_id BIGINT NOT NULL,
  field_name TEXT NOT NULL,
  filename TEXT NOT NULL,
  content_type TEXT NOT NULL,
  size BIGINT NOT NULL,
  file_key TEXT NOT NULL,
  created_at BIGINT NOT NULL
);

CREATE INDEX cf_uploads_submission ON cf_uploads (submission_id);
CREATE INDEX cf_uploads_form ON cf_uploads (form_id);
CREATE VIRTUAL TABLE cf_submission_search USING fts5(
  words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii', prefix = '2 3 4 5 6 7 8 9 10'
);
CREATE TABLE cf_visitors (
  form_id BIGINT NOT NULL,
  date TEXT NOT NULL,
  change_token TEXT NOT NULL,
  sketch TEXT NOT NULL,
  PRIMARY KEY (form_id, date)
);

CREATE INDEX cf_stats_totals ON cf_stats (metric, form_id) WHERE date = '';
