//! Drafts: the unpublished changes of a form as JSON text, at most one draft per form. Revisions, lists and visitors'
//! pages never show a draft.

use serde::Deserialize;

use super::{Batch, Result, execute, select_one};
use crate::task::Context;

/// A draft as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct StoredDraft {
    /// The version, which increases with each save. A new draft never repeats a version of a removed one.
    pub version: i64,
    /// Whether every user who saved the draft had the capability `unfiltered_html`.
    pub unfiltered: bool,
    /// The members of the draft, as JSON.
    pub content: String,
}

/// The draft that a save expects to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Any draft, or no draft.
    Any,
    /// No draft.
    Absent,
    /// A draft of this version.
    Version(i64),
}

/// The draft of a form, if there is one.
pub async fn find(cx: &Context, form_id: i64) -> Result<Option<StoredDraft>> {
    let sql = "SELECT version, unfiltered, content FROM cf_form_drafts WHERE form_id = ?1";
    select_one(cx, sql, params![form_id]).await
}

/// Stores a draft in place of the expected one. Returns `None`, and saves nothing, when the stored draft differs or the
/// form does not exist. A save by a user without `unfiltered_html` clears the draft's `unfiltered` mark permanently.
pub async fn put(
    cx: &Context,
    form_id: i64,
    (user_id, unfiltered): (&str, bool),
    content: &str,
    expected: Expected,
) -> Result<Option<StoredDraft>> {
    let mut params = params![form_id, cx.now(), user_id, unfiltered, content];
    let insert = "INSERT INTO cf_form_drafts (form_id, version, user_id, unfiltered, content) \
        SELECT f.id, CAST(?2 AS BIGINT), ?3, CAST(?4 AS BIGINT), ?5 FROM cf_forms f WHERE f.id = ?1 ON CONFLICT (form_id)";
    let set = "version = CASE WHEN cf_form_drafts.version < CAST(?2 AS BIGINT) THEN CAST(?2 AS BIGINT) \
          ELSE cf_form_drafts.version + 1 END, \
        user_id = ?3, unfiltered = cf_form_drafts.unfiltered * CAST(?4 AS BIGINT), content = ?5";
    let write = match expected {
        Expected::Any => format!("{insert} DO UPDATE SET {set}"),
        Expected::Absent => format!("{insert} DO NOTHING"),
        Expected::Version(version) => {
            params.extend(params![version]);
            format!("UPDATE cf_form_drafts SET {set} WHERE form_id = ?1 AND version = ?6")
        }
    };
    let sql = format!("{write} RETURNING version, unfiltered, content");
    select_one(cx, sql, params).await
}

/// Removes the draft of a form if it has this version; returns whether it did.
pub async fn remove(cx: &Context, form_id: i64, version: i64) -> Result<bool> {
    let sql = "DELETE FROM cf_form_drafts WHERE form_id = ?1 AND version = ?2";
    Ok(execute(cx, sql, params![form_id, version]).await? > 0)
}

/// Adds a statement that removes the draft of the form that an earlier statement of the batch changed with `token`.
pub(super) fn add_removal(batch: &mut Batch, token: &str, version: i64) {
    batch.add(
        "DELETE FROM cf_form_drafts WHERE version = ?2 \
         AND form_id IN (SELECT f.id FROM cf_forms f WHERE f.change_token = ?1)",
        params![token, version],
    );
}
