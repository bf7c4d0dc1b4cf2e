//! Submissions: functions to read them, and parts that several statements about them share.

mod change;
mod expire;
mod fill;
mod import;
mod insert;
mod key;
mod list;
mod new;
mod walk;

pub use change::{Change, NewAnswers, count_answers, delete, set_status, uncounted};
pub(super) use change::{add_delete, lock, mark_deleted};
pub use expire::{aged, forgotten, trashed};
pub use fill::{fill, to_fill};
pub use import::{Imported, ImportedBy, import};
pub use insert::{Inserted, insert, screen};
pub use key::{KEY_RETENTION_MS, Key, KeyHashes};
pub use list::{Filter, counts, exceeds, list};
pub use new::NewSubmission;
pub use walk::Walk;

pub use super::submission::{StatusFilter, StoredSubmission};

use super::trash::not_trashed;
use super::{Batch, Bindings, Result, Results, dialect, select_one};
use crate::task::{Context, SqlValue};
use model::Submission;
use model::status::UNSAVED;

const COLUMNS: &str = "s.id, s.form_id, s.status, s.is_spam, s.spam_reasons, s.spam_score, s.starred, s.data, s.files, \
    s.ip_address, s.user_agent, s.referer_url, s.page_url, s.submitted_at, s.modified_at, s.trashed_at, s.schema_revision, \
    (SELECT f.revision FROM cf_forms f WHERE f.id = s.form_id) AS form_revision, \
    s.uuid, s.actions_withheld, s.former_addresses, s.change_token, s.counted";

/// Sets the ids of a submission's files and their URLs in the REST API.
pub fn address_files(cx: &Context, submission: &mut Submission) {
    let (site, root) = (cx.base_url(), &cx.shared().configuration().rest_root);
    for (file, id) in submission.files.iter_mut().zip(1..) {
        file.id = id;
        file.url = format!(
            "{site}{root}/cf/v1/submissions/{}/files/{id}",
            submission.id
        );
    }
}

/// The keys of the files of submissions.
pub fn file_keys(stored: &[StoredSubmission]) -> Vec<String> {
    let files = stored.iter().flat_map(|stored| &stored.submission.files);
    files.map(|file| file.key.clone()).collect()
}

/// Reads the submissions that a statement with [`COLUMNS`] returned.
pub(super) fn read(
    cx: &Context,
    results: &mut Results,
    place: usize,
) -> Result<Vec<StoredSubmission>> {
    let mut found: Vec<StoredSubmission> = results.rows(place)?;
    for stored in &mut found {
        address_files(cx, &mut stored.submission);
    }
    Ok(found)
}

/// Reads the submissions that a statement with [`COLUMNS`] and a number returned. Also returns the number of the last
/// row; 0 without rows.
fn read_numbered(
    cx: &Context,
    results: &mut Results,
    place: usize,
) -> Result<(Vec<Submission>, i64)> {
    let rows: Vec<(StoredSubmission, i64)> = results.rows(place)?;
    let number = rows.last().map_or(0, |(_, number)| *number);
    let found = rows.into_iter().map(|(mut stored, _)| {
        address_files(cx, &mut stored.submission);
        stored.submission
    });
    Ok((found.collect(), number))
}

/// Selects submissions `s` by a condition, an order and a limit.
pub(super) async fn select_where(
    cx: &Context,
    condition: &str,
    params: Vec<SqlValue>,
) -> Result<Vec<StoredSubmission>> {
    let mut batch = Batch::new(cx);
    let sql = format!("SELECT {COLUMNS} FROM cf_submissions s WHERE {condition}");
    let place = batch.add(sql, params);
    read(cx, &mut batch.run().await?, place)
}

/// Finds a submission for the queue, even an unsaved one.
pub async fn find_for_actions(cx: &Context, id: i64) -> Result<Option<Submission>> {
    let found = select_where(cx, "s.id = ?1", params![id]).await?;
    Ok(found.into_iter().next().map(|stored| stored.submission))
}

/// Limit on the answers of a submission that a claim of the queue reads, in bytes.
const MAX_SHORT_BYTES: i64 = 16_384;

/// Finds the submissions with short answers among these ids for the queue, even unsaved ones.
pub async fn find_short_for_actions(cx: &Context, ids: &[i64]) -> Result<Vec<StoredSubmission>> {
    let condition = format!("octet_length(s.data) <= {MAX_SHORT_BYTES}");
    find_where(cx, ids, &condition).await
}

/// Finds the existing submissions of live forms among these ids, without unsaved ones, in the order of ids.
pub async fn find(cx: &Context, ids: &[i64]) -> Result<Vec<StoredSubmission>> {
    let mut found = find_where(cx, ids, &not_trashed("s.form_id")).await?;
    found.retain(|stored| stored.submission.status != UNSAVED);
    Ok(found)
}

/// Finds all existing submissions among these ids, even unsaved ones and those of trashed forms.
pub(super) async fn find_any(cx: &Context, ids: &[i64]) -> Result<Vec<StoredSubmission>> {
    find_where(cx, ids, "1 = 1").await
}

async fn find_where(cx: &Context, ids: &[i64], condition: &str) -> Result<Vec<StoredSubmission>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut bindings = Bindings::default();
    let listed = bindings.ids(dialect(cx), ids.iter().copied());
    let condition = format!("s.id IN ({listed}) AND {condition} ORDER BY s.id");
    select_where(cx, &condition, bindings.values()).await
}

/// Adds a statement that reads a submission, even an unsaved one.
pub(super) fn add_find_any(batch: &mut Batch, id: i64) -> usize {
    let sql = format!("SELECT {COLUMNS} FROM cf_submissions s WHERE s.id = ?1");
    batch.add(sql, params![id])
}

/// Whether a submission with a UUID is stored.
pub async fn exists(cx: &Context, uuid: &str) -> Result<bool> {
    let sql = "SELECT id FROM cf_submissions WHERE uuid = ?1";
    let id: Option<i64> = select_one(cx, sql, params![uuid]).await?;
    Ok(id.is_some())
}

/// Whether a form exists and is not in the trash.
async fn form_exists(cx: &Context, form_id: i64) -> Result<bool> {
    let sql = "SELECT id FROM cf_forms WHERE id = ?1 AND trashed_at IS NULL";
    let id: Option<i64> = select_one(cx, sql, params![form_id]).await?;
    Ok(id.is_some())
}
