-- Whether visitors can open a form, and a summary of each change.
ALTER TABLE cf_forms ADD COLUMN status TEXT NOT NULL DEFAULT 'published';
ALTER TABLE cf_form_revisions ADD COLUMN summary TEXT NOT NULL DEFAULT '';

-- sqlite
-- New forms disappear after a success. Existing forms keep their behaviour.
UPDATE cf_forms SET settings = CASE settings WHEN '{}' THEN '{"hide_after_success":false}' ELSE '{"hide_after_success":false,' || SUBSTR(settings, 2) END
  WHERE json_type(settings, '$.hide_after_success') IS NULL;
UPDATE cf_form_revisions SET settings = CASE settings WHEN '{}' THEN '{"hide_after_success":false}' ELSE '{"hide_after_success":false,' || SUBSTR(settings, 2) END
  WHERE settings IS NOT NULL AND json_type(settings, '$.hide_after_success') IS NULL;

-- postgres
-- New forms disappear after a success. Existing forms keep their behaviour.
UPDATE cf_forms SET settings = CASE settings WHEN '{}' THEN '{"hide_after_success":false}' ELSE '{"hide_after_success":false,' || SUBSTR(settings, 2) END
  WHERE settings::json -> 'hide_after_success' IS NULL;
UPDATE cf_form_revisions SET settings = CASE settings WHEN '{}' THEN '{"hide_after_success":false}' ELSE '{"hide_after_success":false,' || SUBSTR(settings, 2) END
  WHERE settings IS NOT NULL AND settings::json -> 'hide_after_success' IS NULL;
