//! The log of action runs, and its counts. The batch that writes or deletes a log entry also updates the counters, so
//! that no request counts rows.

use super::pages::{Found, MAX_COUNTED, Page, RunFilter, Total};
use super::row::json_if_any;
use super::stats::{self, COUNT, DELETED, OF_SCOPE};
use super::trash::not_trashed;
use super::{Batch, Bindings, Result, Results, select};
use crate::task::Context;
use model::dates::{self, DAY_MS, HOUR_MS};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The log entry of a run of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewLog {
    /// `success`, `failed` or `skipped`.
    pub status: &'static str,
    /// A description of the run, for people; at most a few thousand characters.
    pub message: String,
    /// The delivery of a success: `kept` (stored by the host instead of sent) or `accepted`; empty for any other run.
    pub detail: &'static str,
    /// The duration of the run, in milliseconds.
    pub duration_ms: i64,
    /// The request and the response, as JSON without secrets; empty for none.
    pub output: String,
}

/// A log entry as it is stored.
#[allow(missing_docs, reason = "the members are columns of those names")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogRow {
    pub id: i64,
    pub queue_id: i64,
    pub form_id: i64,
    pub submission_id: i64,
    pub action_type: String,
    /// The action's id in its form; empty for entries from before actions had ids.
    pub action_id: String,
    /// The request and the response of a failed run, as JSON.
    #[serde(deserialize_with = "json_if_any")]
    pub output: Option<Value>,
    /// `success`, `failed` or `skipped`.
    pub status: String,
    pub message: String,
    /// The delivery of a success: `kept` or `accepted`; empty for any other run, and for older versions.
    pub detail: String,
    /// The number of the attempt, from 1.
    pub attempt: i64,
    pub duration_ms: i64,
    /// Milliseconds UTC; on the wire ISO 8601.
    #[serde(serialize_with = "dates::serialize_moment")]
    pub created_at: i64,
}

/// Adds a statement that deletes old hourly counters, in one run out of [`HOURLY_PURGE_INTERVAL`].
pub(super) fn purge_hours(batch: &mut Batch, queue_id: i64, now: i64) {
    if queue_id % HOURLY_PURGE_INTERVAL == 0 {
        batch.add(
            "DELETE FROM cf_stats WHERE metric = 'action_log_hour' AND date < ?2 AND form_id IN \
               (0, (SELECT q.form_id FROM cf_action_queue q WHERE q.id = ?1))",
            params![queue_id, hour(now - 2 * DAY_MS)],
        );
    }
}

/// The number of rows that each counter is split into, so that workers seldom wait for the same row.
pub(super) const SHARDS: i64 = 8;

/// The number of runs for each deletion of old hourly counters.
const HOURLY_PURGE_INTERVAL: i64 = 64;

/// The hours between 1970 and a moment, as text that SQL can also compute. All such numbers have six digits, so
/// comparing them as text is correct.
pub(super) fn hour(moment: i64) -> String {
    (moment / HOUR_MS).to_string()
}

/// Adds statements that delete log entries `l` and subtract them from the total and the recent hourly counters. The
/// first statement locks the rows, so that two deletions never subtract the same entry.
pub(super) fn delete(batch: &mut Batch, condition: &str, mut bindings: Bindings) {
    let params = bindings.clone().values();
    let hold = "UPDATE cf_action_logs AS l SET attempt = attempt WHERE ";
    batch.add([hold, condition].concat(), params.clone());
    let now = batch.context.now();
    let recent = bindings.bind(now - DAY_MS - HOUR_MS);
    let query = format!(
        "SELECT CASE WHEN scope.site = 1 THEN 0 ELSE l.form_id END, period.metric, \
           CASE WHEN period.metric = 'action_log' THEN '' ELSE CAST(l.created_at / {HOUR_MS} AS TEXT) END, \
           l.action_type || ':' || l.status, {DELETED}, -COUNT(*) \
         FROM cf_action_logs l CROSS JOIN (SELECT 0 AS site UNION ALL SELECT 1) scope \
         CROSS JOIN (SELECT 'action_log' AS metric UNION ALL SELECT 'action_log_hour') period \
         WHERE {condition} AND (period.metric = 'action_log' OR l.created_at > {recent}) \
         GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4"
    );
    stats::add_query(batch, &query, bindings.values());
    let delete = "DELETE FROM cf_action_logs AS l WHERE ";
    batch.add([delete, condition].concat(), params);
}

const TABLE: &str = "cf_action_logs";

const COLUMNS: &str = "id, queue_id, form_id, submission_id, action_type, action_id, output, status, message, detail, attempt, \
    duration_ms, created_at";

/// Adds the read of all log entries of a submission, the oldest first. There are few, so no limit is needed.
pub(super) fn add_find(batch: &mut Batch, submission_id: i64) -> usize {
    batch.add(
        format!("SELECT {COLUMNS} FROM cf_action_logs WHERE submission_id = ?1 ORDER BY id"),
        params![submission_id],
    )
}

/// Reads a page of log entries. Counters give the total for a form or the site. For a submission or a time range, the
/// rows are counted up to a limit.
pub(crate) async fn list(cx: &Context, filter: &RunFilter, page: &Page) -> Result<Found<LogRow>> {
    let mut batch = Batch::new(cx);
    let rows = filter.narrowed(TABLE);
    let rows = rows.read(&mut batch, COLUMNS, &page.by_id(), false);
    let is_counted = filter.is_counted();
    let total = if is_counted {
        batch.add(
            format!(
                "SELECT COALESCE({COUNT}, 0) FROM cf_stats WHERE {OF_SCOPE} AND metric = 'action_log' AND date = '' \
                 AND (CAST(?2 AS TEXT) IS NULL OR label LIKE '%:' || CAST(?2 AS TEXT))"
            ),
            params![filter.form_id.unwrap_or(0), filter.status.clone()],
        )
    } else {
        filter.narrowed(TABLE).count(&mut batch, MAX_COUNTED)
    };
    let mut results = batch.run().await?;
    let limit = if is_counted { i64::MAX } else { MAX_COUNTED };
    let total = Total::read(&mut results, total, limit)?;
    Ok(Found::of(results.rows(rows)?, page, total))
}

/// Whether an action of a form failed in its last three runs. Considers only the form's newest 100 runs.
pub(crate) async fn keeps_failing(cx: &Context, form_id: i64, action_id: &str) -> Result<bool> {
    let sql = "SELECT newest.status FROM (SELECT l.id, l.action_id, l.status FROM cf_action_logs l WHERE l.form_id = ?1 \
         ORDER BY l.id DESC LIMIT 100) AS newest WHERE newest.action_id = ?2 ORDER BY newest.id DESC LIMIT 3";
    let statuses: Vec<String> = select(cx, sql, params![form_id, action_id]).await?;
    Ok(statuses.len() == 3 && statuses.iter().all(|status| status == "failed"))
}

/// A log entry of a failure, with the current state of its queue entry.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Failure {
    /// The log entry.
    pub log: LogRow,
    /// The form's title, if the form is still there.
    pub form_title: Option<String>,
    /// The state of the queue entry, if it is still there.
    pub queue_status: Option<String>,
    /// The due time of the queue entry's next attempt, while it is retried.
    pub queue_due_at: Option<i64>,
}

/// The newest failures.
pub(crate) async fn failures(cx: &Context, limit: i64) -> Result<Vec<Failure>> {
    let sql = format!(
        "SELECT {COLUMNS}, (SELECT f.title FROM cf_forms f WHERE f.id = cf_action_logs.form_id), \
           (SELECT q.status FROM cf_action_queue q WHERE q.id = cf_action_logs.queue_id) AS queue_status, \
           (SELECT q.scheduled_at FROM cf_action_queue q WHERE q.id = cf_action_logs.queue_id AND q.status = 'retrying') AS queue_due_at \
         FROM cf_action_logs WHERE status = 'failed' AND {} ORDER BY id DESC LIMIT ?1",
        not_trashed("form_id")
    );
    select(cx, sql, params![limit]).await
}

/// The number of runs of an action type that ended in a status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The action's type.
    pub action_type: String,
    /// `success`, `failed` or `skipped`.
    pub status: String,
    /// The number of runs.
    pub count: i64,
}

/// Reads the counts of a form or the site, of all time and of the last 24 clock hours, which include the current one.
pub(crate) async fn counts(cx: &Context, form_id: Option<i64>) -> Result<(Vec<Count>, Vec<Count>)> {
    let mut batch = Batch::new(cx);
    let form_id = form_id.unwrap_or(0);
    let all = batch.add(
        format!(
            "SELECT label, {COUNT} FROM cf_stats \
             WHERE {OF_SCOPE} AND metric = 'action_log' AND date = '' GROUP BY label HAVING {COUNT} <> 0"
        ),
        params![form_id],
    );
    let recent = batch.add(
        format!(
            "SELECT label, {COUNT} FROM cf_stats \
             WHERE {OF_SCOPE} AND metric = 'action_log_hour' AND date > ?2 GROUP BY label HAVING {COUNT} <> 0"
        ),
        params![form_id, hour(cx.now() - DAY_MS)],
    );
    let mut results = batch.run().await?;
    Ok((
        read_counts(&mut results, all)?,
        read_counts(&mut results, recent)?,
    ))
}

fn read_counts(results: &mut Results, place: usize) -> Result<Vec<Count>> {
    let counts = results.rows(place)?.into_iter();
    let counts = counts.map(|(label, count): (String, i64)| {
        let (action_type, status) = label.rsplit_once(':').unwrap_or((&label, ""));
        Count {
            action_type: action_type.to_owned(),
            status: status.to_owned(),
            count,
        }
    });
    Ok(counts.collect())
}
