//! OpenAPI 3.1, made from the route table. The components are data: `openapi.components.json`.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use super::describe::value_schema;
use super::parameters::{Location, Parameter};
use super::routes::{ROUTES, Route};
use super::{CAPABILITY, Call};
use crate::error::Error;
use crate::http::Response;

static COMPONENTS: LazyLock<Map<String, Value>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("openapi.components.json")).unwrap_or_default()
});

/// The JSON Schema of a component.
pub(super) fn component(name: &str) -> Option<Value> {
    COMPONENTS.get(name).cloned()
}

/// The properties of a component.
pub(super) fn properties(name: &str) -> Map<String, Value> {
    let properties = component(name).and_then(|component| component.get("properties").cloned());
    match properties {
        Some(Value::Object(properties)) => properties,
        _ => Map::new(),
    }
}

/// `GET /cf/v1/openapi.json`.
pub async fn document(call: Call) -> Result<Response, Error> {
    let configuration = call.cx.shared().configuration();
    let mut paths: Map<String, Value> = Map::new();
    for route in ROUTES {
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        if let Some(operations) = path.as_object_mut() {
            operations.insert(route.method.to_ascii_lowercase(), operation(route));
        }
    }
    let body = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "cf-forms",
            "version": env!("CARGO_PKG_VERSION"),
            "description": format!("Forms, submissions and workflows. Every route needs the capability `{CAPABILITY}`."),
        },
        "servers": [{"url": format!("{}{}", configuration.base_url, configuration.rest_root)}],
        "security": [{"applicationPassword": []}, {"cookie": [], "nonce": []}],
        "paths": paths,
        "components": {
            "schemas": &*COMPONENTS,
            "securitySchemes": {
                "applicationPassword": {"type": "http", "scheme": "basic"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "cf_session"},
                "nonce": {"type": "apiKey", "in": "header", "name": "X-WP-Nonce"},
            },
        },
    });
    Ok(Response::json(200, &body))
}

fn operation(route: &Route) -> Value {
    let parameters: Vec<Value> = route
        .parameters
        .iter()
        .filter(|parameter| matches!(parameter.location, Location::Path | Location::Query))
        .map(parameter)
        .collect();
    let success = route.status.to_string();
    let answer = json!({"$ref": format!("#/components/schemas/{}", route.answer)});
    let error = json!({
        "description": "An error.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
    });
    let mut operation = json!({
        "operationId": route.operation,
        "summary": route.summary,
        "parameters": parameters,
        "responses": {
            success: {"description": "Done.", "content": {"application/json": {"schema": answer}}},
            "default": error,
        },
    });
    if let (Some(body), Some(members)) = (request_body(route), operation.as_object_mut()) {
        members.insert("requestBody".to_owned(), body);
    }
    operation
}

fn parameter(parameter: &Parameter) -> Value {
    let place = if parameter.location == Location::Path {
        "path"
    } else {
        "query"
    };
    json!({
        "name": parameter.name,
        "in": place,
        "required": parameter.required,
        "description": parameter.description,
        "schema": described(parameter),
    })
}

fn request_body(route: &Route) -> Option<Value> {
    let of = |location| {
        let parameters = route.parameters.iter();
        parameters.filter(move |parameter| parameter.location == location)
    };
    let whole = of(Location::Members).next();
    let required: Vec<&str> = of(Location::Body)
        .filter(|parameter| parameter.required)
        .map(|parameter| parameter.name)
        .collect();
    let schema = match whole {
        Some(whole) => {
            let component = format!("#/components/schemas/{}", whole.name);
            json!({"$ref": component, "required": required})
        }
        None => {
            let properties: Map<String, Value> = of(Location::Body)
                .map(|parameter| (parameter.name.to_owned(), described(parameter)))
                .collect();
            if properties.is_empty() {
                return None;
            }
            json!({"type": "object", "properties": properties, "required": required})
        }
    };
    Some(json!({
        "required": !required.is_empty(),
        "content": {"application/json": {"schema": schema}},
    }))
}

fn described(parameter: &Parameter) -> Value {
    let mut schema = value_schema(parameter.kind);
    if let Some(members) = schema.as_object_mut() {
        members.insert("description".to_owned(), json!(parameter.description));
        if let Some(default) = parameter
            .default
            .and_then(|text| serde_json::from_str(text).ok())
        {
            members.insert("default".to_owned(), default);
        }
    }
    schema
}
