//! The laws of markup and schema (contract, section 4).

use cf_forms::forms::FormSchema;
use cf_forms::forms::check::parse_schema;
use cf_forms::markup::{RenderOptions, parse, render};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestError, TestRunner};

use crate::markup_schemas::schema;

/// How many schemas; `CF_LAW_CASES` sets another number.
fn cases() -> u32 {
    let wanted = std::env::var("CF_LAW_CASES").ok();
    wanted
        .and_then(|number| number.parse().ok())
        .unwrap_or(2_000)
}

fn config() -> Config {
    Config {
        cases: cases(),
        max_global_rejects: u32::MAX,
        max_local_rejects: u32::MAX,
        failure_persistence: None,
        ..Config::default()
    }
}

/// What failed, without the whole input: the message shows the HTML.
fn reason<T: std::fmt::Debug>(failure: &TestError<T>) -> String {
    match failure {
        TestError::Fail(reason, _) => reason.to_string(),
        TestError::Abort(reason) => reason.to_string(),
    }
}

/// The members in which two schemas differ, one on each line.
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
fn reading_a_rendered_schema_gives_the_schema() {
    let mut runner = TestRunner::new(config());
    let law = runner.run(&schema(), |schema| {
        let html = render(&schema, &RenderOptions::default());
        let read = parse(&html).unwrap();
        let differences = differences(&schema, &read.schema);
        prop_assert!(differences.is_empty(), "{}\n{}", differences, html);
        prop_assert!(
            read.warnings
                .iter()
                .all(|w| w.code.as_str() == "pattern_not_enforced"),
            "{:?}",
            read.warnings
        );
        Ok(())
    });
    if let Err(failure) = law {
        panic!("{}", reason(&failure));
    }
}

#[test]
fn rendering_a_read_form_is_stable_after_one_pass() {
    let mut runner = TestRunner::new(config());
    let law = runner.run(&crate::markup_documents::document(), |html| {
        let first = parse(&html).unwrap().schema;
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
    });
    if let Err(failure) = law {
        panic!("{}", reason(&failure));
    }
}
