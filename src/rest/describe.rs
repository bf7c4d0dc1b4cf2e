//! Discovery: the namespace index and OPTIONS, both made from the route table.

use serde_json::{Map, Value, json};

use super::parameters::{Kind, Location, Parameter};
use super::routes::{ROUTES, Route};
use super::{Call, NAMESPACE};
use crate::error::Error;
use crate::http::Response;
use crate::task::Context;

/// `GET /cf/v1`: the routes of the namespace with their arguments.
pub async fn index(call: Call) -> Result<Response, Error> {
    let mut routes = Map::new();
    for path in paths() {
        routes.insert(pattern(path), describe_path(&call.cx, path));
    }
    let up = json!([{"href": format!("{}/", root(&call.cx))}]);
    let body = json!({
        "namespace": NAMESPACE.trim_start_matches('/'),
        "routes": routes,
        "_links": {"up": up},
    });
    Ok(Response::json(200, &body))
}

/// OPTIONS on a path: its methods and arguments. `None` where no route has the path.
pub(super) fn options(cx: &Context, path: &str) -> Option<Response> {
    let route = ROUTES.iter().find(|route| route.captures(path).is_some())?;
    let mut body = describe_path(cx, route.path);
    let schema = super::openapi::component(route.answer);
    if let (Some(members), Some(schema)) = (body.as_object_mut(), schema) {
        members.insert("schema".to_owned(), schema);
    }
    Some(Response::json(200, &body))
}

/// The distinct paths of the table, in its order.
fn paths() -> Vec<&'static str> {
    let mut paths: Vec<&'static str> = Vec::new();
    for route in ROUTES {
        if !paths.contains(&route.path) {
            paths.push(route.path);
        }
    }
    paths
}

fn describe_path(cx: &Context, path: &str) -> Value {
    let routes: Vec<&Route> = ROUTES.iter().filter(|route| route.path == path).collect();
    let methods: Vec<&str> = routes.iter().map(|route| route.method).collect();
    let endpoints: Vec<Value> = routes
        .iter()
        .map(|route| json!({"methods": [route.method], "args": arguments(route)}))
        .collect();
    let mut described = json!({
        "namespace": NAMESPACE.trim_start_matches('/'),
        "methods": methods,
        "endpoints": endpoints,
    });
    if let (false, Some(members)) = (path.contains('{'), described.as_object_mut()) {
        let link = json!({"self": [{"href": format!("{}{path}", root(cx))}]});
        members.insert("_links".to_owned(), link);
    }
    described
}

fn root(cx: &Context) -> String {
    let configuration = cx.shared().configuration();
    format!("{}{}", configuration.base_url, configuration.rest_root)
}

/// The path as the platform writes patterns: `/cf/v1/forms/(?P<id>[\d]+)`.
fn pattern(path: &str) -> String {
    let segments: Vec<String> = path
        .split('/')
        .map(|segment| {
            match segment
                .strip_prefix('{')
                .and_then(|name| name.strip_suffix('}'))
            {
                Some(name) if name == "id" || name.ends_with("_id") => {
                    format!("(?P<{name}>[\\d]+)")
                }
                Some(name) => format!("(?P<{name}>[^/]+)"),
                None => segment.to_owned(),
            }
        })
        .collect();
    segments.join("/")
}

fn arguments(route: &Route) -> Map<String, Value> {
    route
        .parameters
        .iter()
        .map(|parameter| (parameter.name.to_owned(), argument(parameter)))
        .collect()
}

fn argument(parameter: &Parameter) -> Value {
    let mut described = value_schema(parameter.kind);
    if let Some(members) = described.as_object_mut() {
        members.insert("description".to_owned(), json!(parameter.description));
        members.insert("required".to_owned(), json!(parameter.required));
        let default = parameter
            .default
            .and_then(|text| serde_json::from_str::<Value>(text).ok());
        if let Some(default) = default {
            members.insert("default".to_owned(), default);
        }
        let place = match parameter.location {
            Location::Path => "path",
            Location::Query => "query",
            Location::Body => "body",
        };
        members.insert("in".to_owned(), json!(place));
    }
    described
}

/// The JSON Schema of a parameter's kind.
pub(super) fn value_schema(kind: Kind) -> Value {
    match kind {
        Kind::Integer {
            minimum,
            maximum: i64::MAX,
        } => json!({"type": "integer", "minimum": minimum}),
        Kind::Integer { minimum, maximum } => {
            json!({"type": "integer", "minimum": minimum, "maximum": maximum})
        }
        Kind::Boolean => json!({"type": "boolean"}),
        Kind::Text { maximum } => json!({"type": "string", "maxLength": maximum}),
        Kind::Enum(words) => json!({"type": "string", "enum": words}),
        Kind::Date => json!({"type": "string", "format": "date"}),
        Kind::Moment => json!({"type": "string", "format": "date-time"}),
        Kind::Object => json!({"type": "object"}),
        Kind::Array => json!({"type": "array"}),
        Kind::IntegerList => json!({"type": "array", "items": {"type": "integer"}}),
    }
}
