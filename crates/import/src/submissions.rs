//! Submissions in the exports of content platforms: those of EmDash's forms (the file of its button
//! JSON, the answers of its routes), and those of Payload's form builder (`GET /api/form-submissions`).

use model::dates::{DAY_MS, parse_moment};
use model::status::{ARCHIVED, NEW, READ};
use model::{FormSchema, check::MAX_NAME_CHARS, is_reserved_name};
use serde_json::{Map, Value};

use super::{Report, is_on, text, values};

/// The most answers of one submission that are taken.
const MAX_ANSWERS: usize = 1_000;

/// The longest id or moment by which a form is known, in characters.
const MAX_ID_CHARS: usize = 100;

/// The longest note on a submission, in characters.
const MAX_NOTE_CHARS: usize = 10_000;

/// How many names of answers that the form has no field for the report tells.
const MAX_TOLD_NAMES: usize = 20;

/// What submissions may lose, and how it is told.
const LOSSES: [(&str, &str); 6] = [
    (
        "answer_left_out",
        "have too many answers, two of one name, or a too long note: the rest is left out.",
    ),
    (
        "countries",
        "name the visitor's country, which is not kept.",
    ),
    ("files", "have files: the export holds none of them."),
    ("payments", "have payments, which have no counterpart."),
    ("no_date", "have no date: they come as of today."),
    (
        "too_old",
        "are older than the form keeps them: they will be deleted.",
    ),
];

/// What a platform knows a form by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    let parts = name.split(|c: char| c.is_whitespace() || c.is_control());
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let name = parts.join(" ");
    let name = name.trim_end_matches("[]");
    let before = if is_reserved_name(name) { "field" } else { "" };
    let name = [before, name].concat();
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
    let (mut given, mut taken) = (0, Map::new());
    for (name, value) in answers.into_iter().flatten().map(named).chain(pairs) {
        given += 1;
        if !name.is_empty() && taken.len() < MAX_ANSWERS {
            taken.insert(name, value);
        }
    }
    let mut note = text(document, "notes").trim().to_owned();
    let long_note = note.char_indices().nth(MAX_NOTE_CHARS);
    let is_left_out = given > taken.len() || long_note.is_some();
    if let Some((end, _)) = long_note {
        note.truncate(end);
    }
    let has = |name: &str| match document.get(name) {
        Some(Value::Array(items)) => !items.is_empty(),
        Some(Value::Object(members)) => members.values().any(|value| !value.is_null()),
        _ => false,
    };
    let left_behind = [
        ("answer_left_out", is_left_out),
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
        answers: taken,
        status: match text(document, "status").as_str() {
            "read" => READ,
            "archived" => ARCHIVED,
            _ => NEW,
        },
        starred: is_on(document, "starred"),
        note,
        ip_address: text(visit, "ip"),
        user_agent: text(visit, "userAgent"),
        referer_url: text(visit, "referer"),
        left_behind: left_behind
            .into_iter()
            .filter_map(|(what, is_there)| is_there.then_some(what))
            .collect(),
    }
}

/// Tells what submissions of a form have that stays behind, or goes soon.
pub fn tell_losses(
    drafts: &[SubmissionDraft],
    schema: Option<&FormSchema>,
    keeps_days: u64,
    now: i64,
    report: &mut Report,
) {
    let oldest = now.saturating_sub_unsigned(keeps_days.saturating_mul(DAY_MS.unsigned_abs()));
    let is_old =
        |own: &SubmissionDraft| keeps_days > 0 && own.submitted_at.is_some_and(|at| at < oldest);
    let has = |own: &SubmissionDraft, what: &str| match what {
        "too_old" => is_old(own),
        "no_date" => own.submitted_at.is_none(),
        what => own.left_behind.contains(&what),
    };
    for (loss, words) in LOSSES {
        let count = drafts.iter().filter(|own| has(own, loss)).count();
        if count > 0 {
            report.note(loss, "submissions", format!("{count} of them {words}"));
        }
    }
    let mut unknown: Vec<&str> = Vec::new();
    let Some(schema) = schema else { return };
    for name in drafts.iter().flat_map(|own| own.answers.keys()) {
        let is_known = schema.answer_fields().any(|field| field.name == *name);
        if !is_known && unknown.len() < MAX_TOLD_NAMES && !unknown.contains(&name.as_str()) {
            let message = "The form has no such field: the answers are kept under this name.";
            report.note("unknown_answer", name, message);
            unknown.push(name);
        }
    }
}
