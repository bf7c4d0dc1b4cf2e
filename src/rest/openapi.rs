//! Generates the API's reference from the route table: the OpenAPI 3.1 document, and the list of member names that
//! `arguments.rs` reads. `openapi.components.json` contains the schemas, and `openapi.common.json` the parts that all
//! routes share.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::CAPABILITY;
use super::components::{schema_of, schemas};
use super::parameters::{Kind, Location, Parameter};
use super::routes::{ROUTES, Route};
use crate::error::Error;
use crate::http::respond::status_and_code;
use crate::json;
use crate::ordered::Gather;
use crate::submissions::export::SHEET;

/// The generated files: paths and texts. `cargo run --example openapi` writes them.
pub fn files() -> [(&'static str, String); 2] {
    [
        ("docs/openapi.json", format!("{:#}\n", document())),
        ("src/rest/member_names.txt", member_names()),
    ]
}

/// The OpenAPI document, for a host with the default REST root.
pub fn document() -> Value {
    let mut paths: Map<String, Value> = Map::new();
    for route in ROUTES {
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        if let Some(operations) = path.as_object_mut() {
            operations.insert(route.method.to_ascii_lowercase(), operation(route));
        }
    }
    let mut components: Map<String, Value> =
        serde_json::from_str(include_str!("openapi.common.json")).unwrap_or_default();
    components.insert("schemas".to_owned(), Value::Object(schemas()));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "cf-forms",
            "version": env!("CARGO_PKG_VERSION"),
            "description": format!("Forms, submissions and workflows. Every route needs the capability `{CAPABILITY}`. Every route also accepts `_fields` (the members to return) and `_envelope` (status and headers inside the body). A POST request may name another method in `_method` or X-HTTP-Method-Override. Where only PATCH is listed, POST and PUT work like PATCH. GET routes also accept HEAD."),
        },
        "servers": [{"url": "/api"}],
        "security": [{"applicationPassword": []}, {"cookie": [], "nonce": []}, {"bearer": []}],
        "paths": paths,
        "components": components,
    })
}

/// Lists the members that a body may have, one line per component. The components are those of routes' bodies and,
/// unless the route rejects unknown parameters, of their responses, since clients may send back what they read.
fn member_names() -> String {
    let schemas = schemas();
    let mut components = BTreeSet::new();
    for route in ROUTES.iter().filter(|route| route.method != "GET") {
        let whole = route.parameters.iter();
        let whole = whole.filter(|parameter| parameter.location == Location::Members);
        components.extend(whole.map(|parameter| parameter.name));
        if !route.is_strict() {
            components.insert(route.response);
        }
    }
    let mut text = String::new();
    for component in components {
        let properties = schemas
            .get(component)
            .and_then(|schema| schema.get("properties"));
        if let Some(Value::Object(properties)) = properties {
            let names: Vec<&str> = properties.keys().map(String::as_str).collect();
            text.push_str(&format!("{component} {}\n", names.join(" ")));
        }
    }
    text
}

fn operation(route: &Route) -> Value {
    let operation = json!({
        "operationId": route.operation,
        "summary": route.summary,
        "tags": [route.path.split('/').nth(3).unwrap_or("api")],
        "parameters": parameters(route),
        "responses": responses(route),
    });
    match request_body(route) {
        Some(body) => json::with(operation, json!({"requestBody": body})),
        None => operation,
    }
}

fn parameters(route: &Route) -> Vec<Value> {
    let parameters = route.parameters.iter();
    let parameters = parameters
        .filter(|parameter| matches!(parameter.location, Location::Path | Location::Query));
    let mut parameters: Vec<Value> = parameters.map(parameter).collect();
    let is_version = |error: &Error| matches!(error, Error::PreconditionFailed);
    if route.errors.iter().any(is_version) {
        parameters.push(json!({"$ref": "#/components/parameters/IfMatch"}));
    }
    if is_tagged(route) {
        parameters.push(json!({"$ref": "#/components/parameters/IfNoneMatch"}));
    }
    parameters
}

/// The responses of a route by status: its success, and its possible errors.
fn responses(route: &Route) -> Map<String, Value> {
    let success = json!({
        "description": "The request succeeded.",
        "headers": headers(route),
        "content": response(route),
    });
    let mut responses = Map::new();
    responses.insert(route.status.to_string(), success);
    if is_tagged(route) {
        let unchanged =
            json!({"description": "The client's copy, named in If-None-Match, is current."});
        responses.insert("304".to_owned(), unchanged);
    }
    let mut parameters = route.parameters.iter();
    if parameters.any(|parameter| parameter.location == Location::Query) {
        // The server responds before the engine sees the request.
        let too_long = json!({"description": "The URL is longer than the server accepts."});
        responses.insert("431".to_owned(), too_long);
    }
    for (status, codes) in error_codes(route) {
        let status = status.as_str();
        let mut schema = json!({"$ref": "#/components/schemas/Error"});
        if !HOST_STATUSES.contains(&status) {
            let properties = json!({"properties": {"code": {"enum": codes}}});
            schema = json::with(schema, properties);
        }
        let response = json!({
            "description": meaning(status),
            "content": {"application/json": {"schema": schema}},
        });
        responses.insert(status.to_owned(), response);
    }
    responses
}

/// Whether the route's responses have an ETag. Downloads have none, since they are streamed.
fn is_tagged(route: &Route) -> bool {
    route.method == "GET" && !is_download(route)
}

fn is_download(route: &Route) -> bool {
    matches!(
        route.operation,
        "exportSubmissions" | "exportForms" | "exportPersonalData" | "getSubmissionFile"
    )
}

/// The schemas of a success response's body, by media type.
fn response(route: &Route) -> Value {
    let schema = json!({"$ref": format!("#/components/schemas/{}", route.response)});
    if route.operation == "getSubmissionFile" {
        return json!({"application/octet-stream": {"schema": schema}});
    }
    let content = json!({"application/json": {"schema": schema}});
    if route.operation != "exportSubmissions" {
        return content;
    }
    let table = json!({"schema": {"type": "string"}});
    let sheet = json!({"schema": {"type": "string", "format": "binary"}});
    json::with(
        content,
        json!({"text/csv": table, "application/x-ndjson": table, SHEET: sheet}),
    )
}

/// The statuses with which a host may respond without the engine, with other codes.
const HOST_STATUSES: [&str; 5] = ["401", "403", "429", "500", "503"];

/// The codes of a route's possible errors, by status.
fn error_codes(route: &Route) -> BTreeMap<String, Vec<String>> {
    let mut errors = Vec::new();
    if route.method != "GET" {
        errors.extend([
            Error::InvalidJson(String::new()),
            Error::BrokenBody,
            Error::SlowBody,
            Error::PayloadTooLarge,
            Error::TooManyBodies(429),
            Error::TooManyBodies(503),
        ]);
    }
    if route.is_strict() {
        errors.push(Error::InvalidParameters(Vec::new()));
    }
    for parameter in route.parameters {
        if parameter.location == Location::Path {
            errors.push(Error::NoRoute);
            continue;
        }
        if parameter.required {
            errors.push(Error::MissingParameters(Vec::new()));
        }
        errors.push(Error::InvalidParameters(Vec::new()));
        if parameter.name == "page" {
            errors.push(Error::NoSuchPage);
        }
    }
    let of_host = HOST_STATUSES
        .into_iter()
        .map(|status| (status.to_owned(), Vec::new()));
    let mut codes: BTreeMap<String, Vec<String>> = of_host.gather();
    for error in errors.iter().chain(route.errors) {
        let (status, code) = status_and_code(error);
        let codes = codes.entry(status.to_string()).or_default();
        if !codes.iter().any(|known| known == code) {
            codes.push(code.to_owned());
        }
    }
    codes
}

fn meaning(status: &str) -> &'static str {
    match status {
        "400" => {
            "The request is invalid: `code` names the kind of error, and `data.params` the invalid parameters."
        }
        "401" => "The credentials are invalid.",
        "403" => "The caller lacks the permission, or the nonce is invalid.",
        "404" => "The route or the requested item does not exist.",
        "408" => {
            "The body arrived more slowly than 1 KB per second. The server closes the connection."
        }
        "409" => {
            "The request conflicts with the current state or with a concurrent change; `code` names the conflict."
        }
        "412" => {
            "The item has changed since the version in If-Match, or in the draft's `base_revision`."
        }
        "413" => "The body is larger than the site allows.",
        "429" => {
            "Too many sign-ins with wrong credentials, or too much data in concurrent requests. Retry after the seconds in Retry-After."
        }
        "503" => "The site is busy, or its disk is full. Retry after the seconds in Retry-After.",
        _ => "The server failed. Search its log for `data.request_id` to find the cause.",
    }
}

/// The headers of a route's success response.
fn headers(route: &Route) -> Map<String, Value> {
    let has = |name| {
        route
            .parameters
            .iter()
            .any(|parameter| parameter.name == name)
    };
    let mut names: Vec<&str> = Vec::new();
    if is_tagged(route) {
        names.push("ETag");
    }
    if is_download(route) {
        names.push("Content-Disposition");
    }
    if route.status == 201 {
        names.push("Location");
    }
    if has("page") {
        names.extend(["X-WP-Total", "X-WP-TotalPages", "Link"]);
    }
    if has("cursor") {
        names.extend(["X-CF-Next-Cursor", "X-CF-Total-Is-Least"]);
    }
    names.push("X-CF-Warning");
    if has("markup") || has("preview") {
        names.push("X-CF-Warnings");
    }
    let reference = |name: &str| json!({"$ref": format!("#/components/headers/{name}")});
    names
        .into_iter()
        .map(|name| (name.to_owned(), reference(name)))
        .gather()
}

fn parameter(parameter: &Parameter) -> Value {
    let shown = json!({
        "name": parameter.name,
        "in": if parameter.location == Location::Path { "path" } else { "query" },
        "required": parameter.required,
        "description": parameter.description,
        "schema": schema_of(parameter),
    });
    match parameter.kind {
        Kind::Texts => json::with(shown, json!({"style": "deepObject", "explode": true})),
        _ => shown,
    }
}

fn request_body(route: &Route) -> Option<Value> {
    if route.takes_image() {
        let file = json!({"type": "string", "contentMediaType": "application/octet-stream"});
        let schema = json!({"type": "object", "required": ["file"], "properties": {"file": file}});
        let content = json!({"multipart/form-data": {"schema": schema}});
        return Some(json!({"required": true, "content": content}));
    }
    if route.takes_file() {
        let content = json!({"application/octet-stream": {"schema": {}}});
        return Some(json!({"required": true, "content": content}));
    }
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
                .map(|parameter| (parameter.name.to_owned(), member(parameter)))
                .gather();
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

/// The schema of a member of the body. An optional member may be null, which counts as absent.
fn member(parameter: &Parameter) -> Value {
    let mut schema = schema_of(parameter);
    if parameter.required {
        return schema;
    }
    match schema.get_mut("type") {
        Some(kind) => *kind = json!([kind, "null"]),
        None => schema = json!({"anyOf": [schema, {"type": "null"}]}),
    }
    schema
}
