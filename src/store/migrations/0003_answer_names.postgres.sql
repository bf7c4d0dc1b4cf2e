INSERT INTO cf_answer_names (form_id, name, first_seen)
SELECT s.form_id, answers.name, MIN(s.submitted_at)
FROM cf_submissions s, json_object_keys(CAST(s.data AS json)) AS answers (name)
GROUP BY s.form_id, answers.name;
