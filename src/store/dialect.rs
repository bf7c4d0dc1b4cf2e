//! The differences between the databases.

use std::borrow::Cow;

use crate::task::Dialect;

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
