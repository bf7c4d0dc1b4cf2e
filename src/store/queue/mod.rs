//! The action queue's rows. An entry is written in the batch that stores its submission, so that
//! neither exists without the other.

mod claim;
mod counts;

use super::pages::{COUNTED, Found, Page, RunFilter, Total};
use super::stats::{self, Count};
use super::submissions::StoredSubmission;
use super::submissions::Written;
use super::{Batch, Bindings, Composed, Result, composed, logs};
use crate::task::{Context, SqlValue};
use model::values::Item;
use serde::Deserialize;
use serde_json::Value;
use std::cell::OnceCell;

pub use claim::Ending;
pub(crate) use claim::{
    begin, claim, claim_alone, claim_of_submission, finish, free, release, renew,
};
pub use counts::QueueCounts;
pub(crate) use counts::counts;
use counts::{add_counts, count_move, read_counts};
pub(super) use counts::{counted_as, delete};

/// An action that is to run for a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEntry {
    /// The action's type.
    pub action_type: String,
    /// Which of the form's actions it is.
    pub action_id: String,
    /// Its place in the form's list of actions.
    pub action_index: i64,
    /// The part of the entry's idempotency key after the submission's, which distinguishes it from others.
    pub key: String,
    /// Its settings as JSON text, secrets as the form keeps them.
    pub settings: String,
    /// Lower runs first; 10 unless the action says otherwise.
    pub priority: i64,
    /// Its place, type, settings and priority in JSON, made when they are first stored: a form's entries serve many
    /// submissions.
    pub listed: OnceCell<String>,
}

impl NewEntry {
    /// Its part of a row that is the same for each submission: place, type, settings and priority.
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

/// How often a failed action is tried again, unless the entry says otherwise.
const MAX_RETRIES: i64 = 3;

/// The rows that [`add_rows`] takes for the entries of a submission that the batch inserts, or takes out of spam.
pub(super) fn rows(written: Written<'_>, entries: &[NewEntry], now: i64) -> Vec<String> {
    let rows = entries.iter().map(|entry| {
        let own = Item::Json(entry.listed());
        row![
            written.uuid,
            written.change_token,
            own,
            &entry.key,
            &entry.action_id,
            now
        ]
    });
    rows.collect()
}

/// Adds entries of submissions.
///
/// Nothing is added for a submission that lacks the change token, because it was not stored or not
/// changed, or that is taken for spam, nor where the idempotency key is there: a submission runs each of its
/// actions once, however often it leaves spam.
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

/// Adds to a batch what takes the entries and logs of submissions away, and their counts with them.
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

/// Adds to a batch what withholds the waiting actions of submissions that have become spam: those
/// that the batch has changed, so that their `change_token` is the given one. They keep their
/// states and their places; nothing claims what is not due.
pub(super) fn withhold(batch: &mut Batch, submission_uuids: &[&str], change_token: &str) {
    let sql =
        "UPDATE cf_action_queue SET due_at = NULL WHERE status || '' IN ('pending', 'retrying')";
    add_of_changed(batch, sql, submission_uuids, change_token);
}

/// Adds to a batch what releases withheld actions at the time when they were due, on the same condition.
pub(super) fn resume(batch: &mut Batch, submission_uuids: &[&str], change_token: &str) {
    let sql = "UPDATE cf_action_queue SET due_at = scheduled_at \
         WHERE status || '' IN ('pending', 'retrying') AND due_at IS NULL";
    add_of_changed(batch, sql, submission_uuids, change_token);
}

/// Adds a change of entries of submissions, which are few: a text that is joined to nothing is in no index.
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

/// A queue entry as it is stored.
#[allow(missing_docs, reason = "the members are columns of those names")]
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct EntryRow {
    pub id: i64,
    pub form_id: i64,
    pub submission_id: i64,
    pub action_type: String,
    /// Which of its form's actions it is; empty for one of before there were ids.
    pub action_id: String,
    /// The action's place in the form's list when the submission came.
    pub action_index: i64,
    /// The action's settings when the submission came, as JSON text.
    pub settings: String,
    /// `pending`, `processing`, `retrying`, `completed`, `failed` or `cancelled`.
    pub status: String,
    /// Lower runs first.
    pub priority: i64,
    /// How often it was begun, but for the times that its worker did not live to say how it ended.
    pub attempts: i64,
    /// How often it was begun and its worker did not live to say how it ended: from five times on it runs alone.
    pub abandoned: i64,
    /// After how many failures it is tried again.
    pub max_retries: i64,
    /// Why the last attempt failed; empty if it did not.
    pub last_error: String,
    /// The same for every attempt.
    pub idempotency_key: String,
    /// When it is or was due. Milliseconds UTC, as all times.
    pub scheduled_at: i64,
    /// When the last attempt began.
    pub started_at: Option<i64>,
    /// When it was finished.
    pub completed_at: Option<i64>,
    /// When its submission came.
    pub created_at: i64,
}

const TABLE: &str = "cf_action_queue";

const COLUMNS: &str = "id, form_id, submission_id, action_type, action_id, action_index, settings, status, priority, \
    attempts, abandoned, max_retries, last_error, idempotency_key, scheduled_at, started_at, completed_at, created_at";

/// Adds the read of a submission's entries.
pub(super) fn add_find(batch: &mut Batch, submission_id: i64) -> usize {
    batch.add(
        format!("SELECT {COLUMNS} FROM cf_action_queue WHERE submission_id = ?1 ORDER BY id"),
        params![submission_id],
    )
}

/// A page of entries. Counters count them; a range or a submission's are counted so far.
pub(crate) async fn list(cx: &Context, filter: &RunFilter, page: &Page) -> Result<Found<EntryRow>> {
    let mut batch = Batch::new(cx);
    let rows = filter.narrowed(TABLE);
    let rows = rows.read(&mut batch, COLUMNS, &page.by_id(), false);
    if !filter.is_counted() {
        let count = filter.narrowed(TABLE).count(&mut batch, COUNTED);
        let mut results = batch.run().await?;
        let total = Total::read(&mut results, count, COUNTED)?;
        return Ok(Found::of(results.rows(rows)?, page, total));
    }
    let counted = add_counts(&mut batch, filter.form_id);
    let mut results = batch.run().await?;
    let counts = read_counts(&mut results, counted)?;
    let own = counts
        .iter()
        .filter(|(state, _)| filter.status.as_ref().is_none_or(|own| own == *state));
    let total = Total::known(own.map(|(_, count)| count).sum());
    Ok(Found::of(results.rows(rows)?, page, total))
}

/// The result of retrying or cancelling an entry by hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moved {
    /// The entry as it is now.
    Yes(Box<EntryRow>),
    /// The entry is not in a state that allows it; it is unchanged.
    No,
    /// There is no such entry.
    Missing,
}

/// An entry of the queue.
pub(crate) async fn find(cx: &Context, id: i64) -> Result<Option<EntryRow>> {
    let mut batch = Batch::new(cx);
    let read = add_read(&mut batch, id);
    batch.run().await?.first(read)
}

fn add_read(batch: &mut Batch, id: i64) -> usize {
    let sql = format!("SELECT {COLUMNS} FROM cf_action_queue WHERE id = ?1");
    batch.add(sql, params![id])
}

/// Makes a failed entry wait again: no attempts counted, due now; with another action's type and settings,
/// where they are given.
pub(crate) async fn retry(cx: &Context, id: i64, action: Option<&NewEntry>) -> Result<Moved> {
    let kind = action.map(|action| action.action_type.clone());
    let settings = action.map(|action| action.settings.clone());
    let sql = "UPDATE cf_action_queue SET status = 'pending', attempts = 0, abandoned = 0, completed_at = NULL, \
           due_at = CAST(?3 AS BIGINT), scheduled_at = CAST(?3 AS BIGINT), \
           action_type = COALESCE(CAST(?4 AS TEXT), action_type), settings = COALESCE(CAST(?5 AS TEXT), settings) \
         WHERE id = ?1 AND lease = ?2";
    let more = params![kind, settings];
    change_by_hand(cx, id, ("'failed'", "pending"), sql, more).await
}

/// Cancels an entry that waits.
pub(crate) async fn cancel(cx: &Context, id: i64) -> Result<Moved> {
    let sql = "UPDATE cf_action_queue SET status = 'cancelled', due_at = NULL, completed_at = CAST(?3 AS BIGINT) \
         WHERE id = ?1 AND lease = ?2";
    let states = ("'pending', 'retrying'", "cancelled");
    change_by_hand(cx, id, states, sql, Vec::new()).await
}

/// Takes an entry from one of some states into another. The statement binds the id, a lease that says that
/// this batch has taken it, and the moment.
async fn change_by_hand(
    cx: &Context,
    id: i64,
    (from, to): (&'static str, &'static str),
    sql: &'static str,
    more: Vec<SqlValue>,
) -> Result<Moved> {
    let token = crate::security::random::token(16)?;
    let mut batch = Batch::new(cx);
    batch.add(
        format!("UPDATE cf_action_queue SET lease = ?2 WHERE id = ?1 AND status IN ({from})"),
        params![id, &token],
    );
    count_move(&mut batch, id, &token, "q.status", to);
    let mut params = params![id, &token, cx.now()];
    params.extend(more);
    let changed = batch.add(sql, params);
    let read = add_read(&mut batch, id);
    let mut results = batch.run().await?;
    Ok(match results.first(read)? {
        Some(row) if results.changes(changed) > 0 => Moved::Yes(Box::new(row)),
        Some(_) => Moved::No,
        None => Moved::Missing,
    })
}

/// Queues actions of a stored submission again. Returns their entries; none where it was changed or deleted meanwhile.
pub(crate) async fn add_again(
    cx: &Context,
    stored: &StoredSubmission,
    entries: &[NewEntry],
) -> Result<Vec<EntryRow>> {
    let written = Written::alone(&stored.uuid, &stored.change_token);
    let uuid = written.uuid;
    let mut batch = Batch::new(cx);
    // Whoever changes or deletes it meanwhile waits, and so comes after.
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
