//! Saved progress: readable only by the visitor, kept for a limited time, and deleted with the submission.

use cf_forms::task::Effect;
use serde_json::{Value, json};

use crate::front_fixture::{accept_json, json_of, post, submit, text_of, visitor};
use crate::host::Host;
use crate::queue_purge::purge;
use crate::submissions_fixture::count;

fn form(host: &mut Host, settings: Value) -> i64 {
    let fields = json!([{"name": "wish", "type": "text"}, {"name": "email", "type": "email"}]);
    let body = json!({"title": "Wish", "slug": "wish", "schema": {"fields": fields}, "settings": settings});
    let (status, form) = host.send("POST", "/forms", Some(body));
    assert_eq!(status, 201, "{form}");
    form["id"].as_i64().unwrap()
}

fn call(host: &mut Host, part: &str, pairs: &[(&str, &str)]) -> (u16, Value) {
    let mut request = post(host, &format!("wish/saved{part}"), pairs);
    accept_json(&mut request);
    json_of(&host.visit(request))
}

fn save(host: &mut Host, pairs: &[(&str, &str)]) -> String {
    let (status, body) = call(host, "", pairs);
    assert_eq!(status, 201, "{body}");
    body["token"].as_str().unwrap().to_owned()
}

/// Every text of the database.
fn dump(host: &Host) -> String {
    let tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'cf_%' AND name NOT LIKE 'cf_submission_search%'";
    let mut statement = host.database.prepare(tables).unwrap();
    let names = statement
        .query_map([], |row| row.get::<_, String>(0))
        .unwrap();
    let names: Vec<String> = names.collect::<Result<_, _>>().unwrap();
    let mut all = String::new();
    for name in names {
        let mut rows = host
            .database
            .prepare(&format!("SELECT * FROM {name}"))
            .unwrap();
        let columns = rows.column_count();
        let mut rows = rows.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            for column in 0..columns {
                all += &format!("{:?}\n", row.get_ref(column).unwrap());
                if let Ok(text) = row.get::<_, String>(column) {
                    all += &text;
                    all.push('\n');
                }
            }
        }
    }
    all
}

#[test]
fn a_copy_of_the_database_reveals_no_answer_and_no_token() {
    let mut host = Host::new();
    let settings = json!({"save": "button", "save_mail": true});
    form(&mut host, settings);
    let token = save(
        &mut host,
        &[("wish", "a zebra"), ("email", "ada@example.org")],
    );
    let mailed = [("_cf_saved", token.as_str()), ("email", "bob@example.org")];
    assert_eq!(call(&mut host, "/mail", &mailed).0, 202);
    let all = dump(&host);
    for secret in [
        "zebra",
        "ada@example.org",
        "bob@example.org",
        token.as_str(),
    ] {
        assert!(!all.contains(secret), "{secret}");
    }
    let (_, entries) = host.send("GET", "/action-queue", None);
    assert_eq!(entries[0]["submission_id"], Value::Null);
    assert_eq!(entries[0]["settings"]["to"], "b***@example.org");
    host.run_queue();
    let mail = host.mails.first().expect("a mail");
    assert_eq!(mail.to, ["bob@example.org"]);
    assert!(!mail.text.contains("zebra"), "{}", mail.text);
    let link = mail.text.split("/saved/").nth(1).unwrap().trim().to_owned();
    let all = dump(&host);
    assert!(!all.contains(&link) && !all.contains("bob@example.org"));
    let (status, body) = call(&mut host, "/read", &[("_cf_saved", &link)]);
    assert_eq!(
        (status, &body["values"]["wish"]),
        (200, &json!(["a zebra"]))
    );
    // A new mail invalidates the link of the previous one.
    assert_eq!(call(&mut host, "/mail", &mailed).0, 202);
    assert_eq!(call(&mut host, "/read", &[("_cf_saved", &link)]).0, 404);
    assert_eq!(call(&mut host, "/read", &[("_cf_saved", &token)]).0, 200);
}

#[test]
fn saved_progress_expires_and_is_purged() {
    let mut host = Host::new();
    let id = form(&mut host, json!({"save": "button", "save_days": 2}));
    let token = save(&mut host, &[("wish", "a"), ("email", "ada@example.org")]);
    host.now += 86_400_000;
    let again = [("_cf_saved", token.as_str()), ("wish", "b")];
    assert_eq!(call(&mut host, "", &again).1["version"], 2);
    host.now += 2 * 86_400_000 - 1;
    assert_eq!(call(&mut host, "/read", &[("_cf_saved", &token)]).0, 200);
    host.now += 1;
    assert_eq!(call(&mut host, "/read", &[("_cf_saved", &token)]).0, 404);
    let (_, figures) = host.send("GET", &format!("/forms/{id}/saved"), None);
    assert_eq!(figures["open"], 1);
    purge(&mut host);
    for table in ["cf_saved", "cf_saved_tokens", "cf_saved_owners"] {
        assert_eq!(
            count(&host, &format!("SELECT COUNT(*) FROM {table}")),
            0,
            "{table}"
        );
    }
    let (_, figures) = host.send("GET", &format!("/forms/{id}/saved"), None);
    assert_eq!(
        (&figures["open"], &figures["bytes"]),
        (&json!(0), &json!(0))
    );
}

#[test]
fn a_save_reports_a_newer_save_from_another_device() {
    let mut host = Host::new();
    form(&mut host, json!({"save": "auto"}));
    let token = save(&mut host, &[("wish", "a")]);
    let of = |wish: &'static str, version: &'static str| {
        [("wish", wish), ("_cf_saved_version", version)]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
    };
    let send = |host: &mut Host, pairs: [(String, String); 2]| {
        let mut all: Vec<(&str, &str)> = pairs
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        all.push(("_cf_saved", token.as_str()));
        call(host, "", &all)
    };
    assert_eq!(send(&mut host, of("b", "1")).0, 200);
    let (status, body) = send(&mut host, of("c", "1"));
    assert_eq!(
        (status, &body["code"], &body["version"]),
        (409, &json!("saved_elsewhere"), &json!(2))
    );
    assert_eq!(send(&mut host, of("c", "2")).1["version"], 3);
    let page = post(
        &host,
        "wish/saved",
        &[
            ("wish", "d"),
            ("_cf_saved", &token),
            ("_cf_saved_version", "1"),
        ],
    );
    let shown = host.visit(page);
    assert_eq!(shown.status, 409);
    assert!(
        text_of(&shown).contains("name=\"_cf_saved_version\" value=\"3\""),
        "{}",
        text_of(&shown)
    );
}

#[test]
fn an_address_saves_a_limited_number_of_times() {
    let mut host = Host::new();
    form(&mut host, json!({"save": "button"}));
    for _ in 0..30 {
        save(&mut host, &[("wish", "a")]);
    }
    let (status, body) = call(&mut host, "", &[("wish", "a")]);
    assert_eq!((status, &body["code"]), (429, &json!("rate_limited")));
    let long = "x".repeat(1_000_001);
    host.now += 3_600_000;
    let (status, body) = call(&mut host, "", &[("wish", long.as_str())]);
    assert_eq!((status, &body["code"]), (413, &json!("too_much_to_save")));
    assert_eq!(submit(&mut host, "wish", &[("wish", "a")]).0, 200);
}

#[test]
fn the_page_has_a_button_and_no_answers_behind_the_link() {
    let mut host = Host::new();
    form(&mut host, json!({"save": "auto"}));
    let page = visitor(&host, "GET", "/wish");
    let page = text_of(&host.visit(page));
    let button = "<button type=\"submit\" class=\"cf-save\" name=\"_cf_save\" value=\"1\" formnovalidate formaction=\"/forms/wish/saved\">";
    assert!(page.contains(button), "{page}");
    assert!(page.contains("saved on this website"), "{page}");
    let token = save(&mut host, &[("wish", "zebra")]);
    let link = visitor(&host, "GET", &format!("/wish/saved/{token}"));
    let shown = host.visit(link);
    assert!(!text_of(&shown).contains("zebra"));
    assert_eq!(shown.header("referrer-policy"), Some("no-referrer"));
    let exported = host.send(
        "POST",
        "/privacy/export",
        Some(json!({"email": "ada@example.org"})),
    );
    assert_eq!(exported.1["saved"], json!([]));
}

#[test]
fn the_end_of_a_forms_retention_deletes_no_mail_with_a_link() {
    let mut host = Host::new();
    let settings = json!({"save": "button", "save_mail": true, "retention_days": 1});
    form(&mut host, settings);
    let token = save(&mut host, &[("wish", "a")]);
    let mailed = [("_cf_saved", token.as_str()), ("email", "bob@example.org")];
    assert_eq!(call(&mut host, "/mail", &mailed).0, 202);
    host.run_queue();
    host.now += 3 * 86_400_000;
    assert_eq!(call(&mut host, "/mail", &mailed).0, 202);
    purge(&mut host);
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_action_queue"), 2);
    assert_eq!(count(&host, "SELECT COUNT(*) FROM cf_action_logs"), 1);
    assert_eq!(host.run_queue(), 1);
    assert_eq!(host.mails.len(), 2);
}

#[test]
fn a_save_that_loses_a_race_keeps_the_owners_of_the_stored_answers() {
    let mut host = Host::new();
    form(&mut host, json!({"save": "auto"}));
    let token = save(&mut host, &[("wish", "a")]);
    let of = |host: &Host, email: &str| {
        let pairs = [
            ("email", email),
            ("_cf_saved", &token),
            ("_cf_saved_version", "1"),
        ];
        let mut request = post(host, "wish/saved", &pairs);
        accept_json(&mut request);
        request
    };
    let loser = of(&host, "eve@example.org");
    let is_write = |effect: &Effect| match effect {
        Effect::Sql { statements, .. } => statements
            .iter()
            .any(|statement| statement.sql.text.starts_with("UPDATE cf_saved SET")),
        _ => false,
    };
    let stopped = host.visit_until(loser, is_write);
    let winner = of(&host, "ada@example.org");
    assert_eq!(host.visit(winner).status, 200);
    assert_eq!(host.finish(stopped).status, 409);
    for (email, expected) in [("ada@example.org", 1), ("eve@example.org", 0)] {
        let body = Some(json!({"email": email}));
        let (_, exported) = host.send("POST", "/privacy/export", body);
        let saved = exported["saved"].as_array().map(Vec::len);
        assert_eq!(saved, Some(expected), "{email}");
    }
}

#[test]
fn links_are_mailed_only_on_the_public_url() {
    let mut host = Host::new();
    form(&mut host, json!({"save": "button", "save_mail": true}));
    let token = save(&mut host, &[("wish", "a")]);
    let mailed = [("_cf_saved", token.as_str()), ("email", "bob@example.org")];
    host.engine.set_public_url("https://public.example/site");
    assert_eq!(call(&mut host, "/mail", &mailed).0, 202);
    host.run_queue();
    let text = &host.mails[0].text;
    let link = "https://public.example/site/forms/wish/saved/";
    assert!(text.contains(link), "{text}");
    let shown = |host: &mut Host| {
        let page = visitor(host, "GET", "/wish");
        text_of(&host.visit(page)).contains("data-save-mail")
    };
    assert!(shown(&mut host));
    host.engine.set_public_url("");
    let (status, body) = call(&mut host, "/mail", &mailed);
    assert_eq!((status, &body["code"]), (403, &json!("mail_off")));
    assert!(!shown(&mut host));
    assert_eq!(
        host.log,
        ["resume links are not mailed, since the site has no public URL"]
    );
}
