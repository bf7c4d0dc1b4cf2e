//! Files that visitors upload.

use cf_forms::http::Request;
use cf_forms::task::Port;
use serde_json::json;

use crate::front_fixture::{accept_json, json_of, make_form, submissions, visitor};
use crate::host::Host;
use crate::submissions_fixture::count;

/// A submit of a name and a file.
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
fn uploaded_files_live_and_die_with_their_submission() {
    let mut host = Host::new();
    let markup = "<input type=\"file\" name=\"cv\" required><input name=\"name\" required>";
    let (_, slug) = make_form(&mut host, markup, json!({"rate_limit": 1}));
    let request = with_file(&host, &slug, "");
    assert_eq!(host.visit(request).status, 400);
    assert!(host.files.is_empty(), "a refused submit leaves no file");

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
fn refused_uploads_leave_no_rows_on_a_host_that_stores_no_files() {
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
fn a_file_that_came_under_a_former_name_is_the_fields() {
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
