//! The index of submissions by their words: FTS5 on SQLite, a `tsvector` on PostgreSQL. Words come
//! split and folded (`crates/model/src/words.rs`), so they hold letters and digits alone. FTS5 knows
//! the beginnings of words; PostgreSQL would gather all words that begin with a text before it finds
//! the first submission, so there each beginning is a term of its own.

use std::cell::Cell;
use std::collections::BTreeSet;

use super::answer_words::words_of_answers;
use super::submissions::{self, StatusFilter, StoredSubmission, Written};
use super::{
    Batch, Bindings, Composed, Dialect, Result, composed, dialect, execute, select, select_one,
};
use crate::task::Context;
use model::Submission;
use model::ordered::Gather;
use model::status::{SPAM, TRASH, UNSAVED};
use model::words::{
    OR, address_word, form_word, is_beginning, is_term, listed_word, starred_word, status_word,
    terms, words_of,
};

/// The row that [`add_rows`] takes for a submission that the batch has written: it is found by its
/// words, its id, its form, its status and the email addresses in it.
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

/// Adds what indexes submissions.
pub(super) fn add_rows(batch: &mut Batch, rows: Vec<String>, gathered: i8) {
    static SQL: Composed = Composed::new(|| composed(|dialect| insertion(dialect, "")));
    let sql = batch.dialect().choose(&SQL);
    batch.add_rows(sql, rows, gathered);
}

/// The statement that indexes submissions; on PostgreSQL with a lock on them.
fn insertion(dialect: Dialect, lock: &str) -> String {
    // The id is a word too: in PostgreSQL its beginnings are terms as those of other words are.
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
    // In the order of ids: FTS5 keeps what comes so in memory until the transaction ends.
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

/// The words of a submission in a status and of its marks, its id left out, which it may not have yet.
fn text(
    dialect: Dialect,
    submission: &Submission,
    status: &str,
    address_hashes: &[String],
) -> String {
    let mut words: Vec<String> = match status {
        // It is in no list; but its owner can ask what is there of them.
        UNSAVED => Vec::new(),
        _ => words_of(submission).into_iter().collect(),
    };
    if dialect == Dialect::Postgres {
        let terms: BTreeSet<&str> = words.iter().flat_map(|word| terms(word)).gather();
        words = terms.into_iter().map(str::to_owned).collect();
    }
    words.extend(address_hashes.iter().map(|hash| address_word(hash)));
    if status != UNSAVED {
        words.extend(words_of_answers(submission));
        words.push(starred_word(submission.starred));
    }
    words.push(form_word(submission.form_id));
    words.push(status_word(status));
    if ![SPAM, TRASH, UNSAVED].contains(&status) {
        words.push(listed_word());
    }
    words.join(" ")
}

/// The setting that says up to which id the index has been brought to what it is now. Whoever changes what is written
/// raises the number in it, and sees to it that what the version before wrote is found until then.
fn place_name(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Sqlite => "search_indexed_3",
        Dialect::Postgres => "search_indexed_4",
    }
}

/// The same setting of the version before: its words were not folded, and had no email addresses in ASCII.
fn former_place_name(dialect: Dialect) -> &'static str {
    match dialect {
        // 1 knew addresses alone or between commas only, and had no answers whole.
        Dialect::Sqlite => "search_indexed_2",
        // 1 had words whole alone; 2 knew addresses as SQLite's 1 did, and had no answers whole.
        Dialect::Postgres => "search_indexed_3",
    }
}

/// The setting that says when a process last indexed submissions again, so that no other does it as well.
const REINDEXED_AT: &str = "search_reindexed_at";

/// How long a process may stay silent before another one continues.
const REINDEX_LEASE_MS: i64 = 60_000;

/// How many submissions are indexed again in one transaction.
const REINDEXED: i64 = 200;

/// The place of an index that is brought to this version: what comes later is written in it.
const DONE: i64 = model::MAX_SAFE_INTEGER;

/// Which version of the engine has written the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexState {
    /// This one, all of it.
    Current,
    /// The version before, at least in part. Searches find what it wrote.
    Former,
    /// An even older one, whose submissions are not all found.
    Older,
}

/// Whether this process has seen the index brought to this version.
#[derive(Default)]
struct SeenCurrent(Cell<bool>);

/// Returns the state of the index; one that was seen to be current stays so.
pub async fn index_state(cx: &Context) -> Result<IndexState> {
    if cx.state::<SeenCurrent>().0.get() {
        return Ok(IndexState::Current);
    }
    read_index_state(cx).await
}

/// Returns the state of the index as the database says.
pub async fn read_index_state(cx: &Context) -> Result<IndexState> {
    let dialect = dialect(cx);
    let (current, former) = (place_name(dialect), former_place_name(dialect));
    let sql = "SELECT name FROM cf_settings WHERE name IN (?1, ?2) AND value = ?3";
    let done: Vec<String> = select(cx, sql, params![current, former, DONE.to_string()]).await?;
    let is_done = |name: &str| done.iter().any(|done| done == name);
    cx.state::<SeenCurrent>().0.set(is_done(current));
    Ok(match (is_done(current), is_done(former)) {
        (true, _) => IndexState::Current,
        (false, true) => IndexState::Former,
        (false, false) => IndexState::Older,
    })
}

/// Takes the turn to index submissions again; false while another process has it. A moment that lies ahead was
/// written by a clock that was.
pub async fn begin_reindex(cx: &Context) -> Result<bool> {
    let now = cx.now();
    let sql = "INSERT INTO cf_settings (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE \
         SET value = excluded.value WHERE CAST(cf_settings.value AS BIGINT) NOT BETWEEN CAST(?3 AS BIGINT) AND CAST(?4 AS BIGINT)";
    let free = now - REINDEX_LEASE_MS + 1;
    let params = params![REINDEXED_AT, now.to_string(), free, now + REINDEX_LEASE_MS];
    Ok(execute(cx, sql, params).await? > 0)
}

/// Gives the turn back.
pub async fn end_reindex(cx: &Context) -> Result<()> {
    let sql = "UPDATE cf_settings SET value = '0' WHERE name = ?1";
    execute(cx, sql, params![REINDEXED_AT]).await.map(drop)
}

/// The next submissions to be indexed again, because an older version of the engine did not index
/// all that searches need now; empty when all are.
pub async fn outdated(cx: &Context) -> Result<Vec<StoredSubmission>> {
    let sql = "SELECT CAST(value AS BIGINT) FROM cf_settings WHERE name = ?1";
    let last = select_one(cx, sql, params![place_name(dialect(cx))]).await?;
    let last = last.unwrap_or(0);
    if last == DONE {
        return Ok(Vec::new());
    }
    let following = "s.id > ?1 ORDER BY s.id LIMIT ?2";
    let outdated = submissions::select_where(cx, following, params![last, REINDEXED]).await?;
    if outdated.is_empty() {
        let mut batch = Batch::new(cx);
        remember_place(&mut batch, DONE);
        batch.run().await?;
    }
    Ok(outdated)
}

/// Adds what remembers how far the index is of this version, unless it is further already.
fn remember_place(batch: &mut Batch, last: i64) {
    let name = place_name(batch.dialect());
    batch.add(
        "INSERT INTO cf_settings (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = excluded.value \
         WHERE CAST(cf_settings.value AS BIGINT) < CAST(excluded.value AS BIGINT)",
        params![name, last.to_string()],
    );
}

/// Indexes submissions again, with the keyed hashes of the addresses in them, and remembers the
/// last. Of one that is changed meanwhile the change indexes it.
pub async fn reindex(cx: &Context, outdated: &[(StoredSubmission, Vec<String>)]) -> Result<()> {
    let mut batch = Batch::new(cx);
    let dialect = batch.dialect();
    let rows = outdated.iter().map(|(stored, hashes)| {
        let submission = &stored.submission;
        let written = Written::alone(&stored.uuid, &stored.change_token);
        row(dialect, submission, &submission.status, written, hashes)
    });
    // Whoever changes or deletes one of them meanwhile waits, and so comes after.
    let sql = insertion(dialect, " FOR SHARE OF s");
    batch.add_rows(sql.into(), rows.collect(), 0);
    let last = outdated.last().map_or(0, |(own, _)| own.submission.id);
    remember_place(&mut batch, last);
    batch.add(
        "UPDATE cf_settings SET value = ?1 WHERE name = ?2",
        params![cx.now().to_string(), REINDEXED_AT],
    );
    batch.run().await.map(drop)
}

/// Adds what removes from the index submissions whose forms did not keep them, once their entries
/// of the queue and logs are deleted.
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

/// How many pages of FTS5's index, of 1 KB each, [`merge`] writes: some 20 ms of work.
const MERGED_PAGES: i64 = 1_000;

/// Merges the parts of FTS5's index, each of which a search looks into: at a million submissions
/// they are 11, and 2 once they are merged. Returns whether there may be more to merge.
pub(crate) async fn merge(cx: &Context) -> Result<bool> {
    const CHANGES: &str = "SELECT total_changes()";
    let mut batch = Batch::new(cx);
    if batch.dialect() == Dialect::Postgres {
        return Ok(false);
    }
    // Of two parts of about the same size on. While submits are written four are merged.
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
    // Each page that is written is a change.
    Ok(after - before >= MERGED_PAGES)
}

/// The condition that a row `found` of the index matches a query, whose placeholder is given.
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
    /// Words that all occur, each whole or as the beginning of a word.
    pub words: &'a [String],
    /// Words that all occur instead in what the version before has indexed; empty where these are the same.
    pub former_words: &'a [String],
    /// The status that the submissions have.
    pub status: &'a StatusFilter,
    /// Their form.
    pub form_id: Option<i64>,
}

impl SearchQuery<'_> {
    /// The query for SQLite.
    pub(super) fn sqlite_query(&self) -> String {
        let dialect = Dialect::Sqlite;
        let marks = self.marks().map(|mark| exactly(dialect, &mark));
        [self.words_query(dialect)]
            .into_iter()
            .chain(marks)
            .collect::<Vec<_>>()
            .join(" AND ")
    }

    /// The query for the words, or for the former words where there are any.
    fn words_query(&self, dialect: Dialect) -> String {
        let (and, or, any) = match dialect {
            Dialect::Sqlite => (" AND ", ") OR (", " *"),
            Dialect::Postgres => (" & ", ") | (", ":*"),
        };
        let all = |words: &[String]| {
            let words = words.iter().map(|word| {
                let after = if is_beginning(word) { any } else { "" };
                exactly(dialect, word) + after
            });
            words.collect::<Vec<_>>().join(and)
        };
        match self.former_words {
            [] => all(self.words),
            former => ["((", &all(self.words), or, &all(former), "))"].concat(),
        }
    }

    /// Binds the queries for PostgreSQL that must all match; returns their expressions. As long as rows of an
    /// even older version are to be indexed again, words are looked for by all that begin so, which finds both.
    pub(super) fn bind_postgres_queries(&self, bindings: &mut Bindings) -> Vec<String> {
        let dialect = Dialect::Postgres;
        let mut is_done = None;
        let mut queries = Vec::new();
        if !self.former_words.is_empty() {
            queries.push(bindings.bind(self.words_query(dialect)));
        }
        for word in self.words.iter().filter(|_| self.former_words.is_empty()) {
            let whole = exactly(dialect, word);
            let all = format!("'{word}':*");
            queries.push(match (is_beginning(word), is_term(word)) {
                (false, _) => bindings.bind(whole),
                (true, false) => bindings.bind(all),
                (true, true) => {
                    let is_done = is_done.get_or_insert_with(|| {
                        let (name, former) = (place_name(dialect), former_place_name(dialect));
                        let (name, former) = (bindings.bind(name), bindings.bind(former));
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
        queries.into_iter().map(cast).collect()
    }

    /// The words by which submissions of the status and of the form are found.
    fn marks(&self) -> impl Iterator<Item = String> {
        let form = self.form_id.map(form_word);
        let status = match self.status {
            StatusFilter::Listed => Some(listed_word()),
            StatusFilter::Any => None,
            StatusFilter::Only(status) => Some(status_word(status)),
        };
        form.into_iter().chain(status)
    }
}

/// The query for one exact word, or for any of several ([`OR`]).
pub(super) fn exactly(dialect: Dialect, word: &str) -> String {
    let (quote, or) = match dialect {
        Dialect::Sqlite => ("\"", " OR "),
        Dialect::Postgres => ("'", " | "),
    };
    let words: Vec<String> = word
        .split(OR)
        .map(|word| [quote, word, quote].concat())
        .collect();
    match words.as_slice() {
        [only] => only.clone(),
        several => format!("({})", several.join(or)),
    }
}

/// Adds what takes the submissions of a form out of the index that the batch has deleted, if it has,
/// and those that it kept no longer.
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

/// Adds what removes submissions from the index.
pub(super) fn delete(batch: &mut Batch, submission_ids: &[i64]) {
    batch.add_of_ids(
        submission_ids,
        "DELETE FROM cf_submission_search WHERE rowid IN ({ids})",
    );
}
