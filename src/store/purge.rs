//! Purges expired rows: finished queue entries, logs, submission keys, rate limits, and submissions that a form does
//! not keep. Purges run in small batches along indexes, so that no other writer waits for long.

use super::pages::RunFilter;
use super::submissions::KEY_RETENTION_MS;
use super::{Batch, Bindings, Dialect, Result, execute, logs, queue, search, uploads};
use crate::task::{Context, KeepDays};
use model::dates::DAY_MS;
use model::ordered;

/// Retention of rate limits: the longest window of any limit.
const LIMIT_RETENTION_MS: i64 = DAY_MS;

/// Retention of forms and submissions in the trash, in days.
pub(crate) const TRASH_DAYS: i64 = 30;

/// Limit on the rows of each kind that one step deletes.
const BATCH_SIZE: i64 = 200;

/// Minimum time between the starts of two purges, across all processes.
const MIN_PAUSE_MS: i64 = 3_600_000;

/// Begins a purge, unless any process has begun one in the last hour. Returns whether it began. A recorded start in the
/// future came from a skewed clock and does not count.
pub(crate) async fn begin(cx: &Context) -> Result<bool> {
    let now = cx.now();
    let sql = "INSERT INTO cf_settings (name, value) VALUES ('purged_at', ?1) ON CONFLICT (name) DO UPDATE \
         SET value = excluded.value WHERE CAST(cf_settings.value AS BIGINT) NOT BETWEEN CAST(?2 AS BIGINT) AND CAST(?3 AS BIGINT)";
    let params = params![now.to_string(), now - MIN_PAUSE_MS + 1, now + 60_000];
    Ok(execute(cx, sql, params).await? > 0)
}

/// Expired rows, at most [`BATCH_SIZE`] of each kind.
pub(crate) struct ExpiredRows {
    /// Queue entries by state.
    finished: Vec<(&'static str, Vec<i64>)>,
    logs: Vec<i64>,
    /// The submissions of the expired entries and logs.
    submissions: Vec<i64>,
    /// Submissions that their forms do not keep and that no action needs any more.
    pub unsaved: Vec<i64>,
    /// Whether the trash contains expired submissions.
    pub has_trash: bool,
}

impl ExpiredRows {
    /// Whether more expired rows may be left.
    pub(crate) fn is_full(&self) -> bool {
        let finished = self.finished.iter().map(|(_, ids)| ids);
        let mut all = finished.chain([&self.logs, &self.unsaved]);
        all.any(|ids| i64::try_from(ids.len()).is_ok_and(|len| len >= BATCH_SIZE))
    }
}

/// The moment before which rows with a retention of `days` have expired; 0 days keep rows forever.
pub(crate) fn cutoff(cx: &Context, days: i64) -> i64 {
    if days > 0 {
        (cx.now() - days.saturating_mul(DAY_MS)).max(0)
    } else {
        0
    }
}

/// Finds expired rows.
pub(crate) async fn find_expired(cx: &Context, keep: &KeepDays) -> Result<ExpiredRows> {
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
        let sql = entries.first("id, submission_id", BATCH_SIZE);
        (state, batch.add(sql, entries.bindings.values()))
    });
    let logs = batch.add(
        "SELECT id, submission_id FROM cf_action_logs WHERE created_at < ?1 ORDER BY created_at, id LIMIT ?2",
        params![cutoff(cx, keep.logs), BATCH_SIZE],
    );
    let unsaved = batch.add(
        "SELECT kept.id, kept.submission_id FROM (SELECT s.id, s.id AS submission_id FROM cf_submissions s WHERE s.status = 'unsaved' AND NOT EXISTS \
           (SELECT 1 FROM cf_action_queue q WHERE q.submission_id = s.id AND q.status NOT IN ('completed', 'cancelled') \
             AND (q.status <> 'failed' OR q.completed_at >= ?1)) \
         ORDER BY s.submitted_at, s.id LIMIT ?2) AS kept \
         UNION ALL SELECT 0, 0 WHERE EXISTS (SELECT 1 FROM cf_submissions s WHERE s.trashed_at < ?3)",
        params![
            cutoff(cx, keep.unsaved),
            BATCH_SIZE,
            cutoff(cx, TRASH_DAYS)
        ],
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
    let (logs, mut unsaved) = (ids(logs)?, ids(unsaved)?);
    // A row with id 0 means expired trash. This saves a statement, since D1 allows 50.
    let has_trash = unsaved.contains(&0);
    unsaved.retain(|id| *id > 0);
    submissions.retain(|id| *id > 0);
    ordered::sort_by(&mut submissions, Ord::cmp);
    submissions.dedup();
    Ok(ExpiredRows {
        finished,
        logs,
        unsaved,
        has_trash,
        submissions,
    })
}

/// Deletes expired entries and logs with their counts, and expired keys and rate limits. Keeps entries that were
/// retried in the meantime. Returns whether more keys or rate limits may be left.
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
        params![cx.now() - KEY_RETENTION_MS, BATCH_SIZE],
    );
    // The row of the bucket `total` serves as a lock for the form's submission limit and never expires.
    let limits = batch.add(
        "DELETE FROM cf_rate_limits WHERE (form_id, bucket) IN \
           (SELECT form_id, bucket FROM cf_rate_limits \
            WHERE window_start < ?1 AND bucket <> 'total' ORDER BY window_start LIMIT ?2)",
        params![cx.now() - LIMIT_RETENTION_MS, BATCH_SIZE],
    );
    let results = batch.run().await?;
    let is_full =
        |place| i64::try_from(results.changes(place)).is_ok_and(|rows| rows >= BATCH_SIZE);
    Ok(is_full(keys) || is_full(limits))
}

/// The condition that a row has one of these ids; `None` if there are no ids.
fn among(dialect: Dialect, column: &str, ids: &[i64], state: &str) -> Option<(String, Bindings)> {
    let mut bindings = Bindings::default();
    let listed = bindings.ids(dialect, ids.iter().copied());
    let condition = [column, " IN (", &listed, ")", state].concat();
    (!ids.is_empty()).then_some((condition, bindings))
}

/// Deletes a submission that its form does not keep, after each of its actions has succeeded, was skipped or was
/// cancelled. A failed action keeps the submission for some days, so that the action can be retried. The queue entries
/// and logs stay. Returns the keys of the files, which the caller must remove.
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
