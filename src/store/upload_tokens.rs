//! Files stored before the submit. Their records are pending until a submit claims them by their tokens. Only the hash
//! of a token is stored.

use serde_json::Value;

use super::uploads::{PENDING_MS, among_keys};
use super::{Batch, Result, dialect, execute, select, select_one};
use crate::task::Context;

/// Lifetime of a token, in milliseconds.
pub const TOKEN_MS: i64 = 86_400_000;

/// A file that has a token.
#[derive(Clone, Debug, serde::Deserialize)]
#[allow(missing_docs, reason = "the members are columns of those names")]
pub struct TokenFile {
    pub token_hash: String,
    pub form_id: i64,
    /// The submission that has claimed the file; 0 while the file is pending.
    pub submission_id: i64,
    pub field_name: String,
    pub filename: String,
    pub content_type: String,
    pub size: u64,
    pub file_key: String,
    pub sha256: String,
    pub expires_at: i64,
}

/// Finds files by the hashes of their tokens, including claimed files.
pub async fn find(cx: &Context, token_hashes: &[String]) -> Result<Vec<TokenFile>> {
    if token_hashes.is_empty() {
        return Ok(Vec::new());
    }
    let listed = dialect(cx).listed("?1");
    let sql = format!(
        "SELECT token_hash, form_id, submission_id, field_name, filename, content_type, size, file_key, sha256, expires_at \
         FROM cf_uploads WHERE token_hash IN (SELECT listed.value FROM {listed}) AND +submission_id >= 0 ORDER BY id"
    );
    select(cx, sql, params![Value::from(token_hashes).to_string()]).await
}

/// A token to issue for a stored file.
#[derive(Clone, Debug)]
pub struct NewToken {
    /// The key of the file.
    pub file_key: String,
    /// The hash of the token.
    pub token_hash: String,
    /// The hash of the file's bytes.
    pub sha256: String,
    /// Keyed hashes of the email addresses that were sent with the file.
    pub owners: Vec<String>,
}

/// Gives tokens to pending files, and keeps the files until the tokens expire. Returns the time of expiry and, for each
/// token, whether it was issued. A token is not issued if its file was purged or if another file has the token.
pub async fn issue(cx: &Context, tokens: &[NewToken]) -> Result<(i64, Vec<bool>)> {
    let expires_at = cx.now() + TOKEN_MS;
    let mut batch = Batch::new(cx);
    let places = tokens.iter().map(|token| {
        batch.add(
            "UPDATE cf_uploads SET token_hash = ?1, sha256 = ?2, owners = ?3, expires_at = ?4, created_at = ?5 \
             WHERE +submission_id = 0 AND file_key = ?6 AND NOT EXISTS \
               (SELECT 1 FROM cf_uploads u WHERE u.token_hash = ?1 AND +u.submission_id >= 0)",
            params![
                &token.token_hash,
                &token.sha256,
                spaced(&token.owners),
                expires_at,
                expires_at - PENDING_MS,
                &token.file_key
            ],
        )
    });
    let places: Vec<usize> = places.collect();
    let results = batch.run().await?;
    let issued = places.into_iter().map(|place| results.changes(place) > 0);
    Ok((expires_at, issued.collect()))
}

fn spaced(words: &[String]) -> String {
    if words.is_empty() {
        return String::new();
    }
    format!(" {} ", words.join(" "))
}

/// Records the owners of pending files, so that requests for personal data find the files.
pub async fn note_owners(cx: &Context, keys: &[String], owners: &[String]) -> Result<()> {
    if keys.is_empty() || owners.is_empty() {
        return Ok(());
    }
    let sql = among_keys(cx, "UPDATE cf_uploads SET owners = ?1 WHERE ", "?2");
    let keys = Value::from(keys).to_string();
    execute(cx, sql, params![spaced(owners), keys])
        .await
        .map(drop)
}

/// The bytes and the number of a form's unclaimed files.
pub async fn unclaimed(cx: &Context, form_id: i64) -> Result<(u64, u64)> {
    let sql = "SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT), COUNT(*) FROM cf_uploads \
         WHERE form_id = ?1 AND submission_id = 0";
    let found: Option<(u64, u64)> = select_one(cx, sql, params![form_id]).await?;
    Ok(found.unwrap_or_default())
}

/// Marks pending files of a form as abandoned, by the hashes of their tokens. Claimed files stay. Returns the keys of
/// the abandoned files, which the caller must remove.
pub async fn forget(cx: &Context, form_id: i64, token_hashes: &[String]) -> Result<Vec<String>> {
    let listed = dialect(cx).listed("?2");
    let sql = format!(
        "UPDATE cf_uploads SET submission_id = -1, created_at = 0 WHERE form_id = ?1 AND +submission_id = 0 \
         AND token_hash IN (SELECT listed.value FROM {listed}) RETURNING file_key"
    );
    let hashes = Value::from(token_hashes).to_string();
    select(cx, sql, params![form_id, hashes]).await
}

/// Marks the pending files with these keys as abandoned, except files that another submit has claimed. Returns the keys
/// of the marked files, which the caller must remove.
pub async fn abandon(cx: &Context, keys: &[String]) -> Result<Vec<String>> {
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let begin = "UPDATE cf_uploads SET submission_id = -1, created_at = 0 WHERE ";
    let sql = among_keys(cx, begin, "?1") + " RETURNING file_key";
    select(cx, sql, params![Value::from(keys).to_string()]).await
}

/// Marks the pending files of an email address's owner as abandoned, by the hashes of the address. Returns the keys of
/// the files, which the caller must remove.
pub async fn abandon_of(cx: &Context, address_hashes: &[String]) -> Result<Vec<String>> {
    let listed = dialect(cx).listed("?1");
    let sql = format!(
        "UPDATE cf_uploads SET submission_id = -1, created_at = 0 WHERE submission_id = 0 AND owners <> '' \
         AND EXISTS (SELECT 1 FROM {listed} WHERE owners LIKE '% ' || listed.value || ' %') RETURNING file_key"
    );
    select(cx, sql, params![Value::from(address_hashes).to_string()]).await
}
