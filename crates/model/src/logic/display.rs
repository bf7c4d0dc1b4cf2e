//! Answers as people read them: in mails, in lists, in exports.

use serde_json::{Map, Value};

use crate::FieldType;

/// A value of a submission's data as text: lists joined by `, `, a name as `first last`, an
/// address as its parts in the order of the form, a consent and a switch as `Yes` or `No`.
pub fn readable(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(on) => yes_or_no(*on),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Array(members) => joined(members.iter(), ", "),
        Value::Object(parts) => readable_parts(parts),
    }
}

/// The part of a value that a key names: a member of an object, letters counting alike in upper
/// and lower case, or the n-th of a list, from 0.
pub fn part_of<'v>(value: &'v Value, key: &str) -> Option<&'v Value> {
    match value {
        Value::Object(parts) => parts.get(key).or_else(|| {
            let mut parts = parts.iter();
            parts
                .find(|(name, _)| name.eq_ignore_ascii_case(key))
                .map(|(_, part)| part)
        }),
        Value::Array(members) => members.get(key.parse::<usize>().ok()?),
        _ => None,
    }
}

fn readable_parts(parts: &Map<String, Value>) -> String {
    if let Some(Value::Bool(accepted)) = parts.get("accepted") {
        return yes_or_no(*accepted);
    }
    for (kind, separator) in [(FieldType::Name, " "), (FieldType::Address, ", ")] {
        let known = kind.parts();
        let is_known = |name: &String| known.iter().any(|part| part.name == name);
        if !parts.is_empty() && parts.keys().all(is_known) {
            let values = known.iter().filter_map(|part| parts.get(part.name));
            return joined(values, separator);
        }
    }
    let members: Vec<String> = parts
        .iter()
        .map(|(name, value)| format!("{name}: {}", readable(value)))
        .collect();
    members.join(", ")
}

fn joined<'v>(values: impl Iterator<Item = &'v Value>, separator: &str) -> String {
    let texts = values.map(readable).filter(|text| !text.is_empty());
    texts.collect::<Vec<_>>().join(separator)
}

fn yes_or_no(on: bool) -> String {
    if on { "Yes" } else { "No" }.to_owned()
}
