//! Submissions: reading one, and what belongs to all statements about them.

mod change;
mod expire;
mod import;
mod insert;
mod list;
mod walk;

pub(super) use change::add_delete;
pub use change::{Change, count_answers, delete, set_status, uncounted};
pub use expire::{aged, forgotten};
pub use import::{Imported, import};
pub use insert::{Inserted, Key, KeyHashes, NewSubmission, Screening, insert, screen};
pub use list::{Filter, StatusFilter, list};
pub use walk::Walk;

use super::{Batch, Bindings, Row, StoreError, select, select_one};
use crate::task::Context;
use model::Submission;
use model::analytics::answers::AnswerCounts;
use model::ordered;
use model::status::UNSAVED;

/// The submission that what comes later in a batch belongs to, and is written for only if the batch has
/// written it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written<'a> {
    /// Its key inside the engine.
    pub uuid: &'a str,
    /// Which change the batch makes.
    pub change_token: &'a str,
    /// Whether the batch may share statements with others ([`Batch::add_rows`]).
    pub gathered: bool,
}

impl Written<'_> {
    /// Where a statement about it stands among those that batches share.
    pub(super) fn gathered(&self) -> i8 {
        i8::from(self.gathered)
    }
}

/// A submission with what only the store and its callers need.
#[derive(Clone, Debug)]
pub struct StoredSubmission {
    /// The submission.
    pub submission: Submission,
    /// Its key inside the engine.
    pub uuid: String,
    /// Whether it was taken for spam when it came and nobody has said otherwise: what follows on a
    /// success waits.
    pub actions_withheld: bool,
    /// Keyed hashes of addresses that its answers once had.
    pub former_addresses: Vec<String>,
    /// Which change wrote it last.
    pub change_token: String,
    /// What its answers are counted towards; `None` until that is done.
    pub counted: Option<AnswerCounts>,
}

const COLUMNS: &str = "s.id, s.form_id, s.status, s.is_spam, s.spam_reasons, s.data, s.files, s.ip_address, \
    s.user_agent, s.referer_url, s.page_url, s.submitted_at, s.modified_at, s.schema_revision, s.uuid, \
    s.actions_withheld, s.spam_score, s.change_token, s.starred, s.former_addresses, s.counted";

/// How many [`COLUMNS`] there are.
const COLUMN_COUNT: usize = 21;

/// Gives the files of a submission their ids, and the addresses at which the REST API answers them.
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

pub(super) fn submission(cx: &Context, mut row: Row) -> Result<StoredSubmission, StoreError> {
    let mut submission = Submission {
        id: row.integer(0)?,
        form_id: row.integer(1)?,
        status: row.text(2)?,
        is_spam: row.flag(3)?,
        spam_reasons: row.json(4)?,
        spam_score: row.integer(16)?,
        starred: row.flag(18)?,
        data: row.json(5)?,
        files: row.json(6)?,
        ip_address: row.text(7)?,
        user_agent: row.text(8)?,
        referer_url: row.text(9)?,
        page_url: row.text(10)?,
        submitted_at: row.integer(11)?,
        modified_at: row.integer(12)?,
        schema_revision: row.integer(13)?,
    };
    address_files(cx, &mut submission);
    Ok(StoredSubmission {
        submission,
        uuid: row.text(14)?,
        actions_withheld: row.flag(15)?,
        change_token: row.text(17)?,
        counted: serde_json::from_str(&row.text(20)?).ok(),
        former_addresses: row
            .text(19)?
            .split_whitespace()
            .map(str::to_owned)
            .collect(),
    })
}

/// The submission of an id, also one that only waits for its actions: for the queue.
pub async fn find_for_actions(cx: &Context, id: i64) -> Result<Option<Submission>, StoreError> {
    let mut batch = Batch::new(cx);
    let read = add_find_any(&mut batch, id);
    let row = batch.run().await?.first(read);
    Ok(row
        .map(|row| submission(cx, row))
        .transpose()?
        .map(|found| found.submission))
}

/// The submissions of these ids that are there, in the order of their ids.
pub async fn find(cx: &Context, ids: &[i64]) -> Result<Vec<StoredSubmission>, StoreError> {
    let mut found = find_any(cx, ids).await?;
    found.retain(|own| own.submission.status != UNSAVED);
    Ok(found)
}

/// The submissions of these ids that are there, also those that only wait for their actions.
pub(super) async fn find_any(
    cx: &Context,
    ids: &[i64],
) -> Result<Vec<StoredSubmission>, StoreError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut batch = Batch::new(cx);
    let mut bindings = Bindings::default();
    let listed = bindings.ids(batch.dialect(), ids.iter().copied());
    let read = batch.add(
        format!("SELECT {COLUMNS} FROM cf_submissions s WHERE s.id IN ({listed})"),
        bindings.values(),
    );
    let rows = batch.run().await?.rows(read);
    let found: Result<Vec<_>, _> = rows.into_iter().map(|row| submission(cx, row)).collect();
    let mut found = found?;
    ordered::sort_by(&mut found, |one, other| {
        one.submission.id.cmp(&other.submission.id)
    });
    Ok(found)
}

/// Adds the read of a submission, also one that only waits for its actions.
pub(super) fn add_find_any(batch: &mut Batch<'_>, id: i64) -> usize {
    batch.add(
        format!("SELECT {COLUMNS} FROM cf_submissions s WHERE s.id = ?1"),
        vec![id.into()],
    )
}

/// So many submissions after an id, the least first, also those that only wait for their actions.
pub(super) async fn following(
    cx: &Context,
    after: i64,
    limit: i64,
) -> Result<Vec<StoredSubmission>, StoreError> {
    let sql =
        format!("SELECT {COLUMNS} FROM cf_submissions s WHERE s.id > ?1 ORDER BY s.id LIMIT ?2");
    let rows = select(cx, sql, vec![after.into(), limit.into()]).await?;
    rows.into_iter().map(|row| submission(cx, row)).collect()
}

/// Whether a submission of that key is stored.
pub async fn exists(cx: &Context, uuid: &str) -> Result<bool, StoreError> {
    let sql = "SELECT id FROM cf_submissions WHERE uuid = ?1";
    Ok(select_one(cx, sql, vec![uuid.into()]).await?.is_some())
}
