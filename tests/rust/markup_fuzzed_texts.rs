//! Invariants of parsing any text as a form. The fuzzer (`fuzz/`) checks them; the test on its corpus shows that the
//! target still compiles and passes.

use cf_forms::forms::check::parse_schema;
use cf_forms::markup::{Filling, RenderOptions, fill, parse, render, sanitize};

/// Checks that the API accepts the schema, that rendering is stable, and that cleaning is idempotent.
pub fn check(html: &str) {
    let Ok(read) = parse(html) else { return };
    let checked = parse_schema(&serde_json::to_value(&read.schema).unwrap());
    assert_eq!(checked.as_ref(), Ok(&read.schema), "PUT would reject it");

    let options = RenderOptions::default();
    let rendered = render(&read.schema, &options);
    let again = parse(&rendered).unwrap().schema;
    assert_eq!(
        again, read.schema,
        "reading {rendered} gives another schema"
    );

    if let Ok((clean, _)) = sanitize(html) {
        let (cleaner, removed) = sanitize(&clean).unwrap();
        assert_eq!(cleaner, clean, "cleaning twice removes {removed:?}");
    }

    let values = [("a".to_owned(), vec!["<b>\"'".to_owned()])];
    let faults = [("a".to_owned(), "wrong".to_owned())];
    fill(
        html,
        &Filling {
            values: &values,
            faults: &faults,
            instance: "i",
            prefill: None,
        },
    );
}

#[test]
fn the_fuzz_corpus_of_texts_passes() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/corpus/parse");
    for entry in std::fs::read_dir(folder).unwrap() {
        let input = std::fs::read(entry.unwrap().path()).unwrap();
        check(&String::from_utf8_lossy(&input));
    }
}
