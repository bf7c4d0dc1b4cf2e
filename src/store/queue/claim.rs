//! Claiming, running and finishing entries. Only the worker with an entry's lease may finish it.

use super::counts::{KIND, count_move};
use super::{COLUMNS, EntryRow};
use crate::store::{Batch, Dialect, Result, dialect, execute, logs, select, select_one};
use crate::task::Context;
use model::ordered;

/// Limit on the entries of one action type that run at once, over all workers.
const MAX_PER_TYPE: i64 = 16;

/// Limit on the entries of one form's action (a lane) that run at once, so that a hanging endpoint blocks few workers.
const MAX_PER_LANE: i64 = 4;

/// The first due entries of each lane, so that a full lane cannot hide entries of another. The recursive part skips
/// from lane to lane along the index.
const LANES: &str = "WITH RECURSIVE lanes(lane) AS ( \
    SELECT CASE WHEN NOT EXISTS (SELECT 1 FROM cf_action_queue w WHERE w.abandoned >= 4 \
        AND (w.abandoned >= 5 OR w.status = 'processing') AND w.due_at IS NOT NULL AND w.due_at <= CAST(?1 AS BIGINT) - 300000) \
      THEN (SELECT MIN(lane) FROM cf_action_queue WHERE due_at IS NOT NULL) END \
    UNION ALL \
    SELECT (SELECT MIN(q.lane) FROM cf_action_queue q WHERE q.due_at IS NOT NULL AND q.lane > lanes.lane) \
    FROM lanes WHERE lanes.lane IS NOT NULL), ";

const FIRST_OF_LANES_SQLITE: &str = "first AS ( \
    SELECT q.id, q.lane, q.action_type, q.priority, q.scheduled_at FROM lanes CROSS JOIN cf_action_queue q \
    WHERE q.id IN (SELECT i.id FROM cf_action_queue i WHERE i.lane = lanes.lane AND {due} \
      AND (i.abandoned < 4 OR i.abandoned = 4 AND i.status <> 'processing') \
      ORDER BY i.priority, i.scheduled_at, i.id LIMIT ?5)), ";

/// The variant for PostgreSQL, where concurrent claims skip each other's entries.
const FIRST_OF_LANES_POSTGRES: &str = "first AS ( \
    SELECT q.id, q.lane, q.action_type, q.priority, q.scheduled_at FROM lanes CROSS JOIN LATERAL ( \
      SELECT i.id, i.lane, i.action_type, i.priority, i.scheduled_at FROM cf_action_queue i \
      WHERE i.lane = lanes.lane AND {due} \
      AND (i.abandoned < 4 OR i.abandoned = 4 AND i.status <> 'processing') \
      ORDER BY i.priority, i.scheduled_at, i.id LIMIT ?5 FOR UPDATE SKIP LOCKED) q), ";

const TAKE: &str = "running AS ( \
    SELECT lane, action_type FROM cf_action_queue WHERE status = 'processing' AND due_at > ?1 \
      AND due_at <= CAST(?1 AS BIGINT) + 180000), \
  within_lane AS ( \
    SELECT id, action_type, priority, scheduled_at, \
      ROW_NUMBER() OVER (PARTITION BY action_type ORDER BY priority, scheduled_at, id) AS place FROM ( \
        SELECT first.*, ROW_NUMBER() OVER (PARTITION BY lane ORDER BY priority, scheduled_at, id) AS place FROM first) ranked \
    WHERE place + (SELECT COUNT(*) FROM running WHERE running.lane = ranked.lane) <= ?5), \
  chosen AS ( \
    SELECT id FROM within_lane \
    WHERE place + (SELECT COUNT(*) FROM running WHERE running.action_type = within_lane.action_type) <= ?4 \
    ORDER BY priority, scheduled_at, id LIMIT ?6) ";

/// The start of a claim. A claim after a lost lease counts as no attempt.
const BEGIN: &str = "UPDATE cf_action_queue SET \
    attempts = attempts + CASE WHEN status = 'processing' THEN 0 ELSE 1 END, \
    abandoned = abandoned + CASE WHEN status = 'processing' THEN 1 ELSE 0 END, \
    status = 'processing', lease = ?2, due_at = CAST(?3 AS BIGINT), started_at = CAST(?1 AS BIGINT) WHERE id IN (";

/// The condition that an entry `i` is due. A due time beyond the longest possible delay came from a skewed clock and
/// counts as due: leases end within three minutes, retries are due within 27 hours. The unary plus keeps SQLite to
/// the index of the lane.
const DUE: &str = "i.due_at IS NOT NULL AND (+i.due_at <= ?1 OR +i.due_at > CAST(?1 AS BIGINT) + \
    CASE i.status WHEN 'retrying' THEN 97200000 ELSE 180000 END)";

/// Claims up to `entries` due entries, by priority and then age, under a lease. Returns the ids in the order to start
/// them.
///
/// An entry whose lease has expired is due again. After five lost leases only [`claim_alone`] claims an entry; once
/// one has waited for five minutes, this function claims nothing until it has run.
pub(crate) async fn claim(
    cx: &Context,
    lease: &str,
    lease_until: i64,
    entries: i64,
) -> Result<Vec<i64>> {
    let first = match dialect(cx) {
        Dialect::Sqlite => FIRST_OF_LANES_SQLITE,
        Dialect::Postgres => FIRST_OF_LANES_POSTGRES,
    };
    let chosen = [LANES, &first.replace("{due}", DUE), TAKE].concat();
    let sql = [&chosen, BEGIN, "SELECT id FROM chosen) ", STARTED].concat();
    let params = params![
        cx.now(),
        lease,
        lease_until,
        MAX_PER_TYPE,
        MAX_PER_LANE,
        entries
    ];
    Ok(in_order(select(cx, sql, params).await?))
}

/// The columns that a claim returns, for [`in_order`].
const STARTED: &str = "RETURNING priority, scheduled_at, id";

/// Sorts the claimed ids by priority, age and id, since RETURNING gives rows in any order.
fn in_order(mut rows: Vec<(i64, i64, i64)>) -> Vec<i64> {
    ordered::sort_by(&mut rows, Ord::cmp);
    rows.into_iter().map(|(_, _, id)| id).collect()
}

/// Claims one due entry that lost five leases. Such an entry may crash its process, so its worker must run no other
/// entry.
pub(crate) async fn claim_alone(cx: &Context, lease: &str, lease_until: i64) -> Result<Vec<i64>> {
    let lock = match dialect(cx) {
        Dialect::Sqlite => "",
        Dialect::Postgres => " FOR UPDATE SKIP LOCKED",
    };
    let sql = format!(
        "{BEGIN}SELECT i.id FROM cf_action_queue i WHERE i.abandoned >= 4 \
               AND (i.abandoned >= 5 OR i.status = 'processing') AND {DUE} \
             ORDER BY i.priority, i.scheduled_at, i.id LIMIT 1{lock}) {STARTED}"
    );
    let params = params![cx.now(), lease, lease_until];
    Ok(in_order(select(cx, sql, params).await?))
}

/// Extends the leases of running entries, at most to three minutes after their start.
pub(crate) async fn renew(cx: &Context, held: &[(i64, String)], lease_until: i64) -> Result<()> {
    let mut batch = Batch::new(cx);
    for (id, lease) in held {
        batch.add(
            "UPDATE cf_action_queue SET due_at = CASE WHEN started_at + 180000 < CAST(?3 AS BIGINT) \
               THEN started_at + 180000 ELSE CAST(?3 AS BIGINT) END \
             WHERE id = ?1 AND lease = ?2 AND status = 'processing'",
            params![*id, lease, lease_until],
        );
    }
    batch.run().await.map(drop)
}

/// Releases the entries of an instance that has ended, whose leases begin with its name.
pub(crate) async fn release_instance(cx: &Context, instance: &str) -> Result<()> {
    let sql = "UPDATE cf_action_queue SET status = CASE WHEN attempts > 1 THEN 'retrying' ELSE 'pending' END, \
           attempts = attempts - 1, abandoned = abandoned + 1, lease = '', due_at = CAST(?1 AS BIGINT) \
         WHERE status = 'processing' AND substr(lease, 1, length(CAST(?2 AS TEXT))) = CAST(?2 AS TEXT)";
    execute(cx, sql, params![cx.now(), instance])
        .await
        .map(drop)
}

/// Claims the pending entries of a submission, to run them in the visitor's request.
pub(crate) async fn claim_of_submission(
    cx: &Context,
    submission_uuid: &str,
    lease: &str,
    lease_until: i64,
) -> Result<Vec<i64>> {
    let sql = "UPDATE cf_action_queue SET attempts = attempts + 1, status = 'processing', lease = ?2, \
           due_at = CAST(?4 AS BIGINT), started_at = CAST(?3 AS BIGINT) \
         WHERE status = 'pending' AND due_at <= ?3 \
           AND submission_id = (SELECT s.id FROM cf_submissions s WHERE s.uuid = ?1) \
         RETURNING priority, scheduled_at, id";
    let params = params![submission_uuid, lease, cx.now(), lease_until];
    Ok(in_order(select(cx, sql, params).await?))
}

/// Reads an entry under its lease, and renews the lease. Returns `None` when the lease is lost: another worker has the
/// entry, or its submission was deleted.
pub(crate) async fn begin(
    cx: &Context,
    id: i64,
    lease: &str,
    lease_until: i64,
) -> Result<Option<EntryRow>> {
    let sql = format!(
        "UPDATE cf_action_queue SET due_at = CAST(?3 AS BIGINT), started_at = CAST(?4 AS BIGINT) \
             WHERE id = ?1 AND lease = ?2 AND status = 'processing' RETURNING {COLUMNS}"
    );
    let params = params![id, lease, lease_until, cx.now()];
    select_one(cx, sql, params).await
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The entry's new state.
    pub status: &'static str,
    /// The last error that the entry shows; empty for none.
    pub last_error: String,
    /// The next due time, unless the entry is finished.
    pub due_at: Option<i64>,
    /// The log entry.
    pub log: logs::NewLog,
}

/// Writes the result of a run with its log entry, if the lease is still valid. Returns whether it was.
pub(crate) async fn finish(cx: &Context, id: i64, lease: &str, ending: &Ending) -> Result<bool> {
    let mut batch = Batch::new(cx);
    let changed = batch.add(
        "UPDATE cf_action_queue SET status = ?3, last_error = ?4, due_at = CAST(?5 AS BIGINT), \
           scheduled_at = COALESCE(CAST(?5 AS BIGINT), scheduled_at), \
           completed_at = CASE WHEN CAST(?5 AS BIGINT) IS NULL THEN CAST(?6 AS BIGINT) END \
         WHERE id = ?1 AND lease = ?2 AND status = 'processing'",
        params![
            id,
            lease,
            ending.status,
            &ending.last_error,
            ending.due_at,
            cx.now()
        ],
    );
    count_move(&mut batch, id, lease, KIND, ending.status);
    logs::add(&mut batch, id, lease, &ending.log);
    Ok(batch.run().await?.changes(changed) > 0)
}

/// Releases entries that were not run, without counting the attempt. They are due at once, or withheld if the
/// submission has become spam or the form is in the trash.
pub(crate) async fn release(cx: &Context, held: &[(i64, String)]) -> Result<()> {
    let mut batch = Batch::new(cx);
    for (id, lease) in held {
        // Without the locks a concurrent restore of the form or change out of spam would be missed, and the entry would
        // stay withheld.
        batch.add_lock(
            "SELECT f.id FROM cf_forms f \
             WHERE f.id = (SELECT q.form_id FROM cf_action_queue q WHERE q.id = ?1) FOR SHARE",
            params![*id],
        );
        batch.add_lock(
            "SELECT s.id FROM cf_submissions s \
             WHERE s.id = (SELECT q.submission_id FROM cf_action_queue q WHERE q.id = ?1) FOR SHARE",
            params![*id],
        );
        batch.add(
            "UPDATE cf_action_queue SET status = CASE WHEN attempts > 1 THEN 'retrying' ELSE 'pending' END, \
               attempts = attempts - 1, lease = '', \
               due_at = CASE WHEN EXISTS (SELECT 1 FROM cf_submissions s \
                   WHERE s.id = cf_action_queue.submission_id AND s.is_spam = 1) \
                 OR EXISTS (SELECT 1 FROM cf_forms t WHERE t.id = cf_action_queue.form_id AND t.trashed_at > 0) \
                 THEN NULL ELSE CAST(?3 AS BIGINT) END \
             WHERE id = ?1 AND lease = ?2 AND status = 'processing'",
            params![*id, lease, cx.now()],
        );
    }
    batch.run().await.map(drop)
}
