-- Which answers the submissions of a form have ever had, so that an export knows its columns before
-- it reads them.
CREATE TABLE cf_answer_names (
  form_id BIGINT NOT NULL,
  name TEXT NOT NULL,
  first_seen BIGINT NOT NULL,
  PRIMARY KEY (form_id, name)
);
