//! Lists the readers of other products' JSON formats, one row each.

use serde_json::Value;

use crate::clock::Clock;
use crate::formats::{
    fluent_forms, forminator, formio, google_forms, jotform, json_schema, ninja_forms, surveyjs,
    tally, typeform, wpforms,
};
use crate::marks::ImportError;
use crate::report::Report;
use crate::values::{numbers_as_texts, values};
use crate::{Contents, Draft, MAX_FORMS};

/// A reader of one format.
pub struct Reader {
    /// The format's name in the API.
    format: &'static str,
    /// Whether the product may write a number as a string or a string as a number, as PHP does.
    is_of_php: bool,
    /// Finds the forms in a file.
    forms: fn(&Value) -> Vec<&Value>,
    draft: fn(&Value, &Clock<'_>, &mut Report) -> Draft,
}

const READERS: [Reader; 11] = [
    Reader {
        format: "wpforms",
        is_of_php: true,
        forms: with_fields,
        draft: wpforms::draft,
    },
    Reader {
        format: "fluent-forms",
        is_of_php: true,
        forms: of_fluent,
        draft: fluent_forms::draft,
    },
    Reader {
        format: "ninja-forms",
        is_of_php: true,
        forms: with_fields,
        draft: ninja_forms::draft,
    },
    Reader {
        format: "forminator",
        is_of_php: true,
        forms: of_forminator,
        draft: forminator::draft,
    },
    Reader {
        format: "typeform",
        is_of_php: false,
        forms: with_fields,
        draft: typeform::draft,
    },
    Reader {
        format: "google-forms",
        is_of_php: false,
        forms: alone,
        draft: google_forms::draft,
    },
    Reader {
        format: "jotform",
        is_of_php: true,
        forms: alone,
        draft: jotform::draft,
    },
    Reader {
        format: "tally",
        is_of_php: false,
        forms: alone,
        draft: tally::draft,
    },
    Reader {
        format: "formio",
        is_of_php: false,
        forms: with_components,
        draft: formio::draft,
    },
    Reader {
        format: "surveyjs",
        is_of_php: false,
        forms: alone,
        draft: surveyjs::draft,
    },
    Reader {
        format: "json-schema",
        is_of_php: false,
        forms: alone,
        draft: json_schema::draft,
    },
];

/// The reader of a format; `None` for a format without a row here.
pub fn of_json(format: &str) -> Option<&'static Reader> {
    READERS.iter().find(|reader| reader.format == format)
}

impl Reader {
    /// Reads the forms of a file; fails if it has none.
    pub fn read(
        &self,
        file: &mut Value,
        clock: &Clock<'_>,
        report: &mut Report,
    ) -> Result<Contents, ImportError> {
        if self.is_of_php {
            numbers_as_texts(file);
        }
        let mut forms = (self.forms)(file);
        if forms.is_empty() {
            return Err(format!("This file has no form in the format {}.", self.format).into());
        }
        report.keep_first(&mut forms, MAX_FORMS, "too_many_forms");
        let drafts = forms
            .into_iter()
            .map(|form| (self.draft)(form, clock, report));
        Ok(Contents {
            format: self.format.to_owned(),
            forms: drafts.collect(),
            submissions: Vec::new(),
            ..Contents::default()
        })
    }
}

/// The items with `fields` in a list, or the whole file if it is a single form.
fn with_fields(file: &Value) -> Vec<&Value> {
    alone_or_listed(file, &["fields"])
}

fn alone(file: &Value) -> Vec<&Value> {
    vec![file]
}

fn with_components(file: &Value) -> Vec<&Value> {
    alone_or_listed(file, &["components"])
}

fn of_fluent(file: &Value) -> Vec<&Value> {
    alone_or_listed(file, &["form_fields", "form"])
}

fn of_forminator(file: &Value) -> Vec<&Value> {
    alone_or_listed(file, &["data"])
}

fn alone_or_listed<'f>(file: &'f Value, members: &[&str]) -> Vec<&'f Value> {
    let is_form = |value: &&Value| members.iter().any(|name| value.get(name).is_some());
    let alone = Some(file).filter(is_form);
    alone.map_or_else(
        || values(file).into_iter().filter(is_form).collect(),
        |form| vec![form],
    )
}
