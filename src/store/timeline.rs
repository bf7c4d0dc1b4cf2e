//! The timeline of a submission: notes, and changes of the status and of the answers.

use serde::Deserialize;
use serde_json::Value;

use super::logs::{self, LogRow};
use super::submission::Written;
use super::trash::not_trashed;
use super::{Batch, Result, execute};
use crate::task::Context;
use model::json_text;

/// Limit on the events of a submission that are read.
const MAX_EVENTS: i64 = 1_000;

/// An event in the timeline of a submission.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Event {
    /// `note`, `status` or `edited`.
    pub kind: String,
    /// The login of the user who caused the event.
    pub user: String,
    /// The details, by kind: `{text}`, `{from, to}` or `{previous}`.
    #[serde(deserialize_with = "json_text")]
    pub detail: Value,
    /// Milliseconds UTC.
    pub at: i64,
}

/// Builds the row of [`add_rows`] for an event of a submission that the batch has written.
pub(super) fn row(written: Written<'_>, event: &Event) -> String {
    let detail = event.detail.to_string();
    row![
        written.uuid,
        written.change_token,
        &event.kind,
        &event.user,
        &detail,
        event.at
    ]
}

/// Adds a statement that stores events of submissions.
pub(super) fn add_rows(batch: &mut Batch, rows: Vec<String>) {
    if rows.is_empty() {
        return;
    }
    let sql = format!(
        "INSERT INTO cf_submission_events (submission_id, form_id, kind, user_login, detail, created_at) \
         SELECT s.id, s.form_id, listed.value ->> 2, listed.value ->> 3, listed.value ->> 4, \
           CAST(listed.value ->> 5 AS BIGINT) FROM {} CROSS JOIN cf_submissions s \
         WHERE s.uuid = listed.value ->> 0 AND s.change_token = listed.value ->> 1 ORDER BY listed.key",
        batch.dialect().listed_rows("?1")
    );
    batch.add_rows(sql.into(), rows, 0);
}

/// Stores an event of a submission. Returns false if the submission does not exist.
pub async fn add_to(cx: &Context, submission_id: i64, event: &Event) -> Result<bool> {
    let sql = format!(
        "INSERT INTO cf_submission_events (submission_id, form_id, kind, user_login, detail, created_at) \
         SELECT s.id, s.form_id, CAST(?2 AS TEXT), CAST(?3 AS TEXT), CAST(?4 AS TEXT), CAST(?5 AS BIGINT) \
         FROM cf_submissions s WHERE s.id = ?1 AND s.status <> 'unsaved' AND {}",
        not_trashed("s.form_id")
    );
    let params = params![
        submission_id,
        &event.kind,
        &event.user,
        event.detail.to_string(),
        event.at
    ];
    Ok(execute(cx, sql, params).await? > 0)
}

/// Reads the events of a submission and the log of its actions, each the oldest first.
pub async fn read(cx: &Context, submission_id: i64) -> Result<(Vec<Event>, Vec<LogRow>)> {
    let mut batch = Batch::new(cx);
    let events = add_find(&mut batch, submission_id);
    let logs = logs::add_find(&mut batch, submission_id);
    let mut results = batch.run().await?;
    Ok((results.rows(events)?, results.rows(logs)?))
}

/// Adds a statement that reads a submission's events.
pub(super) fn add_find(batch: &mut Batch, submission_id: i64) -> usize {
    batch.add(
        "SELECT kind, user_login, detail, created_at FROM cf_submission_events \
         WHERE submission_id = ?1 ORDER BY id LIMIT ?2",
        params![submission_id, MAX_EVENTS],
    )
}
