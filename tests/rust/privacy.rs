//! Personal data: export and erasure on request, and retention.

use cf_forms::dates::DAY_MS;
use cf_forms::http::Response;
use serde_json::{Value, json};

use crate::front_fixture::{accept_json, make_form, submissions, submit, visitor};
use crate::host::Host;
use crate::queue_purge::purge;
use crate::submissions_fixture::{assert_counters_agree, count, form, new, stored};

const MARKUP: &str = "<input type=email name=mail><input name=name><input type=file name=cv>";

fn mail_to_sender(settings: Value) -> Value {
    let mut settings = settings;
    settings["actions"] =
        json!([{"type": "email", "to": "[mail]", "subject": "s", "message": "[all]"}]);
    settings
}

fn submit_with_file(host: &mut Host, slug: &str, mail: &str) {
    let mut request = visitor(host, "POST", &format!("/{slug}"));
    let kind = "multipart/form-data; boundary=x".to_owned();
    request.headers.insert("content-type".to_owned(), kind);
    request.body = format!(
        "--x\r\nContent-Disposition: form-data; name=\"mail\"\r\n\r\n{mail}\r\n\
         --x\r\nContent-Disposition: form-data; name=\"cv\"; filename=\"cv.txt\"\r\n\
         Content-Type: text/plain\r\n\r\nhello\r\n--x--\r\n"
    )
    .into_bytes();
    accept_json(&mut request);
    assert_eq!(host.visit(request).status, 200);
}

fn export(host: &mut Host, email: &str) -> (Response, Value) {
    let body = json!({ "email": email });
    let request = host.request("POST", "/cf/v1/privacy/export", Some(body));
    let response = host.handle(request);
    let body = serde_json::from_slice(&response.body).unwrap();
    (response, body)
}

fn erase(host: &mut Host, email: &str) -> Value {
    let (status, receipt) = host.send("POST", "/privacy/erase", Some(json!({ "email": email })));
    assert_eq!(status, 200, "{receipt}");
    receipt
}

fn counts(receipt: &Value) -> [i64; 4] {
    ["submissions", "queue_entries", "action_logs", "files"]
        .map(|kind| receipt[kind].as_i64().unwrap())
}

#[test]
fn the_stored_data_of_an_email_address_is_exported() {
    let mut host = Host::new();
    let (_, slug) = make_form(&mut host, MARKUP, mail_to_sender(json!({})));
    submit_with_file(&mut host, &slug, "Ada@Example.org");
    submit(
        &mut host,
        &slug,
        &[("name", " ada@EXAMPLE.org"), ("mail", "b@example.org")],
    );
    submit(
        &mut host,
        &slug,
        &[
            ("name", "I know ada@example.org"),
            ("mail", "b@example.org"),
        ],
    );
    host.run_queue();
    let (response, body) = export(&mut host, "ADA@example.org ");
    let disposition = response.header("content-disposition");
    assert_eq!(
        disposition,
        Some("attachment; filename=\"personal-data.json\"")
    );
    let found = body["submissions"].as_array().unwrap();
    assert_eq!(found.len(), 2);
    let saved = &found[1];
    assert_eq!(saved["submission"]["data"]["mail"], "Ada@Example.org");
    assert_eq!(saved["submission"]["files"][0]["name"], "cv.txt");
    assert_eq!(saved["queue_entries"][0]["status"], "completed");
    assert_eq!(saved["queue_entries"][0].get("settings"), None);
    assert_eq!(
        saved["action_logs"][0]["message"],
        "Accepted by the mail server for Ada@Example.org."
    );
    assert_eq!(
        export(&mut host, "nobody@example.org").1["submissions"],
        json!([])
    );
}

#[test]
fn an_erasure_deletes_all_of_a_persons_data_and_no_other_data() {
    let mut host = Host::new();
    let (form_id, slug) = make_form(&mut host, MARKUP, mail_to_sender(json!({})));
    submit_with_file(&mut host, &slug, "ada@example.org");
    submit(
        &mut host,
        &slug,
        &[("mail", "grace@example.org"), ("name", "Grace")],
    );
    submit(&mut host, &slug, &[("mail", "ADA@example.org")]);
    host.run_queue();
    let receipt = erase(&mut host, "Ada@example.org");
    assert_eq!(counts(&receipt), [2, 2, 2, 1]);
    assert_eq!(
        (&receipt["done"], &receipt["files_left"]),
        (&json!(true), &json!(0))
    );
    // The receipt's hash may contain any short word, so the test searches for the whole address.
    let shown = receipt.to_string().to_lowercase();
    assert!(!shown.contains("ada@example.org"), "{receipt}");
    assert!(host.files.is_empty());
    let left = submissions(&mut host);
    assert_eq!(left.len(), 1);
    assert_eq!(left[0]["data"]["name"], "Grace");
    assert_counters_agree(&host);
    for table in ["action_queue", "action_logs", "submission_search"] {
        assert_eq!(
            count(&host, &format!("SELECT COUNT(*) FROM cf_{table}")),
            1,
            "{table}"
        );
    }
    assert_eq!(
        host.send("GET", &format!("/forms/{form_id}"), None).1["submission_count"],
        1
    );
    assert_eq!(
        export(&mut host, "ada@example.org").1["submissions"],
        json!([])
    );

    let again = erase(&mut host, "ada@example.org");
    assert_eq!(counts(&again), [0, 0, 0, 0]);
    assert_eq!(again["address_hash"], receipt["address_hash"]);
    let (_, receipts) = host.send("GET", "/privacy/erasures", None);
    assert_eq!(receipts[0]["id"], again["id"]);
    assert_eq!(receipts[1]["id"], receipt["id"]);
    assert_eq!(counts(&receipts[1]), [2, 2, 2, 1]);
}

#[test]
fn logs_of_an_unsaved_submission_are_found_and_erased() {
    let mut host = Host::new();
    let settings = mail_to_sender(json!({"save_submissions": false}));
    let (_, slug) = make_form(&mut host, MARKUP, settings);
    submit(&mut host, &slug, &[("mail", "ada@example.org")]);
    host.run_queue();
    let (_, shown) = export(&mut host, "ada@example.org");
    assert_eq!(shown["submissions"][0]["submission"], Value::Null);
    let message = &shown["submissions"][0]["action_logs"][0]["message"];
    assert_eq!(message, "Accepted by the mail server for ada@example.org.");
    assert_eq!(counts(&erase(&mut host, "ada@example.org")), [0, 1, 1, 0]);
    for table in ["action_queue", "action_logs", "submission_search"] {
        assert_eq!(
            count(&host, &format!("SELECT COUNT(*) FROM cf_{table}")),
            0,
            "{table}"
        );
    }
}

#[test]
fn a_large_export_is_streamed_and_an_erasure_takes_a_thousand_at_a_time() {
    let mut host = Host::new();
    let form = form(&mut host, "many", json!({}));
    let hash = host.run(async move |cx| {
        let signer = cf_forms::store::signer(&cx).await.unwrap();
        signer.address_hash("ada@example.org")
    });
    for number in 0..1_030 {
        let mut new = new(form, &format!("answer {number}"));
        new.address_hashes = vec![hash.clone()];
        stored(&mut host, new);
    }
    let (_, shown) = export(&mut host, "ada@example.org");
    assert_eq!(shown["submissions"].as_array().unwrap().len(), 1_030);
    assert!(host.pieces.len() > 50);
    let first = erase(&mut host, "ada@example.org");
    assert_eq!(
        (&first["submissions"], &first["done"]),
        (&json!(1_000), &json!(false))
    );
    let second = erase(&mut host, "ada@example.org");
    assert_eq!(
        (&second["submissions"], &second["done"]),
        (&json!(30), &json!(true))
    );
    assert_counters_agree(&host);
}

#[test]
fn a_file_that_cannot_be_deleted_is_reported() {
    let mut host = Host::new();
    let (_, slug) = make_form(&mut host, MARKUP, json!({}));
    submit_with_file(&mut host, &slug, "ada@example.org");
    host.files_stay = true;
    assert_eq!(erase(&mut host, "ada@example.org")["files_left"], 1);
}

/// Runs the purge to its end; returns the number of deleted submissions.
fn clean_up(host: &mut Host) -> i64 {
    let submissions = "SELECT COUNT(*) FROM cf_submissions";
    let before = count(host, submissions);
    purge(host);
    before - count(host, submissions)
}

#[test]
fn submissions_are_purged_after_the_forms_retention_days() {
    let mut host = Host::new();
    let (kept, _) = make_form(&mut host, MARKUP, json!({"retention_days": 1_000_000_000}));
    let (short, slug) = make_form(
        &mut host,
        MARKUP,
        mail_to_sender(json!({"retention_days": 30})),
    );
    let settings = mail_to_sender(json!({"retention_days": 30, "save_submissions": false}));
    let (_, unsaved) = make_form(&mut host, MARKUP, settings);
    stored(&mut host, new(kept, "stays"));
    for number in 0..250 {
        stored(&mut host, new(short, &number.to_string()));
    }
    submit_with_file(&mut host, &slug, "ada@example.org");
    submit(&mut host, &unsaved, &[("mail", "ada@example.org")]);
    host.run_queue();
    host.now += 29 * DAY_MS;
    submit(&mut host, &slug, &[("mail", "late@example.org")]);
    host.run_queue();
    assert_eq!(clean_up(&mut host), 0);
    host.now += 2 * DAY_MS;
    assert_eq!(clean_up(&mut host), 251);
    host.now += DAY_MS;
    assert_eq!(clean_up(&mut host), 0);
    let left = submissions(&mut host);
    assert_eq!(left.len(), 2);
    assert_eq!(left[0]["data"]["mail"], "late@example.org");
    assert!(host.files.is_empty());
    assert_counters_agree(&host);
    for (table, rows) in [
        ("action_queue", 1),
        ("action_logs", 1),
        ("submission_search", 2),
    ] {
        assert_eq!(
            count(&host, &format!("SELECT COUNT(*) FROM cf_{table}")),
            rows,
            "{table}"
        );
    }
}

#[test]
fn an_ip_address_is_shortened_if_the_form_requires_it() {
    let mut host = Host::new();
    let (_, slug) = make_form(&mut host, MARKUP, json!({"shorten_ip": true}));
    submit(&mut host, &slug, &[("name", "x")]);
    assert_eq!(submissions(&mut host)[0]["ip_address"], json!("192.0.2.0"));
}

#[test]
fn deleting_a_form_removes_its_index_entries_even_of_unsaved_submissions() {
    let mut host = Host::new();
    let settings = mail_to_sender(json!({"save_submissions": false}));
    let (id, slug) = make_form(&mut host, MARKUP, settings);
    submit(&mut host, &slug, &[("mail", "ada@example.org")]);
    host.run_queue();
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_submission_search"), 1);
    assert_eq!(
        host.send("DELETE", &format!("/forms/{id}?force=true"), None)
            .0,
        200
    );
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_submission_search"), 0);
}

#[test]
fn an_erasure_finds_addresses_with_names_in_lists_and_links() {
    let mut host = Host::new();
    let (_, slug) = make_form(
        &mut host,
        "<textarea name=\"name\"></textarea><input type=\"email\" name=\"mail\">",
        json!({}),
    );
    for name in [
        "Ada <ada@example.org>",
        "b@example.org; \"A\" <ada@example.org>",
        "b@example.org\nmailto:ada@example.org",
    ] {
        let (status, _) = submit(
            &mut host,
            &slug,
            &[("name", name), ("mail", "b@example.org")],
        );
        assert_eq!(status, 200);
    }
    let body = json!({"email": "ada@example.org"});
    let (_, receipt) = host.send("POST", "/privacy/erase", Some(body));
    assert_eq!(receipt["submissions"], 3, "{receipt}");
}
