-- The tables of a first installation. `{identity}` is the dialect's type of row ids
-- (src/store/migrate.rs). Times are integer milliseconds UTC; JSON is text; flags are 0 and 1.

CREATE TABLE cf_settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);

-- `change_token` identifies the last change. The later statements of its batch find the form by the token, and find
-- nothing if another change came first. `has_schema` is 1 if the form has the meta `_cf_form_schema`, here or in a
-- host's meta store.
CREATE TABLE cf_forms (
  id {identity},
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

-- The changes of forms, with their authors and times. A member that a change did not affect is NULL.
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

-- `change_token` identifies the batch that wrote the row last. The later statements of that batch have no effect after
-- another batch has written the row. The status `unsaved` marks a row that only waits for its actions, because its form
-- keeps no submissions.
CREATE TABLE cf_submissions (
  id {identity},
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

-- For lists by time, newest first. Lists without a status filter have separate indexes, so that a flood of spam does
-- not slow them down. The condition of these indexes must be identical to `LISTED` in src/store/submissions/list.rs.
-- They are created last, because SQLite prefers the newest of several indexes that it considers equal.
CREATE INDEX cf_submissions_time ON cf_submissions (submitted_at, id);
CREATE INDEX cf_submissions_form ON cf_submissions (form_id, submitted_at, id);
CREATE INDEX cf_submissions_status ON cf_submissions (status, submitted_at, id);
CREATE INDEX cf_submissions_form_status ON cf_submissions (form_id, status, submitted_at, id);
CREATE INDEX cf_submissions_listed ON cf_submissions (submitted_at, id) WHERE status NOT IN ('spam', 'trash', 'unsaved');
CREATE INDEX cf_submissions_form_listed ON cf_submissions (form_id, submitted_at, id) WHERE status NOT IN ('spam', 'trash', 'unsaved');

-- The idempotency keys of visitors' submits. A repeated submit finds the first response by its key. The key is stored
-- as a hash; `submission_id` is 0 if the form keeps no submissions.
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

-- Rate limits: the count of events per form and bucket, in a window that begins with the first event.
CREATE TABLE cf_rate_limits (
  form_id BIGINT NOT NULL,
  bucket TEXT NOT NULL,
  window_start BIGINT NOT NULL,
  count BIGINT NOT NULL,
  PRIMARY KEY (form_id, bucket)
);

CREATE INDEX cf_rate_limits_age ON cf_rate_limits (window_start);

-- The counters of all metrics. `date` is a UTC day as YYYY-MM-DD, or '' for a running total.
CREATE TABLE cf_stats (
  form_id BIGINT NOT NULL,
  metric TEXT NOT NULL,
  date TEXT NOT NULL,
  label TEXT NOT NULL,
  shard BIGINT NOT NULL,
  count BIGINT NOT NULL,
  PRIMARY KEY (form_id, metric, date, label, shard)
);

-- `due_at` is the time from which a worker may claim the entry: its schedule, or the end of its lease. It is NULL once
-- the entry is finished. `lane` identifies an action of one form: the entries of a lane go to the same endpoint.
-- `abandoned` counts the expired leases.
CREATE TABLE cf_action_queue (
  id {identity},
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
  id {identity},
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
  id {identity},
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

-- sqlite
-- The words of each submission, by its id. The table is contentless, because cf_submissions has the texts. The engine
-- splits and folds words in the same way for every database (crates/model/src/words.rs); the tokenizer `ascii` leaves
-- them unchanged. Positions of words are not stored. With `prefix`, short prefixes have separate lists, so that a
-- search need not merge the lists of all words with the prefix.
CREATE VIRTUAL TABLE cf_submission_search USING fts5(
  words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii', prefix = '2 3 4 5 6 7 8 9 10'
);

-- postgres
-- The words of each submission, by its id.
CREATE TABLE cf_submission_search (
  rowid BIGINT PRIMARY KEY,
  words TSVECTOR NOT NULL
);

CREATE INDEX cf_submission_search_words ON cf_submission_search USING GIN (words);
