-- What a submission's answers are counted towards, [[metric, label, by], …] as JSON: an edit or a deletion takes
-- away just that. Empty until it is counted, as of those that came before there were such counters.
ALTER TABLE cf_submissions ADD COLUMN counted TEXT NOT NULL DEFAULT '';

CREATE INDEX cf_submissions_uncounted ON cf_submissions (id) WHERE counted = '';
