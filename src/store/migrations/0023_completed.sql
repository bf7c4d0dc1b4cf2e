-- The number of submissions by visitors who also started the form. For past days it is estimated from the counters, as
-- at most the number of starts.
INSERT INTO cf_stats (form_id, metric, date, label, shard, count)
SELECT form_id, 'completed', date, '', 0, CASE WHEN starts < submits THEN starts ELSE submits END FROM
  (SELECT form_id, date, CAST(SUM(CASE WHEN metric = 'start' THEN count ELSE 0 END) AS BIGINT) AS starts,
     CAST(SUM(CASE WHEN metric = 'submit' THEN count ELSE 0 END) AS BIGINT) AS submits
   FROM cf_stats WHERE metric IN ('start', 'submit') AND date <> '' GROUP BY form_id, date) days
WHERE starts > 0 AND submits > 0;
INSERT INTO cf_stats (form_id, metric, date, label, shard, count)
SELECT form_id, 'completed', '', '', 0, CAST(SUM(count) AS BIGINT) FROM cf_stats WHERE metric = 'completed' AND date <> '' GROUP BY form_id;
INSERT INTO cf_stats (form_id, metric, date, label, shard, count)
SELECT 0, 'completed', '', '', 0, CAST(SUM(count) AS BIGINT) FROM cf_stats WHERE metric = 'completed' AND date = '' GROUP BY metric;
