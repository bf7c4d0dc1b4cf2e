//! The records of uploaded files. One whose submission is gone is abandoned (`submission_id` 0)
//! until the host has deleted the file, so that no file is forgotten.

use super::{Batch, StoreError};
use crate::task::Context;

/// Adds to a batch what abandons the files of a submission, if it is gone.
pub(super) fn abandon(batch: &mut Batch<'_>, submission_id: i64) {
    batch.add(
        "UPDATE cf_uploads SET submission_id = 0 WHERE submission_id = ?1 \
         AND NOT EXISTS (SELECT 1 FROM cf_submissions WHERE id = ?1)",
        vec![submission_id.into()],
    );
}

/// Adds to a batch what abandons the files of a form, if it is gone.
pub(super) fn abandon_of_form(batch: &mut Batch<'_>, form_id: i64) {
    batch.add(
        "UPDATE cf_uploads SET submission_id = 0, form_id = 0 WHERE form_id = ?1 \
         AND NOT EXISTS (SELECT 1 FROM cf_forms WHERE id = ?1)",
        vec![form_id.into()],
    );
}

/// The keys of abandoned files after that id of a record, the oldest first, with the id of the last;
/// `None` where there are no more.
pub async fn abandoned(
    cx: &Context,
    after: i64,
    limit: i64,
) -> Result<(Vec<String>, Option<i64>), StoreError> {
    let mut batch = Batch::new(cx);
    let read = batch.add(
        "SELECT file_key, id FROM cf_uploads WHERE submission_id = 0 AND id > ?1 ORDER BY id LIMIT ?2",
        vec![after.into(), limit.into()],
    );
    let mut rows = batch.run().await?.rows(read);
    let last = rows.last().map(|row| row.integer(1)).transpose()?;
    let keys = rows.iter_mut().map(|row| row.text(0));
    Ok((keys.collect::<Result<_, _>>()?, last))
}

/// Forgets abandoned files that are deleted.
pub async fn forget(cx: &Context, keys: &[String]) -> Result<(), StoreError> {
    let mut batch = Batch::new(cx);
    for key in keys {
        batch.add(
            "DELETE FROM cf_uploads WHERE submission_id = 0 AND file_key = ?1",
            vec![key.as_str().into()],
        );
    }
    batch.run().await.map(drop)
}
