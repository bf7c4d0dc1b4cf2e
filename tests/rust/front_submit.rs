//! Submits: storage, responses, and the order of the checks.

use serde_json::{Value, json};

use crate::front_fixture::{
    accept_json, hidden, json_of, make_form, page, post, submissions, submit, text_of, visitor,
};
use crate::host::Host;
use crate::submissions_fixture::{assert_counters_agree, count};

const MARKUP: &str = "<label>Name <input name=\"name\" required></label>\
    <label>Email <input type=\"email\" name=\"email\"></label>\
    <label>Age <input type=\"number\" name=\"age\"></label><button>Go</button>";

fn email_action() -> Value {
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
fn a_repeated_key_gets_the_first_response_and_stores_nothing() {
    let mut host = Host::new();
    let settings = json!({"actions": email_action(), "redirect_url": "/thanks?id=[CF_SUBMISSION_ID]&n=[name]", "rate_limit": 1});
    let (_, slug) = make_form(&mut host, MARKUP, settings);
    let send = |host: &mut Host, name: &str| {
        let mut request = post(host, &slug, &[("name", name)]);
        accept_json(&mut request);
        request
            .headers
            .insert("idempotency-key".to_owned(), "key".to_owned());
        let response = host.visit(request);
        (response.status, text_of(&response), response.run_queue)
    };
    let first = send(&mut host, "A & b");
    assert_eq!((first.0, first.2), (200, true));
    let body: Value = serde_json::from_str(&first.1).unwrap();
    let id = body["submission_id"].as_i64().unwrap();
    assert_eq!(
        body["redirect_url"],
        json!(format!("/thanks?id={id}&n=A%20%26%20b"))
    );
    for _ in 0..3 {
        assert_eq!(send(&mut host, "A & b"), (200, first.1.clone(), false));
    }
    assert_eq!(submissions(&mut host).len(), 1);
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_action_queue"), 1);
}

/// Submits with a key, from an address and a browser; returns the status and the submission's id.
fn send_as(
    host: &mut Host,
    slug: &str,
    [address, browser]: [&str; 2],
    key: (&str, &str),
    name: &str,
) -> (u16, i64) {
    let mut pairs = vec![("name", name)];
    pairs.extend((key.0 == "_submission_key").then_some(key));
    let mut request = post(host, slug, &pairs);
    accept_json(&mut request);
    request.address = Some(address.to_owned());
    let headers = &mut request.headers;
    headers.insert("user-agent".to_owned(), browser.to_owned());
    if key.0 == "idempotency-key" {
        headers.insert(key.0.to_owned(), key.1.to_owned());
    }
    let (status, body) = json_of(&host.visit(request));
    (status, body["submission_id"].as_i64().unwrap_or_default())
}

#[test]
fn a_page_key_is_bound_to_its_visitor_and_a_script_key_is_not() {
    let minute = 60_000;
    let day = 24 * 60 * minute;
    let (page, script, client) = ("_submission_key", "_submission_key", "idempotency-key");
    // Columns: key, sender of the repeat, time of the repeat, whether it counts as a repeat.
    let ada = ["192.0.2.7", "Browser/1"];
    let rows = [
        ((page, "cached"), ada, 10 * minute, true),
        ((page, "cached"), ada, 10 * minute + 1, false),
        ((page, "cached"), ["192.0.2.8", "Browser/1"], 0, false),
        ((page, "cached"), ["192.0.2.7", "Browser/2"], 0, false),
        (
            (script, "s-0123"),
            ["203.0.113.9", "Browser/2"],
            7 * day,
            true,
        ),
        ((script, "s-0123"), ada, 7 * day + 1, false),
        ((client, "order 1"), ada, 7 * day, true),
        ((client, "order 1"), ada, 7 * day + 1, false),
        ((client, "order 1"), ["203.0.113.9", "Browser/1"], 0, false),
    ];
    for (key, sender, later, is_repeat) in rows {
        let mut host = Host::new();
        let (_, slug) = make_form(&mut host, MARKUP, json!({"actions": email_action()}));
        let (_, first) = send_as(&mut host, &slug, ada, key, "Ada");
        host.now += later;
        let (status, second) = send_as(&mut host, &slug, sender, key, "Ada");
        assert_eq!(status, 200, "{key:?} {sender:?} {later}");
        assert_eq!(second == first, is_repeat, "{key:?} {sender:?} {later}");
        // The key that replaced an expired one is valid in turn.
        let again = send_as(&mut host, &slug, sender, key, "Ada");
        assert_eq!(again, (200, second), "{key:?} {sender:?} {later}");
        let stored = if is_repeat { 1 } else { 2 };
        assert_eq!(submissions(&mut host).len(), stored);
        let queued = count(&host, "SELECT COUNT(*) FROM cf_action_queue");
        assert_eq!(queued, i64::try_from(stored).unwrap());
        assert_counters_agree(&host);
    }
    let v6 = [
        "2001:db8:1:2:aaaa::1",
        "2001:db8:1:2:bbbb::2",
        "2001:db8:1:3::1",
    ];
    let mut host = Host::new();
    let (_, slug) = make_form(&mut host, MARKUP, json!({}));
    let ids = v6.map(|address| send_as(&mut host, &slug, [address, "B"], (page, "k"), "Ada").1);
    assert!(ids[0] == ids[1] && ids[1] != ids[2], "{ids:?}");
}

#[test]
fn a_guessed_idempotency_key_does_not_match() {
    let mut host = Host::new();
    let (_, slug) = make_form(&mut host, MARKUP, json!({}));
    let key = ("idempotency-key", "1");
    let (ada, eve) = (["192.0.2.7", "B"], ["192.0.2.66", "B"]);
    let (_, of_eve) = send_as(&mut host, &slug, eve, key, "Eve");
    let (status, of_ada) = send_as(&mut host, &slug, ada, key, "Ada");
    assert_eq!((status, of_ada == of_eve), (200, false));
    assert_eq!(send_as(&mut host, &slug, ada, key, "Ada L.").0, 422);
    // Signed-in callers are distinguished by user, not by address.
    let mut sent_by = |user: &str, address: &str, name: &str| {
        let mut request = post(&host, &slug, &[("name", name)]);
        accept_json(&mut request);
        request.headers.insert(key.0.to_owned(), key.1.to_owned());
        request.address = Some(address.to_owned());
        request.principal = host.request("GET", "", None).principal;
        if let Some(principal) = &mut request.principal {
            user.clone_into(&mut principal.id);
        }
        let (status, body) = json_of(&host.visit(request));
        (status, body["submission_id"].clone())
    };
    let first = sent_by("1", "192.0.2.7", "Ada");
    assert_eq!(sent_by("1", "203.0.113.9", "Ada"), first);
    assert_eq!(sent_by("1", "192.0.2.7", "Eve").0, 422);
    let (status, other) = sent_by("2", "192.0.2.7", "Ada");
    assert_eq!((status, other == first.1), (200, false));
}

#[test]
fn a_rate_limited_address_gets_a_retry_after() {
    let mut host = Host::new();
    let (_, slug) = make_form(&mut host, MARKUP, json!({"rate_limit": 2}));
    assert_eq!(submit(&mut host, &slug, &[]).0, 400);
    for _ in 0..2 {
        assert_eq!(submit(&mut host, &slug, &[("name", "x")]).0, 200);
    }
    host.now += 600_000;
    let mut request = post(&host, &slug, &[("name", "x")]);
    accept_json(&mut request);
    let response = host.visit(request);
    assert_eq!(response.header("retry-after"), Some("3000"));
    let (status, body) = json_of(&response);
    assert_eq!((status, &body["code"]), (429, &json!("rate_limited")));
    let mut other = post(&host, &slug, &[("name", "x")]);
    other.address = Some("192.0.2.8".to_owned());
    assert_eq!(host.visit(other).status, 303);
    host.now += 3_000_000;
    assert_eq!(submit(&mut host, &slug, &[("name", "x")]).0, 200);
    assert!(
        !count_text(&host, "192.0.2"),
        "no address is kept for limits"
    );
}

fn count_text(host: &Host, text: &str) -> bool {
    count(
        host,
        &format!("SELECT COUNT(*) FROM cf_rate_limits WHERE bucket LIKE '%{text}%'"),
    ) > 0
}

#[test]
fn duplicate_answers_are_rejected_and_corrected_ones_accepted() {
    let mut host = Host::new();
    let (_, slug) = make_form(&mut host, MARKUP, json!({"prevent_duplicates": true}));
    assert_eq!(submit(&mut host, &slug, &[("name", "x")]).0, 200);
    let (status, body) = submit(&mut host, &slug, &[("name", "x")]);
    assert_eq!(
        (status, &body["code"]),
        (409, &json!("duplicate_submission"))
    );
    assert_eq!(submit(&mut host, &slug, &[("name", "y")]).0, 200);
    host.now += 24 * 3_600_000;
    assert_eq!(submit(&mut host, &slug, &[("name", "x")]).0, 200);
}

#[test]
fn a_closed_form_says_so_and_stores_nothing() {
    let mut host = Host::new();
    let (_, slug) = make_form(&mut host, MARKUP, json!({"submission_limit": 1}));
    assert_eq!(submit(&mut host, &slug, &[("name", "x")]).0, 200);
    let (status, body) = submit(&mut host, &slug, &[("name", "x")]);
    assert_eq!(
        (status, &body["code"]),
        (403, &json!("submission_limit_reached"))
    );
    let closed = page(&mut host, &format!("/{slug}"));
    assert!(
        !closed.contains("<form") && closed.contains("no longer accepting"),
        "{closed}"
    );

    let (_, members) = make_form(&mut host, MARKUP, json!({"require_user_logged_in": true}));
    let (status, body) = submit(&mut host, &members, &[("name", "x")]);
    assert_eq!(
        (status, &body["code"]),
        (403, &json!("require_user_logged_in"))
    );
    assert!(!page(&mut host, &format!("/{members}")).contains("<form"));
    let mut request = post(&host, &members, &[("name", "x")]);
    request.principal = host.request("GET", "", None).principal;
    assert_eq!(host.visit(request).status, 303);
}

#[test]
fn spam_gets_the_success_response_and_its_actions_wait() {
    let mut host = Host::new();
    let (form, slug) = make_form(&mut host, MARKUP, json!({"actions": email_action()}));
    let honest = submit(&mut host, &slug, &[("name", "Ada")]).1;
    let honeypot = format!("_cf_h{form}");
    let rows: [(&[(&str, &str)], &str); 3] = [
        (&[("name", "x"), (&honeypot, "http://spam")], "honeypot"),
        (&[("name", "x"), ("_cf_time", "1.forged")], "forged_time"),
        // Invalid answers of a bot are stored without faults in the response.
        (&[("email", "no\u{0}nsense"), (&honeypot, "x")], "honeypot"),
    ];
    for (pairs, reason) in rows {
        let mut request = post(&host, &slug, pairs);
        accept_json(&mut request);
        let response = host.visit(request);
        assert!(!response.run_queue);
        let (status, mut body) = json_of(&response);
        let id = body["submission_id"].take();
        let mut expected = honest.clone();
        expected["submission_id"] = Value::Null;
        assert_eq!((status, body), (200, expected), "{reason}");
        let (_, stored) = host.send("GET", &format!("/submissions/{id}"), None);
        assert_eq!(
            (&stored["status"], &stored["is_spam"]),
            (&json!("spam"), &json!(true))
        );
        assert_eq!(stored["spam_reasons"], json!([reason]));
    }
    assert_eq!(
        submissions(&mut host)[0]["data"],
        json!({"email": "nonsense"})
    );
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_action_queue"), 1);
    assert_counters_agree(&host);
}

#[test]
fn a_submit_within_a_second_is_suspicious_but_not_spam_by_itself() {
    let mut host = Host::new();
    let settings = json!({"spam_checks": [{"type": "links"}], "actions": email_action()});
    let (_, slug) = make_form(&mut host, MARKUP, settings);
    let token = hidden(&page(&mut host, &format!("/{slug}")), "_cf_time");
    let link = "see https://example.org";
    let rows = [
        (0, "x", "new", json!(["too_fast"])),
        (99, link, "spam", json!(["too_fast", "links:1"])),
        (1, "x", "new", json!([])),
        (0, link, "new", json!([])),
    ];
    for (wait, name, status, reasons) in rows {
        host.now += wait;
        submit(&mut host, &slug, &[("name", name), ("_cf_time", &token)]);
        let stored = &submissions(&mut host)[0];
        assert_eq!(
            (&stored["status"], &stored["spam_reasons"]),
            (&json!(status), &reasons)
        );
    }
    assert_eq!(host.run_queue(), 3);
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
fn an_ip_address_is_not_stored_if_the_form_says_so() {
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
fn the_user_agent_is_not_stored_if_the_form_says_so() {
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
fn a_key_under_contention_gets_a_busy_response_with_the_form() {
    let mut host = Host::new();
    let (_, slug) = make_form(&mut host, MARKUP, json!({}));
    let trigger =
        "CREATE TRIGGER taken BEFORE INSERT ON cf_submission_keys BEGIN SELECT RAISE(IGNORE); END";
    host.database.execute_batch(trigger).unwrap();
    let pairs = [
        ("name", "Ada <b>"),
        ("email", "ada@example.org"),
        ("_submission_key", "k"),
    ];
    let mut request = post(&host, &slug, &pairs);
    let response = host.visit(request.clone());
    let page = text_of(&response);
    assert_eq!(response.status, 503, "{page}");
    assert!(response.headers.contains(&("retry-after", "5".to_owned())));
    assert!(page.contains("value=\"Ada &lt;b&gt;\""), "{page}");
    accept_json(&mut request);
    let response = host.visit(request.clone());
    let (status, body) = json_of(&response);
    assert_eq!((status, &body["code"]), (503, &json!("busy")));
    assert!(response.headers.contains(&("retry-after", "5".to_owned())));
    assert!(submissions(&mut host).is_empty());
    // After the key is free, the same submit is stored.
    host.database.execute_batch("DROP TRIGGER taken").unwrap();
    assert_eq!(host.visit(request).status, 200);
    assert_eq!(submissions(&mut host).len(), 1);
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
    // A page without a time may be of any age.
    let unknown = submit(&mut host, &slug, &[("name", "Ada"), ("act", "send")]);
    assert_eq!(unknown.0, 400);
    let long = "x".repeat(10_001);
    assert_eq!(submit(&mut host, &slug, &pressed(&long)).0, 400);
}
