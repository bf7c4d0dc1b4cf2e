INSERT INTO cf_answer_names (form_id, name, first_seen)
SELECT s.form_id, answers.key, MIN(s.submitted_at) FROM cf_submissions s, json_each(s.data) answers
GROUP BY s.form_id, answers.key;
