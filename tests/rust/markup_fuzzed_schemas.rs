//! What holds for any valid schema that is rendered. The fuzzer (`fuzz/`) runs it; the test on what it kept
//! shows that the target still compiles and passes.

use cf_forms::markup::{RenderOptions, parse, render, sanitize};

use crate::choices::Choices;
use crate::markup_schemas::schema;

/// Reading the HTML gives the schema, and cleaning it twice is cleaning it once. The bytes are the choices
/// of the generator that the property tests use; whether they make a schema.
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
fn what_the_fuzzer_kept_of_schemas_holds_still() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/corpus/render");
    for entry in std::fs::read_dir(folder).unwrap() {
        let input = std::fs::read(entry.unwrap().path()).unwrap();
        check(&input);
    }
}
