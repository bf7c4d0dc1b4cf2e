-- How much stored submissions take of each value that a form accepts once, and of the seats of its options. Spam and
-- the trash take nothing.
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

-- What a submission takes: a list of [0 for a value or 1 for seats, field, key, count].
ALTER TABLE cf_submissions ADD COLUMN held TEXT NOT NULL DEFAULT '[]';

-- The forms whose stored submissions are to be counted anew, and the id after which that goes on.
CREATE TABLE cf_hold_fills (
  form_id BIGINT NOT NULL PRIMARY KEY,
  after_id BIGINT NOT NULL
);
