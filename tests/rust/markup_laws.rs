//! Property tests of markup and schema (contract, section 4).

use std::fs;
use std::path::Path;

use cf_forms::forms::FormSchema;
use cf_forms::forms::check::parse_schema;
use cf_forms::markup::{Parsed, RenderOptions, WarningCode, parse, render};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestError, TestRunner};

use crate::choices::Choices;
use crate::markup_documents::document;
use crate::markup_schemas::schema;

/// Number of generated schemas and documents; `CF_LAW_CASES` overrides it.
fn cases() -> u32 {
    let wanted = std::env::var("CF_LAW_CASES").ok();
    wanted
        .and_then(|number| number.parse().ok())
        .unwrap_or(20_000)
}

/// Checks a property with choices of up to `bytes` bytes. A failure shows the property's message for the smallest
/// failing choices, without the bytes.
fn check_property(bytes: usize, law: impl Fn(&mut Choices<'_>) -> Result<(), TestCaseError>) {
    check_property_for(cases(), bytes, law);
}

fn check_property_for(
    cases: u32,
    bytes: usize,
    law: impl Fn(&mut Choices<'_>) -> Result<(), TestCaseError>,
) {
    let mut runner = TestRunner::new(Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    });
    let tried = runner.run(&vec(any::<u8>(), bytes / 2..bytes), |bytes| {
        law(&mut Choices::of(&bytes))
    });
    match tried {
        Ok(()) => {}
        Err(TestError::Fail(reason, _) | TestError::Abort(reason)) => panic!("{reason}"),
    }
}

/// Lists the members in which two schemas differ, one on each line.
fn differences(expected: &FormSchema, found: &FormSchema) -> String {
    let mut lines = String::new();
    let count = expected.fields.len().max(found.fields.len());
    for index in 0..count {
        let expected = serde_json::to_value(expected.fields.get(index)).unwrap();
        let found = serde_json::to_value(found.fields.get(index)).unwrap();
        if expected == found {
            continue;
        }
        let (Some(expected), Some(found)) = (expected.as_object(), found.as_object()) else {
            lines += &format!("[{index}]: {expected} but {found}\n");
            continue;
        };
        for (member, expected) in expected {
            let found = &found[member];
            if expected != found {
                lines += &format!("[{index}].{member}: {expected} but {found}\n");
            }
        }
    }
    if (&expected.layout, &expected.form_settings) != (&found.layout, &found.form_settings) {
        lines += &format!("layout: {:?} but {:?}", expected.layout, found.layout);
    }
    if lines.is_empty() && expected != found {
        lines += "something";
    }
    lines
}

#[test]
fn parsing_a_rendered_schema_gives_the_schema() {
    check_property(700, |choices| {
        let Some(schema) = schema(choices) else {
            return Ok(());
        };
        let html = render(&schema, &RenderOptions::default());
        let read = parse(&html).unwrap();
        let differences = differences(&schema, &read.schema);
        prop_assert!(differences.is_empty(), "{}\n{}", differences, html);
        prop_assert!(
            read.warnings
                .iter()
                .all(|w| w.code == WarningCode::PatternNotEnforced),
            "{:?}\n{}",
            read.warnings,
            html
        );
        Ok(())
    });
}

#[test]
fn rendering_a_parsed_form_is_stable_after_one_pass() {
    check_property(30, |choices| is_stable(&document(choices)));
}

#[test]
fn a_mutated_real_form_gives_a_schema_that_the_api_accepts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/markup");
    let forms: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "html")
        })
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    check_property_for(cases() / 20, 40, |choices| {
        is_stable(&mutated(choices, &forms))
    });
}

/// Mutates a real form: inserts pieces of other forms and removes pieces.
fn mutated(choices: &mut Choices<'_>, forms: &[String]) -> String {
    let mut html = choices.pick(forms).clone();
    for _ in 0..1 + choices.below(4) {
        let piece = match choices.below(3) {
            0 => String::new(),
            1 => document(choices),
            _ => {
                let other = choices.pick(forms);
                let (start, end) = range(choices, other);
                other.get(start..end).unwrap_or_default().to_owned()
            }
        };
        let (start, end) = range(choices, &html);
        let most = (start..=end)
            .take(200)
            .filter(|at| html.is_char_boundary(*at));
        let end = most.last().unwrap_or(start);
        html.replace_range(start..end, &piece);
    }
    html
}

/// Chooses a range of a text that begins and ends at lines or tags.
fn range(choices: &mut Choices<'_>, text: &str) -> (usize, usize) {
    let edges: Vec<usize> = text
        .match_indices(['<', '>', '\n', '"', '='])
        .map(|(at, _)| at)
        .collect();
    let mut edge = || {
        let place = choices.below(256) * 256 + choices.below(256);
        edges.get(place % edges.len().max(1)).copied().unwrap_or(0)
    };
    let (one, other) = (edge(), edge());
    (one.min(other), one.max(other))
}

fn is_stable(html: &str) -> Result<(), TestCaseError> {
    let Ok(Parsed { schema: first, .. }) = parse(html) else {
        return Ok(());
    };
    let checked = parse_schema(&serde_json::to_value(&first).unwrap());
    prop_assert!(
        checked.as_ref() == Ok(&first),
        "{:?}\n{}",
        checked.map(|checked| differences(&first, &checked)),
        html
    );
    let rendered = render(&first, &RenderOptions::default());
    let second = parse(&rendered).unwrap().schema;
    let differences = differences(&first, &second);
    prop_assert!(
        differences.is_empty(),
        "{}\n{}\n{}",
        differences,
        html,
        rendered
    );
    prop_assert_eq!(render(&second, &RenderOptions::default()), rendered);
    Ok(())
}

#[test]
fn a_label_that_looks_like_a_script_is_accepted() {
    for control in [
        "<input name=b",
        "<input type=radio name=b value=1",
        "<select name=b",
    ] {
        let html = format!("<label>Name {control} aria-label=\"javascript:x\"></label>");
        let schema = parse(&html).unwrap().schema;
        let checked = parse_schema(&serde_json::to_value(&schema).unwrap());
        assert_eq!(checked.as_ref(), Ok(&schema), "{html}");
    }
}
