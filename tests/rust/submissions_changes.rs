//! Routes that change submissions: status, deletion, bulk changes.

use serde_json::{Value, json};

use crate::host::Host;
use crate::submissions_fixture::{
    assert_counters_agree, count, form, ids, new, spam, stored, with_action,
};

#[test]
fn changing_a_status_updates_the_counters() {
    let mut host = Host::new();
    let form = form(&mut host, "contact", json!({}));
    let all: Vec<i64> = (0..6).map(|_| stored(&mut host, new(form, "x"))).collect();
    stored(&mut host, spam(form, "y"));
    for (id, status) in all
        .iter()
        .zip(["read", "replied", "archived", "spam", "trash", "new"])
    {
        let path = format!("/submissions/{id}");
        let (code, body) = host.send("PATCH", &path, Some(json!({"status": status})));
        assert_eq!((code, &body["status"]), (200, &json!(status)));
        assert_eq!(body["is_spam"], json!(status == "spam"));
        assert_eq!(host.send("GET", &path, None).1, body);
        assert_counters_agree(&host);
    }
    for body in [
        json!({"status": "nonsense"}),
        json!({"status": "unsaved"}),
        json!({"status": "any"}),
        json!({"status": 5}),
    ] {
        let (code, answer) = host.send(
            "PATCH",
            &format!("/submissions/{}", all[0]),
            Some(body.clone()),
        );
        assert_eq!(
            (code, &answer["code"]),
            (400, &json!("rest_invalid_param")),
            "{body}"
        );
    }
    let (code, answer) = host.send(
        "PATCH",
        &format!("/submissions/{}", all[0]),
        Some(json!({})),
    );
    assert_eq!((code, &answer["code"]), (400, &json!("missing_type")));
    let (code, answer) = host.send("PATCH", "/submissions/99", Some(json!({"status": "read"})));
    assert_eq!(
        (code, &answer["code"]),
        (404, &json!("submission_not_found"))
    );
    assert_counters_agree(&host);
}

#[test]
fn a_change_increments_the_version_and_rejects_stale_changes() {
    let mut host = Host::new();
    let form = form(&mut host, "contact", json!({}));
    let id = stored(&mut host, new(form, "x"));
    let path = format!("/cf/v1/submissions/{id}");
    let request = host.request("GET", &path, None);
    let tag = host.handle(request).header("etag").unwrap().to_owned();
    let change = |host: &mut Host, status: &str| {
        let mut request = host.request("PATCH", &path, Some(json!({"status": status})));
        request.headers.insert("if-match".to_owned(), tag.clone());
        host.handle(request)
    };
    let first = change(&mut host, "read");
    assert_eq!(first.status, 200);
    assert_ne!(first.header("etag"), Some(tag.as_str()));
    assert_eq!(change(&mut host, "archived").status, 412);
    let mut request = host.request("DELETE", &path, None);
    request.headers.insert("if-match".to_owned(), tag.clone());
    assert_eq!(host.handle(request).status, 412);
    let (_, body) = host.send("GET", &format!("/submissions/{id}"), None);
    assert_eq!(
        (&body["status"], &body["modified_at"]),
        (&json!("read"), &json!("2026-01-02T03:04:05.001Z"))
    );
}

#[test]
fn leaving_spam_runs_the_withheld_actions_exactly_once() {
    let mut host = Host::new();
    let actions = json!([{"type": "email", "to": "a@example.org", "subject": "s", "message": "m"}]);
    let form = form(&mut host, "contact", json!({"actions": actions}));
    let id = stored(&mut host, with_action(spam(form, "x")));
    let queued = |host: &Host| count(host, "SELECT COUNT(*) FROM cf_action_queue");
    let set = |host: &mut Host, status: &str| {
        let body = Some(json!({"status": status}));
        let request = host.request("PATCH", &format!("/cf/v1/submissions/{id}"), body);
        let response = host.handle(request);
        let body: Value = serde_json::from_slice(&response.body).unwrap();
        (body["is_spam"].as_bool().unwrap(), response.run_queue)
    };
    // Trashed spam stays spam.
    assert_eq!(set(&mut host, "trash"), (true, false));
    assert_eq!(queued(&host), 0);
    assert_eq!(set(&mut host, "new"), (false, true));
    assert_eq!(queued(&host), 1);
    let day =
        "SELECT SUM(count) FROM cf_stats WHERE form_id = 1 AND date = '2026-01-02' AND metric = ";
    assert_eq!(count(&host, &format!("{day}'spam'")), 0);
    assert_eq!(count(&host, &format!("{day}'submit'")), 1);
    assert_eq!(set(&mut host, "spam"), (true, false));
    assert_eq!(
        set(&mut host, "read"),
        (false, true),
        "waiting entries continue"
    );
    assert_eq!(queued(&host), 1);
    assert_counters_agree(&host);
}

#[test]
fn a_deleted_submission_leaves_nothing_behind() {
    let mut host = Host::new();
    let form = form(&mut host, "contact", json!({}));
    let kept = stored(&mut host, with_action(new(form, "kept")));
    let mut with_file =
        crate::submissions_fixture::with_key(with_action(new(form, "gone")), "key", "a");
    with_file.submission.files = vec![cf_forms::submissions::StoredFile {
        field: "cv".to_owned(),
        filename: "cv.pdf".to_owned(),
        content_type: "application/pdf".to_owned(),
        size: 3,
        key: "submissions/1/a".to_owned(),
        ..Default::default()
    }];
    host.files
        .insert("submissions/1/a".to_owned(), vec![1, 2, 3]);
    let id = stored(&mut host, with_file);
    let (status, body) = host.send("DELETE", &format!("/submissions/{id}"), None);
    assert_eq!(
        (status, &body["deleted"], &body["previous"]["id"]),
        (200, &json!(true), &json!(id))
    );
    assert!(host.files.is_empty());
    for table in ["cf_submissions", "cf_submission_search", "cf_action_queue"] {
        assert_eq!(
            count(&host, &format!("SELECT COUNT(*) FROM {table}")),
            1,
            "{table}"
        );
    }
    for table in ["cf_uploads", "cf_submission_keys"] {
        assert_eq!(
            count(&host, &format!("SELECT COUNT(*) FROM {table}")),
            0,
            "{table}"
        );
    }
    assert_counters_agree(&host);
    let (status, body) = host.send("DELETE", &format!("/submissions/{id}"), None);
    assert_eq!(
        (status, &body["code"]),
        (404, &json!("submission_not_found"))
    );
    assert_eq!(ids(&host.send("GET", "/submissions", None).1), [kept]);
}

#[test]
fn many_submissions_are_changed_or_deleted_at_once() {
    let mut host = Host::new();
    let actions = json!([{"type": "email", "to": "a@example.org", "subject": "s", "message": "m"}]);
    let form = form(&mut host, "contact", json!({"actions": actions}));
    let junk = stored(&mut host, with_action(spam(form, "x")));
    let fresh = stored(&mut host, new(form, "y"));
    let body = json!({"ids": [fresh, junk, 99, fresh], "action": "set_status", "status": "read"});
    let answer = host.send("POST", "/submissions/bulk", Some(body));
    assert_eq!(
        answer,
        (200, json!({"done": [junk, fresh], "not_found": [99]}))
    );
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_action_queue"), 1);
    assert_counters_agree(&host);
    let body = json!({"ids": format!("{junk},99"), "action": "delete"});
    let answer = host.send("POST", "/submissions/bulk", Some(body));
    assert_eq!(answer, (200, json!({"done": [junk], "not_found": [99]})));
    assert_counters_agree(&host);

    let too_many: Vec<i64> = (1..=101).collect();
    let rows = [
        (json!({"ids": [1], "action": "set_status"}), "missing_type"),
        (json!({"action": "delete"}), "missing_type"),
        (json!({"ids": [1], "action": "burn"}), "rest_invalid_param"),
        (json!({"ids": [], "action": "delete"}), "rest_invalid_param"),
        (
            json!({"ids": too_many, "action": "delete"}),
            "rest_invalid_param",
        ),
        (
            json!({"ids": ["x"], "action": "delete"}),
            "rest_invalid_param",
        ),
        (
            json!({"ids": [fresh], "action": "set_status", "status": "x"}),
            "rest_invalid_param",
        ),
    ];
    for (body, code) in rows {
        let (status, answer) = host.send("POST", "/submissions/bulk", Some(body.clone()));
        assert_eq!((status, &answer["code"]), (400, &json!(code)), "{body}");
    }
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_submissions"), 1);
}
