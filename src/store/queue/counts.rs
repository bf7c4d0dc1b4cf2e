//! The numbers of entries by state. They are counters, which the batch that changes entries updates.
//!
//! A running entry stays in the counter of its previous state, so that claims, which are frequent, update no counters.
//! `pending` counts waiting and running entries that have not failed yet, and `retrying` those that have. Running
//! entries are few, so they are counted on request. Their attempts show the previous state ([`KIND`]).

use std::collections::BTreeMap;

use model::dates::DAY_MS;
use model::ordered::Gather;

use crate::store::pages::{MAX_COUNTED, read_count};
use crate::store::stats::{self, COUNT, DELETED, OF_SCOPE};
use crate::store::trash::not_trashed;
use crate::store::{Batch, Bindings, Dialect, Result, Results, logs};
use crate::task::Context;

/// The counter in which a running entry `q` is counted.
pub(super) const KIND: &str = "CASE WHEN q.attempts > 1 THEN 'retrying' ELSE 'pending' END";

/// The counter in which an entry `q` is counted.
pub(in crate::store) fn counted_as() -> String {
    format!("CASE WHEN q.status = 'processing' THEN {KIND} ELSE q.status END")
}

/// Adds statements that delete entries `q` and subtract them from the counts. The first statement removes the leases,
/// so that a running entry either has finished or can no longer finish.
pub(in crate::store) fn delete(batch: &mut Batch, condition: &str, bindings: Bindings) {
    super::count_withdrawal(batch.context);
    let params = bindings.values();
    let hold = "UPDATE cf_action_queue AS q SET lease = '' WHERE ";
    batch.add([hold, condition].concat(), params.clone());
    let query = format!(
        "SELECT CASE WHEN scope.site = 1 THEN 0 ELSE q.form_id END, 'action_queue', '', \
           {}, {DELETED}, -COUNT(*) \
         FROM cf_action_queue q CROSS JOIN (SELECT 0 AS site UNION ALL SELECT 1) scope \
         WHERE {condition} GROUP BY 1, 4 ORDER BY 1, 4",
        counted_as()
    );
    stats::add_query(batch, &query, params.clone());
    let delete = "DELETE FROM cf_action_queue AS q WHERE ";
    batch.add([delete, condition].concat(), params);
}

/// Adds statements that read the numbers of entries by state, of a form or of the whole site.
pub(super) fn add_counts(batch: &mut Batch, form_id: Option<i64>) -> [usize; 2] {
    let counted = batch.add(
        format!(
            "SELECT label, {COUNT} FROM cf_stats \
             WHERE {OF_SCOPE} AND metric = 'action_queue' AND date = '' GROUP BY label"
        ),
        params![form_id.unwrap_or(0)],
    );
    let mut bindings = Bindings::default();
    let of_form = form_id.map(|id| format!(" AND q.form_id = {}", bindings.bind(id)));
    let running = batch.add(
        format!(
            "SELECT {KIND}, COUNT(*) FROM cf_action_queue q WHERE q.status = 'processing'{} AND {} GROUP BY 1",
            of_form.unwrap_or_default(),
            not_trashed("q.form_id")
        ),
        bindings.values(),
    );
    [counted, running]
}

/// Reads the results of [`add_counts`]: the numbers of entries by state. A state without entries may be absent.
pub(super) fn read_counts(
    results: &mut Results,
    [counted, running]: [usize; 2],
) -> Result<BTreeMap<String, i64>> {
    let counted: Vec<(String, i64)> = results.rows(counted)?;
    let running: Vec<(String, i64)> = results.rows(running)?;
    let mut counts: BTreeMap<String, i64> = counted.into_iter().gather();
    for (kind, count) in running {
        *counts.entry(kind).or_default() -= count;
        *counts.entry("processing".to_owned()).or_default() += count;
    }
    Ok(counts)
}

/// Adds a statement that moves an entry from one counter to another, for its form and for the site. It does so only if
/// an earlier statement has given the entry this lease. `from` is SQL, [`KIND`] for a running entry.
pub(super) fn count_move(batch: &mut Batch, id: i64, lease: &str, from: &str, to: &str) {
    let mut bindings = Bindings::default();
    let id_place = bindings.bind(id);
    let lease = bindings.bind(lease);
    let to = format!("CAST({} AS TEXT)", bindings.bind(to));
    let shard = bindings.integer(id % logs::SHARDS);
    let query = format!(
        "SELECT CASE WHEN scope.site = 1 THEN 0 ELSE q.form_id END, 'action_queue', '', \
           CASE WHEN change.by > 0 THEN {to} ELSE {from} END, {shard}, change.by \
         FROM cf_action_queue q CROSS JOIN (SELECT 0 AS site UNION ALL SELECT 1) scope \
         CROSS JOIN (SELECT 1 AS by UNION ALL SELECT -1) change \
         WHERE q.id = {id_place} AND q.lease = {lease} AND {from} <> {to} ORDER BY 1, 4"
    );
    stats::add_query(batch, &query, bindings.values());
}

/// The state of the queue in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueueCounts {
    /// The numbers of entries by state. A state without entries may be absent.
    pub by_status: BTreeMap<String, i64>,
    /// The due time of the pending entry that is due first.
    pub oldest_pending: Option<i64>,
    /// The number of entries that failed in the last seven days and were not dismissed, up to `MAX_COUNTED`.
    pub needs_attention: i64,
}

/// Reads the state of the queue.
pub(crate) async fn counts(cx: &Context) -> Result<QueueCounts> {
    let mut batch = Batch::new(cx);
    let counted = add_counts(&mut batch, None);
    // Without the hint, SQLite would choose another index and read all pending entries.
    let index = match batch.dialect() {
        Dialect::Sqlite => "INDEXED BY cf_action_queue_waiting ",
        Dialect::Postgres => "",
    };
    let oldest = "WHERE due_at IS NOT NULL AND status = 'pending' ORDER BY due_at LIMIT 1";
    let oldest = ["SELECT due_at FROM cf_action_queue ", index, oldest].concat();
    let oldest = batch.add(oldest, vec![]);
    let attention = batch.add(
        format!(
            "SELECT COUNT(*) FROM (SELECT 1 FROM cf_action_queue WHERE status = 'failed' AND dismissed_at IS NULL \
             AND completed_at > ?1 AND {} LIMIT {MAX_COUNTED}) AS counted",
            not_trashed("form_id")
        ),
        params![cx.now() - 7 * DAY_MS],
    );
    let mut results = batch.run().await?;
    let by_status = read_counts(&mut results, counted)?;
    let oldest_pending = results.first(oldest)?;
    Ok(QueueCounts {
        by_status,
        oldest_pending,
        needs_attention: read_count(&mut results, attention)?,
    })
}
