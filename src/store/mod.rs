//! The database: every SQL statement of the engine, and nothing else.
//!
//! Statements use the SQL that SQLite and PostgreSQL share, with numbered placeholders (`?1`). [`Dialect`] contains the
//! few differences. A batch is atomic and ordered. To refer to a row that an earlier statement of a batch inserted, a
//! statement uses a key that the engine generated (`uuid`), never the last inserted id.

/// The values of a statement, each of a type that converts to a [`SqlValue`].
macro_rules! params {
    ($($value:expr),* $(,)?) => { vec![$(crate::task::SqlValue::from($value)),*] };
}

/// The items of a JSON list, each of a type that converts to an [`Item`](model::values::Item).
macro_rules! items {
    ($($value:expr),* $(,)?) => { [$(model::values::Item::from($value)),*] };
}

/// A row of [`Batch::add_rows`].
macro_rules! row {
    ($($value:expr),* $(,)?) => { model::values::list(&items![$($value),*]) };
}

pub mod answer_names;
pub mod answer_words;
pub mod counters;
mod dialect;
pub mod drafts;
mod form;
pub mod forms;
pub mod holds;
mod id_edges;
pub mod imports;
pub mod logs;
pub mod meta;
mod migrate;
pub mod pages;
pub mod privacy;
pub mod purge;
pub mod queue;
pub mod rate_limits;
pub mod rebuild;
pub mod reindex;
pub mod revisions;
mod row;
pub mod saved;
pub mod search;
mod search_blocks;
mod settings;
mod stats;
mod submission;
pub mod submissions;
pub mod timeline;
mod trash;
pub mod upload_tokens;
pub mod uploads;
pub mod visitors;

pub use crate::task::Dialect;
pub(crate) use dialect::{Composed, composed};
pub use form::{Among, Defaults, Form, Source, Status};
pub use migrate::migrate;
pub use revisions::Changed;
pub use settings::{file_store, signer, site_key, visitor_key};

use std::borrow::Cow;
use std::cell::RefCell;

use serde::de::DeserializeOwned;

use crate::task::{Context, PortError, Sql, SqlValue, Statement, StatementResult};
use row::Row;

/// The error of the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database or the host's meta store failed. After a timeout, the batch or the write may still take effect.
    #[error(transparent)]
    Port(#[from] PortError),
    /// A row is missing, or does not have the columns that its reader expects.
    #[error("a row cannot be read: {0}")]
    Row(#[from] serde::de::value::Error),
    /// The database has a migration that this version of the engine does not know.
    #[error(
        "the database was made by a newer version of cf-forms (its migration {0} is unknown to this one). Start that version, or restore a backup from before the update"
    )]
    Newer(i64),
    /// A stored JSON text cannot be read.
    #[error("a stored value cannot be read: {0}")]
    Json(#[from] serde_json::Error),
    /// A stored form's markup exceeds the limits. The engine checks them on writing, so another program has stored the
    /// markup.
    #[error("a stored markup cannot be read: {0}")]
    Markup(String),
    /// The random source failed.
    #[error("no random bytes: {0}")]
    Random(#[from] getrandom::Error),
}

/// The result of a function of the store.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;

/// The error for a row that must exist and is missing.
fn no_row() -> StoreError {
    StoreError::Row(serde::de::Error::custom("the row is missing"))
}

/// Limit on the bytes of a list of rows; only a list of one row may be longer. D1 accepts values of up to 2 MB.
const MAX_LIST_BYTES: usize = 1_000_000;

/// Limit on the statement texts that get a number.
const MAX_NUMBERED_TEXTS: usize = 400;

/// The statement texts that the host has received, in the order of their numbers. The host stores them, so later
/// batches send only the numbers.
type NumberedTexts = RefCell<Vec<Cow<'static, str>>>;

/// Looks up the number of a text, or assigns the next one to a text that the host has not yet received.
fn numbered(cx: &Context, text: Cow<'static, str>) -> Sql {
    let sent = cx.state::<NumberedTexts>();
    let mut sent = sent.borrow_mut();
    // Most texts are static, so comparing addresses usually suffices.
    let known = sent.iter().position(|known| std::ptr::eq(&**known, &*text));
    let known = known.or_else(|| sent.iter().position(|known| *known == text));
    let known = known.map(|number| (number, true));
    let number = known.or_else(|| {
        let number = sent.len();
        (number < MAX_NUMBERED_TEXTS).then(|| {
            sent.push(text.clone());
            (number, false)
        })
    });
    Sql { text, number }
}

/// The database's dialect.
pub(crate) fn dialect(cx: &Context) -> Dialect {
    cx.shared().configuration().dialect
}

/// Builds the statements of one batch.
pub(crate) struct Batch<'a> {
    context: &'a Context,
    statements: Vec<Statement>,
}

impl<'a> Batch<'a> {
    pub(crate) fn new(context: &'a Context) -> Batch<'a> {
        Batch {
            context,
            statements: Vec::new(),
        }
    }

    pub(crate) fn dialect(&self) -> Dialect {
        dialect(self.context)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.statements.is_empty()
    }

    /// Adds a statement; returns the index of its result.
    pub(crate) fn add(
        &mut self,
        sql: impl Into<Cow<'static, str>>,
        params: Vec<SqlValue>,
    ) -> usize {
        self.push(sql.into(), params, 0)
    }

    /// Adds a statement whose only parameter is a JSON list of rows, or several statements if the list is too long. If
    /// `gathered` is not 0, batches of one transaction may share the statement ([`Statement::gathered`]).
    pub(crate) fn add_rows(&mut self, sql: Cow<'static, str>, rows: Vec<String>, gathered: i8) {
        let length: usize = rows.iter().map(|row| row.len() + 1).sum();
        let mut list = String::with_capacity(length.min(MAX_LIST_BYTES) + 1);
        list.push('[');
        for row in rows {
            if list.len() > 1 && list.len() + row.len() > MAX_LIST_BYTES {
                let full = std::mem::replace(&mut list, "[".to_owned()) + "]";
                self.push(sql.clone(), params![full], gathered);
            }
            if list.len() > 1 {
                list.push(',');
            }
            list += &row;
        }
        self.push(sql, params![list + "]"], gathered);
    }

    fn push(&mut self, sql: Cow<'static, str>, params: Vec<SqlValue>, gathered: i8) -> usize {
        let text = self.dialect().placeholders(sql);
        self.statements.push(Statement {
            sql: numbered(self.context, text),
            params,
            gathered,
        });
        self.statements.len() - 1
    }

    /// Adds a statement on the rows with these ids. `{ids}` in the SQL becomes a subquery that lists the ids.
    pub(crate) fn add_of_ids(&mut self, ids: &[i64], sql: &str) {
        let mut bindings = Bindings::default();
        let listed = bindings.ids(self.dialect(), ids.iter().copied());
        self.add(sql.replace("{ids}", &listed), bindings.values());
    }

    /// Adds a `SELECT … FOR …` that makes other writers wait for this batch. SQLite has only one writer and needs no
    /// lock.
    pub(crate) fn add_lock(&mut self, sql: &'static str, params: Vec<SqlValue>) {
        if self.dialect() == Dialect::Postgres {
            self.add(sql, params);
        }
    }

    /// Runs the batch.
    pub(crate) async fn run(self) -> Result<Results> {
        Ok(Results(self.context.sql(self.statements, false).await?))
    }

    /// Runs the batch without a timeout, for changes of tables of any size.
    pub(crate) async fn run_without_timeout(self) -> Result<Results> {
        Ok(Results(self.context.sql(self.statements, true).await?))
    }
}

/// Runs one statement and returns its rows.
pub(crate) async fn select<T: DeserializeOwned>(
    cx: &Context,
    sql: impl Into<Cow<'static, str>>,
    params: Vec<SqlValue>,
) -> Result<Vec<T>> {
    let mut batch = Batch::new(cx);
    let place = batch.add(sql, params);
    batch.run().await?.rows(place)
}

/// Runs one statement and returns its first row.
pub(crate) async fn select_one<T: DeserializeOwned>(
    cx: &Context,
    sql: impl Into<Cow<'static, str>>,
    params: Vec<SqlValue>,
) -> Result<Option<T>> {
    Ok(select(cx, sql, params).await?.into_iter().next())
}

/// Runs one statement; returns the number of changed rows.
pub(crate) async fn execute(
    cx: &Context,
    sql: impl Into<Cow<'static, str>>,
    params: Vec<SqlValue>,
) -> Result<u64> {
    let mut batch = Batch::new(cx);
    let place = batch.add(sql, params);
    Ok(batch.run().await?.changes(place))
}

/// The values bound to a composed statement, in the order of their placeholders.
#[derive(Clone, Default)]
pub(crate) struct Bindings(Vec<SqlValue>);

impl Bindings {
    /// Binds a value; returns its placeholder.
    pub(crate) fn bind(&mut self, value: impl Into<SqlValue>) -> String {
        self.0.push(value.into());
        format!("?{}", self.0.len())
    }

    /// Binds values; returns their placeholders, separated by commas.
    pub(crate) fn all(&mut self, values: &[&str]) -> String {
        let places: Vec<String> = values.iter().map(|value| self.bind(*value)).collect();
        places.join(", ")
    }

    /// Binds an integer where PostgreSQL cannot infer the type; returns its placeholder.
    pub(crate) fn integer(&mut self, value: impl Into<SqlValue>) -> String {
        format!("CAST({} AS BIGINT)", self.bind(value))
    }

    /// Binds ids as one value; returns a query that lists the ids.
    pub(crate) fn ids(&mut self, dialect: Dialect, ids: impl IntoIterator<Item = i64>) -> String {
        let place = self.bind(serde_json::Value::from_iter(ids).to_string());
        let listed = dialect.listed(&place);
        format!("SELECT CAST(listed.value AS BIGINT) AS id FROM {listed}")
    }

    /// The values, in the order of the placeholders.
    pub(crate) fn values(self) -> Vec<SqlValue> {
        self.0
    }
}

/// The results of a batch, by the indexes that [`Batch::add`] returned.
pub(crate) struct Results(Vec<StatementResult>);

impl Results {
    /// Takes the rows of a statement, not yet deserialized.
    fn unread(&mut self, place: usize) -> impl Iterator<Item = Row> {
        self.take_values(place).into_iter().map(Row::new)
    }

    /// Takes the rows of a statement as the database returned them.
    fn take_values(&mut self, place: usize) -> Vec<Vec<SqlValue>> {
        let result = self.0.get_mut(place);
        result
            .map(|result| std::mem::take(&mut result.rows))
            .unwrap_or_default()
    }

    /// The rows of a statement.
    pub(crate) fn rows<T: DeserializeOwned>(&mut self, place: usize) -> Result<Vec<T>> {
        self.unread(place).map(|mut row| row.read()).collect()
    }

    /// The first row of a statement.
    pub(crate) fn first<T: DeserializeOwned>(&mut self, place: usize) -> Result<Option<T>> {
        let first = self.unread(place).next();
        first.map(|mut row| row.read()).transpose()
    }

    /// Whether a statement returned a row.
    pub(crate) fn has_row(&self, place: usize) -> bool {
        self.0
            .get(place)
            .is_some_and(|result| !result.rows.is_empty())
    }

    /// The number of rows that a statement changed.
    pub(crate) fn changes(&self, place: usize) -> u64 {
        self.0.get(place).map_or(0, |result| result.changes)
    }
}
