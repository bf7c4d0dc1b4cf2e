//! The calls of [`crate::pure`], as exports.

use wasm_bindgen::prelude::*;

use crate::pure;

/// Reads HTML into a schema.
#[wasm_bindgen(js_name = parseMarkup)]
pub fn parse_markup(html: &str) -> String {
    pure::parse_markup(html)
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
