//! Shapes of files that other people wrote (`docs/import.md`), each as the smallest file with that shape.

use ::import::read_as_json;
use serde_json::{Value, json};

use crate::host::Host;

/// The form of a file, and the codes and places of its report.
fn read(file: &str) -> (Value, Vec<String>) {
    let read: Value = serde_json::from_str(&read_as_json(file, "{}")).unwrap();
    let notes = read[1].as_array().unwrap().iter();
    let note = |note: &Value| {
        [&note["code"], &note["where"]].map(|text| text.as_str().unwrap().to_owned())
    };
    let notes = notes.map(|one| note(one).join(" ")).collect();
    (read[0]["Ok"]["forms"][0].clone(), notes)
}

/// The fields, each as its name, type and label.
fn fields(form: &Value) -> Vec<String> {
    let fields = form["schema"]["fields"].as_array().unwrap().iter();
    fields
        .map(|field| {
            ["name", "type", "label"]
                .map(|name| field[name].as_str().unwrap_or_default())
                .join(":")
        })
        .filter(|field| !field.contains(":submit:"))
        .collect()
}

#[test]
fn labels_and_single_boxes_of_tally_belong_to_their_questions() {
    let block = |kind: &str, group: &str, payload: Value| json!({"uuid": format!("{group}{kind}"), "type": kind, "groupUuid": group, "groupType": kind, "payload": payload});
    let mention = json!({"uuid": "m", "field": {"blockGroupUuid": "b"}});
    let file = json!({"blocks": [
        block("FORM_TITLE", "t", json!({"html": "Leads", "mentions": [mention]})),
        block("LABEL", "a", json!({"html": "Company"})),
        block("INPUT_TEXT", "b", json!({})),
        block("CHECKBOX", "c", json!({"text": "Send me news"})),
        block("PAGE_BREAK", "p", json!({"isThankYouPage": true})),
        block("TITLE", "x", json!({"safeHTMLSchema": [["Thanks, "], ["@Company", [["mention", "m"]]]]})),
        block("TEXT", "y", json!({"safeHTMLSchema": [["See "], ["this & that", [["href", "https://a.example/?b&c"]]]]})),
    ]});
    let (form, notes) = read(&file.to_string());
    assert_eq!(
        fields(&form),
        ["company:text:Company", "send_me_news:consent:Send me news"]
    );
    assert_eq!(
        form["messages"]["success_html"],
        "Thanks, [company]\nSee <a href=\"https://a.example/?b&amp;c\">this &amp; that</a>"
    );
    assert_eq!(notes, Vec::<String>::new());
}

#[test]
fn older_spellings_of_xlsform_are_read() {
    let sheet = "survey,,,,\n,type,name,label:English,relevant\n,select one from sizes or specify other,size,How ${missing} big?,\n,phone number,phone,Phone of ${size},${size} = \u{2018}big\u{2019}\n,datetime,at,When?,\nchoices,,,,\n,list name,name,label:English,\n,sizes,big,Big,\n,sizes,small,Small,\n";
    let (form, notes) = read(sheet);
    assert_eq!(
        fields(&form),
        [
            "size:radio:How  big?",
            "phone:tel:Phone of [size]",
            "at:fieldset:When?",
            "at_date:date:Date",
            "at_time:time:Time"
        ]
    );
    assert_eq!(
        form["schema"]["fields"][0]["attributes"]["data-other"],
        "Other"
    );
    assert_eq!(
        form["schema"]["fields"][1]["conditions"]["rules"][0]["value"],
        "big"
    );
    assert_eq!(notes, ["unknown_variable size"]);
}

#[test]
fn fields_of_a_repeated_section_of_formidable_are_read() {
    let field = |id: &str, kind: &str, name: &str, more: &str| {
        format!(
            "<field><id>{id}</id><field_key>k{id}</field_key><name>{name}</name><type>{kind}</type><field_order>{id}</field_order><field_options><![CDATA[{more}]]></field_options></field>"
        )
    };
    let whole = [
        field(
            "1",
            "divider",
            "Guests",
            "{\"repeat\":1,\"form_select\":\"8\"}",
        ),
        field("2", "end_divider", "", "{}"),
        field("3", "text", "Note", "{}"),
    ]
    .concat();
    let inner = field("4", "text", "Guest", "{}");
    let file = format!(
        "<channel><form><id>7</id><name>Party</name><parent_form_id>0</parent_form_id>{whole}</form><form><id>8</id><parent_form_id>7</parent_form_id>{inner}</form></channel>"
    );
    let (form, notes) = read(&file);
    assert_eq!(
        fields(&form),
        [
            "guests:fieldset:Guests",
            "guest:text:Guest",
            "note:text:Note"
        ]
    );
    assert_eq!(form["schema"]["fields"][1]["group"], "guests");
    assert_eq!(notes, ["repeat Party: guests"]);
}

#[test]
fn a_rule_of_formio_about_a_box_is_read() {
    let rule = json!({"show": true, "conjunction": "all", "conditions": [{"component": "pets.dog", "operator": "isEqual", "value": "true"}]});
    let file = json!({"title": "Pets", "components": [
        {"key": "pets", "type": "selectboxes", "input": true, "label": "Pets", "values": [{"value": "dog", "label": "Dog"}, {"value": "cat", "label": "Cat"}]},
        {"key": "name", "type": "textfield", "input": true, "label": "Name", "conditional": rule, "validate": {"customMessage": "No!"}},
        {"key": "day", "type": "day", "input": true, "label": "Day", "defaultValue": "00/00/0000"},
    ]});
    let (form, notes) = read(&file.to_string());
    let rules = &form["schema"]["fields"][1]["conditions"]["rules"];
    assert_eq!(
        *rules,
        json!([{"field": "pets", "operator": "contains", "value": "dog"}])
    );
    assert!(form["schema"]["fields"][2]["default_value"].is_null());
    assert_eq!(notes, ["error_message Pets: name"]);
}

#[test]
fn lost_settings_and_equal_names_of_surveyjs_are_reported() {
    let element =
        json!({"type": "text", "name": "q", "title": "Hello {who}", "correctAnswer": "x"});
    let file = json!({"title": "Quiz", "timeLimit": 100, "pages": [{"elements": [{"type": "text", "name": "who"}, element, element]}]});
    let (form, notes) = read(&file.to_string());
    assert_eq!(
        fields(&form),
        ["who:text:who", "q:text:Hello [who]", "q_q:text:Hello [who]"]
    );
    for note in [
        "unknown_setting Quiz: timeLimit",
        "unknown_setting Quiz: q.correctAnswer",
        "renamed Quiz: q",
    ] {
        assert!(notes.iter().any(|known| known == note), "{note}: {notes:?}");
    }
}

#[test]
fn answers_in_the_labels_of_fluent_forms_are_shown() {
    let file = json!([{"title": "Raise", "form_fields": {"fields": [
        {"element": "input_text", "uniqElKey": "a", "attributes": {"name": "pay"}, "settings": {"label": "Pay {now}"}},
        {"element": "custom_html", "uniqElKey": "b", "attributes": {"name": "sum"}, "settings": {"html_codes": "You get ${dynamic.pay}"}},
    ], "submitButton": {"settings": {"button_ui": {"text": "Pay {payment_total}"}}}}}]);
    let (form, notes) = read(&file.to_string());
    let fields = fields(&form);
    assert_eq!(fields[0], "pay:text:Pay {now}");
    assert!(
        fields[1].ends_with(":paragraph:You get $[pay]"),
        "{fields:?}"
    );
    assert_eq!(notes, ["unknown_variable Raise: submitButton"]);
}

#[test]
fn a_mail_is_off_if_a_part_of_its_condition_is_lost() {
    let rule = |field: &str| json!({"element_id": field, "rule": "is", "value": "x", "email": "a@example.org", "fieldId": field, "operator": "is"});
    let lost = json!({"status": true, "type": "all", "conditions": [{"field": "gone", "operator": "=", "value": "x"}]});
    let routing = json!([rule("1"), rule("gone")]);
    let known = json!([{"element_id": "1", "rule": "is", "value": "y"}]);
    let hiding = json!({"actionType": "hide", "logicType": "all", "rules": [{"fieldId": "1", "operator": "is", "value": "y"}]});
    let mails = |file: &Value| {
        let (form, notes) = read(&file.to_string());
        let actions = form["settings"]["actions"].as_array().unwrap().clone();
        let off = notes.iter().filter(|note| note.starts_with("notification"));
        let (off, are_off) = (
            off.count(),
            actions.iter().map(|one| one["action_enabled"] == false),
        );
        let conditions = &actions[0]["conditions"];
        let rules = conditions.get("rules").unwrap_or(conditions).as_array();
        (off, are_off.collect::<Vec<_>>(), rules.map_or(0, Vec::len))
    };
    let forminator = json!({"type": "form", "version": "1.50", "data": {"settings": {"formName": "F"},
        "fields": [{"id": "1", "element_id": "1", "type": "text", "field_label": "A"}],
        "notifications": [{"label": "M", "email-recipients": "routing", "routing": routing,
            "condition_action": "not_send", "condition_rule": "all", "conditions": known}]}});
    let gravity = json!({"0": {"title": "G", "fields": [{"type": "text", "id": "1", "label": "A"}],
        "notifications": {"a": {"name": "M", "toType": "routing", "routing": routing, "conditionalLogic": hiding}}}, "version": "2.7"});
    for file in [forminator, gravity] {
        assert_eq!(mails(&file), (1, vec![false, true], 2), "{file}");
    }
    let mail = json!({"name": "M", "sendTo": {"type": "email", "email": "a@example.org"}, "conditionals": lost});
    let hook = json!({"name": "W", "enabled": "1", "request_url": "https://a.example", "conditionals": lost});
    let meta = |key: &str, value: &Value| json!({"meta_key": key, "value": value.to_string()});
    let fluent = json!([{"title": "F", "form_fields": {"fields": [{"element": "input_text", "uniqElKey": "a", "attributes": {"name": "a"}, "settings": {"label": "A"}}]},
        "metas": [meta("notifications", &mail), meta("fluentform_webhook_feed", &hook)]}]);
    assert_eq!(mails(&fluent), (2, vec![true, true], 0));
}

#[test]
fn groups_in_groups_and_each_thank_you_screen_of_typeform_are_read() {
    let group = |name: &str, kind: &str, inner: Value| json!({"ref": name, "title": name, "type": kind, "properties": {"fields": inner}});
    let text = |name: &str| json!({"ref": name, "title": name, "type": "short_text"});
    let screen = |name: &str| json!({"ref": name, "title": name, "properties": {}});
    let jump = json!({"action": "jump", "details": {"to": {"type": "thankyou", "value": "bye"}}, "condition": {"op": "always", "vars": []}});
    let file = json!({"title": "T",
        "fields": [group("all", "group", json!([text("one"), group("who", "contact_info", json!([text("two")]))])), text("last")],
        "logic": [{"type": "field", "ref": "all", "actions": [jump]}],
        "thankyou_screens": [screen("bye")]});
    let (form, notes) = read(&file.to_string());
    assert_eq!(
        fields(&form),
        [
            "all:fieldset:all",
            "one:text:one",
            "who:fieldset:who",
            "two:text:two",
            "last:text:last"
        ]
    );
    assert_eq!(form["schema"]["fields"][2]["group"], "all");
    assert_eq!(form["messages"]["success"], "bye");
    assert_eq!(notes, Vec::<String>::new());
}

#[test]
fn fields_without_names_get_different_names() {
    let message = json!({"blockType": "message", "message": {"root": {"children": [{"children": [{"text": "Hi"}]}]}}});
    let field = json!({"blockType": "text", "name": "a", "label": "A"});
    let file = json!({"docs": [{"title": "F", "fields": [message, field, message]}]}).to_string();
    let names: Vec<String> = fields(&read(&file).0);
    let names: Vec<&str> = names
        .iter()
        .filter_map(|field| field.split(':').next())
        .collect();
    assert_eq!(names, ["message_0", "a", "message_2"]);
}

#[test]
fn payments_and_the_retention_of_entries_are_reported() {
    let mut host = Host::new();
    let body = json!({"title": "Order", "settings": {"retention_days": 30}, "schema": {"fields": [{"name": "email", "type": "email", "label": "Email"}]}});
    let (status, form) = host.send("POST", "/forms", Some(body));
    assert_eq!(status, 201, "{form}");
    let csv = "\"Email\",\"Entry Id\",\"Entry Date\",\"Source Url\",\"Transaction Id\",\"Payment Amount\"\n\"a@example.org\",\"1\",\"2001-03-03 09:00:00\",\"\",\"tx\",\"5\"\n\"b@example.org\",\"2\",\"2001-03-03 09:00:00\",\"\",\"\",\"\"\n";
    let entry = json!({"id": "7", "form_id": "58", "date_created": "2001-01-20 01:15:58", "is_starred": 0, "payment_status": "Paid", "1": "c@example.org"});
    for content in [csv.to_owned(), json!([entry]).to_string()] {
        let body = json!({"content": content, "form_id": form["id"], "time_zone": "UTC"});
        let (status, imported) = host.send("POST", "/forms/import", Some(body));
        assert_eq!(status, 200, "{imported}");
        let report = imported["report"].as_array().unwrap();
        let message = |code: &str| {
            report
                .iter()
                .find(|note| note["code"] == code)
                .map(|note| note["message"].as_str().unwrap().to_owned())
        };
        assert!(message("payments").unwrap().starts_with("1 "), "{imported}");
        assert!(message("too_old").is_some(), "{imported}");
    }
}
