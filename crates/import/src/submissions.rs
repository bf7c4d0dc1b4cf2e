//! Submissions in the exports of content platforms: those of EmDash's forms (the file of its button
//! JSON, the answers of its routes), and those of Payload's form builder (`GET /api/form-submissions`).

use model::dates::{DAY_MS, parse_moment};
use model::status::{ARCHIVED, NEW, READ};
use model::{FormSchema, check::MAX_NAME_CHARS, is_reserved_name};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Report;
use super::values::{entries, is_on, member, one_line, shortened, text, text_or_number, values};

/// The most answers of one submission that are taken.
const MAX_ANSWERS: usize = 1_000;

/// The longest id or moment by which a form is known, in characters.
const MAX_ID_CHARS: usize = 100;

/// The longest note on a submission, in characters.
const MAX_NOTE_CHARS: usize = 10_000;

/// How many names of answers without a field the report lists.
const MAX_LISTED_NAMES: usize = 20;

/// The remarks on what submissions may lose.
const LOSSES: &str = "answer_left_out countries files payments no_date too_old";

/// The identity of a form on the platform that it comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Its id there; empty where the file names none.
    pub id: String,
    /// When it was made, where ids are counted anew on every site.
    pub created_at: String,
}

impl Origin {
    /// Reads the identity from a form's own document.
    pub fn of(form: &Value) -> Origin {
        let own = |name: &str| -> String {
            shortened(&text_or_number(form, name), MAX_ID_CHARS).to_owned()
        };
        // EmDash's ids are unique, and its submissions say no more of their form.
        let is_unique = form.get("pages").is_some();
        Origin {
            id: own("id"),
            created_at: own(if is_unique { "" } else { "createdAt" }),
        }
    }

    /// Whether both are the same form; this one may lack the moment.
    pub fn means(&self, form: &Origin) -> bool {
        self.id == form.id && (self.created_at.is_empty() || self.created_at == form.created_at)
    }
}

/// A submission of an export, to be checked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SubmissionDraft {
    /// The form that it was sent to.
    pub form: Origin,
    /// The key that distinguishes it from the others of its form besides its answers: when it came, else its id.
    pub key: String,
    /// When it came, in milliseconds UTC.
    pub submitted_at: Option<i64>,
    /// Its answers, by the names that their fields have here.
    pub answers: Map<String, Value>,
    /// Its status.
    pub status: String,
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
    /// Its parts that are not imported, such as `files`.
    pub left_behind: Vec<String>,
}

/// Converts a name to one that a field may have.
pub fn field_name(name: &str) -> String {
    let name = one_line(&name.replace(char::is_control, " "));
    let name = name.trim_end_matches("[]");
    let before = if is_reserved_name(name) { "field" } else { "" };
    shortened(&[before, name].concat(), MAX_NAME_CHARS).to_owned()
}

/// Reads a submission's document.
pub fn submission(document: &Value) -> SubmissionDraft {
    let visit = member(document, "meta");
    let created_at = text(document, "createdAt");
    let form = match member(document, "form") {
        form @ Value::Object(_) => Origin::of(form),
        _ => Origin {
            id: ["formId", "form"]
                .map(|name| text_or_number(document, name))
                .concat(),
            created_at: String::new(),
        },
    };
    let mut answers = entries(member(document, "data"));
    for own in values(member(document, "submissionData")) {
        answers.extend(own.get("value").map(|value| (text(own, "field"), value)));
    }
    let mut taken = Map::new();
    for (name, value) in &answers {
        let name = field_name(name);
        if !name.is_empty() && taken.len() < MAX_ANSWERS {
            taken.insert(name, (*value).clone());
        }
    }
    let whole_note = text(document, "notes").trim();
    let note = shortened(whole_note, MAX_NOTE_CHARS);
    let is_left_out = answers.len() > taken.len() || note != whole_note;
    let has = |name: &str| match member(document, name) {
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => members.values().any(|value| !value.is_null()),
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
        submitted_at: parse_moment(created_at),
        key: match created_at {
            "" => text_or_number(document, "id"),
            at => at.to_owned(),
        },
        answers: taken,
        status: match text(document, "status") {
            "read" => READ,
            "archived" => ARCHIVED,
            _ => NEW,
        }
        .to_owned(),
        starred: is_on(document, "starred"),
        note: note.to_owned(),
        ip_address: text(visit, "ip").to_owned(),
        user_agent: text(visit, "userAgent").to_owned(),
        referer_url: text(visit, "referer").to_owned(),
        left_behind: left_behind
            .into_iter()
            .filter(|(_, is_there)| *is_there)
            .map(|(what, _)| what.to_owned())
            .collect(),
    }
}

/// Notes what submissions of a form lose, and that some are deleted soon.
pub fn note_losses(
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
        what => own.left_behind.iter().any(|left| left == what),
    };
    for loss in LOSSES.split(' ') {
        let count = drafts.iter().filter(|own| has(own, loss)).count();
        if count > 0 {
            report.remark(loss, "submissions", &count.to_string());
        }
    }
    let mut unknown: Vec<&str> = Vec::new();
    let Some(schema) = schema else { return };
    for name in drafts.iter().flat_map(|own| own.answers.keys()) {
        let is_known = schema.answer_fields().any(|field| field.name == *name);
        if !is_known && unknown.len() < MAX_LISTED_NAMES && !unknown.contains(&name.as_str()) {
            report.remark("unknown_answer", name, "");
            unknown.push(name);
        }
    }
}
