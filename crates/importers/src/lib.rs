//! The wasm module of the importers. One call reads a whole file; a session reads a large file in parts. Each instance
//! of the module has one session.
#![cfg(target_arch = "wasm32")]

use std::cell::RefCell;

use import::Session;
use wasm_bindgen::prelude::*;

thread_local! {
    static SESSION: RefCell<Session> = RefCell::new(Session::default());
}

/// Reads a file with options as JSON; returns JSON for the engine.
#[wasm_bindgen(js_name = readFile)]
pub fn read_file(text: &str, options: &str) -> String {
    import::read_as_json(text, options)
}

/// Begins a session with settings as JSON.
#[wasm_bindgen(js_name = beginFile)]
pub fn begin_file(setup: &str) {
    SESSION.set(Session::of(setup));
}

/// Adds the next part of the file's text.
#[wasm_bindgen(js_name = pushText)]
pub fn push_text(part: &str) {
    SESSION.with_borrow_mut(|session| session.push(part));
}

/// Ends the file: no further text follows.
#[wasm_bindgen(js_name = endFile)]
pub fn end_file() {
    SESSION.with_borrow_mut(Session::end);
}

/// Describes the file, as JSON.
#[wasm_bindgen(js_name = describeFile)]
pub fn describe_file() -> String {
    SESSION.with_borrow_mut(|session| session.scan())
}

/// Reads the next part with options as JSON. Returns JSON for the engine, or an empty text if the session needs more of
/// the file.
#[wasm_bindgen(js_name = nextPart)]
pub fn next_part(options: &str) -> String {
    SESSION.with_borrow_mut(|session| session.next(options))
}

/// The number of forms and submissions of the parts that were read.
#[wasm_bindgen(js_name = partsDone)]
pub fn parts_done() -> usize {
    SESSION.with_borrow(Session::done)
}

/// Whether the last part was read.
#[wasm_bindgen(js_name = isLastPart)]
pub fn is_last_part() -> bool {
    SESSION.with_borrow(Session::is_done)
}
