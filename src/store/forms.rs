//! Forms: reading, listing, and changes that are refused when another change came first.

use std::collections::BTreeSet;

use super::revisions::{self, Changed};
use super::{Batch, Bindings, Row, StoreError, dialect, drafts, meta, select, select_one};
use crate::task::{Context, Port, SqlValue};
use model::Principal;
use model::SCHEMA_META_KEY;

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
    /// `published`, `draft` or `closed`.
    pub status: String,
    /// `markup` or `schema`.
    pub source: String,
    /// Whether it has a schema.
    pub has_schema: bool,
    /// Counts its changes, from 1.
    pub revision: i64,
    /// Milliseconds UTC.
    pub created_at: i64,
    /// Milliseconds UTC.
    pub updated_at: i64,
    /// How many submissions it has, spam and trash included. Read from counters.
    pub submission_count: i64,
    /// The schema, as JSON text; `None` in lists.
    pub schema: Option<String>,
}

/// What a form is found by.
#[derive(Clone, Copy, Debug)]
pub enum By<'a> {
    /// Its id.
    Id(i64),
    /// Its slug.
    Slug(&'a str),
}

const COLUMNS: &str = "f.id, f.title, f.slug, f.markup, f.settings, f.messages, f.source, f.has_schema, \
    f.revision, f.created_at, f.updated_at, \
    (SELECT COALESCE(SUM(s.count), 0) FROM cf_stats s WHERE s.form_id = f.id AND s.metric = 'status' AND s.date = ''), f.status";

/// The statement that gives a form's revision, when it was changed, and how many submissions it has: what a
/// view of it shows is the same as long as these are.
pub fn version_of(cx: &Context, id: i64) -> (String, Vec<SqlValue>) {
    let sql = "SELECT f.revision, f.updated_at, (SELECT CAST(COALESCE(SUM(s.count), 0) AS BIGINT) FROM cf_stats s \
        WHERE s.form_id = f.id AND s.metric = 'status' AND s.date = '') FROM cf_forms f WHERE f.id = ?1";
    let sql = dialect(cx).placeholders(sql.into());
    (sql.into_owned(), vec![id.into()])
}

const SCHEMA: &str =
    "(SELECT m.value FROM cf_form_meta m WHERE m.form_id = f.id AND m.name = '_cf_form_schema')";

fn form(mut row: Row) -> Result<FormRow, StoreError> {
    Ok(FormRow {
        id: row.integer(0)?,
        title: row.text(1)?,
        slug: row.text(2)?,
        markup: row.text(3)?,
        settings: row.text(4)?,
        messages: row.text(5)?,
        source: row.text(6)?,
        has_schema: row.flag(7)?,
        revision: row.integer(8)?,
        created_at: row.integer(9)?,
        updated_at: row.integer(10)?,
        submission_count: row.integer(11)?,
        status: row.text(12)?,
        schema: row.optional_text(13)?,
    })
}

/// One form with its schema, in one statement.
pub async fn find(cx: &Context, by: By<'_>) -> Result<Option<FormRow>, StoreError> {
    let (condition, key) = match by {
        By::Id(id) => ("f.id = ?1", SqlValue::from(id)),
        By::Slug(slug) => ("f.slug = ?1", SqlValue::from(slug)),
    };
    let sql = format!("SELECT {COLUMNS}, {SCHEMA} FROM cf_forms f WHERE {condition}");

    let Some(row) = select_one(cx, sql, vec![key]).await? else {
        return Ok(None);
    };
    let mut found = form(row)?;
    // What waits to be handed over to the host's own store is newer than what it holds.
    if cx.has(Port::Meta) && found.schema.is_none() {
        found.schema = cx.get_meta(found.id, SCHEMA_META_KEY).await?;
    }
    found.has_schema = found.schema.is_some();
    Ok(Some(found))
}

/// The first form after an id.
pub async fn next_id(cx: &Context, after: i64) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT id FROM cf_forms WHERE id > ?1 ORDER BY id LIMIT 1";
    select_one(cx, sql, vec![after.into()])
        .await?
        .map(|row| row.integer(0))
        .transpose()
}

/// Those of these ids, a few hundred at most, that forms have.
pub async fn existing(cx: &Context, ids: &[i64]) -> Result<BTreeSet<i64>, StoreError> {
    if ids.is_empty() {
        return Ok(BTreeSet::new());
    }
    let mut bindings = Bindings::default();
    let listed = bindings.ids(dialect(cx), ids.iter().copied());
    let sql = format!("SELECT f.id FROM cf_forms f WHERE f.id IN ({listed})");
    let rows = select(cx, sql, bindings.values()).await?;
    rows.iter().map(|row| row.integer(0)).collect()
}

/// What a list of forms sorts by. Forms that are equal in it sort by their id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the variants are the columns' names")]
pub enum Order {
    Id,
    Title,
    CreatedAt,
    UpdatedAt,
}

/// Which forms a list shows.
#[derive(Clone, Debug)]
pub struct Listing {
    /// Words that the title or the slug must contain, in any case (of ASCII letters).
    pub words: Vec<String>,
    /// The slug, exactly.
    pub slug: Option<String>,
    /// What to sort by.
    pub order: Order,
    /// Whether the greatest comes first.
    pub descending: bool,
    /// How many to pass over.
    pub offset: i64,
    /// How many to show; `None` for all.
    pub limit: Option<i64>,
}

/// The forms of a list, without their schemas, and how many there are on all its pages.
pub async fn list(cx: &Context, listing: &Listing) -> Result<(Vec<FormRow>, i64), StoreError> {
    let mut params: Vec<SqlValue> = Vec::new();
    let mut conditions = vec!["1 = 1".to_owned()];
    if let Some(slug) = &listing.slug {
        params.push(slug.as_str().into());
        conditions.push(format!("f.slug = ?{}", params.len()));
    }
    let mut batch = Batch::new(cx);
    if !listing.words.is_empty() {
        let words = listing.words.iter().map(|word| containing(word));
        params.push(serde_json::Value::from_iter(words).to_string().into());
        let words = batch.dialect().listed(&format!("?{}", params.len()));
        conditions.push(format!(
            "NOT EXISTS (SELECT 1 FROM {words} WHERE LOWER(f.title) NOT LIKE listed.value ESCAPE '!' \
             AND f.slug NOT LIKE listed.value ESCAPE '!')"
        ));
    }
    let conditions = conditions.join(" AND ");

    let count = batch.add(
        format!("SELECT COUNT(*) FROM cf_forms f WHERE {conditions}"),
        params.clone(),
    );
    let way = if listing.descending { "DESC" } else { "ASC" };
    let order = match listing.order {
        Order::Id => String::new(),
        Order::Title => format!("LOWER(f.title) {way}, "),
        Order::CreatedAt => format!("f.created_at {way}, "),
        Order::UpdatedAt => format!("f.updated_at {way}, "),
    };
    params.push(listing.limit.unwrap_or(i64::from(i32::MAX)).into());
    params.push(listing.offset.into());
    let (limit, offset) = (params.len() - 1, params.len());
    let read = batch.add(
        format!(
            "SELECT {COLUMNS}, NULL FROM cf_forms f WHERE {conditions} \
             ORDER BY {order}f.id {way} LIMIT ?{limit} OFFSET ?{offset}"
        ),
        params,
    );

    let mut results = batch.run().await?;
    let total = results.first(count).map_or(Ok(0), |row| row.integer(0))?;
    let forms = results.rows(read).into_iter().map(form);
    Ok((forms.collect::<Result<_, _>>()?, total))
}

/// The LIKE pattern of a text that contains a word, with `!` as its escape.
fn containing(word: &str) -> String {
    let mut pattern = String::from("%");
    for character in word.to_lowercase().chars() {
        if matches!(character, '%' | '_' | '!') {
            pattern.push('!');
        }
        pattern.push(character);
    }
    pattern.push('%');
    pattern
}

/// What a form is to be.
#[derive(Clone, Debug)]
pub struct FormValues {
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
    /// `published`, `draft` or `closed`.
    pub status: &'static str,
    /// `markup` or `schema`.
    pub source: &'static str,
    /// Whether it has a schema.
    pub has_schema: bool,
}

/// Stores a new form with its first revision, its schema, as JSON text, and what it was imported from, if
/// it has them; answers its id. `None` when the slug is taken.
pub async fn insert(
    cx: &Context,
    values: FormValues,
    schema: Option<String>,
    origin: Option<&str>,
    now: i64,
    author: &Principal,
) -> Result<Option<i64>, StoreError> {
    let token = crate::security::random::uuid()?;
    let first = Changed {
        summary: "created".to_owned(),
        title: Some(values.title.clone()),
        markup: Some(values.markup.clone()),
        schema,
        settings: Some(values.settings.clone()),
        messages: Some(values.messages.clone()),
    };
    let mut batch = Batch::new(cx);
    batch.add(
        "INSERT INTO cf_forms (change_token, title, slug, markup, settings, messages, source, has_schema, revision, created_at, updated_at, status) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 1, ?9, ?9, ?10) ON CONFLICT (slug) DO NOTHING",
        vec![
            token.as_str().into(),
            values.title.into(),
            values.slug.into(),
            values.markup.into(),
            values.settings.into(),
            values.messages.into(),
            values.source.into(),
            values.has_schema.into(),
            now.into(),
            values.status.into(),
        ],
    );
    if let Some(schema) = &first.schema {
        meta::add(&mut batch, &token, SCHEMA_META_KEY, schema);
    }
    if let Some(origin) = origin {
        meta::add(&mut batch, &token, meta::ORIGIN, origin);
    }
    revisions::add(&mut batch, &token, first, author);
    let read = batch.add(
        "SELECT id FROM cf_forms WHERE change_token = ?1",
        vec![token.into()],
    );
    let row = batch.run().await?.first(read);
    row.map(|row| row.integer(0)).transpose()
}

/// A change of a form.
#[derive(Clone, Debug)]
pub struct FormChange {
    /// The form.
    pub id: i64,
    /// The revision that the change was made from; the changed form has the next.
    pub revision: i64,
    /// When, in milliseconds UTC.
    pub now: i64,
    /// What the form is to be, with what stays as it is.
    pub values: FormValues,
    /// What of it differs. A schema is stored under its meta key.
    pub changed: Changed,
    /// The work in progress that this publishes, and removes.
    pub draft: Option<String>,
}

/// Changes a form and keeps a revision of what changed. False, and nothing is changed, when the
/// form is gone, has another revision by now, or the slug is another form's.
pub async fn update(
    cx: &Context,
    change: FormChange,
    author: &Principal,
) -> Result<bool, StoreError> {
    let token = crate::security::random::uuid()?;
    let FormChange { id, values, .. } = change;
    let mut batch = Batch::new(cx);
    let updated = batch.add(
        "UPDATE cf_forms SET change_token = ?1, title = ?2, slug = ?3, markup = ?4, settings = ?5, messages = ?6, \
         source = ?7, has_schema = ?8, revision = revision + 1, updated_at = ?9, status = ?12 \
         WHERE id = ?10 AND revision = ?11 \
         AND NOT EXISTS (SELECT 1 FROM cf_forms o WHERE o.slug = ?3 AND o.id <> ?10)",
        vec![
            token.as_str().into(),
            values.title.into(),
            values.slug.into(),
            values.markup.into(),
            values.settings.into(),
            values.messages.into(),
            values.source.into(),
            values.has_schema.into(),
            change.now.into(),
            id.into(),
            change.revision.into(),
            values.status.into(),
        ],
    );
    if let Some(schema) = &change.changed.schema {
        meta::add(&mut batch, &token, SCHEMA_META_KEY, schema);
    }
    revisions::add(&mut batch, &token, change.changed, author);
    if let Some(draft) = &change.draft {
        drafts::add_removal(&mut batch, &token, draft);
    }
    Ok(batch.run().await?.changes(updated) == 1)
}

/// The slugs that begin so.
pub async fn slugs_beginning(cx: &Context, beginning: &str) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT slug FROM cf_forms WHERE SUBSTR(slug, 1, LENGTH(?1)) = ?1";
    let rows = select(cx, sql, vec![beginning.into()]).await?;
    rows.into_iter().map(|mut row| row.text(0)).collect()
}
