//! Fixture of visitors: forms, pages and submits.

use cf_forms::http::{Request, Response};
use serde_json::{Value, json};

use crate::host::Host;

/// Creates a form over REST; returns its id and slug.
pub fn make_form(host: &mut Host, markup: &str, settings: Value) -> (i64, String) {
    let body = json!({"title": "Contact", "markup": markup, "settings": settings});
    let (status, form) = host.send("POST", "/forms", Some(body));
    assert_eq!(status, 201, "{form}");
    let slug = form["slug"].as_str().unwrap().to_owned();
    (form["id"].as_i64().unwrap(), slug)
}

/// Returns a visitor's request, without a signed-in user.
pub fn visitor(host: &Host, method: &str, path: &str) -> Request {
    let mut request = host.request(method, path, None);
    request.principal = None;
    request
}

/// Returns a submit as a browser sends it.
pub fn post(host: &Host, slug: &str, pairs: &[(&str, &str)]) -> Request {
    let mut request = visitor(host, "POST", &format!("/{slug}"));
    request.headers.insert(
        "content-type".to_owned(),
        "application/x-www-form-urlencoded".to_owned(),
    );
    request.body = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(pairs)
        .finish()
        .into_bytes();
    request
}

/// Submits a form as a program does; returns the status and the JSON.
pub fn submit(host: &mut Host, slug: &str, pairs: &[(&str, &str)]) -> (u16, Value) {
    let mut request = post(host, slug, pairs);
    accept_json(&mut request);
    json_of(&host.visit(request))
}

pub fn accept_json(request: &mut Request) {
    request
        .headers
        .insert("accept".to_owned(), "application/json".to_owned());
}

pub fn json_of(response: &Response) -> (u16, Value) {
    let body = serde_json::from_slice(&response.body);
    (
        response.status,
        body.unwrap_or_else(|error| panic!("{error}: {}", text_of(response))),
    )
}

pub fn text_of(response: &Response) -> String {
    String::from_utf8(response.body.clone()).unwrap()
}

/// Returns the page of a form.
pub fn page(host: &mut Host, path: &str) -> String {
    let request = visitor(host, "GET", path);
    let response = host.visit(request);
    assert_eq!(response.status, 200, "{:?}", response.log);
    text_of(&response)
}

/// Returns the value of a page's hidden input.
pub fn hidden(page: &str, name: &str) -> String {
    let start = format!("name=\"{name}\" value=\"");
    let (_, rest) = page
        .split_once(&start)
        .unwrap_or_else(|| panic!("no {name}: {page}"));
    rest.split('"').next().unwrap().to_owned()
}

/// Returns every submission, newest first, including spam and trash.
pub fn submissions(host: &mut Host) -> Vec<Value> {
    let (_, list) = host.send("GET", "/submissions?status=any&per_page=100", None);
    list.as_array().unwrap().clone()
}
