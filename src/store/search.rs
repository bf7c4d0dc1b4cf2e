//! The full-text index of submissions: FTS5 on SQLite, a `tsvector` on PostgreSQL.
//!
//! Callers split and fold the words (`crates/model/src/words.rs`), so words contain only letters and digits. FTS5
//! supports prefix searches. PostgreSQL would gather all words with a prefix before it finds the first submission, so
//! there each prefix is indexed as a separate term.

use std::collections::BTreeSet;

use super::answer_words::words_of_answers;
use super::submission::{StatusFilter, Written};
use super::{Batch, Bindings, Composed, Dialect, Result, composed};
use crate::task::Context;
use model::Submission;
use model::ordered::Gather;
use model::status::{SPAM, TRASH, UNSAVED};
use model::words::{
    OR, address_word, any_word, form_word, is_beginning, is_hash, is_term, listed_word,
    starred_word, status_word, terms, words_of,
};

/// Builds the row of [`add_rows`] for a submission that the batch has written. Searches find a submission by its words,
/// its id, its form, its status and the email addresses in it.
pub(super) fn row(
    dialect: Dialect,
    submission: &Submission,
    status: &str,
    written: Written<'_>,
    address_hashes: &[String],
) -> String {
    let words = text(dialect, submission, status, address_hashes);
    row![written.uuid, written.change_token, &words]
}

/// Adds the statement that indexes submissions.
pub(super) fn add_rows(batch: &mut Batch, rows: Vec<String>, gathered: i8) {
    static SQL: Composed = Composed::new(|| composed(|dialect| insertion(dialect, "")));
    let sql = batch.dialect().choose(&SQL);
    batch.add_rows(sql, rows, gathered);
}

/// Composes the statement that indexes submissions. `lock` is a locking clause for PostgreSQL.
pub(super) fn insertion(dialect: Dialect, lock: &str) -> String {
    // The id is also indexed as a word; on PostgreSQL with its prefixes.
    let id = match dialect {
        Dialect::Sqlite => "s.id",
        Dialect::Postgres => {
            "(SELECT string_agg(left(CAST(s.id AS TEXT), n), ' ') \
             FROM generate_series(LEAST(2, length(CAST(s.id AS TEXT))), length(CAST(s.id AS TEXT))) n)"
        }
    };
    let words = format!(
        "listed.value ->> 2 || CASE WHEN s.status = 'unsaved' THEN '' ELSE ' ' || {id} END"
    );
    // Sort by id: FTS5 buffers rows in memory until the transaction ends only if their ids rise.
    let from = format!(
        "FROM {} CROSS JOIN cf_submissions s WHERE s.uuid = listed.value ->> 0 AND s.change_token = listed.value ->> 1 ORDER BY s.id",
        dialect.listed_rows("?1")
    );
    match dialect {
        Dialect::Sqlite => format!(
            "INSERT OR REPLACE INTO cf_submission_search (rowid, words) SELECT s.id, {words} {from}"
        ),
        Dialect::Postgres => format!(
            "INSERT INTO cf_submission_search (rowid, words) \
             SELECT s.id, array_to_tsvector(string_to_array({words}, ' ')) {from}{lock} \
             ON CONFLICT (rowid) DO UPDATE SET words = excluded.words"
        ),
    }
}

/// The index text of a submission: the words of its answers, status, form and other properties. The statement adds the
/// id, because a new submission has none yet.
fn text(
    dialect: Dialect,
    submission: &Submission,
    status: &str,
    address_hashes: &[String],
) -> String {
    let mut words: Vec<String> = match status {
        // No list shows an unsaved submission. A request for its owner's personal data finds it by the address.
        UNSAVED => Vec::new(),
        _ => words_of(submission).into_iter().collect(),
    };
    if dialect == Dialect::Postgres {
        let terms: BTreeSet<&str> = words.iter().flat_map(|word| terms(word)).gather();
        words = terms.into_iter().map(str::to_owned).collect();
    }
    let mut hashes: Vec<String> = address_hashes
        .iter()
        .map(|hash| address_word(hash))
        .collect();
    if status != UNSAVED {
        hashes.extend(words_of_answers(submission));
        words.push(starred_word(submission.starred));
    }
    words.extend(hashes.iter().map(|hash| match dialect {
        Dialect::Sqlite => [HASH_HEAD, hash].concat(),
        Dialect::Postgres => hash.clone(),
    }));
    words.push(form_word(submission.form_id));
    words.push(status_word(status));
    if ![SPAM, TRASH, UNSAVED].contains(&status) {
        words.push(listed_word());
    }
    words.join(" ")
}

/// Ten characters that precede each hash in the FTS5 index. FTS5 also indexes the prefixes of 2 to 10 characters of a
/// word, but no search uses the prefixes of a hash, so all hashes share them. No other word contains the character.
const HASH_HEAD: &str = "\u{80}\u{80}\u{80}\u{80}\u{80}\u{80}\u{80}\u{80}\u{80}\u{80}";

/// The name of the setting that stores the id up to which the index is current. If you change the index's contents,
/// raise the number in the name, and make sure that searches still find the rows of the previous version.
pub(super) const PLACE_NAME: &str = "search_indexed_5";

/// The name of that setting in the previous version, which had other words for answers and addresses.
pub(super) const FORMER_PLACE_NAME: &str = "search_indexed_4";

/// The stored id if the whole index is current. It then stays current, since new submissions are indexed by the current
/// version.
pub(super) const DONE: i64 = model::MAX_SAFE_INTEGER;

/// Adds a statement that removes deleted submissions from the index, if no queue entry or log of them is left.
pub(super) fn forget(batch: &mut Batch, submission_ids: &[i64]) {
    if submission_ids.is_empty() {
        return;
    }
    batch.add_of_ids(
        submission_ids,
        "DELETE FROM cf_submission_search WHERE rowid IN ({ids}) \
         AND NOT EXISTS (SELECT 1 FROM cf_submissions s WHERE s.id = cf_submission_search.rowid) \
         AND NOT EXISTS (SELECT 1 FROM cf_action_queue q WHERE q.submission_id = cf_submission_search.rowid) \
         AND NOT EXISTS (SELECT 1 FROM cf_action_logs l WHERE l.submission_id = cf_submission_search.rowid)",
    );
}

/// Limit on the index pages of 1 KB that one [`merge`] writes: about 20 ms of work.
const MERGED_PAGES: i64 = 1_000;

/// Merges segments of the FTS5 index, since a search reads every segment. Returns whether more may be left to merge.
pub(crate) async fn merge(cx: &Context) -> Result<bool> {
    const CHANGES: &str = "SELECT total_changes()";
    let mut batch = Batch::new(cx);
    if batch.dialect() == Dialect::Postgres {
        return Ok(false);
    }
    // Merge as soon as two segments have a similar size. Automatic merges wait for eight.
    batch.add(
        "INSERT INTO cf_submission_search (cf_submission_search, rank) VALUES ('usermerge', 2)",
        Vec::new(),
    );
    let before = batch.add(CHANGES, Vec::new());
    let merge = format!(
        "INSERT INTO cf_submission_search (cf_submission_search, rank) VALUES ('merge', {MERGED_PAGES})"
    );
    batch.add(merge, Vec::new());
    let after = batch.add(CHANGES, Vec::new());
    let mut results = batch.run().await?;
    let before: i64 = results.first(before)?.unwrap_or(0);
    let after: i64 = results.first(after)?.unwrap_or(0);
    // Each written page counts as a change.
    Ok(after - before >= MERGED_PAGES)
}

/// The condition that a row `found` of the index matches the query in a placeholder.
pub(super) fn matches(dialect: Dialect, query: &str) -> String {
    match dialect {
        Dialect::Sqlite => format!("found.cf_submission_search MATCH {query}"),
        Dialect::Postgres => {
            format!("found.words @@ CAST({query} AS tsquery)")
        }
    }
}

/// A search of the index.
pub(super) struct SearchQuery<'a> {
    /// Words that must all occur, each whole or as a prefix.
    pub words: &'a [String],
    /// The filter by status.
    pub status: &'a StatusFilter,
    /// The form of the submissions.
    pub form_id: Option<i64>,
    /// Forms whose submissions are left out.
    pub hidden_forms: &'a [i64],
}

impl SearchQuery<'_> {
    /// The query for SQLite.
    pub(super) fn sqlite_query(&self) -> String {
        let dialect = Dialect::Sqlite;
        let marks = self.marks().map(|mark| exactly(dialect, &mark));
        let words = self.words.iter().map(|word| {
            let after = if is_beginning(word) { " *" } else { "" };
            exactly(dialect, word) + after
        });
        let query = words.chain(marks).collect::<Vec<_>>().join(" AND ");
        match self.hidden_words(dialect) {
            Some(hidden) => format!("({query}) NOT {hidden}"),
            None => query,
        }
    }

    /// The query for the forms whose submissions are left out.
    fn hidden_words(&self, dialect: Dialect) -> Option<String> {
        let words = self.hidden_forms.iter().map(|id| form_word(*id));
        (!self.hidden_forms.is_empty()).then(|| exactly(dialect, &any_word(words)))
    }

    /// Binds the queries for PostgreSQL, which must all match, and returns their expressions. As long as the index
    /// contains rows of an older version, words are searched as prefixes, which finds rows of both versions.
    pub(super) fn bind_postgres_queries(&self, bindings: &mut Bindings) -> Vec<String> {
        let dialect = Dialect::Postgres;
        let mut is_done = None;
        let mut queries = Vec::new();
        for word in self.words {
            let whole = exactly(dialect, word);
            let all = format!("'{word}':*");
            queries.push(match (is_beginning(word), is_term(word)) {
                (false, _) => bindings.bind(whole),
                (true, false) => bindings.bind(all),
                (true, true) => {
                    let is_done = is_done.get_or_insert_with(|| {
                        let (name, former) = (bindings.bind(PLACE_NAME), bindings.bind(FORMER_PLACE_NAME));
                        let done = bindings.bind(DONE.to_string());
                        format!("EXISTS (SELECT 1 FROM cf_settings WHERE name IN ({name}, {former}) AND value = {done})")
                    });
                    let (whole, all) = (bindings.bind(whole), bindings.bind(all));
                    format!("CASE WHEN {is_done} THEN {whole} ELSE {all} END")
                }
            });
        }
        let marks = self.marks();
        queries.extend(marks.map(|mark| bindings.bind(exactly(dialect, &mark))));
        let cast = |query| format!("CAST({query} AS tsquery)");
        let mut queries: Vec<String> = queries.into_iter().map(cast).collect();
        // A query that only excludes words would read the whole index.
        if let (Some(last), Some(hidden)) = (queries.last_mut(), self.hidden_words(dialect)) {
            *last = format!("{last} && !! {}", cast(bindings.bind(hidden)));
        }
        queries
    }

    /// The index words of the form and of the status.
    fn marks(&self) -> impl Iterator<Item = String> {
        let form = self.form_id.map(form_word);
        let status = match self.status {
            StatusFilter::Listed => Some(listed_word()),
            StatusFilter::Any => None,
            StatusFilter::OneOf(statuses) => {
                Some(any_word(statuses.iter().map(|status| status_word(status))))
            }
        };
        form.into_iter().chain(status)
    }
}

/// The query for one exact word, or for any of several words that [`OR`] separates.
pub(super) fn exactly(dialect: Dialect, word: &str) -> String {
    let (quote, or) = match dialect {
        Dialect::Sqlite => ("\"", " OR "),
        Dialect::Postgres => ("'", " | "),
    };
    let mut words = Vec::new();
    for word in word.split(OR) {
        words.push([quote, word, quote].concat());
        if dialect == Dialect::Sqlite && is_hash(word) {
            words.push([quote, HASH_HEAD, word, quote].concat());
        }
    }
    match words.as_slice() {
        [only] => only.clone(),
        several => format!("({})", several.join(or)),
    }
}

/// Adds a statement that removes all submissions of a form from the index, if the batch has deleted the form.
pub(super) fn delete_of_form(batch: &mut Batch, form_id: i64) {
    let dialect = batch.dialect();
    let sql = [
        "DELETE FROM cf_submission_search WHERE rowid IN (SELECT found.rowid FROM cf_submission_search found WHERE ",
        &matches(dialect, "?1"),
        ") AND NOT EXISTS (SELECT 1 FROM cf_forms WHERE id = ?2)",
    ];
    let query = exactly(dialect, &form_word(form_id));
    batch.add(sql.concat(), params![query, form_id]);
}

/// Adds a statement that removes submissions from the index.
pub(super) fn delete(batch: &mut Batch, submission_ids: &[i64]) {
    batch.add_of_ids(
        submission_ids,
        "DELETE FROM cf_submission_search WHERE rowid IN ({ids})",
    );
}
