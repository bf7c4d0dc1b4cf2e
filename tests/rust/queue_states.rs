//! The specification's table of states, row by row, and all transitions between the states of the contract's
//! section 7.

use std::collections::BTreeSet;

use cf_forms::http::Request;
use cf_forms::jobs::queue::LEASE_MS;
use cf_forms::rest::handlers::workflows::STATES;
use cf_forms::task::IncomingResponse;
use serde_json::{Value, json};

use crate::front_fixture::{make_form, submit};
use crate::host::Host;
use crate::queue::{MINUTE, assert_entries_are_counted, claim, mail, queue, queue_on, run, stats};

const STATUSES: [&str; 6] = ["new", "read", "replied", "archived", "spam", "trash"];

/// "Submission, any, PATCH submission with `status`, valid request: the status given in the body."
#[test]
fn a_submission_can_change_to_any_status() {
    let mut host = Host::new();
    let (_, slug) = make_form(&mut host, "<input name=name>", json!({}));
    assert_eq!(submit(&mut host, &slug, &[("name", "Ann")]).0, 200);
    let mut set = |status: &str| {
        let body = Some(json!({"status": status}));
        host.send("PATCH", "/submissions/1", body)
    };
    for from in STATUSES {
        for to in STATUSES {
            set(from);
            let (code, submission) = set(to);
            assert_eq!(
                (code, &submission["status"]),
                (200, &json!(to)),
                "from {from}"
            );
        }
    }
    for invalid in [json!("nonsense"), json!(""), json!("unsaved"), json!(7)] {
        let (code, error) = host.send("PATCH", "/submissions/1", Some(json!({"status": invalid})));
        assert_eq!(
            (code, &error["code"]),
            (400, &json!("rest_invalid_param")),
            "{invalid}"
        );
    }
    let (code, error) = host.send("PATCH", "/submissions/1", Some(json!({})));
    assert_eq!((code, &error["code"]), (400, &json!("missing_type")));
    assert_eq!(
        host.send("GET", "/submissions/1", None).1["status"],
        "trash"
    );
}

/// Something that happens to an entry.
#[derive(Clone, Copy, Debug)]
enum Step {
    Claim,
    /// A worker claims the entry, and its action succeeds.
    Succeed,
    /// A worker claims the entry, and its action fails.
    Fail,
    /// A worker claims the entry, and its action fails permanently.
    FailForGood,
    /// The worker with the lease ends.
    Release,
    /// The worker with the lease dies.
    Die,
    /// Enough time passes that every waiting entry is due.
    Wait,
    Retry,
    Cancel,
}
use Step::{Cancel, Claim, Die, Fail, FailForGood, Release, Retry, Succeed, Wait};

/// Creates a host with one waiting webhook.
fn waiting() -> Host {
    let mut host = Host::new();
    queue_on(
        &mut host,
        json!({"type": "webhook", "url": "https://example.org/"}),
    );
    host
}

fn entry(host: &mut Host) -> Value {
    host.send("GET", "/action-queue", None).1[0].clone()
}

fn response(status: u16) -> IncomingResponse {
    IncomingResponse {
        status,
        headers: Default::default(),
        body: vec![],
    }
}

fn post_to_entry(host: &mut Host, what: &str) -> (u16, Value) {
    host.send("POST", &format!("/action-queue/1/{what}"), None)
}

fn retry(host: &mut Host) -> (u16, Value) {
    post_to_entry(host, "retry")
}

fn perform_step(host: &mut Host, held: &mut Vec<Value>, step: Step) {
    let runs = |host: &mut Host, status: u16| {
        host.responses = vec![Ok(response(status))];
        let claimed = claim(host, 1);
        run(host, &claimed[0]);
    };
    match step {
        Claim => *held = claim(host, 1),
        Succeed => runs(host, 200),
        Fail => runs(host, 500),
        FailForGood => runs(host, 400),
        Release => {
            let request: Request = host.request("POST", "", Some(json!({"claimed": held})));
            let progress = host.engine.release_queue(request);
            assert_eq!(host.drive(progress).status, 200);
        }
        Die => host.now += LEASE_MS,
        Wait => host.now += 10 * MINUTE,
        Retry => assert_eq!(retry(host).0, 200),
        Cancel => assert_eq!(post_to_entry(host, "cancel").0, 200),
    }
}

/// Paths to every state, with the number of counted attempts.
const PATHS: [(&[Step], &str, i64); 23] = [
    (&[], "pending", 0),
    (&[Claim], "processing", 1),
    (&[Claim, Release], "pending", 0),
    (&[Claim, Die], "processing", 1),
    (&[Claim, Die, Claim], "processing", 1),
    (&[Claim, Die, Claim, Release], "pending", 0),
    (&[Claim, Die, Claim, Release, Fail], "retrying", 1),
    (&[Claim, Die, Fail], "retrying", 1),
    (&[Claim, Die, Succeed], "completed", 1),
    (&[Succeed], "completed", 1),
    (&[Fail], "retrying", 1),
    (&[Fail, Wait, Claim], "processing", 2),
    (&[Fail, Wait, Claim, Release], "retrying", 1),
    (&[Fail, Wait, Claim, Die, Claim], "processing", 2),
    (&[Fail, Wait, Claim, Die, Claim, Release], "retrying", 1),
    (&[Fail, Wait, Fail, Wait, Fail], "retrying", 3),
    (
        &[Fail, Wait, Fail, Wait, Fail, Wait, Succeed],
        "completed",
        4,
    ),
    (&[Fail, Wait, Fail, Wait, Fail, Wait, Fail], "failed", 4),
    (&[FailForGood], "failed", 1),
    (&[FailForGood, Retry, Fail], "retrying", 1),
    (&[Cancel], "cancelled", 0),
    (&[Claim, Release, Cancel], "cancelled", 0),
    (&[Fail, Cancel], "cancelled", 1),
];

#[test]
fn every_queue_state_is_reached_as_the_contract_says() {
    let mut reached = BTreeSet::new();
    for (path, state, attempts) in PATHS {
        let mut host = waiting();
        let mut held = Vec::new();
        for step in path {
            perform_step(&mut host, &mut held, *step);
            assert_entries_are_counted(&mut host);
        }
        let entry = entry(&mut host);
        assert_eq!(
            (&entry["status"], &entry["attempts"]),
            (&json!(state), &json!(attempts)),
            "{path:?}"
        );
        assert_eq!(
            entry["completed_at"].is_null(),
            !matches!(state, "completed" | "failed" | "cancelled"),
            "{path:?}"
        );
        let counts = stats(&mut host);
        for name in STATES {
            assert_eq!(
                counts[name],
                i64::from(name == state),
                "{name} after {path:?}"
            );
        }
        reached.insert(state);
    }
    assert_eq!(reached.len(), STATES.len());
}

/// "Queued action, failed, POST retry: re-queued." and "Queued action, not failed, POST retry:
/// unchanged, error `retry_failed`, HTTP 400".
#[test]
fn a_retry_requeues_failed_entries_and_leaves_others_unchanged() {
    for (path, state, _) in PATHS {
        let mut host = waiting();
        let mut held = Vec::new();
        for step in path {
            perform_step(&mut host, &mut held, *step);
        }
        host.now += MINUTE;
        let before = entry(&mut host);
        let (code, body) = retry(&mut host);
        if state == "failed" {
            assert_eq!(code, 200, "{path:?}");
            assert_eq!(
                (&body["status"], &body["attempts"]),
                (&json!("pending"), &json!(0))
            );
            let mut listed = entry(&mut host);
            let last_run = listed
                .as_object_mut()
                .and_then(|members| members.remove("last_run"));
            assert_eq!(last_run, Some(Value::Null), "only lists have this member");
            assert_eq!(listed, body);
            assert_eq!(stats(&mut host)["failed"], 0);
            assert_eq!(claim(&mut host, 1).len(), 1, "it is due now");
        } else {
            assert_eq!(
                (code, &body["code"]),
                (400, &json!("retry_failed")),
                "{path:?}"
            );
            assert_eq!(body["data"]["status"], 400);
            assert_eq!(entry(&mut host), before, "{path:?}");
        }
    }
    let (code, error) = Host::new().send("POST", "/action-queue/99/retry", None);
    assert_eq!(
        (code, &error["code"]),
        (404, &json!("queue_entry_not_found"))
    );
}

/// "Action run in background queue, running, the action's process step throws an exception: retried
/// with exponential backoff; the exception message is the failure reason." That a throw is a failure
/// is shown with plugins' actions (`tests/shim/actions.test.ts`).
#[test]
fn a_failure_is_retried_with_backoff_and_its_reason_is_stored() {
    // Jitter is random, so the test needs many entries to see its bounds and that delays differ.
    let mut delays = BTreeSet::new();
    for _ in 0..20 {
        let mut host = waiting();
        for minutes in [2, 4, 8] {
            perform_step(&mut host, &mut Vec::new(), Fail);
            let failed = entry(&mut host);
            assert_eq!(failed["last_error"], "The server responded with 500.");
            let due = moment(&failed["scheduled_at"]) - host.now;
            let (least, most) = (minutes * MINUTE * 9 / 10, minutes * MINUTE * 11 / 10);
            assert!(
                (least..=most).contains(&due),
                "{due} after {minutes} minutes"
            );
            delays.insert(due / minutes);
            host.now += due - 1;
            assert!(claim(&mut host, 1).is_empty(), "not a millisecond before");
            host.now += 1;
        }
        perform_step(&mut host, &mut Vec::new(), Fail);
        assert_eq!(entry(&mut host)["status"], "failed");
        host.now += 10_000 * MINUTE;
        assert!(claim(&mut host, 1).is_empty());
    }
    assert!(delays.len() > 20);
}

fn moment(text: &Value) -> i64 {
    let text = text.as_str().expect("a moment");
    cf_forms::dates::parse_moment(text).expect("a moment")
}

#[test]
fn queue_and_log_entries_have_the_members_of_the_contract() {
    let mut host = waiting();
    perform_step(&mut host, &mut Vec::new(), Fail);
    let members = |value: &Value| -> Vec<String> {
        let members = value.as_object().expect("an object");
        members.keys().cloned().collect()
    };
    let mut expected = vec![
        "id",
        "form_id",
        "submission_id",
        "action_type",
        "action_index",
        "settings",
        "status",
        "priority",
        "attempts",
        "max_retries",
        "last_error",
        "scheduled_at",
        "started_at",
        "completed_at",
        "created_at",
        "action_id",
        "action_name",
        "dismissed_at",
        "last_run",
    ];
    let mut names = members(&entry(&mut host));
    expected.sort_unstable();
    names.sort_unstable();
    assert_eq!(names, expected);
    let mut expected = vec![
        "id",
        "queue_id",
        "form_id",
        "submission_id",
        "action_type",
        "status",
        "message",
        "attempt",
        "duration_ms",
        "created_at",
        "action_id",
        "output",
        "detail",
    ];
    let mut names = members(&host.send("GET", "/action-logs", None).1[0]);
    expected.sort_unstable();
    names.sort_unstable();
    assert_eq!(names, expected);
}

#[test]
fn the_failures_list_the_newest_twenty() {
    let mut host = crate::queue::host();
    host.mail_fails = true;
    for _ in 0..25 {
        queue(&host, "email", 0, mail());
        host.now += 1_000;
    }
    host.run_queue();
    host.now += 1_000;
    host.mail_fails = false;
    queue(&host, "email", 0, mail());
    host.run_queue();
    let (_, failures) = host.send("GET", "/action-logs/failures", None);
    let failures = failures.as_array().expect("a list");
    assert_eq!(failures.len(), 20);
    let ids: Vec<i64> = failures
        .iter()
        .filter_map(|line| line["id"].as_i64())
        .collect();
    assert_eq!(ids, (6..=25).rev().collect::<Vec<i64>>());
}
