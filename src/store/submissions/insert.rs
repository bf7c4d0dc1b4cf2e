//! Storing a submission: one batch, in which each step depends on the last by what it left in the
//! tables, so that no error of the database decides anything.

use std::rc::Rc;

use serde::Deserialize;
use serde_json::Value;

use super::super::queue::NewEntry;
use super::super::rate_limits::{Gate, Refusal, add_looks, refusal};
use super::super::row::IntegerText;
use super::super::stats::Count;
use super::super::{
    Batch, Bindings, Composed, Dialect, Result, Results, StoreError, answer_names, composed, queue,
    search, select_one, stats, uploads,
};
use super::Written;
use crate::task::{Context, PortError};
use model::analytics::Arrival;
use model::analytics::answers::AnswerCounts;
use model::dates::DAY_MS;
use model::status::UNSAVED;
use model::values::list_of_lists;
use model::{StoredFile, Submission};

/// How long keys of submits are kept.
pub const KEYS_KEPT_MS: i64 = 7 * DAY_MS;

/// The hashes by which a repeat of a submit is recognized: the same key and the same answers.
#[derive(Clone, Debug)]
pub struct KeyHashes {
    /// Hash of the key that the visitor's page or the client sent.
    pub key: String,
    /// Hash of the answers.
    pub answers: String,
    /// How long the key counts, in milliseconds; at most [`KEYS_KEPT_MS`].
    pub counts_ms: i64,
}

/// The key of a submission to be stored.
#[derive(Clone, Debug)]
pub struct Key {
    /// The hashes by which a repeat is recognized.
    pub hashes: KeyHashes,
    /// The response to a repeat, less the submission's id.
    pub answer: String,
}

/// A submission to be stored.
#[derive(Clone, Debug)]
pub struct NewSubmission {
    /// Its key inside the engine, a fresh UUID.
    pub uuid: String,
    /// The submission; its id does not count.
    pub submission: Submission,
    /// Whether the form keeps its submissions. If not, the row goes as soon as its actions have
    /// succeeded, and is in no list and no index until then.
    pub saved: bool,
    /// How long the visitor took from the first input, where the page says so.
    pub seconds_taken: Option<i64>,
    /// The key by which a repeat is recognized.
    pub key: Option<Key>,
    /// Keyed hashes of the email addresses in its answers, by which their owners find it.
    pub address_hashes: Vec<String>,
    /// What its answers count towards.
    pub counted: AnswerCounts,
    /// The gates that it must pass.
    pub gates: Vec<Gate>,
    /// Its actions; kept back for spam.
    pub entries: Rc<[NewEntry]>,
    /// The revision that the form must have, where it was not read for this submit.
    pub revision: Option<i64>,
}

impl NewSubmission {
    fn status(&self) -> &str {
        if self.saved {
            &self.submission.status
        } else {
            UNSAVED
        }
    }
}

/// The result of storing a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inserted {
    /// It is stored, under that id, with all that belongs to it.
    Stored(i64),
    /// The key has been used: what was answered then, and the id of then.
    Repeated {
        /// The stored answer.
        answer: String,
        /// The id, or 0 where the form kept no submissions.
        submission_id: i64,
    },
    /// The key has been used for other answers; nothing is stored.
    KeyReused,
    /// A gate refuses it; nothing is stored.
    Refused(Refusal),
    /// The records of files in these fields were purged meanwhile; nothing is stored.
    FilesGone(Vec<String>),
    /// The form was deleted meanwhile, or has another revision than it must have; nothing is stored.
    FormGone,
}

/// Checks whether a submit is a repeat, then whether a gate is closed, without holding it open:
/// `None` where nothing stands against it yet; [`insert`] decides.
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
    let refusal = refusal(gates, &looks, &mut results, cx.now())?;
    Ok(refusal.map(Inserted::Refused))
}

/// The places of what locks among the statements that batches share: in one order, so that no two
/// batches wait for each other.
const FORMS: i8 = -4;
const EXPIRED_KEYS: i8 = -3;
const KEYS: i8 = -2;
const LIMITS: i8 = -1;

/// The place of what a submission leaves beside its row.
const BESIDE: i8 = 1;

/// How often a submission is attempted: the key of one attempt may be expired, or taken back by another batch.
const MAX_ATTEMPTS: usize = 3;

/// The result of one batch that stores a submission.
enum Attempt {
    Settled(Inserted),
    /// The key must be claimed again: a batch of the same transaction took it and stored nothing, or it is
    /// the expired key of the submission with this UUID.
    ClaimAgain {
        expired: Option<String>,
    },
}

/// Stores a submission with its entries of the queue, its words, its files' records and its counts, or nothing at all.
pub async fn insert(cx: &Context, new: &NewSubmission) -> Result<Inserted> {
    let mut expired_key = None;
    for _ in 0..MAX_ATTEMPTS {
        match attempt(cx, new, expired_key.take()).await? {
            Attempt::Settled(inserted) => return Ok(inserted),
            Attempt::ClaimAgain { expired } => expired_key = expired,
        }
    }
    let (port, code) = ("sql".to_owned(), "busy".to_owned());
    let message = "other submits hold the key of this one".to_owned();
    Err(StoreError::Port(PortError {
        port,
        code,
        message,
    }))
}

/// Runs one batch that stores a submission, after it has deleted the expired key of an earlier one.
async fn attempt(
    cx: &Context,
    new: &NewSubmission,
    expired_key: Option<String>,
) -> Result<Attempt> {
    let submission = &new.submission;
    let form_id = submission.form_id;
    let now = cx.now();
    let mut batch = Batch::new(cx);
    // How many there are must be known to the next, and what is not kept goes at the end.
    let shares = new.saved && !new.gates.iter().any(Gate::counts_all);
    let place = |place: i8| if shares { place } else { 0 };

    // A deletion of the form waits for this, or this finds the form gone. Before all else, since
    // the deletion begins with the form too.
    if batch.dialect() == Dialect::Postgres {
        let forms = batch.dialect().listed("?1");
        let sql = format!(
            "SELECT f.slug FROM cf_forms f WHERE f.id IN (SELECT CAST(listed.value AS BIGINT) FROM {forms}) \
             ORDER BY f.id FOR KEY SHARE"
        );
        batch.add_rows(sql.into(), vec![form_id.to_string()], place(FORMS));
    }
    if let Some(uuid) = expired_key {
        let uuids = batch.dialect().listed("?1");
        let sql = format!(
            "DELETE FROM cf_submission_keys WHERE submission_uuid IN (SELECT listed.value FROM {uuids})"
        );
        let row = Value::from(uuid).to_string();
        batch.add_rows(sql.into(), vec![row], place(EXPIRED_KEYS));
    }
    let key = new.key.as_ref().map(|key| {
        claim_key(&mut batch, new, key, place(KEYS));
        read_key(&mut batch, form_id, &key.hashes)
    });
    for gate in &new.gates {
        gate.lock(&mut batch, form_id, place(LIMITS));
    }
    let held = uploads::hold(&mut batch, &submission.files);
    let read = insert_row(&mut batch, new)?;
    let looks = add_looks(&mut batch, &new.gates, form_id);
    for gate in &new.gates {
        gate.count(&mut batch, form_id, &new.uuid);
    }
    let written = Written {
        uuid: &new.uuid,
        change_token: &new.uuid,
        gathered: place(BESIDE),
    };
    // What is not kept is searched by nobody; but what its actions leave behind is found by who it is about.
    if new.saved || !new.entries.is_empty() && !submission.is_spam {
        let (dialect, hashes) = (batch.dialect(), &new.address_hashes);
        let words = search::row(dialect, submission, new.status(), written, hashes);
        search::add_rows(&mut batch, vec![words], written.gathered);
    }
    if new.saved {
        answer_names::add(&mut batch, &new.uuid, submission);
    }
    uploads::attach(&mut batch, &new.uuid, &submission.files);
    if !submission.is_spam {
        let rows = queue::rows(written, &new.entries, now);
        queue::add_rows(&mut batch, rows, written.gathered);
    }
    let arrival = Arrival::of(submission, submission.is_spam).taking(new.seconds_taken);
    let counts = counts(new, &arrival);
    stats::add(&mut batch, submission.submitted_at, counts, written);
    settle(&mut batch, new);

    let mut results = batch.run().await?;
    if let Some(IntegerText(id)) = results.first(read)? {
        if new.saved {
            answer_names::remember(cx, submission);
        }
        return Ok(Attempt::Settled(Inserted::Stored(id)));
    }
    let used = used_key(&mut results, key)?;
    let is_taken_back = key.is_some() && used.is_none();
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
    let refusal = refusal(&new.gates, &looks, &mut results, now)?;
    let gone = uploads::fields_without_record(&submission.files, held, &mut results)?;
    Ok(match refusal {
        Some(refusal) => Attempt::Settled(Inserted::Refused(refusal)),
        None if is_taken_back => Attempt::ClaimAgain { expired: None },
        None if !gone.is_empty() && is_there(cx, form_id).await? => {
            Attempt::Settled(Inserted::FilesGone(gone))
        }
        None => Attempt::Settled(Inserted::FormGone),
    })
}

async fn is_there(cx: &Context, form_id: i64) -> Result<bool> {
    let sql = "SELECT id FROM cf_forms WHERE id = ?1";
    let id: Option<i64> = select_one(cx, sql, params![form_id]).await?;
    Ok(id.is_some())
}

/// Takes the key, unless somebody has it. On PostgreSQL this waits for a batch that is about to take it.
fn claim_key(batch: &mut Batch, new: &NewSubmission, key: &Key, place: i8) {
    let sql = format!(
        "INSERT INTO cf_submission_keys (form_id, submission_key, submission_uuid, submission_id, answer, created_at, answers_hash) \
         SELECT CAST(listed.value ->> 0 AS BIGINT), listed.value ->> 1, listed.value ->> 2, 0, listed.value ->> 3, \
           CAST(listed.value ->> 4 AS BIGINT), listed.value ->> 5 FROM {} WHERE 1 = 1 ORDER BY 1, 2, listed.key \
         ON CONFLICT (form_id, submission_key) DO NOTHING",
        batch.dialect().listed_rows("?1"),
    );
    let row = row![
        new.submission.form_id,
        &key.hashes.key,
        &new.uuid,
        &key.answer,
        batch.context.now(),
        &key.hashes.answers
    ];
    batch.add_rows(sql.into(), vec![row], place);
}

#[derive(Deserialize)]
struct UsedKey {
    submission_uuid: String,
    submission_id: IntegerText,
    answer: String,
    is_repeat: bool,
    is_expired: bool,
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

/// Reads the stored key of a submit. One without answers, of an older version, counts as a repeat.
fn read_key(batch: &mut Batch, form_id: i64, hashes: &KeyHashes) -> usize {
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

fn used_key(results: &mut Results, place: Option<usize>) -> Result<Option<UsedKey>> {
    place.map_or(Ok(None), |place| results.first(place))
}

/// What follows INTO to store a row, before the gates that must be open: under the form's revision where it was not
/// read for this submit, and only if the key is its own where it has one. RETURNING follows the gates.
const ROW: &str = "cf_submissions (uuid, change_token, form_id, status, is_spam, actions_withheld, \
    spam_score, spam_reasons, data, files, ip_address, user_agent, referer_url, page_url, schema_revision, submitted_at, \
    modified_at, counted) SELECT ?1, ?1, f.id, ?3, CAST(?4 AS BIGINT), CAST(?4 AS BIGINT), CAST(?5 AS BIGINT), ?6, ?7, ?8, \
    ?9, ?10, ?11, ?12, CAST(?13 AS BIGINT), CAST(?14 AS BIGINT), CAST(?15 AS BIGINT), ?16 FROM cf_forms f WHERE f.id = ?2 \
    AND f.revision = COALESCE(CAST(?17 AS BIGINT), f.revision) AND (CAST(?18 AS TEXT) IS NULL OR EXISTS \
    (SELECT 1 FROM cf_submission_keys WHERE form_id = f.id AND submission_key = CAST(?18 AS TEXT) AND submission_uuid = ?1))";
const RETURNING: &str = " RETURNING CAST(id AS TEXT)";

/// Adds the row, if the form is there in the revision that it was read in, the key is this submission's, every gate
/// is open and every file has its record. It gives the id, as text: PostgreSQL's adapter need not look at text before it commits.
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
    ]);
    if new.gates.is_empty() && submission.files.is_empty() {
        static SQL: Composed =
            Composed::new(|| composed(|dialect| [dialect.insert_one(), ROW, RETURNING].concat()));
        return Ok(batch.add(batch.dialect().choose(&SQL), bindings.values()));
    }
    let mut sql = [batch.dialect().insert_one(), ROW].concat();
    for gate in &new.gates {
        let is_open = gate.is_open(&mut bindings, submission.form_id);
        sql += &format!(" AND {is_open}");
    }
    if !submission.files.is_empty() {
        let are_held = uploads::are_held(&mut bindings, batch.dialect(), &submission.files);
        sql += &format!(" AND {are_held}");
    }
    sql += RETURNING;
    Ok(batch.add(sql, bindings.values()))
}

fn counts<'n>(new: &'n NewSubmission, arrival: &'n Arrival) -> Vec<Count<'n>> {
    let submission = &new.submission;
    let mut counts = Count::arrival(arrival, submission.submitted_at, 1);
    counts.extend(Count::answers(&new.counted, submission.is_spam, 1));
    if new.saved {
        counts.push(Count::status(&submission.status, 1));
    }
    if !submission.is_spam && !new.entries.is_empty() {
        counts.push(Count::new_entries(new.entries.len()));
    }
    counts
}

/// Adds what ends the batch: the key learns the id, or is free again where nothing was stored; a
/// row that nobody keeps or waits for goes.
fn settle(batch: &mut Batch, new: &NewSubmission) {
    if new.key.is_some() {
        batch.add(
            "DELETE FROM cf_submission_keys WHERE submission_uuid = ?1 \
             AND NOT EXISTS (SELECT 1 FROM cf_submissions WHERE uuid = ?1)",
            params![&new.uuid],
        );
        if new.saved {
            batch.add(
                "UPDATE cf_submission_keys SET submission_id = (SELECT id FROM cf_submissions WHERE uuid = ?1) \
                 WHERE submission_uuid = ?1",
                params![&new.uuid],
            );
        }
    }
    if !new.saved {
        batch.add(
            "DELETE FROM cf_submissions WHERE uuid = ?1 AND NOT EXISTS \
             (SELECT 1 FROM cf_action_queue q WHERE q.submission_id = cf_submissions.id)",
            params![&new.uuid],
        );
    }
}
