//! Queued actions of submissions that become spam or leave it.

use serde_json::{Value, json};

use crate::front_fixture::{make_form, submit};
use crate::host::Host;
use crate::queue::{MINUTE, assert_entries_are_counted, claim, run, stats};

/// Creates a host with one submission whose mail waits in the queue.
fn waiting() -> Host {
    let mut host = Host::new();
    let settings = json!({"actions": [{"type": "email", "to": "desk@example.org"}]});
    let (_, slug) = make_form(&mut host, "<input name=name>", settings);
    let (status, _) = submit(&mut host, &slug, &[("name", "Ann")]);
    assert_eq!(status, 200);
    host
}

fn set(host: &mut Host, status: &str) {
    let body = Some(json!({"status": status}));
    let (code, answer) = host.send("PATCH", "/submissions/1", body);
    assert_eq!(code, 200, "{answer}");
    assert_entries_are_counted(host);
}

fn entry(host: &mut Host) -> Value {
    host.send("GET", "/action-queue", None).1[0].clone()
}

#[test]
fn waiting_entries_are_withheld_during_spam_and_run_once_afterwards() {
    let mut host = waiting();
    for _ in 0..2 {
        set(&mut host, "spam");
        assert_eq!(host.run_queue(), 0);
        assert_eq!(entry(&mut host)["status"], "pending");
        set(&mut host, "trash");
        assert_eq!(host.run_queue(), 0, "trashed spam stays spam");
    }
    set(&mut host, "read");
    assert_eq!(host.run_queue(), 1);
    assert_eq!(host.mails.len(), 1);
    set(&mut host, "spam");
    set(&mut host, "new");
    assert_eq!((host.run_queue(), host.mails.len()), (0, 1));
}

#[test]
fn a_withheld_retry_keeps_its_state_and_time() {
    let mut host = waiting();
    host.mail_fails = true;
    host.run_queue();
    let before = entry(&mut host);
    assert_eq!(before["status"], "retrying");
    set(&mut host, "spam");
    assert_eq!(entry(&mut host), before);
    host.now += MINUTE;
    set(&mut host, "new");
    assert_eq!(entry(&mut host), before);
    assert_eq!(host.run_queue(), 0, "not before its due time");
    host.now += 2 * MINUTE;
    host.mail_fails = false;
    assert_eq!((host.run_queue(), host.mails.len()), (1, 1));
}

#[test]
fn an_entry_claimed_before_spam_is_released_without_a_run() {
    let mut host = waiting();
    let claimed = claim(&mut host, 1);
    set(&mut host, "spam");
    assert_eq!(run(&mut host, &claimed[0])["status"], "withheld");
    assert!(host.mails.is_empty());
    let given_back = entry(&mut host);
    assert_eq!(
        (&given_back["status"], &given_back["attempts"]),
        (&json!("pending"), &json!(0))
    );
    assert_eq!(host.run_queue(), 0);
    assert_eq!(stats(&mut host)["oldest_pending_seconds"], 0);

    set(&mut host, "new");
    let claimed = claim(&mut host, 1);
    set(&mut host, "spam");
    set(&mut host, "new");
    assert_eq!(run(&mut host, &claimed[0])["status"], "completed");
    assert_eq!(host.mails.len(), 1);
}

#[test]
fn actions_of_a_trashed_submission_still_run() {
    let mut host = waiting();
    set(&mut host, "trash");
    assert_eq!((host.run_queue(), host.mails.len()), (1, 1));
}

#[test]
fn deleting_a_submission_reduces_the_counts_of_its_day() {
    let mut host = waiting();
    host.run_queue();
    let (_, before) = host.send("GET", "/action-logs/stats", None);
    assert_eq!(before["last_24h"]["total"], 1);
    assert_eq!(host.send("DELETE", "/submissions/1", None).0, 200);
    for path in ["/action-logs/stats", "/action-logs/stats?form_id=1"] {
        let (_, after) = host.send("GET", path, None);
        assert_eq!(
            (&after["total"], &after["last_24h"]["total"]),
            (&json!(0), &json!(0))
        );
    }
}

#[test]
fn queue_counters_follow_submits_and_deletions() {
    let mut host = Host::new();
    let actions = [1, 2].map(|_| json!({"type": "email", "to": "a@example.org"}));
    let forms =
        [1, 2].map(|_| make_form(&mut host, "<input name=name>", json!({"actions": actions})));
    for (id, slug) in &forms {
        for _ in 0..3 {
            assert_eq!(submit(&mut host, slug, &[("name", "Ann")]).0, 200);
        }
        let trap = format!("_cf_h{id}");
        assert_eq!(submit(&mut host, slug, &[(&trap, "robot")]).0, 200);
    }
    assert_entries_are_counted(&mut host);
    assert_eq!(stats(&mut host)["pending"], 12);
    // The actions are queued once, when the submission leaves spam.
    for status in ["new", "spam", "read"] {
        let body = Some(json!({"status": status}));
        assert_eq!(host.send("PATCH", "/submissions/4", body).0, 200);
        assert_entries_are_counted(&mut host);
    }
    assert_eq!(stats(&mut host)["pending"], 14);
    host.mail_fails = true;
    let claimed = claim(&mut host, 3);
    run(&mut host, &claimed[0]);
    assert_entries_are_counted(&mut host);
    // One entry waits for a retry, two are running, the others wait for their first run.
    for id in 1..=8 {
        if id % 2 == 0 {
            let path = format!("/submissions/{id}");
            assert_eq!(host.send("DELETE", &path, None).0, 200);
            assert_entries_are_counted(&mut host);
        }
    }
    for (id, _) in forms {
        assert_eq!(
            host.send("DELETE", &format!("/forms/{id}?force=true"), None)
                .0,
            200
        );
        assert_entries_are_counted(&mut host);
    }
    assert_eq!(
        stats(&mut host),
        json!({"pending": 0, "processing": 0, "completed": 0, "retrying": 0, "failed": 0, "cancelled": 0, "oldest_pending_seconds": 0, "needs_attention": 0})
    );
}
