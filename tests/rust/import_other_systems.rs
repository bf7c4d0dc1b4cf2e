//! Whole forms of Contact Form 7 and Gravity Forms.

use serde_json::{Value, json};

use crate::host::Host;
use crate::import::{field, generated, import, notes, wxr};

#[test]
fn contact_form_7_forms_carry_over_with_their_mails() {
    let mut host = Host::new();
    let form = "<label> Your name\n [text* your-name autocomplete:name placeholder \"Name\"] </label>\n\
        <label>Mail [email* your-email]</label> [tel phone minlength:5 maxlength:20 default:get]\n\
        [number n min:1 max:10 \"3\"] [select* topic include_blank \"Sales|sales@example.org\" \"Help\"]\n\
        [checkbox* colours default:2 \"Red\" \"Blue\"] [radio size \"S\" \"L\"] [textarea note 40x10]Hi[/textarea]\n\
        [file cv limit:1mb filetypes:pdf|docx] [acceptance terms]I <b>agree</b>[/acceptance]\n\
        [captchac captcha-1] [unknown-thing x] [not a tag] [submit \"Send it\"]";
    let mail = "a:7:{s:7:\"subject\";s:16:\"From [your-name]\";s:6:\"sender\";s:22:\"Site <wp@example.org>\n\";\
        s:9:\"recipient\";s:17:\"admin@example.org\";s:4:\"body\";s:25:\"[your-name] [_post_title]\";\
        s:18:\"additional_headers\";s:40:\"Reply-To: [your-email]\nCc: c@example.org\";\
        s:11:\"attachments\";s:4:\"[cv]\";s:8:\"use_html\";b:1;}";
    let mail_2 = "a:2:{s:6:\"active\";b:0;s:9:\"recipient\";s:12:\"[your-email]\";}";
    let messages = "a:2:{s:12:\"mail_sent_ok\";s:6:\"Danke!\";s:12:\"odd_and_more\";s:1:\"x\";}";
    let file = wxr(
        "wpcf7_contact_form",
        "ignored",
        &[
            ("_form", form),
            ("_mail", mail),
            ("_mail_2", mail_2),
            ("_messages", messages),
            (
                "_additional_settings",
                "subscribers_only: true\ndemo_mode: on",
            ),
        ],
    );
    let imported = import(&mut host, &file);
    assert_eq!(imported["format"], "contact-form-7");
    let made = &imported["forms"][0];
    assert_eq!(
        (&made["title"], &made["slug"]),
        (&json!("Contact us"), &json!("contact-us"))
    );
    let schema = generated(&mut host, &made["id"]);
    let name = field(&schema, "your-name");
    assert_eq!(
        (&name["label"], &name["required"], &name["placeholder"]),
        (&json!("Your name"), &json!(true), &json!("Name"))
    );
    assert_eq!(field(&schema, "your-email")["type"], "email");
    assert_eq!(
        field(&schema, "phone")["validation"],
        json!({"min": 5, "max": 20})
    );
    assert_eq!(field(&schema, "n")["default_value"], "3");
    let topics = field(&schema, "topic");
    assert!(
        topics["options"].to_string().contains("Sales") && !topics.to_string().contains("sales@")
    );
    assert_eq!(field(&schema, "colours")["default_value"], "Blue");
    assert_eq!(field(&schema, "size")["type"], "radio");
    assert_eq!(field(&schema, "note")["default_value"], "Hi");
    assert_eq!(field(&schema, "cv")["attributes"]["accept"], ".pdf,.docx");
    assert_eq!(field(&schema, "terms")["required"], true);
    assert!(made["markup"].as_str().unwrap().contains("[not a tag]"));
    let settings = &made["settings"];
    assert_eq!(field(&schema, "colours")["required"], true);
    assert_eq!(settings["required_fields"], Value::Null);
    assert_eq!(settings["require_user_logged_in"], true);
    assert_eq!(
        settings["actions"],
        json!([{
            "type": "email", "to": "admin@example.org", "from": "Site <wp@example.org>\n", "subject": "From [your-name]",
            "message": "<p>[your-name] [_post_title]</p>", "reply_to": "[your-email]", "cc": "c@example.org", "content_type": "text/html",
        }])
    );
    assert_eq!(made["messages"], json!({"success": "Danke!"}));
    let notes = notes(&imported);
    for code in [
        "dropped_tag",
        "unknown_tag",
        "pipe",
        "unknown_option",
        "unknown_variable",
        "attachments",
        "unknown_setting",
    ] {
        assert!(
            notes.iter().any(|note| note.starts_with(code)),
            "{code} in {notes:?}"
        );
    }
}

#[test]
fn gravity_forms_carry_over_with_their_conditions_notifications_and_pages() {
    let mut host = Host::new();
    let file = json!({"0": {
        "title": "Order", "button": {"type": "text", "text": "Buy"},
        "pagination": {"type": "steps", "pages": ["You", "Goods"]},
        "fields": [
            {"type": "name", "id": 1, "label": "Name", "isRequired": true, "nameFormat": "advanced", "inputs": [{"id": "1.3"}]},
            {"type": "email", "id": 2, "label": "E-mail", "isRequired": true, "placeholder": "a@b.c"},
            {"type": "page", "id": 3},
            {"type": "select", "id": 4, "label": "Item", "choices": [
                {"text": "Cup &amp; <b>plate</b>", "value": "cup", "isSelected": true}, {"text": "Fork", "value": "fork"}]},
            {"type": "multiselect", "id": 5, "label": "Item", "choices": [{"text": "A", "value": "", "isSelected": true}]},
            {"type": "number", "id": 6, "label": "Count", "rangeMin": "1", "rangeMax": "9",
                "conditionalLogic": {"actionType": "show", "logicType": "all", "rules": [{"fieldId": "4", "operator": "isnot", "value": "fork"}]}},
            {"type": "fileupload", "id": 7, "label": "Photo", "allowedExtensions": "jpg, png", "multipleFiles": true, "conditionalLogic": ""},
            {"type": "consent", "id": 8, "label": "Consent", "checkboxLabel": "I agree to <a>all</a>"},
            {"type": "section", "id": 9, "label": "Rest"},
            {"type": "creditcard", "id": 10, "label": "Card"},
            {"type": "captcha", "id": 11, "label": "Captcha"},
        ],
        "notifications": {"a1": {
            "name": "Admin", "event": "form_submission", "toType": "email", "to": "admin@example.org", "isActive": true,
            "subject": "{form_title}: {Name (First):1.3}", "message": "{all_fields}{mystery}", "replyTo": "{E-mail:2}",
            "conditionalLogic": {"actionType": "show", "logicType": "any", "rules": [{"fieldId": "4", "operator": "is", "value": "cup"}]}},
            "b2": {"name": "User", "event": "form_submission", "toType": "field", "to": "2", "subject": "Thanks", "message": "Hi"},
            "d4": {"name": "Routed", "toType": "routing", "subject": "s", "message": "m",
                "conditionalLogic": {"actionType": "show", "logicType": "all", "rules": [{"fieldId": "2", "operator": "contains", "value": "@"}]},
                "routing": [{"fieldId": "4", "operator": "is", "value": "fork", "email": "forks@example.org"}]},
            "c3": {"name": "Off", "isActive": false, "to": "x@example.org"}},
        "confirmations": {"z": {"isDefault": true, "type": "message", "message": "<p>Thank you &amp; bye</p>"}},
        "limitEntries": true, "limitEntriesCount": "50", "scheduleForm": true,
    }, "version": "2.5.16"});
    let imported = import(&mut host, &file.to_string());
    assert_eq!(imported["format"], "gravity-forms");
    let (_, schema) = host.send("GET", "/forms/1/schema", None);
    assert_eq!(field(&schema, "name")["type"], "name");
    assert_eq!(
        field(&schema, "item")["options"][0],
        json!({"value": "cup", "label": "Cup & plate"})
    );
    assert_eq!(field(&schema, "item")["default_value"], "cup");
    assert_eq!(field(&schema, "item_5")["default_value"], "A");
    assert_eq!(
        field(&schema, "item_5")["attributes"],
        json!({"multiple": ""})
    );
    let count = field(&schema, "count");
    assert_eq!(count["validation"], json!({"min": 1, "max": 9}));
    assert!(
        count["conditions"]
            .to_string()
            .contains("\"operator\":\"not_equals\""),
        "{count}"
    );
    assert_eq!(
        field(&schema, "photo")["attributes"],
        json!({"multiple": "", "accept": ".jpg,.png"})
    );
    assert_eq!(field(&schema, "consent")["label"], "I agree to all");
    assert_eq!(field(&schema, "gravity_submit")["label"], "Buy");
    assert_eq!(schema["layout"]["steps"][1]["title"], "Goods");
    let (_, form) = host.send("GET", "/forms/1", None);
    assert_eq!(form["source"], "schema");
    assert_eq!(form["settings"]["submission_limit"], 50);
    assert_eq!(form["messages"]["success"], "Thank you & bye");
    let actions = form["settings"]["actions"].as_array().unwrap();
    assert_eq!(actions.len(), 3);
    assert_eq!(actions[2]["to"], "forks@example.org");
    assert_eq!(actions[2]["conditions"].as_array().unwrap().len(), 2);
    assert_eq!(actions[0]["subject"], "[CF_FORM_TITLE]: [name.first]");
    assert_eq!(actions[0]["message"], "[all:label]");
    assert_eq!(actions[0]["reply_to"], "[e_mail]");
    let rule = json!({"field": "item", "operator": "equals", "value": "cup"});
    assert_eq!(actions[0]["conditions"], json!([{ "any": [rule] }]));
    assert_eq!(actions[1]["to"], "[e_mail]");
    assert_eq!(
        notes(&imported),
        [
            "unknown_field at Order: Card",
            "unknown_field at Order: Captcha",
            "schedule at Order: scheduleForm",
            "unknown_variable at Order: Admin",
            "notification at Order: Off",
        ]
    );
}
