//! Stores the outcomes of runs: the entries' new states, their log entries, and the counters of both.

use super::counts::KIND;
use crate::store::logs::{self, NewLog};
use crate::store::{Batch, Result, stats};
use crate::task::Context;
use model::values::Item;

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The entry's new state.
    pub status: &'static str,
    /// The error that the entry shows; empty for none.
    pub last_error: String,
    /// The next due time, unless the entry is finished.
    pub due_at: Option<i64>,
    /// The log entry.
    pub log: NewLog,
}

/// An entry whose run has ended.
pub struct Ended {
    /// The id of the entry.
    pub id: i64,
    /// The lease that the entry had during the run.
    pub lease: String,
    /// The result.
    pub ending: Ending,
}

/// Changes those entries of a list whose leases are still valid. The concatenation keeps the planners from using the
/// index of the status, with which they would read the whole list for each running entry.
const CHANGE: &str = "UPDATE cf_action_queue SET lease = ?2, status = listed.value ->> 2, last_error = listed.value ->> 3, \
    due_at = CAST(listed.value ->> 4 AS BIGINT), \
    scheduled_at = COALESCE(CAST(listed.value ->> 4 AS BIGINT), cf_action_queue.scheduled_at), \
    completed_at = CASE WHEN listed.value ->> 4 IS NULL THEN CAST(?3 AS BIGINT) END FROM {listed} \
  WHERE cf_action_queue.id = CAST(listed.value ->> 0 AS BIGINT) \
    AND cf_action_queue.lease = listed.value ->> 1 AND cf_action_queue.status || '' = 'processing'";

/// Joins the entries `q` that [`CHANGE`] has changed with their rows of the list.
const CHANGED: &str = "FROM {listed} CROSS JOIN cf_action_queue q \
  WHERE q.id = CAST(listed.value ->> 0 AS BIGINT) AND q.lease = ?2";

/// Moves the changed entries from one counter to another, for their forms and for the site.
const COUNTS: &str = "SELECT CASE WHEN scope.site = 1 THEN 0 ELSE moved.form_id END, 'action_queue', '', \
    CASE WHEN change.by > 0 THEN moved.status ELSE moved.kind END, CAST(?3 AS BIGINT), CAST(SUM(change.by) AS BIGINT) \
  FROM (SELECT q.form_id, q.status, {kind} AS kind {changed}) moved \
  CROSS JOIN (SELECT 0 AS site UNION ALL SELECT 1) scope \
  CROSS JOIN (SELECT 1 AS by UNION ALL SELECT -1) change \
  WHERE moved.kind <> moved.status GROUP BY 1, 4 ORDER BY 1, 4";

/// Writes the log entries of the changed entries.
const LOGS: &str = "INSERT INTO cf_action_logs (queue_id, form_id, submission_id, action_type, action_id, status, \
    message, attempt, duration_ms, created_at, output, detail) \
  SELECT q.id, q.form_id, q.submission_id, q.action_type, q.action_id, listed.value ->> 5, listed.value ->> 6, \
    q.attempts, CAST(listed.value ->> 7 AS BIGINT), CAST(?3 AS BIGINT), listed.value ->> 8, listed.value ->> 9 \
  {changed} ORDER BY q.id";

/// Counts the log entries of the changed entries, in total and by hour.
const LOG_COUNTS: &str = "SELECT CASE WHEN scope.site = 1 THEN 0 ELSE logged.form_id END, period.metric, period.date, \
    logged.label, CAST(?3 AS BIGINT), COUNT(*) \
  FROM (SELECT q.form_id, q.action_type || ':' || (listed.value ->> 5) AS label {changed}) logged \
  CROSS JOIN (SELECT 0 AS site UNION ALL SELECT 1) scope \
  CROSS JOIN (SELECT 'action_log' AS metric, '' AS date UNION ALL SELECT 'action_log_hour', CAST(?4 AS TEXT)) period \
  WHERE true GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4";

/// Writes the result of a run if the lease is still valid. Returns whether the lease was valid.
pub(crate) async fn finish(cx: &Context, ended: &Ended) -> Result<bool> {
    let mut batch = Batch::new(cx);
    let place = add_finish(&mut batch, std::slice::from_ref(ended))?;
    Ok(batch.run().await?.changes(place) > 0)
}

/// Adds statements that write the results of runs whose leases are still valid. Returns the index of the statement that
/// changes the entries.
///
/// That statement replaces the leases with a token, by which the other statements find the changed entries. After a
/// batch with an unknown outcome, the caller may write the same results again: changed entries no longer have the
/// leases, so nothing changes twice.
pub(super) fn add_finish(batch: &mut Batch, ended: &[Ended]) -> Result<usize> {
    let now = batch.context.now();
    let token = crate::security::random::token(16)?;
    let rows: Vec<String> = ended.iter().map(Ended::row).collect();
    let list = ["[", &rows.join(","), "]"].concat();
    let shard = ended.first().map_or(0, |ended| ended.id % logs::SHARDS);
    let listed = batch.dialect().listed_rows("?1");
    let sql = |template: &str| {
        let sql = template.replace("{changed}", CHANGED);
        sql.replace("{kind}", KIND).replace("{listed}", &listed)
    };
    let place = batch.add(sql(CHANGE), params![&list, &token, now]);
    stats::add_query(batch, &sql(COUNTS), params![&list, &token, shard]);
    batch.add(sql(LOGS), params![&list, &token, now]);
    let params = params![list, token, shard, logs::hour(now)];
    stats::add_query(batch, &sql(LOG_COUNTS), params);
    for ended in ended {
        logs::purge_hours(batch, ended.id, now);
    }
    Ok(place)
}

impl Ended {
    /// The entry's row of the list that [`CHANGE`] and the following statements read.
    fn row(&self) -> String {
        let Ending {
            status,
            last_error,
            due_at,
            log,
        } = &self.ending;
        let due_at = due_at.map_or_else(|| "null".to_owned(), |at| at.to_string());
        row![
            self.id,
            &self.lease,
            status,
            last_error,
            Item::Json(&due_at),
            log.status,
            &log.message,
            log.duration_ms,
            &log.output,
            log.detail
        ]
    }
}
