//! Idempotency keys of submits.

use serde_json::{Value, json};

use crate::front_fixture::{accept_json, json_of, make_form, post, submissions, submit, text_of};
use crate::front_submit::{MARKUP, email_action};
use crate::host::Host;
use crate::submissions_fixture::{assert_counters_agree, count};

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
fn a_repeat_does_not_tell_withheld_spam_from_other_answers() {
    let mut host = Host::new();
    let settings = json!({"save_submissions": false, "actions": email_action()});
    let (id, slug) = make_form(&mut host, MARKUP, settings);
    let trap = format!("_cf_h{id}");
    // The honeypot makes the second one spam.
    for (key, filled) in [("ham", ""), ("trap", "filled")] {
        let pairs = [
            ("name", "Ann"),
            (trap.as_str(), filled),
            ("_submission_key", key),
            ("_cf_script", "1"),
        ];
        let first = submit(&mut host, &slug, &pairs);
        assert_eq!((first.0, &first.1["submission_id"]), (200, &Value::Null));
        assert_eq!(submit(&mut host, &slug, &pairs), first, "{key}");
    }
    let spam = "SELECT COUNT(*) FROM cf_submissions WHERE is_spam = 1";
    assert_eq!(count(&host, spam), 1);
}
