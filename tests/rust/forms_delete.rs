//! Deletion of a form: all of its data is deleted, or nothing.

use std::collections::BTreeMap;

use cf_forms::store::rate_limits::Gate;
use cf_forms::submissions::StoredFile;
use model::logic::holds::Hold;
use serde_json::{Value, json};

use crate::front_fixture::{make_form, submit};
use crate::host::Host;
use crate::queue::{claim, run};
use crate::submissions_fixture::{
    assert_counters_agree, count, form, new, spam, stored, with_action, with_gates, with_key,
};

/// Returns the row counts of all tables that hold rows of forms.
fn rows(host: &Host) -> BTreeMap<String, i64> {
    let mut statement = host
        .database
        .prepare(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'cf_%' \
             AND name NOT LIKE 'cf_submission_search_%' \
             AND name NOT IN ('cf_settings', 'cf_migrations', 'cf_erasures', 'cf_imports')",
        )
        .unwrap();
    let names = statement.query_map([], |row| row.get(0)).unwrap();
    let names: Vec<String> = names.collect::<Result<_, _>>().unwrap();
    names
        .into_iter()
        .map(|name| {
            let found = count(host, &format!("SELECT COUNT(*) FROM {name}"));
            (name, found)
        })
        .collect()
}

fn hold(is_seat: bool) -> Hold {
    Hold {
        is_seat,
        field: "answer".to_owned(),
        key: "full".to_owned(),
        count: 1,
        limit: Some(1),
        row: None,
    }
}

/// Creates a form with rows in every table and a file; returns its id.
fn full_form(host: &mut Host, slug: &str) -> i64 {
    let id = form(
        host,
        slug,
        json!({"actions": [{"type": "email"}], "save": "button"}),
    );
    let body = json!({"slug": format!("{slug}-now")});
    let (status, _) = host.send("PATCH", &format!("/forms/{id}"), Some(body));
    assert_eq!(status, 200);
    let schema = json!({"fields": [{"name": "answer"}]});
    let (status, _) = host.send("PUT", &format!("/forms/{id}/schema"), Some(schema));
    assert_eq!(status, 200);
    let draft = Some(json!({"base_revision": 1, "title": "Draft"}));
    let (status, _) = host.send("PUT", &format!("/forms/{id}/draft"), draft);
    assert_eq!(status, 200);
    let gate = Gate::Rate {
        limit: 100,
        hash: slug.to_owned(),
    };
    let mut full = with_gates(with_key(with_action(new(id, "full")), slug, "{}"), &[gate]);
    full.holds = [false, true].map(hold).into();
    full.submission.files = vec![StoredFile {
        field: "cv".to_owned(),
        filename: "cv.pdf".to_owned(),
        content_type: "application/pdf".to_owned(),
        size: 3,
        key: format!("{slug}/cv"),
        ..StoredFile::default()
    }];
    let submission = stored(host, full);
    let note = Some(json!({"text": "Called back."}));
    let (status, _) = host.send("POST", &format!("/submissions/{submission}/notes"), note);
    assert_eq!(status, 201);
    stored(host, spam(id, "spam"));
    host.files.insert(format!("{slug}/cv"), b"pdf".to_vec());
    let save = format!("/{slug}-now/saved");
    let mut request = host.request("POST", &save, Some(json!({"answer": "a@example.org"})));
    request.principal = None;
    request
        .headers
        .insert("accept".to_owned(), "application/json".to_owned());
    assert_eq!(host.visit(request).status, 201);
    // Another process has begun to recompute the held values.
    let fill = format!("INSERT INTO cf_hold_fills (form_id, after_id) VALUES ({id}, 9)");
    host.database.execute(&fill, []).unwrap();
    let seen = json!({"form_id": id, "events": [{"event_type": "view"}]});
    let mut request = host.request("POST", "/-/events", Some(seen));
    request.principal = None;
    assert_eq!(host.visit(request).status, 204);
    let (_, funnel) = host.send("GET", &format!("/analytics/{id}/funnel"), None);
    assert_eq!(funnel["views"], 1);
    id
}

#[test]
fn deleting_a_form_removes_all_of_its_rows_and_no_others() {
    let mut host = Host::new();
    let empty = rows(&host);
    let kept = full_form(&mut host, "kept");
    host.run_queue();
    let before = rows(&host);
    for (table, rows) in &before {
        assert!(rows > &empty[table], "{table} has no row to check");
    }

    let id = full_form(&mut host, "gone");
    host.run_queue();
    let (_, shown) = host.send("GET", &format!("/forms/{id}"), None);
    assert_eq!(shown["submission_count"], 1, "spam does not count");
    let (status, answer) = host.send("DELETE", &format!("/forms/{id}?force=true"), None);
    assert_eq!(
        (status, answer),
        (
            200,
            json!({"deleted": true, "trashed": false, "previous": shown})
        )
    );

    let mut after = rows(&host);
    let mut before = before;
    // The site's counters now count only the remaining rows.
    after.remove("cf_stats");
    before.remove("cf_stats");
    assert_eq!(after, before);
    let counters = format!("SELECT COUNT(*) FROM cf_stats WHERE form_id = {id}");
    assert_eq!(count(&host, &counters), 0);
    assert_counters_agree(&host);
    assert_eq!(host.files.keys().collect::<Vec<_>>(), ["kept/cv"]);
    let (_, left) = host.send("GET", &format!("/forms/{kept}"), None);
    assert_eq!(left["submission_count"], 1, "the other submission is spam");
}

#[test]
fn a_deletion_that_fails_halfway_deletes_nothing() {
    let mut host = Host::new();
    let id = full_form(&mut host, "whole");
    let before = rows(&host);
    host.database
        .execute_batch(
            "CREATE TRIGGER broken BEFORE UPDATE ON cf_uploads BEGIN SELECT RAISE(ABORT, 'broken'); END",
        )
        .unwrap();
    let (status, error) = host.send("DELETE", &format!("/forms/{id}?force=true"), None);
    assert_eq!((status, &error["code"]), (500, &json!("internal_error")));
    assert!(!error.to_string().contains("broken"), "{error}");
    assert_eq!(rows(&host), before);
    assert_eq!(host.files.len(), 1);
    let (_, shown) = host.send("GET", &format!("/forms/{id}"), None);
    assert_eq!(shown["submission_count"], 1, "spam does not count");
}

#[test]
fn a_form_that_changes_during_its_deletion_is_deleted_completely() {
    let mut host = Host::new();
    let id = full_form(&mut host, "both");
    let path = format!("/cf/v1/forms/{id}");
    let requests = vec![
        host.request("PATCH", &path, Some(json!({"title": "Changed"}))),
        host.request("DELETE", &format!("{path}?force=true"), None),
        host.request("DELETE", &format!("{path}?force=true"), None),
    ];
    let responses = host.handle_together(requests);
    let statuses: Vec<u16> = responses.iter().map(|response| response.status).collect();
    assert_eq!(statuses, [200, 200, 404]);
    let answer: Value = serde_json::from_slice(&responses[1].body).unwrap();
    assert_eq!(answer["previous"]["title"], "Changed");
    assert_counters_agree(&host);
    assert_eq!(rows(&host)["cf_submissions"], 0);
}

#[test]
fn files_that_cannot_be_deleted_are_only_logged() {
    let mut host = Host::new();
    let id = full_form(&mut host, "stuck");
    host.files_stay = true;
    let (status, _) = host.send("DELETE", &format!("/forms/{id}?force=true"), None);
    assert_eq!(status, 200);
    assert_eq!(host.log, ["an unreferenced file could not be deleted"]);
    assert_eq!(host.send("GET", "/forms", None), (200, json!([])));
}

#[test]
fn an_entry_that_was_claimed_before_its_form_was_deleted_sends_nothing() {
    let mut host = Host::new();
    let mail = json!({"type": "email", "to": "desk@example.org"});
    let (id, slug) = make_form(&mut host, "<input name=a>", json!({"actions": [mail]}));
    assert_eq!(submit(&mut host, &slug, &[("a", "b")]).0, 200);
    let claims = claim(&mut host, 1);
    let (status, _) = host.send("DELETE", &format!("/forms/{id}?force=true"), None);
    assert_eq!(status, 200);
    run(&mut host, &claims[0]);
    assert_eq!(host.mails.len(), 0);
}
