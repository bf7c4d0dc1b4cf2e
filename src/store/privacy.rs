//! Finds and erases the personal data of an email address's owner. The search index contains a keyed hash of each
//! address.

use super::logs::{self, LogRow};
use super::pages::{Found, ListQuery, MAX_COUNTED, Page, Total};
use super::queue::{self, EntryRow};
use super::submissions;
use super::timeline::{self, Event};
use super::{Batch, Bindings, Dialect, Result, dialect, no_row, search, select};
use crate::task::Context;
use model::Submission;
use model::words::{address_word, any_word, former_address_word};

/// The data stored under a submission's id. If the form keeps no submissions, the submission may be deleted while its
/// queue entries and logs still exist.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the members' types say what they are")]
pub struct Record {
    pub id: i64,
    pub submission: Option<Submission>,
    pub entries: Vec<EntryRow>,
    pub logs: Vec<LogRow>,
    pub events: Vec<Event>,
}

/// Finds submissions that contain an email address, with ids below a given one, the greatest id first. Each hash
/// belongs to one spelling of the address.
pub async fn find(
    cx: &Context,
    address_hashes: &[String],
    below: i64,
    limit: i64,
) -> Result<Vec<i64>> {
    let dialect = dialect(cx);
    // Without the sum, PostgreSQL would walk the index of all ids instead of sorting the few matches.
    let order = match dialect {
        Dialect::Sqlite => "found.rowid",
        Dialect::Postgres => "found.rowid + 0",
    };
    let sql = [
        "SELECT found.rowid FROM cf_submission_search found WHERE ",
        &search::matches(dialect, "?1"),
        " AND found.rowid < ?2 ORDER BY ",
        order,
        " DESC LIMIT ?3",
    ]
    .concat();
    let words = address_hashes
        .iter()
        .flat_map(|hash| [address_word(hash), former_address_word(hash)]);
    let query = search::exactly(dialect, &any_word(words));
    select(cx, sql, params![query, below, limit]).await
}

/// Reads the data under these ids.
pub async fn records(cx: &Context, ids: &[i64]) -> Result<Vec<Record>> {
    let mut batch = Batch::new(cx);
    let places: Vec<(i64, [usize; 4])> = ids
        .iter()
        .map(|id| {
            let submission = submissions::add_find_any(&mut batch, *id);
            let entries = queue::add_find(&mut batch, *id);
            let logs = logs::add_find(&mut batch, *id);
            let events = timeline::add_find(&mut batch, *id);
            (*id, [submission, entries, logs, events])
        })
        .collect();
    let mut results = batch.run().await?;
    places
        .into_iter()
        .map(|(id, [submission, entries, logs, events])| {
            let stored = submissions::read(cx, &mut results, submission)?;
            Ok(Record {
                id,
                submission: stored.into_iter().next().map(|stored| stored.submission),
                entries: results.rows(entries)?,
                logs: results.rows(logs)?,
                events: results.rows(events)?,
            })
        })
        .collect()
}

/// Proof of an erasure, with the numbers of removed rows. Computing the address's hash requires the address and the
/// site's key.
#[allow(missing_docs, reason = "the members are columns of those names")]
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Receipt {
    pub id: String,
    /// A keyed hash of the email address.
    pub address_hash: String,
    pub submissions: i64,
    pub queue_entries: i64,
    pub action_logs: i64,
    pub files: i64,
    /// The number of erased rows of saved progress.
    pub saved: i64,
    /// Milliseconds UTC; on the wire ISO 8601.
    #[serde(serialize_with = "model::dates::serialize_moment")]
    pub erased_at: i64,
}

/// Erases the data under these ids in one batch, and adds the numbers to a receipt, which the first call creates.
/// Returns the receipt and the keys of the files, which the caller must remove.
pub async fn erase(
    cx: &Context,
    receipt_id: &str,
    address_hash: &str,
    ids: &[i64],
) -> Result<(Receipt, Vec<String>)> {
    let found = submissions::find_any(cx, ids).await?;
    let mut batch = Batch::new(cx);
    // Use all ids, not only the found ones: deleted submissions may have left queue entries and index words.
    let token = submissions::mark_deleted(&mut batch, ids)?;
    add_receipt(&mut batch, receipt_id, address_hash, ids);
    submissions::add_delete(&mut batch, ids, &token);
    let sql = format!("SELECT {RECEIPT} FROM cf_erasures WHERE uuid = ?1");
    let read = batch.add(sql, params![receipt_id]);
    let receipt = batch.run().await?.first(read)?.ok_or_else(no_row)?;
    Ok((receipt, submissions::file_keys(&found)))
}

/// Adds the numbers of erased files and of erased rows of saved progress to a receipt.
pub async fn add_waiting(
    cx: &Context,
    receipt_id: &str,
    files: i64,
    saved: i64,
) -> Result<Receipt> {
    let sql = format!(
        "UPDATE cf_erasures SET files = files + ?1, saved = saved + ?3 WHERE uuid = ?2 RETURNING {RECEIPT}"
    );
    let receipt = super::select_one(cx, sql, params![files, receipt_id, saved]).await?;
    receipt.ok_or_else(no_row)
}

/// Adds a statement that adds the numbers of rows under these ids to the receipt, before the batch deletes the rows.
fn add_receipt(batch: &mut Batch, id: &str, address_hash: &str, ids: &[i64]) {
    let mut bindings = Bindings::default();
    let values = [bindings.bind(id), bindings.bind(address_hash)].join(", ");
    let now = bindings.integer(batch.context.now());
    let ids = bindings.ids(batch.dialect(), ids.iter().copied());
    batch.add(
        format!(
            "INSERT INTO cf_erasures (uuid, address_hash, erased_at, submissions, queue_entries, action_logs, files) \
             SELECT {values}, {now}, (SELECT COUNT(*) FROM cf_submissions WHERE id IN ({ids})), \
               (SELECT COUNT(*) FROM cf_action_queue WHERE submission_id IN ({ids})), \
               (SELECT COUNT(*) FROM cf_action_logs WHERE submission_id IN ({ids})), \
               (SELECT COUNT(*) FROM cf_uploads WHERE submission_id IN ({ids})) WHERE true \
             ON CONFLICT (uuid) DO UPDATE SET submissions = cf_erasures.submissions + excluded.submissions, \
               queue_entries = cf_erasures.queue_entries + excluded.queue_entries, \
               action_logs = cf_erasures.action_logs + excluded.action_logs, \
               files = cf_erasures.files + excluded.files"
        ),
        bindings.values(),
    );
}

const RECEIPT: &str =
    "uuid, address_hash, submissions, queue_entries, action_logs, files, saved, erased_at";

/// Reads a page of receipts with their ids. The total is counted up to a limit.
pub async fn receipts(cx: &Context, page: &Page) -> Result<Found<(i64, Receipt)>> {
    let mut batch = Batch::new(cx);
    let all = || ListQuery::new("cf_erasures", "erased_at", "id");
    let columns = ["id, ", RECEIPT].concat();
    let rows = all().read(&mut batch, &columns, page, false);
    let count = all().count(&mut batch, MAX_COUNTED);
    let mut results = batch.run().await?;
    let total = Total::read(&mut results, count, MAX_COUNTED)?;
    Ok(Found::of(results.rows(rows)?, page, total))
}
