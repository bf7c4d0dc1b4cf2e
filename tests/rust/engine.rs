//! Routes, errors and discovery of the API.

use serde_json::json;

use crate::host::Host;

#[test]
fn a_new_site_has_no_forms() {
    let mut host = Host::new();
    assert_eq!(host.send("GET", "/forms", None), (200, json!([])));
}

#[test]
fn an_unknown_path_or_method_is_not_found() {
    let mut host = Host::new();
    for (method, path) in [
        ("GET", "/nothing"),
        ("PUT", "/forms"),
        ("GET", "/forms/abc"),
    ] {
        let (status, body) = host.send(method, path, None);
        assert_eq!(
            (status, &body["code"]),
            (404, &json!("rest_no_route")),
            "{method} {path}"
        );
    }
}

#[test]
fn other_plugins_read_a_forms_schema_from_its_meta() {
    let mut host = Host::new();
    host.send(
        "POST",
        "/forms",
        Some(json!({"title": "Contact", "markup": "<input name=a>"})),
    );
    host.send(
        "PUT",
        "/forms/1/schema",
        Some(json!({"fields": [{"name": "email", "type": "email"}]})),
    );
    let mut read = |key: &str| {
        let request = host.request("POST", "", Some(json!({"form_id": 1, "key": key})));
        let progress = host.engine.read_meta(request);
        let response = host.drive(progress);
        serde_json::from_slice::<serde_json::Value>(&response.body).expect("JSON")
    };
    let schema: serde_json::Value =
        serde_json::from_str(read("_cf_form_schema").as_str().expect("a text")).expect("JSON");
    assert_eq!(schema["fields"][0]["name"], "email");
    assert_eq!(read("nothing"), json!(null));
}
