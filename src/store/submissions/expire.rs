//! What goes by itself: keys of old submits, limits whose windows are over, and submissions that a
//! form does not keep.

use super::super::{Batch, StoreError, rate_limits};
use crate::dates::DAY_MS;
use crate::task::Context;

/// How long a repeat of a submit is known.
const KEYS_KEPT_MS: i64 = 7 * DAY_MS;

/// How many submissions that are not kept are looked for at once.
const UNSAVED_AT_ONCE: i64 = 20;

/// Deletes the keys and limits that have expired. Answers the submissions that no form keeps and no
/// action needs any more.
pub async fn purge_expired(cx: &Context) -> Result<Vec<i64>, StoreError> {
    let mut batch = Batch::new(cx);
    batch.add(
        "DELETE FROM cf_submission_keys WHERE created_at < ?1",
        vec![(cx.now() - KEYS_KEPT_MS).into()],
    );
    rate_limits::purge(&mut batch, cx.now());
    let done = batch.add(
        "SELECT s.id FROM cf_submissions s WHERE s.status = 'unsaved' AND NOT EXISTS \
         (SELECT 1 FROM cf_action_queue q WHERE q.submission_id = s.id AND q.status <> 'completed') LIMIT ?1",
        vec![UNSAVED_AT_ONCE.into()],
    );
    let rows = batch.run().await?.rows(done);
    rows.iter().map(|row| row.integer(0)).collect()
}

/// Deletes a submission that its form does not keep, once all of its actions have succeeded or had
/// nothing to do. One that failed keeps it, so that it can be retried. What ran and when stays in
/// the queue and the logs. Answers the keys of its files, which are the caller's to remove.
pub async fn forget_unsaved(cx: &Context, id: i64) -> Result<Vec<String>, StoreError> {
    let mut batch = Batch::new(cx);
    let deleted = batch.add(
        "DELETE FROM cf_submissions WHERE id = ?1 AND status = 'unsaved' AND NOT EXISTS \
         (SELECT 1 FROM cf_action_queue q WHERE q.submission_id = ?1 AND q.status <> 'completed')",
        vec![id.into()],
    );
    let files = batch.add(
        "SELECT file_key FROM cf_uploads WHERE submission_id = ?1 \
         AND NOT EXISTS (SELECT 1 FROM cf_submissions WHERE id = ?1)",
        vec![id.into()],
    );
    batch.add(
        "DELETE FROM cf_uploads WHERE submission_id = ?1 \
         AND NOT EXISTS (SELECT 1 FROM cf_submissions WHERE id = ?1)",
        vec![id.into()],
    );
    let mut results = batch.run().await?;
    if results.changes(deleted) == 0 {
        return Ok(Vec::new());
    }
    let rows = results.rows(files);
    rows.into_iter().map(|mut row| row.text(0)).collect()
}
