//! How many entries are in each state: counters, moved in the batch that changes the entries.
//!
//! What runs is counted as what it was before: under `pending` is what has not failed yet, under
//! `retrying` what has, whether it waits or runs. So a claim, which takes many at once and often, counts
//! nothing. What runs is little, and counted when it is asked for; its attempts tell which of both it was
//! ([`KIND`]).

use std::collections::BTreeMap;

use model::ordered::Gather;

use crate::store::stats::{self, DELETED};
use crate::store::{Batch, Bindings, Dialect, Result, Results, logs};
use crate::task::Context;

/// The kind under which a running entry `q` is counted.
pub(super) const KIND: &str = "CASE WHEN q.attempts > 1 THEN 'retrying' ELSE 'pending' END";

/// The kind under which an entry `q` is counted.
pub(in crate::store) fn counted_as() -> String {
    format!("CASE WHEN q.status = 'processing' THEN {KIND} ELSE q.status END")
}

/// Adds to a batch what deletes entries `q`, and takes them out of the counts. They are held first: whoever runs one loses
/// it here, or has written how it ended.
pub(in crate::store) fn delete(batch: &mut Batch, condition: &str, bindings: Bindings) {
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

/// Adds the reads of how many entries are in each state, in a form or on the whole site.
pub(super) fn add_counts(batch: &mut Batch, form_id: Option<i64>) -> [usize; 2] {
    let counted = batch.add(
        "SELECT label, CAST(SUM(count) AS BIGINT) FROM cf_stats \
         WHERE form_id = ?1 AND metric = 'action_queue' AND date = '' GROUP BY label",
        params![form_id.unwrap_or(0)],
    );
    let mut bindings = Bindings::default();
    let of_form = form_id.map(|id| format!(" AND q.form_id = {}", bindings.bind(id)));
    let running = batch.add(
        format!(
            "SELECT {KIND}, COUNT(*) FROM cf_action_queue q WHERE q.status = 'processing'{} GROUP BY 1",
            of_form.unwrap_or_default()
        ),
        bindings.values(),
    );
    [counted, running]
}

/// The states that have entries, and how many.
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

/// Counts an entry out of one kind and into another, for its form and for the site, if the statement
/// before could change it and left this lease. `from` is SQL; what was running is of the [`KIND`] that its
/// attempts tell.
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

/// How many entries are in each state, and how long the oldest has waited.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueueCounts {
    /// The states that have entries.
    pub by_status: BTreeMap<String, i64>,
    /// When the entry that has waited longest was due.
    pub oldest_pending: Option<i64>,
}

/// The state of the queue.
pub(crate) async fn counts(cx: &Context) -> Result<QueueCounts> {
    let mut batch = Batch::new(cx);
    let counted = add_counts(&mut batch, None);
    // SQLite would choose another index, and go through all that is pending.
    let index = match batch.dialect() {
        Dialect::Sqlite => "INDEXED BY cf_action_queue_waiting ",
        Dialect::Postgres => "",
    };
    let oldest = "WHERE due_at IS NOT NULL AND status = 'pending' ORDER BY due_at LIMIT 1";
    let oldest = ["SELECT due_at FROM cf_action_queue ", index, oldest].concat();
    let oldest = batch.add(oldest, vec![]);
    let mut results = batch.run().await?;
    let by_status = read_counts(&mut results, counted)?;
    let oldest_pending = results.first(oldest)?;
    Ok(QueueCounts {
        by_status,
        oldest_pending,
    })
}
