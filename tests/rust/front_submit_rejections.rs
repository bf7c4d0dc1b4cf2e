//! Submits that a rate limit, a duplicate, a closed form or a spam check rejects.

use serde_json::{Value, json};

use crate::front_fixture::{
    accept_json, hidden, json_of, make_form, page, post, submissions, submit,
};
use crate::front_submit::{MARKUP, email_action};
use crate::host::Host;
use crate::submissions_fixture::{assert_counters_agree, count};

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
fn a_closed_form_responds_with_its_message_and_stores_nothing() {
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
