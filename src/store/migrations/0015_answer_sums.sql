-- The counters of a submission's answers, as JSON [[metric, label, by], …], so that an edit or a deletion subtracts
-- exactly these. Empty for older submissions until their answers are counted.
ALTER TABLE cf_submissions ADD COLUMN counted TEXT NOT NULL DEFAULT '';

CREATE INDEX cf_submissions_uncounted ON cf_submissions (id) WHERE counted = '';
