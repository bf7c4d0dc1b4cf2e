//! A form as the database stores it.

use std::rc::Rc;

use model::json_text;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

/// The representation of a form that was edited last. Visitors' pages and the validation of submits use it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The schema.
    Schema,
    /// The author's HTML; unknown names also mean this.
    #[default]
    #[serde(other)]
    Markup,
}

impl Source {
    /// The name on the wire and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Source::Markup => "markup",
            Source::Schema => "schema",
        }
    }
}

/// Whether visitors can open a form (contract, section 9).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Hidden from visitors. Users who edit forms see the form, marked as a draft.
    Draft,
    /// Closed: visitors see a message that the form is closed.
    Closed,
    /// Visible, within the times in the form's settings. Unknown names also mean this.
    #[default]
    #[serde(other)]
    Published,
}

impl Status {
    /// The names on the wire and in the database.
    pub const NAMES: [&'static str; 3] = ["published", "draft", "closed"];

    /// The status with a name; unknown names mean a published form.
    pub fn read(name: &str) -> Status {
        match name {
            "draft" => Status::Draft,
            "closed" => Status::Closed,
            _ => Status::Published,
        }
    }

    /// The name on the wire and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Status::Published => "published",
            Status::Draft => "draft",
            Status::Closed => "closed",
        }
    }
}

/// The forms that a query covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Among {
    /// Forms in use.
    #[default]
    Live,
    /// Forms in the trash.
    Trash,
    /// Both.
    All,
}

impl Among {
    /// The status of forms in the trash, on the wire.
    pub const TRASH: &'static str = "trash";

    /// The condition on a form `f`.
    pub(super) const fn condition(self) -> &'static str {
        match self {
            Among::Live => "f.trashed_at IS NULL",
            Among::Trash => "f.trashed_at IS NOT NULL",
            Among::All => "1 = 1",
        }
    }
}

/// The defaults of settings and messages that plugins define.
#[derive(Debug, PartialEq)]
pub struct Defaults {
    /// Defaults of all settings.
    pub settings: Map<String, Value>,
    /// Defaults of all messages.
    pub messages: Map<String, Value>,
}

fn words_if_any<'de, D: Deserializer<'de>>(column: D) -> Result<Vec<String>, D::Error> {
    let text = Option::<String>::deserialize(column)?.unwrap_or_default();
    Ok(text.split_whitespace().map(str::to_owned).collect())
}

impl Form {
    /// The slug in the database. A form in the trash leaves its slug free for other forms.
    pub(super) fn stored_slug(&self) -> String {
        match self.trashed_at {
            Some(_) => format!("{}~{}", self.slug, self.id),
            None => self.slug.clone(),
        }
    }
}

/// A form. A row is deserialized by position, so the stored members are in the order of the selected columns.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct Form {
    /// The form's id; 0 until the form is stored.
    pub id: i64,
    /// The title.
    pub title: String,
    /// The slug, unique among the forms. An empty slug is derived from the title.
    pub slug: String,
    /// The author's markup, which is kept while the schema is the source.
    pub markup: String,
    /// The settings that were set; the others have their defaults.
    #[serde(deserialize_with = "json_text")]
    pub settings: Map<String, Value>,
    /// The messages that were set; the others have their defaults.
    #[serde(deserialize_with = "json_text")]
    pub messages: Map<String, Value>,
    /// Whether visitors can reach the form.
    pub status: Status,
    /// The representation that was edited last.
    pub source: Source,
    /// Whether the form has a stored schema.
    pub has_schema: bool,
    /// The number of the last change, from 1.
    pub revision: i64,
    /// Milliseconds UTC.
    pub created_at: i64,
    /// Milliseconds UTC.
    pub updated_at: i64,
    /// The moment when the form was moved to the trash; `None` for a form in use.
    pub trashed_at: Option<i64>,
    /// The number of submissions without spam and trash, from counters.
    pub submission_count: i64,
    /// The former slugs, the newest first: their URLs still redirect to the form.
    #[serde(deserialize_with = "words_if_any")]
    pub former_slugs: Vec<String>,
    /// The stored schema as JSON text, which is kept while the markup is the source. Lists of forms do not load it.
    pub stored_schema: Option<String>,
    /// The defaults that plugins define; `None` for the built-in ones.
    #[serde(skip)]
    pub defaults: Option<Rc<Defaults>>,
    /// The beginning of the URLs of all forms' pages.
    #[serde(skip)]
    pub front: Rc<str>,
}
