-- Drafts move from the forms' meta to a table with their version and the rights of everybody who saved them. The rights
-- for existing drafts are unknown, so the engine sanitizes these drafts when it reads them.
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

-- Whether the content of a revision may be restored without sanitizing. It may for existing revisions, since visitors
-- already saw their content.
ALTER TABLE cf_form_revisions ADD COLUMN unfiltered BIGINT NOT NULL DEFAULT 1;

-- The number of times that links to files were revoked, which the signatures of links include.
ALTER TABLE cf_forms ADD COLUMN link_epoch BIGINT NOT NULL DEFAULT 0;
ALTER TABLE cf_submissions ADD COLUMN link_epoch BIGINT NOT NULL DEFAULT 0;
