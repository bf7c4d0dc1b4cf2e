//! The differences between the databases.

use std::borrow::Cow;
use std::sync::OnceLock;

use crate::task::Dialect;

/// The text of a statement that differs by the dialect alone: composed once for each.
pub(crate) struct Composed {
    compose: fn(Dialect) -> String,
    sqlite: OnceLock<String>,
    postgres: OnceLock<String>,
}

impl Composed {
    /// A text that is composed when it is first asked for.
    pub(crate) const fn new(compose: fn(Dialect) -> String) -> Composed {
        Composed {
            compose,
            sqlite: OnceLock::new(),
            postgres: OnceLock::new(),
        }
    }

    /// The text, with the dialect's placeholders.
    pub(crate) fn of(&'static self, dialect: Dialect) -> Cow<'static, str> {
        let text = match dialect {
            Dialect::Sqlite => &self.sqlite,
            Dialect::Postgres => &self.postgres,
        };
        let compose = || dialect.placeholders((self.compose)(dialect).into());
        text.get_or_init(|| compose().into_owned()).as_str().into()
    }
}

impl Dialect {
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
