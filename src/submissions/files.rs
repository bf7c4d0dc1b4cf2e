//! The files of submissions: their signed URLs, and their removal with the submission.

use super::Submission;
use crate::dates::DAY_MS;
use crate::files::remove_files;
use crate::security::LinkedFile;
use crate::store::submissions::{self, StoredSubmission};
use crate::store::{StoreError, purge, uploads};
use crate::task::Context;

/// The signed URL of each file, which works without a sign-in for a number of days. Empty if the site has no public
/// URL, because links in mails must be public.
pub async fn file_links(
    cx: &Context,
    submission: &Submission,
    days: u64,
) -> Result<Vec<String>, StoreError> {
    let configuration = cx.shared().configuration();
    let site = cx.shared().public_url();
    let is_off = days == 0 || site.is_empty();
    if is_off || submission.id == 0 || submission.files.is_empty() {
        return Ok(Vec::new());
    }
    let Some(epochs) = uploads::link_epochs(cx, submission.id).await? else {
        return Ok(Vec::new());
    };
    let days = i64::try_from(days).unwrap_or(i64::MAX);
    let expires = cx.now().saturating_add(days.saturating_mul(DAY_MS));
    let signer = crate::store::signer(cx).await?;
    let prefix = &configuration.front_prefix;
    let links = submission.files.iter().map(|file| {
        let linked = LinkedFile {
            submission_id: submission.id,
            file_id: file.id,
            epochs,
        };
        let ticket = signer.sign_file(&linked, expires);
        format!(
            "{site}{prefix}/-/files/{}/{}/{ticket}",
            submission.id, file.id
        )
    });
    Ok(links.collect())
}

/// Deletes submissions, then their files.
pub async fn delete(cx: &Context, stored: &[StoredSubmission]) -> Result<(), StoreError> {
    submissions::delete(cx, stored).await?;
    remove_files(cx, &submissions::file_keys(stored)).await;
    Ok(())
}

/// Deletes a submission whose form keeps none, with its files, after its actions have run.
pub async fn forget_unsaved(cx: &Context, id: i64) -> Result<(), StoreError> {
    let keep = &cx.shared().configuration().keep_days;
    let files = purge::forget_unsaved(cx, id, keep).await?;
    remove_files(cx, &files).await;
    Ok(())
}
