//! Queue entries that belong to no submission.

use super::super::stats::{self, QUEUE};
use super::super::{Batch, Result};
use super::MAX_RETRIES;
use crate::task::Context;

/// Queues an action of a form that belongs to no submission. `settings` is JSON text.
pub async fn add_alone(cx: &Context, form_id: i64, kind: &str, settings: &str) -> Result<()> {
    let key = crate::security::random::uuid()?;
    let mut batch = Batch::new(cx);
    batch.add(
        format!(
            "INSERT INTO cf_action_queue (form_id, submission_id, action_type, action_index, settings, status, priority, \
               attempts, abandoned, max_retries, last_error, idempotency_key, lane, lease, due_at, scheduled_at, created_at, \
               action_id) \
             SELECT f.id, 0, CAST(?2 AS TEXT), 0, CAST(?3 AS TEXT), 'pending', 10, 0, 0, {MAX_RETRIES}, '', CAST(?4 AS TEXT), \
               f.id || ':' || CAST(?2 AS TEXT), '', CAST(?5 AS BIGINT), CAST(?5 AS BIGINT), CAST(?5 AS BIGINT), '' \
             FROM cf_forms f WHERE f.id = ?1 AND f.trashed_at IS NULL"
        ),
        params![form_id, kind, settings, &key, cx.now()],
    );
    let query = format!(
        "SELECT scope.id, '{QUEUE}', '', 'pending', CAST(0 AS BIGINT), CAST(1 AS BIGINT) FROM \
           (SELECT q.form_id AS id FROM cf_action_queue q WHERE q.idempotency_key = ?1 \
            UNION ALL SELECT 0 FROM cf_action_queue q WHERE q.idempotency_key = ?1) scope WHERE true"
    );
    stats::add_query(&mut batch, &query, params![&key]);
    batch.run().await.map(drop)
}
