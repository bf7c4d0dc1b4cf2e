//! Claiming, running and finishing entries. Who holds an entry's lease may finish it; nobody else.

use super::{COLUMNS, EntryRow, entry};
use crate::store::{Batch, Dialect, StoreError, logs};
use crate::task::Context;
use model::ordered;

/// How much may run at once, all workers together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Entries that this claim may take.
    pub entries: i64,
    /// Entries of one action type.
    pub per_type: i64,
    /// Entries of one action of one form.
    pub per_lane: i64,
}

/// The due entries of each lane, the first few of each: what one lane holds back cannot hide what
/// waits in another. The first part hops from lane to lane along the index.
const LANES: &str = "WITH RECURSIVE lanes(lane) AS ( \
    SELECT MIN(lane) FROM cf_action_queue WHERE due_at IS NOT NULL \
    UNION ALL \
    SELECT (SELECT MIN(q.lane) FROM cf_action_queue q WHERE q.due_at IS NOT NULL AND q.lane > lanes.lane) \
    FROM lanes WHERE lanes.lane IS NOT NULL), ";

const FIRST_OF_LANES_SQLITE: &str = "first AS ( \
    SELECT q.id, q.lane, q.action_type, q.priority, q.due_at FROM lanes CROSS JOIN cf_action_queue q \
    WHERE q.id IN (SELECT i.id FROM cf_action_queue i WHERE i.lane = lanes.lane AND i.due_at <= ?1 \
      ORDER BY i.priority, i.due_at, i.id LIMIT ?5)), ";

/// Workers that claim at the same time pass over what the others are taking.
const FIRST_OF_LANES_POSTGRES: &str = "first AS ( \
    SELECT q.id, q.lane, q.action_type, q.priority, q.due_at FROM lanes CROSS JOIN LATERAL ( \
      SELECT i.id, i.lane, i.action_type, i.priority, i.due_at FROM cf_action_queue i \
      WHERE i.lane = lanes.lane AND i.due_at <= ?1 \
      ORDER BY i.priority, i.due_at, i.id LIMIT ?5 FOR UPDATE SKIP LOCKED) q), ";

const TAKE: &str = "running AS ( \
    SELECT lane, action_type FROM cf_action_queue WHERE status = 'processing' AND due_at > ?1), \
  within_lane AS ( \
    SELECT id, action_type, priority, due_at, \
      ROW_NUMBER() OVER (PARTITION BY action_type ORDER BY priority, due_at, id) AS place FROM ( \
        SELECT first.*, ROW_NUMBER() OVER (PARTITION BY lane ORDER BY priority, due_at, id) AS place FROM first) ranked \
    WHERE place + (SELECT COUNT(*) FROM running WHERE running.lane = ranked.lane) <= ?5), \
  chosen AS ( \
    SELECT id FROM within_lane \
    WHERE place + (SELECT COUNT(*) FROM running WHERE running.action_type = within_lane.action_type) <= ?4 \
    ORDER BY priority, due_at, id LIMIT ?3) \
  UPDATE cf_action_queue SET \
    attempts = attempts + 1, \
    abandoned = abandoned + CASE WHEN status = 'processing' THEN 1 ELSE 0 END, \
    status = 'processing', lease = ?2, due_at = CAST(?6 AS BIGINT), started_at = CAST(?1 AS BIGINT) \
  WHERE id IN (SELECT id FROM chosen) RETURNING id";

/// Claims due entries, by priority and then age, under a lease that ends at a moment. An entry
/// whose lease has ended is due again. Answers the ids.
pub(crate) async fn claim(
    cx: &Context,
    lease: &str,
    lease_until: i64,
    limits: Limits,
) -> Result<Vec<i64>, StoreError> {
    let mut batch = Batch::new(cx);
    let first = match batch.dialect() {
        Dialect::Sqlite => FIRST_OF_LANES_SQLITE,
        Dialect::Postgres => FIRST_OF_LANES_POSTGRES,
    };
    let taken = batch.add_composed(
        [LANES, first, TAKE].concat(),
        vec![
            cx.now().into(),
            lease.into(),
            limits.entries.into(),
            limits.per_type.into(),
            limits.per_lane.into(),
            lease_until.into(),
        ],
    );
    let rows = batch.run().await?.rows(taken);
    rows.iter().map(|row| row.integer(0)).collect()
}

/// Claims what a submission has waiting, for running it in the visitor's own request.
pub(crate) async fn claim_of_submission(
    cx: &Context,
    submission_uuid: &str,
    lease: &str,
    lease_until: i64,
) -> Result<Vec<i64>, StoreError> {
    let mut batch = Batch::new(cx);
    let taken = batch.add(
        "UPDATE cf_action_queue SET attempts = attempts + 1, status = 'processing', lease = ?2, \
           due_at = CAST(?4 AS BIGINT), started_at = CAST(?3 AS BIGINT) \
         WHERE status = 'pending' AND due_at <= ?3 \
           AND submission_id = (SELECT s.id FROM cf_submissions s WHERE s.uuid = ?1) RETURNING id",
        vec![
            submission_uuid.into(),
            lease.into(),
            cx.now().into(),
            lease_until.into(),
        ],
    );
    let rows = batch.run().await?.rows(taken);
    let mut ids = rows
        .iter()
        .map(|row| row.integer(0))
        .collect::<Result<Vec<i64>, StoreError>>()?;
    // The rows of RETURNING come in any order; ids rise with the actions' places.
    ordered::sort_by(&mut ids, Ord::cmp);
    Ok(ids)
}

/// Reads an entry that is held under a lease, and starts the lease anew. `None` when the lease is
/// lost: another worker has the entry, or its submission was deleted.
pub(crate) async fn begin(
    cx: &Context,
    id: i64,
    lease: &str,
    lease_until: i64,
) -> Result<Option<EntryRow>, StoreError> {
    let mut batch = Batch::new(cx);
    let held = batch.add_composed(
        format!(
            "UPDATE cf_action_queue SET due_at = CAST(?3 AS BIGINT) \
             WHERE id = ?1 AND lease = ?2 AND status = 'processing' RETURNING {COLUMNS}"
        ),
        vec![id.into(), lease.into(), lease_until.into()],
    );
    batch.run().await?.first(held).map(entry).transpose()
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The entry's new state.
    pub status: &'static str,
    /// What the entry shows as its last error; empty for none.
    pub last_error: String,
    /// When it is due again, unless it is finished.
    pub due_at: Option<i64>,
    /// What the log says.
    pub log: logs::NewLog,
}

/// Writes how a run ended, with its log entry, if the lease still holds. Answers whether it did.
pub(crate) async fn finish(
    cx: &Context,
    id: i64,
    lease: &str,
    ending: &Ending,
) -> Result<bool, StoreError> {
    let now = cx.now();
    let mut batch = Batch::new(cx);
    let changed = batch.add(
        "UPDATE cf_action_queue SET status = ?3, last_error = ?4, due_at = CAST(?5 AS BIGINT), \
           scheduled_at = COALESCE(CAST(?5 AS BIGINT), scheduled_at), \
           completed_at = CASE WHEN CAST(?5 AS BIGINT) IS NULL THEN CAST(?6 AS BIGINT) END \
         WHERE id = ?1 AND lease = ?2 AND status = 'processing'",
        vec![
            id.into(),
            lease.into(),
            ending.status.into(),
            ending.last_error.as_str().into(),
            ending.due_at.into(),
            now.into(),
        ],
    );
    super::counts::count_move(&mut batch, id, lease, None, ending.status);
    logs::add(&mut batch, id, lease, &ending.log, now);
    Ok(batch.run().await?.changes(changed) > 0)
}

/// Gives entries back unrun, the attempt not counted: due at once, or withheld where the submission
/// has become spam.
pub(crate) async fn release(cx: &Context, held: &[(i64, String)]) -> Result<(), StoreError> {
    let mut batch = Batch::new(cx);
    for (id, lease) in held {
        // Else a change out of spam could pass by unseen, and the entry stay withheld.
        batch.add_lock(
            "SELECT 1 FROM cf_submissions s \
             WHERE s.id = (SELECT q.submission_id FROM cf_action_queue q WHERE q.id = ?1) FOR SHARE",
            vec![(*id).into()],
        );
        batch.add(
            "UPDATE cf_action_queue SET status = CASE WHEN attempts - abandoned > 1 THEN 'retrying' ELSE 'pending' END, \
               attempts = attempts - 1, lease = '', \
               due_at = CASE WHEN EXISTS (SELECT 1 FROM cf_submissions s \
                   WHERE s.id = cf_action_queue.submission_id AND s.is_spam = 1) \
                 THEN NULL ELSE CAST(?3 AS BIGINT) END \
             WHERE id = ?1 AND lease = ?2 AND status = 'processing'",
            vec![(*id).into(), lease.as_str().into(), cx.now().into()],
        );
    }
    batch.run().await.map(drop)
}
