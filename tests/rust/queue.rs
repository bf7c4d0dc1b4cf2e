//! The queue: leases, limits and backoff.

use cf_forms::jobs::queue::{LEASE_MS, backoff};
use cf_forms::rest::handlers::workflows::STATES;
use serde_json::{Value, json};

use crate::host::Host;

pub const MINUTE: i64 = 60_000;

/// A host with one form.
pub fn host() -> Host {
    let host = Host::new();
    add_form(&host);
    host
}

/// Queues an action of a new form; returns the entry's id.
pub fn queue_on(host: &mut Host, settings: Value) -> i64 {
    add_form(host);
    let action_type = settings["type"].as_str().unwrap_or_default().to_owned();
    queue(host, &action_type, 0, settings)
}

/// Queues an action of an existing form; returns the entry's id.
pub fn queue_of(host: &mut Host, form_id: i64, settings: Value) -> i64 {
    let action_type = settings["type"].as_str().unwrap_or_default().to_owned();
    let id = queue(host, &action_type, 0, settings);
    for table in ["cf_submissions", "cf_action_queue"] {
        let sql = format!("UPDATE {table} SET form_id = ?1 WHERE id = ?2");
        host.database.execute(&sql, (form_id, id)).expect("a form");
    }
    count_entry(host, 1, -1);
    count_entry(host, form_id, 1);
    id
}

fn add_form(host: &Host) {
    let sql = "INSERT INTO cf_forms (id, title, slug, markup, settings, messages, source, has_schema, revision, created_at, updated_at, change_token) \
         VALUES (1, 'Contact', 'contact', '<input name=\"email\" type=\"email\">', '{}', '{}', 'markup', 0, 1, 0, 0, '')";
    host.database.execute(sql, []).expect("a form");
}

/// Stores a submission with one entry; returns the entry's id, which is also the submission's.
pub fn queue(host: &Host, action_type: &str, action_index: i64, settings: Value) -> i64 {
    queue_as(host, "new", action_type, action_index, settings)
}

fn queue_as(
    host: &Host,
    status: &str,
    action_type: &str,
    action_index: i64,
    settings: Value,
) -> i64 {
    let count = "SELECT COALESCE(MAX(id), 0) + 1 FROM cf_submissions";
    let id: i64 = host
        .database
        .query_row(count, [], |row| row.get(0))
        .expect("a number");
    let data = json!({"email": "ann@example.org", "name": "Ann"}).to_string();
    let sql = "INSERT INTO cf_submissions (id, uuid, form_id, status, change_token, is_spam, spam_score, spam_reasons, \
           actions_withheld, data, files, ip_address, user_agent, referer_url, page_url, schema_revision, submitted_at, modified_at) \
         VALUES (?1, 'sub-' || ?1, 1, ?2, '', 0, 0, '[]', 0, ?3, '[]', '', '', '', '', 1, ?4, ?4)";
    host.database
        .execute(sql, (id, status, data, host.now))
        .expect("a submission");
    let sql = "INSERT INTO cf_action_queue (id, form_id, submission_id, action_type, action_index, settings, status, priority, \
           attempts, abandoned, max_retries, last_error, idempotency_key, lane, lease, due_at, scheduled_at, created_at) \
         VALUES (?1, 1, ?1, ?2, ?3, ?4, 'pending', 10, 0, 0, 3, '', 'sub-' || ?1, '1:' || ?3, '', ?5, ?5, ?5)";
    let settings = settings.to_string();
    host.database
        .execute(sql, (id, action_type, action_index, settings, host.now))
        .expect("an entry");
    for form in [0, 1] {
        count_entry(host, form, 1);
    }
    id
}

fn count_entry(host: &Host, form_id: i64, by: i64) {
    let sql = "INSERT INTO cf_stats VALUES (?1, 'action_queue', '', 'pending', 0, ?2) \
         ON CONFLICT DO UPDATE SET count = count + excluded.count";
    host.database.execute(sql, (form_id, by)).expect("a count");
}

/// Asserts that the queue's counters, for the site and each form, match its rows.
pub fn assert_entries_are_counted(host: &mut Host) {
    let stats = stats(host);
    for form in ["", "&form_id=1", "&form_id=2"] {
        for state in STATES {
            let condition = form.replace('&', " AND ");
            let sql =
                format!("SELECT COUNT(*) FROM cf_action_queue WHERE status = '{state}'{condition}");
            let rows = crate::submissions_fixture::count(host, &sql);
            let path = format!("/cf/v1/action-queue?status={state}{form}");
            let request = host.request("GET", &path, None);
            let total = host.handle(request);
            let total = total.header("x-wp-total").map(str::to_owned);
            assert_eq!(total, Some(rows.to_string()), "{state}{form}");
            if form.is_empty() {
                assert_eq!(stats[state], rows, "{state}");
            }
        }
    }
}

pub fn mail() -> Value {
    json!({"type": "email", "to": "desk@example.org"})
}

pub fn claim(host: &mut Host, limit: i64) -> Vec<Value> {
    claim_as(host, json!({"limit": limit}))
}

fn claim_as(host: &mut Host, wanted: Value) -> Vec<Value> {
    let request = host.request("POST", "", Some(wanted));
    let progress = host.engine.claim_queue(request);
    let response = host.drive(progress);
    let body: Value = serde_json::from_slice(&response.body).expect("JSON");
    body["claimed"].as_array().cloned().unwrap_or_default()
}

pub fn run(host: &mut Host, claim: &Value) -> Value {
    let request = host.request("POST", "", Some(claim.clone()));
    let progress = host.engine.run_queue_entry(request);
    let response = host.drive(progress);
    serde_json::from_slice(&response.body).expect("JSON")
}

fn entry(host: &mut Host, id: i64) -> Value {
    let (_, entries) = host.send("GET", "/action-queue?per_page=100", None);
    let entries = entries.as_array().cloned().unwrap_or_default();
    entries
        .into_iter()
        .find(|entry| entry["id"] == id)
        .expect("the entry")
}

fn logs(host: &mut Host) -> Vec<Value> {
    let (status, logs) = host.send("GET", "/action-logs", None);
    assert_eq!(status, 200, "{logs}");
    logs.as_array().cloned().unwrap_or_default()
}

pub fn stats(host: &mut Host) -> Value {
    host.send("GET", "/action-queue/stats", None).1
}

#[test]
fn an_action_that_succeeds_is_completed_and_logged() {
    let mut host = host();
    let id = queue(&host, "email", 0, mail());
    assert_eq!(host.run_queue(), 1);
    let entry = entry(&mut host, id);
    assert_eq!(entry["status"], "completed");
    assert_eq!(entry["attempts"], 1);
    assert_eq!(entry["completed_at"], "2026-01-02T03:04:05.000Z");
    let logs = logs(&mut host);
    assert_eq!(logs.len(), 1);
    assert_eq!(logs[0]["status"], "success");
    assert_eq!(logs[0]["attempt"], 1);
    assert_eq!(logs[0]["queue_id"], id);
    assert_eq!(host.run_queue(), 0, "a completed entry is not run again");
}

#[test]
fn an_unconfigured_action_is_logged_as_skipped_and_not_retried() {
    let mut host = host();
    let id = queue(&host, "email", 0, json!({"type": "email", "to": " "}));
    host.run_queue();
    assert_eq!(entry(&mut host, id)["status"], "completed");
    let logs = logs(&mut host);
    assert_eq!(logs[0]["status"], "skipped");
    assert_eq!(logs[0]["message"], "Not set up yet: To is empty.");
    assert!(host.mails.is_empty());
}

#[test]
fn an_action_whose_conditions_are_not_met_is_skipped() {
    let mut host = host();
    let only_bob = json!({"rules": [{"field": "name", "operator": "=", "value": "Bob"}]});
    queue(
        &host,
        "email",
        0,
        json!({"type": "email", "to": "desk@example.org", "conditions": only_bob}),
    );
    host.run_queue();
    assert_eq!(
        logs(&mut host)[0]["message"],
        "The conditions were not met."
    );
    assert!(host.mails.is_empty());
}

#[test]
fn the_retry_delay_doubles_with_ten_percent_jitter() {
    for (failure, minutes) in [(1, 2), (2, 4), (3, 8), (4, 16)] {
        assert_eq!(backoff::delay_ms(failure, 0.5, 0), minutes * MINUTE);
        assert_eq!(
            backoff::delay_ms(failure, 0.0, 0),
            minutes * MINUTE * 9 / 10
        );
        assert_eq!(
            backoff::delay_ms(failure, 1.0, 0),
            minutes * MINUTE * 11 / 10
        );
    }
    assert_eq!(backoff::delay_ms(1, 0.5, 10 * MINUTE), 10 * MINUTE);
    assert_eq!(backoff::delay_ms(1, 0.5, 1), 2 * MINUTE);
    assert_eq!(backoff::delay_ms(1, 0.5, i64::MAX), 24 * 60 * MINUTE);
}

#[test]
fn a_claimed_entry_is_not_claimed_again_until_its_lease_expires() {
    let mut host = host();
    queue(&host, "email", 0, mail());
    let first = claim(&mut host, 10);
    assert_eq!(first.len(), 1);
    host.now += LEASE_MS - 1;
    assert!(claim(&mut host, 10).is_empty());
    host.now += 1;
    let second = claim(&mut host, 10);
    assert_eq!(second.len(), 1);
    assert_eq!(
        run(&mut host, &first[0])["status"],
        "lost",
        "the first worker has lost its lease"
    );
    assert!(host.mails.is_empty());
    assert_eq!(run(&mut host, &second[0])["status"], "completed");
    assert_eq!(host.mails.len(), 1);
}

#[test]
fn a_worker_that_ends_releases_its_entries_without_counting_an_attempt() {
    let mut host = host();
    let id = queue(&host, "email", 0, mail());
    let claimed = claim(&mut host, 10);
    let request = host.request("POST", "", Some(json!({"claimed": claimed})));
    let progress = host.engine.release_queue(request);
    assert_eq!(host.drive(progress).status, 200);
    let released = entry(&mut host, id);
    assert_eq!(released["status"], "pending");
    assert_eq!(released["attempts"], 0);
    assert_eq!(host.run_queue(), 1);
}

#[test]
fn one_action_of_one_form_cannot_fill_a_batch() {
    let mut host = host();
    for _ in 0..20 {
        queue(&host, "email", 0, mail());
    }
    let other = queue(&host, "email", 1, mail());
    let claimed = claim(&mut host, 10);
    assert_eq!(
        claimed.len(),
        5,
        "four entries of the first action, one of the other"
    );
    assert!(claimed.iter().any(|claim| claim["id"] == other));
    assert!(
        claim(&mut host, 10).is_empty(),
        "running entries count towards the limits"
    );
    run(&mut host, &claimed[0]);
    assert_eq!(claim(&mut host, 10).len(), 1);
}

#[test]
fn a_lane_gets_as_many_entries_as_its_limit_allows() {
    let mut host = host();
    for index in [0, 1, 2] {
        for _ in 0..20 {
            queue(&host, "email", index, mail());
        }
    }
    let limits = json!([["1:0", 12], ["1:2", 0]]);
    let wanted = json!({"limit": 64, "lane_limit": 1, "lane_limits": limits});
    let mut claimed = claim_as(&mut host, wanted.clone());
    let lanes = |claimed: &[Value]| {
        let count = |lane| claimed.iter().filter(|claim| claim["lane"] == lane).count();
        ["1:0", "1:1", "1:2"].map(count)
    };
    assert_eq!(lanes(&claimed), [12, 1, 0]);
    assert!(claim_as(&mut host, wanted.clone()).is_empty());
    run(&mut host, &claimed.remove(0));
    assert_eq!(lanes(&claim_as(&mut host, wanted)), [1, 0, 0]);
}

#[test]
fn the_next_claim_stores_the_outcomes_of_successes_together() {
    let mut host = host();
    let ids: Vec<i64> = (0..3)
        .map(|index| queue(&host, "email", index, mail()))
        .collect();
    for mut claimed in claim(&mut host, 10) {
        claimed["claims_after"] = json!(true);
        assert_eq!(run(&mut host, &claimed)["status"], "completed");
    }
    assert_eq!(host.mails.len(), 3);
    assert_eq!(stats(&mut host)["processing"], 3, "nothing is stored yet");
    // By now the lease has expired too.
    host.now += LEASE_MS;
    assert!(claim(&mut host, 10).is_empty(), "no entry runs again");
    for id in ids {
        assert_eq!(entry(&mut host, id)["status"], "completed");
    }
    assert_eq!(logs(&mut host).len(), 3);
    assert_entries_are_counted(&mut host);
    let counts = host.send("GET", "/action-logs/stats", None).1;
    assert_eq!(counts["by_action"][0]["success"], 3, "{counts}");
    assert_eq!(host.run_queue(), 0);
}

#[test]
fn a_failure_is_stored_before_its_run_ends() {
    let mut host = host();
    let id = queue(&host, "email", 0, mail());
    host.mail_fails = true;
    let mut claimed = claim(&mut host, 1).remove(0);
    claimed["claims_after"] = json!(true);
    assert_eq!(run(&mut host, &claimed)["status"], "retrying");
    assert_eq!(entry(&mut host, id)["status"], "retrying");
}

#[test]
fn long_answers_are_read_only_when_their_entry_starts() {
    let mut host = host();
    let (short, long) = (
        queue(&host, "email", 0, mail()),
        queue(&host, "email", 1, mail()),
    );
    let data = json!({"email": "ann@example.org", "name": "x".repeat(20_000)}).to_string();
    let sql = "UPDATE cf_submissions SET data = ?1 WHERE id = ?2";
    host.database.execute(sql, (data, long)).expect("an update");
    for claimed in claim(&mut host, 10) {
        assert_eq!(claimed["large"], claimed["id"] == long, "{claimed}");
        assert_eq!(run(&mut host, &claimed)["status"], "completed");
    }
    assert_eq!(entry(&mut host, short)["status"], "completed");
    assert!(
        host.mails
            .iter()
            .any(|mail| mail.text.contains(&"x".repeat(20_000)))
    );
}

#[test]
fn an_unsaved_submission_is_deleted_after_its_actions_succeeded() {
    let mut host = host();
    queue_as(&host, "unsaved", "email", 0, mail());
    let count = |host: &Host| -> i64 {
        let sql = "SELECT COUNT(*) FROM cf_submissions";
        host.database
            .query_row(sql, [], |row| row.get(0))
            .expect("a count")
    };
    host.mail_fails = true;
    host.run_queue();
    assert_eq!(count(&host), 1);
    host.mail_fails = false;
    host.now += 3 * MINUTE;
    host.run_queue();
    assert_eq!(count(&host), 0);
}

#[test]
fn an_unknown_action_type_fails_and_can_be_retried_with_its_plugin() {
    let mut host = host();
    let id = queue(
        &host,
        "carrier-pigeon",
        0,
        json!({"type": "carrier-pigeon"}),
    );
    host.run_queue();
    let waiting = entry(&mut host, id);
    assert_eq!(waiting["status"], "retrying");
    assert_eq!(
        waiting["last_error"],
        "No plugin on this site handles “carrier-pigeon” actions."
    );
}
