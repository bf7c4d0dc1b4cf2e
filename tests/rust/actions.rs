//! Actions, as the test route and the queue run them.

use std::collections::BTreeSet;

use cf_forms::action_types::Setting;
use serde_json::{Value, json};

use crate::host::Host;

fn send(host: &mut Host, settings: Value, data: Value) -> Value {
    let body = json!({"action_type": "email", "settings": settings, "test_data": data});
    let (status, report) = host.send("POST", "/actions/test", Some(body));
    assert_eq!(status, 200, "{report}");
    report
}

fn ann() -> Value {
    json!({"email": "ann@example.org", "name": "Ann <b>", "message": "one\ntwo & three"})
}

#[test]
fn a_mail_goes_to_each_of_its_recipients() {
    let mut host = Host::new();
    let settings = json!({
        "to": "desk@example.org; \"Sales, North\" <sales@example.org>, [email]",
        "cc": "Copy <copy@example.org>", "bcc": "blind@example.org",
        "from": "[name] <forms@example.org>", "reply_to": "[email]",
        "subject": "From [name]", "message": "<p>Hello [name]</p><p>[message]</p>",
        "headers": "X-Form: [CF_FORM_TITLE]\nnonsense",
    });
    let report = send(&mut host, settings, ann());
    assert_eq!(report["success"], true, "{report}");
    assert_eq!(report["status"], "success");
    let mail = host.mails.pop().expect("a mail");
    assert_eq!(
        mail.to,
        [
            "desk@example.org",
            "\"Sales, North\" <sales@example.org>",
            "ann@example.org"
        ]
    );
    assert_eq!(mail.cc, ["\"Copy\" <copy@example.org>"]);
    assert_eq!(mail.bcc, ["blind@example.org"]);
    assert_eq!(mail.from, "\"Ann <b>\" <forms@example.org>");
    assert_eq!(mail.reply_to, "ann@example.org");
    assert_eq!(mail.subject, "From Ann <b>");
    assert_eq!(
        mail.html.as_deref(),
        Some("<p>Hello Ann &lt;b&gt;</p><p>one<br>\ntwo &amp; three</p>")
    );
    assert_eq!(mail.text, "Hello Ann <b>\n\none\ntwo & three");
    assert_eq!(mail.headers["X-Form"], "Test form");
    assert_eq!(mail.headers["Auto-Submitted"], "auto-generated");
    assert_eq!(report["output"]["subject"], "From Ann <b>");
}

#[test]
fn a_mail_has_defaults() {
    let mut host = Host::new();
    send(
        &mut host,
        json!({"to": "desk@example.org", "subject": " "}),
        ann(),
    );
    let mail = host.mails.pop().expect("a mail");
    assert_eq!(mail.from, "forms@localhost");
    assert_eq!(mail.reply_to, "");
    assert_eq!(mail.subject, "New submission: Test form");
    assert_eq!(
        mail.text,
        "Test form\n\nemail: ann@example.org\nmessage: one\ntwo & three\nname: Ann <b>\n\n\
         Open submission\nhttp://localhost/admin/inbox?open=0\n\nlocalhost · 2 January 2026 03:04 (UTC)"
    );
    let html = mail.html.expect("HTML by default");
    assert!(
        html.contains(">name</th>") && html.contains(">Ann &lt;b&gt;</td>"),
        "{html}"
    );
}

/// Composes a mail for a form in German with a time zone, whose title is `A & B`.
fn composed(host: &mut Host, save_submissions: bool, settings: Value) -> Value {
    let form = json!({"title": "A & B", "schema": {"fields": [{"name": "name", "label": "Name"}]}, "settings": {
        "language": "de", "time_zone": "America/Bogota", "save_submissions": save_submissions,
    }});
    let (status, form) = host.send("POST", "/forms", Some(form));
    assert_eq!(status, 201, "{form}");
    let body = json!({"action_type": "email", "form_id": form["id"], "settings": settings, "test_data": {"name": "Ann"}});
    let (_, report) = host.send("POST", "/actions/compose", Some(body));
    report["output"].clone()
}

#[test]
fn the_default_mail_is_in_the_forms_language_and_links_to_the_submission() {
    let mut host = Host::with_languages(json!({
        "de": {"mail_open": "Öffnen & lesen", "date_format": "{day}.{month}.{year}"}
    }));
    let to = json!({"to": "desk@example.org"});
    let mail = composed(&mut host, true, to.clone());
    let link = "Öffnen & lesen\nhttp://localhost/admin/inbox?open=0\n\n";
    let footer = "01.01.2026 22:04 (America/Bogota)";
    let text = format!("A & B\n\nName: Ann\n\n{link}localhost · {footer}");
    assert_eq!(mail["text"], text);
    let html = mail["html"].as_str().expect("HTML by default");
    for part in [
        "<html lang=\"de\" dir=\"ltr\">",
        "<title>A &amp; B</title>",
        ">A &amp; B</h1>",
        " href=\"http://localhost/admin/inbox?open=0\" ",
        ">Öffnen &amp; lesen</a>",
        &format!(">localhost · {footer}</p>"),
    ] {
        assert!(html.contains(part), "{part} in {html}");
    }
    let plain = json!({"to": "desk@example.org", "content_type": "text/plain"});
    let plain = composed(&mut host, true, plain);
    assert_eq!(
        (&plain["text"], &plain["html"]),
        (&json!(text), &Value::Null)
    );

    // A submission that is not kept has no page. Without a public URL, the mail has no link.
    let unsaved = composed(&mut host, false, to.clone());
    assert_eq!(unsaved["text"], text.replace(link, ""));
    host.engine.set_public_url("");
    let mail = composed(&mut host, true, to);
    assert_eq!(mail["text"], format!("A & B\n\nName: Ann\n\n{footer}"));
    assert!(!mail["html"].as_str().unwrap_or_default().contains("href"));
}

#[test]
fn a_plain_mail_has_no_html() {
    let mut host = Host::new();
    let settings =
        json!({"to": "desk@example.org", "content_type": "text/plain", "message": "Hi [name] <3"});
    send(&mut host, settings, ann());
    let mail = host.mails.pop().expect("a mail");
    assert_eq!((mail.text.as_str(), mail.html), ("Hi Ann <b> <3", None));
}

#[test]
fn answers_cannot_add_a_header_or_a_recipient() {
    let mut host = Host::new();
    let evil = "x@example.org\r\nBcc: victim@example.org";
    let settings = json!({
        "to": "desk@example.org, [evil], [two]", "from": "[evil] <forms@example.org>",
        "subject": "[evil]", "reply_to": "[two]", "headers": "X-Name: [evil]",
    });
    let data = json!({"evil": evil, "two": "a@example.org, b@example.org"});
    let report = send(&mut host, settings, data);
    let mail = host.mails.pop().expect("a mail");
    assert_eq!(mail.to, ["desk@example.org"]);
    assert_eq!(mail.reply_to, "");
    assert_eq!(
        mail.headers.keys().collect::<Vec<_>>(),
        ["Auto-Submitted", "X-Name"]
    );
    let lines = [&mail.subject, &mail.from, &mail.headers["X-Name"]];
    assert!(
        lines.iter().all(|line| !line.contains(['\r', '\n'])),
        "{lines:?}"
    );
    let message = report["message"].as_str().expect("a message");
    assert!(
        message.contains("“a@example.org, b@example.org” is not an email address."),
        "{message}"
    );
}

#[test]
fn mailer_headers_are_rejected_and_address_headers_are_parsed() {
    let mut host = Host::new();
    let headers = "Reply-To: [name] <[email]>\nCc: c@example.org\nContent-Type: text/x\nTo: other@example.org\nMessage-ID: <1>";
    let report = send(
        &mut host,
        json!({"to": "desk@example.org", "headers": headers}),
        json!({"email": "ann@example.org", "name": "Ann"}),
    );
    let mail = host.mails.pop().expect("a mail");
    assert_eq!(mail.reply_to, "\"Ann\" <ann@example.org>");
    assert_eq!(mail.cc, ["c@example.org"]);
    assert_eq!(mail.headers.len(), 1, "{:?}", mail.headers);
    let message = report["message"].as_str().expect("a message");
    assert!(
        message.contains("The header content-type can’t be set."),
        "{message}"
    );
}

#[test]
fn a_mail_without_a_usable_recipient_is_not_sent() {
    let mut host = Host::new();
    let report = send(&mut host, json!({"to": "[nobody]"}), json!({"nobody": ""}));
    assert_eq!(
        (&report["status"], &report["message"]),
        (&json!("skipped"), &json!("No recipient is set."))
    );
    let report = send(
        &mut host,
        json!({"to": "[email]"}),
        json!({"email": "not an address"}),
    );
    assert_eq!(
        (&report["status"], &report["message"]),
        (
            &json!("failed"),
            &json!("“not an address” is not an email address.")
        )
    );
    let many = vec!["a@example.org"; 40].join(",").replace("a@", "[n]@");
    let report = send(&mut host, json!({"to": many}), json!({}));
    assert_eq!(report["status"], "failed", "{report}");
    let list: Vec<String> = (0..51).map(|n| format!("a{n}@example.org")).collect();
    let report = send(&mut host, json!({"to": list.join(",")}), json!({}));
    assert_eq!(report["message"], "There are more than 50 recipients.");
    assert!(host.mails.is_empty());
}

#[test]
fn a_test_shows_a_failure_and_stores_nothing() {
    let mut host = Host::new();
    host.mail_fails = true;
    let report = send(&mut host, json!({"to": "desk@example.org"}), ann());
    assert_eq!(report["success"], false);
    assert_eq!(report["status"], "failed");
    assert_eq!(report["output"]["to"], json!(["desk@example.org"]));
    for table in [
        "cf_submissions",
        "cf_action_queue",
        "cf_action_logs",
        "cf_stats",
    ] {
        let sql = format!("SELECT COUNT(*) FROM {table}");
        let rows: i64 = host
            .database
            .query_row(&sql, [], |row| row.get(0))
            .expect("a count");
        assert_eq!(rows, 0, "{table}");
    }
}

#[test]
fn a_test_needs_a_known_type_and_a_known_form() {
    let mut host = Host::new();
    let (status, error) = host.send("POST", "/actions/test", Some(json!({})));
    assert_eq!((status, &error["code"]), (400, &json!("missing_type")));
    assert_eq!(error["data"]["params"], json!(["action_type"]));
    let (status, error) = host.send(
        "POST",
        "/actions/test",
        Some(json!({"action_type": "nonsense"})),
    );
    assert_eq!(
        (status, &error["code"]),
        (400, &json!("unknown_action_type"))
    );
    let body = json!({"action_type": "email", "form_id": 99});
    let (status, error) = host.send("POST", "/actions/test", Some(body));
    assert_eq!((status, &error["code"]), (404, &json!("form_not_found")));
}

#[test]
fn the_settings_form_names_its_inputs_by_the_actions_index() {
    let mut host = Host::new();
    let action =
        json!({"type": "email", "to": "\"><script>@example.org", "content_type": "text/plain"});
    let body = json!({"title": "Contact", "settings": {"actions": [{"type": "other"}, action]}});
    let (status, form) = host.send("POST", "/forms", Some(body));
    assert_eq!(status, 201, "{form}");
    let path = format!("/actions/email/settings?form_id={}&index=1", form["id"]);
    let (status, answer) = host.send("GET", &path, None);
    assert_eq!(status, 200, "{answer}");
    let html = answer["html"].as_str().expect("HTML");
    assert!(html.starts_with(
        "<input type=\"hidden\" name=\"form[settings][actions][1][type]\" value=\"email\">"
    ));
    assert!(
        html.contains(
            "name=\"form[settings][actions][1][to]\" value=\"&quot;&gt;&lt;script&gt;@example.org\""
        ),
        "{html}"
    );
    assert!(
        html.contains("<option value=\"text/plain\" selected>"),
        "{html}"
    );
    assert_eq!(answer["settings"]["content_type"], "text/plain");
    let (status, error) = host.send("GET", "/actions/nonsense/settings", None);
    assert_eq!(
        (status, &error["code"]),
        (400, &json!("unknown_action_type"))
    );
}

#[test]
fn every_built_in_type_is_described() {
    let mut host = Host::new();
    let (status, types) = host.send("GET", "/actions", None);
    assert_eq!(status, 200);
    let types = types.as_array().expect("a list");
    assert!(
        types
            .iter()
            .any(|action_type| action_type["type"] == "email"
                && action_type["label"] == "Email notification")
    );
    for action_type in types {
        let settings: Vec<Setting> =
            serde_json::from_value(action_type["settings"].clone()).expect("settings");
        let keys: BTreeSet<&str> = settings
            .iter()
            .map(|setting| setting.key.as_str())
            .collect();
        assert_eq!(
            keys.len(),
            settings.len(),
            "{}: each key once",
            action_type["type"]
        );
        assert!(
            settings.iter().all(|setting| !setting.label.is_empty()),
            "{}",
            action_type["type"]
        );
    }
}

#[test]
fn an_autoresponder_sends_only_to_a_valid_address() {
    let mut host = Host::new();
    let mut answer_to = |address: &str| {
        let settings = json!({"from_name": "Desk <x>", "from_email": "desk@example.org", "message": "Hello [name]"});
        let body = json!({"action_type": "autoresponder", "settings": settings, "test_data": {"email": address, "name": "Ann"}});
        host.send("POST", "/actions/test", Some(body)).1
    };
    assert_eq!(answer_to("ann@example.org")["status"], "success");
    for address in [
        "",
        "ann",
        "a@example.org, b@example.org",
        "a@example.org\nBcc: b@example.org",
    ] {
        assert_eq!(answer_to(address)["status"], "skipped", "{address}");
    }
    assert_eq!(host.mails.len(), 1);
    let mail = host.mails.pop().expect("a mail");
    assert_eq!(mail.to, ["ann@example.org"]);
    assert_eq!(mail.from, "\"Desk x\" <desk@example.org>");
    assert_eq!(mail.headers["Auto-Submitted"], "auto-replied");
}

#[test]
fn attachments_are_a_text_or_a_list_without_a_warning() {
    let mut host = Host::new();
    for (attachments, is_fine) in [
        (json!("cv"), true),
        (json!(["cv"]), true),
        (json!(1), false),
    ] {
        let action = json!({"type": "email", "to": "a@example.org", "attachments": attachments});
        let body = json!({"title": "Contact", "settings": {"actions": [action]}});
        let request = host.request("POST", "/cf/v1/forms", Some(body));
        let response = host.handle(request);
        assert_eq!(response.status, 201);
        let warning = response.header("x-cf-warning");
        assert_eq!(warning.is_none(), is_fine, "{attachments}: {warning:?}");
    }
}
