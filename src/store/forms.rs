//! Forms, their meta and their revisions.

use super::{Batch, Row, StoreError};
use crate::task::Context;

/// A form as it is stored.
#[derive(Clone, Debug)]
pub struct FormRow {
    /// Its id.
    pub id: i64,
    /// Its title.
    pub title: String,
    /// Its slug.
    pub slug: String,
    /// The author's markup.
    pub markup: String,
    /// The settings that were set, as JSON text.
    pub settings: String,
    /// The messages that were set, as JSON text.
    pub messages: String,
    /// `markup` or `schema`.
    pub source: String,
    /// Counts its changes, from 1.
    pub revision: i64,
    /// Milliseconds UTC.
    pub created_at: i64,
    /// Milliseconds UTC.
    pub updated_at: i64,
    /// Whether the table holds a schema for it.
    pub has_schema: bool,
    /// How many submissions it has, spam and trash included.
    pub submission_count: i64,
}

const COLUMNS: &str = "f.id, f.title, f.slug, f.markup, f.settings, f.messages, f.source, f.revision, \
    f.created_at, f.updated_at, \
    CASE WHEN EXISTS (SELECT 1 FROM cf_form_meta m WHERE m.form_id = f.id AND m.name = '_cf_form_schema') THEN 1 ELSE 0 END, \
    (SELECT COALESCE(SUM(s.count), 0) FROM cf_stats s WHERE s.form_id = f.id AND s.metric = 'status')";

fn form(mut row: Row) -> Result<FormRow, StoreError> {
    Ok(FormRow {
        id: row.integer(0)?,
        title: row.text(1)?,
        slug: row.text(2)?,
        markup: row.text(3)?,
        settings: row.text(4)?,
        messages: row.text(5)?,
        source: row.text(6)?,
        revision: row.integer(7)?,
        created_at: row.integer(8)?,
        updated_at: row.integer(9)?,
        has_schema: row.flag(10)?,
        submission_count: row.integer(11)?,
    })
}

/// The form of an id.
pub async fn find(cx: &Context, id: i64) -> Result<Option<FormRow>, StoreError> {
    let mut batch = Batch::new(cx);
    let read = batch.add_composed(
        format!("SELECT {COLUMNS} FROM cf_forms f WHERE f.id = ?1"),
        vec![id.into()],
    );
    batch.run().await?.first(read).map(form).transpose()
}

/// Every form, newest first.
pub async fn all(cx: &Context) -> Result<Vec<FormRow>, StoreError> {
    let mut batch = Batch::new(cx);
    let read = batch.add_composed(
        format!("SELECT {COLUMNS} FROM cf_forms f ORDER BY f.id DESC"),
        vec![],
    );
    batch
        .run()
        .await?
        .rows(read)
        .into_iter()
        .map(form)
        .collect()
}
