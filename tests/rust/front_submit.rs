//! Submits: storage, responses, and the order of the checks.

use serde_json::{Value, json};

use crate::front_fixture::{
    accept_json, hidden, json_of, make_form, page, post, submissions, submit, visitor,
};
use crate::host::Host;
use crate::submissions_fixture::{assert_counters_agree, count};

pub const MARKUP: &str = "<label>Name <input name=\"name\" required></label>\
    <label>Email <input type=\"email\" name=\"email\"></label>\
    <label>Age <input type=\"number\" name=\"age\"></label><button>Go</button>";

pub fn email_action() -> Value {
    json!([{"type": "email", "to": "office@example.org", "subject": "New", "message": "[all]"}])
}

#[test]
fn a_submit_is_stored_with_its_metadata() {
    let mut host = Host::new();
    let (form, slug) = make_form(&mut host, MARKUP, json!({"actions": email_action()}));
    let mut request = post(
        &host,
        &slug,
        &[
            ("name", " Ada "),
            ("email", "ada@example.org"),
            ("age", "36"),
            ("extra", "x"),
            ("_cf_referrer", "https://example.net/search"),
        ],
    );
    accept_json(&mut request);
    for (name, value) in [
        ("user-agent", "Browser/1"),
        ("referer", "http://localhost/forms/contact"),
    ] {
        request.headers.insert(name.to_owned(), value.to_owned());
    }
    let response = host.visit(request);
    assert!(response.run_queue);
    let (status, body) = json_of(&response);
    let id = body["submission_id"].as_i64().unwrap();
    let expected = json!({
        "message": {"type": "success", "text": "Thank you. Your answers have been sent."},
        "hide_form": true, "submission_id": id,
    });
    assert_eq!((status, body), (200, expected));
    let (_, stored) = host.send("GET", &format!("/submissions/{id}"), None);
    assert_eq!(
        stored["data"],
        json!({"name": "Ada", "email": "ada@example.org", "age": 36})
    );
    assert_eq!(stored["form_id"], json!(form));
    assert_eq!(stored["user_agent"], json!("Browser/1"));
    assert_eq!(stored["page_url"], json!("http://localhost/forms/contact"));
    assert_eq!(stored["referer_url"], json!("https://example.net/search"));
    assert_eq!(stored["ip_address"], json!("192.0.2.7"));
    assert_eq!(host.run_queue(), 1);
    assert!(host.mails[0].text.contains("Ada"), "{:?}", host.mails[0]);
    assert_counters_agree(&host);
}

#[test]
fn json_and_multipart_are_read_like_form_encoding() {
    let mut host = Host::new();
    let (_, slug) = make_form(&mut host, MARKUP, json!({}));
    let mut request = host.request(
        "POST",
        &format!("/{slug}"),
        Some(json!({"name": "Ada", "age": 36})),
    );
    request.principal = None;
    assert_eq!(json_of(&host.visit(request)).0, 200);
    let mut request = visitor(&host, "POST", &format!("/{slug}"));
    let kind = "multipart/form-data; boundary=x".to_owned();
    request.headers.insert("content-type".to_owned(), kind);
    request.body =
        b"--x\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nGrace\r\n--x--\r\n".to_vec();
    accept_json(&mut request);
    assert_eq!(json_of(&host.visit(request)).0, 200);
    let stored = submissions(&mut host);
    assert_eq!(stored[0]["data"], json!({"name": "Grace"}));
    assert_eq!(stored[1]["data"], json!({"name": "Ada", "age": 36}));
}

#[test]
fn all_faults_are_reported_in_the_order_of_the_form() {
    let mut host = Host::new();
    let (_, slug) = make_form(&mut host, MARKUP, json!({}));
    let (status, body) = submit(&mut host, &slug, &[("email", "nonsense"), ("age", "old")]);
    assert_eq!(
        (status, &body["code"]),
        (400, &json!("required_field_missing"))
    );
    assert_eq!(body["message"]["type"], json!("error"));
    let found: Vec<(&str, &str)> = body["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fault| {
            (
                fault["field"].as_str().unwrap(),
                fault["code"].as_str().unwrap(),
            )
        })
        .collect();
    let expected = [
        ("name", "required_field_missing"),
        ("email", "invalid_email"),
        ("age", "invalid_number"),
    ];
    assert_eq!(found, expected);
    assert!(submissions(&mut host).is_empty());
}

#[test]
fn a_form_that_stores_nothing_runs_its_actions() {
    let mut host = Host::new();
    let settings = json!({"save_submissions": false, "actions": email_action()});
    let (form, slug) = make_form(&mut host, MARKUP, settings);
    let (status, body) = submit(&mut host, &slug, &[("name", "secret-name")]);
    assert_eq!((status, body.get("submission_id")), (200, None));
    let (_, spam) = submit(
        &mut host,
        &slug,
        &[("name", "x"), (&format!("_cf_h{form}"), "y")],
    );
    assert_eq!(spam, body);
    host.mail_fails = true;
    assert_eq!(host.run_queue(), 1);
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_submissions"), 2);
    host.mail_fails = false;
    host.now += 3_600_000;
    assert_eq!(host.run_queue(), 1);
    assert!(host.mails[0].text.contains("secret-name"));
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_submissions"), 1);

    // Spam is kept, so that the owner can mark it as not spam.
    let (_, found) = host.send("GET", "/submissions?status=spam", None);
    let address = format!("/submissions/{}", found[0]["id"]);
    let (status, _) = host.send("PATCH", &address, Some(json!({"status": "new"})));
    assert_eq!((status, host.run_queue(), host.mails.len()), (200, 1, 2));
}

#[test]
fn inline_actions_run_before_the_response_or_go_to_the_queue() {
    let mut host = Host::new();
    let settings = json!({"run_actions": "inline", "actions": email_action()});
    let (_, slug) = make_form(&mut host, MARKUP, settings);
    assert_eq!(submit(&mut host, &slug, &[("name", "x")]).0, 200);
    assert_eq!(host.mails.len(), 1);
    host.mail_fails = true;
    assert_eq!(submit(&mut host, &slug, &[("name", "x")]).0, 200);
    host.mail_fails = false;
    host.now += 3_600_000;
    assert_eq!(host.run_queue(), 1);
    assert_eq!(host.mails.len(), 2);
}

#[test]
fn an_ip_address_is_not_stored_if_the_form_forbids_it() {
    let mut host = Host::new();
    let (_, slug) = make_form(&mut host, MARKUP, json!({"store_ip": false}));
    submit(&mut host, &slug, &[("name", "x")]);
    assert_eq!(submissions(&mut host)[0]["ip_address"], json!(""));
}

#[test]
fn control_characters_are_removed_from_a_stored_ip_address() {
    for (address, settings) in [
        ("\0a192.0.2.7\n", json!({})),
        ("\0\u{85}", json!({"shorten_ip": true})),
    ] {
        let mut host = Host::new();
        let (_, slug) = make_form(&mut host, MARKUP, settings);
        let mut request = post(&host, &slug, &[("name", "x")]);
        request.address = Some(address.to_owned() + &"x".repeat(10_000));
        assert!(host.visit(request).status < 400, "{address:?}");
        let kept = submissions(&mut host)[0]["ip_address"].clone();
        let kept = kept.as_str().unwrap();
        assert!(
            !kept.contains(char::is_control) && kept.len() <= 100,
            "{kept}"
        );
    }
}

#[test]
fn the_user_agent_is_not_stored_if_the_form_forbids_it() {
    for (settings, kept) in [
        (json!({}), "Browser/1"),
        (json!({"store_user_agent": false}), ""),
    ] {
        let mut host = Host::new();
        let (_, slug) = make_form(&mut host, MARKUP, settings);
        let mut request = visitor(&host, "POST", &format!("/{slug}"));
        request.headers.extend([
            ("content-type".to_owned(), "application/json".to_owned()),
            ("user-agent".to_owned(), "Browser/1".to_owned()),
        ]);
        request.body = json!({"name": "x"}).to_string().into_bytes();
        assert_eq!(host.visit(request).status, 200);
        assert_eq!(submissions(&mut host)[0]["user_agent"], json!(kept));
    }
}

#[test]
fn unreadable_bodies_are_rejected() {
    let mut host = Host::new();
    let (_, slug) = make_form(&mut host, MARKUP, json!({}));
    let rows: [(&str, &[u8], u16); 4] = [
        ("application/json", b"{\"name\":", 400),
        ("application/json", b"[]", 400),
        ("text/plain", b"name=x", 415),
        ("application/x-www-form-urlencoded", b"name=%ff%00x", 200),
    ];
    for (kind, body, expected) in rows {
        let mut request = visitor(&host, "POST", &format!("/{slug}"));
        request
            .headers
            .insert("content-type".to_owned(), kind.to_owned());
        request.body = body.to_vec();
        accept_json(&mut request);
        let (status, body) = json_of(&host.visit(request));
        assert_eq!(status, expected, "{kind}: {body}");
    }
    let mut request = post(&host, &slug, &[]);
    request.too_large = true;
    assert_eq!(host.visit(request).status, 413);
    assert_eq!(submissions(&mut host)[0]["data"], json!({"name": "ÿx"}));
}

#[test]
fn renaming_a_button_after_rendering_loses_no_submission() {
    let mut host = Host::new();
    let buttons = |value: &str| {
        format!(
            "<label>Name <input name=name></label><button name=act value=save>Save</button>\
             <button name=act value={value}>Send</button>"
        )
    };
    let (id, slug) = make_form(&mut host, &buttons("send"), json!({}));
    let token = hidden(&page(&mut host, &format!("/{slug}")), "_cf_time");
    host.now += 60_000;
    let pressed = |value| {
        [
            ("name", "Ada"),
            ("act", value),
            ("_cf_time", token.as_str()),
        ]
    };
    let refused = submit(&mut host, &slug, &pressed("sent"));
    assert_eq!(
        (refused.0, &refused.1["errors"][0]["code"]),
        (400, &json!("invalid_option"))
    );
    let change = json!({"markup": buttons("submit")});
    assert_eq!(
        host.send("PATCH", &format!("/forms/{id}"), Some(change)).0,
        200
    );
    assert_eq!(submit(&mut host, &slug, &pressed("send")).0, 200);
    let stored = &submissions(&mut host)[0]["data"];
    assert_eq!(*stored, json!({"name": "Ada", "act": "send"}));
    // A page without a timestamp may be up to date, so its unknown button is rejected.
    let unknown = submit(&mut host, &slug, &[("name", "Ada"), ("act", "send")]);
    assert_eq!(unknown.0, 400);
    let long = "x".repeat(10_001);
    assert_eq!(submit(&mut host, &slug, &pressed(&long)).0, 400);
}
