//! Settings of a form: defaults, checks on write, and reading.

use cf_forms::forms::settings::{
    RunActions, Settings, check_settings, default_settings, settings_over_defaults,
};
use serde_json::{Map, Value, json};

use crate::front_fixture::submit;
use crate::host::Host;

fn map(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

#[test]
fn a_form_without_settings_has_the_defaults() {
    let read = Settings::read(default_settings());
    assert_eq!(read, Settings::read(&Map::new()));
    assert!(read.save_submissions && read.store_ip && read.hide_after_success);
    assert!(!read.prevent_duplicates && !read.require_user_logged_in);
    assert_eq!(
        (read.submission_limit, read.rate_limit, read.retention_days),
        (0, 0, 0)
    );
    assert_eq!(read.run_actions, RunActions::Queue);
    assert!(read.actions.is_empty() && read.required_fields.is_empty());
    assert_eq!(
        check_settings(&Value::Object(default_settings().clone())),
        Ok(default_settings().clone())
    );
}

#[test]
fn stored_settings_override_the_defaults_and_unknown_ones_are_kept() {
    let merged = settings_over_defaults(&map(json!({"rate_limit": 5, "my_plugin": {"a": 1}})));
    assert_eq!(merged.len(), default_settings().len() + 1);
    assert_eq!(merged["rate_limit"], 5);
    assert_eq!(merged["my_plugin"], json!({"a": 1}));
    assert_eq!(merged["store_ip"], true);
}

#[test]
fn null_members_are_removed_or_become_empty() {
    let sent = json!({
        "endings": [{"title": null, "text": "Thanks", "button": {"label": "Back", "url": null}, "conditions": null}],
        "success_button": {"label": null, "url": "/"},
        "theme_values": {"accent": null, "radius": "1rem"},
    });
    let stored = json!({
        "endings": [{"text": "Thanks", "button": {"label": "Back"}, "conditions": []}],
        "success_button": {"url": "/"},
        "theme_values": {"radius": "1rem"},
    });
    assert_eq!(check_settings(&sent).map(Value::Object), Ok(stored));
}

#[test]
fn a_colour_has_only_hexadecimal_digits() {
    let is_accepted = |colour: &str| {
        let values = json!({"theme_values": {"accent": colour}});
        check_settings(&values).is_ok()
    };
    let good = ["#abc", "#0aB1cD", "light-dark(#fff, #000000)"];
    assert!(good.into_iter().all(is_accepted));
    let bad = ["#+abcde", "#-abcde", "#+ab", "light-dark(#fff, #+00000)"];
    assert!(!bad.into_iter().any(is_accepted));
}

#[test]
fn written_settings_are_checked() {
    for (key, value, code) in [
        ("save_submissions", json!("perhaps"), "rest_invalid_type"),
        ("store_ip", json!(2), "rest_invalid_type"),
        ("rate_limit", json!(-1), "rest_out_of_bounds"),
        ("rate_limit", json!(1.5), "rest_invalid_type"),
        ("retention_days", json!("many"), "rest_invalid_type"),
        ("retention_days", json!("99999999999"), "rest_out_of_bounds"),
        ("required_fields", json!(["a"]), "rest_invalid_type"),
        ("run_actions", json!("later"), "rest_not_in_enum"),
        (
            "redirect_url",
            json!("javascript:alert(1)"),
            "rest_invalid_pattern",
        ),
        (
            "redirect_url",
            json!(" java\tscript:alert(1)"),
            "rest_invalid_pattern",
        ),
        ("redirect_url", json!("[scheme]:x"), "rest_invalid_pattern"),
        ("actions", json!({}), "rest_invalid_type"),
        ("spam_checks", json!("links"), "rest_invalid_type"),
    ] {
        let faults = check_settings(&json!({key: value})).unwrap_err();
        assert_eq!(faults.len(), 1, "{key}");
        assert_eq!((faults[0].path.as_str(), faults[0].code), (key, code));
    }
    let faults = check_settings(&json!({"actions": [
        {"to": "x"}, {"type": 5}, {"type": " "}, "email",
        {"type": "email", "conditions": [{"field": "a"}]},
    ]}))
    .unwrap_err();
    let found: Vec<_> = faults.iter().map(|fault| fault.path.as_str()).collect();
    assert_eq!(
        found,
        [
            "actions[0].type",
            "actions[1].type",
            "actions[2].type",
            "actions[3]",
            "actions[4].conditions[0].operator",
        ]
    );
}

#[test]
fn boolean_and_numeric_settings_may_be_sent_in_other_notations() {
    let checked = check_settings(&json!({
        "save_submissions": "0", "store_ip": 1, "submission_limit": "", "rate_limit": "5",
        "redirect_url": " /thanks?name=[name] ",
    }));
    assert_eq!(
        checked.map(Value::Object),
        Ok(json!({
            "save_submissions": false, "store_ip": true, "submission_limit": 0, "rate_limit": 5,
            "redirect_url": "/thanks?name=[name]",
        }))
    );
}

#[test]
fn lists_and_actions_are_read_in_order() {
    let read = Settings::read(&map(json!({
        "required_fields": "name, email,,",
        "run_actions": "inline",
        "redirect_url": "javascript:x",
        "actions": [{"type": "email", "to": "a@example.org"}, {"to": "x"}, {"type": "webhook"}],
    })));
    assert_eq!(read.required_fields, ["name", "email"]);
    assert_eq!(read.run_actions, RunActions::Inline);
    assert_eq!(read.redirect_url, "");
    let kinds: Vec<_> = read
        .actions
        .iter()
        .map(|action| action.kind.as_str())
        .collect();
    assert_eq!(kinds, ["email", "webhook"]);
    assert_eq!(read.actions[0].settings["to"], "a@example.org");
}

#[test]
fn today_is_the_current_day_in_the_forms_time_zone() {
    let mut host = Host::new();
    // 2026-11-28, 02:00 UTC.
    host.now = 1_795_831_200_000;
    let fields = json!([
        {"name": "day", "type": "date", "attributes": {"data-calc": "today()", "readonly": ""}},
        {"name": "n"},
    ]);
    for (zone, day) in [("America/Bogota", "2026-11-27"), ("", "2026-11-28")] {
        let settings = json!({"time_zone": zone});
        let form =
            json!({"title": "X", "slug": day, "schema": {"fields": fields}, "settings": settings});
        assert_eq!(host.send("POST", "/forms", Some(form)).0, 201);
        let (status, body) = submit(&mut host, day, &[("n", "1")]);
        assert_eq!(status, 200, "{body}");
        let path = format!("/submissions/{}", body["submission_id"]);
        let edit = json!({"data": {"n": "2"}});
        assert_eq!(host.send("PATCH", &path, Some(edit)).0, 200);
        let (_, stored) = host.send("GET", &path, None);
        assert_eq!(stored["data"], json!({"day": day, "n": "2"}), "{stored}");
    }
    let form = json!({"title": "Y", "settings": {"time_zone": "Europe/Atlantis"}});
    let (status, body) = host.send("POST", "/forms", Some(form));
    assert_eq!(status, 400);
    assert!(
        body["data"]["details"]["settings.time_zone"].is_object(),
        "{body}"
    );
}
