//! Deleting a form with everything that hangs on it.

use super::{Batch, Result, search, stats, uploads};
use crate::task::Context;

/// The tables whose rows belong to a form by their column `form_id`. Entries of the queue go before all: whoever runs
/// one adds to the rest.
const TABLES: [&str; 12] = [
    "cf_action_queue",
    "cf_action_logs",
    "cf_answer_names",
    "cf_form_meta",
    "cf_form_revisions",
    "cf_submissions",
    "cf_submission_events",
    "cf_submission_keys",
    "cf_stats",
    "cf_rate_limits",
    "cf_upload_totals",
    "cf_visitors",
];

/// Deletes a form in that revision and all of its rows, in one batch. Answers the keys of the
/// files that nothing refers to any more; `None`, and nothing is deleted, when the form is gone or
/// has another revision by now.
pub async fn delete_form(cx: &Context, id: i64, revision: i64) -> Result<Option<Vec<String>>> {
    let mut batch = Batch::new(cx);
    let files = batch.add(
        "SELECT file_key FROM cf_uploads WHERE form_id = ?1 ORDER BY id",
        params![id],
    );
    let deleted = batch.add(
        "DELETE FROM cf_forms WHERE id = ?1 AND revision = ?2",
        params![id, revision],
    );
    // Should another change have come first, the form is still there and its rows stay: each
    // statement looks.
    for table in TABLES {
        if table == "cf_stats" {
            stats::uncount_form(&mut batch, id);
        }
        let sql = format!(
            "DELETE FROM {table} WHERE form_id = ?1 AND NOT EXISTS (SELECT 1 FROM cf_forms WHERE id = ?1)"
        );
        batch.add(sql, params![id]);
    }
    search::delete_of_form(&mut batch, id);
    uploads::abandon_of_form(&mut batch, id);
    let mut results = batch.run().await?;
    if results.changes(deleted) == 0 {
        return Ok(None);
    }
    results.rows(files).map(Some)
}
