//! Real-world forms with the schemas that a person would write for them: `tests/cases/markup`.
//!
//! Each `<name>.html` has a `<name>.json` with the expected `fields` (without members that have their default),
//! `layout` (if not a single page) and `warnings` (codes, in order).

use std::fs;
use std::path::Path;

use cf_forms::markup::{RenderOptions, parse, render};
use serde_json::{Map, Value, json};

fn without_defaults(field: &Value) -> Value {
    let mut short = Map::new();
    for (member, value) in field.as_object().unwrap() {
        let is_default = match member.as_str() {
            "position" => true,
            "required" => value == &json!(false),
            _ => {
                value.is_null()
                    || value == &json!("")
                    || value.as_array().is_some_and(Vec::is_empty)
                    || value.as_object().is_some_and(Map::is_empty)
            }
        };
        if !is_default {
            let value = match member.as_str() {
                "options" => short_options(value),
                _ => value.clone(),
            };
            short.insert(member.clone(), value);
        }
    }
    Value::Object(short)
}

/// Shortens options to `[value, label]`.
fn short_options(options: &Value) -> Value {
    let options = options.as_array().unwrap().iter();
    options
        .map(|option| json!([option["value"], option["label"]]))
        .collect()
}

fn read(html: &str) -> Value {
    let parsed = parse(html).unwrap();
    let schema = serde_json::to_value(&parsed.schema).unwrap();
    let fields: Vec<Value> = schema["fields"]
        .as_array()
        .unwrap()
        .iter()
        .map(without_defaults)
        .collect();
    let codes: Vec<_> = parsed.warnings.iter().map(|warning| warning.code).collect();
    let mut result = json!({"fields": fields});
    if schema["layout"] != json!({"type": "single"}) {
        result["layout"] = schema["layout"].clone();
    }
    if !codes.is_empty() {
        result["warnings"] = json!(codes);
    }
    result
}

#[test]
fn every_form_is_parsed_to_the_expected_schema() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/markup");
    let mut names: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "html")
        })
        .collect();
    names.sort();
    assert!(!names.is_empty());
    let mut wrong = String::new();
    for path in &names {
        let html = fs::read_to_string(path).unwrap();
        let found = read(&html);
        let expected = fs::read_to_string(path.with_extension("json"))
            .map(|text| serde_json::from_str::<Value>(&text).unwrap())
            .unwrap_or_default();
        let name = path.file_stem().unwrap().to_string_lossy();
        if found != expected {
            wrong += &format!("== {name}\n{}", differences(&expected, &found));
        }
        let schema = parse(&html).unwrap().schema;
        let again = parse(&render(&schema, &RenderOptions::default()))
            .unwrap()
            .schema;
        assert_eq!(again, schema, "{name} changes when rendered and read again");
    }
    assert!(wrong.is_empty(), "{} forms\n{wrong}", names.len());
}

fn differences(expected: &Value, found: &Value) -> String {
    let mut lines = String::new();
    let list = |value: &Value| value["fields"].as_array().cloned().unwrap_or_default();
    let (expected_fields, found_fields) = (list(expected), list(found));
    for index in 0..expected_fields.len().max(found_fields.len()) {
        let (expected, found) = (expected_fields.get(index), found_fields.get(index));
        if expected != found {
            let show = |value: Option<&Value>| value.map(Value::to_string).unwrap_or_default();
            lines += &format!("- {}\n+ {}\n", show(expected), show(found));
        }
    }
    for member in ["layout", "warnings"] {
        if expected[member] != found[member] {
            lines += &format!("{member}\n- {}\n+ {}\n", expected[member], found[member]);
        }
    }
    lines
}
