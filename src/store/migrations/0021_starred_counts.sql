-- The number of starred submissions of each form and of the site, without spam and trash.
INSERT INTO cf_stats (form_id, metric, date, label, shard, count)
SELECT CASE WHEN scope.site = 1 THEN 0 ELSE s.form_id END, 'starred', '', '', 0, COUNT(*)
FROM cf_submissions s CROSS JOIN (SELECT 0 AS site UNION ALL SELECT 1) scope
WHERE s.starred = 1 AND s.status NOT IN ('spam', 'trash', 'unsaved') GROUP BY 1;
