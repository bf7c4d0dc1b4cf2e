//! The module of the importers: its one call reads a file of forms.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen::prelude::*;

/// Reads a file of forms with options as JSON. The answer is JSON for the engine.
#[wasm_bindgen(js_name = readFile)]
pub fn read_file(text: &str, options: &str) -> String {
    import::read_as_json(text, options)
}
