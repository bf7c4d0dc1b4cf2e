//! The module of the importers: one call reads a file of forms, and a session reads a large file in parts. An instance
//! has one session.
#![cfg(target_arch = "wasm32")]

use std::cell::RefCell;

use import::Session;
use wasm_bindgen::prelude::*;

thread_local! {
    static SESSION: RefCell<Session> = RefCell::new(Session::default());
}

/// Reads a file of forms with options as JSON. The answer is JSON for the engine.
#[wasm_bindgen(js_name = readFile)]
pub fn read_file(text: &str, options: &str) -> String {
    import::read_as_json(text, options)
}

/// Begins the session, with settings as JSON.
#[wasm_bindgen(js_name = beginFile)]
pub fn begin_file(setup: &str) {
    SESSION.set(Session::of(setup));
}

/// Adds the next part of the file's text.
#[wasm_bindgen(js_name = pushText)]
pub fn push_text(part: &str) {
    SESSION.with_borrow_mut(|session| session.push(part));
}

/// Notes that the file has ended.
#[wasm_bindgen(js_name = endFile)]
pub fn end_file() {
    SESSION.with_borrow_mut(Session::end);
}

/// Describes the file, as JSON.
#[wasm_bindgen(js_name = describeFile)]
pub fn describe_file() -> String {
    SESSION.with_borrow_mut(|session| session.scan())
}

/// Reads the next part with options as JSON. The answer is JSON for the engine; empty if more text is needed.
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
