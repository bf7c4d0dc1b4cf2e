//! The module of the importers: its one call reads a file of forms.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen::prelude::*;

/// Reads a file of forms in the stated format, or else in the format whose mark it has. The answer is JSON for the
/// engine.
#[wasm_bindgen(js_name = readFile)]
pub fn read_file(text: &str, format: Option<String>) -> String {
    import::read_as_json(text, format.as_deref())
}
