//! Stores a submission in one batch. Each statement depends on the rows that earlier ones wrote, never on an error of
//! the database.

use serde_json::Value;

use super::super::rate_limits::{Gate, GateRejection, add_looks, rejection};
use super::super::row::IntegerText;
use super::super::{
    Batch, Bindings, Composed, Dialect, Result, StoreError, answer_names, composed, holds, uploads,
};
use super::form_exists;
use super::key::{KeyHashes, UsedKey, claim_key, delete_key, read_key, used_key};
use super::new::{NewSubmission, add_dependents, settle};
use crate::task::{Context, PortError};
use model::StoredFile;
use model::values::list_of_lists;

/// The result of storing a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inserted {
    /// The submission is stored under this id.
    Stored(i64),
    /// The key was used before.
    Repeated {
        /// The stored outcome of the first submit, as JSON.
        answer: String,
        /// The submission's id, or 0 if the form kept no submissions.
        submission_id: i64,
    },
    /// The key was used for other answers; nothing is stored.
    KeyReused,
    /// A gate rejects the submission; nothing is stored.
    Rejected(GateRejection),
    /// A value or a seat is no longer free; nothing is stored.
    Taken,
    /// The purge has removed the file records of these fields; the submission is not stored.
    FilesGone(Vec<String>),
    /// The form has been deleted, or has another revision than required; the submission is not stored.
    FormGone,
}

/// Checks without locks whether a submit is a repeat or a gate is closed. Returns `None` if the submit may continue.
/// [`insert`] makes the final decision.
pub async fn screen(
    cx: &Context,
    form_id: i64,
    hashes: Option<&KeyHashes>,
    gates: &[Gate],
) -> Result<Option<Inserted>> {
    if hashes.is_none() && gates.is_empty() {
        return Ok(None);
    }
    let mut batch = Batch::new(cx);
    let key = hashes.map(|hashes| read_key(&mut batch, form_id, hashes));
    let looks = add_looks(&mut batch, gates, form_id);
    let mut results = batch.run().await?;
    let used = used_key(&mut results, key)?;
    if let Some(used) = used.filter(|used| !used.is_expired) {
        return Ok(Some(used.into()));
    }
    let rejection = rejection(gates, &looks, &mut results, cx.now())?;
    Ok(rejection.map(Inserted::Rejected))
}

/// The positions of the locking statements that batches share. Their fixed order prevents deadlocks. The tables of
/// [`holds`] follow with -2 and -1.
const FORMS: i8 = -6;
const EXPIRED_KEYS: i8 = -5;
const KEYS: i8 = -4;
const LIMITS: i8 = -3;

/// The position of shared statements that come after the submission's row.
const BESIDE: i8 = 1;

/// Limit on the attempts to store a submission. An attempt is repeated if its key was expired, or freed by another
/// batch.
const MAX_ATTEMPTS: usize = 3;

/// The result of one batch that stores a submission.
enum Attempt {
    Settled(Inserted),
    /// The key must be claimed again. Either another batch of the transaction took it and stored nothing, or the
    /// submission with the UUID `expired` still has it although the key has expired.
    ClaimAgain {
        expired: Option<String>,
    },
}

/// Stores a submission with its queue entries, index words, file records and counts, or nothing at all.
pub async fn insert(cx: &Context, new: &NewSubmission) -> Result<Inserted> {
    let mut expired_key = None;
    for _ in 0..MAX_ATTEMPTS {
        match attempt(cx, new, expired_key.take()).await? {
            Attempt::Settled(inserted) => return Ok(inserted),
            Attempt::ClaimAgain { expired } => expired_key = expired,
        }
    }
    let (port, code) = ("sql".to_owned(), "busy".to_owned());
    let message = "other submits have this submit's key".to_owned();
    Err(StoreError::Port(PortError {
        port,
        code,
        message,
    }))
}

/// Runs one batch that stores a submission. The batch first deletes the key of the submission with the UUID
/// `expired_key`.
async fn attempt(
    cx: &Context,
    new: &NewSubmission,
    expired_key: Option<String>,
) -> Result<Attempt> {
    let submission = &new.submission;
    let form_id = submission.form_id;
    let mut batch = Batch::new(cx);
    // Two kinds of batches must not share statements: those with a gate on the total, which must see each earlier row,
    // and those with an unsaved row, which is deleted at the end of its batch.
    let can_share = new.saved && !new.gates.iter().any(Gate::counts_all);
    let place = |place: i8| if can_share { place } else { 0 };

    lock_form(&mut batch, form_id, place(FORMS));
    if let Some(uuid) = expired_key {
        delete_key(&mut batch, uuid, place(EXPIRED_KEYS));
    }
    let key = new.key.as_ref().map(|key| {
        claim_key(&mut batch, form_id, &new.uuid, key, place(KEYS));
        read_key(&mut batch, form_id, &key.hashes)
    });
    for gate in &new.gates {
        gate.lock(&mut batch, form_id, place(LIMITS));
    }
    holds::lock(&mut batch, form_id, new.taken(), can_share);
    let locked = uploads::lock_pending(&mut batch, &submission.files);
    let read = insert_row(&mut batch, new)?;
    let looks = add_looks(&mut batch, &new.gates, form_id);
    add_dependents(&mut batch, new, place(BESIDE));
    settle(&mut batch, new);

    let mut results = batch.run().await?;
    if let Some(IntegerText(id)) = results.first(read)? {
        if new.saved {
            answer_names::remember(cx, submission);
        }
        return Ok(Attempt::Settled(Inserted::Stored(id)));
    }
    let used = used_key(&mut results, key)?;
    let is_key_freed = key.is_some() && used.is_none();
    if let Some(used) = used
        && used.submission_uuid != new.uuid
    {
        return Ok(if used.is_expired {
            let expired = Some(used.submission_uuid);
            Attempt::ClaimAgain { expired }
        } else {
            Attempt::Settled(used.into())
        });
    }
    let rejection = rejection(&new.gates, &looks, &mut results, cx.now())?;
    let gone = uploads::fields_without_record(&submission.files, locked, &mut results)?;
    unstored(cx, new, rejection, is_key_freed, gone).await
}

/// Adds a lock on the form. A concurrent deletion waits for this batch, or this batch finds that the form does not
/// exist. As in the deletion, the lock comes first.
fn lock_form(batch: &mut Batch, form_id: i64, place: i8) {
    if batch.dialect() == Dialect::Postgres {
        let forms = batch.dialect().listed("?1");
        let sql = format!(
            "SELECT f.slug FROM cf_forms f WHERE f.id IN (SELECT CAST(listed.value AS BIGINT) FROM {forms}) \
             ORDER BY f.id FOR KEY SHARE"
        );
        batch.add_rows(sql.into(), vec![form_id.to_string()], place);
    }
}

/// Determines why a batch stored nothing although its key is free.
async fn unstored(
    cx: &Context,
    new: &NewSubmission,
    rejection: Option<GateRejection>,
    is_key_freed: bool,
    gone: Vec<String>,
) -> Result<Attempt> {
    let form_id = new.submission.form_id;
    if let Some(rejection) = rejection {
        return Ok(Attempt::Settled(Inserted::Rejected(rejection)));
    }
    if is_key_freed {
        return Ok(Attempt::ClaimAgain { expired: None });
    }
    if holds::is_any_taken(cx, form_id, new.taken()).await? {
        return Ok(Attempt::Settled(Inserted::Taken));
    }
    let is_free_again = !new.taken().is_empty() && new.revision.is_none();
    if gone.is_empty() && !is_free_again || !form_exists(cx, form_id).await? {
        return Ok(Attempt::Settled(Inserted::FormGone));
    }
    if gone.is_empty() {
        return Ok(Attempt::ClaimAgain { expired: None });
    }
    Ok(Attempt::Settled(Inserted::FilesGone(gone)))
}

impl From<UsedKey> for Inserted {
    fn from(used: UsedKey) -> Inserted {
        if used.is_repeat {
            Inserted::Repeated {
                answer: used.answer,
                submission_id: used.submission_id.0,
            }
        } else {
            Inserted::KeyReused
        }
    }
}

/// The statement that stores a row, from `INTO` to the conditions on the form's revision and the key. The conditions on
/// gates and files follow, then [`RETURNING`].
const ROW: &str = "cf_submissions (uuid, change_token, form_id, status, is_spam, actions_withheld, \
    spam_score, spam_reasons, data, files, ip_address, user_agent, referer_url, page_url, schema_revision, submitted_at, \
    modified_at, counted, held) SELECT ?1, ?1, f.id, ?3, CAST(?4 AS BIGINT), CAST(?4 AS BIGINT), CAST(?5 AS BIGINT), ?6, ?7, ?8, \
    ?9, ?10, ?11, ?12, CAST(?13 AS BIGINT), CAST(?14 AS BIGINT), CAST(?15 AS BIGINT), ?16, ?19 FROM cf_forms f WHERE f.id = ?2 AND f.trashed_at IS NULL \
    AND f.revision = COALESCE(CAST(?17 AS BIGINT), f.revision) AND (CAST(?18 AS TEXT) IS NULL OR EXISTS \
    (SELECT 1 FROM cf_submission_keys WHERE form_id = f.id AND submission_key = CAST(?18 AS TEXT) AND submission_uuid = ?1))";
const RETURNING: &str = " RETURNING CAST(id AS TEXT)";

/// Adds the statement that stores the row. Its conditions are: the form has the required revision, this submission has
/// the key, every gate is open, every hold is free and every file has its record. The statement returns the id as text,
/// which PostgreSQL's adapter need not inspect before it commits.
fn insert_row(batch: &mut Batch, new: &NewSubmission) -> Result<usize> {
    let submission = &new.submission;
    let files = Value::from_iter(submission.files.iter().map(StoredFile::stored));
    let counted = new.counted.iter();
    let mut bindings = Bindings(vec![
        new.uuid.as_str().into(),
        submission.form_id.into(),
        new.status().into(),
        submission.is_spam.into(),
        submission.spam_score.into(),
        serde_json::to_string(&submission.spam_reasons)?.into(),
        serde_json::to_string(&submission.data)?.into(),
        serde_json::to_string(&files)?.into(),
        submission.ip_address.as_str().into(),
        submission.user_agent.as_str().into(),
        submission.referer_url.as_str().into(),
        submission.page_url.as_str().into(),
        submission.schema_revision.into(),
        submission.submitted_at.into(),
        submission.modified_at.into(),
        list_of_lists(counted.map(|(metric, label, by)| items![&**metric, label, *by])).into(),
        new.revision.into(),
        new.key.as_ref().map(|key| key.hashes.key.as_str()).into(),
        holds::stored(&new.holds).into(),
    ]);
    if new.gates.is_empty() && new.taken().is_empty() && submission.files.is_empty() {
        static SQL: Composed =
            Composed::new(|| composed(|dialect| [dialect.insert_one(), ROW, RETURNING].concat()));
        return Ok(batch.add(batch.dialect().choose(&SQL), bindings.values()));
    }
    let mut sql = [batch.dialect().insert_one(), ROW].concat();
    for gate in &new.gates {
        let is_open = gate.is_open(&mut bindings, submission.form_id);
        sql += &format!(" AND {is_open}");
    }
    sql += &holds::are_free(&mut bindings, submission.form_id, new.taken());
    if !submission.files.is_empty() {
        let have_records = uploads::have_records(&mut bindings, batch.dialect(), &submission.files);
        sql += &format!(" AND {have_records}");
    }
    sql += RETURNING;
    Ok(batch.add(sql, bindings.values()))
}
