//! Reads a request's parameters as its route declares them. An error names all missing parameters, or else all invalid
//! ones.

use serde_json::{Map, Value};

use super::convert::convert;
use super::parameters::{Kind, Location, Parameter};
use super::route::Route;
use crate::dates;
use crate::error::{Error, Fault};
use crate::http::Request;
use crate::ordered::{self, Gather};

/// The checked parameters of a request.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    values: Map<String, Value>,
    /// The unchecked members of the JSON body.
    pub body: Map<String, Value>,
    /// The unchecked pairs of the query.
    pub query: Vec<(String, String)>,
}

impl Arguments {
    /// An integer parameter, if the request contains it or the route has a default.
    pub fn integer(&self, name: &str) -> Option<i64> {
        self.values.get(name).and_then(Value::as_i64)
    }

    /// The id in the path; 0, which no row has, for an id that is out of range.
    pub fn id(&self, name: &str) -> i64 {
        self.integer(name).unwrap_or(0)
    }

    /// A flag; false when it is absent.
    pub fn flag(&self, name: &str) -> bool {
        self.value(name) == Some(&Value::Bool(true))
    }

    /// A text parameter, if present.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.values.get(name).and_then(Value::as_str)
    }

    /// An object parameter, if present.
    pub fn object(&self, name: &str) -> Option<&Map<String, Value>> {
        self.values.get(name).and_then(Value::as_object)
    }

    /// A time parameter, in milliseconds UTC.
    pub fn moment(&self, name: &str) -> Option<i64> {
        self.text(name).and_then(dates::parse_moment)
    }

    /// A list of integers; empty if absent.
    pub fn integers(&self, name: &str) -> Vec<i64> {
        let list = self.values.get(name).and_then(Value::as_array);
        list.map(|list| list.iter().filter_map(Value::as_i64).collect())
            .unwrap_or_default()
    }

    /// All checked parameters as one object.
    pub fn all(&self) -> Value {
        Value::Object(self.values.clone())
    }

    /// A parameter of any kind, if present.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.values.get(name)
    }
}

/// Reads and checks the parameters of a route.
pub(super) fn read(
    route: &Route,
    captures: Vec<(&'static str, String)>,
    request: &mut Request,
) -> Result<Arguments, Error> {
    let query = request.query_pairs();
    let mut pairs = query.clone();
    let body = read_body(request, &mut pairs)?;
    let mut missing = Vec::new();
    let mut faults = Vec::new();
    request.unknown = unknown(route, &pairs, &body);
    if route.is_strict() {
        faults.extend(request.unknown.drain(..).map(|name| {
            let message = "This route knows no such parameter.";
            Fault::new(name, "rest_unknown_parameter", message)
        }));
    }
    let mut values = Map::new();
    for parameter in route.parameters {
        let raw = match parameter.location {
            Location::Path => {
                let capture = captures.iter().find(|(name, _)| *name == parameter.name);
                capture.map(|(_, value)| value.as_str().into())
            }
            Location::Query if matches!(parameter.kind, Kind::Texts) => {
                named(&pairs, parameter.name).or_else(|| queried(&pairs, parameter.name))
            }
            Location::Query | Location::Body => {
                member(&body, parameter.name).or_else(|| queried(&pairs, parameter.name))
            }
            Location::Members => continue,
        };
        match raw.or_else(|| parameter.default()) {
            Some(raw) => match convert(parameter, raw) {
                Ok(value) => {
                    values.insert(parameter.name.to_owned(), value);
                }
                Err(found) => faults.extend(found),
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

/// Lists the names in a query and a body that the route does not know. Every route knows the parameters that the
/// platform's clients send. Routes that are not strict also know the read-only members of their resource in a body.
fn unknown(route: &Route, pairs: &[(String, String)], body: &Map<String, Value>) -> Vec<String> {
    let is_known = |name: &str| {
        let name = name.split('[').next().unwrap_or_default();
        name.starts_with('_')
            || matches!(name, "context" | "force" | "rest_route")
            || route
                .parameters
                .iter()
                .any(|parameter| parameter.name == name)
    };
    let queried = pairs.iter().map(|(name, _)| name);
    let mut unknown: Vec<&String> = queried.filter(|name| !is_known(name)).collect();
    let members: Vec<&String> = body.keys().filter(|name| !is_known(name)).collect();
    if !members.is_empty() {
        let whole = |parameter: &&Parameter| parameter.location == Location::Members;
        let whole = route
            .parameters
            .iter()
            .find(whole)
            .map(|parameter| parameter.name);
        let is_known = |name: &str| {
            whole.is_some_and(|whole| is_member(whole, name))
                || !route.is_strict() && is_member(route.response, name)
        };
        // Unknown members of a field are attributes, which are checked elsewhere.
        let is_field = whole == Some("FieldMembers");
        unknown.retain(|name| !is_known(name));
        let members = members.into_iter();
        unknown.extend(members.filter(|name| !is_field && !is_known(name)));
    }
    ordered::sort_by(&mut unknown, Ord::cmp);
    unknown.dedup();
    unknown.into_iter().cloned().collect()
}

/// The members of the components in routes' bodies. Each line is a component followed by its members; `openapi.rs`
/// writes the file.
const MEMBER_NAMES: &str = include_str!("member_names.txt");

/// Whether a component has a member.
fn is_member(component: &str, name: &str) -> bool {
    MEMBER_NAMES.lines().any(|line| {
        let mut words = line.split(' ');
        words.next() == Some(component) && words.any(|word| word == name)
    })
}

/// Reads the members of the JSON body. An empty body of any content type counts as an empty object. The pairs of a
/// form-encoded body are also added to `pairs`.
fn read_body(
    request: &Request,
    pairs: &mut Vec<(String, String)>,
) -> Result<Map<String, Value>, Error> {
    if request.too_large {
        return Err(Error::PayloadTooLarge);
    }
    if request.body.iter().all(u8::is_ascii_whitespace) {
        return Ok(Map::new());
    }
    let kind = request.content_type();
    if kind == "application/x-www-form-urlencoded" {
        let sent = form_urlencoded::parse(&request.body).into_owned();
        let sent = sent.inspect(|pair| pairs.push(pair.clone()));
        return Ok(sent.map(|(name, value)| (name, value.into())).gather());
    }
    let fault = match crate::json::read(&request.body) {
        _ if kind.starts_with("multipart/") => format!("expected application/json, not {kind}"),
        Ok(Value::Object(members)) => return Ok(members),
        Ok(_) => "expected an object".to_owned(),
        Err(error) => error.to_string(),
    };
    Err(Error::InvalidJson(fault))
}

/// A member of the body; `null` counts as absent, by the platform's convention.
fn member(body: &Map<String, Value>, name: &str) -> Option<Value> {
    body.get(name).filter(|value| !value.is_null()).cloned()
}

/// The values of the pairs `name[…]`, each with the text after the opening bracket.
fn bracketed<'p>(
    pairs: &'p [(String, String)],
    name: &str,
) -> impl Iterator<Item = (&'p str, Value)> {
    pairs.iter().filter_map(move |(key, value)| {
        let inside = key.strip_prefix(name)?.strip_prefix('[')?;
        Some((inside, value.as_str().into()))
    })
}

fn named(pairs: &[(String, String)], name: &str) -> Option<Value> {
    let texts = bracketed(pairs, name)
        .filter_map(|(inside, value)| Some((inside.strip_suffix(']')?.to_owned(), value)));
    let texts: Map<String, Value> = texts.gather();
    (!texts.is_empty()).then_some(Value::Object(texts))
}

/// The last pair with a name, or else a list of the pairs `name[…]`. If the parameter is not a list, the list causes an
/// error, so that an intended filter is never ignored.
fn queried(pairs: &[(String, String)], name: &str) -> Option<Value> {
    if let Some((_, value)) = pairs.iter().rev().find(|(key, _)| key == name) {
        return Some(value.as_str().into());
    }
    let list: Vec<Value> = bracketed(pairs, name).map(|(_, value)| value).collect();
    (!list.is_empty()).then_some(Value::Array(list))
}
