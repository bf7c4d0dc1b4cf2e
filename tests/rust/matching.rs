//! Matchers and variables of the REST scenarios (`tests/cases/rest/README.md`).

use serde_json::{Map, Value, json};

/// Replaces the variables and generated texts in a value of a scenario.
pub fn fill_in(value: &Value, variables: &Map<String, Value>) -> Value {
    match value {
        Value::String(text) => fill_in_text(text, variables),
        Value::Array(items) => items.iter().map(|item| fill_in(item, variables)).collect(),
        Value::Object(members) => match members.get("$repeat") {
            Some(repeat) => {
                let times = repeat["times"].as_u64().unwrap() as usize;
                json!(repeat["text"].as_str().unwrap().repeat(times))
            }
            None => members
                .iter()
                .map(|(name, member)| (name.clone(), fill_in(member, variables)))
                .collect(),
        },
        other => other.clone(),
    }
}

/// Replaces the variables in a text. A text that is a single variable becomes the variable's value.
fn fill_in_text(text: &str, variables: &Map<String, Value>) -> Value {
    for (name, value) in variables {
        if text == format!("{{{{{name}}}}}") {
            return value.clone();
        }
    }
    let mut filled = text.to_owned();
    for (name, value) in variables {
        let shown = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        filled = filled.replace(&format!("{{{{{name}}}}}"), &shown);
    }
    json!(filled)
}

/// Describes the first difference of `actual` from the expected value. Objects may have further members.
pub fn mismatch(expected: &Value, actual: Option<&Value>, at: &str) -> Option<String> {
    let matcher = expected
        .as_object()
        .filter(|members| members.len() == 1 && members.keys().all(|name| name.starts_with('$')));
    if let Some((matcher, wanted)) = matcher.and_then(|members| members.iter().next()) {
        return fails(matcher, wanted, actual)
            .then(|| format!("{at} is {}, not {expected}", shown(actual)));
    }
    match (expected, actual) {
        (Value::Object(members), Some(Value::Object(found))) => members
            .iter()
            .find_map(|(name, member)| mismatch(member, found.get(name), &format!("{at}.{name}"))),
        (Value::Array(items), Some(Value::Array(found))) if items.len() == found.len() => {
            let mut pairs = items.iter().zip(found).enumerate();
            pairs.find_map(|(index, (item, found))| {
                mismatch(item, Some(found), &format!("{at}[{index}]"))
            })
        }
        (_, Some(actual)) if expected == actual => None,
        _ => Some(format!("{at} is {}, not {expected}", shown(actual))),
    }
}

fn fails(matcher: &str, wanted: &Value, actual: Option<&Value>) -> bool {
    let Some(actual) = actual else {
        return matcher != "$absent";
    };
    match matcher {
        "$absent" => true,
        "$type" => wanted != kind_of(actual),
        "$matches" => {
            let pattern = regex_lite::Regex::new(wanted.as_str().unwrap()).unwrap();
            !actual.as_str().is_some_and(|text| pattern.is_match(text))
        }
        "$length" => {
            let length = match actual {
                Value::Array(items) => items.len(),
                Value::Object(members) => members.len(),
                Value::String(text) => text.chars().count(),
                _ => return true,
            };
            wanted != &json!(length)
        }
        "$lacks" => {
            let text = wanted.as_str().unwrap();
            actual.as_str().is_none_or(|found| found.contains(text))
        }
        "$exact" => wanted != actual,
        other => panic!("unknown matcher {other}"),
    }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn shown(actual: Option<&Value>) -> String {
    let text = actual.map_or_else(|| "absent".to_owned(), Value::to_string);
    text.chars().take(500).collect()
}
