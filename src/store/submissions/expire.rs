//! Finds and deletes submissions and logs whose retention has ended.

use super::super::pages::RunFilter;
use super::super::{Batch, Result, queue, search, select};
use super::{StoredSubmission, select_where};
use crate::task::Context;

/// Limit on the submissions that one step deletes.
const MAX_SUBMISSIONS: i64 = 20;
/// Limit on the logs whose submissions one step checks.
const MAX_LOGS: i64 = 100;

/// Reads a batch of a form's submissions (or only spam) from before a moment, the oldest first. Skips submissions with
/// waiting or running actions.
pub async fn aged(
    cx: &Context,
    form_id: i64,
    before: i64,
    spam_only: bool,
) -> Result<Vec<StoredSubmission>> {
    let status = if spam_only {
        "AND s.status = 'spam' "
    } else {
        ""
    };
    let condition = format!(
        "s.form_id = ?1 {status}AND s.submitted_at < ?2 \
         AND NOT EXISTS (SELECT 1 FROM cf_action_queue q WHERE q.submission_id = s.id \
           AND q.due_at IS NOT NULL) \
         ORDER BY s.submitted_at, s.id LIMIT ?3"
    );
    select_where(cx, &condition, params![form_id, before, MAX_SUBMISSIONS]).await
}

/// Reads a batch of submissions that were moved to the trash before a moment, the oldest first.
pub async fn trashed(cx: &Context, before: i64) -> Result<Vec<StoredSubmission>> {
    let condition = "s.trashed_at < ?1 ORDER BY s.trashed_at, s.id LIMIT ?2";
    select_where(cx, condition, params![before, MAX_SUBMISSIONS]).await
}

/// Finds a form's logs from before a moment whose submissions no longer exist, and deletes all logs and queue entries
/// of these submissions. Forms that keep no submissions leave such logs. Returns the number of affected submissions; 0
/// if none is left.
pub async fn forgotten(cx: &Context, form_id: i64, before: i64) -> Result<usize> {
    let mut logs = RunFilter::before(before).narrowed("cf_action_logs");
    logs.equal("form_id", Some(form_id));
    // The logs of all mails with resume links have the submission id 0.
    logs.conditions.push("+submission_id > 0".to_owned());
    let sql = format!(
        "SELECT DISTINCT oldest.submission_id FROM ({}) AS oldest \
         WHERE NOT EXISTS (SELECT 1 FROM cf_submissions s WHERE s.id = oldest.submission_id)",
        logs.first("submission_id", MAX_LOGS),
    );
    let ids: Vec<i64> = select(cx, sql, logs.bindings.values()).await?;
    if !ids.is_empty() {
        let mut batch = Batch::new(cx);
        queue::delete_of_submissions(&mut batch, &ids);
        search::delete(&mut batch, &ids);
        batch.run().await?;
    }
    Ok(ids.len())
}
