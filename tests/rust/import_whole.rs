//! Imports of whole files: each form is one write, plugins are queried once, and exceeded limits are reported.

use std::cell::Cell;

use cf_forms::hooks::Kind;
use cf_forms::task::{Effect, Port};
use serde_json::{Value, json};

use crate::hooks::add_to;
use crate::host::Host;

fn import(host: &mut Host, content: &str) -> (u16, Value) {
    host.send("POST", "/forms/import", Some(json!({ "content": content })))
}

fn notes(imported: &Value) -> Vec<(String, String)> {
    let notes = imported["report"].as_array().unwrap().iter();
    let text = |note: &Value, name: &str| note[name].as_str().unwrap().to_owned();
    notes
        .map(|note| (text(note, "code"), text(note, "message")))
        .collect()
}

fn exported_file(forms: usize) -> String {
    let schema = json!({"fields": [{"name": "b", "type": "email"}]});
    let forms: Vec<Value> = (0..forms)
        .map(|number| {
            let markup = "<input name=\"a\">";
            json!({"title": format!("Form {number}"), "markup": markup, "source": "schema", "schema": schema,
                "settings": {"actions": [{"type": "email"}]}})
        })
        .collect();
    json!({"format": "cf-forms", "version": 1, "forms": forms}).to_string()
}

#[test]
fn a_crash_during_an_import_leaves_no_form_without_its_schema() {
    let file = exported_file(1);
    let mut whole = Host::new();
    assert_eq!(import(&mut whole, &file).0, 200);
    let (_, form) = whole.send("GET", "/forms/1", None);
    assert_eq!(
        (&form["revision"], &form["source"]),
        (&json!(1), &json!("schema"))
    );
    let kept =
        "SELECT COUNT(*) FROM cf_form_revisions WHERE schema IS NOT NULL AND markup IS NOT NULL";
    let kept: i64 = whole
        .database
        .query_row(kept, [], |row| row.get(0))
        .unwrap();
    assert_eq!(kept, 1);

    check_crash_after_each_batch(&file, 1);
    // The source of the import must be stored too, or the next import would create the form again.
    let fields = json!([{"type": "text", "name": "a", "label": "A"}]);
    let form = json!({"id": "F", "name": "One", "slug": "one", "pages": [{"fields": fields}]});
    check_crash_after_each_batch(&json!({"items": [form]}).to_string(), 2);
}

/// Crashes the host after each batch of an import, and checks that no form lacks a row of its meta.
fn check_crash_after_each_batch(file: &str, meta: usize) {
    let mut batches = 0;
    loop {
        let mut host = Host::new();
        let body = json!({ "content": file });
        let request = host.request("POST", "/cf/v1/forms/import", Some(body));
        let seen = Cell::new(0);
        let begun = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            host.handle_until(request, |effect| {
                seen.set(seen.get() + usize::from(matches!(effect, Effect::Sql { .. })));
                seen.get() > batches
            });
        }));
        let halves = "SELECT COUNT(*) FROM cf_forms f WHERE f.has_schema = 0 OR ?1 > \
            (SELECT COUNT(*) FROM cf_form_meta m WHERE m.form_id = f.id)";
        let halves: i64 = host
            .database
            .query_row(halves, [meta], |row| row.get(0))
            .unwrap();
        assert_eq!(halves, 0, "after {batches} batches");
        if begun.is_err() {
            break;
        }
        batches += 1;
    }
    assert!(batches > 0);
}

#[test]
fn an_imported_schema_is_written_to_the_hosts_meta_store() {
    let mut host = Host::with_ports(vec![Port::Meta]);
    assert_eq!(import(&mut host, &exported_file(1)).0, 200);
    let held = host.meta.get(&(1, "_cf_form_schema".to_owned()));
    assert!(held.is_some_and(|schema| schema.contains("\"name\":\"b\"")));
    let (_, schema) = host.send("GET", "/forms/1/schema", None);
    assert_eq!(schema["fields"][0]["name"], "b");
}

#[test]
fn an_import_reads_the_action_types_of_plugins_once() {
    let mut host = Host::new();
    {
        let hooks = host.engine.hooks();
        let mut registry = hooks.borrow_mut();
        add_to(
            &mut registry,
            Kind::Filter,
            "cf_available_form_actions",
            1,
            "test",
            10.0,
        );
    }
    assert_eq!(import(&mut host, &exported_file(30)).0, 200);
    let hooks = host.engine.hooks();
    let registry = hooks.borrow();
    assert_eq!(
        registry.did(Kind::Filter, "cf_available_form_actions"),
        Ok(1)
    );
}

#[test]
fn forms_beyond_the_limit_of_a_file_are_reported_by_number() {
    let mut host = Host::new();
    let (status, imported) = import(&mut host, &exported_file(203));
    assert_eq!(status, 200);
    assert_eq!(imported["forms"].as_array().unwrap().len(), 200);
    let reported = notes(&imported);
    let found = reported.iter().find(|(code, _)| code == "too_many_forms");
    let message = &found.expect("a note").1;
    assert!(
        message.contains("203") && message.contains("200"),
        "{message}"
    );
}

#[test]
fn a_gravity_form_with_too_many_fields_keeps_the_first_ones() {
    let fields: Vec<Value> = (1..=10_001)
        .map(|id| json!({"type": "text", "id": id, "label": format!("F{id}")}))
        .collect();
    let file = json!({"0": {"title": "Long", "fields": fields}, "version": "2.7"});
    let mut host = Host::new();
    let (status, imported) = import(&mut host, &file.to_string());
    assert_eq!(status, 200);
    let (_, schema) = host.send("GET", "/forms/1/schema", None);
    let made = schema["fields"].as_array().unwrap();
    assert_eq!(made.len(), 10_000);
    assert_eq!(made[9_998]["name"], "f9999");
    assert_eq!(made[9_999]["type"], "submit");
    let reported = notes(&imported);
    let found = reported.iter().find(|(code, _)| code == "too_many_fields");
    let message = &found.expect("a note").1;
    assert!(
        message.contains("10001") && message.contains("9999"),
        "{message}"
    );
}

#[test]
fn an_exported_form_with_too_many_fields_keeps_the_first_ones() {
    let fields: Vec<Value> = (0..10_005)
        .map(|id| json!({"name": format!("f{id}"), "type": "text"}))
        .collect();
    let form = json!({"title": "Long", "source": "schema", "schema": {"fields": fields}});
    let file = json!({"format": "cf-forms", "version": 1, "forms": [form]});
    let mut host = Host::new();
    let (status, imported) = import(&mut host, &file.to_string());
    assert_eq!(status, 200);
    let (_, schema) = host.send("GET", "/forms/1/schema", None);
    assert_eq!(schema["fields"].as_array().map(Vec::len), Some(10_000));
    let reported = notes(&imported);
    assert!(
        reported
            .iter()
            .any(|(code, message)| code == "too_many_fields" && message.contains("10005")),
        "{reported:?}"
    );
}

#[test]
fn an_invalid_schema_is_reported() {
    let form = json!({"title": "A", "source": "schema", "schema": {"fields": "none"}});
    let file = json!({"format": "cf-forms", "version": 1, "forms": [form]});
    let mut host = Host::new();
    let (_, imported) = import(&mut host, &file.to_string());
    let reported = notes(&imported);
    assert!(
        reported
            .iter()
            .any(|(_, message)| message == "The schema is left out."),
        "{reported:?}"
    );
    assert_eq!(imported["forms"][0]["source"], "markup");
}

#[test]
fn a_file_without_forms_is_rejected_with_the_expected_formats() {
    let rows = [
        ("<rss></rss>", None, vec!["no posts", "Tools", "Export"]),
        (
            "<rss><channel><item><wp:post_type>page</wp:post_type></item></channel></rss>",
            None,
            vec!["1 post", "html-form", "wpcf7_contact_form"],
        ),
        (
            "{}",
            None,
            vec!["\"format\": \"cf-forms\"", "Gravity Forms"],
        ),
        (
            "[]",
            None,
            vec!["\"format\": \"cf-forms\"", "Gravity Forms"],
        ),
        ("{\"format\": \"cf-forms\"}", None, vec!["\"forms\""]),
        (
            "{\"format\": \"cf-forms\", \"forms\": []}",
            None,
            vec!["\"forms\""],
        ),
        ("<rss></rss>", Some("gravity-forms"), vec!["XML", "JSON"]),
        ("{}", Some("contact-form-7"), vec!["JSON", "XML"]),
        (
            "<rss></rss>",
            Some("contact-form-7"),
            vec!["wpcf7_contact_form"],
        ),
        ("hello", None, vec!["XML", "JSON"]),
        ("", None, vec!["empty"]),
    ];
    let mut host = Host::new();
    for (content, format, words) in rows {
        let mut body = json!({ "content": content });
        if let Some(format) = format {
            body["format"] = json!(format);
        }
        let (status, error) = host.send("POST", "/forms/import", Some(body));
        assert_eq!(status, 400, "{content}");
        let message = error["data"]["params"]["content"].as_str().unwrap();
        for word in words {
            assert!(message.contains(word), "{content}: {message}");
        }
    }
}

#[test]
fn a_file_that_is_nested_too_deeply_is_rejected() {
    let nested = |depth: usize| {
        let value = "[".repeat(depth) + &"]".repeat(depth);
        let form = format!(r#"{{"title": "Deep", "markup": "", "schema": {{"deep": {value}}}}}"#);
        format!(r#"{{"format": "cf-forms", "forms": [{form}]}}"#)
    };
    let mut host = Host::new();
    for depth in [1, 100] {
        let (status, answer) = import(&mut host, &nested(depth));
        assert_eq!(status, 200, "{depth}: {answer}");
    }
    for depth in [122, 123, 124, 130, 100_000] {
        let (status, answer) = import(&mut host, &nested(depth));
        let why = answer["data"]["params"]["content"]
            .as_str()
            .unwrap_or_default();
        assert_eq!(status, 400, "{depth}: {answer}");
        assert!(
            why.contains("nested too deeply") || why.contains("recursion limit"),
            "{depth}: {why}"
        );
    }
}
