//! Reads submissions of other products, and converts them by the schema of the target form.

pub mod about;
mod answers;
pub mod columns;
pub mod document_parts;
pub mod documents;
mod form;
mod gravity;
mod links;
pub mod moments;
pub mod taker;

use model::dates::{DAY_MS, HOUR_MS, parse_day};
use serde_json::Value;

use self::links::Files;
use crate::marks::ImportError;
use crate::report::Report;
use crate::values::Places;
use crate::{Clock, Contents, Options, Origin, SubmissionDraft};

/// The formats of submissions, each with the format of the forms that received them; empty for any form.
pub const FORMATS: [(&str, &str); 9] = [
    ("gravity-entries", "gravity-forms"),
    ("fluent-forms-entries", "fluent-forms"),
    ("typeform-responses", "typeform"),
    ("jotform-submissions", "jotform"),
    ("tally-submissions", "tally"),
    ("wpforms-entries", "wpforms"),
    ("google-forms-responses", "google-forms"),
    ("flamingo", "contact-form-7"),
    ("submissions-csv", ""),
];

/// The default time zone of Jotform's times.
const ZONE_OF_JOTFORM: &str = "America/New_York";

/// The options, the clock and the report that a reader of submissions uses.
pub struct Context<'c> {
    pub options: &'c Options,
    pub clock: Clock<'c>,
    pub report: &'c mut Report,
}

/// The name in [`FORMATS`] that equals `format`; `None` if it is not a format of submissions.
pub fn known(format: &str) -> Option<&'static str> {
    FORMATS
        .iter()
        .find(|(known, _)| *known == format)
        .map(|(known, _)| *known)
}

/// Reads the submissions of JSON.
pub fn read_json(
    file: &Value,
    format: &'static str,
    options: &Options,
    clock: &Clock<'_>,
    report: &mut Report,
) -> Result<Contents, ImportError> {
    let mut all = document_parts::of(file, format);
    report.keep_first_submissions(&mut all);
    let file = File {
        head: file,
        sample: &all,
        format,
    };
    read_documents(&file, &all, options, clock, report)
}

/// The JSON file that submissions come from.
pub struct File<'f> {
    /// The file, or its beginning.
    pub head: &'f Value,
    /// All or the first submissions of the file.
    pub sample: &'f [&'f Value],
    pub format: &'static str,
}

/// Reads the submissions `documents` of a JSON file.
pub fn read_documents(
    file: &File<'_>,
    documents: &[&Value],
    options: &Options,
    clock: &Clock<'_>,
    report: &mut Report,
) -> Result<Contents, ImportError> {
    let format = file.format;
    let eastern = eastern();
    let clock = match (format, clock.zone) {
        ("jotform-submissions", "") => Clock {
            zone: ZONE_OF_JOTFORM,
            offsets: &eastern,
        },
        _ => *clock,
    };
    let ids: Vec<String> = documents
        .iter()
        .map(|document| document_parts::form_of(document, format))
        .collect();
    if let Some(result) = without_schemas(format, &ids, options) {
        return result;
    }
    let mut context = Context {
        options,
        clock,
        report,
    };
    let submissions = documents::read(&mut context, file, documents, &ids);
    Ok(contents(format, submissions))
}

/// Reads the submissions of CSV.
pub fn read_csv(
    content: &str,
    format: &'static str,
    options: &Options,
    clock: &Clock<'_>,
    report: &mut Report,
) -> Result<Contents, ImportError> {
    if let Some(result) = without_schemas(format, &[String::new()], options) {
        return result;
    }
    let mut context = Context {
        options,
        clock: *clock,
        report,
    };
    let submissions = columns::read(&mut context, content, format);
    Ok(contents(format, submissions))
}

/// The UTC offsets of [`ZONE_OF_JOTFORM`] from 2007 to 2039. Summer time begins on the second Sunday of March and ends
/// on the first Sunday of November, at 2:00 local time.
fn eastern() -> Vec<(i64, i64)> {
    let sunday = |year: i64, month: u32, number: i64| {
        let first = parse_day(&format!("{year}-{month:02}-01")).unwrap_or_default();
        // 1970-01-01 was a Thursday.
        let to_sunday = (3 - first).rem_euclid(7);
        (first + to_sunday + (number - 1) * 7) * DAY_MS
    };
    let changes = (2007..2040).flat_map(|year| {
        let begins = sunday(year, 3, 2) + 7 * HOUR_MS;
        let ends = sunday(year, 11, 1) + 6 * HOUR_MS;
        [(begins, -4 * HOUR_MS), (ends, -5 * HOUR_MS)]
    });
    changes.collect()
}

fn contents(format: &str, submissions: Vec<SubmissionDraft>) -> Contents {
    Contents {
        format: format.to_owned(),
        forms: Vec::new(),
        submissions,
        ..Contents::default()
    }
}

/// The result if the forms' schemas are missing: submissions with only the ids of their forms, so that the caller can
/// load the schemas.
fn without_schemas(
    format: &'static str,
    ids: &[String],
    options: &Options,
) -> Option<Result<Contents, ImportError>> {
    if options.forms.contains_key("") || options.are_forms_known {
        return None;
    }
    if ids.iter().any(String::is_empty) {
        return Some(Err(without_form()));
    }
    let named = ids.iter().map(|id| SubmissionDraft {
        form: Origin {
            id: id.clone(),
            created_at: String::new(),
        },
        ..SubmissionDraft::default()
    });
    Some(Ok(contents(format, named.collect())))
}

/// The error for submissions that do not name their form.
pub fn without_form() -> ImportError {
    form_error("This file does not name the form of its submissions: choose one by `form_id`.")
}

/// The error for submissions of several forms when the caller names one target form.
pub fn of_several_forms() -> ImportError {
    form_error("With form_id, the file must hold submissions of one form.")
}

fn form_error(message: &str) -> ImportError {
    ImportError {
        code: "form_id".to_owned(),
        message: message.to_owned(),
        ..ImportError::default()
    }
}

/// Adds remarks about the submissions of a file: the assumed time zone, lost files, and answers without a field.
fn note_counts(
    report: &mut Report,
    zone: Option<&str>,
    (files, options): (Files, &Options),
    unknown: &Places,
) {
    if let Some(zone) = zone {
        report.remark("time_zone", "submissions", zone);
    }
    let linked = if options.fetches_files {
        "files/fetched"
    } else {
        "files"
    };
    for (remark, count) in [(linked, files.linked), ("files/none", files.lost)] {
        if count > 0 {
            report.remark(remark, "submissions", &count.to_string());
        }
    }
    for (name, count) in unknown.all() {
        let place = ["submissions: ", name].concat();
        report.remark("unknown_answer/count", &place, &count.to_string());
    }
}
