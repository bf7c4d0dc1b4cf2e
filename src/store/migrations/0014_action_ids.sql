-- Which action of its form an entry is, wherever it stands by now; empty for one of before there were ids.
ALTER TABLE cf_action_queue ADD COLUMN action_id TEXT NOT NULL DEFAULT '';
ALTER TABLE cf_action_logs ADD COLUMN action_id TEXT NOT NULL DEFAULT '';

-- What went out in a run that failed and what was answered, as JSON without secrets; empty for none.
ALTER TABLE cf_action_logs ADD COLUMN output TEXT NOT NULL DEFAULT '';
