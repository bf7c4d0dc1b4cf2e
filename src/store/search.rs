//! The index of submissions by their words: FTS5 on SQLite, a `tsvector` on PostgreSQL. Words come
//! split and folded (`src/submissions/words.rs`), so they hold letters and digits alone.

use std::collections::BTreeSet;

use super::submissions::{self, StatusFilter, StoredSubmission};
use super::{Batch, Dialect, StoreError};
use crate::submissions::{
    SPAM, Submission, TRASH, UNSAVED, address_word, form_word, listed_word, status_word, words_of,
};
use crate::task::{Context, SqlValue};

/// A word of fewer characters is asked for as it is, not as a prefix: every submission has a word
/// that begins with some letter.
const MIN_PREFIX_CHARS: usize = 2;

/// Adds what indexes a submission that the batch has written with this change token: under its
/// words, its id, its form, its status and the email addresses in it.
pub(super) fn write(
    batch: &mut Batch<'_>,
    submission: &Submission,
    status: &str,
    submission_uuid: &str,
    change_token: &str,
    address_hashes: &[String],
) {
    let words = text(submission, status, address_hashes);
    let values = vec![words.into(), submission_uuid.into(), change_token.into()];
    add_write(batch, "", values);
}

/// Adds what writes the words `?1` of the submission with the key `?2` that has the change token `?3`,
/// with a lock on it in PostgreSQL.
fn add_write(batch: &mut Batch<'_>, lock: &str, values: Vec<SqlValue>) {
    let words = "?1 || CASE WHEN status = 'unsaved' THEN '' ELSE ' ' || id END";
    let from = "FROM cf_submissions WHERE uuid = ?2 AND change_token = ?3";
    let sql = match batch.dialect() {
        Dialect::Sqlite => format!(
            "INSERT OR REPLACE INTO cf_submission_search (rowid, words) SELECT id, {words} {from}"
        ),
        Dialect::Postgres => format!(
            "INSERT INTO cf_submission_search (rowid, words) \
             SELECT id, array_to_tsvector(string_to_array({words}, ' ')) {from}{lock} \
             ON CONFLICT (rowid) DO UPDATE SET words = excluded.words"
        ),
    };
    batch.add_composed(sql, values);
}

/// The words of a submission in a status and of its marks, its id left out, which it may not have yet.
fn text(submission: &Submission, status: &str, address_hashes: &[String]) -> String {
    let mut words = match status {
        // It is in no list; but its owner can ask what is there of them.
        UNSAVED => BTreeSet::new(),
        _ => words_of(submission),
    };
    words.extend(address_hashes.iter().map(|hash| address_word(hash)));
    words.insert(form_word(submission.form_id));
    words.insert(status_word(status));
    if ![SPAM, TRASH, UNSAVED].contains(&status) {
        words.insert(listed_word());
    }
    words.into_iter().collect::<Vec<_>>().join(" ")
}

/// What [`reindexed`] brings the index to. Whoever changes what is written raises it.
const VERSION: i64 = 1;

/// How many submissions are indexed anew in one transaction.
const REINDEXED: i64 = 200;

/// The place of an index that is brought to this version: what comes later is written in it.
const DONE: i64 = crate::rest::MAX_SAFE_INTEGER;

/// The next submissions that are to be indexed anew, because an older version of the engine did not
/// index all that is asked for now; empty when all are.
pub async fn outdated(cx: &Context) -> Result<Vec<StoredSubmission>, StoreError> {
    let mut batch = Batch::new(cx);
    // The place is the version, and the last id that has it.
    let place = batch.add(
        "SELECT CAST(value AS BIGINT) FROM cf_settings WHERE name = ?1",
        vec![place_name().into()],
    );
    let row = batch.run().await?.first(place);
    let last = row.map_or(Ok(0), |row| row.integer(0))?;
    if last == DONE {
        return Ok(Vec::new());
    }
    let outdated = submissions::following(cx, last, REINDEXED).await?;
    if outdated.is_empty() {
        let mut batch = Batch::new(cx);
        remember_place(&mut batch, DONE);
        batch.run().await?;
    }
    Ok(outdated)
}

/// Adds what remembers how far the index is of this version.
fn remember_place(batch: &mut Batch<'_>, last: i64) {
    batch.add(
        "INSERT INTO cf_settings (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        vec![place_name().into(), last.to_string().into()],
    );
}

/// Indexes submissions anew, with the keyed hashes of the addresses in them, and remembers the last.
/// Of one that is changed meanwhile the change indexes it.
pub async fn reindex(
    cx: &Context,
    outdated: &[(StoredSubmission, Vec<String>)],
) -> Result<(), StoreError> {
    let mut batch = Batch::new(cx);
    for (stored, address_hashes) in outdated {
        let StoredSubmission {
            submission,
            uuid,
            change_token,
            ..
        } = stored;
        let words = text(submission, &submission.status, address_hashes);
        let (uuid, change_token) = (uuid.as_str().into(), change_token.as_str().into());
        // Whoever changes or deletes it meanwhile waits, and so comes after.
        let lock = " FOR SHARE";
        add_write(&mut batch, lock, vec![words.into(), uuid, change_token]);
    }
    let last = outdated
        .last()
        .map_or(0, |(stored, _)| stored.submission.id);
    remember_place(&mut batch, last);
    batch.run().await.map(drop)
}

fn place_name() -> String {
    format!("search_indexed_{VERSION}")
}

/// Adds what takes out of the index what is known of submissions whose forms did not keep them, once
/// their entries of the queue and logs are gone.
pub(super) fn forget(batch: &mut Batch<'_>, submission_ids: &BTreeSet<i64>) {
    if submission_ids.is_empty() {
        return;
    }
    let mut bindings = super::Bindings::default();
    let ids: Vec<String> = submission_ids.iter().map(|id| bindings.bind(*id)).collect();
    let sql = format!(
        "DELETE FROM cf_submission_search WHERE rowid IN ({}) \
         AND NOT EXISTS (SELECT 1 FROM cf_submissions s WHERE s.id = cf_submission_search.rowid) \
         AND NOT EXISTS (SELECT 1 FROM cf_action_queue q WHERE q.submission_id = cf_submission_search.rowid) \
         AND NOT EXISTS (SELECT 1 FROM cf_action_logs l WHERE l.submission_id = cf_submission_search.rowid)",
        ids.join(", ")
    );
    batch.add_composed(sql, bindings.values());
}

/// The condition that a row `found` of the index matches a query, whose placeholder is given.
pub(super) fn matches(dialect: Dialect, query: &str) -> String {
    match dialect {
        Dialect::Sqlite => format!("found.cf_submission_search MATCH {query}"),
        Dialect::Postgres => format!("found.words @@ CAST({query} AS tsquery)"),
    }
}

/// The query that all words occur, each whole or as the beginning of a word, in the submissions of
/// a status, and of one form if one is given.
pub(super) fn query(
    dialect: Dialect,
    words: &[String],
    status: &StatusFilter,
    form_id: Option<i64>,
) -> String {
    let form = form_id.map(form_word);
    let status = match status {
        StatusFilter::Listed => Some(listed_word()),
        StatusFilter::Any => None,
        StatusFilter::Only(status) => Some(status_word(status)),
    };
    let marks = form.into_iter().chain(status);
    let marks = marks.map(|word| exactly(dialect, &word));
    let words = words.iter().map(|word| {
        if word.chars().count() < MIN_PREFIX_CHARS {
            return exactly(dialect, word);
        }
        match dialect {
            Dialect::Sqlite => format!("\"{word}\" *"),
            Dialect::Postgres => format!("'{word}':*"),
        }
    });
    let both = match dialect {
        Dialect::Sqlite => " AND ",
        Dialect::Postgres => " & ",
    };
    words.chain(marks).collect::<Vec<_>>().join(both)
}

/// The query that a word occurs.
pub(super) fn exactly(dialect: Dialect, word: &str) -> String {
    match dialect {
        Dialect::Sqlite => format!("\"{word}\""),
        Dialect::Postgres => format!("'{word}'"),
    }
}

/// Adds what takes the submissions of a form out of the index that the batch has deleted, if it has,
/// and those that it kept no longer.
pub(super) fn delete_of_form(batch: &mut Batch<'_>, form_id: i64) {
    let dialect = batch.dialect();
    let sql = [
        "DELETE FROM cf_submission_search WHERE rowid IN (SELECT found.rowid FROM cf_submission_search found WHERE ",
        &matches(dialect, "?1"),
        ") AND NOT EXISTS (SELECT 1 FROM cf_forms WHERE id = ?2)",
    ];
    let query = exactly(dialect, &form_word(form_id));
    batch.add_composed(sql.concat(), vec![query.into(), form_id.into()]);
}

/// Adds what takes a submission out of the index.
pub(super) fn delete(batch: &mut Batch<'_>, submission_id: i64) {
    batch.add(
        "DELETE FROM cf_submission_search WHERE rowid = ?1",
        vec![submission_id.into()],
    );
}
