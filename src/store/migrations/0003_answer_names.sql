-- Which answers the submissions of a form have ever had, so that an export knows its columns before
-- it reads them.
CREATE TABLE cf_answer_names (
  form_id {bigint} NOT NULL,
  name TEXT NOT NULL,
  first_seen {bigint} NOT NULL,
  PRIMARY KEY (form_id, name)
);
