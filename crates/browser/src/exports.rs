//! The crate's calls as exports of the module: typed JavaScript objects in and out.

use serde_json::Value;
use wasm_bindgen::prelude::*;

use crate::objects::{read, write};
use crate::{Answers, ArgumentError};

#[wasm_bindgen]
extern "C" {
    /// A JavaScript string that wasm-bindgen does not copy into WebAssembly memory.
    #[wasm_bindgen(typescript_type = "string")]
    pub type Text;

    type TextEncoder;
    #[wasm_bindgen(constructor)]
    fn new() -> TextEncoder;
    #[wasm_bindgen(method)]
    fn encode(this: &TextEncoder, text: &Text) -> Vec<u8>;
}

/// Reads HTML into a schema, with warnings about content that a schema cannot hold. wasm-bindgen would copy a `&str`
/// one character at a time; the host's `TextEncoder` is about ten times faster.
#[wasm_bindgen(js_name = parseMarkup, unchecked_return_type = "ParsedMarkup")]
pub fn parse_markup(html: &Text) -> Result<JsValue, JsError> {
    let html = TextEncoder::new().encode(html);
    // `TextEncoder` always writes valid UTF-8.
    write(&crate::parse_markup(
        std::str::from_utf8(&html).unwrap_or_default(),
    ))
}

/// Writes a schema as HTML.
#[wasm_bindgen(js_name = renderSchema, unchecked_return_type = "RenderedSchema")]
pub fn render_schema(
    #[wasm_bindgen(unchecked_param_type = "object")] schema: JsValue,
) -> Result<JsValue, JsError> {
    write(&crate::render_schema(&read(schema)?))
}

/// Validates answers as a submit would. The `messages` and `settings` of the argument override the defaults.
#[wasm_bindgen(js_name = validateSubmission, unchecked_return_type = "ValidatedSubmission")]
pub fn validate_submission(
    #[wasm_bindgen(unchecked_param_type = "Answers")] answers: JsValue,
) -> Result<JsValue, JsError> {
    write(&crate::validate_submission(answers_of(answers)?))
}

/// Evaluates conditions, and returns the names of the hidden fields.
#[wasm_bindgen(js_name = evaluateConditions, unchecked_return_type = "EvaluatedConditions")]
pub fn evaluate_conditions(
    #[wasm_bindgen(unchecked_param_type = "Answers")] answers: JsValue,
) -> Result<JsValue, JsError> {
    write(&crate::evaluate_conditions(answers_of(answers)?))
}

fn answers_of(answers: JsValue) -> Result<Answers, JsError> {
    let answers: Value = read(answers)?;
    Answers::read(answers).map_err(|error: ArgumentError| error.into())
}
