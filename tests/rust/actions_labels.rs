//! Labels of options in the output of actions, and the reply address of mails.

use serde_json::{Value, json};

use crate::host::Host;

fn form(host: &mut Host, fields: Value, settings: Value) -> i64 {
    let body = json!({"title": "Dinner", "schema": {"fields": fields}, "settings": settings});
    let (status, form) = host.send("POST", "/forms", Some(body));
    assert_eq!(status, 201, "{form}");
    form["id"].as_i64().expect("an id")
}

fn dinner() -> Value {
    json!([
        {"name": "email", "type": "email"},
        {"name": "menu", "type": "radio", "label": "Menu", "options": [{"value": "fish", "label": "Fish <of> @day"}]},
        {"name": "extras", "type": "checkbox", "options": [{"value": "b", "label": "Bread"}, {"value": "o", "label": "Olives"}]},
        {"name": "note"},
    ])
}

fn run(host: &mut Host, form: i64, kind: &str, settings: Value, data: Value) {
    let body =
        json!({"action_type": kind, "form_id": form, "settings": settings, "test_data": data});
    let (status, report) = host.send("POST", "/actions/test", Some(body));
    assert_eq!(
        (status, &report["success"]),
        (200, &json!(true)),
        "{report}"
    );
}

#[test]
fn actions_show_labels_and_webhooks_carry_both() {
    let mut host = Host::new();
    let form = form(&mut host, dinner(), json!({}));
    let data =
        json!({"email": "ann@example.org", "menu": "fish", "extras": ["b", "o"], "note": ""});
    let template = "[menu] ([menu:value]), [extras]\n[all:label]";
    let text = "Fish <of> @day (fish), Bread, Olives\nemail: ann@example.org\nMenu: Fish <of> @day\nextras: Bread, Olives";

    let mail = json!({"to": "desk@example.org", "subject": "[menu]", "message": template, "content_type": "text/plain"});
    run(&mut host, form, "email", mail, data.clone());
    let sent = host.mails.pop().expect("a mail");
    assert_eq!(
        (sent.subject.as_str(), sent.text.as_str()),
        ("Fish <of> @day", text)
    );
    assert_eq!(sent.reply_to, "ann@example.org");

    let answer = json!({"email_field": "email", "message": template, "content_type": "text/plain"});
    run(&mut host, form, "autoresponder", answer, data.clone());
    let sent = host.mails.pop().expect("a mail");
    assert_eq!((sent.text.as_str(), sent.reply_to.as_str()), (text, ""));

    let slack = json!({"url": "https://hooks.slack.com/services/T/B/x", "message": "[menu]"});
    run(&mut host, form, "slack", slack, data.clone());
    let body = host
        .requests
        .pop()
        .expect("a request")
        .body
        .expect("a body");
    let body = String::from_utf8(body).expect("text");
    assert!(body.contains("Fish &lt;of&gt; @day"), "{body}");

    let webhook = json!({"url": "https://example.org/?m=[menu]&v=[menu:value]", "fields": "menu"});
    run(&mut host, form, "webhook", webhook, data);
    let request = host.requests.pop().expect("a request");
    assert_eq!(
        request.url,
        "https://example.org/?m=Fish%20%3Cof%3E%20%40day&v=fish"
    );
    let body: Value = serde_json::from_slice(&request.body.expect("a body")).expect("JSON");
    assert_eq!(body["data"]["fields"], json!({"menu": "fish"}));
    assert_eq!(body["data"]["labels"], json!({"menu": "Fish <of> @day"}));
}

#[test]
fn replies_go_to_the_only_email_field() {
    let one = json!([{"name": "mail", "type": "email"}, {"name": "text"}]);
    let two = json!([{"name": "mail", "type": "email"}, {"name": "other", "type": "email"}]);
    let named = json!([{"name": "mail"}, {"name": "text"}]);
    let ann = json!({"mail": "ann@example.org", "text": "x"});
    for (fields, form_settings, settings_change, data, reply_to) in [
        (&one, json!({}), json!({}), &ann, "ann@example.org"),
        (
            &one,
            json!({}),
            json!({"reply_to": "desk@example.org"}),
            &ann,
            "desk@example.org",
        ),
        (
            &one,
            json!({}),
            json!({"headers": "Reply-To: desk@example.org"}),
            &ann,
            "desk@example.org",
        ),
        (
            &one,
            json!({}),
            json!({"reply_to": "[text]"}),
            &json!({"mail": "ann@example.org", "text": ""}),
            "",
        ),
        (
            &one,
            json!({}),
            json!({}),
            &json!({"mail": "ann@example.org, evil@example.org"}),
            "",
        ),
        (
            &one,
            json!({}),
            json!({}),
            &json!({"mail": "", "text": "x"}),
            "",
        ),
        (&two, json!({}), json!({}), &ann, ""),
        (&named, json!({}), json!({}), &ann, ""),
        (
            &named,
            json!({"email_fields": "mail"}),
            json!({}),
            &ann,
            "ann@example.org",
        ),
    ] {
        let mut host = Host::new();
        let form = form(&mut host, fields.clone(), form_settings);
        let mut settings = json!({"to": "to@example.org"});
        let members = settings_change.as_object().expect("settings").clone();
        settings.as_object_mut().expect("settings").extend(members);
        run(&mut host, form, "email", settings, data.clone());
        let sent = host.mails.pop().expect("a mail");
        assert_eq!(sent.reply_to, reply_to, "{fields} {settings_change} {data}");
    }
}
