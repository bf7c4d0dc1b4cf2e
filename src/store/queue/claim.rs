//! Claims, renews and releases entries. Only the worker with an entry's lease may finish the entry.

use super::finish::{Ended, add_finish};
use super::{COLUMNS, EntryRow};
use crate::store::{Batch, Dialect, Result, dialect, execute, select, select_one};
use crate::task::Context;
use model::ordered;

/// Lists the lanes that have waiting or running entries. A lane is one action of one form. The recursive part skips
/// from lane to lane along the index. If an entry that must run alone has waited too long, the list is empty.
const LANES: &str = "WITH RECURSIVE lanes(lane) AS ( \
    SELECT CASE WHEN NOT EXISTS (SELECT 1 FROM cf_action_queue w WHERE w.abandoned >= 4 \
        AND (w.abandoned >= 5 OR w.status = 'processing') AND w.due_at IS NOT NULL AND w.due_at <= CAST(?1 AS BIGINT) - 300000) \
      THEN (SELECT MIN(lane) FROM cf_action_queue WHERE due_at IS NOT NULL) END \
    UNION ALL \
    SELECT (SELECT MIN(q.lane) FROM cf_action_queue q WHERE q.due_at IS NOT NULL AND q.lane > lanes.lane) \
    FROM lanes WHERE lanes.lane IS NOT NULL), ";

/// Computes how many entries each lane may start, over all workers.
const OPEN: &str = "limits AS MATERIALIZED ( \
    SELECT listed.value ->> 0 AS lane, CAST(listed.value ->> 1 AS BIGINT) AS most FROM {limits}), \
  open AS MATERIALIZED ( \
    SELECT lanes.lane, COALESCE(limits.most, CAST(?5 AS BIGINT)) - (SELECT COUNT(*) FROM cf_action_queue r \
        WHERE r.status = 'processing' AND r.lane = lanes.lane AND r.due_at > ?1 \
          AND r.due_at <= CAST(?1 AS BIGINT) + 180000) AS room \
    FROM lanes LEFT JOIN limits ON limits.lane = lanes.lane WHERE lanes.lane IS NOT NULL), ";

/// Selects the first due entries of each lane, so that a lane with many entries cannot hide entries of others.
const FIRST_OF_LANES_SQLITE: &str = "first AS ( \
    SELECT q.id, q.lane, open.room, q.priority, q.scheduled_at FROM open CROSS JOIN cf_action_queue q \
    WHERE open.room > 0 AND q.id IN (SELECT i.id FROM cf_action_queue i WHERE i.lane = open.lane AND {due} \
      AND (i.abandoned < 4 OR i.abandoned = 4 AND i.status <> 'processing') \
      ORDER BY i.priority, i.scheduled_at, i.id LIMIT ?6)), ";

/// The variant for PostgreSQL, where concurrent claims skip each other's entries.
const FIRST_OF_LANES_POSTGRES: &str = "first AS ( \
    SELECT q.id, q.lane, open.room, q.priority, q.scheduled_at FROM open CROSS JOIN LATERAL ( \
      SELECT i.id, i.lane, i.priority, i.scheduled_at FROM cf_action_queue i \
      WHERE i.lane = open.lane AND {due} \
      AND (i.abandoned < 4 OR i.abandoned = 4 AND i.status <> 'processing') \
      ORDER BY i.priority, i.scheduled_at, i.id LIMIT LEAST(GREATEST(open.room, 0), ?6) FOR UPDATE SKIP LOCKED) q), ";

const CHOSEN: &str = "chosen AS ( \
    SELECT id FROM (SELECT id, room, priority, scheduled_at, \
        ROW_NUMBER() OVER (PARTITION BY lane ORDER BY priority, scheduled_at, id) AS place FROM first) ranked \
    WHERE place <= room ORDER BY priority, scheduled_at, id LIMIT ?6) ";

/// The start of a claim. After a lost lease, the claim does not count as a new attempt.
const BEGIN: &str = "UPDATE cf_action_queue SET \
    attempts = attempts + CASE WHEN status = 'processing' THEN 0 ELSE 1 END, \
    abandoned = abandoned + CASE WHEN status = 'processing' THEN 1 ELSE 0 END, \
    status = 'processing', lease = ?2, due_at = CAST(?3 AS BIGINT), started_at = CAST(?1 AS BIGINT) WHERE id IN (";

/// The condition that an entry `i` is due. A due time beyond the longest possible delay came from a skewed clock and
/// counts as due. Leases end within three minutes, and retries are due within 27 hours. The unary plus makes SQLite use
/// the index on the lane.
const DUE: &str = "i.due_at IS NOT NULL AND (+i.due_at <= ?1 OR +i.due_at > CAST(?1 AS BIGINT) + \
    CASE i.status WHEN 'retrying' THEN 97200000 ELSE 180000 END)";

/// A claim of several entries.
pub(crate) struct Wanted<'a> {
    /// The worker's lease.
    pub lease: &'a str,
    /// The time when the lease expires.
    pub lease_until: i64,
    /// Limit on the claimed entries.
    pub entries: i64,
    /// Limit on the running entries of a lane.
    pub lane_limit: i64,
    /// The limits of lanes that have another one, as a JSON list of `[lane, limit]`.
    pub lane_limits: String,
}

/// A claimed entry, and its lane.
pub(crate) type Claimed = (EntryRow, String);

/// Stores outcomes, then claims due entries by priority and age, in one batch. Returns the entries in the order in
/// which to start them.
///
/// An entry whose lease has expired is due again. After five lost leases, only [`claim_alone`] claims an entry. If such
/// an entry has waited for five minutes, this function claims nothing until it has run.
pub(crate) async fn claim(
    cx: &Context,
    ended: &[Ended],
    wanted: Wanted<'_>,
) -> Result<Vec<Claimed>> {
    let mut batch = Batch::new(cx);
    if !ended.is_empty() {
        add_finish(&mut batch, ended)?;
    }
    let mut claimed = None;
    if wanted.entries > 0 {
        let dialect = batch.dialect();
        let first = match dialect {
            Dialect::Sqlite => FIRST_OF_LANES_SQLITE,
            Dialect::Postgres => FIRST_OF_LANES_POSTGRES,
        };
        let open = OPEN.replace("{limits}", &dialect.listed_rows("?4"));
        let first = first.replace("{due}", DUE);
        let begin = [BEGIN, "SELECT id FROM chosen) RETURNING "].concat();
        let sql = [LANES, &open, &first, CHOSEN, &begin, COLUMNS, ", lane"].concat();
        let params = params![
            cx.now(),
            wanted.lease,
            wanted.lease_until,
            wanted.lane_limits,
            wanted.lane_limit,
            wanted.entries
        ];
        claimed = Some(batch.add(sql, params));
    }
    if batch.is_empty() {
        return Ok(Vec::new());
    }
    let mut results = batch.run().await?;
    let claimed = claimed.map(|place| results.rows(place)).transpose()?;
    Ok(sorted(claimed.unwrap_or_default()))
}

/// Sorts claimed entries by priority, age and id, since `RETURNING` guarantees no order.
fn sorted(mut rows: Vec<Claimed>) -> Vec<Claimed> {
    let place = |(entry, _): &Claimed| (entry.priority, entry.scheduled_at, entry.id);
    ordered::sort_by(&mut rows, |one, other| place(one).cmp(&place(other)));
    rows
}

/// Claims one due entry that lost five leases. Such an entry may crash its process, so its worker must run nothing
/// else.
pub(crate) async fn claim_alone(
    cx: &Context,
    lease: &str,
    lease_until: i64,
) -> Result<Vec<Claimed>> {
    let lock = match dialect(cx) {
        Dialect::Sqlite => "",
        Dialect::Postgres => " FOR UPDATE SKIP LOCKED",
    };
    let sql = format!(
        "{BEGIN}SELECT i.id FROM cf_action_queue i WHERE i.abandoned >= 4 \
               AND (i.abandoned >= 5 OR i.status = 'processing') AND {DUE} \
             ORDER BY i.priority, i.scheduled_at, i.id LIMIT 1{lock}) RETURNING {COLUMNS}, lane"
    );
    select(cx, sql, params![cx.now(), lease, lease_until]).await
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

/// Releases the entries of an instance that has ended. Their leases begin with the instance's name.
pub(crate) async fn release_instance(cx: &Context, instance: &str) -> Result<()> {
    let sql = "UPDATE cf_action_queue SET status = CASE WHEN attempts > 1 THEN 'retrying' ELSE 'pending' END, \
           attempts = attempts - 1, abandoned = abandoned + 1, lease = '', due_at = CAST(?1 AS BIGINT) \
         WHERE status = 'processing' AND substr(lease, 1, length(CAST(?2 AS TEXT))) = CAST(?2 AS TEXT)";
    execute(cx, sql, params![cx.now(), instance])
        .await
        .map(drop)
}

/// Claims the pending entries of a submission, to run them during the visitor's request.
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
    let mut rows: Vec<(i64, i64, i64)> = select(cx, sql, params).await?;
    ordered::sort_by(&mut rows, Ord::cmp);
    Ok(rows.into_iter().map(|(_, _, id)| id).collect())
}

/// Reads a claimed entry and renews its lease. `None` if the lease is lost, because another worker has the entry or the
/// submission was deleted.
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

/// Releases entries that were not run, without counting an attempt. The entries are due at once, or withheld if the
/// submission has become spam or the form is in the trash.
pub(crate) async fn release(cx: &Context, held: &[(i64, String)]) -> Result<()> {
    let mut batch = Batch::new(cx);
    for (id, lease) in held {
        // Without the locks, this batch could miss a concurrent restore of the form or a change out of spam, and the
        // entry would stay withheld.
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
