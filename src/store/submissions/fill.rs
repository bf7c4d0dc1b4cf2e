//! Recomputes the holds of stored submissions, in small batches.

use serde_json::Value;

use super::super::holds::{HOLDING, count, take};
use super::super::{Batch, Result, execute};
use super::{StoredSubmission, select_where};
use crate::task::{Context, SqlValue};

/// Limit on the submissions that one transaction recomputes.
const FILL_BATCH_SIZE: i64 = 200;

/// Reads the next batch of submissions whose holds must be recomputed.
pub async fn to_fill(cx: &Context, form_id: i64, after: i64) -> Result<Vec<StoredSubmission>> {
    let condition = "s.form_id = ?1 AND s.id > ?2 AND s.status <> 'unsaved' ORDER BY s.id LIMIT ?3";
    select_where(cx, condition, params![form_id, after, FILL_BATCH_SIZE]).await
}

/// Stores the new holds of these submissions, and records the last one as done. Without submissions, removes the job.
/// Skips submissions that have changed since they were read.
pub async fn fill(
    cx: &Context,
    (form_id, after): (i64, i64),
    found: &[(StoredSubmission, String)],
) -> Result<()> {
    let Some((last, _)) = found.last() else {
        let sql = "DELETE FROM cf_hold_fills WHERE form_id = ?1 AND after_id = ?2";
        return execute(cx, sql, params![form_id, after]).await.map(drop);
    };
    let token = crate::security::random::token(16)?;
    let mut batch = Batch::new(cx);
    let dialect = batch.dialect();
    let ids: Vec<i64> = found
        .iter()
        .map(|(stored, _)| stored.submission.id)
        .collect();
    super::lock(&mut batch, &ids);
    let rows = found
        .iter()
        .map(|(stored, held)| json!([stored.uuid, stored.change_token, held]));
    let rows = Value::from_iter(rows).to_string();
    let listed = dialect.listed_rows("?1");
    let which = format!(
        "s.uuid IN (SELECT listed.value ->> 0 FROM {listed}) AND (s.uuid, s.change_token) IN \
         (SELECT listed.value ->> 0, listed.value ->> 1 FROM {listed}) AND {HOLDING}"
    );
    count(&mut batch, &which, &[SqlValue::from(&rows)], true);
    batch.add(
        format!(
            "UPDATE cf_submissions SET held = listed.value ->> 2, change_token = CAST(?2 AS TEXT) FROM {listed} \
             WHERE cf_submissions.uuid = listed.value ->> 0 AND cf_submissions.change_token = listed.value ->> 1"
        ),
        params![rows, &token],
    );
    let uuids: Vec<&str> = found
        .iter()
        .map(|(stored, _)| stored.uuid.as_str())
        .collect();
    take(&mut batch, &uuids, &token);
    batch.add(
        "UPDATE cf_hold_fills SET after_id = ?3 WHERE form_id = ?1 AND after_id = ?2",
        params![form_id, after, last.submission.id],
    );
    batch.run().await.map(drop)
}
