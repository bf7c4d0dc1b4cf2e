//! Forms from elsewhere: this project's own export, and those of form plugins of the platform's kind.
//! Each reader turns a file's text into drafts; what does not carry over is reported. The readers run in a
//! module of their own (`crates/importers`), whose answer the engine gets as JSON.

mod cf7_controls;
mod cf7_paragraphs;
mod cf7_tags;
mod contact_form_7;
mod definitions;
mod gravity_fields;
mod gravity_forms;
mod gravity_text;
mod html_forms;
mod html_page;
mod marks;
mod php;
mod report;
mod submissions;
mod values;
mod wxr;

use std::borrow::Cow;

use model::check::MAX_FIELDS;
use model::dates::parse_moment;
use model::ordered::sort_by;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use marks::Refusal;
pub use report::{Note, Report};
use submissions::submission;
pub use submissions::{Origin, SubmissionDraft, note_losses};
use values::{counterpart, entries, member, numbers_as_texts, put, text, texts, values};

/// The most forms of one file.
pub const MAX_FORMS: usize = 200;

/// The most submissions of one file.
pub const MAX_SUBMISSIONS: usize = 10_000;

/// The kinds of file, by their names on the wire.
pub const FORMATS: [&str; 7] = [
    "cf-forms",
    "html-forms",
    "contact-form-7",
    "gravity-forms",
    "emdash-forms",
    "payload-form-builder",
    "html",
];

/// A form to be created.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
    /// Its identity on the platform that it comes from, where that is known.
    pub origin: Origin,
}

/// The content of a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Contents {
    /// Its format.
    pub format: String,
    /// Its forms.
    pub forms: Vec<Draft>,
    /// Its submissions, the oldest first.
    pub submissions: Vec<SubmissionDraft>,
}

impl Draft {
    /// The draft of a post of the platform, with its title and slug; the report continues with it.
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

const NO_OWN_FORMS: &str = "An export of this engine is {\"format\": \"cf-forms\", \"version\": 1, \"forms\": [{…}]} with a form at least.";

const NO_GRAVITY_FORMS: &str = "An export of Gravity Forms is {\"0\": {…}, \"version\": \"…\"}, each form with its \"fields\".";

const NO_DEFINITIONS: &str = "An export of EmDash's forms is {\"items\": [{\"pages\": […]}]}, of its submissions [{\"formId\": …, \"data\": {…}}], of Payload's form builder {\"docs\": [{\"fields\": […]}]}, of its submissions {\"docs\": [{\"form\": {…}, \"submissionData\": […]}]}.";

/// Reads a file in the format that is stated, else in the one whose mark it has. An error says why it cannot be
/// read, and what was expected.
pub fn read(text: &str, format: Option<&str>, report: &mut Report) -> Result<Contents, String> {
    read_file(text, format, report).map_err(|refusal| refusal.message)
}

fn read_file(text: &str, format: Option<&str>, report: &mut Report) -> Result<Contents, Refusal> {
    let text = text_of(text)?;
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let stated = FORMATS.into_iter().find(|own| Some(*own) == format);
    if text.is_empty() {
        Err(Refusal::unknown("The file is empty.".to_owned()))
    } else if text.starts_with('<') {
        read_markup(text, stated, report)
    } else {
        read_json(text, stated, report)
    }
}

/// The text of a file. UTF-16 that was read as UTF-8 has a zero beside each letter of ASCII; other letters
/// are lost then.
fn text_of(text: &str) -> Result<Cow<'_, str>, Refusal> {
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
        let message = "This file is in UTF-16. Save it as UTF-8, and import that.";
        return Err(Refusal::unknown(message.to_owned()));
    }
    Ok(bare.into_iter().filter(|c| *c != '\0').collect())
}

/// Reads a file as [`read`] does, and writes what becomes of it and the report as JSON for [`contents_of`].
pub fn read_as_json(text: &str, format: Option<&str>) -> String {
    let mut report = Report::default();
    let contents = read_file(text, format, &mut report);
    serde_json::to_string(&(contents, report.into_notes())).unwrap_or_default()
}

/// The content of a file as [`read_as_json`] writes it; its report is added to this one.
pub fn contents_of(json: &str, report: &mut Report) -> Result<Contents, Refusal> {
    let read: serde_json::Result<(Result<_, _>, _)> = serde_json::from_str(json);
    // It lies deeper there than in the file.
    let (contents, notes) =
        read.map_err(|_| Refusal::from("The file is nested too deeply.".to_owned()))?;
    report.add(notes);
    contents
}

fn read_json(
    content: &str,
    stated: Option<&'static str>,
    report: &mut Report,
) -> Result<Contents, Refusal> {
    let mut file: Value = values::parse(content)
        .map_err(|error| Refusal::unknown(format!("This is neither XML nor JSON: {error}.")))?;
    let found = marks::of_json(&file);
    let format = match (stated, found.as_slice()) {
        (Some(format @ ("html-forms" | "contact-form-7" | "html")), _) => {
            let message = format!("This is JSON, but an export of {format} is XML or HTML.");
            return Err(message.into());
        }
        (Some(format), _) => format,
        (None, [one]) if FORMATS.contains(one) => one,
        (None, [other]) => {
            let message = format!("This looks like {other}, which cannot be imported yet.");
            return Err(Refusal::unknown(message));
        }
        (None, []) => {
            let expected = [NO_OWN_FORMS, NO_GRAVITY_FORMS, NO_DEFINITIONS].join(" ");
            let message = ["This JSON is no export of forms. ", &expected].concat();
            return Err(Refusal::unknown(message));
        }
        (None, several) => return Err(Refusal::ambiguous(several)),
    };
    match format {
        "cf-forms" => {
            // It is taken as it is, without the order of its members.
            file = serde_json::from_str(content).unwrap_or_default();
            let forms = values(member(&file, "forms"));
            if forms.is_empty() {
                return Err(NO_OWN_FORMS.to_owned().into());
            }
            Ok(drafts(format, forms, &own_draft, report))
        }
        "gravity-forms" => {
            numbers_as_texts(&mut file);
            let forms = gravity_forms::forms(&file);
            if forms.is_empty() || !(found.is_empty() || found.contains(&format)) {
                return Err(NO_GRAVITY_FORMS.to_owned().into());
            }
            Ok(drafts(format, forms, &gravity_forms::draft, report))
        }
        _ => {
            let found = definitions::documents(&file, format);
            let mut submissions = found.submissions;
            if found.forms.is_empty() && submissions.is_empty() {
                return Err(NO_DEFINITIONS.to_owned().into());
            }
            let moment = |own: &Value| parse_moment(text(own, "createdAt"));
            sort_by(&mut submissions, |one, other| {
                moment(one).cmp(&moment(other))
            });
            report.keep_first(&mut submissions, MAX_SUBMISSIONS, "too_many_submissions");
            let mut contents = drafts(found.format, found.forms, &definitions::draft, report);
            contents.submissions = submissions.into_iter().map(submission).collect();
            Ok(contents)
        }
    }
}

/// Reads an export of the platform, or a web page.
fn read_markup(
    text: &str,
    stated: Option<&'static str>,
    report: &mut Report,
) -> Result<Contents, Refusal> {
    let is_page = match (stated, marks::of_markup(text)) {
        (Some(format), _) => format == "html",
        (None, Some("html")) => true,
        (None, Some(other @ "Formidable Forms")) => {
            let message = format!("This looks like {other}, which cannot be imported yet.");
            return Err(Refusal::unknown(message));
        }
        (None, _) => false,
    };
    if !is_page {
        return read_posts(text, stated, report).map_err(|message| match stated {
            Some(_) => message.into(),
            None => Refusal::unknown(message),
        });
    }
    let mut forms = html_page::drafts(text, report);
    if forms.is_empty() {
        let message = "There is no form with a field on this page.";
        return Err(Refusal::unknown(message.to_owned()));
    }
    report.keep_first(&mut forms, MAX_FORMS, "too_many_forms");
    Ok(Contents {
        format: "html".to_owned(),
        forms,
        submissions: Vec::new(),
    })
}

/// The forms among the posts of the platform's export.
fn read_posts(
    text: &str,
    stated: Option<&'static str>,
    report: &mut Report,
) -> Result<Contents, String> {
    let (site, posts) = wxr::read(text);
    let format_of = |post: &Value| counterpart("posts.formats", values::text(post, "kind"));
    let cf7 = Some("contact-form-7");
    let format = match stated {
        Some(format @ ("contact-form-7" | "html-forms")) => format,
        Some(format) => return Err(format!("This is XML, but an export of {format} is JSON.")),
        None if posts.iter().any(|post| format_of(post) == cf7) => "contact-form-7",
        None => "html-forms",
    };
    let of_format = |format| {
        posts
            .iter()
            .filter(move |post| format_of(post) == Some(format))
    };
    let own: Vec<&Value> = of_format(format).collect();
    if own.is_empty() {
        let found = match posts.len() {
            0 => "There are no posts in this XML.".to_owned(),
            1 => "The 1 post in this XML is no form.".to_owned(),
            count => format!("None of the {count} posts in this XML is a form."),
        };
        let kinds = match stated {
            None => "html-form, core-form or wpcf7_contact_form",
            Some("contact-form-7") => "wpcf7_contact_form",
            Some(_) => "html-form or core-form",
        };
        return Err(format!(
            "{found} Expected is a file of Tools → Export with posts of the type {kinds}."
        ));
    }
    // The others are read by their own format.
    let other = FORMATS.into_iter().filter(|own| *own != format);
    for (other, count) in other.map(|other| (other, of_format(other).count())) {
        if count > 0 {
            let message = format!(
                "{count} forms of {other} are in the file too: import it again with that format."
            );
            report.note("not_read", other, &message);
        }
    }
    let draft = |post: &Value, report: &mut Report| {
        if cf7 == Some(format) {
            contact_form_7::draft(post, &site, report)
        } else {
            html_forms::draft(post, report)
        }
    };
    Ok(drafts(format, own, &draft, report))
}

/// The drafts of a file's forms, as far as there may be so many.
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
    }
}

/// The members of a form in this project's own export, and those of its answers that say nothing to another
/// site.
const OWN_MEMBERS: [&str; 15] = [
    "title",
    "slug",
    "markup",
    "status",
    "source",
    "schema",
    "settings",
    "messages",
    "id",
    "url",
    "has_schema",
    "revision",
    "submission_count",
    "created_at",
    "updated_at",
];

/// The draft of a form of this project's own export: `GET /forms/export`.
fn own_draft(form: &Value, report: &mut Report) -> Draft {
    report.begin(text(form, "title"));
    let has = |name: &&str| !member(form, name).is_null();
    let names = entries(form).into_iter().map(|(name, _)| name);
    for name in names.filter(has).filter(|name| !OWN_MEMBERS.contains(name)) {
        report.remark("unknown_setting", name, "");
    }
    let object = |name: &str| member(form, name).as_object().cloned().unwrap_or_default();
    let own = |name: &str| text(form, name).to_owned();
    let schema = member(form, "schema");
    Draft {
        title: own("title"),
        slug: own("slug"),
        markup: own("markup"),
        status: own("status"),
        schema: schema.is_object().then(|| schema.clone()),
        from_schema: text(form, "source") == "schema",
        settings: object("settings"),
        messages: object("messages"),
        ..Draft::default()
    }
}

/// A page of a form: its title and fields.
type Page = (String, Vec<Value>);

/// A schema of the pages' fields, with a button; each page is a step, where there are several.
fn schema(pages: Vec<Page>, button: &str, label: &str, report: &mut Report) -> Value {
    let (mut fields, mut steps) = (Vec::new(), Vec::new());
    for (number, (title, own)) in (1..).zip(pages) {
        let mut step = texts(&[("id", &format!("step-{number}")), ("title", &title)]);
        let names = own.iter().map(|field| member(field, "name").clone());
        put(&mut step, "fields", names.collect());
        steps.push(Value::Object(step));
        fields.extend(own);
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
