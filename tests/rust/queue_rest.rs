//! What the routes of workflows tell of the queue and of its logs.

use serde_json::{Value, json};

use crate::queue::{MINUTE, host, mail, queue};

#[test]
fn the_stats_count_every_run_and_every_state() {
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
            json!({"pending": 1, "processing": 0, "completed": 2, "retrying": 1, "failed": 0, "oldest_pending_seconds": 5})
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
fn the_failures_show_the_form_and_what_became_of_the_entry() {
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
    let (_, own) = host.send("GET", "/action-logs?submission_id=2", None);
    assert_eq!(own.as_array().map(Vec::len), Some(1));
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
