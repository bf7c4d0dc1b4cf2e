-- Slugs that forms had before: their addresses keep working until another form takes one.
CREATE TABLE cf_former_slugs (
  slug TEXT PRIMARY KEY,
  form_id BIGINT NOT NULL,
  retired_at BIGINT NOT NULL
);
CREATE INDEX cf_former_slugs_form ON cf_former_slugs (form_id);
