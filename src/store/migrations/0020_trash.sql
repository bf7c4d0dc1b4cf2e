-- The time when a form or a submission was moved to the trash. A form keeps its former status until it is restored, or
-- deleted after 30 days.
ALTER TABLE cf_forms ADD COLUMN trashed_at BIGINT;
ALTER TABLE cf_submissions ADD COLUMN trashed_at BIGINT;
CREATE INDEX cf_forms_trash ON cf_forms (trashed_at) WHERE trashed_at IS NOT NULL;

-- For submissions that are already in the trash, the 30 days begin now, so that the upgrade deletes nothing.
UPDATE cf_submissions SET trashed_at = {now} WHERE status = 'trash';
CREATE INDEX cf_submissions_trash ON cf_submissions (trashed_at, id) WHERE trashed_at IS NOT NULL;
