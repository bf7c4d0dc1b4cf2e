//! Whether visitors reach a form (contract, section 9).

use serde::Serialize;

/// Whether visitors reach a form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// They do, within the times that its settings may name.
    #[default]
    Published,
    /// They do not; people who edit forms see it, marked as a draft.
    Draft,
    /// They are told that it takes nothing more.
    Closed,
}

impl Status {
    /// The names on the wire and in the database.
    pub const NAMES: [&'static str; 3] = ["published", "draft", "closed"];

    /// The status of a name; any other name is that of a published form.
    pub fn read(name: &str) -> Status {
        match name {
            "draft" => Status::Draft,
            "closed" => Status::Closed,
            _ => Status::Published,
        }
    }

    /// The name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Status::Published => "published",
            Status::Draft => "draft",
            Status::Closed => "closed",
        }
    }
}
