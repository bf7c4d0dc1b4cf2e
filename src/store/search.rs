//! The index of submissions by their words: FTS5 on SQLite, a `tsvector` on PostgreSQL. Words come
//! split and folded (`src/submissions/words.rs`), so they hold letters and digits alone.

use std::collections::BTreeSet;

use super::{Batch, Dialect};
use crate::submissions;

/// A word of fewer characters is asked for as it is, not as a prefix: every submission has a word
/// that begins with some letter.
const MIN_PREFIX_CHARS: usize = 2;

/// Adds what indexes a submission that the batch has inserted, under its words, its form and its id.
pub(super) fn add(
    batch: &mut Batch<'_>,
    submission_uuid: &str,
    form_id: i64,
    mut words: BTreeSet<String>,
) {
    words.insert(submissions::form_word(form_id));
    let text = words.into_iter().collect::<Vec<_>>().join(" ");
    let sql = match batch.dialect() {
        Dialect::Sqlite => {
            "INSERT INTO cf_submission_search (rowid, words) \
             SELECT id, ?1 || ' ' || id FROM cf_submissions WHERE uuid = ?2"
        }
        Dialect::Postgres => {
            "INSERT INTO cf_submission_search (rowid, words) \
             SELECT id, array_to_tsvector(string_to_array(?1 || ' ' || id, ' ')) \
             FROM cf_submissions WHERE uuid = ?2"
        }
    };
    batch.add(sql, vec![text.into(), submission_uuid.into()]);
}

/// The condition that a row `found` of the index matches a query, whose placeholder is given.
pub(super) fn matches(dialect: Dialect, query: &str) -> String {
    match dialect {
        Dialect::Sqlite => format!("found.cf_submission_search MATCH {query}"),
        Dialect::Postgres => format!("found.words @@ CAST({query} AS tsquery)"),
    }
}

/// The query that all words occur, each whole or as the beginning of a word; in one form, if one
/// is given.
pub(super) fn query(dialect: Dialect, words: &[String], form_id: Option<i64>) -> String {
    let form = form_id.map(|form_id| exactly(dialect, &submissions::form_word(form_id)));
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
    words.chain(form).collect::<Vec<_>>().join(both)
}

fn exactly(dialect: Dialect, word: &str) -> String {
    match dialect {
        Dialect::Sqlite => format!("\"{word}\""),
        Dialect::Postgres => format!("'{word}'"),
    }
}

/// Adds what takes a submission out of the index.
pub(super) fn delete(batch: &mut Batch<'_>, submission_id: i64) {
    batch.add(
        "DELETE FROM cf_submission_search WHERE rowid = ?1",
        vec![submission_id.into()],
    );
}
