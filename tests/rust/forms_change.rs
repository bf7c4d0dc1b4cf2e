//! Changes of forms: concurrent ones, their revisions, and their numbers of statements.

use cf_forms::forms::{self, FormSchema, effective_schema, rendered_markup};
use serde_json::{Value, json};

use crate::host::Host;

/// Creates a form with this title and a text field; returns its id.
pub fn form(host: &mut Host, title: &str) -> i64 {
    let body = json!({"title": title, "markup": "<input name=\"a\" required>"});
    let (status, form) = host.send("POST", "/forms", Some(body));
    assert_eq!(status, 201, "{form}");
    form["id"].as_i64().unwrap()
}

pub fn ok(answer: (u16, Value)) -> Value {
    assert_eq!(answer.0, 200, "{}", answer.1);
    answer.1
}

#[test]
fn concurrent_changes_of_different_keys_all_survive() {
    let mut host = Host::new();
    let id = form(&mut host, "Busy");
    let requests = (0..50)
        .map(|number| {
            let body = json!({"settings": {format!("key_{number}"): number}});
            host.request("PATCH", &format!("/cf/v1/forms/{id}"), Some(body))
        })
        .collect();
    for response in host.handle_together(requests) {
        assert_eq!(response.status, 200, "{:?}", response.log);
    }
    let form = ok(host.send("GET", &format!("/forms/{id}"), None));
    assert_eq!(form["revision"], 51);
    for number in 0..50 {
        assert_eq!(form["settings"][format!("key_{number}")], number);
    }
}

#[test]
fn concurrently_added_fields_all_survive() {
    let mut host = Host::new();
    let id = form(&mut host, "Busy");
    let requests = (0..20)
        .map(|number| {
            let body = json!({"name": format!("field_{number}"), "type": "text"});
            host.request("POST", &format!("/cf/v1/forms/{id}/fields"), Some(body))
        })
        .collect();
    for response in host.handle_together(requests) {
        assert_eq!(response.status, 201, "{:?}", response.log);
    }
    let fields = ok(host.send("GET", &format!("/forms/{id}/fields"), None));
    assert_eq!(fields.as_array().unwrap().len(), 20);
}

#[test]
fn of_two_concurrent_changes_with_one_etag_one_is_rejected() {
    let mut host = Host::new();
    let id = form(&mut host, "Guarded");
    let requests = ["Mine", "Theirs"]
        .map(|title| {
            let path = format!("/cf/v1/forms/{id}");
            let mut request = host.request("PATCH", &path, Some(json!({"title": title})));
            request
                .headers
                .insert("if-match".to_owned(), "\"1-0\"".to_owned());
            request
        })
        .into();
    let statuses: Vec<u16> = host
        .handle_together(requests)
        .iter()
        .map(|response| response.status)
        .collect();
    assert_eq!(statuses, [200, 412]);
}

#[test]
fn concurrently_created_forms_get_different_slugs() {
    let mut host = Host::new();
    let requests = (0..30)
        .map(|_| {
            let body = json!({"title": "Contact", "slug": "contact"});
            host.request("POST", "/cf/v1/forms", Some(body))
        })
        .collect();
    let mut slugs: Vec<String> = host
        .handle_together(requests)
        .iter()
        .map(|response| {
            assert_eq!(response.status, 201, "{:?}", response.log);
            let form: Value = serde_json::from_slice(&response.body).unwrap();
            form["slug"].as_str().unwrap().to_owned()
        })
        .collect();
    slugs.sort_unstable();
    slugs.dedup();
    assert_eq!(slugs.len(), 30);
}

#[test]
fn two_forms_cannot_take_one_slug_concurrently() {
    let mut host = Host::new();
    let ids = [form(&mut host, "One"), form(&mut host, "Two")];
    let requests = ids
        .map(|id| {
            let path = format!("/cf/v1/forms/{id}");
            host.request("PATCH", &path, Some(json!({"slug": "wanted"})))
        })
        .into();
    let statuses: Vec<u16> = host
        .handle_together(requests)
        .iter()
        .map(|response| response.status)
        .collect();
    assert_eq!(statuses, [200, 409]);
}

/// Returns the revisions of a form, as (revision, markup, schema, settings, source, user).
fn revisions(host: &Host, id: i64) -> Vec<Value> {
    let mut statement = host
        .database
        .prepare(
            "SELECT json_array(revision, title, markup, schema IS NOT NULL, settings, source, user_id, user_login, created_at) \
             FROM cf_form_revisions WHERE form_id = ?1 ORDER BY revision",
        )
        .unwrap();
    let rows = statement
        .query_map([id], |row| row.get::<_, String>(0))
        .unwrap();
    rows.map(|row| serde_json::from_str(&row.unwrap()).unwrap())
        .collect()
}

#[test]
fn each_change_is_stored_as_a_revision_with_user_and_time() {
    let mut host = Host::new();
    let id = form(&mut host, "Kept");
    let start = host.now;
    let path = format!("/forms/{id}");
    host.now += 1_000;
    let mut request = host.request(
        "PATCH",
        &format!("/cf/v1{path}"),
        Some(json!({"markup": "<p>", "settings": {"rate_limit": 3}})),
    );
    if let Some(principal) = &mut request.principal {
        principal.id = "7".to_owned();
        principal.login = "editor".to_owned();
    }
    host.handle(request);
    ok(host.send("PATCH", &path, Some(json!({"title": "Kept"}))));
    let schema = json!({"fields": [{"name": "b"}]});
    ok(host.send("PUT", &format!("{path}/schema"), Some(schema)));
    ok(host.send("PATCH", &path, Some(json!({"title": "New"}))));

    let (markup, none, rate) = (
        "<input name=\"a\" required>",
        Value::Null,
        "{\"rate_limit\":3}",
    );
    assert_eq!(
        revisions(&host, id),
        [
            json!([1, "Kept", markup, 0, "{}", "markup", "1", "admin", start]),
            json!([
                2,
                none,
                "<p>",
                0,
                rate,
                "markup",
                "7",
                "editor",
                start + 1_000
            ]),
            json!([
                3,
                none,
                none,
                1,
                none,
                "schema",
                "1",
                "admin",
                start + 1_000
            ]),
            json!([
                4,
                "New",
                none,
                0,
                none,
                "schema",
                "1",
                "admin",
                start + 1_000
            ]),
        ]
    );
}

#[test]
fn reading_any_number_of_forms_takes_one_batch_of_few_statements() {
    let mut host = Host::new();
    for number in 0..100 {
        form(&mut host, &format!("Form {number}"));
    }
    for (path, statements) in [("/forms/7", 1), ("/forms/7/schema", 1), ("/forms", 2)] {
        let before = (host.batches, host.statements);
        ok(host.send("GET", path, None));
        let cost = (host.batches - before.0, host.statements - before.1);
        assert_eq!(cost, (1, statements), "{path}");
    }
}

#[test]
fn the_source_decides_what_is_validated_and_rendered() {
    let mut host = Host::new();
    let id = form(&mut host, "Sides");
    let names = |host: &mut Host| -> (Vec<String>, String) {
        host.run(async move |cx| {
            let form = forms::load(&cx, id).await.unwrap().unwrap();
            let schema = effective_schema(&cx, &form).unwrap();
            let names = schema.fields.iter().map(|field| field.name.clone());
            (
                names.collect(),
                rendered_markup(&cx, &form, forms::Visitors::default())
                    .await
                    .unwrap(),
            )
        })
    };
    let (fields, html) = names(&mut host);
    assert_eq!(
        (fields, html.as_str()),
        (vec!["a".to_owned()], "<input name=\"a\" required>")
    );

    let schema = json!({"fields": [{"name": "b", "label": "B"}]});
    ok(host.send("PUT", &format!("/forms/{id}/schema"), Some(schema)));
    let (fields, html) = names(&mut host);
    assert_eq!(fields, ["b"]);
    assert!(
        html.contains("name=\"b\"") && !html.contains("name=\"a\""),
        "{html}"
    );

    ok(host.send(
        "PATCH",
        &format!("/forms/{id}"),
        Some(json!({"markup": "<input name=c>"})),
    ));
    let (fields, html) = names(&mut host);
    assert_eq!(
        (fields, html.as_str()),
        (vec!["c".to_owned()], "<input name=c>")
    );
}

#[test]
fn an_invalid_schema_stored_past_the_engine_is_logged_and_can_be_replaced() {
    let mut host = Host::new();
    let id = form(&mut host, "Broken");
    let path = format!("/forms/{id}/schema");
    ok(host.send("PUT", &path, Some(json!({"fields": []}))));
    host.database
        .execute("UPDATE cf_form_meta SET value = '{'", [])
        .unwrap();
    let (status, error) = host.send("GET", &path, None);
    assert_eq!((status, &error["code"]), (500, &json!("internal_error")));
    assert_eq!(error["data"]["request_id"], "test");
    ok(host.send("PUT", &path, Some(json!({"fields": []}))));
    let read = ok(host.send("GET", &path, None));
    assert_eq!(
        serde_json::from_value::<FormSchema>(read).unwrap(),
        FormSchema::of(Vec::new())
    );
}

#[test]
fn oversized_settings_are_rejected() {
    let mut host = Host::new();
    let id = form(&mut host, "Growing");
    let path = format!("/forms/{id}");
    let mut statuses = Vec::new();
    for number in 0..12 {
        let body = json!({"settings": {format!("key_{number}"): "x".repeat(100_000)}});
        statuses.push(host.send("PATCH", &path, Some(body)).0);
    }
    assert_eq!(statuses[..9], [200; 9]);
    assert_eq!(statuses[9..], [400; 3]);
}
