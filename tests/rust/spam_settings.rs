//! Settings of spam checks: each is checked on write, and none can be enabled without its key.

use cf_forms::action_types::secrets::MASK;
use cf_forms::forms::settings::check_settings;
use serde_json::{Value, json};

use crate::front_fixture::make_form;
use crate::host::Host;

/// Returns the faults of one check's settings, as code and path below the check.
fn faults(check: Value) -> Vec<(&'static str, String)> {
    let found = check_settings(&json!({"spam_checks": [check]})).unwrap_err();
    let below = found.into_iter().map(|fault| {
        let place = fault.path.strip_prefix("spam_checks[0].");
        (fault.code, place.unwrap_or("?").to_owned())
    });
    below.collect()
}

fn stored(check: Value) -> Value {
    let checked = check_settings(&json!({"spam_checks": [check]})).unwrap();
    checked["spam_checks"][0].clone()
}

#[test]
fn each_setting_of_a_spam_check_is_checked_and_its_path_reported() {
    let typed = "rest_invalid_type";
    let needed = "rest_property_required";
    let bounds = "rest_out_of_bounds";
    let rows = [
        (json!({"type": "links", "max": "x"}), vec![(typed, "max")]),
        (json!({"type": "links", "max": 1.5}), vec![(typed, "max")]),
        (json!({"type": "links", "max": -1}), vec![(bounds, "max")]),
        (
            json!({"type": "links", "enabled": "perhaps"}),
            vec![(typed, "enabled")],
        ),
        (json!({"type": "deny_list"}), vec![(needed, "words")]),
        (
            json!({"type": "deny_list", "words": " \n"}),
            vec![(needed, "words")],
        ),
        (
            json!({"type": "deny_list", "words": ["a"]}),
            vec![(typed, "words")],
        ),
        (json!({"type": "turnstile"}), vec![(needed, "secret")]),
        (
            json!({"type": "turnstile", "site_key": 5, "secret": {}}),
            vec![(typed, "site_key"), (typed, "secret")],
        ),
        (
            json!({"type": "hcaptcha", "secret": ""}),
            vec![(needed, "secret")],
        ),
        (
            json!({"type": "hcaptcha", "secret": "s", "site_key": "k".repeat(201)}),
            vec![("rest_too_long", "site_key")],
        ),
        (
            json!({"type": "recaptcha", "secret": "s", "version": 4}),
            vec![("rest_not_in_enum", "version")],
        ),
        (
            json!({"type": "recaptcha", "secret": "s", "min_score": 1.5}),
            vec![(bounds, "min_score")],
        ),
        (
            json!({"type": "recaptcha", "secret": "s", "min_score": "high"}),
            vec![(typed, "min_score")],
        ),
        (
            json!({"type": "akismet", "api_key": null}),
            vec![(needed, "api_key")],
        ),
    ];
    for (check, expected) in rows {
        let found = faults(check.clone());
        let found: Vec<_> = found
            .iter()
            .map(|(code, place)| (*code, place.as_str()))
            .collect();
        assert_eq!(found, expected, "{check}");
    }
    // A fault in a request has the complete path.
    let mut host = Host::new();
    let settings = json!({"spam_checks": [{"type": "links"}, {"type": "links", "max": "x"}]});
    let body = json!({"title": "A", "settings": settings});
    let (status, error) = host.send("POST", "/forms", Some(body));
    assert_eq!(status, 400);
    let details = error["data"]["details"].as_object().unwrap();
    assert_eq!(
        details.keys().collect::<Vec<_>>(),
        ["settings.spam_checks[1].max"]
    );
}

#[test]
fn texts_for_numbers_and_booleans_are_converted() {
    assert_eq!(
        stored(json!({"type": "links", "max": "3", "enabled": "1", "note": "mine"})),
        json!({"type": "links", "max": 3, "enabled": true, "note": "mine"})
    );
    assert_eq!(
        stored(json!({"type": "recaptcha", "secret": "s", "version": "3", "min_score": "0.7"})),
        json!({"type": "recaptcha", "secret": "s", "version": 3, "min_score": 0.7})
    );
    let off = json!({"type": "turnstile", "enabled": false, "site_key": "k"});
    assert_eq!(stored(off.clone()), off);
    let unsaid = json!({"type": "links", "max": null, "enabled": null});
    assert_eq!(stored(unsaid), json!({"type": "links"}));
    let other = json!({"type": "oracle", "max": "x"});
    assert_eq!(stored(other.clone()), other);
}

#[test]
fn the_key_of_each_service_is_checked() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/spam/verifiers.json");
    let services: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    for service in services.as_array().unwrap() {
        let sent = service["form"].as_object().unwrap();
        let keys = ["secret", "api_key"];
        let key = keys
            .into_iter()
            .find(|key| sent.values().any(|value| value == &format!("{{{key}}}")));
        let found = faults(json!({"type": service["type"]}));
        assert_eq!(
            found,
            [("rest_property_required", key.unwrap().to_owned())],
            "{service}"
        );
    }
}

#[test]
fn a_mask_without_a_stored_secret_is_not_a_secret() {
    let mut host = Host::new();
    let check = json!({"type": "turnstile", "secret": MASK});
    let settings = json!({"spam_checks": [{"type": "links"}, check]});
    let body = json!({"title": "A", "settings": settings});
    let (status, error) = host.send("POST", "/forms", Some(body));
    assert_eq!(status, 400, "{error}");
    assert!(
        error["data"]["details"]["settings.spam_checks[1].secret"].is_object(),
        "{error}"
    );
}

#[test]
fn a_check_that_is_off_is_neither_run_nor_shown() {
    let mut host = Host::new();
    let checks = json!([
        {"type": "turnstile", "site_key": "key-1", "secret": "s", "enabled": false},
        {"type": "deny_list", "words": "casino", "enabled": false},
    ]);
    let (_, slug) = make_form(
        &mut host,
        "<input name=\"a\">",
        json!({"spam_checks": checks}),
    );
    let mut request = host.request("POST", &format!("/{slug}"), Some(json!({"a": "casino"})));
    request.principal = None;
    assert_eq!(host.visit(request).status, 200);
    let (_, submissions) = host.send("GET", "/submissions?status=any", None);
    assert_eq!(submissions[0]["is_spam"], false, "{submissions}");
    let page = host.request("GET", &format!("/{slug}"), None);
    let page = String::from_utf8(host.visit(page).body).unwrap();
    assert!(!page.contains("cf-captcha"), "{page}");
}

#[test]
fn an_imported_check_without_its_secret_is_off_and_reported() {
    let mut host = Host::new();
    let settings = json!({"spam_checks": [
        {"type": "turnstile", "site_key": "k", "secret": MASK},
        {"type": "akismet"},
        {"type": "links", "max": 1},
    ]});
    let file = json!({"format": "cf-forms", "version": 1, "forms": [{"title": "A", "settings": settings}]});
    let body = json!({"content": file.to_string()});
    let (status, imported) = host.send("POST", "/forms/import", Some(body));
    assert_eq!(status, 200);
    let checks = json!([
        {"type": "turnstile", "site_key": "k", "enabled": false},
        {"type": "akismet", "enabled": false},
        {"type": "links", "max": 1},
    ]);
    let path = format!("/forms/{}", imported["forms"][0]["id"]);
    assert_eq!(
        host.send("GET", &path, None).1["settings"]["spam_checks"],
        checks
    );
    let report = imported["report"].as_array().unwrap();
    let off: Vec<&Value> = report
        .iter()
        .filter(|note| note["code"] == "check_off")
        .collect();
    let places: Vec<&Value> = off.iter().map(|note| &note["where"]).collect();
    assert_eq!(places, ["A: spam_checks[0]", "A: spam_checks[1]"]);
    // Enabling it again without a secret is rejected.
    let body = json!({"settings": {"spam_checks": [{"type": "turnstile", "site_key": "k", "enabled": true}]}});
    assert_eq!(host.send("PATCH", &path, Some(body)).0, 400);
}
