//! Services: what each is sent, as its own documentation asks. The cases are data.

use std::collections::BTreeSet;

use cf_forms::task::{IncomingResponse, OutgoingRequest};
use serde_json::{Value, json};

use crate::host::Host;

fn cases() -> Vec<Value> {
    serde_json::from_str(include_str!("../cases/services.json")).expect("cases")
}

fn answer(answer: &Value) -> IncomingResponse {
    let body = match &answer["body"] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    IncomingResponse {
        status: u16::try_from(answer["status"].as_u64().expect("a status")).expect("a status"),
        headers: Default::default(),
        body: body.into_bytes(),
    }
}

fn check(case: &Value, index: usize, sent: &OutgoingRequest) {
    let expected = &case["requests"][index];
    let name = format!("{} request {index}", case["service"]);
    assert_eq!(
        sent.method,
        expected["method"].as_str().expect("a method"),
        "{name}"
    );
    assert_eq!(sent.url, expected["url"].as_str().expect("a URL"), "{name}");
    for (header, value) in expected["headers"].as_object().expect("headers") {
        assert_eq!(&json!(sent.headers[header]), value, "{name} {header}");
    }
    let body = sent.body.as_deref().expect("a body");
    if let Some(form) = expected.get("form") {
        let pairs: Vec<(String, String)> = form_urlencoded::parse(body).into_owned().collect();
        assert_eq!(&json!(pairs), form, "{name}");
        assert_eq!(
            sent.headers["content-type"],
            "application/x-www-form-urlencoded"
        );
    } else {
        let body: Value = serde_json::from_slice(body).expect("JSON");
        assert_eq!(body, expected["json"], "{name}");
        assert_eq!(sent.headers["content-type"], "application/json", "{name}");
    }
}

#[test]
fn each_service_is_sent_what_it_documents() {
    for case in cases() {
        let mut host = Host::new();
        let answers = case["answers"].as_array().expect("answers");
        host.answers = answers.iter().map(|own| Ok(answer(own))).collect();
        let body = json!({"action_type": case["service"], "settings": case["settings"], "test_data": case["data"]});
        let (status, report) = host.send("POST", "/actions/test", Some(body));
        assert_eq!(status, 200, "{report}");
        assert_eq!(report["status"], case["status"], "{case}: {report}");
        if let Some(message) = case.get("message") {
            assert_eq!(&report["message"], message);
        }
        let expected = case["requests"].as_array().expect("requests");
        assert_eq!(host.requests.len(), expected.len(), "{}", case["service"]);
        for (index, sent) in host.requests.iter().enumerate() {
            check(&case, index, sent);
        }
        let shown = report["output"].to_string();
        assert!(
            !shown.contains("secret-token"),
            "a secret is shown: {shown}"
        );
    }
}

#[test]
fn each_service_has_a_case_and_a_refusal_is_understood() {
    let mut host = Host::new();
    let (_, types) = host.send("GET", "/actions", None);
    let own = ["email", "autoresponder", "webhook"];
    let services: BTreeSet<&str> = types
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|action_type| action_type["type"].as_str())
        .filter(|kind| !own.contains(kind))
        .collect();
    assert_eq!(services.len(), 18);
    let cases = cases();
    let succeeding: BTreeSet<&str> = cases
        .iter()
        .filter(|case| case["status"] == "success")
        .filter_map(|case| case["service"].as_str())
        .collect();
    assert_eq!(services, succeeding);
}
