//! Purge: which rows it deletes by age, and which never.

use serde_json::{Value, json};

use crate::front_fixture::{json_of, make_form, submit, visitor};
use crate::host::Host;
use crate::queue::{MINUTE, host, mail, queue};
use crate::submissions_fixture::count;

pub const DAY: i64 = 24 * 60 * MINUTE;

/// Purges as a host does until nothing is left; returns the number of steps.
pub fn purge(host: &mut Host) -> usize {
    for steps in 1..100 {
        let request = host.request("POST", "", Some(json!({"begun": steps > 1})));
        let progress = host.engine.purge(request);
        let response = host.drive(progress);
        let answer: Value = serde_json::from_slice(&response.body).expect("JSON");
        assert_eq!(response.status, 200, "{answer} {:?}", response.log);
        if answer["more"] == false {
            return steps;
        }
    }
    panic!("a purge without an end");
}

fn entries(host: &Host) -> i64 {
    count(host, "SELECT COUNT(*) FROM cf_action_queue")
}

fn logs(host: &Host) -> i64 {
    count(host, "SELECT COUNT(*) FROM cf_action_logs")
}

/// Asserts that the lists, their totals and the stats match the rows.
fn assert_counts_agree(host: &mut Host) {
    for (list, table) in [
        ("/action-queue", "cf_action_queue"),
        ("/action-logs", "cf_action_logs"),
    ] {
        for filter in ["", "&form_id=1"] {
            let request = host.request("GET", &format!("/cf/v1{list}?per_page=1{filter}"), None);
            let response = host.handle(request);
            let rows = count(host, &format!("SELECT COUNT(*) FROM {table}")).to_string();
            assert_eq!(response.header("x-wp-total"), Some(rows.as_str()), "{list}");
        }
    }
    let (_, stats) = host.send("GET", "/action-logs/stats", None);
    assert_eq!(stats["total"], logs(host));
}

#[test]
fn completed_entries_are_purged_after_30_days_and_logs_and_failed_ones_after_90() {
    let mut host = host();
    queue(&host, "email", 0, mail());
    host.run_queue();
    host.mail_fails = true;
    let failed = queue(&host, "email", 0, mail());
    for _ in 0..4 {
        host.run_queue();
        host.now += 10 * MINUTE;
    }
    assert_counts_agree(&mut host);
    host.now += 29 * DAY;
    purge(&mut host);
    assert_eq!((entries(&host), logs(&host)), (2, 5));
    host.now += DAY;
    purge(&mut host);
    assert_eq!((entries(&host), logs(&host)), (1, 5));
    assert_counts_agree(&mut host);
    host.now += 58 * DAY;
    purge(&mut host);
    let (status, _) = host.send("POST", &format!("/action-queue/{failed}/retry"), None);
    assert_eq!(status, 200, "failed entries can be retried for 90 days");
    host.mail_fails = false;
    host.run_queue();
    host.now += 2 * DAY;
    purge(&mut host);
    assert_eq!(
        (entries(&host), logs(&host)),
        (1, 1),
        "the entry was retried recently"
    );
    assert_counts_agree(&mut host);
    host.now += 90 * DAY;
    purge(&mut host);
    assert_eq!((entries(&host), logs(&host)), (0, 0));
    assert_counts_agree(&mut host);
}

#[test]
fn unfinished_entries_are_never_purged() {
    let mut host = host();
    for state in ["pending", "processing", "retrying"] {
        let id = queue(&host, "email", 0, mail());
        let sql = "UPDATE cf_action_queue SET status = ?1 WHERE id = ?2";
        host.database.execute(sql, (state, id)).expect("a state");
    }
    host.now += 10_000 * DAY;
    purge(&mut host);
    assert_eq!(entries(&host), 3);
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_submissions"), 3);
}

#[test]
fn a_purge_takes_small_steps_and_starts_once_an_hour() {
    let mut host = host();
    for _ in 0..450 {
        queue(&host, "email", 0, json!({"type": "email"}));
    }
    host.run_queue();
    host.now += 100 * DAY;
    assert_eq!(purge(&mut host), 3, "200, 200 and 50");
    assert_eq!((entries(&host), logs(&host)), (0, 0));
    assert_counts_agree(&mut host);
    queue(&host, "email", 0, json!({"type": "email"}));
    host.run_queue();
    let sql = "UPDATE cf_action_queue SET created_at = 0, completed_at = 0";
    host.database.execute(sql, []).expect("old");
    purge(&mut host);
    assert_eq!(
        entries(&host),
        1,
        "the previous purge began less than an hour ago"
    );
    host.now += 60 * MINUTE;
    purge(&mut host);
    assert_eq!(entries(&host), 0);
}

#[test]
fn an_action_does_not_run_again_after_its_entry_was_purged() {
    let mut host = Host::new();
    let settings = json!({"actions": [{"type": "email", "to": "desk@example.org"}]});
    let (_, slug) = make_form(&mut host, "<input name=name>", settings);
    let trap = [("_cf_h1", "robot"), ("_submission_key", "key")];
    submit(&mut host, &slug, &trap);
    let set = |host: &mut Host, status: &str| {
        let body = Some(json!({"status": status}));
        assert_eq!(host.send("PATCH", "/submissions/1", body).0, 200);
        host.run_queue();
    };
    set(&mut host, "new");
    assert_eq!(host.mails.len(), 1);
    host.now += 31 * DAY;
    purge(&mut host);
    assert_eq!(entries(&host), 0);
    set(&mut host, "spam");
    set(&mut host, "read");
    assert_eq!((host.mails.len(), entries(&host)), (1, 0));
}

#[test]
fn a_purge_removes_any_number_of_expired_keys_and_limits() {
    let mut host = Host::new();
    for sql in [
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 450) \
         INSERT INTO cf_submission_keys (form_id, submission_key, submission_uuid, submission_id, answer, \
           created_at) SELECT 1, 'key' || i, 'uuid' || i, 0, '', 0 FROM n",
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 650) \
         INSERT INTO cf_rate_limits (form_id, bucket, window_start, count) \
         SELECT 1, 'bucket' || i, 0, 1 FROM n",
    ] {
        host.database.execute(sql, []).expect("old rows");
    }
    assert_eq!(purge(&mut host), 4, "200, 200, 200 and 50");
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_submission_keys"), 0);
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_rate_limits"), 0);
}

#[test]
fn a_purge_continues_after_a_hundred_abandoned_files() {
    let mut host = Host::new();
    let sql = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150) \
        INSERT INTO cf_uploads (uuid, form_id, submission_id, field_name, filename, content_type, size, \
          file_key, created_at) SELECT 'u' || i, 1, 0, 'f', 'f', '', 1, 'key' || i, 0 FROM n";
    host.database.execute(sql, []).expect("abandoned files");
    purge(&mut host);
    assert_eq!(stored_counts(&host), (0, 0, 0));
}

#[test]
fn retention_keeps_a_submission_whose_actions_still_wait() {
    let mut host = Host::new();
    let actions = json!([{"type": "email", "to": "desk@example.org"}]);
    let settings = json!({"retention_days": 1, "actions": actions});
    let (_, slug) = make_form(&mut host, "<input name=name>", settings);
    submit(&mut host, &slug, &[("name", "Ann")]);
    host.now += 3 * DAY;
    purge(&mut host);
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_submissions"), 1);
    host.run_queue();
    assert_eq!(host.mails.len(), 1);
    host.now += 60 * MINUTE;
    purge(&mut host);
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_submissions"), 0);
}

#[test]
fn a_submission_key_is_kept_for_seven_days() {
    let mut host = Host::new();
    let (_, slug) = make_form(&mut host, "<input name=name>", json!({}));
    let pairs = [("name", "Ann"), ("_submission_key", "s-key")];
    let first = submit(&mut host, &slug, &pairs);
    host.now += 7 * DAY;
    purge(&mut host);
    assert_eq!(submit(&mut host, &slug, &pairs), first);
    host.now += DAY;
    purge(&mut host);
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_submission_keys"), 0);
}

/// Submits a file to a form that stores no submissions, whose two mails are sent or fail.
pub fn send_unsaved(host: &mut Host) {
    let actions =
        json!([{"type": "email", "to": "a@example.org"}, {"type": "email", "to": "b@example.org"}]);
    let settings = json!({"save_submissions": false, "actions": actions});
    let (_, slug) = make_form(host, "<input type=file name=cv>", settings);
    let mut request = visitor(host, "POST", &format!("/{slug}"));
    let kind = "multipart/form-data; boundary=x".to_owned();
    request.headers.insert("content-type".to_owned(), kind);
    request
        .headers
        .insert("accept".to_owned(), "application/json".to_owned());
    request.body = b"--x\r\nContent-Disposition: form-data; name=\"cv\"; filename=\"cv.txt\"\r\n\
        Content-Type: text/plain\r\n\r\nsecret\r\n--x--\r\n"
        .to_vec();
    let (status, body) = json_of(&host.visit(request));
    assert_eq!(status, 200, "{body}");
    assert_eq!(host.files.len(), 1);
}

fn stored_counts(host: &Host) -> (usize, i64, i64) {
    (
        host.files.len(),
        count(host, "SELECT COUNT(*) FROM cf_uploads"),
        count(host, "SELECT COUNT(*) FROM cf_submissions"),
    )
}

#[test]
fn files_of_an_unsaved_submission_are_deleted_after_its_last_action() {
    let mut host = Host::new();
    send_unsaved(&mut host);
    let sql = "UPDATE cf_action_queue SET due_at = due_at + 60000 WHERE action_index = 1";
    host.database.execute(sql, []).expect("later");
    host.run_queue();
    host.now += 50_000;
    purge(&mut host);
    assert_eq!(
        stored_counts(&host),
        (1, 1, 1),
        "an action needs the answers"
    );
    host.now += 60_000;
    host.run_queue();
    assert_eq!(stored_counts(&host), (0, 0, 0));
    assert_eq!(host.mails.len(), 2);
}

#[test]
fn files_of_an_unsaved_submission_wait_30_days_for_a_retry() {
    let mut host = Host::new();
    send_unsaved(&mut host);
    host.mail_fails = true;
    for _ in 0..4 {
        host.run_queue();
        host.now += 10 * MINUTE;
    }
    host.now += 29 * DAY;
    purge(&mut host);
    assert_eq!(stored_counts(&host), (1, 1, 1));
    host.mail_fails = false;
    assert_eq!(host.send("POST", "/action-queue/1/retry", None).0, 200);
    assert_eq!(host.run_queue(), 1);
    host.now += 2 * DAY;
    purge(&mut host);
    assert_eq!(
        stored_counts(&host),
        (0, 0, 0),
        "the other entry was not retried"
    );
    assert_eq!(entries(&host), 2, "the log keeps its runs");
}

#[test]
fn files_that_could_not_be_deleted_at_first_are_deleted_later() {
    let mut host = Host::new();
    send_unsaved(&mut host);
    host.files_stay = true;
    host.run_queue();
    assert_eq!(stored_counts(&host), (1, 1, 0));
    host.files_stay = false;
    purge(&mut host);
    assert_eq!(stored_counts(&host), (0, 0, 0));

    send_unsaved(&mut host);
    let sql = "UPDATE cf_action_queue SET status = 'completed', due_at = NULL, completed_at = ?1";
    host.database.execute(sql, [host.now]).expect("done");
    host.now += 60 * MINUTE;
    purge(&mut host);
    assert_eq!(stored_counts(&host), (0, 0, 0));
}
