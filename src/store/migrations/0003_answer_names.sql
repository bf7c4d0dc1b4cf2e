-- The names of all answers that submissions of a form have had. An export takes its columns from them, before it reads
-- the submissions.
CREATE TABLE cf_answer_names (
  form_id BIGINT NOT NULL,
  name TEXT NOT NULL,
  first_seen BIGINT NOT NULL,
  PRIMARY KEY (form_id, name)
);
