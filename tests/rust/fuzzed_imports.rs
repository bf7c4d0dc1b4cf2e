//! Invariants of imports: any file is read, or rejected with a message, in bounded time. The result is the same through
//! the module boundary, no file makes the site fail, and imported markup is already clean.

use cf_forms::import::{Report, contents_of, read, read_as_json};
use cf_forms::markup::sanitize;
use serde_json::{Value, json};

use crate::host::Host;

/// Number of inputs after which the site is created again.
const INPUTS_OF_A_SITE: usize = 100;

pub struct Imports {
    host: Host,
    inputs: usize,
}

impl Imports {
    pub fn new() -> Imports {
        let host = Host::new();
        Imports { host, inputs: 0 }
    }

    /// Imports a file; returns whether it contained forms.
    pub fn check(&mut self, file: &[u8]) -> bool {
        let text = String::from_utf8_lossy(file);
        check_reader(&text);
        self.inputs += 1;
        if self.inputs.is_multiple_of(INPUTS_OF_A_SITE) {
            self.host = Host::new();
        }
        let body = json!({ "content": text });
        let (status, answer) = self.host.send("POST", "/forms/import", Some(body));
        assert!(status < 500, "{status} {answer}");
        if status >= 400 {
            assert!(
                answer["code"].is_string() && answer["message"].is_string(),
                "{answer}"
            );
            return false;
        }
        for form in answer["forms"].as_array().unwrap() {
            assert_usable(&mut self.host, form);
        }
        true
    }
}

fn check_reader(text: &str) {
    let mut direct = Report::default();
    let contents = read(text, None, &mut direct);
    let mut passed = Report::default();
    match (
        contents,
        contents_of(&read_as_json(text, "{}"), &mut passed),
    ) {
        (Ok(one), Ok(other)) => assert_eq!(one, other),
        (Err(message), Err(_)) => assert!(!message.is_empty()),
        // The forms are nested deeper in the result than in the file.
        (Ok(_), Err(error)) => assert!(error.message.contains("too deeply")),
        (Err(message), Ok(_)) => {
            panic!("rejected directly, but read through the boundary: {message}")
        }
    }
}

/// Checks that an imported form is clean, and that its page and schema can be read.
fn assert_usable(host: &mut Host, form: &Value) {
    let (status, form) = host.send("GET", &format!("/forms/{}", form["id"]), None);
    assert_eq!(status, 200, "{form}");
    let markup = form["markup"].as_str().unwrap_or_default();
    let (clean, removed) = sanitize(markup).unwrap();
    assert_eq!(clean, markup, "importing kept {removed:?}");
    let (status, schema) = host.send("GET", &format!("/forms/{}/schema", form["id"]), None);
    assert!(status < 500, "{status} {schema}");
    let path = format!("/{}", form["slug"].as_str().unwrap());
    let request = crate::front_fixture::visitor(host, "GET", &path);
    let page = host.visit(request);
    assert!(page.status < 500, "{path}: {:?}", page.log);
}

/// Returns one file of each format.
pub fn seeds() -> Vec<Vec<u8>> {
    let cf7 = "[text* your-name placeholder \"Name\"] [email* e] [select s multiple \"a|A\" \"b\"] [checkbox c exclusive \"x\"] [file f limit:2mb filetypes:pdf] [acceptance ok] yes [/acceptance] [quiz q \"1+1?|2\"] [submit \"Send\"]";
    let mail = "a:3:{s:7:\"subject\";s:12:\"[your-name]!\";s:9:\"recipient\";s:13:\"a@example.org\";s:4:\"body\";s:6:\"Hi [e]\";}";
    let html = "<p><label>Name <input name=\"NAME\" required></label><input type=email name=\"EMAIL\"><span data-show-if=\"NAME:*\">{{user.user_email}}</span><script>x</script><input type=submit></p>";
    let settings = "a:2:{s:16:\"save_submissions\";i:1;s:7:\"actions\";a:1:{i:0;a:2:{s:4:\"type\";s:5:\"email\";s:2:\"to\";s:13:\"a@example.org\";}}}";
    let gravity = json!({"0": {"title": "G", "description": "D", "fields": [
        {"type": "text", "id": 1, "label": "Name", "isRequired": true, "conditionalLogic": {"actionType": "show", "logicType": "all", "rules": [{"fieldId": "2", "operator": "is", "value": "a"}]}},
        {"type": "select", "id": 2, "label": "Choice", "choices": [{"text": "A", "value": "a", "isSelected": true}]},
        {"type": "name", "id": 3, "label": "Name", "inputs": [{"id": "3.3", "label": "First"}]},
        {"type": "page", "id": 4}, {"type": "fileupload", "id": 5, "allowedExtensions": "pdf", "maxFileSize": 2},
    ], "pagination": {"pages": ["One", "Two"]}, "button": {"text": "Go"},
      "notifications": {"n": {"to": "{admin_email}", "subject": "S {Name:1}", "message": "{all_fields}", "isActive": true}},
      "confirmations": {"c": {"type": "redirect", "url": "https://example.org/"}}}, "version": "2.7"});
    let filled = json!([{"formId": "F", "data": {"s": "a", "t": "x"}, "createdAt": "2026-01-01T00:00:00Z", "status": "read", "starred": true, "notes": "N", "meta": {"ip": "192.0.2.7", "userAgent": "B", "referer": "https://example.org/"}}]);
    let emdash = json!({"items": [{"id": "F", "name": "One", "slug": "one", "status": "active", "submissions": filled, "settings": {"confirmationMessage": "T", "notifyEmails": ["a@example.org"]}, "pages": [{"title": "P", "fields": [
        {"id": "1", "type": "select", "name": "s", "label": "S", "required": true, "options": [{"label": "A", "value": "a"}], "condition": {"field": "t", "op": "eq", "value": "x"}},
        {"id": "2", "type": "text", "name": "t", "label": "T", "validation": {"minLength": 1, "pattern": "[a-z]+"}}]}]}]});
    let payload = json!({"docs": [{"id": 1, "title": "P", "fields": [
        {"blockType": "text", "name": "a", "label": "A", "required": true, "width": 50},
        {"blockType": "select", "name": "b", "options": [{"label": "X", "value": "x"}]},
        {"blockType": "message", "message": [{"children": [{"text": "Hi", "bold": true}]}]}],
        "emails": [{"emailTo": "a@example.org", "subject": "S", "message": [{"children": [{"text": "{{a}}"}]}]}],
        "confirmationType": "message", "confirmationMessage": [{"children": [{"text": "Thanks"}]}]}]});
    let answers = json!({"docs": [{"id": 2, "form": {"id": 1, "title": "P"}, "createdAt": "2026-01-01T00:00:00Z", "submissionData": [{"field": "a", "value": "1"}]}]});
    let exported = json!({"format": "cf-forms", "version": 1, "forms": [
        {"title": "O", "slug": "o", "markup": html, "status": "published", "settings": {"actions": [{"type": "email", "to": "a@example.org"}]}, "messages": {"success": "Thanks"}},
        {"title": "S", "source": "schema", "schema": {"fields": [{"name": "b", "type": "email", "label": "B", "required": true}, {"name": "c", "type": "select", "options": [{"value": "x", "label": "X"}], "conditions": {"action": "show", "rules": [{"field": "b", "operator": "is_not_empty"}]}}]}}]});
    let mut files: Vec<String> = [gravity, emdash, payload, answers, exported]
        .map(|file| file.to_string())
        .to_vec();
    files.extend([
        wxr("wpcf7_contact_form", "", &[("_form", cf7), ("_mail", mail)]),
        wxr("html-form", html, &[("_hf_settings", settings), ("hf_message_success", "Thanks")]),
        format!("<!doctype html><title>T</title><form action=\"/x\" method=post>{html}<fieldset><legend>L</legend><select name=s><option>1</select></fieldset></form>"),
    ]);
    files.extend(samples());
    files.into_iter().map(String::into_bytes).collect()
}

/// The samples of other products.
fn samples() -> Vec<String> {
    let folder = format!("{}/tests/cases/imports", env!("CARGO_MANIFEST_DIR"));
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.retain(|path| !path.to_string_lossy().ends_with(".expected.json"));
    paths.sort();
    (paths.into_iter())
        .filter_map(|path| String::from_utf8(std::fs::read(path).unwrap()).ok())
        .collect()
}

fn wxr(kind: &str, content: &str, meta: &[(&str, &str)]) -> String {
    let meta: String = (meta.iter())
        .map(|(key, value)| format!("<wp:postmeta><wp:meta_key>{key}</wp:meta_key><wp:meta_value><![CDATA[{value}]]></wp:meta_value></wp:postmeta>"))
        .collect();
    format!(
        "<?xml version=\"1.0\"?><rss><channel><title>Site</title><item><title>T &amp; U</title><wp:post_name>t</wp:post_name><wp:post_type><![CDATA[{kind}]]></wp:post_type><content:encoded><![CDATA[{content}]]></content:encoded>{meta}</item></channel></rss>"
    )
}
