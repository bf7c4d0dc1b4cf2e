//! Imports forms from this project's own export, and forms and submissions from exports of other products. Each reader
//! converts a file's text to drafts, and reports the parts that are lost or changed. The readers run in their own wasm
//! module (`crates/importers`), which returns JSON to the engine.

mod catalog;
mod cf7_controls;
mod cf7_paragraphs;
mod cf7_tag;
mod cf7_tags;
mod clock;
mod contact_form_7;
mod csv;
mod definitions;
mod editor_text;
mod engine_export;
mod entries;
mod file_kinds;
mod formats;
mod forms;
mod gravity_fields;
mod gravity_forms;
mod gravity_text;
mod html_forms;
mod html_page;
mod marks;
mod options;
mod php;
mod report;
mod session;
mod session_items;
mod session_rows;
mod session_whole;
mod submissions;
mod values;
mod wordpress;
mod workbook;
mod wxr;
mod xml;

use crate::file_kinds::{read_csv, read_markup, read_sheets};
use std::borrow::Cow;

use formats::ninja_forms;

use model::check::MAX_FIELDS;
use model::dates::parse_moment;
use model::ordered::sort_by;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use clock::Clock;
pub use marks::ImportError;
pub use options::Options;
pub use report::{Note, Report};
pub use session::Session;
use submissions::submission;
pub use submissions::{Origin, SubmissionDraft, note_losses};
use values::{member, numbers_as_texts, put, text, texts, values};

/// The maximum number of forms of one file.
pub const MAX_FORMS: usize = 200;

/// The maximum number of submissions of a file that is not read in parts.
pub const MAX_SUBMISSIONS: usize = 10_000;

/// The formats of files, by their names in the API.
pub const FORMATS: [&str; 30] = [
    "cf-forms",
    "html-forms",
    "contact-form-7",
    "gravity-forms",
    "emdash-forms",
    "payload-form-builder",
    "html",
    "wpforms",
    "fluent-forms",
    "ninja-forms",
    "forminator",
    "formidable",
    "typeform",
    "google-forms",
    "jotform",
    "tally",
    "formio",
    "surveyjs",
    "json-schema",
    "xlsform",
    "wordpress",
    "gravity-entries",
    "fluent-forms-entries",
    "typeform-responses",
    "jotform-submissions",
    "tally-submissions",
    "wpforms-entries",
    "google-forms-responses",
    "flamingo",
    "submissions-csv",
];

/// A form to create.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Draft {
    /// The title.
    pub title: String,
    /// The requested slug; empty to derive it from the title.
    pub slug: String,
    /// The HTML.
    pub markup: String,
    /// The schema, not checked yet.
    pub schema: Option<Value>,
    /// The name of the form's status, such as `closed`; empty for the default.
    pub status: String,
    /// Whether the schema, not the HTML, is the source.
    pub from_schema: bool,
    /// The settings, not checked yet.
    pub settings: Map<String, Value>,
    /// The messages, not checked yet.
    pub messages: Map<String, Value>,
    /// The identity on the original platform, if known.
    pub origin: Origin,
    /// The names of the fields by their ids on the original platform.
    pub ids: Map<String, Value>,
    /// `import:index` if an import in parts creates the form: the import's id, and the form's index in the file. Else
    /// empty.
    #[serde(default)]
    pub part: String,
}

/// The content of a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Contents {
    /// The format's name in the API.
    pub format: String,
    /// The forms.
    pub forms: Vec<Draft>,
    /// The submissions. Those of EmDash and Payload are sorted, the oldest first; others keep the order of the file.
    pub submissions: Vec<SubmissionDraft>,
    /// The id of the import that stores a large file in parts, if these contents are such a part; else 0.
    #[serde(default)]
    pub import_id: i64,
}

impl Draft {
    /// Starts the draft of a post with its title and slug. Later notes belong to a form of that title.
    fn of_post(post: &Value, report: &mut Report) -> Draft {
        let title = text(post, "title");
        report.begin(title);
        Draft {
            title: title.to_owned(),
            slug: text(post, "slug").to_owned(),
            ..Draft::default()
        }
    }
}

const NO_ENGINE_FORMS: &str = "An export of this engine is {\"format\": \"cf-forms\", \"version\": 1, \"forms\": [{…}]} with at least one form.";

const NO_GRAVITY_FORMS: &str = "An export of Gravity Forms is {\"0\": {…}, \"version\": \"…\"}, each form with its \"fields\".";

const NO_DEFINITIONS: &str = "An export of EmDash's forms is {\"items\": [{\"pages\": […]}]}, of its submissions [{\"formId\": …, \"data\": {…}}], of Payload's form builder {\"docs\": [{\"fields\": […]}]}, of its submissions {\"docs\": [{\"form\": {…}, \"submissionData\": […]}]}.";

/// Reads a file in the stated format, or else in the format that its marks identify. The error says why the file cannot
/// be read and which format was expected.
pub fn read(text: &str, format: Option<&str>, report: &mut Report) -> Result<Contents, String> {
    let options = Options {
        format: format.map(str::to_owned),
        ..Options::default()
    };
    read_file(text, &options, report).map_err(|error| error.message)
}

fn read_file(text: &str, options: &Options, report: &mut Report) -> Result<Contents, ImportError> {
    let text = text_of(text)?;
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let stated = FORMATS
        .into_iter()
        .find(|known| Some(*known) == options.format.as_deref());
    let clock = Clock::of(options)?;
    if text.is_empty() {
        Err(ImportError::unknown("The file is empty.".to_owned()))
    } else if ninja_forms::is_of_older_version(text) {
        let message = "This file comes from Ninja Forms 2 or an early version of 3. Import it there into a newer version, and \
            export it again.";
        Err(ImportError::unknown(message.to_owned()))
    } else if workbook::is_zip(text) {
        let sheets = workbook::sheets(text).map_err(ImportError::unknown)?;
        read_sheets(&sheets, report)
    } else if csv::is_likely(text) && !text.starts_with(['<', '{', '[']) {
        read_csv(text, stated, options, &clock, report)
    } else if text.starts_with('<') {
        read_markup(text, stated, &clock, report)
    } else {
        read_json(text, stated, options, &clock, report)
    }
}

/// Whether a format contains only submissions, whose reader needs the form's schema.
pub fn is_of_submissions(format: &str) -> bool {
    entries::known(format).is_some()
}

/// Whether the ids of a format's forms are unique only within a site, so that another site may use them for other
/// forms.
pub fn has_local_ids(format: &str) -> bool {
    let local = [
        "wpforms",
        "fluent-forms",
        "ninja-forms",
        "forminator",
        "formidable",
        "gravity-forms",
        "xlsform",
    ];
    local.contains(&format)
}

/// The format of the forms to which a format's submissions belong. A format of forms is returned unchanged.
pub fn format_of_forms(format: &str) -> &str {
    let found = entries::FORMATS.iter().find(|(known, _)| *known == format);
    found.map_or(format, |(_, forms)| forms)
}

/// Restores the text of a file. UTF-16 that was read as UTF-8 has a NUL next to each ASCII character. Other characters
/// were lost, so a file with such characters is rejected.
fn text_of(text: &str) -> Result<Cow<'_, str>, ImportError> {
    let is_zero_near = text.chars().take(4).any(|c| c == '\0');
    if !is_zero_near {
        return Ok(Cow::Borrowed(text));
    }
    let marks = ['\u{fffd}', '\u{feff}', '\u{fffe}'];
    let bare: Vec<char> = text.trim_start_matches(marks).chars().collect();
    let is_pair = |pair: &[char]| {
        let zeros = pair.iter().filter(|c| **c == '\0').count();
        zeros == 1 && pair.len() == 2 && pair.iter().all(char::is_ascii)
    };
    if !bare.chunks(2).all(is_pair) {
        let message = "This file is in UTF-16. Save it as UTF-8, and import the new file.";
        return Err(ImportError::unknown(message.to_owned()));
    }
    Ok(bare.into_iter().filter(|c| *c != '\0').collect())
}

/// Reads a file as [`read`] does, with options as JSON; writes the contents and the report as JSON for
/// [`contents_of`].
pub fn read_as_json(text: &str, options: &str) -> String {
    let mut report = Report::default();
    let contents = read_file(text, &Options::of(options), &mut report);
    serde_json::to_string(&(contents, report.into_notes())).unwrap_or_default()
}

/// Parses the contents that [`read_as_json`] or a [`Session`] wrote, and adds their notes to the report.
pub fn contents_of(json: &str, report: &mut Report) -> Result<Contents, ImportError> {
    let read: serde_json::Result<(Result<_, _>, _)> = serde_json::from_str(json);
    // The contents are nested deeper in this JSON than in the file, so only this parser may reach its depth limit.
    let (contents, notes) =
        read.map_err(|_| ImportError::from("The file is nested too deeply.".to_owned()))?;
    report.add(notes);
    contents
}

fn read_json(
    content: &str,
    stated: Option<&'static str>,
    options: &Options,
    clock: &Clock<'_>,
    report: &mut Report,
) -> Result<Contents, ImportError> {
    let mut file: Value = values::parse(content).map_err(|error| {
        ImportError::unknown(format!("This file is neither XML nor JSON: {error}."))
    })?;
    let found = marks::of_json(&file);
    if found == ["ninja-forms"]
        && let Some(decoded) = ninja_forms::decoded(content)
    {
        file = values::parse(&decoded).unwrap_or(file);
    }
    let format = match (stated, found.as_slice()) {
        (Some(format @ ("html-forms" | "contact-form-7" | "html" | "wordpress")), _) => {
            let message = format!("This is JSON, but an export of {format} is XML or HTML.");
            return Err(message.into());
        }
        (Some(format), _) => format,
        (None, [one]) if FORMATS.contains(one) => one,
        (None, [other]) => {
            let message = format!("This looks like {other}, which cannot be imported yet.");
            return Err(ImportError::unknown(message));
        }
        (None, []) => {
            let expected = [NO_ENGINE_FORMS, NO_GRAVITY_FORMS, NO_DEFINITIONS].join(" ");
            let message = ["This JSON is not an export of forms. ", &expected].concat();
            return Err(ImportError::unknown(message));
        }
        (None, several) => return Err(ImportError::ambiguous(several)),
    };
    if let Some(format) = entries::known(format) {
        return entries::read_json(&file, format, options, clock, report);
    }
    if let Some(reader) = catalog::of_json(format) {
        return reader.read(&mut file, clock, report);
    }
    if format == "cf-forms" {
        // `values::parse` adds members for the order, which must not be stored with our own settings.
        file = serde_json::from_str(content).unwrap_or_default();
    }
    let is_other = !(found.is_empty() || found.contains(&format));
    read_forms(&mut file, format, is_other, report)
}

/// Reads forms in a JSON format without a row in the catalog. `is_other` says whether the file has only marks of other
/// formats.
fn read_forms(
    file: &mut Value,
    format: &'static str,
    is_other: bool,
    report: &mut Report,
) -> Result<Contents, ImportError> {
    match format {
        "cf-forms" => {
            let forms = values(member(file, "forms"));
            if forms.is_empty() {
                return Err(NO_ENGINE_FORMS.to_owned().into());
            }
            Ok(drafts(format, forms, &engine_export::draft, report))
        }
        "gravity-forms" => {
            numbers_as_texts(file);
            let forms = gravity_forms::forms(file);
            if forms.is_empty() || is_other {
                return Err(NO_GRAVITY_FORMS.to_owned().into());
            }
            Ok(drafts(format, forms, &gravity_forms::draft, report))
        }
        _ => {
            let found = definitions::documents(file, format);
            let mut submissions = found.submissions;
            if found.forms.is_empty() && submissions.is_empty() {
                return Err(NO_DEFINITIONS.to_owned().into());
            }
            let moment = |submission: &Value| parse_moment(text(submission, "createdAt"));
            sort_by(&mut submissions, |one, other| {
                moment(one).cmp(&moment(other))
            });
            report.keep_first_submissions(&mut submissions);
            let mut contents = drafts(found.format, found.forms, &definitions::draft, report);
            contents.submissions = submissions.into_iter().map(submission).collect();
            Ok(contents)
        }
    }
}

/// Converts a file's forms to drafts, at most [`MAX_FORMS`].
fn drafts(
    format: &'static str,
    mut forms: Vec<&Value>,
    draft: &dyn Fn(&Value, &mut Report) -> Draft,
    report: &mut Report,
) -> Contents {
    report.keep_first(&mut forms, MAX_FORMS, "too_many_forms");
    let forms = forms.into_iter().map(|form| draft(form, report));
    Contents {
        format: format.to_owned(),
        forms: forms.collect(),
        submissions: Vec::new(),
        ..Contents::default()
    }
}

/// A page of a form: its title and fields.
type Page = (String, Vec<Value>);

/// Builds a schema from the pages' fields and a submit button; several pages become steps.
fn schema(pages: Vec<Page>, button: &str, label: &str, report: &mut Report) -> Value {
    let (mut fields, mut steps) = (Vec::new(), Vec::new());
    for (number, (title, page_fields)) in (1..).zip(pages) {
        let mut step = texts(&[("id", &format!("step-{number}")), ("title", &title)]);
        let names = page_fields
            .iter()
            .map(|field| member(field, "name").clone());
        put(&mut step, "fields", names.collect());
        steps.push(Value::Object(step));
        fields.extend(page_fields);
    }
    report.keep_first(&mut fields, MAX_FIELDS - 1, "too_many_fields");
    let button = texts(&[("name", button), ("type", "submit"), ("label", label)]);
    fields.push(Value::Object(button));
    let mut schema = Map::new();
    put(&mut schema, "fields", Value::Array(fields));
    if steps.len() > 1 {
        let mut layout = texts(&[("type", "multi-step")]);
        put(&mut layout, "steps", Value::Array(steps));
        put(&mut schema, "layout", Value::Object(layout));
    }
    Value::Object(schema)
}
