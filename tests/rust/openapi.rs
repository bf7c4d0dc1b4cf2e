//! The OpenAPI description. The scenarios of `tests/cases/rest` check that responses match it
//! (`tests/shim/rest-cases.test.ts`).

use std::collections::BTreeMap;

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
    let mut host = Host::new();
    let (status, document) = host.send("GET", "/openapi.json", None);
    assert_eq!(status, 200);
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
