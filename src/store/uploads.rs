//! The records of uploaded files. A record is there before its file, and until the host has deleted
//! the file, so that no file is forgotten. One without a submission (`submission_id` 0) is pending, or
//! abandoned because its submission is gone: that is as good as very old.

use super::{Batch, Result, dialect, execute, select, select_one};
use crate::task::Context;
use model::status::UNSAVED;
use model::{MAX_SAFE_INTEGER, StoredFile};

/// For how long a record without a submission may belong to a submit that is under way.
const PENDING_MS: i64 = 3_600_000;

/// Records a file that is about to be stored.
pub async fn record(cx: &Context, form_id: i64, file: &StoredFile) -> Result<()> {
    let sql = "INSERT INTO cf_uploads (uuid, form_id, submission_id, field_name, filename, content_type, size, \
           file_key, created_at) VALUES (?1, ?2, 0, ?3, ?4, ?5, 0, ?6, ?7)";
    let params = params![
        crate::security::random::uuid()?,
        form_id,
        &file.field,
        &file.filename,
        &file.content_type,
        &file.key,
        cx.now()
    ];
    execute(cx, sql, params).await.map(drop)
}

/// Records the size and the type of a file that is stored now, and counts it to what the form's files take. False,
/// and neither is done, where it does not fit the form's quota any more (0: none).
///
/// Uploads that run at once each had room when they began. The first statement locks the form's total, so that the
/// next one sees, on PostgreSQL too, every file that was counted before.
pub async fn received(cx: &Context, form_id: i64, file: &StoredFile, quota: u64) -> Result<bool> {
    let size = i64::try_from(file.size).unwrap_or(i64::MAX);
    let quota = Some(quota).filter(|quota| *quota > 0);
    let quota = quota.and_then(|quota| i64::try_from(quota).ok());
    let room = quota.unwrap_or(MAX_SAFE_INTEGER).saturating_sub(size);
    let mut batch = Batch::new(cx);
    batch.add(
        "INSERT INTO cf_upload_totals (form_id, bytes) VALUES (?1, 0) \
         ON CONFLICT (form_id) DO UPDATE SET bytes = cf_upload_totals.bytes",
        params![form_id],
    );
    let fits = batch.add(
        "UPDATE cf_uploads SET size = ?1, content_type = ?2 WHERE submission_id = 0 AND file_key = ?3 \
         AND EXISTS (SELECT 1 FROM cf_upload_totals t WHERE t.form_id = ?4 AND t.bytes <= ?5)",
        params![size, &file.content_type, &file.key, form_id, room],
    );
    batch.add(
        "UPDATE cf_upload_totals SET bytes = bytes + (SELECT u.size FROM cf_uploads u \
           WHERE u.submission_id = 0 AND u.file_key = ?2) \
         WHERE form_id = ?1 AND EXISTS (SELECT 1 FROM cf_uploads u WHERE u.submission_id = 0 AND u.file_key = ?2)",
        params![form_id, &file.key],
    );
    Ok(batch.run().await?.changes(fits) == 1)
}

/// How often the links of a submission's form and its own were revoked; `None` where it is gone.
pub async fn link_epochs(cx: &Context, submission_id: i64) -> Result<Option<(i64, i64)>> {
    let sql = "SELECT f.link_epoch AS of_form, s.link_epoch AS of_submission FROM cf_submissions s JOIN cf_forms f ON f.id = s.form_id \
        WHERE s.id = ?1";
    select_one(cx, sql, params![submission_id]).await
}

/// Whose links to files are revoked.
#[derive(Clone, Copy, Debug)]
pub enum LinksOf {
    /// Those of all submissions of a form.
    Form(i64),
    /// Those of a submission.
    Submission(i64),
}

/// Revokes the links to files that were sent; false where there is no such form or submission.
pub async fn revoke_links(cx: &Context, of: LinksOf) -> Result<bool> {
    let (sql, params) = match of {
        LinksOf::Form(id) => (
            "UPDATE cf_forms SET link_epoch = link_epoch + 1 WHERE id = ?1",
            params![id],
        ),
        LinksOf::Submission(id) => (
            "UPDATE cf_submissions SET link_epoch = link_epoch + 1 WHERE id = ?1 AND status <> ?2",
            params![id, UNSAVED],
        ),
    };
    Ok(execute(cx, sql, params).await? > 0)
}

/// How many bytes the files of a form take.
pub async fn total(cx: &Context, form_id: i64) -> Result<u64> {
    let sql = "SELECT bytes FROM cf_upload_totals WHERE form_id = ?1";
    let bytes: Option<i64> = select_one(cx, sql, params![form_id]).await?;
    Ok(u64::try_from(bytes.unwrap_or(0)).unwrap_or(0))
}

/// Adds to a batch what gives files to the submission that it stores, if it does.
pub(super) fn attach(batch: &mut Batch, submission_uuid: &str, files: &[StoredFile]) {
    for file in files {
        batch.add(
            "UPDATE cf_uploads SET submission_id = (SELECT s.id FROM cf_submissions s WHERE s.uuid = ?1) \
             WHERE file_key = ?2 AND submission_id = 0 AND EXISTS (SELECT 1 FROM cf_submissions s WHERE s.uuid = ?1)",
            params![submission_uuid, &file.key],
        );
    }
}

/// Adds to a batch what abandons the files of those of the submissions that are gone.
pub(super) fn abandon(batch: &mut Batch, submission_ids: &[i64]) {
    batch.add_of_ids(
        submission_ids,
        "UPDATE cf_uploads SET submission_id = 0, created_at = 0 WHERE submission_id IN ({ids}) \
         AND NOT EXISTS (SELECT 1 FROM cf_submissions s WHERE s.id = cf_uploads.submission_id)",
    );
}

/// Adds to a batch what abandons the files of a form, if it is gone.
pub(super) fn abandon_of_form(batch: &mut Batch, form_id: i64) {
    batch.add(
        "UPDATE cf_uploads SET submission_id = 0, form_id = 0, created_at = 0 WHERE form_id = ?1 \
         AND NOT EXISTS (SELECT 1 FROM cf_forms WHERE id = ?1)",
        params![form_id],
    );
}

/// The keys of files that have had no submission for longer than a submit takes, the oldest first.
pub async fn abandoned(cx: &Context, limit: i64) -> Result<Vec<String>> {
    let sql = "SELECT file_key FROM cf_uploads WHERE submission_id = 0 AND created_at < ?1 \
         ORDER BY created_at, id LIMIT ?2";
    select(cx, sql, params![cx.now() - PENDING_MS, limit]).await
}

/// Puts those of these files that are still there behind all others, for an hour.
pub async fn postpone(cx: &Context, keys: &[String]) -> Result<()> {
    let listed = dialect(cx).listed("?2");
    let sql = format!(
        "UPDATE cf_uploads SET created_at = ?1 \
             WHERE submission_id = 0 AND file_key IN (SELECT listed.value FROM {listed})"
    );
    let params = params![cx.now(), serde_json::Value::from(keys).to_string()];
    execute(cx, sql, params).await.map(drop)
}

/// Deletes the records of abandoned files that are deleted.
pub async fn forget(cx: &Context, keys: &[String]) -> Result<()> {
    let mut batch = Batch::new(cx);
    for key in keys {
        batch.add(
            "UPDATE cf_upload_totals SET bytes = bytes - (SELECT u.size FROM cf_uploads u \
               WHERE u.submission_id = 0 AND u.file_key = ?1) \
             WHERE form_id = (SELECT u.form_id FROM cf_uploads u WHERE u.submission_id = 0 AND u.file_key = ?1)",
            params![key],
        );
        batch.add(
            "DELETE FROM cf_uploads WHERE submission_id = 0 AND file_key = ?1",
            params![key],
        );
    }
    batch.run().await.map(drop)
}
