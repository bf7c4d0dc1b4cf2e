//! Discovery: the namespace index and OPTIONS, both made from the route table.

use serde_json::{Map, Value, json};

use super::parameters::{Kind, Location, Parameter};
use super::routes::{ROUTES, Route};
use super::{Call, NAMESPACE};
use crate::error::Error;
use crate::forms::slug::MAX_SLUG_CHARS;
use crate::http::Response;
use crate::task::Context;

/// `GET /cf/v1`: the routes of the namespace with their arguments.
pub async fn index(call: Call) -> Result<Response, Error> {
    Ok(Response::json(200, &namespace(&root(&call.cx))))
}

/// What the namespace index says, for a platform that lists it in an index of its own; `root` is the
/// REST root's address.
pub fn namespace(root: &str) -> Value {
    let mut routes = Map::new();
    for path in paths() {
        routes.insert(pattern(path), describe_path(root, path));
    }
    let up = json!([{"href": format!("{root}/")}]);
    let mut body = json!({
        "namespace": NAMESPACE.trim_start_matches('/'),
        "routes": routes,
        "_links": {"up": up},
    });
    make_references_absolute(&mut body, &format!("{root}{NAMESPACE}/openapi.json"));
    body
}

/// OPTIONS on a path: its methods and arguments. `None` where no route has the path.
pub(super) fn options(cx: &Context, path: &str) -> Option<Response> {
    let route = ROUTES.iter().find(|route| route.captures(path).is_some())?;
    let root = root(cx);
    let mut body = describe_path(&root, route.path);
    let (name, schema) = item_schema(route.answer);
    if let (Some(members), Some(Value::Object(mut schema))) = (body.as_object_mut(), schema) {
        schema.insert("title".to_owned(), json!(name));
        schema.entry("properties").or_insert_with(|| json!({}));
        members.insert("schema".to_owned(), Value::Object(schema));
    }
    fill_references_in(&mut body, MAX_REFERENCES);
    Some(Response::json(200, &body))
}

/// How deep references lead into each other before they are left out: conditions hold conditions.
const MAX_REFERENCES: usize = 4;

const COMPONENTS: &str = "#/components/schemas/";

/// The component of an answer, of a list that of its items, with its name.
fn item_schema(answer: &'static str) -> (String, Option<Value>) {
    let component = super::openapi::component(answer);
    let items = component.as_ref().and_then(|own| own.get("items"));
    let item = items.and_then(|items| items.get("$ref")?.as_str()?.strip_prefix(COMPONENTS));
    match item {
        Some(item) => (item.to_owned(), super::openapi::component(item)),
        None => (answer.to_owned(), component),
    }
}

/// Puts the components that are referred to in the places of the references: who asks may not be able to
/// read the OpenAPI document.
fn fill_references_in(value: &mut Value, depth: usize) {
    match value {
        Value::Object(members) => {
            let target = members.remove("$ref");
            let name = target.as_ref().and_then(Value::as_str);
            let name = name.and_then(|target| target.strip_prefix(COMPONENTS));
            let component = name
                .filter(|_| depth > 0)
                .and_then(super::openapi::component);
            if let Some(mut component) = component {
                fill_references_in(&mut component, depth - 1);
                if let Value::Object(component) = component {
                    for (name, member) in component {
                        members.entry(name).or_insert(member);
                    }
                }
                return;
            }
            members
                .values_mut()
                .for_each(|member| fill_references_in(member, depth));
        }
        Value::Array(items) => items
            .iter_mut()
            .for_each(|item| fill_references_in(item, depth)),
        _ => {}
    }
}

/// Lets the references to OpenAPI components lead into the OpenAPI document, wherever they stand.
fn make_references_absolute(value: &mut Value, document: &str) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                match member {
                    Value::String(target) if name == "$ref" => target.insert_str(0, document),
                    other => make_references_absolute(other, document),
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                make_references_absolute(item, document);
            }
        }
        _ => {}
    }
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

fn describe_path(root: &str, path: &str) -> Value {
    let routes: Vec<&Route> = ROUTES.iter().filter(|route| route.path == path).collect();
    let methods: Vec<&&str> = routes.iter().flat_map(|route| route.methods()).collect();
    let endpoints: Vec<Value> = routes
        .iter()
        .map(|route| json!({"methods": route.methods(), "args": arguments(route)}))
        .collect();
    let mut described = json!({
        "namespace": NAMESPACE.trim_start_matches('/'),
        "methods": methods,
        "endpoints": endpoints,
    });
    if let (false, Some(members)) = (path.contains('{'), described.as_object_mut()) {
        let link = json!({"self": [{"href": format!("{root}{path}")}]});
        members.insert("_links".to_owned(), link);
    }
    described
}

fn root(cx: &Context) -> String {
    format!("{}{}", cx.base_url(), cx.shared().configuration().rest_root)
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

/// The arguments by name. Of a name that is in the path and in the body, the path's is described.
fn arguments(route: &Route) -> Map<String, Value> {
    let mut arguments = Map::new();
    for parameter in route.parameters {
        match parameter.location {
            Location::Members => {
                for (name, member) in super::openapi::properties(parameter.name) {
                    arguments.entry(name).or_insert(member);
                }
            }
            _ => {
                arguments.insert(parameter.name.to_owned(), argument(parameter));
            }
        }
    }
    arguments
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
            Location::Body | Location::Members => "body",
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
        Kind::Line { maximum } => json!({"type": "string", "minLength": 1, "maxLength": maximum}),
        Kind::Slug => {
            json!({"type": "string", "maxLength": MAX_SLUG_CHARS, "pattern": "^([a-z0-9]([a-z0-9_-]*[a-z0-9])?)?$"})
        }
        Kind::Enum(words) => json!({"type": "string", "enum": words}),
        Kind::Date => json!({"type": "string", "format": "date"}),
        Kind::Moment => json!({"type": "string", "format": "date-time"}),
        Kind::Object => json!({"type": "object"}),
        Kind::Texts => json!({"type": "object", "additionalProperties": {"type": "string"}}),
        Kind::Array => json!({"type": "array"}),
        Kind::Ids { maximum } => {
            let id = json!({"type": "integer", "minimum": 1});
            json!({"type": "array", "items": id, "minItems": 1, "maxItems": maximum})
        }
        Kind::Any => json!({}),
        Kind::Component { name, .. } => {
            json!({"$ref": format!("#/components/schemas/{name}")})
        }
    }
}
