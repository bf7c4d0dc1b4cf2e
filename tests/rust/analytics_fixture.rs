//! Fixture for analytics: a site with a form, visitors who send events, and requests for reports.

use cf_forms::http::Response;
use cf_forms::store::submissions::{Inserted, NewSubmission, insert};
use serde_json::{Value, json};

use crate::host::Host;
use crate::submissions_fixture as fixture;

pub const BROWSER: &str = "Mozilla/5.0 (X11; Linux x86_64) Chrome/126.0.0.0 Safari/537.36";
pub const PHONE: &str =
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/126.0.0.0 Mobile Safari/537.36";

/// A site with a form of two fields.
pub fn site() -> Host {
    let mut host = Host::new();
    host.send(
        "POST",
        "/forms",
        Some(json!({"title": "Contact", "slug": "contact"})),
    );
    let fields = json!({"fields": [
        {"name": "email", "type": "email", "label": "Your mail"},
        {"name": "who", "type": "name"},
        {"name": "send", "type": "submit"},
    ]});
    let (status, body) = host.send("PUT", "/forms/1/schema", Some(fields));
    assert_eq!(status, 200, "{body}");
    host
}

/// A sender of events.
pub struct Visitor<'a> {
    pub address: &'a str,
    pub browser: &'a str,
}

pub const ANN: Visitor = Visitor {
    address: "192.0.2.1",
    browser: BROWSER,
};

pub fn send(host: &mut Host, visitor: &Visitor<'_>, body: &Value) -> Response {
    let mut request = host.request("POST", "/-/events", None);
    request.principal = None;
    request.address = Some(visitor.address.to_owned());
    request
        .headers
        .insert("user-agent".to_owned(), visitor.browser.to_owned());
    request
        .headers
        .insert("content-type".to_owned(), "text/plain".to_owned());
    request.body = body.to_string().into_bytes();
    let response = host.visit(request);
    assert_eq!(
        (response.status, response.body.len()),
        (204, 0),
        "{:?}",
        response.log
    );
    response
}

pub fn events(types: &[&str]) -> Value {
    let events: Vec<Value> = types
        .iter()
        .map(|event_type| json!({"event_type": event_type}))
        .collect();
    json!({"form_id": 1, "events": events})
}

pub fn get(host: &mut Host, path: &str) -> Value {
    let (status, body) = host.send("GET", &format!("/analytics/{path}"), None);
    assert_eq!(status, 200, "{path}: {body}");
    body
}

pub fn submit(host: &mut Host, change: impl FnOnce(&mut NewSubmission)) -> i64 {
    let mut new = fixture::new(1, "a");
    new.submission.submitted_at = host.now;
    new.submission.modified_at = host.now;
    change(&mut new);
    let inserted = host.run(async move |cx| insert(&cx, &new).await).unwrap();
    match inserted {
        Inserted::Stored(id) => id,
        other => panic!("{other:?}"),
    }
}
