//! Routes of the queue and its log.

use cf_forms::task::IncomingResponse;
use model::MAX_SAFE_INTEGER;
use serde_json::{Value, json};

use crate::front_fixture::{make_form, submit};
use crate::host::Host;
use crate::queue::{MINUTE, host, mail, queue, queue_on};
use crate::submissions_fixture::ids;

#[test]
fn the_stats_count_runs_and_states() {
    let mut host = host();
    queue(&host, "email", 0, mail());
    queue(&host, "email", 1, json!({"type": "email"}));
    host.run_queue();
    host.mail_fails = true;
    queue(&host, "email", 0, mail());
    host.run_queue();
    host.now += 90_000;
    queue(&host, "email", 0, mail());
    host.now += 5_000;
    let sums = json!({"total": 3, "success": 1, "failed": 1, "skipped": 1, "success_rate": 50.0});
    let (_, stats) = host.send("GET", "/action-logs/stats", None);
    for (name, value) in sums.as_object().expect("an object") {
        assert_eq!(&stats[name], value, "{name}");
        assert_eq!(&stats["last_24h"][name], value, "{name}");
        assert_eq!(&stats["by_action"][0][name], value, "{name}");
    }
    assert_eq!(stats["by_action"][0]["action_type"], "email");
    assert_eq!(
        host.send("GET", "/action-queue/stats", None),
        (
            200,
            json!({"pending": 1, "processing": 0, "completed": 2, "retrying": 1, "failed": 0, "cancelled": 0, "oldest_pending_seconds": 5, "needs_attention": 0})
        )
    );
    host.now += 25 * 60 * MINUTE;
    let (_, stats) = host.send("GET", "/action-logs/stats?form_id=1", None);
    assert_eq!(
        (&stats["total"], &stats["last_24h"]["total"]),
        (&json!(3), &json!(0))
    );
    let (_, stats) = host.send("GET", "/action-logs/stats?form_id=2", None);
    assert_eq!(
        (&stats["total"], &stats["success_rate"]),
        (&json!(0), &json!(0.0))
    );
}

#[test]
fn the_failures_show_the_form_and_the_current_state_of_the_entry() {
    let mut host = host();
    host.mail_fails = true;
    queue(&host, "email", 0, mail());
    host.run_queue();
    let (_, failures) = host.send("GET", "/action-logs/failures", None);
    assert_eq!(failures[0]["form_title"], "Contact");
    assert_eq!(failures[0]["queue_status"], "retrying");
    assert_eq!(failures[0]["status"], "failed");
    host.database
        .execute("DELETE FROM cf_forms", [])
        .expect("no form");
    let (_, failures) = host.send("GET", "/action-logs/failures", None);
    assert_eq!(failures[0]["form_title"], Value::Null);
}

#[test]
fn logs_are_filtered_paged_and_validated() {
    let mut host = host();
    for _ in 0..3 {
        queue(&host, "email", 0, mail());
    }
    host.run_queue();
    let request = host.request(
        "GET",
        "/cf/v1/action-logs?per_page=2&form_id=1&status=success",
        None,
    );
    let response = host.handle(request);
    assert_eq!(response.header("x-wp-total"), Some("3"));
    assert_eq!(response.header("x-wp-totalpages"), Some("2"));
    let (_, of_submission) = host.send("GET", "/action-logs?submission_id=2", None);
    assert_eq!(of_submission.as_array().map(Vec::len), Some(1));
    assert_eq!(
        host.send("GET", "/action-logs?status=failed", None),
        (200, json!([]))
    );
    let (status, error) = host.send("GET", "/action-logs?status=nonsense", None);
    assert_eq!(
        (status, &error["code"]),
        (400, &json!("rest_invalid_param"))
    );
    let (status, error) = host.send("GET", "/action-logs?page=9", None);
    assert_eq!(
        (status, &error["code"]),
        (400, &json!("rest_post_invalid_page_number"))
    );
    let (status, error) = host.send("GET", "/action-queue?status=nonsense", None);
    assert_eq!(
        (status, &error["code"]),
        (400, &json!("rest_invalid_param"))
    );
}

/// Returns the ids of a page of a list, and the cursor of the next page.
fn page(host: &mut Host, path: &str) -> (Vec<i64>, Option<String>) {
    let request = host.request("GET", &format!("/cf/v1{path}"), None);
    let response = host.handle(request);
    let body: Value = serde_json::from_slice(&response.body).expect("JSON");
    assert_eq!(response.status, 200, "{path}: {body}");
    let next = response.header("x-cf-next-cursor").map(str::to_owned);
    (ids(&body), next)
}

/// Creates a host that has run this number of entries, one per second.
fn with_runs(runs: usize) -> Host {
    let mut host = host();
    for _ in 0..runs {
        queue(&host, "email", 0, mail());
        host.run_queue();
        host.now += 1_000;
    }
    host
}

#[test]
fn cursors_reach_all_of_the_queue_and_its_log_in_both_orders() {
    let mut host = with_runs(5);
    for list in ["/action-logs", "/action-queue"] {
        for (order, expected) in [("desc", [5, 4, 3, 2, 1]), ("asc", [1, 2, 3, 4, 5])] {
            for by in ["created_at", "date", "id"] {
                let mut walked = Vec::new();
                let mut cursor = String::new();
                for _ in 0..3 {
                    let path =
                        format!("{list}?per_page=2&order={order}&orderby={by}&cursor={cursor}");
                    let (ids, next) = page(&mut host, &path);
                    walked.extend(ids);
                    cursor = next.unwrap_or_default();
                }
                assert_eq!(walked, expected, "{list} {order} {by}");
                assert_eq!(cursor, "", "{list}: nothing follows the last");
            }
        }
        assert_eq!(page(&mut host, &format!("{list}?offset=3")).0, [2, 1]);
        let middle = "after=2026-01-02T03:04:05Z&before=2026-01-02T03:04:08Z";
        assert_eq!(page(&mut host, &format!("{list}?{middle}")).0, [3, 2]);
        for wrong in [
            "after=soon",
            "orderby=colour",
            "order=up",
            "cursor=x",
            "per_page=101",
        ] {
            let (status, error) = host.send("GET", &format!("{list}?{wrong}"), None);
            assert_eq!(
                (status, &error["code"]),
                (400, &json!("rest_invalid_param")),
                "{list}?{wrong}"
            );
        }
    }
}

#[test]
fn a_cursor_does_not_move_between_dismissed_entries_and_others() {
    let mut host = host();
    for _ in 0..2 {
        queue(&host, "email", 0, mail());
    }
    host.database
        .execute("UPDATE cf_action_queue SET status = 'failed'", [])
        .expect("failed entries");
    let (_, next) = page(&mut host, "/action-queue?per_page=1&dismissed=false");
    let next = next.expect("a cursor");
    let (status, error) = host.send(
        "GET",
        &format!("/action-queue?dismissed=true&cursor={next}"),
        None,
    );
    assert_eq!(
        (status, &error["code"]),
        (400, &json!("rest_invalid_param"))
    );
}

#[test]
fn a_date_range_of_logs_or_entries_has_a_total() {
    let mut host = with_runs(3);
    for list in ["/action-logs", "/action-queue"] {
        let path = format!("/cf/v1{list}?per_page=1&after=2026-01-02T03:04:05Z");
        let request = host.request("GET", &path, None);
        let response = host.handle(request);
        assert_eq!(response.header("x-wp-total"), Some("2"), "{list}");
        let link = response.header("link").unwrap_or_default();
        assert!(link.contains("rel=\"next\""), "{list}: {link}");
    }
}

#[test]
fn a_row_with_a_skewed_time_hides_no_other_row() {
    let mut host = with_runs(5);
    for (list, table) in [
        ("/action-logs", "cf_action_logs"),
        ("/action-queue", "cf_action_queue"),
    ] {
        let wrong = "created_at = created_at + 31536000000 WHERE id = 2";
        let sql = format!("UPDATE {table} SET {wrong}");
        host.database.execute(&sql, []).unwrap();
        for (range, expected) in [
            ("before=2026-01-02T05:00:00Z", vec![5, 4, 3, 1]),
            ("after=2026-01-02T03:04:06Z", vec![5, 4, 3]),
            ("after=2026-06-01T00:00:00Z", vec![2]),
            ("before=2025-06-01T00:00:00Z", vec![]),
            ("after=2028-06-01T00:00:00Z", vec![]),
        ] {
            let path = format!("{list}?{range}");
            assert_eq!(page(&mut host, &path).0, expected, "{path}");
        }
    }
}

#[test]
fn lists_of_the_queue_and_its_log_use_an_index() {
    let host = host();
    for table in ["cf_action_queue", "cf_action_logs"] {
        for (condition, index) in [
            ("form_id = 1", "form_id"),
            ("status = 'failed'", "status_id"),
            ("form_id = 1 AND status = 'failed'", "form_status_id"),
            ("submission_id = 1", "submission"),
            (
                "submission_id = 1 AND form_id + 0 = 1 AND status || '' = 'failed'",
                "submission",
            ),
        ] {
            let sql = format!(
                "EXPLAIN QUERY PLAN SELECT * FROM {table} WHERE {condition} ORDER BY id DESC LIMIT 20"
            );
            let plan = |row: &rusqlite::Row<'_>| row.get::<_, String>(3);
            let plan = host.database.query_row(&sql, [], plan).unwrap();
            let walked = format!("USING INDEX {table}_{index} (");
            assert!(plan.contains(&walked), "{condition}: {plan}");
        }
    }
}

#[test]
fn a_failure_keeps_request_and_response_and_is_deleted_with_its_submission() {
    let mut host = Host::new();
    let hook =
        json!({"type": "webhook", "url": "https://example.org/", "headers": "x-token: hunter2"});
    queue_on(&mut host, hook);
    host.responses = vec![Ok(IncomingResponse {
        status: 500,
        headers: Default::default(),
        body: "n".repeat(5_000).into_bytes(),
    })];
    host.run_queue();
    let (_, failures) = host.send("GET", "/action-logs/failures", None);
    let output = &failures[0]["output"];
    assert_eq!(output["request"]["url"], "https://example.org/");
    assert_eq!(output["response"]["status"], 500);
    let answered = output["response"]["body"].as_str().expect("a text");
    assert_eq!(answered, ["n".repeat(4_000).as_str(), "…"].concat());
    assert!(!failures.to_string().contains("hunter2"), "{output}");
    assert_eq!(host.send("DELETE", "/submissions/1", None).0, 200);
    let (_, failures) = host.send("GET", "/action-logs/failures", None);
    assert_eq!(failures, json!([]));
}

#[test]
fn a_priority_beyond_javascripts_safe_integers_blocks_no_action() {
    let mut host = Host::new();
    for priority in [i64::MIN, i64::MAX] {
        let mut action = mail();
        action["priority"] = json!(priority);
        let (_, slug) = make_form(&mut host, "<input name=name>", json!({"actions": [action]}));
        assert_eq!(submit(&mut host, &slug, &[("name", "Ann")]).0, 200);
    }
    assert_eq!(host.run_queue(), 2);
    let (_, entries) = host.send("GET", "/action-queue?orderby=id&order=asc", None);
    let exact = [-MAX_SAFE_INTEGER, MAX_SAFE_INTEGER];
    for (entry, priority) in entries.as_array().unwrap().iter().zip(exact) {
        assert_eq!(entry["status"], "completed", "{entry}");
        assert_eq!(entry["priority"], priority);
    }
}

#[test]
fn a_nul_in_a_response_is_removed_from_the_log() {
    let mut host = Host::new();
    host.responses.push(Ok(IncomingResponse {
        status: 500,
        headers: Default::default(),
        body: br#"{"message": "no\u0000 such room"}"#.to_vec(),
    }));
    queue_on(
        &mut host,
        json!({"type": "discord", "url": "https://example.org/hook"}),
    );
    assert_eq!(host.run_queue(), 1);
    let (_, entries) = host.send("GET", "/action-queue", None);
    assert_eq!(entries[0]["status"], "retrying");
    let error = entries[0]["last_error"].as_str().unwrap();
    assert!(error.ends_with("no such room"), "{error}");
}
