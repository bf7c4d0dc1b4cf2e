//! Leases and priority of queue entries (contract, section 9).

use cf_forms::jobs::queue::LEASE_MS;
use cf_forms::task::Effect;
use serde_json::{Value, json};

use crate::front_fixture::{make_form, submit};
use crate::host::Host;
use crate::queue::{MINUTE, claim, host, mail, queue, run};

const YEAR: i64 = 365 * 24 * 60 * MINUTE;

/// Claims entries for a worker that already runs one.
fn claim_beside(host: &mut Host) -> Vec<Value> {
    let request = host.request("POST", "", Some(json!({"limit": 10, "running": 1})));
    let progress = host.engine.claim_queue(request);
    let body: Value = serde_json::from_slice(&host.drive(progress).body).unwrap();
    body["claimed"].as_array().unwrap().clone()
}

fn number(host: &Host, sql: &str) -> i64 {
    host.database.query_row(sql, [], |row| row.get(0)).unwrap()
}

fn set(host: &Host, sql: &str) {
    assert!(host.database.execute(sql, []).unwrap() > 0, "{sql}");
}

#[test]
fn a_lost_lease_counts_no_attempt_and_after_five_the_entry_runs_alone() {
    let mut host = host();
    let id = queue(&host, "email", 0, mail());
    for _ in 0..5 {
        assert_eq!(claim_beside(&mut host).len(), 1);
        host.now += LEASE_MS;
    }
    assert_eq!(number(&host, "SELECT attempts FROM cf_action_queue"), 1);
    assert!(claim_beside(&mut host).is_empty(), "others run");
    let other = queue(&host, "email", 1, mail());
    let first = claim(&mut host, 10);
    assert_eq!(first.len(), 1, "entries that never lost a lease run first");
    assert_eq!(
        (&first[0]["id"], &first[0]["alone"]),
        (&json!(other), &json!(false))
    );
    run(&mut host, &first[0]);
    let alone = claim(&mut host, 10);
    assert_eq!(
        (&alone[0]["id"], &alone[0]["alone"]),
        (&json!(id), &json!(true))
    );
    assert_eq!(run(&mut host, &alone[0])["status"], "completed");
    assert_eq!(host.mails.len(), 2);
}

#[test]
fn new_claims_wait_for_an_entry_that_must_run_alone_after_five_minutes() {
    let mut host = host();
    let alone = queue(&host, "email", 0, mail());
    set(&host, "UPDATE cf_action_queue SET abandoned = 5");
    host.now += 5 * MINUTE;
    queue(&host, "email", 1, mail());
    assert!(claim_beside(&mut host).is_empty());
    assert_eq!(claim(&mut host, 10)[0]["id"], alone);
    assert_eq!(claim_beside(&mut host).len(), 1, "the entry has run");
}

#[test]
fn a_running_entrys_lease_is_renewed_for_at_most_three_minutes() {
    let mut host = host();
    queue(&host, "email", 0, mail());
    let claimed = claim(&mut host, 1);
    let request = host.request("POST", "", Some(claimed[0].clone()));
    let progress = host.engine.run_queue_entry(request);
    let running = host.drive_until(progress, |effect| matches!(effect, Effect::Mail { .. }));
    let begun = host.now;
    for second in (10..=200).step_by(10) {
        host.now = begun + second * 1_000;
        let request = host.request("POST", "", None);
        let progress = host.engine.renew_queue(request);
        assert_eq!(host.drive(progress).status, 200);
        let end = number(&host, "SELECT due_at FROM cf_action_queue");
        assert_eq!(
            end,
            begun + 180_000.min(second * 1_000 + LEASE_MS),
            "after {second} s"
        );
        if second < 180 {
            assert!(claim(&mut host, 1).is_empty(), "after {second} s");
        }
    }
    assert_eq!(claim(&mut host, 1).len(), 1);
    host.finish(running);
    host.statements = 0;
    let request = host.request("POST", "", None);
    let progress = host.engine.renew_queue(request);
    host.drive(progress);
    assert_eq!(host.statements, 0, "ended entries are not renewed");
}

#[test]
fn a_restarted_instance_releases_only_its_leases() {
    let mut host = host();
    queue(&host, "email", 0, mail());
    let other = queue(&host, "email", 1, mail());
    claim(&mut host, 10);
    let sql = format!("UPDATE cf_action_queue SET lease = 'one-more:1' WHERE id = {other}");
    set(&host, &sql);
    host.start();
    let states = "SELECT COUNT(*) FROM cf_action_queue WHERE status = 'pending' AND attempts = 0 AND abandoned = 1";
    assert_eq!(number(&host, states), 1);
    assert_eq!(host.run_queue(), 1, "at once");
    assert_eq!(host.mails.len(), 1);
}

/// Order of the queue: lower priority first, then older schedule, then lower id, in one claim and in many.
#[test]
fn entries_are_claimed_by_priority_then_schedule_then_id() {
    for at_once in [1, 10] {
        let mut host = host();
        let ids: Vec<i64> = (0..5)
            .map(|index| queue(&host, "email", index, mail()))
            .collect();
        let [late, early, urgent, same, lost] = ids.try_into().unwrap();
        for (change, id) in [
            ("scheduled_at = scheduled_at - 5", early),
            ("priority = 1", urgent),
            (
                "scheduled_at = scheduled_at - 9, status = 'processing', lease = 'x'",
                lost,
            ),
        ] {
            set(
                &host,
                &format!("UPDATE cf_action_queue SET {change} WHERE id = {id}"),
            );
        }
        let mut order = Vec::new();
        while order.len() < 5 {
            let claims = claim(&mut host, at_once);
            order.extend(claims.iter().filter_map(|claim| claim["id"].as_i64()));
        }
        assert_eq!(
            order,
            [urgent, lost, early, late, same],
            "{at_once} at once"
        );
    }
}

#[test]
fn inline_runs_keep_the_same_order() {
    let mut host = Host::new();
    let to = |name: &str, priority: i64| json!({"type": "email", "to": format!("{name}@example.org"), "priority": priority});
    let actions = json!([to("third", 10), to("second", 5), to("first", 1)]);
    let settings = json!({"run_actions": "inline", "actions": actions});
    let (_, slug) = make_form(&mut host, "<input name=name>", settings);
    assert_eq!(submit(&mut host, &slug, &[("name", "Ann")]).0, 200);
    let order: Vec<&str> = host.mails.iter().map(|mail| mail.to[0].as_str()).collect();
    assert_eq!(
        order,
        [
            "first@example.org",
            "second@example.org",
            "third@example.org"
        ]
    );
}

/// Times from a clock that was a year ahead do not block the queue, visitors or the purge.
#[test]
fn a_due_time_beyond_the_longest_delay_counts_as_due() {
    let states = [("pending", 4), ("retrying", 28 * 60), ("processing", 4)];
    for (state, minutes) in states {
        let mut host = host();
        queue(&host, "email", 0, mail());
        let at =
            |ahead: i64| format!("UPDATE cf_action_queue SET status = '{state}', due_at = {ahead}");
        set(&host, &at(host.now + 2 * MINUTE));
        assert!(claim(&mut host, 1).is_empty(), "{state} in two minutes");
        set(&host, &at(host.now + minutes * MINUTE));
        assert_eq!(claim(&mut host, 1).len(), 1, "{state} in {minutes} minutes");
    }
    let mut host = Host::new();
    let settings = json!({"rate_limit": 1, "prevent_duplicates": true});
    let (_, slug) = make_form(&mut host, "<input name=name>", settings);
    let send = |host: &mut Host| submit(host, &slug, &[("name", "Ann")]).0;
    host.now += YEAR;
    assert_eq!(send(&mut host), 200);
    assert_eq!(send(&mut host), 429);
    host.now -= YEAR;
    assert_eq!(send(&mut host), 200, "visitors");
    assert_eq!(send(&mut host), 429);

    let purges = |host: &mut Host| {
        let request = host.request("POST", "", Some(json!({"begun": false})));
        let progress = host.engine.purge(request);
        host.drive(progress);
        number(
            host,
            "SELECT CAST(value AS INTEGER) FROM cf_settings WHERE name = 'purged_at'",
        )
    };
    host.now += YEAR;
    assert_eq!(purges(&mut host), host.now);
    host.now -= YEAR;
    assert_eq!(purges(&mut host), host.now, "the purge");
    host.now += MINUTE;
    assert_eq!(purges(&mut host), host.now - MINUTE, "once an hour");
}
