//! Updates a search index that an older version of the engine wrote, in small batches of submissions.

use std::cell::Cell;

use super::search::{DONE, FORMER_PLACE_NAME, PLACE_NAME, insertion, row};
use super::submission::{StoredSubmission, Written};
use super::{Batch, Result, execute, select, select_one, submissions};
use crate::task::Context;

/// The name of the setting with the time when a process last reindexed submissions. It serves as a lease, which keeps
/// other processes out.
const REINDEXED_AT: &str = "search_reindexed_at";

/// Duration of the lease on reindexing. After it expires, another process may continue.
const REINDEX_LEASE_MS: i64 = 60_000;

/// Limit on the submissions that one transaction reindexes.
const REINDEX_BATCH_SIZE: i64 = 200;

/// The age of the search index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexState {
    /// This version wrote the whole index.
    Current,
    /// The previous version wrote a part of the index. Searches find its rows.
    Former,
    /// A still older version wrote a part of the index. Searches do not find all of its rows.
    Older,
}

/// Whether this instance knows that the index is current.
#[derive(Default)]
struct SeenCurrent(Cell<bool>);

/// Returns the state of the index. A current index stays current, so this state is cached.
pub async fn index_state(cx: &Context) -> Result<IndexState> {
    if cx.state::<SeenCurrent>().0.get() {
        return Ok(IndexState::Current);
    }
    read_index_state(cx).await
}

/// Reads the state of the index from the database.
pub async fn read_index_state(cx: &Context) -> Result<IndexState> {
    let sql = "SELECT name FROM cf_settings WHERE name IN (?1, ?2) AND value = ?3";
    let params = params![PLACE_NAME, FORMER_PLACE_NAME, DONE.to_string()];
    let done: Vec<String> = select(cx, sql, params).await?;
    let is_done = |name: &str| done.iter().any(|done| done == name);
    cx.state::<SeenCurrent>().0.set(is_done(PLACE_NAME));
    Ok(match (is_done(PLACE_NAME), is_done(FORMER_PLACE_NAME)) {
        (true, _) => IndexState::Current,
        (false, true) => IndexState::Former,
        (false, false) => IndexState::Older,
    })
}

/// Takes the lease on reindexing. Returns false as long as another process has the lease. A stored time in the future
/// came from a skewed clock and does not count.
pub async fn begin(cx: &Context) -> Result<bool> {
    let now = cx.now();
    let sql = "INSERT INTO cf_settings (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE \
         SET value = excluded.value WHERE CAST(cf_settings.value AS BIGINT) NOT BETWEEN CAST(?3 AS BIGINT) AND CAST(?4 AS BIGINT)";
    let free = now - REINDEX_LEASE_MS + 1;
    let params = params![REINDEXED_AT, now.to_string(), free, now + REINDEX_LEASE_MS];
    Ok(execute(cx, sql, params).await? > 0)
}

/// Releases the lease on reindexing.
pub async fn end(cx: &Context) -> Result<()> {
    let sql = "UPDATE cf_settings SET value = '0' WHERE name = ?1";
    execute(cx, sql, params![REINDEXED_AT]).await.map(drop)
}

/// Reads the next submissions whose index rows an older version wrote; empty when the whole index is current.
pub async fn outdated(cx: &Context) -> Result<Vec<StoredSubmission>> {
    let sql = "SELECT CAST(value AS BIGINT) FROM cf_settings WHERE name = ?1";
    let last = select_one(cx, sql, params![PLACE_NAME]).await?;
    let last = last.unwrap_or(0);
    if last == DONE {
        return Ok(Vec::new());
    }
    let following = "s.id > ?1 ORDER BY s.id LIMIT ?2";
    let outdated =
        submissions::select_where(cx, following, params![last, REINDEX_BATCH_SIZE]).await?;
    if outdated.is_empty() {
        let mut batch = Batch::new(cx);
        remember_place(&mut batch, DONE);
        batch.run().await?;
    }
    Ok(outdated)
}

/// Adds a statement that stores the id up to which the index is current, unless a greater id is stored.
fn remember_place(batch: &mut Batch, last: i64) {
    batch.add(
        "INSERT INTO cf_settings (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = excluded.value \
         WHERE CAST(cf_settings.value AS BIGINT) < CAST(excluded.value AS BIGINT)",
        params![PLACE_NAME, last.to_string()],
    );
}

/// Reindexes submissions with the keyed hashes of their addresses, and stores the last id. Skips submissions that have
/// changed since they were read, because the change has indexed them.
pub async fn write(cx: &Context, outdated: &[(StoredSubmission, Vec<String>)]) -> Result<()> {
    let mut batch = Batch::new(cx);
    let dialect = batch.dialect();
    let rows = outdated.iter().map(|(stored, hashes)| {
        let submission = &stored.submission;
        let written = Written::alone(&stored.uuid, &stored.change_token);
        row(dialect, submission, &submission.status, written, hashes)
    });
    // The lock makes concurrent changes and deletions wait, so that their index rows win.
    let sql = insertion(dialect, " FOR SHARE OF s");
    batch.add_rows(sql.into(), rows.collect(), 0);
    let last = outdated
        .last()
        .map_or(0, |(stored, _)| stored.submission.id);
    remember_place(&mut batch, last);
    batch.add(
        "UPDATE cf_settings SET value = ?1 WHERE name = ?2",
        params![cx.now().to_string(), REINDEXED_AT],
    );
    batch.run().await.map(drop)
}
