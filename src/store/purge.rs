//! Deleting what is old: finished entries of the queue, logs, keys of submits, limits whose windows are over, and
//! submissions that a form does not keep. In small batches, each along an index, so that nobody waits for long.

use super::pages::RunFilter;
use super::submissions::KEYS_KEPT_MS;
use super::{Batch, Bindings, Dialect, Result, execute, logs, queue, search, uploads};
use crate::task::{Context, KeepDays};
use model::dates::DAY_MS;
use model::ordered;

/// How long the longest window of a gate is.
const LIMITS_KEPT_MS: i64 = DAY_MS;

/// How many rows of a kind a step deletes.
const AT_ONCE: i64 = 200;

/// How long nobody begins again after somebody began.
const PAUSE_MS: i64 = 3_600_000;

/// Begins a purge, unless one has begun in the last hour, in any process; returns whether it has. A
/// moment that lies ahead was written by a clock that was.
pub(crate) async fn begin(cx: &Context) -> Result<bool> {
    let now = cx.now();
    let sql = "INSERT INTO cf_settings (name, value) VALUES ('purged_at', ?1) ON CONFLICT (name) DO UPDATE \
         SET value = excluded.value WHERE CAST(cf_settings.value AS BIGINT) NOT BETWEEN CAST(?2 AS BIGINT) AND CAST(?3 AS BIGINT)";
    let params = params![now.to_string(), now - PAUSE_MS + 1, now + 60_000];
    Ok(execute(cx, sql, params).await? > 0)
}

/// Rows that are old enough to be deleted now, at most so many of each kind.
pub(crate) struct ExpiredRows {
    /// Entries of the queue, by their state.
    finished: Vec<(&'static str, Vec<i64>)>,
    logs: Vec<i64>,
    /// The submissions of all these.
    submissions: Vec<i64>,
    /// Submissions that their forms do not keep and no action needs any more.
    pub unsaved: Vec<i64>,
}

impl ExpiredRows {
    /// Whether more rows may be left.
    pub(crate) fn is_full(&self) -> bool {
        let finished = self.finished.iter().map(|(_, ids)| ids);
        let mut all = finished.chain([&self.logs, &self.unsaved]);
        all.any(|ids| i64::try_from(ids.len()).is_ok_and(|len| len >= AT_ONCE))
    }
}

/// The moment before which something kept for so many days is old; 0 days keep it for ever.
pub(crate) fn cutoff(cx: &Context, days: i64) -> i64 {
    if days > 0 {
        (cx.now() - days.saturating_mul(DAY_MS)).max(0)
    } else {
        0
    }
}

/// Finds rows that are old.
pub(crate) async fn look(cx: &Context, keep: &KeepDays) -> Result<ExpiredRows> {
    let mut batch = Batch::new(cx);
    let states = [
        ("completed", keep.completed),
        ("failed", keep.failed),
        ("cancelled", keep.completed),
    ];
    let finished = states.map(|(state, days)| {
        let before = cutoff(cx, days);
        let mut entries = RunFilter::before(before).narrowed("cf_action_queue");
        entries.equal("status", Some(state));
        let moment = entries.bindings.bind(before);
        entries.conditions.push(format!("completed_at < {moment}"));
        let sql = entries.first("id, submission_id", AT_ONCE);
        (state, batch.add(sql, entries.bindings.values()))
    });
    let logs = batch.add(
        "SELECT id, submission_id FROM cf_action_logs WHERE created_at < ?1 ORDER BY created_at, id LIMIT ?2",
        params![cutoff(cx, keep.logs), AT_ONCE],
    );
    let unsaved = batch.add(
        "SELECT s.id, s.id AS submission_id FROM cf_submissions s WHERE s.status = 'unsaved' AND NOT EXISTS \
           (SELECT 1 FROM cf_action_queue q WHERE q.submission_id = s.id AND q.status NOT IN ('completed', 'cancelled') \
             AND (q.status <> 'failed' OR q.completed_at >= ?1)) \
         ORDER BY s.submitted_at, s.id LIMIT ?2",
        params![cutoff(cx, keep.unsaved), AT_ONCE],
    );
    let mut results = batch.run().await?;
    let mut submissions = Vec::new();
    let mut ids = |place| -> Result<Vec<i64>> {
        let rows: Vec<(i64, i64)> = results.rows(place)?;
        submissions.extend(rows.iter().map(|(_, submission_id)| *submission_id));
        Ok(rows.into_iter().map(|(id, _)| id).collect())
    };
    let finished = finished.into_iter();
    let finished = finished.map(|(state, place)| Ok((state, ids(place)?)));
    let finished = finished.collect::<Result<_>>()?;
    let (logs, unsaved) = (ids(logs)?, ids(unsaved)?);
    ordered::sort_by(&mut submissions, Ord::cmp);
    submissions.dedup();
    Ok(ExpiredRows {
        finished,
        logs,
        unsaved,
        submissions,
    })
}

/// Deletes finished entries and logs that are old, with their counts, and the keys and limits that
/// have expired. What was retried meanwhile stays. Returns whether more keys or limits may be left.
pub(crate) async fn delete(cx: &Context, expired: &ExpiredRows) -> Result<bool> {
    let mut batch = Batch::new(cx);
    for (state, ids) in &expired.finished {
        let of_state = format!(" AND q.status = '{state}'");
        if let Some((condition, bindings)) = among(batch.dialect(), "q.id", ids, &of_state) {
            queue::delete(&mut batch, &condition, bindings);
        }
    }
    if let Some((condition, bindings)) = among(batch.dialect(), "l.id", &expired.logs, "") {
        logs::delete(&mut batch, &condition, bindings);
    }
    search::forget(&mut batch, &expired.submissions);
    let keys = batch.add(
        "DELETE FROM cf_submission_keys WHERE (form_id, submission_key) IN \
           (SELECT form_id, submission_key FROM cf_submission_keys \
            WHERE created_at < ?1 ORDER BY created_at LIMIT ?2)",
        params![cx.now() - KEYS_KEPT_MS, AT_ONCE],
    );
    // The row of the limit on all submissions is the form's.
    let limits = batch.add(
        "DELETE FROM cf_rate_limits WHERE (form_id, bucket) IN \
           (SELECT form_id, bucket FROM cf_rate_limits \
            WHERE window_start < ?1 AND bucket <> 'total' ORDER BY window_start LIMIT ?2)",
        params![cx.now() - LIMITS_KEPT_MS, AT_ONCE],
    );
    let results = batch.run().await?;
    let is_full = |place| i64::try_from(results.changes(place)).is_ok_and(|rows| rows >= AT_ONCE);
    Ok(is_full(keys) || is_full(limits))
}

/// The condition that a row is one of these; `None` for none.
fn among(dialect: Dialect, column: &str, ids: &[i64], state: &str) -> Option<(String, Bindings)> {
    let mut bindings = Bindings::default();
    let listed = bindings.ids(dialect, ids.iter().copied());
    let condition = [column, " IN (", &listed, ")", state].concat();
    (!ids.is_empty()).then_some((condition, bindings))
}

/// Deletes a submission that its form does not keep, once all of its actions have succeeded or had nothing to do. One
/// that failed keeps it so many days, so that it can be retried. What ran and when stays in the queue and the logs.
/// Returns the keys of its files, which are the caller's to remove.
pub async fn forget_unsaved(cx: &Context, id: i64, keep: &KeepDays) -> Result<Vec<String>> {
    let mut batch = Batch::new(cx);
    batch.add(
        "DELETE FROM cf_submissions WHERE id = ?1 AND status = 'unsaved' AND NOT EXISTS \
           (SELECT 1 FROM cf_action_queue q WHERE q.submission_id = ?1 AND q.status NOT IN ('completed', 'cancelled') \
             AND (q.status <> 'failed' OR q.completed_at >= ?2))",
        params![id, cutoff(cx, keep.unsaved)],
    );
    let files = batch.add(
        "SELECT file_key FROM cf_uploads WHERE submission_id = ?1 \
         AND NOT EXISTS (SELECT 1 FROM cf_submissions WHERE id = ?1)",
        params![id],
    );
    uploads::abandon(&mut batch, &[id]);
    search::forget(&mut batch, &[id]);
    batch.run().await?.rows(files)
}
