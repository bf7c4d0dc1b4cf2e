//! Forms: reading, listing, changing and deleting. Changes and deletions use optimistic locking by revision.

use super::pages::read_count;
use super::revisions::{self, Changed};
use super::{
    Among, Batch, Bindings, Dialect, Form, Result, Status, dialect, drafts, meta, queue, search,
    select, select_one, stats, uploads,
};
use crate::task::{Context, Port, SqlValue};
use model::Principal;
use model::SCHEMA_META_KEY;
use model::unicode::fold::fold;
use serde_json::Value;

/// The key that a form is found by.
#[derive(Clone, Copy, Debug)]
pub enum By<'a> {
    /// The form's id.
    Id(i64),
    /// The form's slug.
    Slug(&'a str),
}

/// The columns of a form, before its former slugs and its schema.
const COLUMNS: &str = "f.id, f.title, \
    SUBSTR(f.slug, 1, LENGTH(f.slug) - CASE WHEN f.trashed_at IS NULL THEN 0 ELSE LENGTH('~' || f.id) END) AS slug, f.markup, f.settings, f.messages, f.status, f.source, f.has_schema, \
    f.revision, f.created_at, f.updated_at, f.trashed_at, \
    (SELECT COALESCE(SUM(s.count), 0) FROM cf_stats s WHERE s.form_id = f.id AND s.metric = 'status' AND s.date = '' \
       AND s.label NOT IN ('spam', 'trash'))";

/// The subquery for a form's former slugs, the newest first, separated by spaces.
fn former_slugs(dialect: Dialect) -> String {
    let gathered = match dialect {
        Dialect::Sqlite => "group_concat(former.slug, ' ')",
        Dialect::Postgres => "string_agg(former.slug, ' ')",
    };
    format!(
        "(SELECT {gathered} FROM (SELECT p.slug FROM cf_former_slugs p WHERE p.form_id = f.id \
         ORDER BY p.retired_at DESC, p.slug) former)"
    )
}

/// The statement that reads a form's version: its revision, its last change, and its numbers of submissions and former
/// slugs. A response with the form stays valid while these values stay the same.
pub fn version_of(cx: &Context, id: i64) -> (String, Vec<SqlValue>) {
    let sql = "SELECT f.revision, f.updated_at, (SELECT CAST(COALESCE(SUM(s.count), 0) AS BIGINT) FROM cf_stats s \
        WHERE s.form_id = f.id AND s.metric = 'status' AND s.date = '' AND s.label NOT IN ('spam', 'trash')), \
        (SELECT COUNT(*) FROM cf_former_slugs p WHERE p.form_id = f.id) FROM cf_forms f WHERE f.id = ?1 AND f.trashed_at IS NULL";
    let sql = dialect(cx).placeholders(sql.into());
    (sql.into_owned(), params![id])
}

const SCHEMA: &str =
    "(SELECT m.value FROM cf_form_meta m WHERE m.form_id = f.id AND m.name = '_cf_form_schema')";

/// Finds one form with its schema, in one statement.
pub async fn find(cx: &Context, by: By<'_>, among: Among) -> Result<Option<Form>> {
    let (condition, key) = match by {
        By::Id(id) => ("f.id = ?1", SqlValue::from(id)),
        By::Slug(slug) => ("f.slug = ?1", SqlValue::from(slug)),
    };
    let former = former_slugs(dialect(cx));
    let among = among.condition();
    let sql = format!(
        "SELECT {COLUMNS}, {former}, {SCHEMA} FROM cf_forms f WHERE {condition} AND {among}"
    );
    let Some(mut form) = select_one::<Form>(cx, sql, vec![key]).await? else {
        return Ok(None);
    };
    // A schema in the database waits to be handed over, so it is newer than the host's copy.
    if cx.has(Port::Meta) && form.stored_schema.is_none() {
        form.stored_schema = cx.get_meta(form.id, SCHEMA_META_KEY).await?;
    }
    form.has_schema = form.stored_schema.is_some();
    Ok(Some(form))
}

/// The id of the form that had a slug before.
pub async fn id_of_former_slug(cx: &Context, slug: &str) -> Result<Option<i64>> {
    let sql = "SELECT form_id FROM cf_former_slugs WHERE slug = ?1";
    select_one(cx, sql, params![slug]).await
}

/// The id of the next form after an id, in use or in the trash.
pub async fn next_id(cx: &Context, after: i64) -> Result<Option<i64>> {
    let sql = "SELECT id FROM cf_forms WHERE id > ?1 ORDER BY id LIMIT 1";
    select_one(cx, sql, params![after]).await
}

/// The ids of the forms in the trash.
pub async fn trashed(cx: &Context) -> Result<Vec<i64>> {
    let sql = "SELECT t.id FROM cf_forms t WHERE t.trashed_at > 0";
    select(cx, sql, Vec::new()).await
}

/// Returns those of the ids that belong to live forms. The caller passes a few hundred ids at most.
pub async fn existing(cx: &Context, ids: &[i64]) -> Result<Vec<i64>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut bindings = Bindings::default();
    let listed = bindings.ids(dialect(cx), ids.iter().copied());
    let sql =
        format!("SELECT f.id FROM cf_forms f WHERE f.id IN ({listed}) AND f.trashed_at IS NULL");
    select(cx, sql, bindings.values()).await
}

/// The sort key of a list of forms. Forms with equal keys are sorted by id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the variants are the columns' names")]
pub enum Order {
    Id,
    Title,
    CreatedAt,
    UpdatedAt,
}

/// The filter, order and page of a list of forms.
#[derive(Clone, Debug)]
pub struct Listing {
    /// Words that the title or the slug must contain, in any case, with or without accents.
    pub words: Vec<String>,
    /// The slug, exactly.
    pub slug: Option<String>,
    /// Only forms with this status.
    pub status: Option<Status>,
    /// Whether to list live forms, forms in the trash, or both.
    pub among: Among,
    /// The order.
    pub order: Order,
    /// Whether the order is descending.
    pub descending: bool,
    /// The number of forms to skip.
    pub offset: i64,
    /// The number of forms to show; `None` for all.
    pub limit: Option<i64>,
}

/// Reads a page of a list of forms, without their schemas, and the total of all pages.
pub async fn list(cx: &Context, listing: &Listing) -> Result<(Vec<Form>, i64)> {
    let mut bindings = Bindings::default();
    let mut conditions = vec!["1 = 1".to_owned(), listing.among.condition().to_owned()];
    if let Some(status) = listing.status {
        conditions.push(format!("f.status = {}", bindings.bind(status.as_str())));
    }
    if let Some(slug) = &listing.slug {
        conditions.push(format!("f.slug = {}", bindings.bind(slug)));
    }
    let mut batch = Batch::new(cx);
    if !listing.words.is_empty() {
        let words = listing.words.iter().map(|word| containing(word));
        let words = bindings.bind(Value::from_iter(words).to_string());
        let words = batch.dialect().listed(&words);
        conditions.push(format!(
            "NOT EXISTS (SELECT 1 FROM {words} WHERE f.folded_title NOT LIKE listed.value ESCAPE '!' \
             AND f.slug NOT LIKE listed.value ESCAPE '!')"
        ));
    }
    let conditions = conditions.join(" AND ");

    let sql = format!("SELECT COUNT(*) FROM cf_forms f WHERE {conditions}");
    let count = batch.add(sql, bindings.clone().values());
    let way = if listing.descending { "DESC" } else { "ASC" };
    let order = match listing.order {
        Order::Id => String::new(),
        Order::Title => format!("LOWER(f.title) {way}, "),
        Order::CreatedAt => format!("f.created_at {way}, "),
        Order::UpdatedAt => format!("f.updated_at {way}, "),
    };
    let limit = bindings.bind(listing.limit.unwrap_or(i64::from(i32::MAX)));
    let offset = bindings.bind(listing.offset);
    let sql = format!(
        "SELECT {COLUMNS}, {}, NULL FROM cf_forms f WHERE {conditions} \
         ORDER BY {order}f.id {way} LIMIT {limit} OFFSET {offset}",
        former_slugs(batch.dialect())
    );
    let read = batch.add(sql, bindings.values());
    let mut results = batch.run().await?;
    Ok((results.rows(read)?, read_count(&mut results, count)?))
}

/// Folds the titles of up to 200 forms after an id, if an older version stored them unfolded. Returns the last form's
/// id; `None` if no form follows.
pub async fn fold_titles(cx: &Context, after: i64) -> Result<Option<i64>> {
    let sql = "SELECT id, title, folded_title FROM cf_forms WHERE id > ?1 ORDER BY id LIMIT 200";
    let found: Vec<(i64, String, Option<String>)> = select(cx, sql, params![after]).await?;
    let mut batch = Batch::new(cx);
    let mut has_work = false;
    for (id, title, _) in found.iter().filter(|(_, _, folded)| folded.is_none()) {
        has_work = true;
        batch.add(
            "UPDATE cf_forms SET folded_title = ?2 WHERE id = ?1 AND folded_title IS NULL",
            params![*id, fold(title)],
        );
    }
    if has_work {
        batch.run().await?;
    }
    Ok(found.last().map(|(id, _, _)| *id))
}

/// The LIKE pattern for texts that contain a word, with `!` as the escape character.
fn containing(word: &str) -> String {
    let mut pattern = String::from("%");
    for character in fold(word).chars() {
        if matches!(character, '%' | '_' | '!') {
            pattern.push('!');
        }
        pattern.push(character);
    }
    pattern.push('%');
    pattern
}

/// The parameters that [`insert`] and [`update`] share.
fn values(form: &Form, token: &str) -> Result<Vec<SqlValue>> {
    Ok(params![
        token,
        &form.title,
        form.stored_slug(),
        &form.markup,
        serde_json::to_string(&form.settings)?,
        serde_json::to_string(&form.messages)?,
        form.source.as_str(),
        form.has_schema,
        form.updated_at,
        form.status.as_str(),
        fold(&form.title),
        form.trashed_at,
    ])
}

/// Stores a new form with its first revision, its schema and values of further meta keys. Returns its id; `None` if the
/// slug is taken.
pub async fn insert(
    cx: &Context,
    form: &Form,
    more: &[(&str, String)],
    author: &Principal,
    unfiltered: bool,
) -> Result<Option<i64>> {
    let token = crate::security::random::uuid()?;
    let mut batch = Batch::new(cx);
    batch.add(
        "INSERT INTO cf_forms (change_token, title, slug, markup, settings, messages, source, has_schema, revision, created_at, updated_at, status, folded_title, trashed_at) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 1, ?9, ?9, ?10, ?11, ?12) ON CONFLICT (slug) DO NOTHING",
        values(form, &token)?,
    );
    if let Some(schema) = &form.stored_schema {
        meta::add(&mut batch, &token, SCHEMA_META_KEY, schema);
    }
    for (name, value) in more {
        meta::add(&mut batch, &token, name, value);
    }
    let first = Changed {
        summary: "created".to_owned(),
        title: Some(form.title.clone()),
        markup: Some(form.markup.clone()),
        schema: form.stored_schema.clone(),
        settings: Some(serde_json::to_string(&form.settings)?),
        messages: Some(serde_json::to_string(&form.messages)?),
        unfiltered,
        ..Changed::default()
    };
    revisions::add(&mut batch, &token, first, author);
    take_slug(&mut batch, &token);
    let read = batch.add(
        "SELECT id FROM cf_forms WHERE change_token = ?1",
        params![token],
    );
    batch.run().await?.first(read)
}

/// Stores a changed form with its new revision, and removes the published draft. Returns false, and changes nothing, if
/// the form does not exist, has another revision, or another form has the slug.
pub async fn update(
    cx: &Context,
    form: &Form,
    changed: Changed,
    draft: Option<i64>,
    author: &Principal,
) -> Result<bool> {
    let token = crate::security::random::uuid()?;
    let mut params = values(form, &token)?;
    params.extend(params![form.id, form.revision - 1]);
    let mut batch = Batch::new(cx);
    let updated = batch.add(
        "UPDATE cf_forms SET change_token = ?1, title = ?2, slug = ?3, markup = ?4, settings = ?5, messages = ?6, \
         source = ?7, has_schema = ?8, revision = revision + 1, updated_at = ?9, status = ?10, folded_title = ?11, trashed_at = ?12 \
         WHERE id = ?13 AND revision = ?14 \
         AND NOT EXISTS (SELECT 1 FROM cf_forms o WHERE o.slug = ?3 AND o.id <> ?13)",
        params,
    );
    if let Some(schema) = &changed.schema {
        meta::add(&mut batch, &token, SCHEMA_META_KEY, schema);
    }
    if let Some(slugs) = &changed.former_slugs {
        keep_former_slugs(&mut batch, &token, slugs);
    }
    if changed.revokes_links {
        batch.add(
            "UPDATE cf_forms SET link_epoch = link_epoch + 1 WHERE change_token = ?1",
            params![&token],
        );
    }
    if changed.is_moved {
        queue::withhold_of_form(&mut batch, &token, form.trashed_at.is_some());
    }
    revisions::add(&mut batch, &token, changed, author);
    if let Some(draft) = draft {
        drafts::add_removal(&mut batch, &token, draft);
    }
    Ok(batch.run().await?.changes(updated) == 1)
}

/// Adds a statement that removes the slug of the batch's form from all former slugs.
fn take_slug(batch: &mut Batch, token: &str) {
    batch.add(
        "DELETE FROM cf_former_slugs WHERE slug = (SELECT f.slug FROM cf_forms f WHERE f.change_token = ?1)",
        params![token],
    );
}

/// Adds statements that replace the former slugs of the batch's form.
fn keep_former_slugs(batch: &mut Batch, token: &str, slugs: &[String]) {
    take_slug(batch, token);
    let listed = batch.dialect().listed("?2");
    let slugs = Value::from(slugs).to_string();
    batch.add(
        format!(
            "DELETE FROM cf_former_slugs WHERE form_id = (SELECT f.id FROM cf_forms f WHERE f.change_token = ?1) \
             AND slug NOT IN (SELECT listed.value FROM {listed})"
        ),
        params![token, &slugs],
    );
    batch.add(
        format!(
            "INSERT INTO cf_former_slugs (slug, form_id, retired_at) \
             SELECT listed.value, f.id, f.updated_at FROM cf_forms f CROSS JOIN {listed} WHERE f.change_token = ?1 \
             ON CONFLICT (slug) DO NOTHING"
        ),
        params![token, &slugs],
    );
}

/// Reads the slugs with a prefix.
pub async fn slugs_beginning(cx: &Context, beginning: &str) -> Result<Vec<String>> {
    let sql = "SELECT slug FROM cf_forms WHERE SUBSTR(slug, 1, LENGTH(?1)) = ?1";
    select(cx, sql, params![beginning]).await
}

/// The tables with a column `form_id`, whose rows are deleted with their form. Queue entries come first, since a
/// running entry adds rows to the other tables.
#[rustfmt::skip]
const TABLES: [&str; 21] = [
    "cf_action_queue", "cf_action_logs", "cf_answer_names", "cf_former_slugs", "cf_form_drafts", "cf_form_meta",
    "cf_form_revisions", "cf_hold_fills", "cf_saved_owners", "cf_saved_tokens", "cf_saved", "cf_saved_totals",
    "cf_seats", "cf_submissions", "cf_submission_events", "cf_submission_keys", "cf_stats", "cf_rate_limits",
    "cf_unique", "cf_upload_totals", "cf_visitors",
];

/// Deletes a form and all of its rows in one batch. Returns the keys of its files, which are now unreferenced. Returns
/// `None`, and deletes nothing, if the form does not exist or has another revision.
pub async fn delete(cx: &Context, id: i64, revision: i64) -> Result<Option<Vec<String>>> {
    let mut batch = Batch::new(cx);
    let files = batch.add(
        "SELECT file_key FROM cf_uploads WHERE form_id = ?1 ORDER BY id",
        params![id],
    );
    let deleted = batch.add(
        "DELETE FROM cf_forms WHERE id = ?1 AND revision = ?2",
        params![id, revision],
    );
    queue::count_withdrawal(cx);
    // If another change came first, the form still exists and must keep its rows, so each statement checks that the
    // form is gone.
    for table in TABLES {
        if table == "cf_stats" {
            stats::uncount_form(&mut batch, id);
        }
        let sql = format!(
            "DELETE FROM {table} WHERE form_id = ?1 AND NOT EXISTS (SELECT 1 FROM cf_forms WHERE id = ?1)"
        );
        batch.add(sql, params![id]);
    }
    search::delete_of_form(&mut batch, id);
    uploads::abandon_of_form(&mut batch, id);
    let mut results = batch.run().await?;
    if results.changes(deleted) == 0 {
        return Ok(None);
    }
    results.rows(files).map(Some)
}
