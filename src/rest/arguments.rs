//! Reading a request's parameters against its route: all that are missing, then all that are
//! wrong, at once.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::parameters::{Kind, Location, Parameter};
use super::routes::Route;
use crate::dates;
use crate::error::{Error, Fault};
use crate::http::Request;

/// The checked parameters of a request.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    values: BTreeMap<&'static str, Value>,
    /// The members of the JSON body, as they came.
    pub body: Map<String, Value>,
    /// The query's pairs, as they came.
    pub query: Vec<(String, String)>,
}

impl Arguments {
    /// An integer, when the request carries it or it has a default.
    pub fn integer(&self, name: &str) -> Option<i64> {
        self.values.get(name).and_then(Value::as_i64)
    }

    /// The id in the path. An id that no thing can have reads as 0.
    pub fn id(&self, name: &str) -> i64 {
        self.integer(name).unwrap_or(0)
    }

    /// A flag; false when it is not there.
    pub fn flag(&self, name: &str) -> bool {
        self.values
            .get(name)
            .and_then(Value::as_bool)
            .unwrap_or(false)
    }

    /// A text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.values.get(name).and_then(Value::as_str)
    }

    /// An object.
    pub fn object(&self, name: &str) -> Option<&Map<String, Value>> {
        self.values.get(name).and_then(Value::as_object)
    }

    /// A moment in milliseconds UTC.
    pub fn moment(&self, name: &str) -> Option<i64> {
        self.text(name).and_then(dates::parse_moment)
    }

    /// Whole numbers.
    pub fn integers(&self, name: &str) -> Vec<i64> {
        let list = self.values.get(name).and_then(Value::as_array);
        list.map(|list| list.iter().filter_map(Value::as_i64).collect())
            .unwrap_or_default()
    }

    /// Any value.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.values.get(name)
    }

    /// Whether the request carries the parameter, or it has a default.
    pub fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }
}

/// Reads and checks the parameters of a route.
pub(super) fn read(
    route: &Route,
    captures: Vec<(&'static str, String)>,
    request: &Request,
) -> Result<Arguments, Error> {
    let body = read_body(request)?;
    let query = request.query_pairs();
    let mut missing = Vec::new();
    let mut faults = Vec::new();
    let mut values = BTreeMap::new();
    for parameter in route.parameters {
        let raw = match parameter.location {
            Location::Path => captured(&captures, parameter.name),
            Location::Query => member(&body, parameter.name).or_else(|| queried(&query, parameter)),
            Location::Body => member(&body, parameter.name).or_else(|| queried(&query, parameter)),
        };
        let raw = raw.or_else(|| {
            parameter
                .default
                .and_then(|text| serde_json::from_str(text).ok())
        });
        match raw {
            Some(raw) => match convert(parameter, raw) {
                Ok(value) => {
                    values.insert(parameter.name, value);
                }
                Err(fault) => faults.push(fault),
            },
            None if parameter.required => missing.push(parameter.name.to_owned()),
            None => {}
        }
    }
    if !missing.is_empty() {
        return Err(Error::MissingParameters(missing));
    }
    if !faults.is_empty() {
        return Err(Error::InvalidParameters(faults));
    }
    Ok(Arguments {
        values,
        body,
        query,
    })
}

/// The members of the JSON body. An empty body is an empty object, whatever its content type;
/// form-encoded bodies give their pairs as text.
fn read_body(request: &Request) -> Result<Map<String, Value>, Error> {
    if request.too_large {
        return Err(Error::PayloadTooLarge);
    }
    if request.body.iter().all(u8::is_ascii_whitespace) {
        return Ok(Map::new());
    }
    if request.content_type() == "application/x-www-form-urlencoded" {
        return Ok(form_urlencoded::parse(&request.body)
            .map(|(name, value)| (name.into_owned(), Value::String(value.into_owned())))
            .collect());
    }
    match serde_json::from_slice(&request.body) {
        Ok(Value::Object(members)) => Ok(members),
        Ok(_) => Err(Error::InvalidJson("expected an object".to_owned())),
        Err(error) => Err(Error::InvalidJson(error.to_string())),
    }
}

fn captured(captures: &[(&'static str, String)], name: &str) -> Option<Value> {
    let found = captures.iter().find(|(own, _)| *own == name);
    found.map(|(_, value)| Value::String(value.clone()))
}

/// A member of the body; `null` counts as absent, as the platform's convention has it.
fn member(body: &Map<String, Value>, name: &str) -> Option<Value> {
    body.get(name).filter(|value| !value.is_null()).cloned()
}

/// The last pair of that name; a list may also come as `name[]` pairs.
fn queried(query: &[(String, String)], parameter: &Parameter) -> Option<Value> {
    let name = parameter.name;
    if parameter.kind == Kind::IntegerList {
        let list: Vec<Value> = query
            .iter()
            .filter(|(own, _)| own.strip_suffix("[]") == Some(name))
            .map(|(_, value)| Value::String(value.clone()))
            .collect();
        if !list.is_empty() {
            return Some(Value::Array(list));
        }
    }
    query
        .iter()
        .rev()
        .find(|(own, _)| own == name)
        .map(|(_, value)| Value::String(value.clone()))
}

fn convert(parameter: &Parameter, raw: Value) -> Result<Value, Fault> {
    let name = parameter.name;
    match parameter.kind {
        Kind::Integer { minimum, maximum } => {
            let number =
                integer(&raw, parameter.location).ok_or_else(|| wrong_type(name, "integer"))?;
            if (minimum..=maximum).contains(&number) {
                Ok(number.into())
            } else {
                let message = format!("{name} must be between {minimum} and {maximum}.");
                Err(Fault::new(name, "rest_out_of_bounds", message))
            }
        }
        Kind::Boolean => match &raw {
            Value::Bool(_) => Ok(raw),
            Value::String(text) if text == "1" || text.eq_ignore_ascii_case("true") => {
                Ok(true.into())
            }
            Value::String(text)
                if text == "0" || text.eq_ignore_ascii_case("false") || text.is_empty() =>
            {
                Ok(false.into())
            }
            Value::Number(number) if number.as_i64() == Some(1) => Ok(true.into()),
            Value::Number(number) if number.as_i64() == Some(0) => Ok(false.into()),
            _ => Err(wrong_type(name, "boolean")),
        },
        Kind::Text { maximum } => match &raw {
            Value::String(text) if text.chars().count() <= maximum => Ok(raw),
            Value::String(_) => {
                let message = format!("{name} must be at most {maximum} characters long.");
                Err(Fault::new(name, "rest_too_long", message))
            }
            _ => Err(wrong_type(name, "string")),
        },
        Kind::Enum(words) => match raw.as_str() {
            Some(word) if words.contains(&word) => Ok(raw),
            _ => {
                let message = format!("{name} is not one of {}.", words.join(", "));
                Err(Fault::new(name, "rest_not_in_enum", message))
            }
        },
        Kind::Date => match raw.as_str().and_then(dates::parse_day) {
            Some(_) => Ok(raw),
            None => Err(Fault::new(
                name,
                "rest_invalid_date",
                format!("{name} must be a date, YYYY-MM-DD."),
            )),
        },
        Kind::Moment => match raw.as_str().and_then(dates::parse_moment) {
            Some(_) => Ok(raw),
            None => Err(Fault::new(
                name,
                "rest_invalid_date",
                format!("{name} must be an ISO 8601 date."),
            )),
        },
        Kind::Object => match raw {
            Value::Object(_) => Ok(raw),
            // PHP clients send an empty map as an empty list.
            Value::Array(list) if list.is_empty() => Ok(Value::Object(Map::new())),
            _ => Err(wrong_type(name, "object")),
        },
        Kind::Array => match raw {
            Value::Array(_) => Ok(raw),
            _ => Err(wrong_type(name, "array")),
        },
        Kind::IntegerList => {
            let items = match &raw {
                Value::Array(items) => items.clone(),
                Value::String(text) => text
                    .split([',', ' '])
                    .filter(|item| !item.is_empty())
                    .map(|item| Value::String(item.to_owned()))
                    .collect(),
                other => vec![other.clone()],
            };
            let numbers: Option<Vec<Value>> = items
                .iter()
                .map(|item| integer(item, Location::Query).map(Value::from))
                .collect();
            numbers
                .map(Value::Array)
                .ok_or_else(|| wrong_type(name, "array of integers"))
        }
    }
}

/// The whole number of a value: a number without a fraction, or its text. An id in a path that is
/// too large for any number is one that no thing has.
fn integer(raw: &Value, location: Location) -> Option<i64> {
    match raw {
        Value::Number(number) => number.as_i64().or_else(|| {
            number
                .as_f64()
                .filter(|value| value.fract() == 0.0 && value.abs() < 9e15)
                .map(|value| value as i64)
        }),
        Value::String(text) => match text.trim().parse() {
            Ok(number) => Some(number),
            Err(_) if location == Location::Path => Some(0),
            Err(_) => None,
        },
        _ => None,
    }
}

fn wrong_type(name: &str, expected: &str) -> Fault {
    Fault::new(
        name,
        "rest_invalid_type",
        format!("{name} is not of type {expected}."),
    )
}
