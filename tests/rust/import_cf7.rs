//! Imports from Contact Form 7: every documented option of a tag carries over or is reported.

use serde_json::{Value, json};

use crate::host::Host;

pub fn wxr(meta: &[(&str, &str)]) -> String {
    let meta: String = meta
        .iter()
        .map(|(key, value)| {
            format!(
                "<wp:postmeta><wp:meta_key>{key}</wp:meta_key>\
                 <wp:meta_value><![CDATA[{value}]]></wp:meta_value></wp:postmeta>"
            )
        })
        .collect();
    format!(
        "<rss><channel><item><title>C</title><wp:post_type>wpcf7_contact_form</wp:post_type>{meta}</item></channel></rss>"
    )
}

/// Imports a form; returns the form, its schema, and the report as `code at place: message`.
pub fn imported(meta: &[(&str, &str)]) -> (Value, Value, Vec<String>) {
    let mut host = Host::new();
    let body = json!({ "content": wxr(meta) });
    let (status, body) = host.send("POST", "/forms/import?keep_scripts=true", Some(body));
    assert_eq!(status, 200, "{body}");
    let path = "/forms/1/schema/generate?preview=true";
    let (_, schema) = host.send("POST", path, None);
    let notes = body["report"].as_array().unwrap().iter().map(|note| {
        let text = |name: &str| note[name].as_str().unwrap();
        let place = text("where").strip_prefix("C: ").unwrap();
        format!("{} at {place}: {}", text("code"), text("message"))
    });
    (body["forms"][0].clone(), schema, notes.collect())
}

pub fn imported_tags(tags: &str) -> (Value, Value, Vec<String>) {
    imported(&[("_form", tags)])
}

pub fn field<'f>(schema: &'f Value, name: &str) -> &'f Value {
    let fields = schema["fields"].as_array().unwrap();
    let found = fields.iter().find(|field| field["name"] == name);
    found.unwrap_or_else(|| panic!("no {name} in {schema}"))
}

#[test]
fn sizes_and_limits_carry_over() {
    let (_, schema, notes) = imported_tags(
        "[text a 40/80] [text b size:30 maxlength:9 tabindex:2 autocapitalize:words] [textarea c 40x10] [textarea d 40x10/500]\n\
         [textarea e x7] [file f limit:2mb filetypes:pdf|image/*] [file g limit:512kb] [file h limit:1000] [email i /60]",
    );
    assert_eq!(notes, Vec::<String>::new());
    let a = field(&schema, "a");
    assert_eq!(
        (&a["attributes"], &a["validation"]),
        (&json!({"size": "40"}), &json!({"max": 80}))
    );
    let b = field(&schema, "b");
    assert_eq!(
        b["attributes"],
        json!({"size": "30", "tabindex": "2", "autocapitalize": "words"})
    );
    assert_eq!(b["validation"], json!({"max": 9}));
    assert_eq!(
        field(&schema, "c")["attributes"],
        json!({"cols": "40", "rows": "10"})
    );
    let d = field(&schema, "d");
    assert_eq!(
        (&d["attributes"], &d["validation"]),
        (&json!({"cols": "40", "rows": "10"}), &json!({"max": 500}))
    );
    assert_eq!(field(&schema, "e")["attributes"], json!({"rows": "7"}));
    let f = field(&schema, "f");
    assert_eq!(
        (&f["attributes"]["accept"], &f["validation"]),
        (&json!(".pdf,image/*"), &json!({"max": 2_097_152}))
    );
    assert_eq!(field(&schema, "g")["validation"], json!({"max": 524_288}));
    assert_eq!(field(&schema, "h")["validation"], json!({"max": 1000}));
    assert_eq!(field(&schema, "i")["validation"], json!({"max": 60}));
}

#[test]
fn choices_carry_over() {
    let (form, schema, notes) = imported_tags(
        "[select a multiple include_blank \"A\" \"B\"] [select b first_as_label \"Choose\" \"B\"] [radio c use_label_element default:2 \"A\" \"B\"]\n\
         [checkbox d label_first exclusive \"A\" \"B\"] [select e \"Red|#f00\" \"Blue|#00f\"] [select f id:f-id class:one class:two default:1_2 multiple \"A\" \"B\"]\n\
         [checkbox g class:g-class \"A\" \"B\"]",
    );
    assert_eq!(notes, Vec::<String>::new());
    assert_eq!(field(&schema, "a")["attributes"], json!({"multiple": ""}));
    assert_eq!(
        field(&schema, "b")["options"],
        json!([{"value": "B", "label": "B"}])
    );
    assert_eq!(field(&schema, "b")["placeholder"], "Choose");
    assert_eq!(field(&schema, "c")["default_value"], "B");
    assert_eq!(field(&schema, "d")["type"], "radio");
    assert_eq!(
        field(&schema, "e")["options"],
        json!([{"value": "#f00", "label": "Red"}, {"value": "#00f", "label": "Blue"}])
    );
    let f = field(&schema, "f");
    assert_eq!(
        (&f["default_value"], &f["css_class"], &f["attributes"]["id"]),
        (&json!("A\nB"), &json!("one two"), &json!("f-id"))
    );
    let markup = form["markup"].as_str().unwrap();
    assert!(
        markup.contains("<label>A <input type=\"radio\" name=\"d\" value=\"A\"></label>"),
        "{markup}"
    );
    assert!(markup.contains("class=\"g-class\""), "{markup}");
}

#[test]
fn acceptances_dates_and_buttons_carry_over() {
    let (form, schema, notes) = imported_tags(
        "[acceptance a optional default:on class:x id:y]Yes[/acceptance] [date b min:2026-01-01 max:2026-12-31 step:7 \"2026-05-01\"]\n\
         [number c min:1 max:9 step:2 placeholder \"3\"] [hidden d \"x\"] [submit id:s class:t \"Go\"] [range e min:0 max:5]",
    );
    assert_eq!(notes, Vec::<String>::new());
    let a = field(&schema, "a");
    assert_eq!(
        (&a["required"], &a["css_class"], &a["attributes"]["id"]),
        (&json!(false), &json!("x"), &json!("y"))
    );
    assert!(
        form["markup"].as_str().unwrap().contains(" checked"),
        "{form}"
    );
    let b = field(&schema, "b");
    assert_eq!(
        (&b["attributes"]["min"], &b["default_value"]),
        (&json!("2026-01-01"), &json!("2026-05-01"))
    );
    assert_eq!(field(&schema, "c")["placeholder"], "3");
    assert_eq!(field(&schema, "d")["default_value"], "x");
    assert!(
        form["markup"]
            .as_str()
            .unwrap()
            .contains("<button type=\"submit\" id=\"s\" class=\"t\">Go</button>"),
        "{form}"
    );
}

#[test]
fn an_acceptance_is_marked_as_required_once() {
    let (form, _, _) = imported_tags("[acceptance* a]Yes[/acceptance]");
    assert_eq!(
        form["markup"],
        "<p><label><input type=\"checkbox\" value=\"1\" name=\"a\" required> Yes</label></p>"
    );
}

#[test]
fn options_without_a_counterpart_are_reported_by_name() {
    let rows = [
        (
            "[text a default:get]",
            "unknown_option at a: default:get is left out.",
        ),
        (
            "[text a default:user_email \"x\"]",
            "unknown_option at a: default:user_email is left out.",
        ),
        (
            "[email a akismet:author_email]",
            "unknown_option at a: akismet:author_email is left out.",
        ),
        (
            "[checkbox a free_text \"A\"]",
            "unknown_option at a: free_text is left out.",
        ),
        (
            "[text a odd:option]",
            "unknown_option at a: odd:option is left out.",
        ),
        (
            "[file a limit:lots]",
            "unknown_option at a: limit:lots is left out.",
        ),
        (
            "[select a data:countries \"A\"]",
            "unknown_option at a: data:countries is left out.",
        ),
        (
            "[date a min:today+2days]",
            "unknown_option at a: min:today+2days is left out.",
        ),
        (
            "[acceptance a invert]No[/acceptance]",
            "unknown_option at a: invert is left out.",
        ),
        (
            "[quiz q \"1+1=?|2\"]",
            "dropped_tag at quiz q \"1+1=?|2\": The tag is left out: spam is checked without it.",
        ),
        (
            "[count a down 3]",
            "dropped_tag at count a down 3: The tag is left out: nothing counts characters here.",
        ),
        (
            "[reflection a]",
            "dropped_tag at reflection a: The tag is left out: nothing repeats an answer here.",
        ),
        (
            "[response]",
            "dropped_tag at response: The tag is left out: messages have a place of their own.",
        ),
        (
            "[stripe s]",
            "dropped_tag at stripe s: The tag is left out: nothing is paid here.",
        ),
    ];
    for (tags, reported) in rows {
        let (_, _, notes) = imported_tags(tags);
        assert_eq!(notes, [reported], "{tags}");
    }
    let (_, schema, notes) = imported_tags("[select a \"Sales|sales@example.org\" \"Help\"]");
    assert_eq!(notes.len(), 1);
    assert!(notes[0].starts_with("pipe at a: "), "{notes:?}");
    assert!(!schema.to_string().contains("sales@"), "{schema}");
}

#[test]
fn messages_and_settings_carry_over_or_are_reported() {
    let messages = "a:3:{s:12:\"mail_sent_ok\";s:2:\"ok\";s:16:\"number_too_large\";s:7:\"too big\";s:12:\"accept_terms\";s:6:\"accept\";}";
    let mail =
        "a:3:{s:9:\"recipient\";s:5:\"a@b.c\";s:4:\"body\";s:1:\"x\";s:13:\"exclude_blank\";b:1;}";
    let (form, _, notes) = imported(&[
        ("_form", "[text a]"),
        ("_messages", messages),
        ("_mail", mail),
    ]);
    assert_eq!(
        form["messages"],
        json!({"success": "ok", "too_large": "too big"})
    );
    assert_eq!(
        notes,
        [
            "exclude_blank at _mail: Lines of the mail whose answers are empty stay.",
            "unknown_message at accept_terms: The message has no counterpart.",
        ]
    );
    assert_eq!(
        form["settings"]["actions"].as_array().map(Vec::len),
        Some(1)
    );

    let (form, _, notes) = imported(&[
        ("_form", "[text a]"),
        ("_mail", mail),
        ("_additional_settings", "skip_mail: on"),
    ]);
    assert_eq!(form["settings"]["actions"], json!([]));
    assert_eq!(
        notes.last().map(String::as_str),
        Some("skip_mail at _additional_settings: The form sends no mails; they are left out.")
    );
}

#[test]
fn a_closing_tag_applies_only_to_the_tags_before_it() {
    let mut host = Host::new();
    let tags = "[acceptance a]yes[/acceptance][acceptance b][textarea c]text[/textarea]";
    let file = crate::import::wxr(
        "wpcf7_contact_form",
        "",
        &[("_form", &(tags.to_owned() + "[acceptance d]"))],
    );
    crate::import::import(&mut host, &file);
    let (_, form) = host.send("GET", "/forms/1", None);
    let markup = form["markup"].as_str().unwrap();
    for part in [
        "name=\"a\" required> yes</label>",
        "name=\"d\" required></p>",
        ">text</textarea>",
    ] {
        assert!(markup.contains(part), "{markup}");
    }
}

#[test]
fn a_mail_to_the_site_administrator_is_reported_without_a_recipient() {
    let mail = "a:2:{s:9:\"recipient\";s:19:\"[_site_admin_email]\";s:7:\"subject\";s:1:\"S\";}";
    let (form, _, notes) = imported(&[("_form", "[text a]"), ("_mail", mail)]);
    assert_eq!(
        form["settings"]["actions"],
        json!([{"type": "email", "subject": "S", "content_type": "text/plain"}])
    );
    let reported = "incomplete_action at actions[0]: This will not be sent: email action without \"to\" at actions[0].";
    assert_eq!(notes, [reported]);
}

#[test]
fn variables_of_the_old_site_are_replaced_in_mails() {
    let export = |title: &str, subject: &str, html: u8| {
        let mail = format!(
            "a:5:{{s:9:\"recipient\";s:5:\"a@b.c\";s:7:\"subject\";s:{}:\"{subject}\";s:6:\"sender\";s:22:\"[_site_title] <w@x.yz>\";\
             s:4:\"body\";s:41:\"[_site_title] ([_site_url]), [_site_name]\";s:8:\"use_html\";b:{html};}}",
            subject.len()
        );
        let about = format!(
            "<title>{title}</title><link>https://old.example</link><image><title>Icon</title></image>"
        );
        wxr(&[("_form", "[text a]"), ("_mail", &mail)])
            .replace("<item>", &[&about, "<item>"].concat())
    };
    let mut host = Host::new();
    let file = export("A &amp; B, [all]", "[_site_title] \"[a]\"", 1);
    let (_, body) = host.send("POST", "/forms/import", Some(json!({ "content": file })));
    let action = &body["forms"][0]["settings"]["actions"][0];
    assert_eq!(action["subject"], "A & B, (all) \"[a]\"");
    assert_eq!(action["from"], "A & B  (all) <w@x.yz>");
    assert_eq!(
        action["message"],
        "<p>A &amp; B, (all) (https://old.example), [_site_name]</p>"
    );
    let notes = body["report"].as_array().unwrap();
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert_eq!(notes[0]["message"], "[_site_name] becomes nothing.");
    // A file without the site's name and URL.
    let file = export("", "[_site_title]", 0).replace("Icon", "");
    let (_, body) = host.send("POST", "/forms/import", Some(json!({ "content": file })));
    let action = &body["forms"][0]["settings"]["actions"][0];
    assert_eq!(action["subject"], "[_site_title]");
    let reported = body["report"].to_string();
    assert!(
        reported.contains("[_site_title] becomes nothing."),
        "{reported}"
    );
}
