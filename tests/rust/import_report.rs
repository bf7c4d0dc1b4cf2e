//! Report of an import: secrets, unknown types, and dropped parts of a schema.

use serde_json::{Value, json};

use crate::host::Host;

/// Imports one form named `A`; returns the response body and its header `X-CF-Warning`.
fn import(host: &mut Host, form: Value) -> (Value, Option<String>) {
    let mut form = form;
    form["title"] = json!("A");
    let file = json!({"format": "cf-forms", "version": 1, "forms": [form]}).to_string();
    let request = host.request(
        "POST",
        "/cf/v1/forms/import",
        Some(json!({ "content": file })),
    );
    let response = host.handle(request);
    assert_eq!(response.status, 200);
    let warning = response.header("x-cf-warning").map(str::to_owned);
    (serde_json::from_slice(&response.body).unwrap(), warning)
}

fn places(imported: &Value, code: &str) -> Vec<Value> {
    let notes = imported["report"].as_array().unwrap().iter();
    let of_code = notes.filter(|note| note["code"] == code);
    of_code.map(|note| note["where"].clone()).collect()
}

fn messages(imported: &Value) -> Vec<Value> {
    let notes = imported["report"].as_array().unwrap().iter();
    notes.map(|note| note["message"].clone()).collect()
}

#[test]
fn secrets_of_spam_checks_and_actions_are_reported_alike() {
    let mut host = Host::new();
    let settings = json!({
        "actions": [{"type": "webhook", "url": "https://example.org", "secret": "whsec_c2VjcmV0"}],
        "spam_checks": [{"type": "turnstile", "site_key": "k", "secret": "s3cret"}],
    });
    let form = json!({"title": "A", "markup": "<input name=a>", "settings": settings});
    assert_eq!(host.send("POST", "/forms", Some(form)).0, 201);
    let (_, file) = host.send("GET", "/forms/export", None);

    let (imported, warning) = import(&mut Host::new(), file["forms"][0].clone());
    assert_eq!(
        places(&imported, "secret"),
        ["A: actions[0].secret", "A: spam_checks[0].secret"]
    );
    assert_eq!(warning, None);
}

#[test]
fn unknown_types_are_kept_and_reported() {
    let mut host = Host::new();
    let settings = json!({"actions": [{"type": "crm"}, {"type": "email"}], "spam_checks": [{"type": "oracle"}]});
    let (imported, warning) = import(&mut host, json!({"settings": settings}));
    assert_eq!(
        warning.as_deref(),
        Some("unknown action type \"crm\", unknown spam check \"oracle\"")
    );
    assert_eq!(places(&imported, "unknown_type").len(), 2);
    let kept = &imported["forms"][0]["settings"];
    assert_eq!(kept["actions"][0]["type"], "crm");
    assert_eq!(kept["spam_checks"][0]["type"], "oracle");
}

#[test]
fn only_the_invalid_attribute_or_field_is_dropped_and_reported() {
    let mut host = Host::new();
    let fields = json!([
        {"name": "a", "type": "text", "attributes": {"ONCLICK": "x()", "data-a": "1"}},
        {"name": "b", "type": "text", "onclick": "x()", "data-b": "2"},
        {"name": "c", "type": "nonsense", "attributes": {"onclick": "x()"}},
        {"name": "d", "type": "text"},
    ]);
    let form = json!({"source": "schema", "schema": {"fields": fields}});
    let (imported, _) = import(&mut host, form);

    let schema = &imported["forms"][0]["schema"];
    let names: Vec<&Value> = schema["fields"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| &f["name"])
        .collect();
    assert_eq!(names, ["a", "b", "d"]);
    assert_eq!(schema["fields"][0]["attributes"], json!({"data-a": "1"}));
    assert_eq!(schema["fields"][1]["attributes"], json!({"data-b": "2"}));
    let reported = messages(&imported);
    assert!(
        reported.contains(&json!("The field `c` is left out.")),
        "{reported:?}"
    );
    assert!(
        !reported.contains(&json!("The field `a` is left out.")),
        "{reported:?}"
    );
}
