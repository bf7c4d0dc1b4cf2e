-- Drafts leave the forms' meta, so that each knows its version and the rights of everybody who saved it. Of those that
-- are there nobody knows the rights: they are cleaned when they are read.
CREATE TABLE cf_form_drafts (
  form_id BIGINT NOT NULL PRIMARY KEY,
  version BIGINT NOT NULL,
  user_id TEXT NOT NULL,
  unfiltered BIGINT NOT NULL,
  content TEXT NOT NULL
);

INSERT INTO cf_form_drafts (form_id, version, user_id, unfiltered, content)
  SELECT form_id, 1, '', 0, value FROM cf_form_meta WHERE name = '_cf_form_draft';
DELETE FROM cf_form_meta WHERE name = '_cf_form_draft';

-- Whether what a revision set may come back as it was. What was stored before was what visitors saw.
ALTER TABLE cf_form_revisions ADD COLUMN unfiltered BIGINT NOT NULL DEFAULT 1;

-- How often the links to files were revoked: the numbers are part of what the links sign.
ALTER TABLE cf_forms ADD COLUMN link_epoch BIGINT NOT NULL DEFAULT 0;
ALTER TABLE cf_submissions ADD COLUMN link_epoch BIGINT NOT NULL DEFAULT 0;
