//! The differences between the databases.

use std::borrow::Cow;

use serde::Deserialize;

/// Which SQL the host's database speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dialect {
    /// SQLite 3.45 or later, D1, libSQL.
    Sqlite,
    /// PostgreSQL 13 or later.
    Postgres,
}

impl Dialect {
    /// The statement with the dialect's placeholders: `?1` stays, or becomes `$1`. No statement
    /// of the store has a question mark of another meaning.
    pub fn placeholders<'a>(self, sql: &'a str) -> Cow<'a, str> {
        match self {
            Dialect::Sqlite => Cow::Borrowed(sql),
            Dialect::Postgres => Cow::Owned(sql.replace('?', "$")),
        }
    }
}
