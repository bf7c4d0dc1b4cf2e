//! Submissions: reading one, and what belongs to all statements about them.

mod change;
mod expire;
mod insert;
mod list;

pub use change::{Change, delete, set_status};
pub use expire::{forget_unsaved, purge_expired};
pub use insert::{Inserted, Key, NewSubmission, Screening, insert, screen};
pub use list::{Cursor, Filter, Found, OrderBy, Page, Start, StatusFilter, list};

use super::{Batch, Row, StoreError};
use crate::submissions::Submission;
use crate::task::Context;

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
}

const COLUMNS: &str = "s.id, s.form_id, s.status, s.is_spam, s.spam_reasons, s.data, s.files, s.ip_address, \
    s.user_agent, s.referer_url, s.page_url, s.submitted_at, s.modified_at, s.schema_revision, s.uuid, \
    s.actions_withheld";

fn submission(mut row: Row) -> Result<StoredSubmission, StoreError> {
    Ok(StoredSubmission {
        submission: Submission {
            id: row.integer(0)?,
            form_id: row.integer(1)?,
            status: row.text(2)?,
            is_spam: row.flag(3)?,
            spam_reasons: row.json(4)?,
            data: row.json(5)?,
            files: row.json(6)?,
            ip_address: row.text(7)?,
            user_agent: row.text(8)?,
            referer_url: row.text(9)?,
            page_url: row.text(10)?,
            submitted_at: row.integer(11)?,
            modified_at: row.integer(12)?,
            schema_revision: row.integer(13)?,
        },
        uuid: row.text(14)?,
        actions_withheld: row.flag(15)?,
    })
}

/// The submission of an id, also one that only waits for its actions: for the queue.
pub async fn find_for_actions(cx: &Context, id: i64) -> Result<Option<Submission>, StoreError> {
    let mut batch = Batch::new(cx);
    let read = batch.add_composed(
        format!("SELECT {COLUMNS} FROM cf_submissions s WHERE s.id = ?1"),
        vec![id.into()],
    );
    let row = batch.run().await?.first(read);
    Ok(row
        .map(submission)
        .transpose()?
        .map(|found| found.submission))
}

/// The submissions of these ids that are there, in any order.
pub async fn find(cx: &Context, ids: &[i64]) -> Result<Vec<StoredSubmission>, StoreError> {
    let mut batch = Batch::new(cx);
    let places: Vec<usize> = ids.iter().map(|id| add_find(&mut batch, *id)).collect();
    let mut results = batch.run().await?;
    places
        .into_iter()
        .filter_map(|place| results.first(place))
        .map(submission)
        .collect()
}

/// Whether a submission of that key is stored.
pub async fn exists(cx: &Context, uuid: &str) -> Result<bool, StoreError> {
    let mut batch = Batch::new(cx);
    let read = batch.add(
        "SELECT 1 FROM cf_submissions WHERE uuid = ?1",
        vec![uuid.into()],
    );
    Ok(batch.run().await?.first(read).is_some())
}

fn add_find(batch: &mut Batch<'_>, id: i64) -> usize {
    batch.add_composed(
        format!("SELECT {COLUMNS} FROM cf_submissions s WHERE s.id = ?1 AND s.status <> 'unsaved'"),
        vec![id.into()],
    )
}
