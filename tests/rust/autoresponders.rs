//! Limits of autoresponders, so that they cannot be used to flood others.

use serde_json::json;

use crate::front_fixture::{json_of, make_form, post};
use crate::host::Host;
use crate::queue::MINUTE;

/// Adds a form with an autoresponder; returns the host and the slug of the form.
fn with_autoresponder(mut host: Host) -> (Host, String) {
    let action = json!({"type": "autoresponder"});
    let settings = json!({"actions": [action], "rate_limit": 1_000});
    let (_, slug) = make_form(
        &mut host,
        "<input name=email type=email><input name=name>",
        settings,
    );
    (host, slug)
}

fn send(host: &mut Host, slug: &str, to: &str, from: &str) -> usize {
    let before = host.mails.len();
    let mut request = post(host, slug, &[("email", to), ("name", "BUY NOW")]);
    crate::front_fixture::accept_json(&mut request);
    request.address = Some(from.to_owned());
    let response = host.visit(request);
    assert_eq!(json_of(&response).0, 200);
    host.run_queue();
    host.mails.len() - before
}

fn last_log(host: &mut Host) -> (String, String) {
    let (_, logs) = host.send("GET", "/action-logs", None);
    let text = |key: &str| logs[0][key].as_str().unwrap().to_owned();
    (text("status"), text("message"))
}

#[test]
fn a_recipient_gets_at_most_three_mails_an_hour_from_a_form() {
    let (mut host, slug) = with_autoresponder(Host::new());
    for n in 0..3 {
        let to = ["ann@example.org", "Ann@Example.org"][n % 2];
        assert_eq!(send(&mut host, &slug, to, &format!("192.0.2.{n}")), 1);
    }
    assert_eq!(send(&mut host, &slug, "ann@example.org", "192.0.2.9"), 0);
    let message = "This recipient had 3 automatic answers in the last hour.";
    assert_eq!(
        last_log(&mut host),
        ("skipped".to_owned(), message.to_owned())
    );
    assert_eq!(send(&mut host, &slug, "bob@example.org", "192.0.2.9"), 1);
    assert!(
        host.mails
            .iter()
            .all(|mail| mail.subject == "We’ve received your answers")
    );
    host.now += 60 * MINUTE;
    assert_eq!(send(&mut host, &slug, "ann@example.org", "192.0.2.9"), 1);
}

#[test]
fn a_visitor_triggers_at_most_twenty_mails_an_hour_unless_the_address_is_shared() {
    let proxy = Host::behind_a_proxy;
    type MakeHost = fn() -> Host;
    let cases: [(MakeHost, &str, usize); 5] = [
        (Host::new, "192.0.2.7", 20),
        (Host::new, "10.0.0.1", 20),
        (proxy, "192.0.2.7", 20),
        (proxy, "10.0.0.1", 25),
        (proxy, "::1", 25),
    ];
    for (host, from, expected) in cases {
        let (mut host, slug) = with_autoresponder(host());
        let to = |n: usize| format!("a{n}@example.org");
        let sent: usize = (0..25).map(|n| send(&mut host, &slug, &to(n), from)).sum();
        assert_eq!(sent, expected, "{from}");
    }
}

#[test]
fn a_failed_mail_does_not_count_against_the_limit() {
    let (mut host, slug) = with_autoresponder(Host::new());
    host.mail_fails = true;
    for _ in 0..3 {
        assert_eq!(send(&mut host, &slug, "ann@example.org", "192.0.2.7"), 0);
    }
    host.mail_fails = false;
    host.now += 3 * MINUTE;
    host.run_queue();
    assert_eq!(host.mails.len(), 3);
}

#[test]
fn the_recipient_limit_holds_for_loopback_and_for_test_runs() {
    let (mut host, slug) = with_autoresponder(Host::behind_a_proxy());
    let sent = (0..5).map(|_| send(&mut host, &slug, "ann@example.org", "127.0.0.1"));
    assert_eq!(sent.sum::<usize>(), 3);
    let (mut host, _) = with_autoresponder(Host::new());
    let test = json!({
        "action_type": "autoresponder", "form_id": 1, "test_data": {"email": "ann@example.org"},
    });
    let mut tested = || {
        let (_, report) = host.send("POST", "/actions/test", Some(test.clone()));
        report["status"].clone()
    };
    let statuses = [tested(), tested(), tested(), tested()];
    assert_eq!(statuses, ["success", "success", "success", "skipped"]);
    assert_eq!(host.mails.len(), 3);
}
