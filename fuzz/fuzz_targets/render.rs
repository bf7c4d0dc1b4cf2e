//! Any valid schema rendered: reading it gives the schema. The input's bytes are the choices of
//! the generator that the property tests use.
#![no_main]

#[path = "../../tests/rust/choices.rs"]
mod choices;
#[path = "../../tests/rust/markup_schema_words.rs"]
mod markup_schema_words;
#[path = "../../tests/rust/markup_schemas.rs"]
mod markup_schemas;

use cf_forms::markup::{RenderOptions, parse, render, sanitize};
use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Some(schema) = markup_schemas::schema(&mut choices::Choices::of(bytes)) else {
        return Corpus::Reject;
    };
    let html = render(&schema, &RenderOptions::default());
    let read = parse(&html).unwrap().schema;
    assert_eq!(read, schema, "reading {html} gives another schema");
    let (clean, _) = sanitize(&html);
    assert_eq!(sanitize(&clean).0, clean, "cleaning twice");
    Corpus::Keep
});
