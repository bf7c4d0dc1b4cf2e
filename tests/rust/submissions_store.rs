//! Storage of submissions: whole or not at all, only once, and only if the form's gates admit them.

use cf_forms::store::rate_limits::{Gate, GateRejection};
use cf_forms::store::submissions::{Inserted, screen};
use serde_json::json;

use crate::host::Host;
use crate::submissions_fixture::{
    assert_counters_agree, count, form, new, spam, store, stored, with_action, with_gates, with_key,
};

const HOUR_MS: i64 = 3_600_000;

fn rate(limit: i64) -> Gate {
    Gate::Rate {
        limit,
        hash: "address".to_owned(),
    }
}

fn duplicate(hash: &str) -> Gate {
    Gate::Duplicate {
        hash: hash.to_owned(),
    }
}

#[test]
fn a_submission_is_stored_with_its_words_entries_and_counts() {
    let mut host = Host::new();
    let form = form(&mut host, "contact", json!({}));
    let id = stored(&mut host, with_action(new(form, "Hello there")));
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_action_queue"), 1);
    let submit = "SELECT SUM(count) FROM cf_stats WHERE metric = 'submit' AND ";
    assert_eq!(
        count(
            &host,
            &format!("{submit} form_id = {form} AND date = '2026-01-02'")
        ),
        1
    );
    assert_eq!(
        count(&host, &format!("{submit} form_id = {form} AND date = ''")),
        1
    );
    assert_eq!(
        count(&host, &format!("{submit} form_id = 0 AND date = ''")),
        1
    );
    assert_counters_agree(&host);
    let (_, found) = host.send("GET", "/submissions?search=hello", None);
    assert_eq!(found[0]["id"], json!(id));
}

#[test]
fn spam_withholds_its_actions() {
    let mut host = Host::new();
    let form = form(&mut host, "contact", json!({}));
    stored(&mut host, with_action(spam(form, "Buy")));
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_action_queue"), 0);
    assert_eq!(
        count(&host, "SELECT actions_withheld FROM cf_submissions"),
        1
    );
    assert_eq!(
        count(
            &host,
            "SELECT SUM(count) FROM cf_stats WHERE metric = 'spam' AND form_id = 0"
        ),
        1
    );
    assert_counters_agree(&host);
}

#[test]
fn a_deleted_form_stores_nothing() {
    let mut host = Host::new();
    assert_eq!(
        store(&mut host, with_key(new(99, "x"), "k", "a")),
        Inserted::FormGone
    );
    for table in [
        "cf_submissions",
        "cf_submission_search",
        "cf_stats",
        "cf_submission_keys",
    ] {
        assert_eq!(
            count(&host, &format!("SELECT COUNT(*) FROM {table}")),
            0,
            "{table}"
        );
    }
}

#[test]
fn a_repeated_key_gives_the_first_submission_and_stores_nothing() {
    let mut host = Host::new();
    let form = form(&mut host, "contact", json!({}));
    let id = stored(
        &mut host,
        with_key(with_action(new(form, "one")), "key", "first"),
    );
    for _ in 0..20 {
        let repeat = store(
            &mut host,
            with_key(with_action(new(form, "two")), "key", "other"),
        );
        let first = Inserted::Repeated {
            answer: "first".to_owned(),
            submission_id: id,
        };
        assert_eq!(repeat, first);
    }
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_submissions"), 1);
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_action_queue"), 1);
    assert_counters_agree(&host);

    let other_form = crate::submissions_fixture::form(&mut host, "other", json!({}));
    stored(&mut host, with_key(new(other_form, "one"), "key", "first"));
}

#[test]
fn a_rejected_submission_leaves_its_key_free() {
    let mut host = Host::new();
    let form = form(&mut host, "contact", json!({}));
    let gates = [rate(1)];
    stored(&mut host, with_gates(new(form, "one"), &gates));
    let second = || with_key(with_gates(new(form, "two"), &[rate(1)]), "key", "a");
    assert!(matches!(store(&mut host, second()), Inserted::Rejected(_)));
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_submission_keys"), 0);
    host.now += HOUR_MS;
    assert!(matches!(store(&mut host, second()), Inserted::Stored(_)));
}

#[test]
fn the_rate_limit_counts_an_hour_from_the_first_submission() {
    let mut host = Host::new();
    let form = form(&mut host, "contact", json!({}));
    let start = host.now;
    for minute in [0, 20, 40] {
        host.now = start + minute * 60_000;
        stored(&mut host, with_gates(new(form, "x"), &[rate(3)]));
    }
    host.now = start + 59 * 60_000;
    let refused = Inserted::Rejected(GateRejection::RateLimited {
        retry_after_ms: 60_000,
    });
    assert_eq!(
        store(&mut host, with_gates(new(form, "x"), &[rate(3)])),
        refused
    );
    let screened = host
        .run(async move |cx| screen(&cx, form, None, &[rate(3)]).await)
        .unwrap();
    assert_eq!(
        screened,
        Some(Inserted::Rejected(GateRejection::RateLimited {
            retry_after_ms: 60_000
        }))
    );
    host.now = start + HOUR_MS;
    stored(&mut host, with_gates(new(form, "x"), &[rate(3)]));
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_submissions"), 4);
}

#[test]
fn an_expired_window_rejects_nothing() {
    let mut host = Host::new();
    let form = form(&mut host, "contact", json!({}));
    stored(
        &mut host,
        with_gates(new(form, "x"), &[rate(1), duplicate("d")]),
    );
    host.now += 24 * HOUR_MS;
    let screened = host
        .run(async move |cx| screen(&cx, form, None, &[rate(1), duplicate("d")]).await)
        .unwrap();
    assert_eq!(screened, None);
}

#[test]
fn duplicate_answers_from_an_address_are_accepted_once_a_day() {
    let mut host = Host::new();
    let form = form(&mut host, "contact", json!({}));
    stored(
        &mut host,
        with_gates(new(form, "x"), &[duplicate("first"), rate(2)]),
    );
    for _ in 0..3 {
        let again = store(
            &mut host,
            with_gates(new(form, "x"), &[duplicate("first"), rate(2)]),
        );
        assert_eq!(again, Inserted::Rejected(GateRejection::Duplicate));
    }
    // A rejected submission does not count against the address, and corrected answers are accepted.
    stored(
        &mut host,
        with_gates(new(form, "y"), &[duplicate("second"), rate(2)]),
    );
}

#[test]
fn the_submission_limit_ignores_spam_and_trash() {
    let mut host = Host::new();
    let form = form(&mut host, "contact", json!({}));
    let gates = [Gate::Total {
        limit: 2,
        saved: true,
    }];
    stored(&mut host, with_gates(spam(form, "s"), &gates));
    let first = stored(&mut host, with_gates(new(form, "1"), &gates));
    stored(&mut host, with_gates(new(form, "2"), &gates));
    let third = || with_gates(new(form, "3"), &gates);
    assert_eq!(
        store(&mut host, third()),
        Inserted::Rejected(GateRejection::LimitReached)
    );
    host.send(
        "PATCH",
        &format!("/submissions/{first}"),
        Some(json!({"status": "trash"})),
    );
    stored(&mut host, third());
    assert_eq!(
        store(&mut host, third()),
        Inserted::Rejected(GateRejection::LimitReached)
    );
    assert_counters_agree(&host);
}

#[test]
fn an_unsaved_submission_is_kept_only_for_its_actions() {
    let mut host = Host::new();
    let form = form(&mut host, "contact", json!({}));
    let unsaved = |answer: &str| {
        let mut unsaved = new(form, answer);
        unsaved.saved = false;
        unsaved
    };
    store(&mut host, with_key(unsaved("secret"), "key", "a"));
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_submissions"), 0);
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_submission_search"), 0);
    let repeat = store(&mut host, with_key(unsaved("secret"), "key", "b"));
    let first = Inserted::Repeated {
        answer: "a".to_owned(),
        submission_id: 0,
    };
    assert_eq!(repeat, first);

    let id = stored(&mut host, with_action(unsaved("secret")));
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_submissions"), 1);
    for path in [
        "/submissions",
        "/submissions?status=any",
        "/submissions?search=secret",
    ] {
        assert_eq!(host.send("GET", path, None), (200, json!([])), "{path}");
    }
    assert_eq!(host.send("GET", &format!("/submissions/{id}"), None).0, 404);
    assert_eq!(host.send("GET", "/submissions?status=unsaved", None).0, 400);
    let sent = "SELECT SUM(count) FROM cf_stats WHERE metric = 'submit' AND form_id = 0";
    assert_eq!(count(&host, sent), 2);

    let gates = [Gate::Total {
        limit: 2,
        saved: false,
    }];
    let refused = store(&mut host, with_gates(unsaved("x"), &gates));
    assert_eq!(refused, Inserted::Rejected(GateRejection::LimitReached));
}
