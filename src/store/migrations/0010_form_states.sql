-- Whether visitors reach a form, and what a change of it was about, in words.
ALTER TABLE cf_forms ADD COLUMN status TEXT NOT NULL DEFAULT 'published';
ALTER TABLE cf_form_revisions ADD COLUMN summary TEXT NOT NULL DEFAULT '';
