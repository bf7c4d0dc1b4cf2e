-- Former slugs of forms. An address with a former slug works until another form takes the slug.
CREATE TABLE cf_former_slugs (
  slug TEXT PRIMARY KEY,
  form_id BIGINT NOT NULL,
  retired_at BIGINT NOT NULL
);
CREATE INDEX cf_former_slugs_form ON cf_former_slugs (form_id);
