//! The idempotency keys by which repeated submits are recognized.

use model::dates::DAY_MS;
use serde::Deserialize;
use serde_json::Value;

use super::super::row::IntegerText;
use super::super::{Batch, Result, Results};

/// Retention of submission keys.
pub const KEY_RETENTION_MS: i64 = 7 * DAY_MS;

/// The hashes that identify a repeated submit: the same key and the same answers.
#[derive(Clone, Debug)]
pub struct KeyHashes {
    /// The hash of the key that the visitor's page or the client sent.
    pub key: String,
    /// The hash of the answers.
    pub answers: String,
    /// The lifetime of the key, in milliseconds; at most [`KEY_RETENTION_MS`].
    pub counts_ms: i64,
}

/// The key of a submission to be stored.
#[derive(Clone, Debug)]
pub struct Key {
    /// The hashes that identify a repeat.
    pub hashes: KeyHashes,
    /// The outcome that a repeat returns, as JSON without the submission's id.
    pub answer: String,
}

/// Adds a statement that claims the key, unless another submission has it. On PostgreSQL, the statement waits until a
/// concurrent claim commits.
pub(super) fn claim_key(batch: &mut Batch, form_id: i64, uuid: &str, key: &Key, place: i8) {
    let sql = format!(
        "INSERT INTO cf_submission_keys (form_id, submission_key, submission_uuid, submission_id, answer, created_at, answers_hash) \
         SELECT CAST(listed.value ->> 0 AS BIGINT), listed.value ->> 1, listed.value ->> 2, 0, listed.value ->> 3, \
           CAST(listed.value ->> 4 AS BIGINT), listed.value ->> 5 FROM {} WHERE 1 = 1 ORDER BY 1, 2, listed.key \
         ON CONFLICT (form_id, submission_key) DO NOTHING",
        batch.dialect().listed_rows("?1"),
    );
    let row = row![
        form_id,
        &key.hashes.key,
        uuid,
        &key.answer,
        batch.context.now(),
        &key.hashes.answers
    ];
    batch.add_rows(sql.into(), vec![row], place);
}

/// The stored key of a submit.
#[derive(Deserialize)]
pub(super) struct UsedKey {
    pub(super) submission_uuid: String,
    pub(super) submission_id: IntegerText,
    pub(super) answer: String,
    pub(super) is_repeat: bool,
    pub(super) is_expired: bool,
}

/// Adds a statement that reads the stored key of a submit. A key without a hash of the answers comes from an older
/// version and counts as a repeat.
pub(super) fn read_key(batch: &mut Batch, form_id: i64, hashes: &KeyHashes) -> usize {
    batch.add(
        "SELECT submission_uuid, CAST(submission_id AS TEXT), answer, \
           CASE WHEN answers_hash IN ('', ?3) THEN 1 ELSE 0 END AS is_repeat, \
           CASE WHEN created_at < ?4 THEN 1 ELSE 0 END AS is_expired \
         FROM cf_submission_keys WHERE form_id = ?1 AND submission_key = ?2",
        params![
            form_id,
            &hashes.key,
            &hashes.answers,
            batch.context.now() - hashes.counts_ms
        ],
    )
}

/// Reads the stored key from the result of [`read_key`]; `None` without an index.
pub(super) fn used_key(results: &mut Results, place: Option<usize>) -> Result<Option<UsedKey>> {
    place.map_or(Ok(None), |place| results.first(place))
}

/// Adds a statement that deletes the key of the submission with a UUID.
pub(super) fn delete_key(batch: &mut Batch, uuid: String, place: i8) {
    let uuids = batch.dialect().listed("?1");
    let sql = format!(
        "DELETE FROM cf_submission_keys WHERE submission_uuid IN (SELECT listed.value FROM {uuids})"
    );
    let row = Value::from(uuid).to_string();
    batch.add_rows(sql.into(), vec![row], place);
}
