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

fn expanded_with(template: &str, data: &Map<String, Value>, context: Context) -> String {
    let variables = Variables {
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
fn text_that_is_no_variable_stays_and_unknown_variables_are_removed() {
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
    fn html_values_hold_no_markup(value in any::<String>()) {
        let data = json!({"name": value}).as_object().unwrap().clone();
        let text = expanded_with("[name]", &data, Context::Html).replace("<br>\n", "");
        prop_assert!(!text.contains(['<', '>', '"', '\'']));
    }
}

#[test]
fn a_value_makes_no_script_url_and_no_url_of_another_origin() {
    let rows = [
        ("<a href=\"[x]\">", "javascript:alert(1)", "<a href=\"\">"),
        (
            "<a href=\"[x]\">",
            " jAvA\tscript:alert(1)",
            "<a href=\"\">",
        ),
        (
            "<a href=\"[x]\">",
            "\u{1}javascript:alert(1)",
            "<a href=\"\">",
        ),
        ("<a href='[x]'>", "data:text/html,x", "<a href=''>"),
        (
            "<a href=[x] title=t>",
            "vbscript:x",
            "<a href=\"\" title=t>",
        ),
        ("<A\nHREF = \"[x]\">", "javascript:1", "<A\nHREF = \"\">"),
        ("<img src=\"[x]\">", "file:///etc/passwd", "<img src=\"\">"),
        ("<a href=\"java[x]\">", "script:1", "<a href=\"java\">"),
        (
            "<a href=\"[x]:alert(1)\">",
            "javascript",
            "<a href=\":alert(1)\">",
        ),
        (
            "<a href=\"&#106;ava[x]\">",
            "script:1",
            "<a href=\"&#106;ava\">",
        ),
        ("<a href=\"[x]\">", "//evil.example", "<a href=\"\">"),
        ("<a href=\"/[x]\">", "/evil.example", "<a href=\"/\">"),
        ("<a href=\"[x]\">", "example.com", "<a href=\"\">"),
        (
            "<!--[if mso]><a href=\"[x]\"><![endif]-->",
            "javascript:1",
            "<!--[if mso]><a href=\"\"><![endif]-->",
        ),
        ("<a href=\"[x]", "javascript:1", "<a href=\""),
        // Values that stay.
        (
            "<a href=\"[x]\">[x]</a>",
            "https://a.example/?b=1&c=\"2",
            "<a href=\"https://a.example/?b=1&amp;c=&quot;2\">https://a.example/?b=1&amp;c=&quot;2</a>",
        ),
        (
            "<a href=\"mailto:[x]\">",
            "a@b.example",
            "<a href=\"mailto:a@b.example\">",
        ),
        ("<a href=\"[x]\">", "TEL:+49 1", "<a href=\"TEL:+49 1\">"),
        (
            "<a href=\"https://s.example/?q=[x]\">",
            "javascript:1",
            "<a href=\"https://s.example/?q=javascript:1\">",
        ),
        (
            "<a href=\"/entries/[x]\">",
            "a:b",
            "<a href=\"/entries/a:b\">",
        ),
        (
            "<a href=\"[x]\">",
            "https://a.example/1\nhttps://a.example/2",
            "<a href=\"https://a.example/1\">",
        ),
        // Values outside of URLs.
        (
            "<p title=\"[x]\">[x]</p>",
            "javascript:1\n2",
            "<p title=\"javascript:1 2\">javascript:1<br>\n2</p>",
        ),
        ("<p title=[x]>", "a onclick=b", "<p title=a&#32;onclick=b>"),
        ("<p [x]>", "onclick=b", "<p >"),
        ("1 < 2 and [x] > 0", "3", "1 < 2 and 3 > 0"),
        (
            "<img srcset=\"[x] 1x, /b.png 2x\">",
            "https://a.example/a.png",
            "<img srcset=\"https://a.example/a.png 1x, /b.png 2x\">",
        ),
        (
            "<img srcset=\"/a.png 1x, [x] 2x\">",
            "javascript:1",
            "<img srcset=\"/a.png 1x,  2x\">",
        ),
        (
            "<svg><a xlink:href=\"[x]\"><animate to=\"[x]\">",
            "javascript:1",
            "<svg><a xlink:href=\"\"><animate to=\"\">",
        ),
    ];
    for (template, value, expected) in rows {
        let data = json!({"x": value}).as_object().unwrap().clone();
        assert_eq!(
            expanded_with(template, &data, Context::Html),
            expected,
            "{template} {value}"
        );
    }
}

#[test]
fn a_value_starts_no_tag_and_never_becomes_script() {
    let hostile = "img src=x onerror=alert(1)";
    let rows = [
        // After text that may begin a tag or a comment.
        ("From [y] <[x]>", "a@b.example", "From y &lt;a@b.example>"),
        ("<[x]> and <b>[x]</b>", "b", "&lt;b> and <b>b</b>"),
        ("<{x}", hostile, "&lt;img src=x onerror=alert(1)"),
        ("</[x]>", "p", "&lt;/p>"),
        ("<?[x]>", "php", "&lt;?php>"),
        ("<!-{x}>", "-", "&lt;!-->"),
        ("<[y][x]>", "b", "&lt;yb>"),
        ("<[x]", "", "&lt;"),
        ("<<[x]>", "b", "<&lt;b>"),
        ("a < [x] <3", "b", "a < b <3"),
        // Inside the name of a tag or an attribute.
        ("<a[x]>", "pplet", "<a>"),
        ("</di[x]>", "v", "</di>"),
        ("</p [x]>", "a>", "</p >"),
        (
            "<p data-[x]=\"1\" on[x]=\"2\">",
            "click",
            "<p data-=\"1\" on=\"2\">",
        ),
        ("<p [x]=\"[x]\">", "a", "<p =\"\">"),
        // After a `/`, an `=` begins a name, which includes a following quoted text.
        ("<a href/=\"[x]\">", "a onclick=b c", "<a href/=\"\">"),
        ("<a title /='[x]'>", "a onclick=b c", "<a title /=''>"),
        // Inside a value, quoted or not.
        (
            "<p title=a[x]>",
            "\" onclick=b ",
            "<p title=a&quot;&#32;onclick=b&#32;>",
        ),
        ("<p title=[x]/>", ">", "<p title=&gt;/>"),
        ("<p title='[x]'>", "'\"", "<p title='&#39;&quot;'>"),
        (
            "<p title=\"<b\">[x]</p>",
            "1\n2",
            "<p title=\"<b\">1<br>\n2</p>",
        ),
        // Inside comments.
        (
            "<!-- [x] --><b>",
            "--><img>",
            "<!-- --&gt;&lt;img&gt; --><b>",
        ),
        (
            "<!-- <a title=' --><a href=[x]>",
            "javascript:alert(1) onclick=a",
            "<!-- <a title=' --><a href=\"\">",
        ),
        ("<!-- <style> --!>[x]", "a(b)", "<!-- <style> --!>a(b)"),
        (
            "<!--><a href=[x]><!-- <a title=\"-->[x]",
            "a:b",
            "<!--><a href=\"\"><!-- <a title=\"-->a:b",
        ),
        (
            "<!--[if mso]><a href=\"[x]\"><![endif]-->",
            "javascript:x",
            "<!--[if mso]><a href=\"\"><![endif]-->",
        ),
        // Inside scripts and styles.
        (
            "<a onclick=\"go('[x]')\">",
            "');alert('",
            "<a onclick=\"go('')\">",
        ),
        ("<a onclick=\"go([x])\">", "42", "<a onclick=\"go(42)\">"),
        (
            "<script>x=\"[x]\";if(1<2)y='[x]'</script>[x]",
            "\\",
            "<script>x=\"\";if(1<2)y=''</script>\\",
        ),
        ("<SCRIPT>x=[x]</Script >[x]", "7", "<SCRIPT>x=7</Script >7"),
        (
            "<script></scripts>[x]</script><b>[x]",
            "a",
            "<script></scripts></script><b>a",
        ),
        (
            "<style>p{color:[x]}</style>",
            "red}*{display:none",
            "<style>p{color:}</style>",
        ),
        (
            "<style>p{color:[x]}</style>[x]",
            "#f00",
            "<style>p{color:#f00}</style>#f00",
        ),
        ("<p style=\"width:[x]%\">", "50", "<p style=\"width:50%\">"),
        (
            "<p style=\"color:[x]\">",
            "red;background:url(//e)",
            "<p style=\"color:\">",
        ),
        ("<p style=[x]>", "a:b", "<p style=\"\">"),
        (
            "<iframe srcdoc=\"[x]\">",
            "<script>",
            "<iframe srcdoc=\"\">",
        ),
        (
            "<script src=\"[x]\"></script>",
            "https://e.example/",
            "<script src=\"\"></script>",
        ),
        (
            "<base href=\"[x]\">",
            "https://e.example/",
            "<base href=\"\">",
        ),
        (
            "<meta http-equiv=refresh content=\"0;url=[x]\">",
            "https://e.example/",
            "<meta http-equiv=refresh content=\"0;url=\">",
        ),
        (
            "<form action=\"[x]\"><button formaction=\"[x]\">",
            "javascript:1",
            "<form action=\"\"><button formaction=\"\">",
        ),
        // In preformatted text, where line feeds show.
        (
            "<textarea>[x]</textarea>[x]",
            "1\n<2",
            "<textarea>1\n&lt;2</textarea>1<br>\n&lt;2",
        ),
        (
            "<title>[x]</title><pre>[x]</pre>",
            "</title>",
            "<title>&lt;/title&gt;</title><pre>&lt;/title&gt;</pre>",
        ),
    ];
    for (template, value, expected) in rows {
        let data = json!({"x": value, "y": "y"}).as_object().unwrap().clone();
        assert_eq!(
            expanded_with(template, &data, Context::Html),
            expected,
            "{template} {value}"
        );
    }
}
