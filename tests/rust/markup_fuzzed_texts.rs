//! What holds for any text that is read as a form. The fuzzer (`fuzz/`) runs it; the test on what it kept
//! shows that the target still compiles and passes.

use cf_forms::forms::check::parse_schema;
use cf_forms::markup::{Filling, RenderOptions, fill, parse, render, sanitize};

/// The schema is one that the API takes, rendering it is stable, and what cleaning leaves is clean.
pub fn check(html: &str) {
    let Ok(read) = parse(html) else { return };
    let checked = parse_schema(&serde_json::to_value(&read.schema).unwrap());
    assert_eq!(checked.as_ref(), Ok(&read.schema), "PUT would refuse it");

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
        },
    );
}

#[test]
fn what_the_fuzzer_kept_of_texts_holds_still() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/corpus/parse");
    for entry in std::fs::read_dir(folder).unwrap() {
        let input = std::fs::read(entry.unwrap().path()).unwrap();
        check(&String::from_utf8_lossy(&input));
    }
}
