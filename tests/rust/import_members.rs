//! Unknown members are named in the report of an import, for every format and record.

use serde_json::{Value, json};

use crate::host::Host;
use crate::import::{import, wxr};

/// Imports a file; returns the places of unknown settings in its report.
fn unknown(content: &str) -> Vec<String> {
    let imported = import(&mut Host::new(), content);
    let notes = imported["report"].as_array().unwrap().iter();
    let notes = notes.filter(|note| note["code"] == "unknown_setting");
    let place = |note: &Value| {
        let place = note["where"].as_str().unwrap();
        place
            .rsplit_once(": ")
            .map_or(place, |(_, name)| name)
            .to_owned()
    };
    notes.map(place).collect()
}

fn emdash(form: &Value, field: &Value, settings: &Value) -> String {
    let mut form = form.clone();
    form["name"] = json!("F");
    form["pages"] = json!([{"fields": [field]}]);
    form["settings"] = settings.clone();
    json!({"items": [form]}).to_string()
}

#[test]
fn an_unknown_member_is_reported_by_name() {
    let text = json!({"type": "text", "name": "a", "label": "A", "width": "full"});
    let with = |record: &Value, name: &str| {
        let mut record = record.clone();
        record[name] = json!("x");
        record
    };
    let none = json!({});
    let condition = json!({"field": "a", "op": "eq", "value": "1", "gizmo": "x"});
    let conditional = json!({"type": "text", "name": "b", "label": "B", "condition": condition});
    let validated =
        json!({"type": "text", "name": "b", "label": "B", "validation": {"min": 1, "gizmo": 2}});
    let payload = |form: Value, field: Value| {
        let mut form = form;
        form["title"] = json!("F");
        form["fields"] = json!([field]);
        json!({"docs": [form]}).to_string()
    };
    let block = json!({"blockType": "text", "name": "a", "label": "A"});
    let gravity = |form: Value| {
        let mut form = form;
        form["title"] = json!("F");
        if form.get("fields").is_none() {
            form["fields"] = json!([{"type": "text", "id": 1, "label": "A"}]);
        }
        json!({"0": form, "version": "2.7"}).to_string()
    };
    let mail = "a:3:{s:9:\"recipient\";s:13:\"a@example.org\";s:5:\"gizmo\";s:1:\"x\";s:4:\"body\";s:1:\"b\";}";
    let settings =
        json!({"gizmo": "x", "actions": [{"type": "email", "to": "a@example.org", "part": "y"}]});
    for (file, expected) in [
        (emdash(&none, &text, &none), vec![]),
        (emdash(&with(&none, "gizmo"), &text, &none), vec!["gizmo"]),
        (emdash(&none, &with(&text, "gizmo"), &none), vec!["a.gizmo"]),
        (emdash(&none, &with(&text, "width"), &none), vec!["a.width"]),
        (emdash(&none, &conditional, &none), vec!["b.condition.gizmo"]),
        (emdash(&none, &validated, &none), vec!["b.validation.gizmo"]),
        (emdash(&none, &text, &with(&none, "gizmo")), vec!["gizmo"]),
        (payload(none.clone(), block.clone()), vec![]),
        (payload(with(&none, "gizmo"), block.clone()), vec!["gizmo"]),
        (payload(none.clone(), with(&block, "gizmo")), vec!["a.gizmo"]),
        (
            payload(json!({"emails": [{"emailTo": "a@example.org", "gizmo": 1}]}), block),
            vec!["emails[0].gizmo"],
        ),
        (gravity(none.clone()), vec![]),
        (gravity(with(&none, "gizmo")), vec!["gizmo"]),
        (gravity(json!({"button": {"text": "Go", "imageUrl": "/a.png"}})), vec!["button.imageUrl"]),
        (
            gravity(json!({"fields": [{"type": "text", "id": 1, "label": "A", "gizmo": "x"}]})),
            vec!["a.gizmo"],
        ),
        (
            gravity(json!({"notifications": {"n": {"name": "Mail", "to": "a@example.org", "gizmo": true}}})),
            vec!["Mail.gizmo"],
        ),
        (
            gravity(json!({"confirmations": {"c": {"type": "message", "message": "Hi", "gizmo": "x"}}})),
            vec!["confirmations.gizmo"],
        ),
        (
            wxr("wpcf7_contact_form", "", &[("_form", "[text a]"), ("_gizmo", "x"), ("_edit_last", "1")]),
            vec!["_gizmo"],
        ),
        (
            wxr("wpcf7_contact_form", "", &[("_form", "[text a]"), ("_mail", mail)]),
            vec!["_mail.gizmo"],
        ),
        (
            wxr("html-form", "<input name=a>", &[("_hf_gizmo", "x"), ("hf_message_success", "Hi")]),
            vec!["_hf_gizmo"],
        ),
        (
            wxr("html-form", "<input name=a>", &[("_hf_settings", &settings.to_string())]),
            vec!["actions[0].part", "gizmo"],
        ),
        (
            json!({"format": "cf-forms", "version": 1, "forms": [{"title": "F", "markup": "", "gizmo": 1}]}).to_string(),
            vec!["gizmo"],
        ),
    ] {
        assert_eq!(unknown(&file), expected, "{file}");
    }
}

#[test]
fn widths_become_classes_of_the_theme() {
    let class = |file: &str| {
        let mut host = Host::new();
        import(&mut host, file);
        let (_, schema) = host.send("GET", "/forms/1/schema", None);
        schema["fields"][0]["css_class"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    for (width, expected) in [
        (json!("full"), ""),
        (json!("half"), "cf-half"),
        (json!("third"), "cf-third"),
        (json!(50), "cf-half"),
        (json!(33.33), "cf-third"),
        (json!("66"), "cf-two-thirds"),
        (json!(100), ""),
        (Value::Null, ""),
    ] {
        let field =
            json!({"type": "text", "blockType": "text", "name": "a", "label": "A", "width": width});
        let file = json!({"items": [{"name": "F", "pages": [{"fields": [field]}]}]}).to_string();
        assert_eq!(class(&file), expected, "{file}");
        let file = json!({"docs": [{"title": "F", "fields": [field]}]}).to_string();
        assert_eq!(class(&file), expected, "{file}");
    }
    for (span, expected) in [
        (6, "wide cf-half"),
        (4, "wide cf-third"),
        (8, "wide cf-two-thirds"),
        (12, "wide"),
    ] {
        let field = json!({"type": "text", "id": 1, "label": "A", "cssClass": "wide", "layoutGridColumnSpan": span});
        let file = json!({"0": {"title": "F", "fields": [field]}, "version": "2.7"}).to_string();
        assert_eq!(class(&file), expected, "{file}");
    }
}
