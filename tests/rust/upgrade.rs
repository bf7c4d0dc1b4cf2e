//! Upgrades of a database with rows of an older version of the engine.

use cf_forms::http::Response;
use cf_forms::task::{Effect, Progress};
use serde_json::{Value, json};

use crate::host::Host;
use crate::submissions_fixture::{assert_counters_agree, count, ids};

const SUBMISSIONS: i64 = 450;

/// Rows of that version: a form, submissions of all statuses, and an index of only words, forms and ids.
const ROWS: &str = "
CREATE TABLE cf_migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL);
INSERT INTO cf_migrations VALUES (1, 'foundation', 0), (2, 'analytics', 0);
INSERT INTO cf_forms (change_token, title, slug, markup, settings, messages, source, has_schema, revision, created_at, updated_at)
  VALUES ('t', 'Old', 'old', '', '{}', '{}', 'markup', 0, 1, 0, 0),
    ('u', 'Hides', 'hides', '', '{\"hide_after_success\":true,\"rate_limit\":5}', '{}', 'markup', 0, 1, 0, 0),
    ('v', 'Stays', 'stays', '', '{\"rate_limit\":5}', '{}', 'markup', 0, 1, 0, 0);
INSERT INTO cf_submissions (uuid, form_id, status, change_token, is_spam, spam_score, spam_reasons, actions_withheld, data,
    files, ip_address, user_agent, referer_url, page_url, schema_revision, submitted_at, modified_at)
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 450)
  SELECT 'u' || i, 1, CASE WHEN i % 10 = 0 THEN 'spam' WHEN i % 25 = 1 THEN 'trash' WHEN i % 3 = 0 THEN 'read' ELSE 'new' END,
    '', i % 10 = 0, 0, '[]', 0, '{\"mail\":\"Person' || (i % 9) || '@example.org\"}', '[]', '', '', '', '', 1, i * 1000, i * 1000 FROM n;
INSERT INTO cf_submission_search (rowid, words)
  SELECT id, 'cfform1 example org person' || (id % 9) || ' ' || id FROM cf_submissions;
INSERT INTO cf_stats SELECT form.id, 'status', '', s.status, 0, COUNT(*) FROM cf_submissions s
  CROSS JOIN (SELECT 0 AS id UNION ALL SELECT 1) form GROUP BY form.id, s.status;
";

fn migrate(host: &mut Host) {
    let request = host.request("POST", "", None);
    let progress = host.engine.migrate(request);
    let response = host.drive(progress);
    assert_eq!(response.status, 200, "{:?}", response.log);
}

fn old_site() -> Host {
    let mut host = Host::new();
    host.database = rusqlite::Connection::open_in_memory().unwrap();
    let tables = include_str!("upgrade/first_tables.sql");
    host.database.execute_batch(tables).unwrap();
    host.database.execute_batch(ROWS).unwrap();
    host
}

fn list(host: &mut Host, query: &str) -> (Response, Value) {
    let request = host.request("GET", &format!("/cf/v1/submissions?{query}"), None);
    let response = host.handle(request);
    let body = serde_json::from_slice(&response.body).unwrap();
    (response, body)
}

fn total(host: &mut Host, query: &str) -> i64 {
    let (response, _) = list(host, query);
    response.header("x-wp-total").unwrap().parse().unwrap()
}

#[test]
fn an_upgraded_database_is_searchable_by_status_form_and_ip_address() {
    let mut host = old_site();
    migrate(&mut host);
    assert_eq!(
        host.send("GET", "/forms/1/answer-names", None).1,
        json!([{"name": "mail", "count": SUBMISSIONS}])
    );
    let spam = count(
        &host,
        "SELECT COUNT(*) FROM cf_submissions WHERE status = 'spam'",
    );
    let sql_of = |condition: &str| {
        format!("SELECT COUNT(*) FROM cf_submissions WHERE id % 9 = 4 AND {condition}")
    };
    for (query, condition) in [
        ("search=person4", "status NOT IN ('spam', 'trash')"),
        ("search=person4&status=any", "1 = 1"),
        ("search=person4&status=spam", "status = 'spam'"),
        ("search=person4&form_id=1&status=read", "status = 'read'"),
        ("search=person4&form_id=2", "1 = 0"),
    ] {
        let wanted = count(&host, &sql_of(condition));
        assert_eq!(total(&mut host, query), wanted, "{query}");
    }
    assert_eq!(total(&mut host, "status=spam"), spam);
    assert_eq!(total(&mut host, "status=any"), SUBMISSIONS);
    let names = "SELECT COUNT(*) FROM cf_answer_names";
    let first = [
        names,
        " WHERE form_id = 1 AND name = 'mail' AND first_seen = 1000",
    ]
    .concat();
    assert_eq!((count(&host, names), count(&host, &first)), (1, 1));
    let (_, newest) = list(&mut host, "per_page=2");
    assert_eq!(ids(&newest), [449, 448]);
    let (_, by_id) = list(&mut host, "per_page=2&orderby=id&order=asc&status=read");
    assert_eq!(ids(&by_id), [3, 6]);
    assert_counters_agree(&host);

    let body = Some(json!({"email": "person4@EXAMPLE.org"}));
    let (_, receipt) = host.send("POST", "/privacy/erase", body);
    assert_eq!(receipt["submissions"], 50);
    assert_eq!(total(&mut host, "status=any"), SUBMISSIONS - 50);
    assert_eq!(total(&mut host, "search=person4&status=any"), 0);
    assert_counters_agree(&host);
    assert_eq!(host.send("DELETE", "/forms/1?force=true", None).0, 200);
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_submission_search"), 0);
}

#[test]
fn old_forms_stay_published_and_visible_after_a_success() {
    let mut host = old_site();
    migrate(&mut host);
    for (id, hides, limit) in [(1, false, 0), (2, true, 5), (3, false, 5)] {
        let (_, form) = host.send("GET", &format!("/forms/{id}"), None);
        assert_eq!(form["status"], "published");
        assert_eq!(form["settings"]["hide_after_success"], hides, "{id}");
        assert_eq!(form["settings"]["rate_limit"], limit, "{id}");
        assert_eq!(form["settings"]["prefill"], "off", "{id}");
    }
}

#[test]
fn an_interrupted_upgrade_of_the_index_resumes_and_runs_once() {
    let mut host = old_site();
    let broken = "CREATE TRIGGER broken BEFORE UPDATE ON cf_settings WHEN NEW.value = '400'
      BEGIN SELECT RAISE(ABORT, 'the process ended'); END";
    migrate_tables(&mut host);
    let names = "SELECT COUNT(*) FROM cf_answer_names";
    assert_eq!(count(&host, names), 0, "not all in one transaction");
    host.database.execute_batch(broken).unwrap();
    let request = host.request("POST", "", None);
    let progress = host.engine.migrate(request);
    assert_eq!(host.drive(progress).status, 500);
    let place = "SELECT CAST(value AS INTEGER) FROM cf_settings WHERE name LIKE 'search_indexed%'";
    assert_eq!(count(&host, place), 200);
    host.database.execute_batch("DROP TRIGGER broken").unwrap();
    migrate(&mut host);
    assert_eq!(count(&host, place), (1 << 53) - 1, "all, also future ones");
    assert_eq!(total(&mut host, "search=person4&status=any"), 50);
    let before = host.statements;
    migrate(&mut host);
    assert!(host.statements - before < 10, "nothing is left to migrate");
}

/// Another process runs each migration just before this one does, so that the migration's row already exists.
#[test]
fn a_process_that_loses_every_migration_race_still_starts() {
    let mut host = Host::new();
    host.database = rusqlite::Connection::open_in_memory().unwrap();
    let is_migration = |effect: &Effect| {
        matches!(effect, Effect::Sql { statements, .. }
            if statements.iter().any(|statement| statement.sql.text.starts_with("INSERT INTO cf_migrations")))
    };
    let mut lost = 0;
    let request = host.request("POST", "", None);
    let mut progress = host.engine.migrate(request);
    let response = loop {
        match progress {
            Progress::Done(response) => break response,
            Progress::Gone => panic!("the task is gone"),
            Progress::Waiting { task, effects } => {
                let mut outcomes = Vec::new();
                for (id, effect) in effects {
                    if is_migration(&effect) {
                        host.perform(effect.clone());
                        lost += 1;
                    }
                    outcomes.push((id, host.perform(effect)));
                }
                progress = host.engine.resume(task, host.now, outcomes);
            }
        }
    };
    assert_eq!(response.status, 200, "{:?}", response.log);
    assert!(lost > 5, "{lost} migrations");
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_migrations"), lost);
}

/// Migrates only the tables.
fn migrate_tables(host: &mut Host) {
    let migrated = host.run(async |cx| cf_forms::store::migrate(&cx).await);
    migrated.unwrap();
}

#[test]
fn an_upgraded_database_is_searched_without_regard_to_accents() {
    let mut host = old_site();
    let update = "UPDATE cf_forms SET title = 'Größe' WHERE slug = 'old'";
    host.database.execute_batch(update).unwrap();
    migrate(&mut host);
    for (search, slugs) in [
        ("groesse", vec![]),
        ("GROSSE", vec!["old"]),
        ("hid", vec!["hides"]),
    ] {
        let (_, body) = host.send("GET", &format!("/forms?search={search}"), None);
        let forms = body.as_array().unwrap().iter();
        let found: Vec<&str> = forms.map(|form| form["slug"].as_str().unwrap()).collect();
        assert_eq!(found, slugs, "{search}");
    }
    assert_eq!(
        count(
            &host,
            "SELECT COUNT(*) FROM cf_forms WHERE folded_title IS NULL"
        ),
        0
    );
}
