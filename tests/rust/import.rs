//! Imports: what carries over, what is reported, and that no file does harm.

use serde_json::{Value, json};

use crate::host::Host;

/// Imports a file and returns the response.
pub fn import(host: &mut Host, content: &str) -> Value {
    let (status, body) = host.send("POST", "/forms/import", Some(json!({ "content": content })));
    assert_eq!(status, 200, "{body}");
    body
}

/// Returns the codes of a report with their places.
fn notes(imported: &Value) -> Vec<String> {
    let notes = imported["report"].as_array().unwrap().iter();
    notes
        .map(|note| {
            let text = |name: &str| note[name].as_str().unwrap();
            format!("{} at {}", text("code"), text("where"))
        })
        .collect()
}

/// Returns an export file of the platform with one post of a type.
pub fn wxr(kind: &str, content: &str, meta: &[(&str, &str)]) -> String {
    let meta: String = meta
        .iter()
        .map(|(key, value)| {
            format!(
                "<wp:postmeta><wp:meta_key><![CDATA[{key}]]></wp:meta_key>\
                 <wp:meta_value><![CDATA[{value}]]></wp:meta_value></wp:postmeta>"
            )
        })
        .collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n<rss version=\"2.0\"><channel><title>Site</title>\
         <item><title>Page</title><wp:post_type><![CDATA[page]]></wp:post_type></item>\
         <item><title><![CDATA[Contact us]]></title><content:encoded><![CDATA[{content}]]></content:encoded>\
         <wp:post_name><![CDATA[contact-us]]></wp:post_name><wp:post_type><![CDATA[{kind}]]></wp:post_type>{meta}\
         </item></channel></rss>"
    )
}

fn field<'f>(schema: &'f Value, name: &str) -> &'f Value {
    let fields = schema["fields"].as_array().unwrap();
    let found = fields.iter().find(|field| field["name"] == name);
    found.unwrap_or_else(|| panic!("no {name} in {schema}"))
}

fn generated(host: &mut Host, id: &Value) -> Value {
    let path = format!("/forms/{id}/schema/generate?preview=true");
    let (status, schema) = host.send("POST", &path, None);
    assert_eq!(status, 200, "{schema}");
    schema
}

#[test]
fn an_export_is_imported_unchanged() {
    let mut host = Host::new();
    let settings = json!({"rate_limit": 5, "actions": [
        {"type": "webhook", "url": "https://example.org", "secret": "whsec_c2VjcmV0"},
    ]});
    let form = json!({"title": "One", "markup": "<input name=a>", "settings": settings, "messages": {"success": "Hi"}});
    assert_eq!(host.send("POST", "/forms", Some(form)).0, 201);
    let (_, two) = host.send(
        "POST",
        "/forms",
        Some(json!({"title": "Two", "markup": "<input name=old>"})),
    );
    let path = format!("/forms/{}/schema", two["id"]);
    let schema = json!({"fields": [{"name": "b", "type": "email"}]});
    assert_eq!(host.send("PUT", &path, Some(schema)).0, 200);
    for number in 0..25 {
        host.send(
            "POST",
            "/forms",
            Some(json!({"title": format!("More {number}")})),
        );
    }
    let (status, file) = host.send("GET", "/forms/export", None);
    assert_eq!(status, 200);
    assert_eq!(file["forms"].as_array().unwrap().len(), 27);
    assert!(!file.to_string().contains("c2VjcmV0"));

    let mut other = Host::new();
    let imported = import(&mut other, &file.to_string());
    assert_eq!(imported["format"], "cf-forms");
    assert_eq!(notes(&imported), ["secret at One: actions[0].secret"]);
    let (_, mut again) = other.send("GET", "/forms/export", None);
    let mut file = file;
    for side in [&mut file, &mut again] {
        side["forms"][0]["settings"]["actions"][0]
            .as_object_mut()
            .unwrap()
            .remove("secret");
    }
    assert_eq!(again, file);
    let (_, some) = other.send("GET", "/forms/export?ids=2", None);
    assert_eq!(some["forms"], json!([file["forms"][1]]));
    let (_, some) = other.send("GET", "/forms/export?ids=3,2,3", None);
    assert_eq!(
        some["forms"],
        json!([file["forms"][1], file["forms"][2]]),
        "each once, in the order of their ids"
    );
}

#[test]
fn a_taken_slug_gets_a_number_and_a_preview_stores_nothing() {
    let mut host = Host::new();
    let file = json!({"format": "cf-forms", "version": 1, "forms": [{"title": "A", "slug": "a", "markup": ""}]});
    import(&mut host, &file.to_string());
    let body = json!({"content": file.to_string(), "preview": true});
    let (_, preview) = host.send("POST", "/forms/import", Some(body));
    assert_eq!(
        (&preview["forms"][0]["id"], &preview["forms"][0]["slug"]),
        (&Value::Null, &json!("a"))
    );
    let second = import(&mut host, &file.to_string());
    assert_eq!(second["forms"][0]["slug"], "a-2");
    assert_eq!(
        host.send("GET", "/forms", None).1.as_array().unwrap().len(),
        2
    );
}

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
            {"type": "multiselect", "id": 5, "label": "Item", "choices": [{"text": "A", "value": "a"}]},
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

#[test]
fn invalid_parts_are_left_out_and_reported() {
    let mut host = Host::new();
    let file = json!({"format": "cf-forms", "forms": [{
        "title": "  ", "slug": "Bad Slug!", "markup": "<input name=a>", "source": "schema",
        "schema": {"fields": [{"name": "a"}, {"name": "a"}, {"name": "b", "type": "nonsense"}]},
        "settings": {"rate_limit": "many", "actions": [{"type": ""}, {"type": "email", "to": "a@b.c"}]},
        "messages": {"success": 7},
    }]});
    let imported = import(&mut host, &file.to_string());
    let (_, form) = host.send("GET", "/forms/1", None);
    assert_eq!(
        (&form["title"], &form["slug"]),
        (&json!("Imported form"), &json!("imported-form"))
    );
    let expected = json!([{"type": "email", "to": "a@b.c"}]);
    assert_eq!(
        crate::matching::mismatch(&expected, Some(&form["settings"]["actions"]), "actions"),
        None
    );
    let (_, schema) = host.send("GET", "/forms/1/schema", None);
    assert_eq!(schema["fields"].as_array().unwrap().len(), 1);
    assert!(notes(&imported).len() >= 5, "{imported}");
}

#[test]
fn invalid_files_are_rejected() {
    let mut host = Host::new();
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let tags = "<item>".repeat(50_000);
    let quotes = wxr(
        "wpcf7_contact_form",
        "",
        &[("_form", &"[text a \"".repeat(20_000))],
    );
    for content in [
        "",
        "hello",
        "{",
        "[]",
        "{}",
        "null",
        "<rss></rss>",
        "<",
        "{\"fields\":3}",
        &deep,
        &tags,
    ] {
        let body = json!({ "content": content });
        let (status, body) = host.send("POST", "/forms/import", Some(body));
        assert!(
            status == 400 || (status == 200 && content.contains("fields")),
            "{status} {content:.40} {body}"
        );
    }
    let body =
        json!({"content": "{\"format\":\"cf-forms\",\"forms\":[{}]}", "format": "contact-form-7"});
    assert_eq!(host.send("POST", "/forms/import", Some(body)).0, 400);
    let started = crate::stopwatch::Stopwatch::start();
    assert_eq!(
        host.send("POST", "/forms/import", Some(json!({ "content": quotes })))
            .0,
        200
    );
    assert!(started.elapsed().as_secs() < 5, "{:?}", started.elapsed());
}

#[test]
fn a_caller_without_unfiltered_html_imports_no_scripts() {
    let mut host = Host::new();
    let file = json!({"format": "cf-forms", "forms": [{"title": "A", "markup": "<input name=a onclick=x><script>1</script>"}]});
    let mut request = host.request(
        "POST",
        "/cf/v1/forms/import",
        Some(json!({"content": file.to_string()})),
    );
    if let Some(principal) = &mut request.principal {
        principal.capabilities = vec!["edit_forms".to_owned()];
    }
    let response = host.handle(request);
    let body: Value = serde_json::from_slice(&response.body).unwrap();
    assert_eq!(body["forms"][0]["markup"], "<input name=a>");
    assert_eq!(notes(&body).len(), 2);
}

#[test]
fn imported_secrets_are_masked_in_the_response_and_encrypted_at_rest() {
    let mut host = Host::new();
    let actions = json!([
        {"type": "webhook", "url": "https://example.org/", "headers": "Authorization: Bearer s3cret", "secret": "whsec_s3cret"},
        {"type": "telegram", "token": "s3cret", "chat_id": "1"},
        {"type": "of_a_plugin", "api_token": "s3cret", "plain": "shown"},
    ]);
    let checks = json!([{"type": "turnstile", "site_key": "k", "secret": "s3cret"}]);
    let form = json!({"title": "A", "settings": {"actions": actions, "spam_checks": checks}});
    let file = json!({"format": "cf-forms", "version": 1, "forms": [form]}).to_string();
    for path in ["/forms/import?preview=true", "/forms/import"] {
        let (status, body) = host.send("POST", path, Some(json!({ "content": file })));
        assert_eq!(status, 200, "{body}");
        assert!(!body.to_string().contains("s3cret"), "{path}: {body}");
        let actions = &body["forms"][0]["settings"]["actions"];
        assert_eq!(actions[0]["headers"], "••••••••");
        assert_eq!(
            actions[2],
            json!({"type": "of_a_plugin", "api_token": "••••••••", "plain": "shown"})
        );
    }
    let sql = "SELECT COUNT(*) FROM cf_forms WHERE settings LIKE '%s3cret%'";
    assert_eq!(crate::submissions_fixture::count(&host, sql), 0);
    let sealed = "SELECT COUNT(*) FROM cf_forms WHERE settings LIKE '%sealed:1:%'";
    assert_eq!(crate::submissions_fixture::count(&host, sealed), 1);
}

fn read(file: &str) -> Result<::import::Contents, String> {
    ::import::read(file, None, &mut ::import::Report::default())
}

#[test]
fn embedded_html_and_serialized_php_are_read_as_the_cases_say() {
    let cases: Value = serde_json::from_str(include_str!("../cases/import.json")).unwrap();
    for row in cases["text_of_html"].as_array().unwrap() {
        let field = json!({"id": 1, "type": "html", "content": row[0]});
        let file = json!({"0": {"title": "T", "fields": [field]}});
        let schema = read(&file.to_string()).unwrap().forms.remove(0).schema;
        assert_eq!(schema.unwrap()["fields"][0]["label"], row[1], "{row}");
    }
    let serialized = |value: &str| {
        let settings = format!("a:1:{{s:7:\"actions\";a:1:{{i:0;{value}}}}}");
        let file = wxr("html-form", "", &[("_hf_settings", &settings)]);
        read(&file).unwrap().forms.remove(0).settings
    };
    for row in cases["serialized"].as_array().unwrap() {
        let read = serialized(row[0].as_str().unwrap());
        let actions = read.get("actions").map(|actions| &actions[0]);
        assert_eq!(
            actions,
            Some(&row[1]).filter(|value| !value.is_null()),
            "{row}"
        );
    }
    assert!(serialized(&"a:1:{i:0;".repeat(10_000)).is_empty());
    let post = &cases["post"];
    let form = read(post["file"].as_str().unwrap())
        .unwrap()
        .forms
        .remove(0);
    assert_eq!(
        [&form.title, &form.markup].map(|value| json!(value)),
        [&post["title"], &post["markup"]].map(Value::clone)
    );
    assert_eq!(form.messages["success"], post["success"]);
    for broken in cases["broken_files"].as_array().unwrap() {
        assert!(read(broken.as_str().unwrap()).is_err(), "{broken}");
    }
}

#[test]
fn the_importers_tables_hold_exactly_the_keys_that_are_used() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/import/src");
    let files = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let code: String = files
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    let tables: Value =
        serde_json::from_str(include_str!("../../crates/import/src/tables.json")).unwrap();
    let looked_up = |pattern: &str| -> Vec<String> {
        let pattern = regex_lite::Regex::new(pattern).unwrap();
        pattern
            .captures_iter(&code)
            .map(|found| found[1].to_owned())
            .collect()
    };
    let remarks = looked_up(r#"remark\(\s*"([a-z_/]+)""#);
    assert!(remarks.len() > 30, "{remarks:?}");
    for remark in remarks {
        assert!(
            tables["remarks"][&remark].is_string(),
            "no words for {remark}"
        );
    }
    for name in
        looked_up(r#""((?:contact_form_7|definitions|gravity_forms|html_forms|posts)\.[a-z_]+)""#)
    {
        assert!(tables[&name].is_object(), "no table {name}");
    }
    let losses = tables["gravity_forms.losses"].as_object().unwrap();
    for remark in tables["remarks"].as_object().unwrap().keys() {
        let is_named =
            code.contains(&format!("\"{remark}\"")) || losses.values().any(|loss| loss == remark);
        assert!(is_named, "nothing notes {remark}");
    }
    for name in tables.as_object().unwrap().keys() {
        assert!(
            code.contains(&format!("\"{name}\"")),
            "nothing reads {name}"
        );
    }
}
