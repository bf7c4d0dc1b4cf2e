//! The index of submissions by their words: FTS5 on SQLite, a `tsvector` on PostgreSQL. Words come
//! split and folded (`src/submissions/words.rs`), so they hold letters and digits alone.

use std::collections::BTreeSet;

use super::submissions::StatusFilter;
use super::{Batch, Dialect};
use crate::submissions::{
    SPAM, Submission, TRASH, UNSAVED, address_word, form_word, listed_word, status_word, words_of,
};

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
    let text = words.into_iter().collect::<Vec<_>>().join(" ");
    let sql = match batch.dialect() {
        Dialect::Sqlite => {
            "INSERT OR REPLACE INTO cf_submission_search (rowid, words) \
             SELECT id, ?1 || CASE WHEN status = 'unsaved' THEN '' ELSE ' ' || id END FROM cf_submissions WHERE uuid = ?2 AND change_token = ?3"
        }
        Dialect::Postgres => {
            "INSERT INTO cf_submission_search (rowid, words) \
             SELECT id, array_to_tsvector(string_to_array( \
               ?1 || CASE WHEN status = 'unsaved' THEN '' ELSE ' ' || id END, ' ')) \
             FROM cf_submissions WHERE uuid = ?2 AND change_token = ?3 \
             ON CONFLICT (rowid) DO UPDATE SET words = excluded.words"
        }
    };
    batch.add(
        sql,
        vec![text.into(), submission_uuid.into(), change_token.into()],
    );
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
