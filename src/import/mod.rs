//! Forms from elsewhere: this project's own export, and those of form plugins of the platform's kind.
//! Each reader turns a file's text into drafts; what does not carry over is told.

mod cf7_tags;
mod contact_form_7;
mod gravity_fields;
mod gravity_forms;
mod html_forms;
mod own;
mod php;
mod wxr;

use serde::Serialize;
use serde_json::{Map, Value, json};

/// The most forms of one file.
pub const MAX_FORMS: usize = 200;

/// The most lines of a report.
const MAX_REPORT: usize = 1_000;

/// The kinds of file, by their names on the wire.
pub const FORMATS: [&str; 4] = ["cf-forms", "html-forms", "contact-form-7", "gravity-forms"];

/// A form that is to be made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draft {
    /// Its title.
    pub title: String,
    /// The slug that is wanted; empty for one of the title.
    pub slug: String,
    /// Its HTML.
    pub markup: String,
    /// Its schema, to be checked.
    pub schema: Option<Value>,
    /// Whether the schema is the source.
    pub from_schema: bool,
    /// Its settings, to be checked.
    pub settings: Map<String, Value>,
    /// Its messages, to be checked.
    pub messages: Map<String, Value>,
}

/// Something that did not carry over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Note {
    /// Such as `unknown_field`.
    pub code: &'static str,
    /// For people.
    pub message: String,
    /// The form, and the place in it, such as `Contact: mail_2`.
    #[serde(rename = "where")]
    pub place: String,
}

/// What did not carry over, so far.
#[derive(Debug, Default)]
pub struct Report {
    notes: Vec<Note>,
    form: String,
}

impl Report {
    /// Says of which form the next notes are.
    pub fn begin(&mut self, form: &str) {
        self.form = form.chars().take(200).collect();
    }

    /// Notes what did not carry over at a place of the form.
    pub fn note(&mut self, code: &'static str, place: &str, message: impl Into<String>) {
        if self.notes.len() < MAX_REPORT {
            let place: String = place.chars().take(200).collect();
            self.notes.push(Note {
                code,
                message: message.into(),
                place: [self.form.as_str(), ": ", &place].concat(),
            });
        }
    }

    /// The notes.
    pub fn into_notes(self) -> Vec<Note> {
        self.notes
    }
}

/// The forms of a file: its format (the one that is said, else the one that it looks like), and the
/// drafts. An error says why it cannot be read.
pub fn read(
    text: &str,
    format: Option<&str>,
    report: &mut Report,
) -> Result<(&'static str, Vec<Draft>), String> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let said = FORMATS.into_iter().find(|own| Some(*own) == format);
    if text.starts_with('<') {
        let posts = wxr::read(text);
        let is_cf7 = |post: &wxr::Post| post.kind == "wpcf7_contact_form";
        let format = match said {
            Some(format) => format,
            None if posts.iter().any(is_cf7) => "contact-form-7",
            None => "html-forms",
        };
        let drafts: Vec<Draft> = match format {
            "contact-form-7" => {
                let own = posts.iter().filter(|post| is_cf7(post)).take(MAX_FORMS);
                own.map(|post| contact_form_7::draft(post, report))
                    .collect()
            }
            "html-forms" => {
                let own = posts.iter().filter(|post| html_forms::is_form(post));
                let own = own.take(MAX_FORMS);
                own.map(|post| html_forms::draft(post, report)).collect()
            }
            _ => return Err(["This is no export of ", format, ": it is XML."].concat()),
        };
        return found(format, drafts);
    }
    let value: Value = serde_json::from_str(text)
        .map_err(|error| format!("This is neither XML nor JSON: {error}."))?;
    let is_own = value.get("format").and_then(Value::as_str) == Some("cf-forms");
    let format = match said {
        Some(format) => format,
        None if is_own => "cf-forms",
        None => "gravity-forms",
    };
    let drafts = match format {
        "cf-forms" => own::drafts(&value),
        "gravity-forms" => gravity_forms::drafts(&value, report),
        _ => return Err(["This is no export of ", format, ": it is JSON."].concat()),
    };
    found(format, drafts)
}

fn found(format: &'static str, drafts: Vec<Draft>) -> Result<(&'static str, Vec<Draft>), String> {
    if drafts.is_empty() {
        return Err(["There is no form of ", format, " in this file."].concat());
    }
    Ok((format, drafts))
}

/// A member that is a text or a number, as text; empty where there is none.
fn text(value: &Value, name: &str) -> String {
    match value.get(name) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    }
}

/// Whether a member says yes, in any of PHP's ways.
fn is_on(value: &Value, name: &str) -> bool {
    match value.get(name) {
        Some(Value::Bool(on)) => *on,
        Some(Value::Number(number)) => number.as_f64() != Some(0.0),
        Some(Value::String(text)) => !matches!(text.as_str(), "" | "0"),
        _ => false,
    }
}

/// The items of a list, or the members' values of an object: PHP makes no difference.
fn values(value: Option<&Value>) -> Vec<&Value> {
    match value {
        Some(Value::Array(items)) => items.iter().collect(),
        Some(Value::Object(members)) => members.values().collect(),
        _ => Vec::new(),
    }
}

/// An email action of these settings; empty ones are left out.
fn email_action(settings: &[(&str, String)]) -> Value {
    let mut action = json!({"type": "email"});
    if let Some(members) = action.as_object_mut() {
        for (name, value) in settings.iter().filter(|(_, value)| !value.is_empty()) {
            members.insert((*name).to_owned(), json!(value));
        }
    }
    action
}
