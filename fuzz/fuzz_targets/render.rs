//! Renders any valid schema, and checks that reading the HTML gives the same schema. The input's bytes are the choices
//! of the generator that the property tests use.
#![no_main]

#[path = "../../tests/rust/choices.rs"]
mod choices;
#[path = "../../tests/rust/markup_fuzzed_schemas.rs"]
mod markup_fuzzed_schemas;
#[path = "../../tests/rust/markup_schema_words.rs"]
mod markup_schema_words;
#[path = "../../tests/rust/markup_schemas.rs"]
mod markup_schemas;

use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|bytes: &[u8]| -> Corpus {
    match markup_fuzzed_schemas::check(bytes) {
        true => Corpus::Keep,
        false => Corpus::Reject,
    }
});
