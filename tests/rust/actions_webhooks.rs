//! Webhooks: requests, signatures, and retries.

use cf_forms::task::IncomingResponse;
use serde_json::{Value, json};

use crate::host::Host;

fn call(host: &mut Host, settings: Value, data: Value) -> Value {
    let body = json!({"action_type": "webhook", "settings": settings, "test_data": data});
    let (status, report) = host.send("POST", "/actions/test", Some(body));
    assert_eq!(status, 200, "{report}");
    report
}

fn response(status: u16, retry_after: Option<&str>, body: &str) -> IncomingResponse {
    let headers = retry_after.map(|text| ("retry-after".to_owned(), text.to_owned()));
    IncomingResponse {
        status,
        headers: headers.into_iter().collect(),
        body: body.as_bytes().to_vec(),
    }
}

#[test]
fn a_webhook_receives_the_event_and_its_response_is_stored() {
    let mut host = Host::new();
    host.responses
        .push(Ok(response(202, None, "{\"queued\":true}")));
    let settings = json!({
        "url": "https://example.org/hook?name=[name]", "fields": "name, tags",
        "headers": "X-Source: [name]\nHost: evil\nWebhook-Id: evil\nAuthorization: Bearer hidden-token",
    });
    let report = call(
        &mut host,
        settings,
        json!({"name": "Ann & Bob", "tags": ["a", "b"], "other": 1}),
    );
    assert_eq!(report["status"], "success");
    assert_eq!(
        report["message"],
        "The server responded with 202: {\"queued\":true} The header host can’t be set. The header webhook-id can’t be set."
    );
    assert_eq!(report["output"]["response"]["body"], "{\"queued\":true}");
    assert!(!report.to_string().contains("hidden-token"));
    let request = host.requests.pop().expect("a request");
    assert_eq!(request.method, "POST");
    assert_eq!(request.url, "https://example.org/hook?name=Ann%20%26%20Bob");
    assert_eq!(request.headers["x-source"], "Ann & Bob");
    assert_eq!(request.headers["authorization"], "Bearer hidden-token");
    assert_eq!(request.headers["content-type"], "application/json");
    assert!(request.headers["webhook-id"].starts_with("msg_"));
    assert!(!request.headers.contains_key("host"));
    let body: Value = serde_json::from_slice(&request.body.expect("a body")).expect("JSON");
    assert_eq!(body["type"], "submission.created");
    assert_eq!(
        body["data"]["fields"],
        json!({"name": "Ann & Bob", "tags": ["a", "b"]})
    );
    assert_eq!(body["data"]["form"]["title"], "Test form");
}

#[test]
fn a_webhook_may_be_sent_as_form_fields() {
    let mut host = Host::new();
    let settings = json!({"url": "https://example.org/hook", "format": "form", "method": "PUT"});
    call(
        &mut host,
        settings,
        json!({"name": "Ann", "tags": ["a", "b"], "who": {"first": "A"}}),
    );
    let request = host.requests.pop().expect("a request");
    assert_eq!(request.method, "PUT");
    assert_eq!(
        request.headers["content-type"],
        "application/x-www-form-urlencoded"
    );
    let body = String::from_utf8(request.body.expect("a body")).expect("text");
    assert_eq!(body, "name=Ann&tags%5B%5D=a&tags%5B%5D=b&who%5Bfirst%5D=A");
}

#[test]
fn a_webhook_is_signed_with_each_of_its_secrets() {
    let mut host = Host::new();
    // A test in tests/shim checks the published example of Standard Webhooks with its own library. Here each secret
    // gives one signature.
    let settings = json!({"url": "https://example.org/hook", "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw plain-secret"});
    let report = call(&mut host, settings, json!({"name": "Ann"}));
    assert!(!report.to_string().contains("plain-secret"));
    let request = host.requests.pop().expect("a request");
    let signatures: Vec<&str> = request.headers["webhook-signature"].split(' ').collect();
    assert_eq!(signatures.len(), 2);
    assert!(
        signatures
            .iter()
            .all(|signature| signature.starts_with("v1,") && signature.len() == 47),
        "{signatures:?}"
    );
    assert_eq!(request.headers["webhook-timestamp"], "1767323045");
}

#[test]
fn only_temporary_failures_are_retried() {
    for (status, helps) in [
        (500, true),
        (503, true),
        (429, true),
        (408, true),
        (400, false),
        (401, false),
        (404, false),
        (410, false),
        (302, false),
    ] {
        let mut host = Host::new();
        host.responses.push(Ok(response(status, None, "no")));
        let id = crate::queue::queue_on(
            &mut host,
            json!({"type": "webhook", "url": "https://example.org/hook"}),
        );
        host.run_queue();
        let (_, entries) = host.send("GET", "/action-queue", None);
        assert_eq!(entries[0]["id"], id);
        assert_eq!(
            entries[0]["status"],
            if helps { "retrying" } else { "failed" },
            "{status}"
        );
        assert_eq!(
            entries[0]["last_error"],
            format!("The server responded with {status}: no")
        );
    }
}

#[test]
fn a_retry_waits_for_the_receivers_retry_after() {
    let rows = [
        (503, "600"),
        (503, "Fri, 02 Jan 2026 03:14:05 GMT"),
        (403, "600"),
    ];
    for (status, retry_after) in rows {
        let mut host = Host::new();
        host.responses
            .push(Ok(response(status, Some(retry_after), "")));
        crate::queue::queue_on(
            &mut host,
            json!({"type": "webhook", "url": "https://example.org/hook"}),
        );
        host.run_queue();
        let first = host.requests.remove(0);
        host.now += 599_999;
        assert_eq!(host.run_queue(), 0, "{retry_after}");
        host.now += 1;
        assert_eq!(host.run_queue(), 1, "{retry_after}");
        assert_eq!(
            host.requests[0].headers["webhook-id"], first.headers["webhook-id"],
            "the receiver can tell repeats"
        );
    }
}
