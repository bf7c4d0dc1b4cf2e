//! The action queue's rows. The batch that stores a submission also writes its entries.

mod alone;
mod claim;
mod counts;
mod finish;

use super::pages::{Found, MAX_COUNTED, Page, RunFilter, Total};
use super::stats::{self, Count};
use super::submission::{StoredSubmission, Written};
use super::trash::not_trashed;
use super::{Batch, Bindings, Composed, Result, composed, logs};
use crate::task::{Context, SqlValue};
use model::values::Item;
use serde::Deserialize;
use serde_json::Value;
use std::cell::{Cell, OnceCell};

pub use alone::add_alone;
pub(crate) use claim::{
    Claimed, Wanted, begin, claim, claim_alone, claim_of_submission, release, release_instance,
    renew,
};
pub use counts::QueueCounts;
pub(crate) use counts::counts;
use counts::{add_counts, count_move, read_counts};
pub(super) use counts::{counted_as, delete};
pub(crate) use finish::finish;
pub use finish::{Ended, Ending};
/// A queue entry to be stored: an action to run for a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEntry {
    /// The action's type.
    pub action_type: String,
    /// The action's id in its form.
    pub action_id: String,
    /// The action's index in the form's list of actions.
    pub action_index: i64,
    /// The part of the idempotency key after the submission's UUID, unique among the submission's entries.
    pub key: String,
    /// The action's settings as JSON text, with secrets as the form stores them.
    pub settings: String,
    /// The priority: lower runs first; 10 unless the action sets another.
    pub priority: i64,
    /// The cached result of `listed()`. A form's entries are cached and serve many submissions.
    pub listed: OnceCell<String>,
}

impl NewEntry {
    /// The part of a row that is the same for all submissions, as JSON: index, type, settings and priority.
    fn listed(&self) -> &str {
        self.listed.get_or_init(|| {
            let list = row![
                self.action_index,
                &self.action_type,
                &self.settings,
                self.priority
            ];
            list.trim_matches(['[', ']']).to_owned()
        })
    }
}

/// Default limit on retries.
const MAX_RETRIES: i64 = 3;

/// Builds the rows of [`add_rows`] for a submission that the batch inserts or moves out of spam.
pub(super) fn rows(written: Written<'_>, entries: &[NewEntry], now: i64) -> Vec<String> {
    let rows = entries.iter().map(|entry| {
        let listed = Item::Json(entry.listed());
        row![
            written.uuid,
            written.change_token,
            listed,
            &entry.key,
            &entry.action_id,
            now
        ]
    });
    rows.collect()
}

/// Adds a statement that inserts the entries of submissions.
///
/// A submission that lacks the change token, since the batch did not store or change it, gets no entries; nor does
/// spam. Skips existing idempotency keys, so that a submission runs each action once, however often it leaves spam.
pub(super) fn add_rows(batch: &mut Batch, rows: Vec<String>, gathered: i8) {
    if rows.is_empty() {
        return;
    }
    static SQL: Composed = Composed::new(|| {
        composed(|dialect| {
            let now = "CAST(listed.value ->> 8 AS BIGINT)";
            format!(
                "INSERT INTO cf_action_queue (form_id, submission_id, action_type, action_index, settings, status, \
           priority, attempts, abandoned, max_retries, last_error, idempotency_key, lane, lease, due_at, \
           scheduled_at, created_at, action_id) \
         WITH listed AS MATERIALIZED (SELECT value FROM {}) SELECT s.form_id, s.id, listed.value ->> 3, \
           CAST(listed.value ->> 2 AS BIGINT), listed.value ->> 4, 'pending', \
           CAST(listed.value ->> 5 AS BIGINT), 0, 0, {MAX_RETRIES}, '', s.uuid || '-' || (listed.value ->> 6), \
           s.form_id || ':' || (listed.value ->> 2), '', {now}, {now}, {now}, listed.value ->> 7 \
         FROM listed CROSS JOIN cf_submissions s \
         WHERE s.uuid = listed.value ->> 0 AND s.change_token = listed.value ->> 1 AND s.is_spam = 0 \
         ORDER BY s.id, CAST(listed.value ->> 2 AS BIGINT) ON CONFLICT (idempotency_key) DO NOTHING",
                dialect.listed_rows("?1")
            )
        })
    });
    let sql = batch.dialect().choose(&SQL);
    batch.add_rows(sql, rows, gathered);
}

/// Adds statements that delete the entries and logs of submissions, and subtract them from the counts.
pub(crate) fn delete_of_submissions(batch: &mut Batch, submission_ids: &[i64]) {
    let mut bindings = Bindings::default();
    let ids = bindings.ids(batch.dialect(), submission_ids.iter().copied());
    delete(
        batch,
        &format!("q.submission_id IN ({ids})"),
        bindings.clone(),
    );
    logs::delete(batch, &format!("l.submission_id IN ({ids})"), bindings);
}

/// The number of times that this instance has withheld or deleted entries.
#[derive(Default)]
struct Withdrawals(Cell<u64>);

/// Counts that the caller's batch withholds or deletes entries.
pub(super) fn count_withdrawal(cx: &Context) {
    let withdrawals = cx.state::<Withdrawals>();
    withdrawals.0.set(withdrawals.0.get() + 1);
}

/// Returns how often this instance has withheld or deleted entries. As long as the number stays the same, claimed
/// entries are unchanged since their claim.
pub(crate) fn withdrawals(cx: &Context) -> u64 {
    cx.state::<Withdrawals>().0.get()
}

/// Withholds the waiting entries of submissions that the batch has marked as spam with `change_token`. The entries keep
/// their states and their order, but are never due.
pub(super) fn withhold(batch: &mut Batch, submission_uuids: &[&str], change_token: &str) {
    count_withdrawal(batch.context);
    let sql =
        "UPDATE cf_action_queue SET due_at = NULL WHERE status || '' IN ('pending', 'retrying')";
    add_of_changed(batch, sql, submission_uuids, change_token);
}

/// Restores the former due time of withheld entries of submissions that the batch has changed with `change_token`.
pub(super) fn resume(batch: &mut Batch, submission_uuids: &[&str], change_token: &str) {
    let sql = "UPDATE cf_action_queue SET due_at = scheduled_at \
         WHERE status || '' IN ('pending', 'retrying') AND due_at IS NULL";
    add_of_changed(batch, sql, submission_uuids, change_token);
}

/// Withholds the waiting entries of a form that the batch has moved to the trash with `token`. For a restored form,
/// makes them due again, except the entries of spam.
pub(super) fn withhold_of_form(batch: &mut Batch, token: &str, is_trashed: bool) {
    count_withdrawal(batch.context);
    let change = if is_trashed {
        "due_at = NULL WHERE due_at IS NOT NULL"
    } else {
        "due_at = scheduled_at WHERE due_at IS NULL AND NOT EXISTS \
           (SELECT 1 FROM cf_submissions s WHERE s.id = cf_action_queue.submission_id AND s.is_spam = 1)"
    };
    let of_form = " AND status IN ('pending', 'retrying') \
        AND form_id = (SELECT f.id FROM cf_forms f WHERE f.change_token = ?1)";
    let sql = ["UPDATE cf_action_queue SET ", change, of_form].concat();
    batch.add(sql, params![token]);
}

/// Adds a change of the entries of submissions. The caller's `status || ''` makes the planner use the index on
/// submissions, which have few entries.
fn add_of_changed(batch: &mut Batch, sql: &str, uuids: &[&str], change_token: &str) {
    if uuids.is_empty() {
        return;
    }
    let listed = batch.dialect().listed("?1");
    let sql = format!(
        "{sql} AND submission_id IN (SELECT s.id FROM {listed} CROSS JOIN cf_submissions s \
           WHERE s.uuid = listed.value AND s.change_token = ?2)"
    );
    let params = params![json!(uuids).to_string(), change_token];
    batch.add(sql, params);
}

/// A queue entry as the database stores it.
#[allow(missing_docs, reason = "the members are columns of those names")]
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct EntryRow {
    pub id: i64,
    pub form_id: i64,
    pub submission_id: i64,
    pub action_type: String,
    /// The action's id in its form; empty for entries from before actions had ids.
    pub action_id: String,
    /// The action's index in the form's list when the entry was queued.
    pub action_index: i64,
    /// The action's settings when the entry was queued, or retried with current settings; as JSON text.
    pub settings: String,
    /// `pending`, `processing`, `retrying`, `completed`, `failed` or `cancelled`.
    pub status: String,
    /// The priority: lower runs first.
    pub priority: i64,
    /// The number of attempts; lost leases do not count.
    pub attempts: i64,
    /// The number of lost leases. From five on, the entry runs alone.
    pub abandoned: i64,
    /// Limit on the retries.
    pub max_retries: i64,
    /// The error of the last attempt; empty if it did not fail.
    pub last_error: String,
    /// The key that all attempts share.
    pub idempotency_key: String,
    /// The due time, which a withheld entry keeps. All times are in milliseconds UTC.
    pub scheduled_at: i64,
    /// The start of the last attempt.
    pub started_at: Option<i64>,
    /// The moment when the entry was finished.
    pub completed_at: Option<i64>,
    /// The moment when the entry was queued.
    pub created_at: i64,
    /// The time at which a user dismissed the failed entry.
    pub dismissed_at: Option<i64>,
}

/// An entry in a list, with the last run of a completed entry.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ListedEntry {
    /// The entry.
    pub entry: EntryRow,
    /// Status, detail and message of the last run, separated by spaces; status and detail contain no space.
    pub last_run: Option<String>,
}

/// The subquery for the last run of a completed entry. It is cheap, since a submission has few log entries.
const LAST_RUN: &str = "CASE WHEN status = 'completed' THEN (SELECT l.status || ' ' || l.detail || ' ' || l.message \
    FROM cf_action_logs l WHERE l.submission_id = cf_action_queue.submission_id AND l.queue_id = cf_action_queue.id \
    ORDER BY l.id DESC LIMIT 1) END";

const TABLE: &str = "cf_action_queue";

const COLUMNS: &str = "id, form_id, submission_id, action_type, action_id, action_index, settings, status, priority, \
    attempts, abandoned, max_retries, last_error, idempotency_key, scheduled_at, started_at, completed_at, created_at, \
    dismissed_at";

/// Adds a statement that reads a submission's entries.
pub(super) fn add_find(batch: &mut Batch, submission_id: i64) -> usize {
    batch.add(
        format!("SELECT {COLUMNS} FROM cf_action_queue WHERE submission_id = ?1 ORDER BY id"),
        params![submission_id],
    )
}

/// Reads a page of entries. Counters give the total, unless the filter has a submission, a time range or `dismissed`.
pub(crate) async fn list(
    cx: &Context,
    filter: &RunFilter,
    page: &Page,
) -> Result<Found<ListedEntry>> {
    let mut batch = Batch::new(cx);
    let rows = filter.narrowed(TABLE);
    let columns = [COLUMNS, ", ", LAST_RUN].concat();
    let rows = rows.read(&mut batch, &columns, &page.by_id(), false);
    if !filter.is_counted() {
        let count = filter.narrowed(TABLE).count(&mut batch, MAX_COUNTED);
        let mut results = batch.run().await?;
        let total = Total::read(&mut results, count, MAX_COUNTED)?;
        return Ok(Found::of(results.rows(rows)?, page, total));
    }
    let counted = add_counts(&mut batch, filter.form_id);
    let mut results = batch.run().await?;
    let counts = read_counts(&mut results, counted)?;
    let matching = counts
        .iter()
        .filter(|(state, _)| filter.status.as_ref().is_none_or(|wanted| wanted == *state));
    let total = Total::known(matching.map(|(_, count)| count).sum());
    Ok(Found::of(results.rows(rows)?, page, total))
}

/// The result of retrying or cancelling an entry manually.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transition {
    /// The entry has the new state; this is its current row.
    Done(Box<EntryRow>),
    /// The entry's state does not allow the transition, so the entry is unchanged.
    NotAllowed,
    /// The entry does not exist.
    Missing,
}

/// Finds an entry, unless its form is in the trash.
pub(crate) async fn find(cx: &Context, id: i64) -> Result<Option<EntryRow>> {
    let mut batch = Batch::new(cx);
    let read = add_read(&mut batch, id);
    batch.run().await?.first(read)
}

fn add_read(batch: &mut Batch, id: i64) -> usize {
    let sql = format!(
        "SELECT {COLUMNS} FROM cf_action_queue WHERE id = ?1 AND {}",
        not_trashed("form_id")
    );
    batch.add(sql, params![id])
}

/// Retries a failed entry manually: its attempts restart at 0, and it is due now. Uses the type and settings of
/// `action`, if given.
pub(crate) async fn retry(cx: &Context, id: i64, action: Option<&NewEntry>) -> Result<Transition> {
    let kind = action.map(|action| action.action_type.clone());
    let settings = action.map(|action| action.settings.clone());
    let sql = "UPDATE cf_action_queue SET status = 'pending', attempts = 0, abandoned = 0, completed_at = NULL, dismissed_at = NULL, \
           due_at = CAST(?3 AS BIGINT), scheduled_at = CAST(?3 AS BIGINT), \
           action_type = COALESCE(CAST(?4 AS TEXT), action_type), settings = COALESCE(CAST(?5 AS TEXT), settings) \
         WHERE id = ?1 AND lease = ?2";
    let more = params![kind, settings];
    change_by_hand(cx, id, ("'failed'", "pending"), sql, more).await
}

/// Dismisses a failed entry.
pub(crate) async fn dismiss(cx: &Context, id: i64) -> Result<Transition> {
    let mut batch = Batch::new(cx);
    let sql = "UPDATE cf_action_queue SET dismissed_at = COALESCE(dismissed_at, CAST(?2 AS BIGINT)) \
         WHERE id = ?1 AND status = 'failed'";
    let changed = batch.add(sql, params![id, cx.now()]);
    let read = add_read(&mut batch, id);
    let mut results = batch.run().await?;
    Ok(match results.first(read)? {
        Some(row) if results.changes(changed) > 0 => Transition::Done(Box::new(row)),
        Some(_) => Transition::NotAllowed,
        None => Transition::Missing,
    })
}

/// Cancels a waiting entry.
pub(crate) async fn cancel(cx: &Context, id: i64) -> Result<Transition> {
    let sql = "UPDATE cf_action_queue SET status = 'cancelled', due_at = NULL, completed_at = CAST(?3 AS BIGINT) \
         WHERE id = ?1 AND lease = ?2";
    let states = ("'pending', 'retrying'", "cancelled");
    change_by_hand(cx, id, states, sql, Vec::new()).await
}

/// Moves an entry from one of several states to another. `sql` binds the id, the lease that this batch gives the entry,
/// the current time, and then `more`.
async fn change_by_hand(
    cx: &Context,
    id: i64,
    (from, to): (&'static str, &'static str),
    sql: &'static str,
    more: Vec<SqlValue>,
) -> Result<Transition> {
    let token = crate::security::random::token(16)?;
    let mut batch = Batch::new(cx);
    batch.add(
        format!(
            "UPDATE cf_action_queue SET lease = ?2 WHERE id = ?1 AND status IN ({from}) AND {}",
            not_trashed("form_id")
        ),
        params![id, &token],
    );
    count_move(&mut batch, id, &token, "q.status", to);
    let mut params = params![id, &token, cx.now()];
    params.extend(more);
    let changed = batch.add(sql, params);
    let read = add_read(&mut batch, id);
    let mut results = batch.run().await?;
    Ok(match results.first(read)? {
        Some(row) if results.changes(changed) > 0 => Transition::Done(Box::new(row)),
        Some(_) => Transition::NotAllowed,
        None => Transition::Missing,
    })
}

/// Queues actions of a stored submission again. Returns their entries; none if the submission changed since.
pub(crate) async fn add_again(
    cx: &Context,
    stored: &StoredSubmission,
    entries: &[NewEntry],
) -> Result<Vec<EntryRow>> {
    let written = Written::alone(&stored.uuid, &stored.change_token);
    let uuid = written.uuid;
    let mut batch = Batch::new(cx);
    // The lock makes concurrent changes and deletions wait for this batch.
    batch.add_lock(
        "SELECT id FROM cf_submissions WHERE uuid = ?1 FOR SHARE",
        params![uuid],
    );
    let rows = rows(written, entries, cx.now());
    add_rows(&mut batch, rows, written.gathered);
    let counts = vec![Count::new_entries(entries.len())];
    stats::add(&mut batch, cx.now(), counts, written);
    let keys = entries.iter().map(|entry| format!("{uuid}-{}", entry.key));
    let listed = batch.dialect().listed("?1");
    let sql = format!(
        "SELECT {COLUMNS} FROM cf_action_queue WHERE idempotency_key IN (SELECT listed.value FROM {listed}) ORDER BY id"
    );
    let read = batch.add(sql, params![Value::from_iter(keys).to_string()]);
    batch.run().await?.rows(read)
}
