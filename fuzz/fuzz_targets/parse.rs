//! Reads any text as a form. Checks that the API accepts the schema, that rendering it is stable, and that sanitizing
//! sanitized HTML changes nothing.
#![no_main]

#[path = "../../tests/rust/markup_fuzzed_texts.rs"]
mod markup_fuzzed_texts;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|html: &str| markup_fuzzed_texts::check(html));
