//! What editors and other plugins call without a request: JSON text in, JSON text out, at once.
//! Text, because that was measured faster than building objects across the boundary. A refused
//! input is part of the answer (`faults`, `errors`); an `Err` is text that is not JSON of the
//! expected shape.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::forms::check::parse_schema;
use crate::forms::messages::messages_over_defaults;
use crate::forms::settings::Settings;
use crate::forms::{Fault, FormSchema};
use crate::logic::answer::answers_of;
use crate::logic::conditions::Visibility;
use crate::logic::input::{Input, UploadedFile};
use crate::logic::validate::{Rules, answers_in};
use crate::markup::{self, RenderOptions};
use crate::rest::routes::ROUTES;

/// Why a call was not understood.
#[derive(Debug, thiserror::Error)]
#[error("the argument is not what this call takes: {0}")]
pub struct ArgumentError(#[from] serde_json::Error);

#[derive(Deserialize)]
struct Answers {
    schema: Value,
    /// The pairs of a form body, in order.
    #[serde(default)]
    pairs: Vec<(String, String)>,
    /// The members of a JSON body; instead of `pairs`.
    data: Option<Map<String, Value>>,
    #[serde(default)]
    files: Vec<SentFile>,
    /// The form's messages and settings, over the defaults.
    #[serde(default)]
    messages: Map<String, Value>,
    #[serde(default)]
    settings: Map<String, Value>,
}

#[derive(Deserialize)]
struct SentFile {
    field: String,
    filename: String,
    content_type: String,
    size: u64,
}

impl Answers {
    fn input(&mut self) -> Input {
        if let Some(data) = &self.data {
            return Input::of_json(data);
        }
        let files = std::mem::take(&mut self.files)
            .into_iter()
            .map(|file| UploadedFile {
                field: file.field,
                filename: file.filename,
                content_type: file.content_type,
                size: file.size,
            });
        Input::of_pairs(std::mem::take(&mut self.pairs), files.collect())
    }
}

fn refused(faults: &[Fault]) -> String {
    let faults: Vec<Value> = faults
        .iter()
        .map(|fault| json!({"path": fault.path, "code": fault.code, "message": fault.message}))
        .collect();
    text(&json!({"faults": faults}))
}

fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}

/// Reads HTML into a schema: `{schema, warnings}`, or `{error}` for markup beyond the limits.
pub fn parse_markup(html: &str) -> String {
    match markup::parse(html) {
        Ok(parsed) => text(&parsed),
        Err(error) => text(&json!({"error": error.to_string()})),
    }
}

/// Writes a schema as HTML: `{html}`, or `{faults}` for a schema that is not valid.
pub fn render_schema(schema: &str) -> Result<String, ArgumentError> {
    let schema: Value = serde_json::from_str(schema)?;
    Ok(match parse_schema(&schema) {
        Ok(schema) => text(&json!({"html": markup::render(&schema, &RenderOptions::default())})),
        Err(faults) => refused(&faults),
    })
}

/// Validates answers, `{schema, pairs | data, files?, messages?, settings?}`: `{data, files}`, or
/// `{errors}` with every fault, or `{faults}` for a schema that is not valid.
pub fn validate_submission(answers: &str) -> Result<String, ArgumentError> {
    let mut answers: Answers = serde_json::from_str(answers)?;
    let schema = match parse_schema(&answers.schema) {
        Ok(schema) => schema,
        Err(faults) => return Ok(refused(&faults)),
    };
    let input = answers.input();
    let settings = Settings::read(&answers.settings);
    let rules = Rules {
        schema: &schema,
        visibility: &Visibility::of(&schema),
        messages: &messages_over_defaults(&answers.messages),
        required_fields: &settings.required_fields,
        email_fields: &settings.email_fields,
    };
    Ok(match rules.validate(&input) {
        Ok(clean) => text(&json!({"data": clean, "files": clean.files})),
        Err(errors) => text(&json!({"errors": errors})),
    })
}

/// Evaluates conditions, `{schema, pairs | data}`: `{hidden}`, the names in the schema's order,
/// or `{faults}` for a schema that is not valid.
pub fn evaluate_conditions(answers: &str) -> Result<String, ArgumentError> {
    let mut answers: Answers = serde_json::from_str(answers)?;
    let schema: FormSchema = match parse_schema(&answers.schema) {
        Ok(schema) => schema,
        Err(faults) => return Ok(refused(&faults)),
    };
    let visibility = Visibility::of(&schema);
    let values = match &answers.data {
        Some(data) => answers_of(data),
        None => answers_in(&schema, &answers.input()),
    };
    let hidden = visibility.hidden(&values);
    let names: Vec<&str> = schema
        .fields
        .iter()
        .map(|field| field.name.as_str())
        .filter(|name| hidden.contains(name))
        .collect();
    Ok(text(&json!({"hidden": names})))
}

/// The route table: `[{method, methods, path, operation, summary}]`, for a platform's own router.
pub fn routes() -> String {
    let routes: Vec<Value> = ROUTES
        .iter()
        .map(|route| {
            json!({
                "method": route.method,
                "methods": route.methods(),
                "path": route.path,
                "operation": route.operation,
                "summary": route.summary,
            })
        })
        .collect();
    text(&routes)
}
