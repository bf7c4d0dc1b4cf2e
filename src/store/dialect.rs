//! The differences between the databases.

use std::borrow::Cow;

use crate::task::Dialect;

impl Dialect {
    /// The statement with the dialect's placeholders: `?1` stays, or becomes `$1`. No statement
    /// of the store has a question mark of another meaning.
    pub fn placeholders(self, sql: Cow<'static, str>) -> Cow<'static, str> {
        match self {
            Dialect::Sqlite => sql,
            Dialect::Postgres => Cow::Owned(sql.replace('?', "$")),
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
