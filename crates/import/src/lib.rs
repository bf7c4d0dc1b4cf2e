//! Forms from elsewhere: this project's own export, and those of form plugins of the platform's kind.
//! Each reader turns a file's text into drafts; what does not carry over is told.

mod cf7_controls;
mod cf7_paragraphs;
mod cf7_tags;
mod contact_form_7;
mod definitions;
mod gravity_conditions;
mod gravity_fields;
mod gravity_forms;
mod gravity_parts;
mod gravity_text;
mod html_forms;
mod php;
mod submissions;
mod wxr;

use model::check::MAX_FIELDS;
use model::ordered::sort_by;
use serde::Serialize;
use serde_json::{Map, Value, json};

pub use submissions::{Origin, SubmissionDraft, tell_losses};
use wxr::{Post, Site};

/// The most forms of one file.
pub const MAX_FORMS: usize = 200;

/// The most submissions of one file.
pub const MAX_SUBMISSIONS: usize = 10_000;

/// The most lines of a report.
const MAX_REPORT: usize = 1_000;

/// The kinds of file, by their names on the wire.
pub const FORMATS: [&str; 6] = [
    "cf-forms",
    "html-forms",
    "contact-form-7",
    "gravity-forms",
    "emdash-forms",
    "payload-form-builder",
];

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
    /// Whether visitors reach it: its name.
    pub status: String,
    /// Whether the schema is the source.
    pub from_schema: bool,
    /// Its settings, to be checked.
    pub settings: Map<String, Value>,
    /// Its messages, to be checked.
    pub messages: Map<String, Value>,
    /// What the platform knew it by, where that tells it from others.
    pub origin: Origin,
}

/// What a file holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contents {
    /// Its format.
    pub format: &'static str,
    /// Its forms.
    pub forms: Vec<Draft>,
    /// Its submissions, the oldest first.
    pub submissions: Vec<SubmissionDraft>,
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
    pub fn note(&mut self, code: &'static str, place: &str, message: impl AsRef<str>) {
        self.push(code, place, message.as_ref());
    }

    // An import is rare: its code is kept small rather than fast, here and below.
    #[inline(never)]
    fn push(&mut self, code: &'static str, place: &str, message: &str) {
        if self.notes.len() < MAX_REPORT {
            let place: String = place.chars().take(200).collect();
            self.notes.push(Note {
                code,
                message: message.to_owned(),
                place: match self.form.as_str() {
                    "" => place,
                    form => [form, ": ", &place].concat(),
                },
            });
        }
    }

    /// Keeps so many of a file's forms, or of a form's fields; tells of what is beyond.
    pub fn keep_first<T>(&mut self, list: &mut Vec<T>, most: usize, what: &'static str) {
        let count = list.len();
        if count <= most {
            return;
        }
        list.truncate(most);
        let code = match what {
            "forms" => "too_many_forms",
            "submissions" => "too_many_submissions",
            _ => "too_many_fields",
        };
        let message = format!("There are {count} {what}; the first {most} are taken.");
        self.note(code, what, &message);
    }

    /// The notes.
    pub fn into_notes(self) -> Vec<Note> {
        self.notes
    }
}

/// What a file holds, in the format that is stated, else the one that it looks like. An error says why it
/// cannot be read, and what was expected.
pub fn read(text: &str, format: Option<&str>, report: &mut Report) -> Result<Contents, String> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let stated_format = FORMATS.into_iter().find(|own| Some(*own) == format);
    if text.is_empty() {
        return Err("The file is empty.".to_owned());
    }
    if text.starts_with('<') {
        let (site, posts) = wxr::read(text);
        return read_posts(&site, &posts, stated_format, report);
    }
    let value: Value = serde_json::from_str(text)
        .map_err(|error| format!("This is neither XML nor JSON: {error}."))?;
    let documents = definitions::documents(&value)
        .filter(|found| stated_format.is_none_or(|stated| stated == found.format));
    if let Some(mut found) = documents {
        report.keep_first(&mut found.forms, MAX_FORMS, "forms");
        let found_submissions = found.submissions.into_iter();
        let mut submissions: Vec<_> = found_submissions.map(submissions::submission).collect();
        sort_by(&mut submissions, |one: &SubmissionDraft, other| {
            one.submitted_at.cmp(&other.submitted_at)
        });
        report.keep_first(&mut submissions, MAX_SUBMISSIONS, "submissions");
        let forms = found.forms.into_iter();
        return Ok(Contents {
            format: found.format,
            forms: forms.map(|form| definitions::draft(form, report)).collect(),
            submissions,
        });
    }
    let is_own = value.get("format").and_then(Value::as_str) == Some("cf-forms");
    let format = match stated_format {
        Some(format @ ("cf-forms" | "gravity-forms")) => format,
        Some(format @ ("html-forms" | "contact-form-7")) => {
            return Err(format!("This is JSON, but an export of {format} is XML."));
        }
        Some(_) => return Err(NO_DEFINITIONS.to_owned()),
        None if is_own => "cf-forms",
        None => "gravity-forms",
    };
    let mut forms = match format {
        "cf-forms" => values(value.get("forms")),
        _ => gravity_forms::forms(&value),
    };
    if forms.is_empty() {
        return Err(match (stated_format, format) {
            (_, "cf-forms") => NO_OWN_FORMS.to_owned(),
            (Some(_), _) => NO_GRAVITY_FORMS.to_owned(),
            (None, _) => {
                let expected = [NO_OWN_FORMS, NO_GRAVITY_FORMS, NO_DEFINITIONS].join(" ");
                ["This JSON is no export of forms. ", &expected].concat()
            }
        });
    }
    report.keep_first(&mut forms, MAX_FORMS, "forms");
    let drafts = forms.into_iter().map(|form| match format {
        "cf-forms" => own_draft(form),
        _ => gravity_forms::draft(form, report),
    });
    Ok(Contents {
        format,
        forms: drafts.collect(),
        ..Contents::default()
    })
}

const NO_OWN_FORMS: &str = "An export of this engine is {\"format\": \"cf-forms\", \"version\": 1, \"forms\": [{…}]} with a form at least.";

const NO_GRAVITY_FORMS: &str = "An export of Gravity Forms is {\"0\": {…}, \"version\": \"…\"}, each form with its \"fields\".";

const NO_DEFINITIONS: &str = "An export of EmDash's forms is {\"items\": [{\"pages\": […]}]}, of its submissions [{\"formId\": …, \"data\": {…}}], of Payload's form builder {\"docs\": [{\"fields\": […]}]}, of its submissions {\"docs\": [{\"form\": {…}, \"submissionData\": […]}]}.";

/// The draft of a form of this project's own export: `GET /forms/export`.
fn own_draft(form: &Value) -> Draft {
    let object = |name: &str| -> Map<String, Value> {
        let members = form.get(name).and_then(Value::as_object);
        members.cloned().unwrap_or_default()
    };
    let schema = form.get("schema");
    Draft {
        title: text(form, "title"),
        slug: text(form, "slug"),
        markup: text(form, "markup"),
        status: text(form, "status"),
        schema: schema.filter(|schema| schema.is_object()).cloned(),
        from_schema: text(form, "source") == "schema",
        settings: object("settings"),
        messages: object("messages"),
        ..Draft::default()
    }
}

/// The forms among the posts of the platform's export.
fn read_posts(
    site: &Site,
    posts: &[Post],
    stated_format: Option<&'static str>,
    report: &mut Report,
) -> Result<Contents, String> {
    let is_cf7 = |post: &&Post| post.kind == "wpcf7_contact_form";
    let format = match stated_format {
        Some(format @ ("contact-form-7" | "html-forms")) => format,
        Some(format) => return Err(format!("This is XML, but an export of {format} is JSON.")),
        None if posts.iter().any(|post| is_cf7(&post)) => "contact-form-7",
        None => "html-forms",
    };
    let is_own = |post: &&Post| match format {
        "contact-form-7" => is_cf7(post),
        _ => html_forms::is_form(post),
    };
    let mut own: Vec<&Post> = posts.iter().filter(is_own).collect();
    if own.is_empty() {
        let found = match posts.len() {
            0 => "There are no posts in this XML.".to_owned(),
            1 => "The 1 post in this XML is no form.".to_owned(),
            count => format!("None of the {count} posts in this XML is a form."),
        };
        let kinds = match stated_format {
            None => "html-form, core-form or wpcf7_contact_form",
            Some("contact-form-7") => "wpcf7_contact_form",
            Some(_) => "html-form or core-form",
        };
        return Err(format!(
            "{found} Expected is a file of Tools → Export with posts of the type {kinds}."
        ));
    }
    report.keep_first(&mut own, MAX_FORMS, "forms");
    let drafts = own.into_iter().map(|post| match format {
        "contact-form-7" => contact_form_7::draft(post, site, report),
        _ => html_forms::draft(post, report),
    });
    Ok(Contents {
        format,
        forms: drafts.collect(),
        ..Contents::default()
    })
}

/// A member that is a text or a number, as text; empty where there is none.
#[inline(never)]
fn text(value: &Value, name: &str) -> String {
    match value.get(name) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    }
}

/// Whether a member says yes, in any of PHP's ways.
#[inline(never)]
fn is_on(value: &Value, name: &str) -> bool {
    match value.get(name) {
        Some(Value::Bool(on)) => *on,
        Some(Value::Number(number)) => number.as_f64() != Some(0.0),
        Some(Value::String(text)) => !matches!(text.as_str(), "" | "0"),
        _ => false,
    }
}

/// The items of a list, or the members' values of an object: PHP makes no difference.
#[inline(never)]
fn values(value: Option<&Value>) -> Vec<&Value> {
    match value {
        Some(Value::Array(items)) => items.iter().collect(),
        Some(Value::Object(members)) => members.values().collect(),
        _ => Vec::new(),
    }
}

/// What a table has for a name.
fn counterpart(table: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    let found = table.iter().find(|(theirs, _)| *theirs == name);
    found.map(|(_, ours)| *ours)
}

/// Puts a member into an object.
fn put(members: &mut Map<String, Value>, name: &str, value: impl Into<Value>) {
    members.insert(name.to_owned(), value.into());
}

/// A schema of fields, with a button; each page, with its title and the names of its fields, is a step,
/// where there are several.
fn schema(
    mut fields: Vec<Value>,
    button: Value,
    pages: &[(String, Vec<String>)],
    report: &mut Report,
) -> Value {
    report.keep_first(&mut fields, MAX_FIELDS - 1, "fields");
    fields.push(button);
    let step = |((title, names), number): (&(String, Vec<String>), u32)| json!({"id": format!("step-{number}"), "title": title, "fields": names});
    let steps: Vec<Value> = pages.iter().zip(1..).map(step).collect();
    if steps.len() > 1 {
        return json!({"fields": fields, "layout": {"type": "multi-step", "steps": steps}});
    }
    json!({ "fields": fields })
}

/// An email action of these settings; empty ones are left out.
#[inline(never)]
fn email_action(settings: &[(&str, String)]) -> Value {
    let mut action = Map::new();
    put(&mut action, "type", "email");
    for (name, value) in settings.iter().filter(|(_, value)| !value.is_empty()) {
        put(&mut action, name, value.as_str());
    }
    Value::Object(action)
}
