//! The differences between the databases.

use std::borrow::Cow;
use std::sync::LazyLock;

use crate::task::Dialect;

/// A statement for each dialect, composed when it is first asked for.
pub(crate) type Composed = LazyLock<[String; 2]>;

/// The composed statements, one for each dialect.
pub(crate) fn composed(compose: fn(Dialect) -> String) -> [String; 2] {
    let sql = |dialect: Dialect| dialect.placeholders(compose(dialect).into()).into_owned();
    [Dialect::Sqlite, Dialect::Postgres].map(sql)
}

impl Dialect {
    /// The one of two statements that is for this dialect.
    pub(crate) fn choose(self, [sqlite, postgres]: &'static [String; 2]) -> Cow<'static, str> {
        match self {
            Dialect::Sqlite => sqlite.as_str().into(),
            Dialect::Postgres => postgres.as_str().into(),
        }
    }

    /// What begins a statement that inserts one row. SQLite keeps no copies of pages to take this one back alone:
    /// a batch is taken back as a whole.
    pub fn insert_one(self) -> &'static str {
        match self {
            Dialect::Sqlite => "INSERT OR FAIL INTO ",
            Dialect::Postgres => "INSERT INTO ",
        }
    }

    /// The statement with the dialect's placeholders: `?1` stays, or becomes `$1`. No statement
    /// of the store has a question mark of another meaning.
    pub fn placeholders(self, sql: Cow<'static, str>) -> Cow<'static, str> {
        match self {
            Dialect::Postgres if sql.contains('?') => Cow::Owned(sql.replace('?', "$")),
            _ => sql,
        }
    }

    /// What follows FROM to read a JSON list of scalars that is one parameter: each is a `listed.value`.
    /// Some databases take no more than 100 parameters, so that whatever may be long is one.
    pub fn listed(self, place: &str) -> String {
        match self {
            Dialect::Sqlite => format!("json_each({place}) AS listed"),
            Dialect::Postgres => {
                format!("json_array_elements_text(CAST({place} AS json)) AS listed (value)")
            }
        }
    }

    /// The same of a JSON list of lists: `listed.value ->> 0` is the first member of each. They are in the
    /// order of `listed.key`.
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
