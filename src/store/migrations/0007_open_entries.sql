-- Counters now include open entries. An entry that has not failed counts as pending, also after the release of a dead
-- worker's lease.
UPDATE cf_action_queue SET status = 'pending' WHERE status = 'retrying' AND attempts <= abandoned;
INSERT INTO cf_stats (form_id, metric, date, label, shard, count)
SELECT CASE WHEN scope.site = 1 THEN 0 ELSE q.form_id END, 'action_queue', '',
  CASE WHEN q.status <> 'processing' THEN q.status WHEN q.attempts - q.abandoned > 1 THEN 'retrying' ELSE 'pending' END, 0, COUNT(*)
FROM cf_action_queue q CROSS JOIN (SELECT 0 AS site UNION ALL SELECT 1) scope
WHERE q.status IN ('pending', 'processing', 'retrying') GROUP BY 1, 4;
