//! Template variables.

use cf_forms::forms::FormSchema;
use cf_forms::forms::check::parse_schema;
use cf_forms::logic::template::{Context, Escape, MAX_OUTPUT_BYTES, Variables, expand};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn schema() -> FormSchema {
    parse_schema(&json!({"fields": [
        {"name": "name", "label": "Your name"},
        {"name": "Email", "type": "email"},
        {"name": "message", "type": "textarea", "label": "Message"},
        {"name": "colors", "type": "checkbox", "options": ["Red", "Blue"]},
        {"name": "menu", "type": "select", "label": "Menu", "options": [{"value": "v", "label": "Vegetarian & vegan"}]},
        {"name": "extras", "type": "checkbox", "options": [{"value": "b", "label": "Bread"}, {"value": "o", "label": "Olives"}]},
        {"name": "who", "type": "name"},
        {"name": "home", "type": "address"},
        {"name": "terms", "type": "consent"},
        {"name": "news", "type": "checkbox"},
        {"name": "a[b]"},
        {"name": "silent"},
        {"name": "empty"},
        {"name": "send", "type": "submit"},
    ], "form_settings": {"former_names": {"menu": ["dish", "meal"]}}}))
    .unwrap()
}

fn data() -> Map<String, Value> {
    let data = json!({
        "name": "Ada <b>", "Email": "ada@example.org", "message": "One\nTwo & \"three\"",
        "colors": ["Red", "Blue"], "menu": "v", "extras": ["b", "o", "own"], "empty": "", "who": {"first": "Ada", "last": "Lovelace"},
        "home": {"street": "S 1", "street2": "", "city": "Oslo", "state": "", "postal_code": "150", "country": "NO"},
        "terms": {"accepted": true, "text": "I agree"}, "news": false, "a[b]": "nested", "extra": 5,
    });
    data.as_object().unwrap().clone()
}

pub fn expanded_with(template: &str, data: &Map<String, Value>, context: Context) -> String {
    let texts = Map::new();
    let variables = Variables {
        texts: &texts,
        schema: Some(&schema()),
        data,
        escape: Escape::NONE,
        form_id: 7,
        form_title: "Contact & more",
        submission_id: "42",
        timestamp: "2026-01-02T03:04:05Z",
        ip_address: "192.0.2.1",
        user_agent: "Browser/1",
        referrer_url: "https://example.org/?a=b",
        file_links: &[],
    };
    expand(template, &variables, context)
}

fn expanded(template: &str, context: Context) -> String {
    expanded_with(template, &data(), context)
}

#[test]
fn every_variable_has_its_value() {
    for (template, text) in [
        ("Hello [name]!", "Hello Ada <b>!"),
        (
            "[NAME] [email] [EMAIL]",
            "Ada <b> ada@example.org ada@example.org",
        ),
        ("{name}{Email}", "Ada <b>ada@example.org"),
        ("[colors]", "Red, Blue"),
        ("[colors.1] [colors.7]", "Blue "),
        ("[who]", "Ada Lovelace"),
        ("[who.last], [Who.FIRST]", "Lovelace, Ada"),
        ("[home]", "S 1, Oslo, 150, NO"),
        ("[home.city]", "Oslo"),
        ("[terms] [news]", "Yes No"),
        ("[terms.text]", "I agree"),
        ("[a[b]]", "nested"),
        ("[menu], [MENU:value]", "Vegetarian & vegan, v"),
        (
            "[ menu ], [ menu : value ], { menu }",
            "Vegetarian & vegan, v, Vegetarian & vegan",
        ),
        ("[extras], [extras:value]", "Bread, Olives, own, b, o, own"),
        ("[extras.1], [extras.1:value]", "Olives, o"),
        ("[dish], [Meal:value]", "Vegetarian & vegan, v"),
        ("[menu:nothing]|", "|"),
        ("[ no such field ]", "[ no such field ]"),
        ("[extra]", "5"),
        ("[silent]|", "|"),
        ("[CF_FORM_ID] [cf_form_title]", "7 Contact & more"),
        (
            "[CF_SUBMISSION_ID] [CF_TIMESTAMP]",
            "42 2026-01-02T03:04:05Z",
        ),
        ("[CF_IP_ADDRESS] [CF_USER_AGENT]", "192.0.2.1 Browser/1"),
        ("[CF_REFERRER_URL]", "https://example.org/?a=b"),
    ] {
        assert_eq!(expanded(template, Context::Text), text, "{template}");
    }
}

#[test]
fn all_lists_the_answers_in_the_order_of_the_form() {
    assert_eq!(
        expanded("[all]", Context::Text),
        "name: Ada <b>\nEmail: ada@example.org\nmessage: One\nTwo & \"three\"\ncolors: Red, Blue\n\
         menu: Vegetarian & vegan\nextras: Bread, Olives, own\nwho: Ada Lovelace\nhome: S 1, Oslo, 150, NO\nterms: Yes\nnews: No\na[b]: nested\nextra: 5"
    );
    let by_values = expanded("[ all : value ]", Context::Text);
    assert!(
        by_values.contains("\nmenu: v\nextras: b, o, own\n"),
        "{by_values}"
    );
    let whole = expanded("[all:with-empty:label]", Context::Text);
    assert!(whole.contains("\nsilent: \nempty: \n"), "{whole}");
    assert!(whole.contains("\nMenu: Vegetarian & vegan\n"), "{whole}");
    let labelled = expanded("[all:label]", Context::Html);
    assert!(
        labelled.starts_with("Your name: Ada &lt;b&gt;<br>\nEmail: ada@example.org<br>\nMessage: One<br>\nTwo &amp; &quot;three&quot;"),
        "{labelled}"
    );
}

#[test]
fn values_of_parallel_lists_are_aligned() {
    let data = json!({
        "names": ["Ada", "", "Cy", ""], "count": [1, null, 3], "colors": ["", "Blue"], "empty": ["", ""],
    });
    assert_eq!(
        expanded_with(
            "[all]|[names]|[count]",
            data.as_object().unwrap(),
            Context::Text
        ),
        "colors: –, Blue\ncount: 1, –, 3\nnames: Ada, –, Cy|Ada, –, Cy|1, –, 3"
    );
}

#[test]
fn unknown_variables_are_removed_and_other_brackets_stay() {
    for (template, text) in [
        ("a [unknown] b", "a  b"),
        ("[who.middle]", ""),
        (
            "see [1], [a b], [], [x=y], [what?]",
            "see [1], [a b], [], [x=y], [what?]",
        ),
        ("body{margin:0} {unknown} {}", "body{margin:0} {unknown} {}"),
        ("{\"n\": \"[name]\"}", "{\"n\": \"Ada <b>\"}"),
        ("{{name}} {{{name}}}", "{{name}} {{{name}}}"),
        ("<!--[if mso]>x<![endif]-->", "<!--[if mso]>x<![endif]-->"),
        ("[name", "[name"),
        ("[", "["),
        ("[[name]]", "[Ada <b>]"),
        ("", ""),
    ] {
        assert_eq!(expanded(template, Context::Text), text, "{template}");
    }
}

#[test]
fn values_are_escaped_for_their_context() {
    let hostile = json!({"name": "a\r\nBcc: x@y.z, \"<evil@y.z>\"; [all] {Email} &'ä/?"});
    let hostile = hostile.as_object().unwrap();
    let show = |template: &str, context: Context| expanded_with(template, hostile, context);
    assert_eq!(
        show("<p>[name]</p>", Context::Html),
        "<p>a\r<br>\nBcc: x@y.z, &quot;&lt;evil@y.z&gt;&quot;; [all] {Email} &amp;&#39;ä/?</p>"
    );
    assert_eq!(
        show("To\r\n[name]", Context::Header),
        "To  a  Bcc: x@y.z, \"<evil@y.z>\"; [all] {Email} &'ä/?"
    );
    assert_eq!(
        show("/thanks?n=[name]#x", Context::Url),
        "/thanks?n=a%0D%0ABcc%3A%20x%40y.z%2C%20%22%3Cevil%40y.z%3E%22%3B%20%5Ball%5D%20%7BEmail%7D%20%26%27%C3%A4%2F%3F#x"
    );
}

#[test]
fn a_large_result_is_cut_at_a_character_boundary() {
    let data = json!({"name": "é".repeat(50_000)});
    let template = "[all]".repeat(10_000);
    let text = expanded_with(&template, data.as_object().unwrap(), Context::Html);
    assert!(text.len() <= MAX_OUTPUT_BYTES && text.len() > MAX_OUTPUT_BYTES - 4);
    assert_eq!(expanded(&"[".repeat(100_000), Context::Text).len(), 100_000);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1_000) })]

    #[test]
    fn submitted_text_is_never_interpreted(value in any::<String>()) {
        let data = json!({"name": value}).as_object().unwrap().clone();
        prop_assert_eq!(expanded_with("[name]", &data, Context::Text), value.clone());
        prop_assert_eq!(expanded_with("{name}|[name]", &data, Context::Text), format!("{value}|{value}"));
    }

    #[test]
    fn no_value_adds_a_line_to_a_header(template in any::<String>(), value in any::<String>()) {
        let data = json!({"name": value}).as_object().unwrap().clone();
        let text = expanded_with(&format!("{template}[name]"), &data, Context::Header);
        prop_assert!(!text.contains(|c: char| c.is_control()));
    }

    #[test]
    fn html_values_contain_no_markup(value in any::<String>()) {
        let data = json!({"name": value}).as_object().unwrap().clone();
        let text = expanded_with("[name]", &data, Context::Html).replace("<br>\n", "");
        prop_assert!(!text.contains(['<', '>', '"', '\'']));
    }
}
