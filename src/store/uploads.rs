//! The records of uploaded files. The record of a visitor's file is created before the file, and deleted after the host
//! has deleted the file, so that no file is orphaned. A form's picture is recorded after it is stored, with the
//! `submission_id` -2. Any other record without a submission is either pending (`submission_id` 0) while its submit
//! runs, or abandoned (-1), so that no submit can use it. A pending record with a token ([`super::upload_tokens`])
//! waits for the submit that claims it. `created_at` is the start of the lease that protects a pending record from the
//! purge.
//!
//! Batches lock a form's total before its records, so that they cannot deadlock.

use serde_json::Value;

use super::{Batch, Bindings, Dialect, Result, Results, dialect, execute, select_one};
use crate::task::{Context, SqlValue};
use model::status::UNSAVED;
use model::{MAX_SAFE_INTEGER, StoredFile};

/// Duration of the lease of a pending record, which its submit renews.
pub const PENDING_MS: i64 = 3_600_000;

/// The condition that a record is pending and its key is in a JSON list. The unary plus makes SQLite use the index on
/// keys.
const PENDING_AMONG: &str =
    "+submission_id = 0 AND file_key IN (SELECT listed.value FROM {listed})";

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

/// The value of `submission_id` for a form's pictures, which belong to no submission.
const OF_FORM: i64 = -2;

/// Limit on the pictures of a form.
const MAX_IMAGES: i64 = 500;

/// Records a stored picture of a form, once for each key. Returns false if the form does not exist or has too many
/// pictures.
pub async fn record_image(
    cx: &Context,
    form_id: i64,
    key: &str,
    content_type: &str,
) -> Result<bool> {
    let mut batch = Batch::new(cx);
    batch.add(
        "INSERT INTO cf_uploads (uuid, form_id, submission_id, field_name, filename, content_type, size, file_key, created_at) \
         SELECT ?1, f.id, CAST(?2 AS BIGINT), '', '', ?3, 0, ?4, CAST(?5 AS BIGINT) FROM cf_forms f \
         WHERE f.id = ?6 AND f.trashed_at IS NULL AND NOT EXISTS (SELECT 1 FROM cf_uploads u WHERE u.file_key = ?4) \
           AND (SELECT COUNT(*) FROM cf_uploads u WHERE u.submission_id = ?2 AND u.form_id = f.id) < ?7",
        params![
            crate::security::random::uuid()?,
            OF_FORM,
            content_type,
            key,
            cx.now(),
            form_id,
            MAX_IMAGES
        ],
    );
    let recorded = batch.add(
        "SELECT id FROM cf_uploads WHERE file_key = ?1",
        params![key],
    );
    Ok(batch.run().await?.has_row(recorded))
}

/// The number of files of a form's submissions.
pub async fn count(cx: &Context, form_id: i64) -> Result<i64> {
    let sql = "SELECT COUNT(*) FROM cf_uploads WHERE form_id = ?1 AND submission_id > 0";
    Ok(select_one(cx, sql, params![form_id]).await?.unwrap_or(0))
}

/// The outcome of recording a stored file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// The file is added to the form's total.
    Counted,
    /// The file no longer fits the form's quota.
    NoRoom,
    /// The record or the form no longer exists, so the submit cannot keep the file.
    Gone,
}

/// Records the size and the type of a stored file, and adds it to the form's total if it fits the quota (0: no quota).
///
/// The quota had room when concurrent uploads began, but they may exceed it together. So the first statement locks the
/// form's total; then the next statement sees all files counted before, even on PostgreSQL.
pub async fn received(
    cx: &Context,
    form_id: i64,
    file: &StoredFile,
    quota: u64,
) -> Result<Recorded> {
    let size = i64::try_from(file.size).unwrap_or(i64::MAX);
    let quota = Some(quota).filter(|quota| *quota > 0);
    let quota = quota.and_then(|quota| i64::try_from(quota).ok());
    let room = quota.unwrap_or(MAX_SAFE_INTEGER).saturating_sub(size);
    let mut batch = Batch::new(cx);
    let lock = match batch.dialect() {
        Dialect::Sqlite => "",
        Dialect::Postgres => " FOR KEY SHARE",
    };
    batch.add(
        format!(
            "INSERT INTO cf_upload_totals (form_id, bytes) SELECT f.id, 0 FROM cf_forms f WHERE f.id = ?1{lock} \
             ON CONFLICT (form_id) DO UPDATE SET bytes = cf_upload_totals.bytes"
        ),
        params![form_id],
    );
    let fits = batch.add(
        "UPDATE cf_uploads SET size = ?1, content_type = ?2 WHERE submission_id = 0 AND file_key = ?3 \
         AND EXISTS (SELECT 1 FROM cf_upload_totals t WHERE t.form_id = ?4 AND t.bytes <= ?5)",
        params![size, &file.content_type, &file.key, form_id, room],
    );
    // The record of a file that does not fit still has the size 0, so this adds nothing.
    let is_there = batch.add(
        "UPDATE cf_upload_totals SET bytes = bytes + (SELECT u.size FROM cf_uploads u \
           WHERE u.submission_id = 0 AND u.file_key = ?2) \
         WHERE form_id = ?1 AND EXISTS (SELECT 1 FROM cf_uploads u WHERE u.submission_id = 0 AND u.file_key = ?2)",
        params![form_id, &file.key],
    );
    let results = batch.run().await?;
    Ok(match (results.changes(fits), results.changes(is_there)) {
        (1, _) => Recorded::Counted,
        (_, 1) => Recorded::NoRoom,
        _ => Recorded::Gone,
    })
}

/// Reads how often the links of a submission's form, and of the submission, were revoked. `None` if the submission does
/// not exist.
pub async fn link_epochs(cx: &Context, submission_id: i64) -> Result<Option<(i64, i64)>> {
    let sql = "SELECT f.link_epoch AS of_form, s.link_epoch AS of_submission FROM cf_submissions s JOIN cf_forms f ON f.id = s.form_id \
        WHERE s.id = ?1";
    select_one(cx, sql, params![submission_id]).await
}

/// The submissions whose links to files are revoked.
#[derive(Clone, Copy, Debug)]
pub enum LinksOf {
    /// All submissions of a form.
    Form(i64),
    /// One submission.
    Submission(i64),
}

/// Revokes the links to files in sent mails. Returns false if the form or submission does not exist.
pub async fn revoke_links(cx: &Context, of: LinksOf) -> Result<bool> {
    let (sql, params) = match of {
        LinksOf::Form(id) => (
            "UPDATE cf_forms SET link_epoch = link_epoch + 1 WHERE id = ?1 AND trashed_at IS NULL",
            params![id],
        ),
        LinksOf::Submission(id) => (
            "UPDATE cf_submissions SET link_epoch = link_epoch + 1 WHERE id = ?1 AND status <> ?2",
            params![id, UNSAVED],
        ),
    };
    Ok(execute(cx, sql, params).await? > 0)
}

/// Reads the total size of a form's files, in bytes.
pub async fn total(cx: &Context, form_id: i64) -> Result<u64> {
    let sql = "SELECT bytes FROM cf_upload_totals WHERE form_id = ?1";
    let bytes: Option<i64> = select_one(cx, sql, params![form_id]).await?;
    Ok(u64::try_from(bytes.unwrap_or(0)).unwrap_or(0))
}

/// Protects pending records from the purge for another [`PENDING_MS`]. Records with a token have a longer lease
/// already.
pub async fn renew(cx: &Context, keys: &[String]) -> Result<()> {
    let listed = dialect(cx).listed("?2");
    let sql = among(
        "UPDATE cf_uploads SET created_at = ?1 WHERE created_at < ?1 AND ",
        PENDING_AMONG,
        &listed,
    );
    execute(cx, sql, params![cx.now(), json_list(keys)])
        .await
        .map(drop)
}

/// Composes a statement on the pending records whose keys are in the JSON list at `place`.
pub(super) fn among_keys(cx: &Context, begin: &str, place: &str) -> String {
    among(begin, PENDING_AMONG, &dialect(cx).listed(place))
}

fn among(begin: &str, condition: &str, listed: &str) -> String {
    begin.to_owned() + &condition.replace("{listed}", listed)
}

fn json_list(keys: &[String]) -> String {
    Value::from(keys).to_string()
}

fn keys_of(files: &[StoredFile]) -> String {
    Value::from_iter(files.iter().map(|file| file.key.as_str())).to_string()
}

/// Adds a statement that reads the pending records of a submission's files and locks them against the purge. Returns
/// `None` if there are no files.
pub(super) fn lock_pending(batch: &mut Batch, files: &[StoredFile]) -> Option<usize> {
    if files.is_empty() {
        return None;
    }
    let dialect = batch.dialect();
    let begin = "SELECT file_key FROM cf_uploads WHERE ";
    let mut sql = among(begin, PENDING_AMONG, &dialect.listed("?1")) + " ORDER BY id";
    if dialect == Dialect::Postgres {
        sql += " FOR UPDATE";
    }
    Some(batch.add(sql, params![keys_of(files)]))
}

/// The SQL condition that every file has a pending record. It is reliable only in a batch after [`lock_pending`].
pub(super) fn have_records(
    bindings: &mut Bindings,
    dialect: Dialect,
    files: &[StoredFile],
) -> String {
    let listed = dialect.listed(&bindings.bind(keys_of(files)));
    let count = bindings.integer(i64::try_from(files.len()).unwrap_or(i64::MAX));
    let begin = "(SELECT COUNT(*) FROM cf_uploads WHERE ";
    among(begin, PENDING_AMONG, &listed) + &format!(") = {count}")
}

/// Lists the fields of files without a record, from the result of [`lock_pending`].
pub(super) fn fields_without_record(
    files: &[StoredFile],
    locked: Option<usize>,
    results: &mut Results,
) -> Result<Vec<String>> {
    let locked: Vec<String> = locked.map_or(Ok(Vec::new()), |place| results.rows(place))?;
    let gone = files.iter().filter(|file| !locked.contains(&file.key));
    let mut fields: Vec<String> = gone.map(|file| file.field.clone()).collect();
    fields.dedup();
    Ok(fields)
}

/// Adds a statement that attaches files to the submission if the batch has stored it.
pub(super) fn attach(batch: &mut Batch, submission_uuid: &str, files: &[StoredFile]) {
    if files.is_empty() {
        return;
    }
    let begin = "UPDATE cf_uploads SET submission_id = (SELECT s.id FROM cf_submissions s WHERE s.uuid = ?1) \
         WHERE EXISTS (SELECT 1 FROM cf_submissions s WHERE s.uuid = ?1) AND ";
    let sql = among(begin, PENDING_AMONG, &batch.dialect().listed("?2"));
    batch.add(sql, params![submission_uuid, keys_of(files)]);
}

/// Adds a statement that abandons the files of those submissions that no longer exist.
pub(super) fn abandon(batch: &mut Batch, submission_ids: &[i64]) {
    batch.add_of_ids(
        submission_ids,
        "UPDATE cf_uploads SET submission_id = -1, created_at = 0 WHERE submission_id IN ({ids}) \
         AND NOT EXISTS (SELECT 1 FROM cf_submissions s WHERE s.id = cf_uploads.submission_id)",
    );
}

/// Adds a statement that abandons the files of a form if the form no longer exists.
pub(super) fn abandon_of_form(batch: &mut Batch, form_id: i64) {
    batch.add(
        "UPDATE cf_uploads SET submission_id = -1, form_id = 0, created_at = 0 WHERE form_id = ?1 \
         AND NOT EXISTS (SELECT 1 FROM cf_forms WHERE id = ?1)",
        params![form_id],
    );
}

/// Returns the keys of abandoned files. Files that are already marked come first. Pending records whose lease has
/// expired are also marked as abandoned, so that no submit uses a file that is about to be deleted. The statement
/// repeats the condition of its subquery, because on PostgreSQL a submit may claim a record in between.
pub async fn abandoned(cx: &Context, limit: i64) -> Result<Vec<String>> {
    let mut batch = Batch::new(cx);
    let keys = batch.add(
        "UPDATE cf_uploads SET submission_id = -1 WHERE id IN \
           (SELECT u.id FROM cf_uploads u WHERE u.submission_id IN (-1, 0) AND u.created_at < ?1 \
            ORDER BY u.submission_id, u.created_at, u.id LIMIT ?2) \
             AND submission_id IN (-1, 0) AND created_at < ?1 RETURNING file_key",
        params![cx.now() - PENDING_MS, limit],
    );
    batch.run().await?.rows(keys)
}

/// Postpones the deletion of abandoned files by an hour.
pub async fn postpone(cx: &Context, keys: &[String]) -> Result<()> {
    let listed = dialect(cx).listed("?2");
    let sql = format!(
        "UPDATE cf_uploads SET created_at = ?1 \
             WHERE submission_id = -1 AND file_key IN (SELECT listed.value FROM {listed})"
    );
    execute(cx, sql, params![cx.now(), json_list(keys)])
        .await
        .map(drop)
}

/// Deletes the records of deleted files that belong to no submission, and subtracts them from the forms' totals.
/// Concurrent calls may name the same records, so each call subtracts only the records that it deletes.
pub async fn forget(cx: &Context, keys: &[String]) -> Result<()> {
    if keys.is_empty() {
        return Ok(());
    }
    let mut batch = Batch::new(cx);
    let listed = batch.dialect().listed("?1");
    let records = format!(
        "cf_uploads u WHERE u.submission_id <= 0 AND u.file_key IN (SELECT listed.value FROM {listed})"
    );
    let keys: Vec<SqlValue> = params![json_list(keys)];
    if batch.dialect() == Dialect::Postgres {
        let totals = "SELECT t.form_id FROM cf_upload_totals t WHERE t.form_id IN";
        let sql =
            format!("{totals} (SELECT u.form_id FROM {records}) ORDER BY t.form_id FOR UPDATE");
        batch.add(sql, keys.clone());
        let sql = format!("SELECT u.id FROM {records} ORDER BY u.id FOR UPDATE");
        batch.add(sql, keys.clone());
    }
    batch.add(
        format!(
            "UPDATE cf_upload_totals SET bytes = bytes - (SELECT CAST(SUM(u.size) AS BIGINT) FROM {records} \
               AND u.form_id = cf_upload_totals.form_id) \
             WHERE form_id IN (SELECT u.form_id FROM {records})"
        ),
        keys.clone(),
    );
    let sql = format!("DELETE FROM cf_uploads WHERE id IN (SELECT u.id FROM {records})");
    batch.add(sql, keys);
    batch.run().await.map(drop)
}
