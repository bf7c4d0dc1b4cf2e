//! Conventions that apply to all REST routes: method overrides, `_fields`, `_envelope`, ETags and CORS.

use std::collections::BTreeMap;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC};
use serde_json::{Map, Value};

use super::routes::{ROUTES, Route};
use super::{conditional, may};
use crate::error::Error;
use crate::http::{Request, Response, error_response};
use crate::task::Context;

/// The characters that are escaped in a name in a warning: all but the unreserved ones (RFC 3986).
const IN_NAMES: AsciiSet = NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The method of a request after overrides. Only a POST can be overridden, since following a link must never delete
/// anything.
pub(super) fn method(request: &Request) -> String {
    let actual = request.method.to_ascii_uppercase();
    if actual != "POST" {
        return actual;
    }
    let query = request.query_pairs();
    let parameter = query.iter().find(|(name, _)| name == "_method");
    let parameter = parameter.map(|(_, value)| value.as_str());
    match parameter.or(request.header("x-http-method-override")) {
        Some(meant) if !meant.is_empty() => meant.to_ascii_uppercase(),
        _ => actual,
    }
}

/// Converts a handler's outcome into the final response.
pub(super) fn finish(
    cx: &Context,
    request: &Request,
    method: &str,
    path: &str,
    outcome: Result<Response, Error>,
) -> Response {
    let failed = outcome.is_err();
    let mut response = outcome.unwrap_or_else(|error| error_response(&error, &request.request_id));
    let query = request.query_pairs();
    let whole = !failed && !response.is_download();
    if whole {
        response = select_fields(&query, response);
        response = conditional::tag(request, method, response);
    }
    response = common_headers(cx, request, path, response);
    let unknown = request.unknown.iter().take(MAX_NAMED);
    let warnings: Vec<String> = unknown.map(|name| unknown_parameter(name)).collect();
    if !warnings.is_empty() {
        response = response.with_header("x-cf-warning", warnings.join(", "));
    }
    let wants_envelope = query
        .iter()
        .any(|(name, value)| name == "_envelope" && !matches!(value.as_str(), "0" | "false"));
    if wants_envelope && (whole || failed) {
        response = envelope(response);
    }
    if method == "HEAD" {
        response.rest = None;
        response.opened_file = false;
        response.body.clear();
    }
    response
}

/// Limit on the names that a warning lists.
const MAX_NAMED: usize = 10;
/// Limit on one name in a warning, in characters.
const MAX_NAME_CHARS: usize = 100;

fn unknown_parameter(name: &str) -> String {
    let name: String = name.chars().take(MAX_NAME_CHARS).collect();
    let name = percent_encoding::utf8_percent_encode(&name, &IN_NAMES);
    format!("unknown parameter {name}")
}

fn common_headers(cx: &Context, request: &Request, path: &str, mut response: Response) -> Response {
    if response.header("cache-control").is_none() {
        response = response.with_header("cache-control", "private, no-cache, must-revalidate");
    }
    let rest_root = &cx.shared().configuration().rest_root;
    let root = format!(
        "<{}{rest_root}/>; rel=\"https://api.w.org/\"",
        cx.base_url()
    );
    response = response
        .guarded(false)
        .with_header("x-robots-tag", "noindex")
        .with_header("vary", "Origin, Authorization, Cookie")
        .with_header("access-control-expose-headers", EXPOSED_HEADERS)
        .with_header("link", root);
    let allowed = allowed_methods(request, path);
    if !allowed.is_empty() {
        response = response.with_header("allow", allowed.join(", "));
    }
    match request.header("origin") {
        None => response,
        Some(origin) => response
            .with_header("access-control-allow-origin", origin)
            .with_header("access-control-allow-credentials", "true")
            .with_header("access-control-allow-methods", ALLOWED_METHODS)
            .with_header("access-control-allow-headers", ALLOWED_HEADERS)
            .with_header("access-control-max-age", "600"),
    }
}

const EXPOSED_HEADERS: &str = "X-WP-Total, X-WP-TotalPages, Link, Location, ETag, X-WP-Nonce, X-CF-Warning, X-CF-Warnings, X-CF-Next-Cursor, X-CF-Total-Is-Least, Content-Disposition";

const ALLOWED_METHODS: &str = "OPTIONS, GET, POST, PUT, PATCH, DELETE";

const ALLOWED_HEADERS: &str = "Authorization, X-WP-Nonce, X-HTTP-Method-Override, Content-Disposition, Content-MD5, Content-Type, If-Match, If-None-Match, Idempotency-Key";

/// The methods that this caller may use on a path.
fn allowed_methods(request: &Request, path: &str) -> Vec<&'static str> {
    let Some(principal) = &request.principal else {
        return Vec::new();
    };
    ROUTES
        .iter()
        .filter(|route| may(principal, route) && route.captures(path).is_some())
        .flat_map(Route::methods)
        .copied()
        .collect()
}

/// Keeps only the members that `_fields` names, at any depth, in an object or in each object of a list.
fn select_fields(query: &[(String, String)], mut response: Response) -> Response {
    let wanted: Vec<Vec<&str>> = query
        .iter()
        .filter(|(name, _)| name == "_fields" || name == "_fields[]")
        .flat_map(|(_, value)| value.split(','))
        .map(|path| path.trim().split('.').collect())
        .filter(|path: &Vec<&str>| path.first().is_some_and(|first| !first.is_empty()))
        .collect();
    if wanted.is_empty() || response.status >= 300 {
        return response;
    }
    let Ok(body) = crate::json::read::<Value>(&response.body) else {
        return response;
    };
    let paths: Vec<&[&str]> = wanted.iter().map(Vec::as_slice).collect();
    response.body = keep(body, &paths).to_string().into_bytes();
    response
}

fn keep(value: Value, paths: &[&[&str]]) -> Value {
    let members = match value {
        Value::Array(items) => return items.into_iter().map(|item| keep(item, paths)).collect(),
        Value::Object(members) => members,
        other => return other,
    };
    let mut kept = Map::new();
    for (name, member) in members {
        let below: Vec<&[&str]> = paths
            .iter()
            .filter_map(|path| path.split_first())
            .filter(|(first, _)| **first == name)
            .map(|(_, rest)| rest)
            .collect();
        if below.is_empty() {
            continue;
        }
        let whole = below.iter().any(|rest| rest.is_empty());
        kept.insert(name, if whole { member } else { keep(member, &below) });
    }
    Value::Object(kept)
}

/// Moves the status and the headers into the body, for clients that cannot read either.
fn envelope(response: Response) -> Response {
    let body: Value = crate::json::read(&response.body).unwrap_or(Value::Null);
    let mut headers: BTreeMap<String, String> = BTreeMap::new();
    for (name, value) in &response.headers {
        let joined = headers.entry((*name).to_owned()).or_default();
        if !joined.is_empty() {
            joined.push_str(", ");
        }
        joined.push_str(value);
    }
    let enveloped = json!({"body": body, "status": response.status, "headers": headers});
    let mut outer = Response::json(200, &enveloped);
    outer.run_queue = response.run_queue;
    outer.log = response.log;
    let cross_origin = response.headers.into_iter().filter(|(name, _)| {
        name.starts_with("access-control-") || matches!(*name, "vary" | "cache-control")
    });
    outer.headers.extend(cross_origin);
    outer
}
