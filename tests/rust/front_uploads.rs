//! Files in submits: their records, their leases, and the purge.

use cf_forms::http::Request;
use cf_forms::task::{Effect, Port};
use serde_json::json;

use crate::front_fixture::{accept_json, json_of, make_form, submissions, visitor};
use crate::host::Host;
use crate::submissions_fixture::count;

/// Returns a submit request with a name and a file.
fn with_file(host: &Host, slug: &str, name: &str) -> Request {
    let mut request = visitor(host, "POST", &format!("/{slug}"));
    let kind = "multipart/form-data; boundary=x".to_owned();
    request.headers.insert("content-type".to_owned(), kind);
    request.body = format!(
        "--x\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\n{name}\r\n\
         --x\r\nContent-Disposition: form-data; name=\"cv\"; filename=\"../c v.txt\"\r\n\
         Content-Type: text/plain; charset=utf-8\r\n\r\nhello\r\n--x--\r\n"
    )
    .into_bytes();
    accept_json(&mut request);
    request
}

#[test]
fn uploaded_files_are_deleted_with_their_submission() {
    let mut host = Host::new();
    let markup = "<input type=\"file\" name=\"cv\" required><input name=\"name\" required>";
    let (_, slug) = make_form(&mut host, markup, json!({"rate_limit": 1}));
    let request = with_file(&host, &slug, "");
    assert_eq!(host.visit(request).status, 400);
    assert!(host.files.is_empty(), "a rejected submit leaves no file");

    let request = with_file(&host, &slug, "Ada");
    let (status, body) = json_of(&host.visit(request));
    assert_eq!(status, 200, "{body}");
    let stored = &submissions(&mut host)[0];
    assert_eq!(stored["data"]["cv"], json!("c v.txt"));
    let file = &stored["files"][0];
    assert_eq!(
        (&file["field"], &file["name"], &file["type"], &file["size"]),
        (
            &json!("cv"),
            &json!("c v.txt"),
            &json!("text/plain"),
            &json!(5)
        )
    );
    assert_eq!(
        host.files.values().next().map(Vec::as_slice),
        Some(b"hello".as_slice())
    );

    let request = with_file(&host, &slug, "Eve");
    assert_eq!(host.visit(request).status, 429);
    assert_eq!(host.files.len(), 1);
    let id = stored["id"].clone();
    host.send("DELETE", &format!("/submissions/{id}"), None);
    assert!(host.files.is_empty());
}

#[test]
fn rejected_uploads_leave_no_rows_on_a_host_without_file_storage() {
    let mut host = Host::with_ports(vec![Port::Mail, Port::Http]);
    let (_, slug) = make_form(&mut host, "<input type=\"file\" name=\"cv\">", json!({}));
    for _ in 0..2 {
        let request = with_file(&host, &slug, "Ada");
        let (status, body) = json_of(&host.visit(request));
        assert_eq!(
            (
                status,
                &body["errors"][0]["code"],
                &body["errors"][0]["field"]
            ),
            (400, &json!("file_upload_error"), &json!("cv"))
        );
    }
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_uploads"), 0);
}

#[test]
fn a_file_sent_under_a_former_name_belongs_to_the_renamed_field() {
    let mut host = Host::new();
    let markup = "<input type=\"file\" name=\"cv\" required><input name=\"name\" required>";
    let (id, slug) = make_form(&mut host, markup, json!({}));
    for (name, new) in [("cv", "resume"), ("name", "person")] {
        let path = format!("/forms/{id}/fields/{name}?patch_markup=true");
        let (status, body) = host.send("PATCH", &path, Some(json!({"name": new})));
        assert_eq!(status, 200, "{body}");
    }
    let request = with_file(&host, &slug, "Ada");
    let (status, body) = json_of(&host.visit(request));
    assert_eq!(status, 200, "{body}");
    let stored = &submissions(&mut host)[0];
    assert_eq!(
        stored["data"],
        json!({"resume": "c v.txt", "person": "Ada"})
    );
    assert_eq!(stored["files"][0]["field"], json!("resume"));
    assert_eq!(host.files.len(), 1);
}

const MINUTE: i64 = 60_000;

/// Counts the records of files and of submissions.
fn rows(host: &Host) -> (i64, i64) {
    let records = count(host, "SELECT COUNT(*) FROM cf_uploads");
    (records, count(host, "SELECT COUNT(*) FROM cf_submissions"))
}

/// Removes abandoned files through a privacy erasure, which removes the same files as the purge.
fn remove_abandoned(host: &mut Host) {
    let body = json!({"email": "nobody@example.org"});
    assert_eq!(host.send("POST", "/privacy/erase", Some(body)).0, 200);
}

#[test]
fn a_file_of_a_running_submit_survives_the_purge() {
    let mut host = Host::new();
    let (_, slug) = make_form(
        &mut host,
        "<input type=file name=cv><input name=name>",
        json!({}),
    );
    let request = with_file(&host, &slug, "Ada");
    let arriving = host.visit_until(request, |effect| {
        matches!(effect, Effect::FileReceive { .. })
    });
    for _ in 0..5 {
        host.now += 50 * MINUTE;
        host.renew();
        remove_abandoned(&mut host);
        assert_eq!(rows(&host), (1, 0));
    }
    let (status, body) = json_of(&host.finish(arriving));
    assert_eq!(status, 200, "{body}");
    assert_eq!(submissions(&mut host)[0]["files"][0]["size"], json!(5));
    assert_eq!(host.files.len(), 1);
    // The lease ended with the submit. A file with a submission needs no lease.
    let batches = host.batches;
    host.now += 50 * MINUTE;
    host.renew();
    assert_eq!(host.batches, batches);
    host.now += 50 * MINUTE;
    remove_abandoned(&mut host);
    assert_eq!((rows(&host), host.files.len()), ((1, 1), 1));
}

/// Steps of a submit before which the purge may delete its file: storing the bytes, and storing the submission.
fn moments() -> [fn(&Effect) -> bool; 2] {
    [
        |effect| matches!(effect, Effect::FileReceive { .. }),
        |effect| matches!(effect, Effect::Sql { statements, .. } if statements.iter().any(|one| one.sql.text.contains("INTO cf_submissions "))),
    ]
}

#[test]
fn a_submit_whose_file_was_purged_is_rejected_with_its_answers() {
    for (is_page, moment) in [false, true]
        .into_iter()
        .flat_map(|page| moments().map(|at| (page, at)))
    {
        let mut host = Host::new();
        let markup = "<input type=file name=cv><input name=name>";
        let (_, slug) = make_form(
            &mut host,
            markup,
            json!({"upload_quota": 1000, "prevent_duplicates": true}),
        );
        let mut request = with_file(&host, &slug, "Ada");
        if is_page {
            request
                .headers
                .insert("accept".to_owned(), "text/html".to_owned());
        }
        let stopped = host.visit_until(request, moment);
        // The process was suspended, for example, so nothing renewed the lease.
        host.now += 61 * MINUTE;
        remove_abandoned(&mut host);
        assert_eq!(rows(&host), (0, 0));
        let response = host.finish(stopped);
        assert_eq!(response.status, 400);
        if is_page {
            let page = String::from_utf8_lossy(&response.body);
            for part in ["value=\"Ada\"", "c v.txt again", "couldn’t be uploaded"] {
                assert!(page.contains(part), "{part}\n{page}");
            }
        } else {
            let body: serde_json::Value = serde_json::from_slice(&response.body).unwrap();
            assert_eq!(body["code"], json!("file_upload_error"));
            assert_eq!(body["errors"][0]["field"], json!("cv"));
        }
        assert_eq!((rows(&host), host.files.len()), ((0, 0), 0));
        for table in ["cf_submission_keys", "cf_action_queue"] {
            let sql = format!("SELECT COUNT(*) FROM {table}");
            assert_eq!(count(&host, &sql), 0, "{table}");
        }
        assert_eq!(
            count(
                &host,
                "SELECT COALESCE(SUM(bytes), 0) FROM cf_upload_totals"
            ),
            0
        );
        // A visitor may send a rejected submit again: it does not count as a duplicate.
        let request = with_file(&host, &slug, "Ada");
        assert_eq!(host.visit(request).status, 200);
        assert_eq!((rows(&host), host.files.len()), ((1, 1), 1));
    }
}

#[test]
fn a_submit_to_a_form_deleted_during_the_upload_is_not_found() {
    let mut host = Host::new();
    let (id, slug) = make_form(
        &mut host,
        "<input type=file name=cv><input name=name>",
        json!({}),
    );
    let request = with_file(&host, &slug, "Ada");
    let arriving = host.visit_until(request, |effect| {
        matches!(effect, Effect::FileReceive { .. })
    });
    assert_eq!(
        host.send("DELETE", &format!("/forms/{id}?force=true"), None)
            .0,
        200
    );
    assert_eq!(host.finish(arriving).status, 404);
    assert_eq!((rows(&host), host.files.len()), ((0, 0), 0));
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_upload_totals"), 0);
}
