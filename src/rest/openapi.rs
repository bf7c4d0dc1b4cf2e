//! The OpenAPI 3.1 document, generated from the route table. The schemas are data in `openapi.components.json`, and
//! the parts that all routes share in `openapi.common.json`.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::components::SCHEMAS;
use super::parameters::{Kind, Location, Parameter};
use super::route::Route;
use super::{CAPABILITY, Call};
use crate::error::Error;
use crate::http::Response;
use crate::http::respond::status_and_code;
use crate::json;
use crate::ordered::Gather;

/// `GET /cf/v1/openapi.json`.
pub async fn document(call: Call) -> Result<Response, Error> {
    let rest_root = &call.cx.shared().configuration().rest_root;
    let mut paths: Map<String, Value> = Map::new();
    for route in call.routes {
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        if let Some(operations) = path.as_object_mut() {
            operations.insert(route.method.to_ascii_lowercase(), operation(route));
        }
    }
    let mut components: Map<String, Value> =
        serde_json::from_str(include_str!("openapi.common.json")).unwrap_or_default();
    components.insert("schemas".to_owned(), json!(&*SCHEMAS));
    let body = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "cf-forms",
            "version": env!("CARGO_PKG_VERSION"),
            "description": format!("Forms, submissions and workflows. Every route needs the capability `{CAPABILITY}`. Every route also takes `_fields` (the members to answer), `_envelope` (status and headers inside the body), and on POST `_method` or X-HTTP-Method-Override. POST and PUT do what PATCH does where only PATCH is listed. GET answers HEAD too."),
        },
        "servers": [{"url": format!("{}{rest_root}", call.cx.base_url())}],
        "security": [{"applicationPassword": []}, {"cookie": [], "nonce": []}, {"bearer": []}],
        "paths": paths,
        "components": components,
    });
    Ok(Response::json(200, &body))
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

/// The responses by status: the route's success, and its possible errors.
fn responses(route: &Route) -> Map<String, Value> {
    let success = json!({
        "description": "Done.",
        "headers": headers(route),
        "content": answer(route),
    });
    let mut responses = Map::new();
    responses.insert(route.status.to_string(), success);
    if is_tagged(route) {
        let unchanged = json!({"description": "It is as If-None-Match says."});
        responses.insert("304".to_owned(), unchanged);
    }
    let mut parameters = route.parameters.iter();
    if parameters.any(|parameter| parameter.location == Location::Query) {
        // The server answers before the engine sees the request.
        let too_long = json!({"description": "The address is longer than the server reads."});
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

/// Whether the route's responses have an ETag. Downloads are streamed, so they have no such header.
fn is_tagged(route: &Route) -> bool {
    route.method == "GET" && !is_download(route)
}

fn is_download(route: &Route) -> bool {
    matches!(
        route.operation,
        "exportSubmissions" | "exportForms" | "exportPersonalData" | "getSubmissionFile"
    )
}

/// The body of a success, by media type.
fn answer(route: &Route) -> Value {
    let schema = json!({"$ref": format!("#/components/schemas/{}", route.answer)});
    if route.operation == "getSubmissionFile" {
        return json!({"application/octet-stream": {"schema": schema}});
    }
    let content = json!({"application/json": {"schema": schema}});
    if route.operation != "exportSubmissions" {
        return content;
    }
    let table = json!({"schema": {"type": "string"}});
    json::with(
        content,
        json!({"text/csv": table, "application/x-ndjson": table}),
    )
}

/// The statuses with which a host may respond by itself, with other codes.
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
        "400" => "The request is not as it should be.",
        "401" => "The credentials are wrong.",
        "403" => "The caller may not do this, or the nonce is wrong.",
        "404" => "It is not there.",
        "408" => "The body came more slowly than 1 KB in a second; the connection is closed.",
        "409" => "Something there is in the way, or others change it at the same time.",
        "412" => "It is not in the version that If-Match names.",
        "413" => "The body is larger than the site allows.",
        "429" => {
            "Too many wrong credentials, or too much sent at once; Retry-After says when to try again."
        }
        "503" => "The site is busy; Retry-After says when to try again.",
        _ => "The site failed; `data.request_id` finds the line in its log.",
    }
}

/// The headers of a route's success.
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
        "in": parameter.place(),
        "required": parameter.required,
        "description": parameter.description,
        "schema": parameter.schema(),
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

/// The schema of a member of the body, where null counts as absent.
fn member(parameter: &Parameter) -> Value {
    let mut schema = parameter.schema();
    if parameter.required {
        return schema;
    }
    match schema.get_mut("type") {
        Some(kind) => *kind = json!([kind, "null"]),
        None => schema = json!({"anyOf": [schema, {"type": "null"}]}),
    }
    schema
}
