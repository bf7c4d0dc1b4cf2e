//! Detects a file's format by its mark: members or elements that only files of this format have. Unless the caller
//! states the format, a JSON file is read only if exactly one mark fits.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::definitions;
use super::formats::tally;
use super::values::{member, text, values};

/// The reason why a file cannot be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportError {
    /// `unknown_format`, `ambiguous`, `time_zone` or `form_id`; empty if the format is known but the content is not an
    /// export.
    pub code: String,
    /// The message for users.
    pub message: String,
    /// The supported formats, or those whose marks fit.
    pub formats: Vec<String>,
}

impl ImportError {
    /// An error without a message, for the list of a route's errors.
    pub const NONE: ImportError = ImportError {
        code: String::new(),
        message: String::new(),
        formats: Vec::new(),
    };

    /// The error for a file that cannot be read as any format; its message lists the formats.
    pub fn unknown(message: String) -> ImportError {
        let formats = super::FORMATS.map(str::to_owned).to_vec();
        let list = formats.join(", ");
        ImportError {
            code: "unknown_format".to_owned(),
            message: format!("{message} These formats can be imported: {list}."),
            formats,
        }
    }

    /// The error for a file with several marks.
    pub fn ambiguous(formats: &[&str]) -> ImportError {
        let list = formats.join(", ");
        ImportError {
            code: "ambiguous".to_owned(),
            message: format!("This file fits several formats: {list}. Choose one by `format`."),
            formats: formats.iter().map(|&format| format.to_owned()).collect(),
        }
    }
}

impl From<String> for ImportError {
    fn from(message: String) -> ImportError {
        ImportError {
            message,
            ..ImportError::default()
        }
    }
}

/// A format's name, and a test for its mark.
type Mark = (&'static str, fn(&Value) -> bool);

/// The marks of other products' formats.
const OF_OTHERS: [Mark; 16] = [
    ("wpforms", |file| {
        forms(file).any(|form| {
            let settings = member(form, "settings");
            let is_titled = has(settings, "form_title") || has(settings, "submit_text");
            has(form, "field_id") && has(form, "fields") && is_titled
        })
    }),
    ("fluent-forms", |file| {
        forms(file).any(|form| {
            let fields = ["form_fields", "form"].map(|name| member(member(form, name), "fields"));
            fields
                .into_iter()
                .any(|fields| some(fields, &["element", "uniqElKey"]))
        })
    }),
    ("ninja-forms", |file| {
        let settings = member(file, "settings");
        member(file, "actions").is_array()
            && member(file, "fields").is_array()
            && (has(settings, "formContentData") || some(member(file, "fields"), &["key", "type"]))
    }),
    ("forminator", |file| {
        let data = member(file, "data");
        matches!(text(file, "type"), "form" | "poll" | "quiz")
            && has(file, "version")
            && has(data, "settings")
            && has(data, "fields")
    }),
    ("typeform", |file| {
        let members = ["thankyou_screens", "welcome_screens", "workspace", "logic"];
        some(member(file, "fields"), &["ref"]) && members.iter().any(|name| has(file, name))
    }),
    ("google-forms", |file| {
        has(file, "formId") && has(file, "info")
    }),
    ("jotform", |file| {
        let questions = file.get("content").unwrap_or(file);
        let questions = questions.get("questions").unwrap_or(questions);
        let mut questions = values(questions).into_iter();
        questions.any(|question| text(question, "type").starts_with("control_"))
    }),
    ("tally", |file| {
        some(
            member(tally::form_of(file), "blocks"),
            &["groupUuid", "groupType"],
        )
    }),
    ("formio", |file| {
        some(member(file, "components"), &["key", "type", "input"])
    }),
    ("surveyjs", |file| {
        let pages = values(member(file, "pages"));
        let in_pages = pages
            .into_iter()
            .any(|page| some(member(page, "elements"), &["type"]));
        in_pages || some(member(file, "elements"), &["name", "type"])
    }),
    ("json-schema", |file| {
        let schema = file.get("schema").unwrap_or(file);
        text(schema, "type") == "object" && member(schema, "properties").is_object()
    }),
    ("fluent-forms-entries", |file| {
        some(file, &["form_id", "response", "serial_number"])
    }),
    ("typeform-responses", |file| {
        some(member(file, "items"), &["answers", "landing_id"])
            || some(member(file, "items"), &["response_id", "submitted_at"])
    }),
    ("jotform-submissions", |file| {
        some(member(file, "content"), &["form_id", "answers"])
    }),
    ("tally-submissions", |file| {
        some(member(file, "submissions"), &["responses", "formId"])
    }),
    ("gravity-entries", |file| {
        let marks = ["form_id", "date_created", "is_starred"];
        let entries = file.get("entries").unwrap_or(file);
        some(entries, &marks) || marks.iter().all(|name| has(file, name))
    }),
];

/// The formats whose marks a JSON file has.
pub fn of_json(file: &Value) -> Vec<&'static str> {
    let mut found = definitions::formats(file);
    if text(file, "format") == "cf-forms" {
        found.push("cf-forms");
    }
    let of_others = OF_OTHERS.iter().filter(|(_, is_one)| is_one(file));
    found.extend(of_others.map(|(name, _)| *name));
    if found.is_empty() && forms(file).any(is_of_gravity) {
        found.push("gravity-forms");
    }
    found
}

/// Whether a form comes from Gravity Forms: all its fields have a type and a numeric id.
fn is_of_gravity(form: &Value) -> bool {
    let is_number =
        |id: &Value| id.is_u64() || id.as_str().is_some_and(|id| id.parse::<u64>().is_ok());
    let is_field =
        |field: &Value| is_number(member(field, "id")) && member(field, "type").is_string();
    let fields = member(form, "fields").as_array();
    fields.is_some_and(|fields| {
        let is_made_there =
            has(form, "button") || has(form, "version") || has(form, "notifications");
        fields.iter().all(is_field) && (!fields.is_empty() || is_made_there)
    })
}

/// The forms of a file that is one form, a list of forms or an object of forms.
fn forms(file: &Value) -> impl Iterator<Item = &Value> {
    let alone = has(file, "fields") || has(file, "form_fields");
    let forms = if alone { vec![file] } else { values(file) };
    forms.into_iter()
}

fn has(value: &Value, name: &str) -> bool {
    value.get(name).is_some()
}

/// Whether an item of a list has all of these members.
fn some(list: &Value, members: &[&str]) -> bool {
    let mut items = values(list).into_iter();
    items.any(|item| members.iter().all(|name| has(item, name)))
}

/// The format of an XML or HTML file by its mark: `wordpress`, `html`, or the name of another product.
pub fn of_markup(content: &str) -> Option<&'static str> {
    let holds = |mark: &str| content.contains(mark);
    let start = content.trim_start().get(..200).unwrap_or(content);
    let start = start.to_ascii_lowercase();
    let is_page = start.contains("<!doctype html") || start.contains("<html");
    let is_feed = holds("<rss") || holds("<wp:");
    if is_feed && !is_page {
        Some("wordpress")
    } else if holds("<channel") && (holds("<field_key>") || holds("frm_")) {
        Some("formidable")
    } else {
        let lower = content.to_ascii_lowercase();
        let controls = ["<form", "<input", "<select", "<textarea"];
        (is_page || controls.iter().any(|tag| lower.contains(tag))).then_some("html")
    }
}
