//! The records of uploaded files. A record is there before its file, and until the host has deleted
//! the file, so that no file is forgotten. One without a submission (`submission_id` 0) is pending, or
//! abandoned because its submission is gone: that is as good as very old.

use super::{Batch, Result, dialect, execute, select, select_one};
use crate::task::Context;
use model::StoredFile;

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

/// Records the size of a file that is stored now, and counts it to what the form's files take.
pub async fn received(cx: &Context, form_id: i64, file: &StoredFile) -> Result<()> {
    let size = i64::try_from(file.size).unwrap_or(i64::MAX);
    let mut batch = Batch::new(cx);
    batch.add(
        "UPDATE cf_uploads SET size = ?1 WHERE submission_id = 0 AND file_key = ?2",
        params![size, &file.key],
    );
    batch.add(
        "INSERT INTO cf_upload_totals (form_id, bytes) VALUES (?1, ?2) \
         ON CONFLICT (form_id) DO UPDATE SET bytes = cf_upload_totals.bytes + excluded.bytes",
        params![form_id, size],
    );
    batch.run().await.map(drop)
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
