//! Submissions in the exports of content platforms: those of EmDash's forms (the file of its button
//! JSON, the answers of its routes), and those of Payload's form builder (`GET /api/form-submissions`).

use model::dates::parse_moment;
use model::status::{ARCHIVED, NEW, READ};
use model::{check::MAX_NAME_CHARS, is_reserved_name};
use serde_json::{Map, Value};

use super::{is_on, text, values};

/// The most answers of one submission that are taken.
const MAX_ANSWERS: usize = 1_000;

/// The longest id or moment by which a form is known, in characters.
const MAX_ID_CHARS: usize = 100;

/// What a platform knows a form by.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// Its id there; empty where the file names none.
    pub id: String,
    /// When it was made, where ids are counted anew on every site.
    pub created_at: String,
}

impl Origin {
    /// Of a form's own document.
    pub fn of(form: &Value) -> Origin {
        Origin {
            id: text(form, "id").chars().take(MAX_ID_CHARS).collect(),
            // EmDash's ids are unique, and its submissions say no more of their form.
            created_at: match form.get("pages") {
                Some(_) => String::new(),
                None => text(form, "createdAt").chars().take(MAX_ID_CHARS).collect(),
            },
        }
    }

    /// Whether this, which may lack the moment, is that form.
    pub fn means(&self, form: &Origin) -> bool {
        self.id == form.id && (self.created_at.is_empty() || self.created_at == form.created_at)
    }
}

/// A submission of an export, to be checked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SubmissionDraft {
    /// The form that it was sent to.
    pub form: Origin,
    /// What tells it from the others of its form besides its answers: when it came, else its id.
    pub key: String,
    /// When it came, in milliseconds UTC.
    pub submitted_at: Option<i64>,
    /// Its answers, by the names that their fields have here.
    pub answers: Map<String, Value>,
    /// Its status.
    pub status: &'static str,
    /// Whether somebody marked it.
    pub starred: bool,
    /// What somebody noted on it.
    pub note: String,
    /// The visitor's address.
    pub ip_address: String,
    /// The visitor's browser.
    pub user_agent: String,
    /// The page that led to the form.
    pub referer_url: String,
    /// What it has that does not come along, such as `files`.
    pub left_behind: Vec<&'static str>,
}

/// A name as a field may have it.
pub fn field_name(name: &str) -> String {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = name.trim_end_matches("[]");
    if is_reserved_name(name) {
        return ["field", name].concat();
    }
    name.chars().take(MAX_NAME_CHARS).collect()
}

/// A submission's document, read.
pub fn submission(document: &Value) -> SubmissionDraft {
    let none = Value::Null;
    let visit = document.get("meta").unwrap_or(&none);
    let created_at = text(document, "createdAt");
    let form = match document.get("form") {
        Some(form) if form.is_object() => Origin::of(form),
        _ => Origin {
            id: [text(document, "formId"), text(document, "form")].concat(),
            ..Origin::default()
        },
    };
    let named = |(name, value): (&String, &Value)| (field_name(name), value.clone());
    let answers = document.get("data").and_then(Value::as_object);
    let pairs = values(document.get("submissionData")).into_iter();
    let pairs = pairs.filter_map(|own| Some((field_name(&text(own, "field")), own.get("value")?)));
    let pairs = pairs.map(|(name, value)| (name, value.clone()));
    let answers = answers.into_iter().flatten().map(named).chain(pairs);
    let has = |name: &str| match document.get(name) {
        Some(Value::Array(items)) => !items.is_empty(),
        Some(Value::Object(members)) => members.values().any(|value| !value.is_null()),
        _ => false,
    };
    let left_behind = [
        ("files", has("files") || has("submissionUploads")),
        ("payments", has("payment")),
        ("countries", !text(visit, "country").is_empty()),
    ];
    SubmissionDraft {
        form,
        submitted_at: parse_moment(&created_at),
        key: if created_at.is_empty() {
            text(document, "id")
        } else {
            created_at
        },
        answers: answers
            .filter(|(name, _)| !name.is_empty())
            .take(MAX_ANSWERS)
            .collect(),
        status: match text(document, "status").as_str() {
            "read" => READ,
            "archived" => ARCHIVED,
            _ => NEW,
        },
        starred: is_on(document, "starred"),
        note: text(document, "notes").trim().to_owned(),
        ip_address: text(visit, "ip"),
        user_agent: text(visit, "userAgent"),
        referer_url: text(visit, "referer"),
        left_behind: left_behind
            .into_iter()
            .filter_map(|(what, is_there)| is_there.then_some(what))
            .collect(),
    }
}
