//! The revisions of forms: each change with the author and the time.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Batch, Result, Source, select_one};
use crate::task::Context;
use model::{Principal, json_text};

/// The new content of a changed form; `None` for unchanged members. JSON is stored as text. `settings` and `messages`
/// contain all settings and messages, not only the changed ones.
#[allow(missing_docs, reason = "the members of a form")]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    /// The change in a few words.
    pub summary: String,
    pub title: Option<String>,
    pub markup: Option<String>,
    pub schema: Option<String>,
    pub settings: Option<String>,
    pub messages: Option<String>,
    pub former_slugs: Option<Vec<String>>,
    /// Whether the author has the capability `unfiltered_html`.
    pub unfiltered: bool,
    /// Whether the change revokes the links to files in sent mails.
    pub revokes_links: bool,
    /// Whether the change moves the form to the trash or out of the trash.
    pub is_moved: bool,
    /// Whether the change affects the unique values and seats that the form's submissions hold.
    pub moves_holds: bool,
}

/// Adds the statement that stores a form's revision. An earlier statement of the batch must change the form and set the
/// form's `change_token` to `token`. If no form has this token, nothing is stored. With `moves_holds`, also adds a
/// statement that requests a recount of the form's unique values and seats.
pub(super) fn add(batch: &mut Batch, token: &str, changed: Changed, author: &Principal) {
    if changed.moves_holds {
        super::holds::add_fill(batch, token);
    }
    batch.add(
        "INSERT INTO cf_form_revisions (form_id, revision, title, markup, schema, settings, messages, source, user_id, user_login, created_at, summary, unfiltered) \
         SELECT f.id, f.revision, ?2, ?3, ?4, ?5, ?6, f.source, ?7, ?8, f.updated_at, ?9, CAST(?10 AS BIGINT) \
         FROM cf_forms f WHERE f.change_token = ?1",
        params![token, changed.title, changed.markup, changed.schema, changed.settings, changed.messages, &author.id, &author.login, changed.summary, changed.unfiltered],
    );
}

/// One revision of a form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revision {
    /// The revision's number.
    pub revision: i64,
    /// The time of the change, in milliseconds UTC; ISO 8601 in JSON.
    #[serde(serialize_with = "model::dates::serialize_moment")]
    pub created_at: i64,
    /// The author's login.
    pub user: String,
    /// The change in a few words.
    pub summary: String,
}

/// A form's content at a revision.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[allow(missing_docs, reason = "the members of a form")]
pub struct RevisionContent {
    pub source: Source,
    pub title: String,
    pub markup: String,
    pub schema: Option<String>,
    #[serde(deserialize_with = "json_text")]
    pub settings: Map<String, Value>,
    #[serde(deserialize_with = "json_text")]
    pub messages: Map<String, Value>,
    /// Whether the markup's author had the capability `unfiltered_html`.
    pub markup_is_unfiltered: bool,
    /// Whether the schema's author had the capability `unfiltered_html`; `None` without a schema.
    pub schema_is_unfiltered: Option<bool>,
}

/// The columns of a [`Revision`]. Older versions of cf-forms stored no summary. For their revisions, the summary lists
/// the changed members.
const COLUMNS: &str = "r.revision, r.created_at, r.user_login, CASE WHEN r.summary <> '' THEN r.summary ELSE \
    TRIM(CASE WHEN r.title IS NULL THEN '' ELSE 'title ' END || CASE WHEN r.markup IS NULL THEN '' ELSE 'markup ' END \
    || CASE WHEN r.schema IS NULL THEN '' ELSE 'schema ' END || CASE WHEN r.settings IS NULL THEN '' ELSE 'settings ' END \
    || CASE WHEN r.messages IS NULL THEN '' ELSE 'messages' END) END";

/// Reads a page of a form's revisions, the newest first, and the number of all revisions. `None` if the form does not
/// exist or is in the trash.
pub async fn list(
    cx: &Context,
    form_id: i64,
    offset: i64,
    limit: i64,
) -> Result<Option<(Vec<Revision>, i64)>> {
    let mut batch = Batch::new(cx);
    let count = batch.add(
        "SELECT (SELECT COUNT(*) FROM cf_form_revisions r WHERE r.form_id = f.id) FROM cf_forms f WHERE f.id = ?1 AND f.trashed_at IS NULL",
        params![form_id],
    );
    let read = batch.add(
        format!(
            "SELECT {COLUMNS} FROM cf_form_revisions r WHERE r.form_id = ?1 \
             ORDER BY r.revision DESC LIMIT ?2 OFFSET ?3"
        ),
        params![form_id, limit, offset],
    );
    let mut results = batch.run().await?;
    let total = results.first(count)?;
    let rows = results.rows(read)?;
    Ok(total.map(|total| (rows, total)))
}

/// Reads a revision of a form, and the form's content at that revision; `None` if the revision does not exist. The
/// content has, for each member, the newest value that this or an earlier revision stored.
pub async fn find(
    cx: &Context,
    form_id: i64,
    number: i64,
) -> Result<Option<(Revision, RevisionContent)>> {
    let content = ["title", "markup", "schema", "settings", "messages"].map(|name| (name, name));
    let rights = ["markup", "schema"].map(|name| ("unfiltered", name));
    // Some databases return rows keyed by column name, so the names must be unique.
    let members = content.iter().chain(&rights).map(|(read, name)| {
        format!(
            "(SELECT o.{read} FROM cf_form_revisions o WHERE o.form_id = ?1 AND o.revision <= ?2 \
             AND o.{name} IS NOT NULL ORDER BY o.revision DESC LIMIT 1) AS then_{name}_{read}"
        )
    });
    let sql = format!(
        "SELECT {COLUMNS}, r.source, {} FROM cf_form_revisions r WHERE r.form_id = ?1 AND r.revision = ?2",
        members.collect::<Vec<_>>().join(", ")
    );
    select_one(cx, sql, params![form_id, number]).await
}
