//! The functions that editors and other plugins call without a request: reading and writing markup, validating
//! answers, and evaluating conditions. The WebAssembly module of `cf-forms/browser` contains only this crate. The
//! engine's module contains it too, so browsers and servers give equal results.
//!
//! Faults in schemas and answers are part of the result (`faults`, `errors`). An `Err` means that an argument has the
//! wrong shape.

#[cfg(target_arch = "wasm32")]
mod exports;
#[cfg(target_arch = "wasm32")]
pub mod objects;

use markup::{RenderOptions, Warning};
use model::check::parse_schema;
#[cfg(target_arch = "wasm32")]
use model::dates::DAY_MS;
use model::dates::parse_day;
use model::logic::conditions::Visibility;
use model::logic::conditions::answers_to;
use model::logic::input::{Input, UploadedFile};
use model::logic::validate::{AnswerFault, Rules, answers_in};
use model::messages::messages_over_defaults;
use model::settings::Settings;
use model::{Data, Fault, FormSchema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
#[cfg(target_arch = "wasm32")]
use tsify::Tsify;

/// The argument has the wrong shape.
#[derive(Debug, thiserror::Error)]
#[error("the argument is invalid: {0}")]
pub struct ArgumentError(#[from] serde_json::Error);

/// The argument of a call: a form, and a visitor's answers as the pairs of a form body or the members of a JSON body.
#[derive(Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(Tsify))]
pub struct Answers {
    /// The schema of the form.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "object"))]
    schema: Value,
    /// The pairs of a form body, in order.
    #[serde(default)]
    #[cfg_attr(
        target_arch = "wasm32",
        tsify(optional, type = "readonly (readonly [string, string])[]")
    )]
    pairs: Vec<(String, String)>,
    /// The members of a JSON body, instead of `pairs`.
    #[serde(default)]
    #[cfg_attr(target_arch = "wasm32", tsify(optional, type = "object"))]
    data: Option<Map<String, Value>>,
    /// The files of a form body, in addition to `pairs`.
    #[serde(default)]
    #[cfg_attr(
        target_arch = "wasm32",
        tsify(optional, type = "readonly UploadedFile[]")
    )]
    files: Vec<UploadedFile>,
    /// The form's own messages, for validation.
    #[serde(default)]
    #[cfg_attr(target_arch = "wasm32", tsify(optional, type = "object"))]
    messages: Map<String, Value>,
    /// The form's settings, for validation.
    #[serde(default)]
    #[cfg_attr(target_arch = "wasm32", tsify(optional, type = "object"))]
    settings: Map<String, Value>,
    /// The current day for calculations, as `YYYY-MM-DD`. The default is the day of the host's clock, in UTC.
    #[serde(default)]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    today: String,
}

/// The result of reading markup.
#[derive(Serialize)]
#[serde(untagged)]
#[cfg_attr(target_arch = "wasm32", derive(Tsify))]
pub enum ParsedMarkup {
    /// The schema, and warnings about content that the schema cannot hold.
    Read {
        /// The schema.
        schema: FormSchema,
        /// The warnings.
        warnings: Vec<Warning>,
    },
    /// The markup exceeds a limit.
    TooLarge {
        /// The message, which names the exceeded limit.
        error: String,
    },
}

/// A schema as HTML, or its faults.
#[derive(Serialize)]
#[serde(untagged)]
#[cfg_attr(target_arch = "wasm32", derive(Tsify))]
pub enum RenderedSchema {
    /// The HTML.
    Rendered {
        /// The HTML of the fields, for the inside of a `form` element.
        html: String,
    },
    /// The schema is not valid.
    Invalid {
        /// Every fault.
        faults: Vec<Fault>,
    },
}

/// The data that a submit would store, or the faults for which the submit would be rejected.
#[derive(Serialize)]
#[serde(untagged)]
#[cfg_attr(target_arch = "wasm32", derive(Tsify))]
pub enum ValidatedSubmission {
    /// The answers are valid.
    Valid {
        /// The submission's data.
        #[cfg_attr(target_arch = "wasm32", tsify(type = "Record<string, unknown>"))]
        data: Data,
        /// The positions of the accepted files among all files.
        files: Vec<usize>,
    },
    /// The answers are not valid.
    Refused {
        /// Every fault.
        errors: Vec<AnswerFault>,
    },
    /// The schema is not valid.
    Invalid {
        /// Every fault.
        faults: Vec<Fault>,
    },
}

/// The fields that a visitor's answers hide.
#[derive(Serialize)]
#[serde(untagged)]
#[cfg_attr(target_arch = "wasm32", derive(Tsify))]
pub enum EvaluatedConditions {
    /// The schema is valid.
    Evaluated {
        /// The names of the hidden fields, in the schema's order.
        hidden: Vec<String>,
    },
    /// The schema is not valid.
    Invalid {
        /// Every fault.
        faults: Vec<Fault>,
    },
}

impl Answers {
    /// Reads the argument of a call from JSON.
    ///
    /// # Errors
    /// A member has another type than documented.
    pub fn read(argument: Value) -> Result<Answers, ArgumentError> {
        Ok(model::values::of(&argument)?)
    }

    /// The current day, as days from 1970-01-01.
    fn today(&self) -> i64 {
        parse_day(&self.today).unwrap_or_else(clock_day)
    }

    fn input(&mut self, schema: &FormSchema) -> Input {
        let mut input = match &self.data {
            Some(data) => Input::of_json(data),
            None => {
                let files = std::mem::take(&mut self.files);
                Input::of_pairs(std::mem::take(&mut self.pairs), files)
            }
        };
        input.use_current_names(schema);
        input
    }
}

/// The day of the host's clock, in UTC.
#[cfg(target_arch = "wasm32")]
fn clock_day() -> i64 {
    #[expect(clippy::cast_possible_truncation, reason = "a moment of the clock")]
    let now = js_sys::Date::now() as i64;
    now.div_euclid(DAY_MS)
}

/// Returns 1970-01-01. Only WebAssembly builds read a clock, through JavaScript.
#[cfg(not(target_arch = "wasm32"))]
fn clock_day() -> i64 {
    0
}

/// Reads HTML into a schema.
pub fn parse_markup(html: &str) -> ParsedMarkup {
    match markup::parse(html) {
        Ok(parsed) => ParsedMarkup::Read {
            schema: parsed.schema,
            warnings: parsed.warnings,
        },
        Err(error) => ParsedMarkup::TooLarge {
            error: error.to_string(),
        },
    }
}

/// Writes a schema as HTML.
pub fn render_schema(schema: &Value) -> RenderedSchema {
    match parse_schema(schema) {
        Ok(schema) => RenderedSchema::Rendered {
            html: markup::render(&schema, &RenderOptions::default()),
        },
        Err(faults) => RenderedSchema::Invalid { faults },
    }
}

/// Validates answers as a submit would.
pub fn validate_submission(mut answers: Answers) -> ValidatedSubmission {
    let schema = match parse_schema(&answers.schema) {
        Ok(schema) => schema,
        Err(faults) => return ValidatedSubmission::Invalid { faults },
    };
    let (input, today) = (answers.input(&schema), answers.today());
    let settings = Settings::read(&answers.settings);
    let rules = Rules {
        schema: &schema,
        visibility: &Visibility::of(&schema),
        messages: &messages_over_defaults(&answers.messages),
        required_fields: &settings.required_fields,
        email_fields: &settings.email_fields,
        has_pipes: true,
        today,
    };
    match rules.validate(&input) {
        Ok(clean) => ValidatedSubmission::Valid {
            data: clean.answers,
            files: clean.files,
        },
        Err(errors) => ValidatedSubmission::Refused { errors },
    }
}

/// Evaluates conditions, and returns the hidden fields.
pub fn evaluate_conditions(mut answers: Answers) -> EvaluatedConditions {
    let schema = match parse_schema(&answers.schema) {
        Ok(schema) => schema,
        Err(faults) => return EvaluatedConditions::Invalid { faults },
    };
    let mut values = match &answers.data {
        Some(data) => answers_to(&schema, data),
        None => answers_in(&schema, &answers.input(&schema)),
    };
    let visibility = Visibility::of(&schema);
    let hidden = visibility.settle(&mut values, answers.today()).hidden;
    let names = schema.fields.iter().map(|field| &field.name);
    EvaluatedConditions::Evaluated {
        hidden: names
            .filter(|name| hidden.contains(name.as_str()))
            .cloned()
            .collect(),
    }
}
