//! The calls of [`crate::pure`], as exports.

use wasm_bindgen::prelude::*;

use super::with_engine;
use crate::pure;

#[wasm_bindgen]
extern "C" {
    /// A string that stays on the host's side.
    #[wasm_bindgen(typescript_type = "string")]
    pub type Text;

    type TextEncoder;
    #[wasm_bindgen(constructor)]
    fn new() -> TextEncoder;
    #[wasm_bindgen(method)]
    fn encode(this: &TextEncoder, text: &Text) -> Vec<u8>;
}

/// Reads HTML into a schema. The glue of a `&str` would copy the text one character at a time,
/// which for documents is a tenth of the work; the host's own encoder is some ten times faster.
#[wasm_bindgen(js_name = parseMarkup)]
pub fn parse_markup(html: &Text) -> String {
    let html = TextEncoder::new().encode(html);
    // The encoder gives nothing but UTF-8.
    pure::parse_markup(std::str::from_utf8(&html).unwrap_or_default())
}

/// Writes a schema as HTML.
#[wasm_bindgen(js_name = renderSchema)]
pub fn render_schema(schema: &str) -> Result<String, JsError> {
    Ok(pure::render_schema(schema)?)
}

/// Validates a visitor's answers.
#[wasm_bindgen(js_name = validateSubmission)]
pub fn validate_submission(answers: &str) -> Result<String, JsError> {
    Ok(pure::validate_submission(answers)?)
}

/// Tells which fields a visitor's answers hide.
#[wasm_bindgen(js_name = evaluateConditions)]
pub fn evaluate_conditions(answers: &str) -> Result<String, JsError> {
    Ok(pure::evaluate_conditions(answers)?)
}

/// The route table as data.
#[wasm_bindgen]
pub fn routes() -> String {
    pure::routes()
}

/// What the namespace index says.
#[wasm_bindgen(js_name = namespaceIndex)]
pub fn namespace_index() -> Result<String, JsError> {
    with_engine(|engine| {
        let configuration = engine.shared().configuration();
        let root = format!("{}{}", configuration.base_url, configuration.rest_root);
        crate::rest::namespace(&root).to_string()
    })
}
