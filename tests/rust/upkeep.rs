//! The purge of expired data and files, and the paging of long lists.

use serde_json::{Value, json};

use crate::front_fixture::{make_form, submit};
use crate::host::Host;
use crate::queue_purge::{DAY, purge, send_unsaved};
use crate::submissions_fixture::count;

fn get(host: &mut Host, path: &str) -> (cf_forms::http::Response, Value) {
    let request = host.request("GET", &format!("/cf/v1{path}"), None);
    let response = host.handle(request);
    let body = serde_json::from_slice(&response.body).unwrap();
    (response, body)
}

const INDEXED: &str = "SELECT COUNT(*) FROM cf_submission_search";

#[test]
fn the_index_drops_an_unsaved_submission_with_its_last_log_entry() {
    let mut host = Host::new();
    let settings = json!({"save_submissions": false, "actions": [{"type": "email", "to": "desk@example.org"}]});
    let (_, slug) = make_form(&mut host, "<input type=email name=mail>", settings);
    for mail in ["a@example.org", "b@example.org"] {
        assert_eq!(submit(&mut host, &slug, &[("mail", mail)]).0, 200);
    }
    host.run_queue();
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_submissions"), 0);
    host.now += 31 * DAY;
    purge(&mut host);
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_action_queue"), 0);
    assert_eq!(count(&host, INDEXED), 2, "their logs exist");
    let body = Some(json!({"email": "a@example.org"}));
    let (_, receipt) = host.send("POST", "/privacy/erase", body);
    assert_eq!(
        (&receipt["action_logs"], count(&host, INDEXED)),
        (&json!(1), 1)
    );
    host.now += 60 * DAY;
    purge(&mut host);
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_action_logs"), 0);
    assert_eq!(count(&host, INDEXED), 0);
}

#[test]
fn unsaved_spam_is_purged_after_30_days_and_saved_spam_stays() {
    let mut host = Host::new();
    let forms = [false, true].map(|save| {
        let actions = json!([{"type": "email", "to": "desk@example.org"}]);
        let settings = json!({"save_submissions": save, "actions": actions});
        let (id, slug) = make_form(&mut host, "<input name=name>", settings);
        let trap = format!("_cf_h{id}");
        assert_eq!(submit(&mut host, &slug, &[(&trap, "robot")]).0, 200);
        id
    });
    let spam = format!(
        "SELECT COUNT(*) FROM cf_submissions WHERE form_id = {}",
        forms[0]
    );
    host.now += 30 * DAY - 1;
    purge(&mut host);
    assert_eq!(count(&host, &spam), 1, "it can be marked as not spam");
    host.now += DAY;
    purge(&mut host);
    assert_eq!(count(&host, &spam), 0);
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_submissions"), 1);
    let (_, list) = get(&mut host, "/submissions?status=spam");
    assert_eq!(list[0]["form_id"], forms[1]);
}

#[test]
fn a_file_of_an_unfinished_submit_is_removed_after_a_day() {
    let mut host = Host::new();
    send_unsaved(&mut host);
    host.run_queue();
    let files = "SELECT COUNT(*) FROM cf_uploads";
    assert_eq!((host.files.len(), count(&host, files)), (0, 0));
    let (_, slug) = make_form(&mut host, "<input type=file name=cv>", json!({}));
    let broken = "CREATE TRIGGER broken BEFORE INSERT ON cf_submissions BEGIN SELECT RAISE(ABORT, 'gone'); END";
    host.database.execute_batch(broken).unwrap();
    host.files_stay = true;
    let mut request = crate::front_fixture::visitor(&host, "POST", &format!("/{slug}"));
    let kind = "multipart/form-data; boundary=x".to_owned();
    request.headers.insert("content-type".to_owned(), kind);
    request.body = b"--x\r\nContent-Disposition: form-data; name=\"cv\"; filename=\"cv.txt\"\r\n\
        Content-Type: text/plain\r\n\r\nhello\r\n--x--\r\n"
        .to_vec();
    assert_eq!(host.visit(request).status, 500);
    host.files_stay = false;
    assert_eq!((host.files.len(), count(&host, files)), (1, 1));
    purge(&mut host);
    assert_eq!(host.files.len(), 1, "its submit may still run");
    host.now += DAY + 1;
    purge(&mut host);
    assert_eq!((host.files.len(), count(&host, files)), (0, 0));
}

#[test]
fn files_are_removed_in_small_steps_and_a_failure_does_not_block_others() {
    let mut host = Host::new();
    let abandoned = "INSERT INTO cf_uploads (uuid, form_id, submission_id, field_name, filename, content_type, size, file_key, created_at)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)
        SELECT 'u' || i, 0, 0, 'f', 'f', 'text/plain', 1, 'key' || i, 0 FROM n";
    host.database.execute_batch(abandoned).unwrap();
    host.files_stay = true;
    assert_eq!(purge(&mut host), 3, "each file is tried once");
    assert_eq!(host.log.len(), 250);
    host.files_stay = false;
    host.now += DAY;
    assert_eq!(purge(&mut host), 3, "100, 100 and 50");
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_uploads"), 0);
}

#[test]
fn the_total_of_receipts_is_at_most_a_thousand_but_cursors_reach_all() {
    let mut host = Host::new();
    let receipts = "INSERT INTO cf_erasures (uuid, address_hash, submissions, queue_entries, action_logs, files, erased_at)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1050)
        SELECT 'r' || i, 'h', 0, 0, 0, 0, i FROM n";
    host.database.execute_batch(receipts).unwrap();
    let (response, _) = get(&mut host, "/privacy/erasures?per_page=100");
    assert_eq!(response.header("x-wp-total"), Some("1000"));
    assert_eq!(response.header("x-cf-total-is-least"), Some("true"));
    let (mut cursor, mut seen) = (String::new(), 0);
    loop {
        let path = format!("/privacy/erasures?per_page=100&cursor={cursor}");
        let (response, body) = get(&mut host, &path);
        assert_eq!(body[0]["id"], format!("r{}", 1050 - seen));
        seen += body.as_array().unwrap().len();
        match response.header("x-cf-next-cursor") {
            Some(next) => cursor = next.to_owned(),
            None => break,
        }
    }
    assert_eq!(seen, 1050);
    let (last, _) = get(&mut host, "/privacy/erasures?per_page=100&page=11");
    assert_eq!(last.status, 200, "a page beyond the count");
}

#[test]
fn counting_many_queue_entries_takes_as_many_statements_as_few() {
    let mut costs = Vec::new();
    for entries in [20, 5_200] {
        let mut host = Host::new();
        let rows = format!(
            "INSERT INTO cf_action_queue (form_id, submission_id, action_type, action_index, settings, status, priority,
              attempts, abandoned, max_retries, last_error, idempotency_key, lane, lease, due_at, scheduled_at, created_at)
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {entries})
            SELECT 1, i, 'email', 0, '{{}}', 'pending', 10, 0, 0, 3, '', 'k' || i, '1:0', '', NULL, i, i FROM n;
            INSERT INTO cf_stats SELECT form, 'action_queue', '', 'pending', 0, {entries} FROM (SELECT 0 AS form UNION ALL SELECT 1)"
        );
        host.database.execute_batch(&rows).unwrap();
        for (query, total) in [
            ("", entries),
            ("?status=pending", entries),
            ("?form_id=1", entries),
            ("?form_id=1&status=pending", entries),
            ("?status=retrying", 0),
        ] {
            let (response, _) = get(&mut host, &format!("/action-queue{query}"));
            let total = total.to_string();
            assert_eq!(
                response.header("x-wp-total"),
                Some(total.as_str()),
                "{query}"
            );
            assert_eq!(response.header("x-cf-total-is-least"), None, "{query}");
        }
        let (response, stats) = get(&mut host, "/action-queue/stats");
        assert_eq!(
            (&stats["pending"], &stats["processing"]),
            (&json!(entries), &json!(0))
        );
        assert_eq!(response.header("x-cf-total-is-least"), None);
        costs.push(host.statements);
    }
    assert_eq!(costs[0], costs[1]);
}

#[test]
fn a_purge_reads_each_form_once_and_a_limited_number_in_a_step() {
    let mut host = Host::new();
    let forms = "INSERT INTO cf_forms (title, slug, markup, settings, messages, source, has_schema, revision, created_at, updated_at, change_token)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)
        SELECT 'F' || i, 'f' || i, '', '{\"retention_days\": 1}', '{}', 'markup', 0, 1, 0, 0, i FROM n;
      INSERT INTO cf_submissions (uuid, form_id, status, change_token, is_spam, spam_score, spam_reasons, actions_withheld, data,
          files, ip_address, user_agent, referer_url, page_url, schema_revision, submitted_at, modified_at)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)
        SELECT 'u' || i, i, 'new', '', 0, 0, '[]', 0, '{}', '[]', '', '', '', '', 1, 0, 0 FROM n";
    host.database.execute_batch(forms).unwrap();
    let rows = "SELECT COUNT(*) FROM cf_submissions";
    let steps = purge(&mut host);
    assert_eq!(count(&host, rows), 0);
    assert_eq!(
        steps, 26,
        "25 steps, each with one submission of each of ten forms, and a last one that finds nothing"
    );
    // Nothing has expired now; each form is read once.
    host.now += DAY;
    let before = host.statements;
    assert_eq!(purge(&mut host), 3, "100 forms, 100, 50");
    let each = (host.statements - before) as f64 / 250.0;
    assert!(each < 6.0, "{each} statements for a form");
}

#[test]
fn a_cursor_of_another_list_order_or_filter_is_rejected() {
    let mut host = Host::new();
    let (_, slug) = make_form(&mut host, "<input name=name>", json!({}));
    for _ in 0..4 {
        assert_eq!(submit(&mut host, &slug, &[("name", "Ada")]).0, 200);
    }
    let base = "per_page=1&after=2020-01-01";
    let (response, _) = get(&mut host, &format!("/submissions?{base}"));
    let cursor = response.header("x-cf-next-cursor").unwrap().to_owned();
    for filter in [
        "",
        "&order=desc",
        "&orderby=date",
        "&_locale=user",
        "&_fields=id",
    ] {
        let (response, _) = get(
            &mut host,
            &format!("/submissions?{base}&cursor={cursor}{filter}"),
        );
        assert_eq!(response.status, 200, "{filter}");
    }
    for other in [
        "/submissions?after=2021-01-01",
        "/submissions?",
        "/submissions?after=2020-01-01&status=new",
        "/submissions?after=2020-01-01&form_id=1",
        "/submissions?after=2020-01-01&search=ada",
        "/submissions?after=2020-01-01&order=asc",
        "/submissions?after=2020-01-01&orderby=id",
        "/submissions?after=2020-01-01&before=2030-01-01",
        "/forms/1/submissions?after=2020-01-01",
        "/action-queue?after=2020-01-01",
        "/action-logs?after=2020-01-01",
        "/privacy/erasures?",
    ] {
        let (response, body) = get(&mut host, &format!("{other}&cursor={cursor}"));
        assert_eq!(response.status, 400, "{other}");
        assert!(
            body["data"]["params"]["cursor"].is_string(),
            "{other}: {body}"
        );
    }
}
