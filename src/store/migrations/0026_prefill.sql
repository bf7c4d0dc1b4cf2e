-- In new forms, URL parameters fill in fields. Existing forms keep this off, because their links may have parameters
-- with another meaning.
-- sqlite
UPDATE cf_forms SET settings = CASE settings WHEN '{}' THEN '{"prefill":"off"}' ELSE '{"prefill":"off",' || SUBSTR(settings, 2) END
  WHERE json_type(settings, '$.prefill') IS NULL;
UPDATE cf_form_revisions SET settings = CASE settings WHEN '{}' THEN '{"prefill":"off"}' ELSE '{"prefill":"off",' || SUBSTR(settings, 2) END
  WHERE settings IS NOT NULL AND json_type(settings, '$.prefill') IS NULL;

-- postgres
UPDATE cf_forms SET settings = CASE settings WHEN '{}' THEN '{"prefill":"off"}' ELSE '{"prefill":"off",' || SUBSTR(settings, 2) END
  WHERE settings::json -> 'prefill' IS NULL;
UPDATE cf_form_revisions SET settings = CASE settings WHEN '{}' THEN '{"prefill":"off"}' ELSE '{"prefill":"off",' || SUBSTR(settings, 2) END
  WHERE settings IS NOT NULL AND settings::json -> 'prefill' IS NULL;
