//! Schemas in the host's meta store, which shares no transaction with the database.

use cf_forms::task::{Effect, Port};
use serde_json::{Value, json};

use crate::forms_change::{form, ok};
use crate::host::{Host, Stopped};
use crate::queue_purge::purge;
use crate::submissions_fixture::count;

const HOUR: i64 = 3_600_000;

fn host() -> Host {
    Host::with_ports(vec![Port::Meta])
}

fn schema(name: &str) -> Value {
    json!({"fields": [{"name": name, "type": "text"}]})
}

fn put(host: &mut Host, id: i64, name: &str) {
    ok(host.send("PUT", &format!("/forms/{id}/schema"), Some(schema(name))));
}

/// Returns the name of the form's only field, as clients read it.
fn read(host: &mut Host, id: i64) -> Value {
    ok(host.send("GET", &format!("/forms/{id}/fields"), None))[0]["name"].clone()
}

/// Returns the name of the form's only field, as the platform's meta store has it.
fn in_meta_store(host: &Host, id: i64) -> Value {
    let text = host.meta.get(&(id, "_cf_form_schema".to_owned()));
    let schema = text.map(|text| serde_json::from_str::<Value>(text).unwrap());
    schema.map_or(Value::Null, |schema| schema["fields"][0]["name"].clone())
}

fn pending_handovers(host: &Host) -> i64 {
    count(host, "SELECT COUNT(*) FROM cf_form_meta")
}

/// Runs a change of the schema up to the write to the meta store.
fn put_until_the_meta_write(host: &mut Host, id: i64, name: &str) -> Stopped {
    let path = format!("/cf/v1/forms/{id}/schema");
    let request = host.request("PUT", &path, Some(schema(name)));
    host.handle_until(request, |effect| matches!(effect, Effect::MetaSet { .. }))
}

#[test]
fn a_host_with_a_meta_store_stores_the_schemas() {
    let mut host = Host::with_ports(vec![Port::Meta]);
    let id = form(&mut host, "Elsewhere");
    let path = format!("/forms/{id}");
    let schema = json!({"fields": [{"name": "b"}]});
    let stored = ok(host.send("PUT", &format!("{path}/schema"), Some(schema)));
    let key = (id, "_cf_form_schema".to_owned());
    assert_eq!(
        serde_json::from_str::<Value>(&host.meta[&key]).unwrap(),
        stored
    );
    let rows: i64 = host
        .database
        .query_row("SELECT COUNT(*) FROM cf_form_meta", [], |row| row.get(0))
        .unwrap();
    assert_eq!(rows, 0);
    assert_eq!(
        ok(host.send("GET", &format!("{path}/schema"), None)),
        stored
    );
    assert_eq!(ok(host.send("GET", "/forms", None))[0]["has_schema"], true);

    // Another plugin writes and removes the schema through the platform.
    let other = json!({"version": 1, "fields": [{"name": "theirs"}]}).to_string();
    host.meta.insert(key.clone(), other);
    let fields = ok(host.send("GET", &format!("{path}/fields"), None));
    assert_eq!(fields[0]["name"], "theirs");
    host.meta.remove(&key);
    assert_eq!(ok(host.send("GET", &path, None))["has_schema"], false);
    assert_eq!(
        ok(host.send("GET", &format!("{path}/schema"), None)),
        Value::Null
    );

    ok(host.send("POST", &format!("{path}/schema/generate"), None));
    assert!(host.meta.contains_key(&key));
    ok(host.send("DELETE", &format!("{path}?force=true"), None));
    assert!(host.meta.is_empty());
}

#[test]
fn the_next_purge_writes_a_schema_that_the_meta_store_rejected() {
    for code in ["failed", "timeout"] {
        let mut host = host();
        let id = form(&mut host, "Elsewhere");
        put(&mut host, id, "first");
        host.meta_fails = Some(code);
        put(&mut host, id, "second");
        assert_eq!(host.log.len(), 1, "{:?}", host.log);
        assert_eq!(
            (in_meta_store(&host, id), read(&mut host, id)),
            (json!("first"), json!("second"))
        );
        assert_eq!(
            ok(host.send("GET", &format!("/forms/{id}"), None))["source"],
            "schema"
        );

        purge(&mut host);
        assert_eq!(in_meta_store(&host, id), "first");
        host.meta_fails = None;
        host.now += HOUR;
        purge(&mut host);
        assert_eq!(
            (in_meta_store(&host, id), pending_handovers(&host)),
            (json!("second"), 0)
        );
    }
}

#[test]
fn after_a_failed_meta_write_the_next_change_is_written_at_once() {
    let mut host = host();
    let id = form(&mut host, "Elsewhere");
    host.meta_fails = Some("failed");
    put(&mut host, id, "first");
    host.meta_fails = None;
    put(&mut host, id, "second");
    assert_eq!(
        (in_meta_store(&host, id), pending_handovers(&host)),
        (json!("second"), 0)
    );
}

#[test]
fn a_schema_survives_a_crash_before_the_meta_write() {
    let mut host = host();
    let id = form(&mut host, "Elsewhere");
    let dying = put_until_the_meta_write(&mut host, id, "first");
    host.engine.cancel(dying.task);
    assert_eq!(
        (in_meta_store(&host, id), read(&mut host, id)),
        (Value::Null, json!("first"))
    );
    assert_eq!(ok(host.send("GET", "/forms", None))[0]["has_schema"], true);
    host.now += HOUR;
    purge(&mut host);
    assert_eq!(
        (in_meta_store(&host, id), pending_handovers(&host)),
        (json!("first"), 0)
    );
}

#[test]
fn an_older_schema_never_arrives_after_a_newer_one() {
    let mut host = host();
    let id = form(&mut host, "Elsewhere");
    let slow = put_until_the_meta_write(&mut host, id, "first");
    put(&mut host, id, "second");
    assert_eq!(
        (in_meta_store(&host, id), read(&mut host, id)),
        (Value::Null, json!("second"))
    );
    assert_eq!(host.finish(slow).status, 200);
    assert_eq!(
        (in_meta_store(&host, id), pending_handovers(&host)),
        (json!("second"), 0)
    );
    assert_eq!(read(&mut host, id), "second");
}

#[test]
fn a_form_deleted_during_the_meta_write_leaves_nothing() {
    let mut host = host();
    let id = form(&mut host, "Elsewhere");
    let slow = put_until_the_meta_write(&mut host, id, "first");
    ok(host.send("DELETE", &format!("/forms/{id}?force=true"), None));
    host.finish(slow);
    assert!(host.meta.is_empty());
    assert_eq!(pending_handovers(&host), 0);
}

#[test]
fn all_stored_schemas_are_written_to_a_new_meta_store() {
    let mut host = host();
    let ids: Vec<i64> = (0..250)
        .map(|n| form(&mut host, &format!("Form {n}")))
        .collect();
    for id in &ids {
        host.database
            .execute(
                "INSERT INTO cf_form_meta (form_id, name, value) VALUES (?1, '_cf_form_schema', ?2)",
                rusqlite::params![id, schema("old").to_string()],
            )
            .unwrap();
    }
    purge(&mut host);
    assert!(ids.iter().all(|id| in_meta_store(&host, *id) == "old"));
    assert_eq!(pending_handovers(&host), 0);
}
