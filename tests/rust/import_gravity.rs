//! Imports from Gravity Forms and HTML Forms: settings other than fields carry over or are reported.

use serde_json::{Value, json};

use crate::host::Host;
use crate::import::{import, wxr};

/// Imports a Gravity form; returns the form, its schema, and the report as `code at place`.
fn imported(form: Value) -> (Value, Value, Vec<String>) {
    let mut form = form;
    form["title"] = json!("G");
    let file = json!({"0": form, "version": "2.7"}).to_string();
    let mut host = Host::new();
    let (status, body) = host.send("POST", "/forms/import", Some(json!({ "content": file })));
    assert_eq!(status, 200, "{body}");
    let (_, schema) = host.send("GET", "/forms/1/schema", None);
    let (_, form) = host.send("GET", "/forms/1", None);
    (form, schema, codes(&body, "G: "))
}

fn codes(imported: &Value, form: &str) -> Vec<String> {
    let notes = imported["report"].as_array().unwrap().iter();
    let text = |note: &Value, name: &str| note[name].as_str().unwrap().to_owned();
    notes
        .map(|note| {
            let place = text(note, "where");
            format!(
                "{} at {}",
                text(note, "code"),
                place.strip_prefix(form).unwrap_or(&place)
            )
        })
        .collect()
}

fn field<'f>(schema: &'f Value, name: &str) -> &'f Value {
    let fields = schema["fields"].as_array().unwrap();
    let found = fields.iter().find(|field| field["name"] == name);
    found.unwrap_or_else(|| panic!("no {name} in {schema}"))
}

#[test]
fn texts_of_a_gravity_form_keep_their_formatting() {
    let (_, schema, notes) = imported(json!({
        "description": "Tell us <b>all</b>.",
        "fields": [
            {"type": "html", "id": 1, "label": "HTML Block", "content": "<p>Open till <em>five</em></p>"},
            {"type": "section", "id": 2, "label": "You", "description": "About yourself"},
            {"type": "text", "id": 3, "label": "Name", "description": "As in your <i>passport</i>", "cssClass": "wide"},
            {"type": "consent", "id": 4, "label": "Consent", "checkboxLabel": "I agree", "description": "The whole text."},
            {"type": "page", "id": 5}, {"type": "text", "id": 6, "label": "More"},
        ],
        "pagination": {"pages": ["One", "Two"]},
    }));
    assert_eq!(
        field(&schema, "gravity_description")["label"],
        "Tell us all."
    );
    assert_eq!(schema["fields"][0]["type"], "paragraph");
    let html = field(&schema, "html_block");
    assert_eq!(
        (&html["type"], &html["label"]),
        (&json!("paragraph"), &json!("Open till five"))
    );
    let section = schema["fields"][2]["name"].as_str().unwrap();
    assert_eq!(section, "you");
    let about = &schema["fields"][3];
    assert_eq!(
        (&about["type"], &about["label"]),
        (&json!("paragraph"), &json!("About yourself"))
    );
    let name = field(&schema, "name");
    assert_eq!(
        (&name["description"], &name["css_class"]),
        (&json!("As in your passport"), &json!("wide"))
    );
    assert_eq!(field(&schema, "consent")["description"], "The whole text.");
    let first = schema["layout"]["steps"][0]["fields"].as_array().unwrap();
    assert!(
        first.contains(&json!("gravity_description")) && first.contains(&about["name"]),
        "{schema}"
    );
    assert_eq!(
        notes,
        [
            "formatting at gravity_description",
            "formatting at html_block",
            "formatting at name"
        ]
    );
}

#[test]
fn limits_and_messages_of_a_gravity_form_carry_over() {
    let (form, schema, notes) = imported(json!({
        "fields": [{"type": "fileupload", "id": 1, "label": "CV", "maxFileSize": 2, "allowedExtensions": "pdf"}],
        "limitEntries": true, "limitEntriesCount": 5, "limitEntriesMessage": "<b>Full</b>",
        "requireLogin": true, "requireLoginMessage": "Sign in first",
        "personalData": {"preventIP": true, "retention": {"policy": "delete", "retain_entries_days": "30"}},
    }));
    assert_eq!(
        field(&schema, "cv")["validation"],
        json!({"max": 2_097_152})
    );
    assert_eq!(form["messages"]["submission_limit_reached"], "Full");
    assert_eq!(form["messages"]["require_user_logged_in"], "Sign in first");
    assert_eq!(form["settings"]["store_ip"], false);
    assert_eq!(form["settings"]["retention_days"], 30);
    assert_eq!(notes, Vec::<String>::new());
}

#[test]
fn unsupported_features_of_a_gravity_form_are_reported() {
    let (_, schema, notes) = imported(json!({
        "fields": [
            {"type": "text", "id": 1, "label": "A", "inputMask": true, "inputMaskValue": "999"},
            {"type": "text", "id": 2, "label": "B", "noDuplicates": true},
            {"type": "email", "id": 3, "label": "C", "emailConfirmEnabled": true, "errorMessage": "No!"},
            {"type": "text", "id": 4, "label": "D", "allowsPrepopulate": true, "inputName": "d"},
            {"type": "fileupload", "id": 5, "label": "E", "multipleFiles": true, "maxFiles": 3},
            {"type": "text", "id": 6, "label": "F", "visibility": "administrative", "defaultValue": "x"},
            {"type": "textarea", "id": 7, "label": "Gravity submit", "visibility": "visible"},
        ],
        "limitEntries": true, "limitEntriesCount": 5, "limitEntriesPeriod": "day",
        "save": {"enabled": true}, "button": {"text": "Go", "conditionalLogic": {"rules": [{"fieldId": "1"}]}},
    }));
    // Fields that only the owner saw are not shown to visitors.
    assert_eq!(field(&schema, "f")["type"], "hidden");
    assert_eq!(schema["fields"].as_array().map(Vec::len), Some(8));
    let mut reported = notes;
    reported.sort();
    assert_eq!(
        reported,
        [
            "condition at button",
            "email_confirmation at c",
            "error_message at c",
            "input_mask at a",
            "limit_period at limitEntriesPeriod",
            "maximum_of_files at e",
            "no_duplicates at b",
            "prefill at d",
            "save_and_continue at save",
            "visibility at f",
        ]
    );
}

#[test]
fn custom_texts_of_page_buttons_are_reported() {
    let button = |text: &str| json!({"type": "text", "text": text, "imageUrl": ""});
    let (_, schema, notes) = imported(json!({
        "fields": [
            {"type": "text", "id": 1, "label": "A"},
            {"type": "page", "id": 2, "nextButton": button("On to you"), "previousButton": button("Previous")},
            {"type": "text", "id": 3, "label": "B"},
            {"type": "page", "id": 4, "nextButton": button("Next"), "previousButton": button("")},
            {"type": "text", "id": 5, "label": "C"},
        ],
        "lastPageButton": button("Back to B"),
    }));
    assert_eq!(schema["layout"]["steps"].as_array().map(Vec::len), Some(3));
    assert_eq!(
        notes,
        ["page_button at page 2", "page_button at lastPageButton"]
    );
}

#[test]
fn merge_tags_of_a_confirmation_and_mails_without_recipient_are_reported() {
    let (form, _, notes) = imported(json!({
        "fields": [{"type": "name", "id": 1, "label": "Name"}],
        "confirmations": {"a": {"isDefault": true, "type": "message", "message": "<p>Thanks {Name (First):1.3}! See you.</p>"}},
        "notifications": {"b": {"name": "Admin", "isActive": true, "toType": "email", "to": "{admin_email}", "subject": "S"}},
    }));
    assert_eq!(form["messages"]["success"], "Thanks! See you.");
    let expected = json!({"type": "email", "subject": "S"});
    assert_eq!(
        crate::matching::mismatch(&expected, Some(&form["settings"]["actions"][0]), "actions"),
        None
    );
    assert!(notes.contains(&"unknown_variable at confirmations".to_owned()));
    assert!(notes.contains(&"incomplete_action at actions[0]".to_owned()));
}

fn html_forms(markup: &str, settings: &Value) -> (Value, Vec<String>) {
    let content = format!(
        "<rss><channel><item><title>H</title><content:encoded><![CDATA[{markup}]]></content:encoded>\
         <wp:post_type>html-form</wp:post_type><wp:postmeta><wp:meta_key>_hf_settings</wp:meta_key>\
         <wp:meta_value><![CDATA[{settings}]]></wp:meta_value></wp:postmeta></item></channel></rss>"
    );
    let mut host = Host::new();
    let (status, body) = host.send("POST", "/forms/import", Some(json!({ "content": content })));
    assert_eq!(status, 200, "{body}");
    (body["forms"][0].clone(), codes(&body, "H: "))
}

#[test]
fn variables_and_actions_of_html_forms_carry_over() {
    let (form, notes) = html_forms(
        "<input name=\"NAME\" value=\"{{user.name}}\">",
        &json!({
            "redirect_url": "/ok?at=[HF_TIMESTAMP]", "custom_css": "", "enable_turnstile": 0, "custom_js": "x()",
            "actions": [
                {"type": "email", "to": "a@b.c", "subject": "[HF_FORM_TITLE]", "message": "[NAME] [HF_IP_ADDRESS]", "odd": "kept?"},
                {"type": "webhook", "url": "https://example.org/x", "content_type": "json", "auth_header_name": "X-Key", "auth_header_value": "v"},
                {"type": "autoresponder", "email_field": "EMAIL", "message": "[HF_REFERRER_URL]"},
            ],
        }),
    );
    let settings = &form["settings"];
    assert_eq!(settings["redirect_url"], "/ok?at=[CF_TIMESTAMP]");
    let actions = &settings["actions"];
    assert_eq!(
        (&actions[0]["subject"], &actions[0]["message"]),
        (&json!("[CF_FORM_TITLE]"), &json!("[NAME] [CF_IP_ADDRESS]"))
    );
    let webhook = json!({"type": "webhook", "url": "https://example.org/x", "format": "json", "headers": "••••••••"});
    assert_eq!(actions[1], webhook);
    assert_eq!(
        actions[2],
        json!({"type": "autoresponder", "email_field": "EMAIL", "message": "[CF_REFERRER_URL]"})
    );
    assert_eq!(
        notes,
        [
            "unknown_setting at actions[0].odd",
            "unknown_setting at custom_js",
            "template_tag at markup"
        ]
    );
}

#[test]
fn variables_in_lists_of_html_forms_actions_carry_over() {
    let action =
        json!({"type": "of_a_plugin", "lines": ["[HF_TIMESTAMP]", {"text": "[HF_USER_AGENT]"}]});
    let (form, _) = html_forms("<input name=A>", &json!({"actions": [action]}));
    let lines = &form["settings"]["actions"][0]["lines"];
    assert_eq!(
        *lines,
        json!(["[CF_TIMESTAMP]", {"text": "[CF_USER_AGENT]"}])
    );
}

#[test]
fn html_forms_carry_over_with_their_actions_and_messages() {
    let mut host = Host::new();
    let settings = "a:4:{s:16:\"save_submissions\";s:1:\"1\";s:18:\"hide_after_success\";s:1:\"1\";\
        s:12:\"redirect_url\";s:6:\"/thank\";s:7:\"actions\";a:1:{i:0;a:4:{s:4:\"type\";s:5:\"email\";\
        s:2:\"to\";s:13:\"a@example.org\";s:7:\"subject\";s:2:\"Hi\";s:7:\"message\";s:6:\"[NAME]\";}}}";
    let markup = "<p><label>Name</label><input type=\"text\" name=\"NAME\" required></p>";
    let file = wxr(
        "html-form",
        markup,
        &[("_hf_settings", settings), ("hf_message_success", "Danke")],
    );
    let imported = import(&mut host, &file);
    assert_eq!(imported["format"], "html-forms");
    let (_, form) = host.send("GET", "/forms/1", None);
    assert_eq!(form["markup"], markup);
    assert_eq!(form["settings"]["hide_after_success"], true);
    assert_eq!(form["settings"]["redirect_url"], "/thank");
    let expected =
        json!([{"type": "email", "to": "a@example.org", "subject": "Hi", "message": "[NAME]"}]);
    assert_eq!(
        crate::matching::mismatch(&expected, Some(&form["settings"]["actions"]), "actions"),
        None
    );
    assert_eq!(form["messages"]["success"], "Danke");
}

#[test]
fn parts_of_names_and_addresses_keep_their_labels_and_losses_are_reported() {
    let (_, schema, notes) = imported(json!({"fields": [
        {"type": "name", "id": 1, "label": "Name", "nameFormat": "advanced", "inputs": [
            {"id": "1.2", "label": "Titel", "isHidden": false}, {"id": "1.3", "label": "First", "customLabel": "Vorname"},
            {"id": "1.4", "label": "Middle", "isHidden": true}, {"id": "1.6", "label": "Familien&shy;name"}]},
        {"type": "address", "id": "2", "label": "Address", "inputs": [
            {"id": "2.1", "label": "Stra\u{df}e"}, {"id": "2.4", "label": "State", "isHidden": true}, {"id": "2.9", "label": ""}]},
    ]}));
    let part = |value: &str, label: &str| json!({"value": value, "label": label});
    assert_eq!(
        field(&schema, "name")["options"],
        json!([part("first", "Vorname"), part("last", "Familien&shy;name")])
    );
    assert_eq!(
        field(&schema, "address")["options"],
        json!([part("street", "Stra\u{df}e")])
    );
    assert_eq!(
        notes,
        ["part at name", "part_hidden at address", "part at address"]
    );
}

#[test]
fn answers_reach_their_fields_however_many_forms_a_file_of_submissions_names() {
    const FORMS: usize = 25;
    let mut host = Host::new();
    let mut file = json!({"version": "2.7"});
    for id in 1..=FORMS {
        file[(id - 1).to_string()] = json!({
            "id": id, "title": format!("Form {id}"), "date_created": "2026-01-01 10:00:00",
            "fields": [{"type": "text", "id": 7, "label": "Who"}],
        });
    }
    import(&mut host, &file.to_string());
    let entry = |id: usize| json!({"id": id.to_string(), "form_id": id.to_string(), "date_created": "2026-02-01 10:00:00", "is_starred": "0", "7": format!("Ada {id}")});
    let entries: Vec<Value> = (1..=FORMS).map(entry).collect();
    let imported = import(&mut host, &json!({ "entries": entries }).to_string());
    assert_eq!(imported["report"], json!([]));
    let (_, forms) = host.send("GET", "/forms", None);
    for form in forms.as_array().unwrap() {
        let (_, found) = host.send("GET", &format!("/forms/{}/submissions", form["id"]), None);
        let who = form["title"].as_str().unwrap().replace("Form", "Ada");
        assert_eq!(found[0]["data"], json!({ "who": who }));
    }
    assert_eq!(forms.as_array().map(Vec::len), Some(FORMS));
}
