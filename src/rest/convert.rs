//! From a raw value to one of its parameter's kind.

use model::MAX_SAFE_INTEGER;
use serde_json::{Map, Value};

use super::parameters::{Kind, Location, Parameter};
use crate::dates;
use crate::error::Fault;
use crate::forms::slug::{MAX_SLUG_CHARS, is_slug};

/// Gives a value as its parameter's kind means it, or everything that is wrong with it.
pub(super) fn convert(parameter: &Parameter, raw: Value) -> Result<Value, Vec<Fault>> {
    let name = parameter.name;
    let fault = |code, message| vec![Fault::new(name, code, message)];
    match parameter.kind {
        Kind::Integer { minimum, maximum } => {
            let number =
                integer(&raw, parameter.location).ok_or_else(|| wrong_type(name, "integer"))?;
            if (minimum..=maximum).contains(&number) {
                Ok(number.into())
            } else {
                let message = format!("{name} must be between {minimum} and {maximum}.");
                Err(fault("rest_out_of_bounds", message))
            }
        }
        Kind::Boolean => boolean(&raw)
            .map(Value::from)
            .ok_or_else(|| wrong_type(name, "boolean")),
        Kind::Text { maximum } => {
            text(parameter, &raw, maximum)?;
            Ok(raw)
        }
        Kind::Line { maximum } => {
            let line = text(parameter, &raw, maximum)?.trim();
            if line.is_empty() {
                return Err(fault(
                    "rest_too_short",
                    format!("{name} must not be empty."),
                ));
            }
            if line.contains(char::is_control) {
                let message = format!("{name} must be one line without control characters.");
                return Err(fault("rest_invalid_pattern", message));
            }
            Ok(line.into())
        }
        Kind::Slug => match text(parameter, &raw, MAX_SLUG_CHARS)? {
            slug if slug.is_empty() || is_slug(slug) => Ok(raw),
            _ => {
                let message = format!(
                    "{name} must be lower-case letters, digits, dashes and underscores, with a letter or digit at both ends."
                );
                Err(fault("rest_invalid_pattern", message))
            }
        },
        Kind::Enum(words) => match raw.as_str() {
            Some(word) if words.contains(&word) => Ok(raw),
            _ => {
                let message = format!("{name} is not one of {}.", words.join(", "));
                Err(fault("rest_not_in_enum", message))
            }
        },
        Kind::Date => match raw.as_str().and_then(dates::parse_day) {
            Some(_) => Ok(raw),
            None => {
                let message = format!("{name} must be a date, YYYY-MM-DD.");
                Err(fault("rest_invalid_date", message))
            }
        },
        Kind::Moment => match raw.as_str().and_then(dates::parse_moment) {
            Some(_) => Ok(raw),
            None => {
                let message = format!("{name} must be an ISO 8601 date.");
                Err(fault("rest_invalid_date", message))
            }
        },
        Kind::Texts | Kind::Object => match without_php_list(raw) {
            raw @ Value::Object(_) => Ok(raw),
            _ => Err(wrong_type(name, "object")),
        },
        Kind::Array => match raw {
            Value::Array(_) => Ok(raw),
            _ => Err(wrong_type(name, "array")),
        },
        Kind::Ids { maximum } => {
            let ids = integers(&raw).ok_or_else(|| wrong_type(name, "array of integers"))?;
            let are_ids = ids.iter().all(|id| *id > 0);
            if are_ids && (1..=maximum).contains(&ids.len()) {
                return Ok(ids.into());
            }
            let message = format!("{name} must name 1 to {maximum} ids, each greater than 0.");
            Err(fault("rest_out_of_bounds", message))
        }
        Kind::Any => Ok(raw),
        Kind::Component { check, .. } => {
            check(&without_php_list(raw)).map_err(|faults| below(name, faults))
        }
    }
}

/// PHP clients send an empty map as an empty list.
fn without_php_list(raw: Value) -> Value {
    match raw {
        Value::Array(list) if list.is_empty() => Value::Object(Map::new()),
        other => other,
    }
}

/// The faults inside a parameter, with paths that begin at the parameter.
fn below(name: &str, faults: Vec<Fault>) -> Vec<Fault> {
    let mut faults = faults;
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
    match raw {
        Value::Bool(flag) => Some(*flag),
        Value::String(text) => match text.to_ascii_lowercase().as_str() {
            "1" | "true" => Some(true),
            "0" | "false" => Some(false),
            _ => None,
        },
        Value::Number(number) => match number.as_i64() {
            Some(1) => Some(true),
            Some(0) => Some(false),
            _ => None,
        },
        _ => None,
    }
}

fn text<'r>(parameter: &Parameter, raw: &'r Value, maximum: usize) -> Result<&'r str, Vec<Fault>> {
    let name = parameter.name;
    let text = raw.as_str().ok_or_else(|| wrong_type(name, "string"))?;
    if text.chars().count() > maximum {
        let message = format!("{name} must be at most {maximum} characters long.");
        return Err(vec![Fault::new(name, "rest_too_long", message)]);
    }
    if text.contains('\0') && parameter.location != Location::Path {
        let message = format!("{name} must not contain the character U+0000.");
        return Err(vec![Fault::new(name, "rest_invalid_pattern", message)]);
    }
    Ok(text)
}

/// The whole numbers of a list, of a text that is separated by commas or spaces, or of one number.
fn integers(raw: &Value) -> Option<Vec<i64>> {
    let items = match raw {
        Value::Array(items) => items.clone(),
        Value::String(text) => text
            .split([',', ' '])
            .filter(|item| !item.is_empty())
            .map(|item| Value::String(item.to_owned()))
            .collect(),
        other => vec![other.clone()],
    };
    let numbers = items.iter().map(|item| integer(item, Location::Query));
    numbers.collect()
}

/// The whole number of a value: a number without a fraction, or its text. An id in a path that is
/// too large for that is one that no thing has.
fn integer(raw: &Value, location: Location) -> Option<i64> {
    let number = match raw {
        Value::Number(number) => number.as_i64().or_else(|| {
            number
                .as_f64()
                .filter(|value| value.fract() == 0.0 && value.abs() <= MAX_SAFE_INTEGER as f64)
                .map(|value| value as i64)
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

fn wrong_type(name: &str, expected: &str) -> Vec<Fault> {
    let message = format!("{name} is not of type {expected}.");
    vec![Fault::new(name, "rest_invalid_type", message)]
}
