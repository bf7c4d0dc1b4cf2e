//! Imports: imported parts, warnings, and hostile files.

use serde_json::{Value, json};

use crate::host::Host;

/// Imports a file and returns the response.
pub fn import(host: &mut Host, content: &str) -> Value {
    let (status, body) = host.send("POST", "/forms/import", Some(json!({ "content": content })));
    assert_eq!(status, 200, "{body}");
    body
}

/// Returns the codes of a report with their places.
pub fn notes(imported: &Value) -> Vec<String> {
    let notes = imported["report"].as_array().unwrap().iter();
    notes
        .map(|note| {
            let text = |name: &str| note[name].as_str().unwrap();
            format!("{} at {}", text("code"), text("where"))
        })
        .collect()
}

/// Returns a WordPress export file (WXR) with one post of the given type.
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

pub fn field<'f>(schema: &'f Value, name: &str) -> &'f Value {
    let fields = schema["fields"].as_array().unwrap();
    let found = fields.iter().find(|field| field["name"] == name);
    found.unwrap_or_else(|| panic!("no {name} in {schema}"))
}

pub fn generated(host: &mut Host, id: &Value) -> Value {
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
fn embedded_html_and_serialized_php_match_the_cases() {
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
fn the_importers_tables_contain_exactly_the_used_keys() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/import/src");
    let paths = |folder: &std::path::Path| -> Vec<std::path::PathBuf> {
        let files = std::fs::read_dir(folder).unwrap();
        files.map(|file| file.unwrap().path()).collect()
    };
    let mut files = paths(std::path::Path::new(folder));
    let folders: Vec<_> = files.iter().filter(|path| path.is_dir()).cloned().collect();
    files.extend(folders.iter().flat_map(|folder| paths(folder)));
    let files = files.into_iter();
    let files = files.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let code: String = files
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    let read = |text| serde_json::from_str::<Value>(text).unwrap();
    let tables = read(include_str!("../../crates/import/src/tables.json"));
    let remarks = read(include_str!("../../crates/import/src/remarks.json"));
    let looked_up = |pattern: &str| -> Vec<String> {
        let pattern = regex_lite::Regex::new(pattern).unwrap();
        pattern
            .captures_iter(&code)
            .map(|found| found[1].to_owned())
            .collect()
    };
    let noted = looked_up(r#"(?:remark|remark_once|form\.note|self\.note)\(\s*"([a-z_/]+)""#);
    assert!(noted.len() > 30, "{noted:?}");
    for remark in noted {
        assert!(remarks[&remark].is_string(), "no text for {remark}");
    }
    for name in
        looked_up(r#""((?:contact_form_7|definitions|gravity_forms|html_forms|posts)\.[a-z_]+)""#)
    {
        assert!(tables[&name].is_object(), "no table {name}");
    }
    let losses = tables["gravity_forms.losses"].as_object().unwrap();
    for remark in remarks.as_object().unwrap().keys() {
        let is_named =
            code.contains(&format!("\"{remark}\"")) || losses.values().any(|loss| loss == remark);
        assert!(is_named, "no code reports {remark}");
    }
    for name in tables.as_object().unwrap().keys() {
        assert!(
            code.contains(&format!("\"{name}\"")),
            "nothing reads {name}"
        );
    }
}
