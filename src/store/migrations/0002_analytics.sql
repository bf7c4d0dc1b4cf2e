-- The visitors of a UTC day, as a sketch that gives their number but not their identity
-- (crates/model/src/analytics/sketch.rs). Sketches of past days are no longer needed. `change_token` identifies the
-- batch that wrote the row last.
CREATE TABLE cf_visitors (
  form_id BIGINT NOT NULL,
  date TEXT NOT NULL,
  change_token TEXT NOT NULL,
  sketch TEXT NOT NULL,
  PRIMARY KEY (form_id, date)
);

-- The running totals of all forms, to find those with the most submissions.
CREATE INDEX cf_stats_totals ON cf_stats (metric, form_id) WHERE date = '';
