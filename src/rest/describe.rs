//! Discovery: the namespace index and OPTIONS, both derived from the route table.

use serde_json::{Map, Value};

use super::parameters::Location;
use super::route::{Route, variable};
use super::{Call, NAMESPACE};
use crate::error::Error;
use crate::http::Response;
use crate::json;
use crate::task::Context;

/// `GET /cf/v1`: the routes of the namespace with their arguments.
pub async fn index(call: Call) -> Result<Response, Error> {
    Ok(Response::json(
        200,
        &namespace(call.routes, &root(&call.cx)),
    ))
}

/// The namespace index, for a platform with a superior index; `root` is the REST root's address.
pub fn namespace(table: &[Route], root: &str) -> Value {
    let mut routes = Map::new();
    for route in table {
        let described = || describe_path(table, root, route.path);
        routes.entry(pattern(route.path)).or_insert_with(described);
    }
    let up = json!([{"href": format!("{root}/")}]);
    let body = json!({
        "namespace": NAMESPACE.trim_start_matches('/'),
        "routes": routes,
        "_links": {"up": up},
    });
    // References are made absolute, into the OpenAPI document.
    let absolute = format!("\"$ref\":\"{root}{NAMESPACE}/openapi.json#");
    let text = body.to_string().replace("\"$ref\":\"#", &absolute);
    serde_json::from_str(&text).unwrap_or_default()
}

/// OPTIONS on a path: its methods and arguments; `None` if no route has the path.
pub(super) fn options(table: &[Route], cx: &Context, path: &str) -> Option<Response> {
    let route = table.iter().find(|route| route.captures(path).is_some())?;
    let root = root(cx);
    let mut body = describe_path(table, &root, route.path);
    let (name, schema) = item_schema(route.answer);
    if let Some(schema) = schema {
        let schema = json::with(json!({"properties": {}}), schema);
        let schema = json::with(schema, json!({"title": name}));
        body = json::with(body, json!({"schema": schema}));
    }
    fill_references_in(&mut body, MAX_REFERENCES);
    Some(Response::json(200, &body))
}

/// Limit on the depth of nested references, since conditions contain conditions.
const MAX_REFERENCES: usize = 4;

const COMPONENTS: &str = "#/components/schemas/";

/// The component of a response with its name; for a list, the component of its items.
fn item_schema(answer: &'static str) -> (String, Option<Value>) {
    let component = super::components::component(answer);
    let items = component
        .as_ref()
        .and_then(|component| component.get("items"));
    let item = items.and_then(|items| items.get("$ref")?.as_str()?.strip_prefix(COMPONENTS));
    match item {
        Some(item) => (item.to_owned(), super::components::component(item)),
        None => (answer.to_owned(), component),
    }
}

/// Replaces references by their components, since the caller may not be allowed to read the OpenAPI document.
fn fill_references_in(value: &mut Value, depth: usize) {
    match value {
        Value::Object(members) => {
            let target = members.remove("$ref");
            let name = target.as_ref().and_then(Value::as_str);
            let name = name.and_then(|target| target.strip_prefix(COMPONENTS));
            let component = name
                .filter(|_| depth > 0)
                .and_then(super::components::component);
            if let Some(mut component) = component {
                fill_references_in(&mut component, depth - 1);
                *value = json::with(component, std::mem::take(value));
                return;
            }
            for member in members.values_mut() {
                fill_references_in(member, depth);
            }
        }
        Value::Array(items) => {
            for item in items {
                fill_references_in(item, depth);
            }
        }
        _ => {}
    }
}

fn describe_path(table: &[Route], root: &str, path: &str) -> Value {
    let routes = || table.iter().filter(|route| route.path == path);
    let methods: Vec<&str> = routes().flat_map(Route::methods).copied().collect();
    let endpoints: Vec<Value> = routes()
        .map(|route| json!({"methods": route.methods(), "args": arguments(route)}))
        .collect();
    let described = json!({
        "namespace": NAMESPACE.trim_start_matches('/'),
        "methods": methods,
        "endpoints": endpoints,
    });
    if path.contains('{') {
        return described;
    }
    let link = json!({"self": [{"href": format!("{root}{path}")}]});
    json::with(described, json!({"_links": link}))
}

fn root(cx: &Context) -> String {
    format!("{}{}", cx.base_url(), cx.shared().configuration().rest_root)
}

/// The path as a pattern in the platform's syntax: `/cf/v1/forms/(?P<id>[\d]+)`.
fn pattern(path: &str) -> String {
    let segments = path.split('/').map(|segment| match variable(segment) {
        Some(name) if name == "id" || name.ends_with("_id") => format!("(?P<{name}>[\\d]+)"),
        Some(name) => format!("(?P<{name}>[^/]+)"),
        None => segment.to_owned(),
    });
    segments.collect::<Vec<_>>().join("/")
}

/// The arguments by name. A parameter of the path takes precedence over a member of the body.
fn arguments(route: &Route) -> Map<String, Value> {
    let mut arguments = Map::new();
    for parameter in route.parameters {
        if parameter.location == Location::Members {
            for (name, member) in super::components::properties(parameter.name) {
                arguments.entry(name).or_insert(member);
            }
        } else {
            let place = json!({"required": parameter.required, "in": parameter.place()});
            let argument = json::with(parameter.schema(), place);
            arguments.insert(parameter.name.to_owned(), argument);
        }
    }
    arguments
}
