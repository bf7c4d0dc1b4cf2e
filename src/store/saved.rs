//! Saved progress of visitors. Only a visitor's token decrypts the answers; the database contains only the token's
//! hash.

use serde_json::Value;

use super::upload_tokens;
use super::uploads::PENDING_MS;
use super::{Batch, Dialect, Result, execute, select, select_one, stats};
use crate::task::{Context, SqlValue};
use model::analytics::metrics::{RESUMED, SAVED};
use model::dates::day_of;

/// Limit on the rows of a form's saved progress.
const MAX_OPEN: i64 = 100_000;

/// Limit on the rows of saved progress that one step of the purge deletes.
const PURGE_BATCH_SIZE: i64 = 200;

/// Saved progress that was found by a token.
#[derive(Clone, Debug, serde::Deserialize)]
#[allow(missing_docs, reason = "the members are columns of those names")]
pub struct Saved {
    pub id: String,
    pub sealed: String,
    pub wrapped: String,
    pub version: i64,
    pub mails: i64,
    pub saved_at: i64,
    pub expires_at: i64,
}

/// The content that a save stores.
#[derive(Clone, Debug)]
pub struct NewContent {
    /// The encrypted answers.
    pub sealed: String,
    /// The hashes of the tokens of the uploads.
    pub files: Vec<String>,
    /// Keyed hashes of the email addresses in the answers.
    pub owners: Vec<String>,
    /// The time when the saved progress expires.
    pub expires_at: i64,
}

/// Finds saved progress by the hash of a token, unless it has expired.
pub async fn find(cx: &Context, form_id: i64, token_hash: &str) -> Result<Option<Saved>> {
    let sql = "SELECT v.id, v.sealed, t.wrapped, v.version, v.mails, v.saved_at, v.expires_at \
         FROM cf_saved_tokens t JOIN cf_saved v ON v.id = t.saved_id \
         WHERE t.token_hash = ?1 AND v.form_id = ?2 AND v.expires_at > ?3";
    select_one(cx, sql, params![token_hash, form_id, cx.now()]).await
}

/// Stores new saved progress under a token. Returns false if the form does not exist or has reached its limit.
pub async fn insert(
    cx: &Context,
    form_id: i64,
    token_hash: &str,
    wrapped: &str,
    content: &NewContent,
) -> Result<bool> {
    let id = crate::security::random::token(16)?;
    let mut batch = Batch::new(cx);
    let lock = match batch.dialect() {
        Dialect::Sqlite => "",
        Dialect::Postgres => " FOR KEY SHARE",
    };
    batch.add(
        format!(
            "INSERT INTO cf_saved_totals (form_id, open, bytes) SELECT f.id, 0, 0 FROM cf_forms f \
             WHERE f.id = ?1 AND f.trashed_at IS NULL{lock} \
             ON CONFLICT (form_id) DO UPDATE SET open = cf_saved_totals.open"
        ),
        params![form_id],
    );
    let bytes = bytes_of(content);
    batch.add(
        "INSERT INTO cf_saved (id, form_id, sealed, bytes, files, version, mails, saved_at, expires_at) \
         SELECT ?1, t.form_id, ?3, CAST(?4 AS BIGINT), ?5, 1, 0, CAST(?6 AS BIGINT), CAST(?7 AS BIGINT) \
         FROM cf_saved_totals t WHERE t.form_id = ?2 AND t.open < ?8",
        params![
            &id,
            form_id,
            &content.sealed,
            bytes,
            Value::from(content.files.as_slice()).to_string(),
            cx.now(),
            content.expires_at,
            MAX_OPEN
        ],
    );
    let stored = batch.add(
        "INSERT INTO cf_saved_tokens (token_hash, saved_id, form_id, wrapped, is_mailed) \
         SELECT ?1, v.id, v.form_id, ?3, 0 FROM cf_saved v WHERE v.id = ?2",
        params![token_hash, &id, wrapped],
    );
    batch.add(
        "UPDATE cf_saved_totals SET open = open + 1, bytes = bytes + ?3 WHERE form_id = ?1 \
         AND EXISTS (SELECT 1 FROM cf_saved WHERE id = ?2)",
        params![form_id, &id, bytes],
    );
    add_parts(&mut batch, &id, 1, content);
    let stored_id = SqlValue::from(&id);
    count(
        &mut batch,
        form_id,
        SAVED,
        "EXISTS (SELECT 1 FROM cf_saved WHERE id = ?3)",
        stored_id,
    );
    Ok(batch.run().await?.changes(stored) == 1)
}

fn bytes_of(content: &NewContent) -> i64 {
    i64::try_from(content.sealed.len()).unwrap_or(i64::MAX)
}

/// Adds statements that record the owners of saved progress, and keep its uploads until it expires. They change nothing
/// if the saved progress has another version.
fn add_parts(batch: &mut Batch, id: &str, version: i64, content: &NewContent) {
    let listed = batch.dialect().listed("?2");
    batch.add(
        "DELETE FROM cf_saved_owners WHERE saved_id = (SELECT v.id FROM cf_saved v WHERE v.id = ?1 AND v.version = ?2)",
        params![id, version],
    );
    if !content.owners.is_empty() {
        let owners = Value::from(content.owners.as_slice()).to_string();
        batch.add(
            format!(
                "INSERT INTO cf_saved_owners (address_hash, saved_id, form_id) \
                 SELECT listed.value, v.id, v.form_id FROM cf_saved v CROSS JOIN {listed} WHERE v.id = ?1 AND v.version = ?3 \
                 ON CONFLICT (address_hash, saved_id) DO NOTHING"
            ),
            params![id, owners, version],
        );
    }
    if !content.files.is_empty() {
        let files = Value::from(content.files.as_slice()).to_string();
        let expires_at = content
            .expires_at
            .max(batch.context.now() + upload_tokens::TOKEN_MS);
        batch.add(
            format!(
                "UPDATE cf_uploads SET expires_at = ?1, created_at = ?3 WHERE +submission_id = 0 \
                 AND token_hash IN (SELECT listed.value FROM {listed}) \
                 AND EXISTS (SELECT 1 FROM cf_saved v WHERE v.id = ?4 AND v.version = ?5)"
            ),
            params![expires_at, files, expires_at - PENDING_MS, id, version],
        );
    }
}

/// Replaces saved progress that still has the version that was read. Returns false if it has another version or does
/// not exist.
pub async fn update(cx: &Context, saved: &Saved, content: &NewContent) -> Result<bool> {
    let mut batch = Batch::new(cx);
    let bytes = bytes_of(content);
    lock_totals(&mut batch, "v.id = ?1", &[SqlValue::from(&saved.id)]);
    batch.add(
        "UPDATE cf_saved_totals SET bytes = bytes + ?3 - (SELECT v.bytes FROM cf_saved v WHERE v.id = ?1) \
         WHERE form_id = (SELECT v.form_id FROM cf_saved v WHERE v.id = ?1 AND v.version = ?2)",
        params![&saved.id, saved.version, bytes],
    );
    // The parts come first, since the winner of a race has the version that this update would set.
    add_parts(&mut batch, &saved.id, saved.version, content);
    let changed = batch.add(
        "UPDATE cf_saved SET sealed = ?3, bytes = ?4, files = ?5, version = version + 1, saved_at = ?6, expires_at = ?7 \
         WHERE id = ?1 AND version = ?2",
        params![
            &saved.id,
            saved.version,
            &content.sealed,
            bytes,
            Value::from(content.files.as_slice()).to_string(),
            cx.now(),
            content.expires_at
        ],
    );
    Ok(batch.run().await?.changes(changed) == 1)
}

/// Counts that saved progress was resumed.
pub async fn count_resumed(cx: &Context, form_id: i64) -> Result<()> {
    let mut batch = Batch::new(cx);
    count(
        &mut batch,
        form_id,
        RESUMED,
        "CAST(?3 AS BIGINT) = 1",
        SqlValue::from(1_i64),
    );
    batch.run().await.map(drop)
}

/// Adds a statement that adds one to a form's count of the day and running total, if a condition on `?3` holds.
fn count(batch: &mut Batch, form_id: i64, metric: &str, condition: &str, value: SqlValue) {
    let query = format!(
        "SELECT f.id, '{metric}', d.date, '', CAST(0 AS BIGINT), CAST(1 AS BIGINT) FROM cf_forms f \
         CROSS JOIN (SELECT '' AS date UNION ALL SELECT CAST(?2 AS TEXT)) d WHERE f.id = ?1 AND {condition}"
    );
    let day = day_of(batch.context.now());
    stats::add_query(batch, &query, vec![form_id.into(), day.into(), value]);
}

/// Adds a lock on the totals of forms, so that concurrent deletions subtract each row only once.
fn lock_totals(batch: &mut Batch, which: &str, params: &[SqlValue]) {
    if batch.dialect() == Dialect::Postgres {
        let sql = format!(
            "SELECT t.form_id FROM cf_saved_totals t WHERE t.form_id IN (SELECT v.form_id FROM cf_saved v WHERE {which}) \
             ORDER BY t.form_id FOR UPDATE"
        );
        batch.add(sql, params.to_vec());
    }
}

/// Adds statements that delete saved progress with its tokens and owners, and mark its unclaimed uploads as abandoned.
/// `which` is a condition on `cf_saved v`. Returns the index of the statement whose changes are the deleted rows.
fn add_deletion(batch: &mut Batch, which: &str, params: &[SqlValue]) -> usize {
    lock_totals(batch, which, params);
    let listed = batch.dialect().listed("v.files");
    let of = format!("SELECT v.id FROM cf_saved v WHERE {which}");
    for sql in [
        format!(
            "UPDATE cf_uploads SET submission_id = -1, created_at = 0 WHERE +submission_id = 0 AND token_hash IN \
             (SELECT listed.value FROM cf_saved v CROSS JOIN {listed} WHERE {which})"
        ),
        format!(
            "UPDATE cf_saved_totals SET \
               open = open - (SELECT COUNT(*) FROM cf_saved v WHERE v.form_id = cf_saved_totals.form_id AND {which}), \
               bytes = bytes - (SELECT COALESCE(SUM(v.bytes), 0) FROM cf_saved v WHERE v.form_id = cf_saved_totals.form_id AND {which}) \
             WHERE form_id IN (SELECT v.form_id FROM cf_saved v WHERE {which})"
        ),
        format!("DELETE FROM cf_saved_tokens WHERE saved_id IN ({of})"),
        format!("DELETE FROM cf_saved_owners WHERE saved_id IN ({of})"),
    ] {
        batch.add(sql, params.to_vec());
    }
    batch.add(
        format!("DELETE FROM cf_saved WHERE id IN ({of})"),
        params.to_vec(),
    )
}

/// Deletes the saved progress whose ids a query lists. Returns the number of deleted rows.
async fn delete(cx: &Context, ids: &str, params: Vec<SqlValue>) -> Result<u64> {
    let ids: Vec<String> = select(cx, ids.to_owned(), params).await?;
    if ids.is_empty() {
        return Ok(0);
    }
    let mut batch = Batch::new(cx);
    let listed = batch.dialect().listed("?1");
    let which = format!("v.id IN (SELECT listed.value FROM {listed})");
    let ids = SqlValue::from(Value::from(ids).to_string());
    let deleted = add_deletion(&mut batch, &which, &[ids]);
    Ok(batch.run().await?.changes(deleted))
}

/// Deletes the saved progress of a token. Returns whether there was any.
pub async fn forget(cx: &Context, form_id: i64, token_hash: &str) -> Result<bool> {
    let ids = "SELECT t.saved_id FROM cf_saved_tokens t WHERE t.form_id = ?1 AND t.token_hash = ?2";
    Ok(delete(cx, ids, params![form_id, token_hash]).await? > 0)
}

/// Deletes up to 1,000 rows of a form's saved progress, and returns their number. The caller repeats this until it is
/// 0.
pub async fn delete_of_form(cx: &Context, form_id: i64) -> Result<u64> {
    let ids = "SELECT v.id FROM cf_saved v WHERE v.form_id = ?1 ORDER BY v.saved_at LIMIT 1000";
    delete(cx, ids, params![form_id]).await
}

/// Deletes the saved progress of an email address's owner. Returns the number of deleted rows.
pub async fn erase(cx: &Context, address_hashes: &[String]) -> Result<u64> {
    let listed = super::dialect(cx).listed("?1");
    let ids = format!(
        "SELECT DISTINCT o.saved_id FROM cf_saved_owners o WHERE o.address_hash IN (SELECT listed.value FROM {listed})"
    );
    delete(cx, &ids, params![Value::from(address_hashes).to_string()]).await
}

/// Deletes one batch of expired saved progress. Returns whether more may be left.
pub async fn purge(cx: &Context) -> Result<bool> {
    let ids = "SELECT v.id FROM cf_saved v WHERE v.expires_at <= ?1 ORDER BY v.expires_at LIMIT ?2";
    let deleted = delete(cx, ids, params![cx.now(), PURGE_BATCH_SIZE]).await?;
    Ok(i64::try_from(deleted).is_ok_and(|deleted| deleted >= PURGE_BATCH_SIZE))
}

/// Adds statements that remove saved progress if the batch stores the submission that replaces it.
pub(super) fn add_removal(batch: &mut Batch, id: &str, uuid: &str) {
    let which = "v.id = ?1 AND EXISTS (SELECT 1 FROM cf_submissions s WHERE s.uuid = ?2)";
    add_deletion(batch, which, &[SqlValue::from(id), SqlValue::from(uuid)]);
}

/// Reads figures about a form's saved progress: the number of rows, their bytes, and the times of the oldest and the
/// newest save.
pub async fn figures(cx: &Context, form_id: i64) -> Result<(i64, i64, Option<i64>, Option<i64>)> {
    let sql = "SELECT COALESCE((SELECT t.open FROM cf_saved_totals t WHERE t.form_id = ?1), 0) AS open, \
         COALESCE((SELECT t.bytes FROM cf_saved_totals t WHERE t.form_id = ?1), 0) AS bytes, \
         (SELECT MIN(v.saved_at) FROM cf_saved v WHERE v.form_id = ?1) AS oldest, \
         (SELECT MAX(v.saved_at) FROM cf_saved v WHERE v.form_id = ?1) AS newest";
    let found = select_one(cx, sql, params![form_id]).await?;
    Ok(found.unwrap_or_default())
}

/// Lists the saved progress of an email address's owner, as form, last save and expiry.
pub async fn dates_of(cx: &Context, address_hashes: &[String]) -> Result<Vec<(i64, i64, i64)>> {
    let listed = super::dialect(cx).listed("?1");
    let sql = format!(
        "SELECT DISTINCT v.form_id, v.saved_at, v.expires_at FROM cf_saved_owners o JOIN cf_saved v ON v.id = o.saved_id \
         WHERE o.address_hash IN (SELECT listed.value FROM {listed}) ORDER BY v.saved_at LIMIT 1000"
    );
    select(cx, sql, params![Value::from(address_hashes).to_string()]).await
}

/// Counts a mail, and replaces the token of the previous mail with a new one. Returns false if the limit on mails is
/// reached.
pub async fn add_mailed(
    cx: &Context,
    saved: &Saved,
    form_id: i64,
    token_hash: &str,
    wrapped: &str,
    limit: i64,
) -> Result<bool> {
    let sql = "UPDATE cf_saved SET mails = mails + 1 WHERE id = ?1 AND mails < ?2";
    if execute(cx, sql, params![&saved.id, limit]).await? == 0 {
        return Ok(false);
    }
    let mut batch = Batch::new(cx);
    batch.add(
        "DELETE FROM cf_saved_tokens WHERE saved_id = ?1 AND is_mailed = 1",
        params![&saved.id],
    );
    batch.add(
        "INSERT INTO cf_saved_tokens (token_hash, saved_id, form_id, wrapped, is_mailed) \
         SELECT ?1, v.id, v.form_id, ?3, 1 FROM cf_saved v WHERE v.id = ?2 AND v.form_id = ?4",
        params![token_hash, &saved.id, wrapped, form_id],
    );
    batch.run().await?;
    Ok(true)
}
