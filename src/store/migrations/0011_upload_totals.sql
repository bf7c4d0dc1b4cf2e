-- The total bytes of a form's files, which `upload_quota` limits.
CREATE TABLE cf_upload_totals (
  form_id BIGINT NOT NULL PRIMARY KEY,
  bytes BIGINT NOT NULL
);

INSERT INTO cf_upload_totals (form_id, bytes)
  SELECT form_id, SUM(size) FROM cf_uploads WHERE form_id <> 0 GROUP BY form_id;
