//! Invariants of rendering any valid schema. The fuzzer (`fuzz/`) checks them; the test on its corpus shows that the
//! target still compiles and passes.

use cf_forms::markup::{RenderOptions, parse, render, sanitize};

use crate::choices::Choices;
use crate::markup_schemas::schema;

/// Checks that parsing the rendered HTML gives the schema, and that cleaning is idempotent. The bytes drive the
/// property
/// tests' generator. Returns whether they make a schema.
pub fn check(bytes: &[u8]) -> bool {
    let Some(schema) = schema(&mut Choices::of(bytes)) else {
        return false;
    };
    let html = render(&schema, &RenderOptions::default());
    let read = parse(&html).unwrap().schema;
    assert_eq!(read, schema, "reading {html} gives another schema");
    let (clean, _) = sanitize(&html).unwrap();
    assert_eq!(sanitize(&clean).unwrap().0, clean, "cleaning twice");
    true
}

#[test]
fn the_fuzz_corpus_of_schemas_passes() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/corpus/render");
    for entry in std::fs::read_dir(folder).unwrap() {
        let input = std::fs::read(entry.unwrap().path()).unwrap();
        check(&input);
    }
}
