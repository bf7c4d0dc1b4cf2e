//! Converts raw values to the kinds of their parameters.

use model::MAX_SAFE_INTEGER;
use serde_json::{Map, Value};

use super::parameters::{Kind, Location, Parameter};
use crate::dates;
use crate::error::Fault;
use crate::forms::slug::{MAX_SLUG_CHARS, is_slug};

/// A fault of a value: a code, and the rest of a sentence that begins with the parameter's name.
type ValueFault = (&'static str, String);

/// Converts a value to its parameter's kind; `Err` with all faults of the value.
pub(super) fn convert(parameter: &Parameter, raw: Value) -> Result<Value, Vec<Fault>> {
    let name = parameter.name;
    if let Kind::Component(_, check) = parameter.kind {
        return check(&without_php_list(raw)).map_err(|faults| below(name, faults));
    }
    converted(parameter, raw).map_err(|(code, message)| {
        let message = format!("{name} {message}");
        vec![Fault::new(name, code, message)]
    })
}

fn converted(parameter: &Parameter, raw: Value) -> Result<Value, ValueFault> {
    let invalid_date = |expected| ("rest_invalid_date", format!("must be {expected}."));
    match parameter.kind {
        Kind::Integer(min, max) => {
            let number = integer(&raw, parameter.location).ok_or_else(|| wrong_type("integer"))?;
            if (min..=max).contains(&number) {
                return Ok(number.into());
            }
            let message = format!("must be between {min} and {max}.");
            Err(("rest_out_of_bounds", message))
        }
        Kind::Boolean => boolean(&raw)
            .map(Value::from)
            .ok_or_else(|| wrong_type("boolean")),
        Kind::Text(max) | Kind::File(max) => {
            text(parameter, &raw, max)?;
            Ok(raw)
        }
        Kind::Line(max) => one_line(text(parameter, &raw, max)?),
        Kind::Slug => match text(parameter, &raw, MAX_SLUG_CHARS)? {
            slug if slug.is_empty() || is_slug(slug) => Ok(raw),
            _ => {
                let message = "must be lower-case letters, digits, dashes and underscores, with a letter or digit at both ends.";
                Err(("rest_invalid_pattern", message.to_owned()))
            }
        },
        Kind::Enum(words) => match raw.as_str() {
            Some(word) if words.contains(&word) => Ok(raw),
            _ => {
                let message = format!("is not one of {}.", listed(words));
                Err(("rest_not_in_enum", message))
            }
        },
        Kind::Date => match raw.as_str().and_then(dates::parse_day) {
            Some(_) => Ok(raw),
            None => Err(invalid_date("a date, YYYY-MM-DD")),
        },
        Kind::Moment => match raw.as_str().and_then(dates::parse_moment) {
            Some(_) => Ok(raw),
            None => Err(invalid_date("an ISO 8601 date")),
        },
        Kind::Texts | Kind::Object => match without_php_list(raw) {
            raw @ Value::Object(_) => Ok(raw),
            _ => Err(wrong_type("object")),
        },
        Kind::Array if raw.is_array() => Ok(raw),
        Kind::Array => Err(wrong_type("array")),
        Kind::Ids(max) => {
            let ids = integers(&raw).ok_or_else(|| wrong_type("array of integers"))?;
            if ids.iter().all(|id| *id > 0) && (1..=max).contains(&ids.len()) {
                return Ok(ids.into());
            }
            let message = format!("must name 1 to {max} ids, each greater than 0.");
            Err(("rest_out_of_bounds", message))
        }
        Kind::Any | Kind::Component(..) => Ok(raw),
    }
}

/// Trims a line, which must then not be empty.
fn one_line(text: &str) -> Result<Value, ValueFault> {
    let line = text.trim();
    if line.is_empty() {
        return Err(("rest_too_short", "must not be empty.".to_owned()));
    }
    if line.contains(char::is_control) {
        let message = "must be one line without control characters.";
        return Err(("rest_invalid_pattern", message.to_owned()));
    }
    Ok(line.into())
}

/// Replaces an empty list by an empty object, since PHP clients send `[]` for an empty map.
fn without_php_list(raw: Value) -> Value {
    match raw {
        Value::Array(list) if list.is_empty() => Value::Object(Map::new()),
        other => other,
    }
}

/// Prefixes the paths of faults with the parameter's name.
fn below(name: &str, mut faults: Vec<Fault>) -> Vec<Fault> {
    for fault in &mut faults {
        fault.path = match fault.path.as_str() {
            "" => name.to_owned(),
            path if path.starts_with('[') => format!("{name}{path}"),
            path => format!("{name}.{path}"),
        };
    }
    faults
}

fn boolean(raw: &Value) -> Option<bool> {
    let text = match raw {
        Value::Bool(_) | Value::Number(_) => raw.to_string(),
        other => other.as_str()?.to_ascii_lowercase(),
    };
    match text.as_str() {
        "1" | "true" => Some(true),
        "0" | "false" => Some(false),
        _ => None,
    }
}

fn text<'r>(parameter: &Parameter, raw: &'r Value, max: usize) -> Result<&'r str, ValueFault> {
    let text = raw.as_str().ok_or_else(|| wrong_type("string"))?;
    if text.chars().count() > max {
        let message = format!("must be at most {max} characters long.");
        return Err(("rest_too_long", message));
    }
    let may_hold_zero =
        parameter.location == Location::Path || matches!(parameter.kind, Kind::File(_));
    if text.contains('\0') && !may_hold_zero {
        let message = "must not contain the character U+0000.";
        return Err(("rest_invalid_pattern", message.to_owned()));
    }
    Ok(text)
}

/// Lists the words of an enumeration for a message. Quotes words without letters and digits, and omits invisible ones.
fn listed(words: &[&str]) -> String {
    let words = words.iter().filter(|word| !word.contains(char::is_control));
    let words = words.map(|word| match word.contains(char::is_alphanumeric) {
        true => (*word).to_owned(),
        false => format!("\"{word}\""),
    });
    words.collect::<Vec<_>>().join(", ")
}

/// Reads whole numbers from a list, from a text separated by commas or spaces, or from one number.
fn integers(raw: &Value) -> Option<Vec<i64>> {
    let integer = |item: &Value| integer(item, Location::Query);
    match raw {
        Value::Array(items) => items.iter().map(integer).collect(),
        Value::String(text) => {
            let items = text.split([',', ' ']).filter(|item| !item.is_empty());
            items.map(|item| integer(&item.into())).collect()
        }
        other => Some(vec![integer(other)?]),
    }
}

/// Reads a whole number from a number without a fraction or from its text. An id in a path that is out of range reads
/// as 0, which no resource has.
fn integer(raw: &Value, location: Location) -> Option<i64> {
    let number = match raw {
        Value::Number(number) => number.as_i64().or_else(|| {
            let value = number.as_f64()?;
            let is_whole = value.fract() == 0.0 && value.abs() <= MAX_SAFE_INTEGER as f64;
            is_whole.then_some(value as i64)
        }),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    match number {
        Some(number) if number.unsigned_abs() <= MAX_SAFE_INTEGER.unsigned_abs() => Some(number),
        _ if location == Location::Path => Some(0),
        _ => None,
    }
}

fn wrong_type(expected: &str) -> ValueFault {
    ("rest_invalid_type", format!("is not of type {expected}."))
}
