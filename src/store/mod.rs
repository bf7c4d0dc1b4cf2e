//! The database: every SQL statement of the engine, and nothing else.
//!
//! Statements are written once, in the SQL that SQLite and PostgreSQL share, with numbered
//! placeholders (`?1`); the few differences are in [`Dialect`]. A batch is atomic and in order.
//! A later statement of a batch finds an earlier row by a key made here (`uuid`), never by
//! "last id".

/// The values of a statement, each of a type that a [`SqlValue`] is made from.
macro_rules! params {
    ($($value:expr),* $(,)?) => { vec![$(crate::task::SqlValue::from($value)),*] };
}

/// The items of a list in JSON, each of a type that an [`Item`](model::values::Item) is made from.
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
pub mod logs;
pub mod meta;
mod migrate;
pub mod pages;
pub mod privacy;
pub mod purge;
pub mod queue;
pub mod rate_limits;
pub mod rebuild;
pub mod revisions;
mod row;
pub mod search;
mod search_blocks;
mod settings;
mod stats;
pub mod submissions;
pub mod timeline;
pub mod uploads;
pub mod visitors;

pub use crate::task::Dialect;
pub(crate) use dialect::{Composed, composed};
pub use form::{Defaults, Form, Source, Status};
pub use migrate::migrate;
pub use revisions::Changed;
pub use settings::{signer, site_key, visitor_key};

use std::borrow::Cow;
use std::cell::RefCell;

use serde::de::DeserializeOwned;

use crate::task::{Context, PortError, Sql, SqlValue, Statement, StatementResult};
use row::Row;

/// Why the store failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database refused or did not answer; nothing of the batch took effect.
    #[error(transparent)]
    Port(#[from] PortError),
    /// A row is missing, or not of the shape that its statement promises.
    #[error("a row cannot be read: {0}")]
    Row(#[from] serde::de::value::Error),
    /// The database has a migration that this version does not know.
    #[error(
        "the database was made by a newer version of cf-forms (its migration {0} is unknown to this one). Start that version, or restore a backup of before"
    )]
    Newer(i64),
    /// A stored JSON text cannot be read.
    #[error("a stored value cannot be read: {0}")]
    Json(#[from] serde_json::Error),
    /// A stored form's markup is beyond the limits; something other than this engine stored it.
    #[error("a stored markup cannot be read: {0}")]
    Markup(String),
    /// The random source failed.
    #[error("no randomness: {0}")]
    Random(#[from] getrandom::Error),
}

/// The result of a function of the store.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;

/// The fault of a row that must be there and is not.
fn no_row() -> StoreError {
    StoreError::Row(serde::de::Error::custom("it is not there"))
}

/// How many bytes a list of rows has at most, unless one alone has more: D1 takes values of 2 MB.
const LONGEST_LIST: usize = 1_000_000;

/// How many texts of statements have a number.
const NUMBERED_TEXTS: usize = 400;

/// The texts of statements that the host has received, in the order of their numbers.
type NumberedTexts = RefCell<Vec<Cow<'static, str>>>;

/// A text with its number, which the host has received from now on.
fn numbered(cx: &Context, text: Cow<'static, str>) -> Sql {
    let sent = cx.state::<NumberedTexts>();
    let mut sent = sent.borrow_mut();
    // Most are the same bytes at the same place.
    let known = sent.iter().position(|own| std::ptr::eq(&**own, &*text));
    let known = known.or_else(|| sent.iter().position(|own| *own == text));
    let known = known.map(|number| (number, true));
    let number = known.or_else(|| {
        let number = sent.len();
        (number < NUMBERED_TEXTS).then(|| {
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

    /// Adds a statement; returns its place in the results.
    pub(crate) fn add(
        &mut self,
        sql: impl Into<Cow<'static, str>>,
        params: Vec<SqlValue>,
    ) -> usize {
        self.push(sql.into(), params, 0)
    }

    /// Adds a statement over a list of rows, each in JSON, which is its one parameter; several statements where
    /// the list is too long for one. Where `gathered` is not 0, batches that share a transaction may share it
    /// too ([`Statement::gathered`]).
    pub(crate) fn add_rows(&mut self, sql: Cow<'static, str>, rows: Vec<String>, gathered: i8) {
        let length: usize = rows.iter().map(|row| row.len() + 1).sum();
        let mut list = String::with_capacity(length.min(LONGEST_LIST) + 1);
        list.push('[');
        for row in rows {
            if list.len() > 1 && list.len() + row.len() > LONGEST_LIST {
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

    /// Adds a statement on rows of these ids, which are its one parameter: `{ids}` gives them.
    pub(crate) fn add_of_ids(&mut self, ids: &[i64], sql: &str) {
        let mut bindings = Bindings::default();
        let listed = bindings.ids(self.dialect(), ids.iter().copied());
        self.add(sql.replace("{ids}", &listed), bindings.values());
    }

    /// Adds a `SELECT … FOR …` that makes others wait for this batch, where the database lets two
    /// write at once; SQLite does not.
    pub(crate) fn add_lock(&mut self, sql: &'static str, params: Vec<SqlValue>) {
        if self.dialect() == Dialect::Postgres {
            self.add(sql, params);
        }
    }

    /// Runs the batch.
    pub(crate) async fn run(self) -> Result<Results> {
        Ok(Results(self.context.sql(self.statements, false).await?))
    }

    /// Runs the batch without a time limit, for changes of tables of any size.
    pub(crate) async fn run_patiently(self) -> Result<Results> {
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

/// Runs one statement; returns how many rows it changed.
pub(crate) async fn execute(
    cx: &Context,
    sql: impl Into<Cow<'static, str>>,
    params: Vec<SqlValue>,
) -> Result<u64> {
    let mut batch = Batch::new(cx);
    let place = batch.add(sql, params);
    Ok(batch.run().await?.changes(place))
}

/// The values of a statement that is composed, by the placeholders that stand for them.
#[derive(Clone, Default)]
pub(crate) struct Bindings(Vec<SqlValue>);

impl Bindings {
    /// Binds a value; returns its placeholder.
    pub(crate) fn bind(&mut self, value: impl Into<SqlValue>) -> String {
        self.0.push(value.into());
        format!("?{}", self.0.len())
    }

    /// Binds values; returns their placeholders, with commas between.
    pub(crate) fn all(&mut self, values: &[&str]) -> String {
        let places: Vec<String> = values.iter().map(|value| self.bind(*value)).collect();
        places.join(", ")
    }

    /// Binds an integer where the statement does not show its type; returns its placeholder.
    pub(crate) fn integer(&mut self, value: impl Into<SqlValue>) -> String {
        format!("CAST({} AS BIGINT)", self.bind(value))
    }

    /// Binds ids as one value; returns the query that gives them.
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

/// The results of a batch, by the places that [`Batch::add`] gave.
pub(crate) struct Results(Vec<StatementResult>);

impl Results {
    /// The rows of a statement, not read yet.
    fn unread(&mut self, place: usize) -> impl Iterator<Item = Row> {
        let result = self.0.get_mut(place);
        let rows = result.map(|result| std::mem::take(&mut result.rows));
        rows.into_iter().flatten().map(Row::new)
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

    /// Whether a statement gave a row.
    pub(crate) fn has_row(&self, place: usize) -> bool {
        self.0
            .get(place)
            .is_some_and(|result| !result.rows.is_empty())
    }

    /// How many rows a statement changed.
    pub(crate) fn changes(&self, place: usize) -> u64 {
        self.0.get(place).map_or(0, |result| result.changes)
    }
}
