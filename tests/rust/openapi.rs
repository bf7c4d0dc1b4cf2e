//! The OpenAPI description. The scenarios of `tests/cases/rest` check that responses match it
//! (`tests/shim/rest-cases.test.ts`).

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use cf_forms::rest::openapi::{document, files};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;

use crate::host::Host;

/// Member names of an object, including duplicates.
struct Names(Vec<String>);

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Names, D::Error> {
        struct NamesVisitor;
        impl<'de> Visitor<'de> for NamesVisitor {
            type Value = Names;
            fn expecting(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
                formatter.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Names, A::Error> {
                let mut names = Vec::new();
                while let Some((name, _)) = map.next_entry::<String, Value>()? {
                    names.push(name);
                }
                Ok(Names(names))
            }
        }
        deserializer.deserialize_map(NamesVisitor)
    }
}

#[test]
fn the_files_of_the_reference_are_up_to_date() {
    for (name, text) in files() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        let is_same = fs::read_to_string(path).unwrap() == text;
        assert!(is_same, "write {name} again: cargo run --example openapi");
    }
}

#[test]
fn a_host_without_the_reference_answers_with_an_error() {
    let mut host = Host::new();
    host.reference_is_gone = true;
    for (method, path) in [
        ("GET", "/cf/v1/openapi.json"),
        ("GET", "/cf/v1"),
        ("OPTIONS", "/cf/v1/forms"),
    ] {
        let response = host.handle(host.request(method, path, None));
        let log = response.log.as_deref();
        assert_eq!(
            (response.status, log),
            (500, Some("reference: no such module")),
            "{method} {path}"
        );
    }
}

#[test]
fn no_component_is_declared_twice() {
    let text = include_str!("../../src/rest/openapi.components.json");
    let Names(names) = serde_json::from_str(text).unwrap();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for name in &names {
        *counts.entry(name).or_default() += 1;
    }
    counts.retain(|_, count| *count > 1);
    assert!(counts.is_empty(), "{counts:?}");
}

#[test]
fn every_reference_resolves_to_a_component() {
    let document = document();
    let mut broken = Vec::new();
    note_broken_references(&document, &document, &mut broken);
    assert!(broken.is_empty(), "{broken:?}");
}

fn note_broken_references(value: &Value, document: &Value, broken: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            if let Some(Value::String(target)) = members.get("$ref")
                && document.pointer(target.trim_start_matches('#')).is_none()
            {
                broken.push(target.clone());
            }
            for member in members.values() {
                note_broken_references(member, document, broken);
            }
        }
        Value::Array(items) => {
            for item in items {
                note_broken_references(item, document, broken);
            }
        }
        _ => {}
    }
}
