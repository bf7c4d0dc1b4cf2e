//! The differences between the SQL dialects.

use std::borrow::Cow;
use std::sync::LazyLock;

use crate::task::Dialect;

/// A statement for each dialect, composed on first use.
pub(crate) type Composed = LazyLock<[String; 2]>;

/// Composes a statement for each dialect.
pub(crate) fn composed(compose: fn(Dialect) -> String) -> [String; 2] {
    let sql = |dialect: Dialect| dialect.placeholders(compose(dialect).into()).into_owned();
    [Dialect::Sqlite, Dialect::Postgres].map(sql)
}

impl Dialect {
    /// Returns this dialect's variant of a statement.
    pub(crate) fn choose(self, [sqlite, postgres]: &'static [String; 2]) -> Cow<'static, str> {
        match self {
            Dialect::Sqlite => sqlite.as_str().into(),
            Dialect::Postgres => postgres.as_str().into(),
        }
    }

    /// The start of a statement that inserts one row. On SQLite, `OR FAIL` avoids the statement journal, which is not
    /// needed because a failure rolls back the whole batch.
    pub fn insert_one(self) -> &'static str {
        match self {
            Dialect::Sqlite => "INSERT OR FAIL INTO ",
            Dialect::Postgres => "INSERT INTO ",
        }
    }

    /// Rewrites placeholders for the dialect: `?1` becomes `$1` for PostgreSQL. The store's statements use question
    /// marks for nothing else.
    pub fn placeholders(self, sql: Cow<'static, str>) -> Cow<'static, str> {
        match self {
            Dialect::Postgres if sql.contains('?') => Cow::Owned(sql.replace('?', "$")),
            _ => sql,
        }
    }

    /// The FROM source that reads one JSON list of scalars as rows `listed.value`. Some databases accept at most 100
    /// parameters, so a list is passed as one parameter.
    pub fn listed(self, place: &str) -> String {
        match self {
            Dialect::Sqlite => format!("json_each({place}) AS listed"),
            Dialect::Postgres => {
                format!("json_array_elements_text(CAST({place} AS json)) AS listed (value)")
            }
        }
    }

    /// The FROM source that reads a JSON list of lists: `listed.value ->> 0` is the first member of each row, and
    /// `listed.key` gives the order.
    pub fn listed_rows(self, place: &str) -> String {
        match self {
            Dialect::Sqlite => self.listed(place),
            Dialect::Postgres => {
                format!(
                    "json_array_elements(CAST({place} AS json)) WITH ORDINALITY AS listed (value, key)"
                )
            }
        }
    }
}
