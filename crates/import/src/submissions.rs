//! Reads submissions in the exports of content platforms. EmDash's forms export them by a JSON button, and return them
//! from their routes. Payload's form builder returns them from `GET /api/form-submissions`.

use model::dates::{DAY_MS, parse_moment};
use model::status::{ARCHIVED, NEW, READ};
use model::{FormSchema, check::MAX_NAME_CHARS, is_reserved_name};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Report;
use super::values::{entries, is_on, member, one_line, shortened, text, text_or_number, values};

/// The maximum number of answers of one submission that are imported.
const MAX_ANSWERS: usize = 1_000;

/// Maximum length of an id or a time that identifies a form, in characters.
const MAX_ID_CHARS: usize = 100;

/// The longest note on a submission, in characters.
pub(crate) const MAX_NOTE_CHARS: usize = 10_000;

/// Maximum number of answers without a field that the report lists.
const MAX_LISTED_NAMES: usize = 20;

/// The remarks on parts of submissions that the import loses.
const LOSSES: &str = "answer_left_out countries files/none payments no_date too_old";

/// The losses that the readers of submissions do not report themselves.
const UNREPORTED: &str = "payments too_old";

/// The identity of a form on its original platform.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The id on the original platform; empty if the file has none.
    pub id: String,
    /// The time at which the form was created. It distinguishes forms of different sites that use the same ids.
    pub created_at: String,
}

impl Origin {
    /// Reads the identity from a form's own document.
    pub fn of(form: &Value) -> Origin {
        let identifier = |name: &str| -> String {
            shortened(&text_or_number(form, name), MAX_ID_CHARS).to_owned()
        };
        // EmDash's ids are unique, and its submissions refer to their form only by id.
        let is_unique = form.get("pages").is_some();
        Origin {
            id: identifier("id"),
            created_at: identifier(if is_unique { "" } else { "createdAt" }),
        }
    }

    /// Whether both identify the same form; `self` may lack the time.
    pub fn means(&self, form: &Origin) -> bool {
        self.id == form.id && (self.created_at.is_empty() || self.created_at == form.created_at)
    }
}

/// A submission of an export, not checked yet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SubmissionDraft {
    /// The form that received the submission.
    pub form: Origin,
    /// The key that distinguishes the submission from others of its form with equal answers: the product's id, or the
    /// time of arrival.
    pub key: String,
    /// The product that created the key, if its keys are unique within a form; else empty.
    pub source: String,
    /// The time of arrival, in milliseconds UTC.
    pub submitted_at: Option<i64>,
    /// The answers, by this engine's field names.
    pub answers: Map<String, Value>,
    /// The status.
    pub status: String,
    /// Whether a colleague starred it.
    pub starred: bool,
    /// A colleague's note.
    pub note: String,
    /// The visitor's IP address.
    pub ip_address: String,
    /// The visitor's browser.
    pub user_agent: String,
    /// The page from which the visitor came to the form's page. Gravity Forms and Flamingo export the form's page
    /// instead.
    pub referer_url: String,
    /// The parts that are not imported, such as `payments`.
    pub left_behind: Vec<String>,
    /// The files: for the host, the links to fetch with their fields; for the engine, the stored files.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub files: Value,
}

/// Converts a name to a valid field name.
pub fn field_name(name: &str) -> String {
    let name = one_line(&name.replace(char::is_control, " "));
    let name = name.trim_end_matches("[]");
    let before = if is_reserved_name(name) { "field" } else { "" };
    shortened(&[before, name].concat(), MAX_NAME_CHARS).to_owned()
}

/// The form that a submission's document names.
fn form_of(document: &Value) -> Origin {
    match member(document, "form") {
        form @ Value::Object(_) => Origin::of(form),
        _ => Origin {
            id: ["formId", "form"]
                .map(|name| text_or_number(document, name))
                .concat(),
            created_at: String::new(),
        },
    }
}

/// Reads a submission's document.
pub fn submission(document: &Value) -> SubmissionDraft {
    let visit = member(document, "meta");
    let created_at = text(document, "createdAt");
    let mut answers = entries(member(document, "data"));
    for entry in values(member(document, "submissionData")) {
        answers.extend(
            entry
                .get("value")
                .map(|value| (text(entry, "field"), value)),
        );
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
        ("files/none", has("files") || has("submissionUploads")),
        ("payments", has("payment")),
        ("countries", !text(visit, "country").is_empty()),
    ];
    SubmissionDraft {
        form: form_of(document),
        source: String::new(),
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
            .filter(|(_, is_present)| *is_present)
            .map(|(part, _)| part.to_owned())
            .collect(),
        files: Value::Null,
    }
}

/// Adds remarks on lost parts of a form's submissions, and on submissions that are deleted soon. If a reader of
/// submissions `has_reported` its losses, only the remaining ones are added.
pub fn note_losses(
    drafts: &[SubmissionDraft],
    schema: Option<&FormSchema>,
    keeps_days: u64,
    now: i64,
    has_reported: bool,
    report: &mut Report,
) {
    let losses = if has_reported { UNREPORTED } else { LOSSES };
    let oldest = now.saturating_sub_unsigned(keeps_days.saturating_mul(DAY_MS.unsigned_abs()));
    let is_old = |draft: &SubmissionDraft| {
        keeps_days > 0 && draft.submitted_at.is_some_and(|at| at < oldest)
    };
    let has = |draft: &SubmissionDraft, loss: &str| match loss {
        "too_old" => is_old(draft),
        "no_date" => draft.submitted_at.is_none(),
        loss => draft.left_behind.iter().any(|left| left == loss),
    };
    for part in losses.split(' ') {
        let count = drafts.iter().filter(|draft| has(draft, part)).count();
        if count > 0 {
            report.remark(part, "submissions", &count.to_string());
        }
    }
    let mut unknown: Vec<&str> = Vec::new();
    let Some(schema) = schema.filter(|_| !has_reported) else {
        return;
    };
    for name in drafts.iter().flat_map(|draft| draft.answers.keys()) {
        let is_known = schema.answer_fields().any(|field| field.name == *name);
        if !is_known && unknown.len() < MAX_LISTED_NAMES && !unknown.contains(&name.as_str()) {
            report.remark("unknown_answer", name, "");
            unknown.push(name);
        }
    }
}
