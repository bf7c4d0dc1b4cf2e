//! Secrets in action settings: encrypted, masked, and kept when a mask is sent back. Also the signatures of the site.

use cf_forms::action_types::secrets::MASK;
use cf_forms::security::{Signer, Use};
use serde_json::{Value, json};

use crate::host::Host;

fn create(host: &mut Host, actions: Value) -> i64 {
    let body = json!({"title": "Contact", "settings": {"actions": actions}});
    let (status, form) = host.send("POST", "/forms", Some(body));
    assert_eq!(status, 201, "{form}");
    form["id"].as_i64().expect("an id")
}

fn actions(host: &mut Host, id: i64) -> Vec<Value> {
    let (_, form) = host.send("GET", &format!("/forms/{id}"), None);
    form["settings"]["actions"]
        .as_array()
        .cloned()
        .unwrap_or_default()
}

fn replace(host: &mut Host, id: i64, actions: Value) {
    let body = json!({"settings": {"actions": actions}});
    let (status, form) = host.send("PATCH", &format!("/forms/{id}"), Some(body));
    assert_eq!(status, 200, "{form}");
}

/// Tests an action of the form; returns the authorization header of its webhook.
fn authorization(host: &mut Host, id: i64, settings: Value) -> Option<String> {
    let body = json!({"action_type": "webhook", "form_id": id, "settings": settings});
    let (_, report) = host.send("POST", "/actions/test", Some(body));
    assert_eq!(report["status"], "success", "{report}");
    host.requests.pop()?.headers.remove("authorization")
}

fn webhook(url: &str, token: &str) -> Value {
    json!({"type": "webhook", "url": url, "headers": format!("Authorization: Bearer {token}")})
}

#[test]
fn a_secret_is_stored_encrypted_and_read_masked() {
    let mut host = Host::new();
    let id = create(
        &mut host,
        json!([webhook("https://a.example.org", "top-secret")]),
    );
    assert_eq!(actions(&mut host, id)[0]["headers"], MASK);
    assert_eq!(actions(&mut host, id)[0]["url"], "https://a.example.org");
    for (table, column) in [("cf_forms", "settings"), ("cf_form_revisions", "settings")] {
        let sql = format!("SELECT {column} FROM {table}");
        let mut statement = host.database.prepare(&sql).expect("a query");
        let rows = statement
            .query_map([], |row| row.get::<_, String>(0))
            .expect("rows");
        for stored in rows.map(|row| row.expect("text")) {
            assert!(!stored.contains("top-secret"), "{table}: {stored}");
        }
    }
    let (_, form) = host.send("DELETE", &format!("/forms/{id}"), None);
    assert!(!form.to_string().contains("top-secret"));
}

#[test]
fn a_mask_keeps_the_stored_secret_even_after_actions_moved() {
    let mut host = Host::new();
    let first = webhook("https://a.example.org", "token-a");
    let second = webhook("https://b.example.org", "token-b");
    let id = create(&mut host, json!([first, second]));
    let mut read = actions(&mut host, id);
    read.reverse();
    read.push(json!({"type": "email", "to": "desk@example.org"}));
    replace(&mut host, id, json!(read));
    for action in actions(&mut host, id).into_iter().take(2) {
        let expected = if action["url"] == "https://a.example.org" {
            "Bearer token-a"
        } else {
            "Bearer token-b"
        };
        assert_eq!(
            authorization(&mut host, id, action).as_deref(),
            Some(expected)
        );
    }
    replace(
        &mut host,
        id,
        json!([webhook("https://a.example.org", "token-c")]),
    );
    let changed = actions(&mut host, id).remove(0);
    assert_eq!(
        authorization(&mut host, id, changed).as_deref(),
        Some("Bearer token-c")
    );
}

#[test]
fn a_mask_without_a_stored_secret_is_rejected() {
    let mut host = Host::new();
    let action = json!({"type": "webhook", "url": "https://a.example.org", "headers": MASK});
    let body = json!({"title": "Contact", "settings": {"actions": [action]}});
    let (status, error) = host.send("POST", "/forms", Some(body));
    assert_eq!((status, &error["code"]), (400, &json!("secret_required")));
}

/// An author must not be able to redirect a form's secrets to another destination.
#[test]
fn a_secret_does_not_follow_a_changed_destination() {
    let mut host = Host::new();
    let pigeon = json!({"type": "pigeon", "host": "a.example.org", "colour": "grey", "access_token": "token-1"});
    let webhook = webhook("https://a.example.org", "token-a");
    let campaign =
        json!({"type": "activecampaign", "api_url": "https://a.example.org", "token": "token-c"});
    let id = create(&mut host, json!([webhook, pigeon, campaign]));
    let path = format!("/forms/{id}");
    let read = actions(&mut host, id);
    let places = [
        (0, "url", "headers"),
        (1, "host", "access_token"),
        (2, "api_url", "token"),
    ];
    for (index, destination, secret) in places {
        let mut changed = read.clone();
        changed[index][destination] = json!("https://evil.example.org");
        let body = json!({"settings": {"actions": changed}});
        let (status, error) = host.send("PATCH", &path, Some(body));
        assert_eq!(
            (status, &error["code"]),
            (400, &json!("secret_required")),
            "{error}"
        );
        let place = format!("settings.actions[{index}].{secret}");
        assert!(error["data"]["params"][&place].is_string(), "{error}");
    }
    let mut test = read[0].clone();
    test["url"] = json!("https://evil.example.org");
    let body = json!({"action_type": "webhook", "form_id": id, "settings": test});
    let (status, error) = host.send("POST", "/actions/test", Some(body));
    assert_eq!((status, &error["code"]), (400, &json!("secret_required")));
    assert!(host.requests.is_empty(), "nothing was sent");
    let mut changed = read;
    changed[1]["colour"] = json!("white");
    replace(&mut host, id, json!(changed));
    assert_eq!(actions(&mut host, id)[1]["access_token"], MASK);
}

/// A secret is encrypted for its type, so an action of another type could never use it.
#[test]
fn a_secret_does_not_follow_a_changed_type() {
    let mut host = Host::new();
    let pigeon = json!({"type": "pigeon", "host": "a.example.org", "access_token": "token-1"});
    let id = create(&mut host, json!([pigeon]));
    let mut changed = actions(&mut host, id);
    changed[0]["type"] = json!("dove");
    let body = json!({"settings": {"actions": changed}});
    let (status, error) = host.send("PATCH", &format!("/forms/{id}"), Some(body));
    assert_eq!(
        (status, &error["code"]),
        (400, &json!("secret_required")),
        "{error}"
    );
}

#[test]
fn a_misspelled_secret_of_a_built_in_type_is_rejected() {
    let mut host = Host::new();
    for (key, value) in [
        ("secrett", json!("s3cret")),
        ("Secret", json!("s3cret")),
        ("api-key", json!("s3cret")),
        ("signing_secret", json!("s3cret")),
        ("secret", json!(["s3cret"])),
    ] {
        let action = json!({"type": "webhook", "url": "https://a.example.org", key: value});
        let body = json!({"title": "Contact", "settings": {"actions": [action]}});
        let (status, error) = host.send("POST", "/forms", Some(body));
        assert_eq!(
            (status, &error["code"]),
            (400, &json!("rest_invalid_param")),
            "{key}"
        );
        let place = format!("settings.actions[0].{key}");
        assert!(error["data"]["params"][&place].is_string(), "{error}");
        assert!(!error.to_string().contains("s3cret"));
    }
}

#[test]
fn secrets_of_plugin_types_are_recognized_by_their_names() {
    let mut host = Host::new();
    let id = create(
        &mut host,
        json!([{
            "type": "pigeon", "colour": "grey", "token_life": "1", "loft_api_key": "key-1", "access_token": "token-1",
            "apiKey": "key-2", "accessToken": "token-2", "X-Auth-Token": "token-3", "PASSWORD": "p-1", "ClientSecret": "s-1"
        }]),
    );
    let action = actions(&mut host, id).remove(0);
    let expected = json!({
        "type": "pigeon", "colour": "grey", "token_life": "1", "loft_api_key": MASK, "access_token": MASK,
        "apiKey": MASK, "accessToken": MASK, "X-Auth-Token": MASK, "PASSWORD": MASK, "ClientSecret": MASK
    });
    assert_eq!(
        crate::matching::mismatch(&expected, Some(&action), "actions"),
        None
    );
}

/// Values of secrets that are not texts, each with the digits that must not be shown.
fn values() -> [Value; 4] {
    let digits = 987_654_321;
    [
        json!(digits),
        json!(true),
        json!([digits]),
        json!({"key": digits}),
    ]
}

fn stored_settings(host: &Host, id: i64) -> String {
    let sql = "SELECT settings FROM cf_forms WHERE id = ?1";
    let read = |row: &rusqlite::Row<'_>| row.get(0);
    host.database.query_row(sql, [id], read).expect("settings")
}

#[test]
fn a_secret_that_is_no_text_is_stored_encrypted_and_read_masked() {
    let mut host = Host::new();
    let body = |actions: &Value| json!({"title": "Contact", "settings": {"actions": actions}});
    for value in values() {
        let mut sent = vec![json!({"type": "pigeon", "api_key": value})];
        let built_in = [
            json!({"type": "webhook", "url": "https://a.example.org", "secret": value}),
            json!({"type": "brevo", "token": value}),
        ];
        if value.is_array() || value.is_object() {
            let (status, error) = host.send("POST", "/forms", Some(body(&json!(built_in))));
            assert_eq!(status, 400, "{error}");
            assert!(!error.to_string().contains("987654321"), "{error}");
        } else {
            sent.extend(built_in);
        }
        let id = create(&mut host, json!(sent));
        let read = actions(&mut host, id);
        let masks = read
            .iter()
            .flat_map(|action| action.as_object().into_iter());
        let masks = masks.flat_map(|action| action.values());
        assert_eq!(
            masks.filter(|value| *value == MASK).count(),
            sent.len(),
            "{read:?}"
        );
        let stored = stored_settings(&host, id);
        assert_eq!(stored.matches("sealed:1:").count(), sent.len(), "{stored}");
        assert!(!stored.contains("987654321"), "{stored}");
    }
}

#[test]
fn a_secret_that_an_earlier_version_stored_as_a_number_is_masked_and_then_encrypted() {
    for value in values() {
        let mut host = Host::new();
        let id = create(&mut host, json!([{"type": "pigeon", "api_key": "key-1"}]));
        let sql = "UPDATE cf_forms SET settings = json_set(settings, '$.actions[0].api_key', json(?1)) WHERE id = ?2";
        host.database
            .execute(sql, (value.to_string(), id))
            .expect("an update");
        let read = actions(&mut host, id);
        assert_eq!(read[0]["api_key"], MASK);
        crate::queue::queue_of(&mut host, id, json!({"type": "pigeon", "api_key": value}));
        let (_, queued) = host.send("GET", "/action-queue", None);
        assert_eq!(queued[0]["settings"]["api_key"], MASK);
        replace(&mut host, id, json!(read));
        assert_eq!(actions(&mut host, id)[0]["api_key"], MASK);
        assert!(stored_settings(&host, id).contains("\"api_key\":\"sealed:1:"));
    }
}

#[test]
fn a_queued_action_uses_its_secret_and_never_shows_it() {
    let mut host = Host::new();
    let id = create(
        &mut host,
        json!([webhook("https://a.example.org", "top-secret")]),
    );
    let sql = "SELECT json_extract(settings, '$.actions[0]') FROM cf_forms WHERE id = ?1";
    let stored: String = host
        .database
        .query_row(sql, [id], |row| row.get(0))
        .expect("settings");
    crate::queue::queue_of(&mut host, id, serde_json::from_str(&stored).expect("JSON"));
    let (_, queued) = host.send("GET", "/action-queue", None);
    assert_eq!(queued[0]["settings"]["headers"], MASK);
    host.run_queue();
    let request = host.requests.pop().expect("a request");
    assert_eq!(request.headers["authorization"], "Bearer top-secret");
    let (_, logs) = host.send("GET", "/action-logs", None);
    assert!(!logs.to_string().contains("top-secret"));
}

#[test]
fn a_secret_encrypted_by_another_host_fails_with_a_clear_message() {
    let mut host = Host::new();
    let stranger = json!({"type": "webhook", "url": "https://a.example.org", "secret": "sealed:1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"});
    crate::queue::queue_on(&mut host, stranger);
    host.run_queue();
    let (_, queued) = host.send("GET", "/action-queue", None);
    assert_eq!(queued[0]["status"], "failed");
    assert_eq!(
        queued[0]["last_error"],
        "The stored secret cannot be decrypted, because the host's secret changed. Enter it again."
    );
    assert!(host.requests.is_empty());
}

#[test]
fn a_signed_time_is_valid_only_for_its_form_and_use() {
    let signer = Signer::new(b"key");
    let token = signer.sign(Use::Rendered, 1, 1_767_323_045_000);
    assert_eq!(
        signer.moment(Use::Rendered, 1, &token),
        Some(1_767_323_045_000)
    );
    assert_eq!(signer.moment(Use::Submitted, 1, &token), None);
    assert_eq!(signer.moment(Use::Rendered, 2, &token), None);
    assert_eq!(Signer::new(b"other").moment(Use::Rendered, 1, &token), None);
    let later = token.replace("1767323045000", "1767323045001");
    for forged in [
        later.as_str(),
        "",
        ".",
        "1767323045000.",
        "x.y",
        "99999999999999999999.a",
    ] {
        assert_eq!(signer.moment(Use::Rendered, 1, forged), None, "{forged}");
    }
}
