//! Any text read as a form: the schema is one that the API takes, rendering it is stable, and
//! what cleaning leaves is clean.
#![no_main]

#[path = "../../tests/rust/markup_fuzzed_texts.rs"]
mod markup_fuzzed_texts;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|html: &str| markup_fuzzed_texts::check(html));
