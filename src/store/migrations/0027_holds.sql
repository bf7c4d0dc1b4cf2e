-- The values and seats that stored submissions occupy: values that a form accepts only once, and seats of options. Spam
-- and submissions in the trash occupy none.
CREATE TABLE cf_unique (
  form_id BIGINT NOT NULL,
  field TEXT NOT NULL,
  hash TEXT NOT NULL,
  taken BIGINT NOT NULL,
  PRIMARY KEY (form_id, field, hash)
);

CREATE TABLE cf_seats (
  form_id BIGINT NOT NULL,
  field TEXT NOT NULL,
  option TEXT NOT NULL,
  taken BIGINT NOT NULL,
  PRIMARY KEY (form_id, field, option)
);

-- The holds of a submission: a list of [0 for a value or 1 for seats, field, key, count].
ALTER TABLE cf_submissions ADD COLUMN held TEXT NOT NULL DEFAULT '[]';

-- The forms whose held values and seats must be recomputed, and the id of the last recomputed submission.
CREATE TABLE cf_hold_fills (
  form_id BIGINT NOT NULL PRIMARY KEY,
  after_id BIGINT NOT NULL
);
