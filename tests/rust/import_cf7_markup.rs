//! Markup of imported Contact Form 7 forms and mails: paragraphs, line breaks, and text beside controls.

use serde_json::json;

use crate::host::Host;
use crate::import_cf7::{field, imported, imported_tags, wxr};

#[test]
fn a_tag_in_a_dropped_attribute_does_not_shift_later_controls() {
    for form in [
        "[text a] <br title=\"[text gone]\"> [text b] [hidden c] [text d]",
        "</p title=\"[text gone]\"> [text a] [text b] [hidden c] [text d]",
    ] {
        let markup = markup_of(form);
        let names = markup.split('[').skip(1).filter_map(|rest| rest.get(..1));
        assert_eq!(names.collect::<Vec<_>>(), ["a", "b", "d"], "{markup}");
        assert!(!markup.contains("gone"), "{markup}");
    }
    let many: String = (0..40).map(|n| format!("[text a{n}] ")).collect();
    let markup = markup_of(&many);
    assert!(
        markup.contains("[a0] [a1] ") && markup.contains("[a38] [a39]"),
        "{markup}"
    );
}

#[test]
fn an_acceptance_takes_its_content_or_the_adjacent_text_as_label() {
    let (_, schema, _) = imported_tags(
        "[acceptance a]I agree to the <a href=\"/terms\">terms and conditions</a>[/acceptance]\n\n\
         [acceptance b optional]I agree to the terms and conditions[/acceptance]\n\n[acceptance c] Yes, do.",
    );
    for (name, kind, required, label) in [
        (
            "a",
            "consent",
            true,
            "I agree to the [terms and conditions](/terms)",
        ),
        (
            "b",
            "checkbox",
            false,
            "I agree to the terms and conditions",
        ),
        ("c", "checkbox", true, "Yes, do."),
    ] {
        let field = field(&schema, name);
        assert_eq!(
            (&field["type"], &field["required"], &field["label"]),
            (&json!(kind), &json!(required), &json!(label))
        );
    }
}

/// Imports a form; returns its markup with each text field as `[name]`.
fn markup_of(form: &str) -> String {
    let (form, ..) = imported_tags(form);
    let markup = form["markup"].as_str().unwrap();
    let markup = markup.replace("<input type=\"text\" name=\"", "[");
    markup.replace("\">", "]")
}

#[test]
fn lines_of_a_form_become_paragraphs_and_line_breaks() {
    let rows = [
        // The plugin's default form.
        (
            "<label> Your name\n    [text a] </label>\n\n<label> Subject\n    [text b] </label>\n\n[text c]\n",
            "<p><label> Your name<br>\n    [a] </label></p>\n\n<p><label> Subject<br>\n    [b] </label></p>\n\n<p>[c]\n</p>",
        ),
        (
            "One\nTwo\r\n\r\nThree",
            "<p>One<br>\nTwo</p>\r\n\r\n<p>Three</p>",
        ),
        // A block element is outside of paragraphs; its content is inside one.
        (
            "<h2>You\nthere</h2>\n<div>\nName\n[text a]\n</div>\nEnd",
            "<h2>You<br>\nthere</h2>\n<div>\n<p>Name<br>\n[a]\n</p></div>\n<p>End</p>",
        ),
        (
            "<ul>\n<li>[text a]</li>\n<li>b</li>\n</ul>",
            "<ul>\n<li><p>[a]</p></li>\n<li><p>b</p></li>\n</ul>",
        ),
        (
            "<table>\n<tr>\n<td>a</td>\n</tr>\n</table>",
            "<table>\n<tr>\n<td><p>a</p></td>\n</tr>\n</table>",
        ),
        // Preformatted text stays unchanged.
        (
            "<pre>a\n\nb</pre>\n<script>x\n\ny</script>\n<style>p\n\n{}</style>",
            "<pre>a\n\nb</pre>\n<script>x\n\ny</script>\n<style>p\n\n{}</style>",
        ),
        (
            "<textarea name=t>a\n\nb</textarea><select name=s>\n<option>c\n</select>",
            "<p><textarea name=t>a\n\nb</textarea><select name=s>\n<option>c\n</select></p>",
        ),
        // The author's paragraphs and breaks are neither doubled nor lost.
        (
            "<p class=x>a\nb</p>\n<p>c</p>",
            "<p class=x>a<br>\nb</p>\n<p>c</p>",
        ),
        ("<p>a\n\nb</p>", "<p>a</p>\n\n<p>b</p>"),
        ("a<br>b<br/>\nc", "<p>a<br>\nb</p>\n\n<p>c</p>"),
        (
            "a\n<!-- note -->\n\nb",
            "<p>a<br>\n<!-- note --></p>\n\n<p>b</p>",
        ),
        // A paragraph around these elements would separate the label from its field.
        (
            "<label>a <div>[text a]</div></label>\n\nb",
            "<label>a <div><p>[a]</p></div></label>\n\n<p>b</p>",
        ),
        (
            "<p>a <div>b</div></p> c <",
            "<p>a </p><div><p>b</p></div> <p>c <</p>",
        ),
        ("a <b", "<p>a </p><b"),
    ];
    for (form, expected) in rows {
        assert_eq!(markup_of(form), expected, "{form}");
    }
    let (form, ..) = imported_tags("[hidden h \"1\"]\n\n[textarea t]a\n\nb[/textarea]");
    let expected = "<input type=\"hidden\" name=\"h\" value=\"1\">\n\n<p><textarea name=\"t\">a\n\nb</textarea></p>";
    assert_eq!(form["markup"], expected);
}

#[test]
fn lines_of_an_html_mail_become_paragraphs_and_plain_mails_stay() {
    let mail = |html: u8| {
        format!(
            "a:3:{{s:9:\"recipient\";s:5:\"a@b.c\";s:4:\"body\";s:6:\"[x]\n\ny\";s:8:\"use_html\";b:{html};}}"
        )
    };
    for (html, message) in [(1, "<p>[x]</p>\n\n<p>y</p>"), (0, "[x]\n\ny")] {
        let (form, ..) = imported(&[("_form", "[text x]"), ("_mail", &mail(html))]);
        assert_eq!(form["settings"]["actions"][0]["message"], message);
    }
}

#[test]
fn a_mail_that_is_a_complete_document_stays_unchanged() {
    for (body, is_left) in [
        ("<html>a\n\nb", true),
        ("<!DOCTYPE HTML>\n<HTML lang=en>a\n\nb", true),
        ("<Html\n>a\n\nb", true),
        ("<htmlize>a\n\nb</htmlize>", false),
    ] {
        let mail = format!(
            "a:3:{{s:9:\"recipient\";s:5:\"a@b.c\";s:4:\"body\";s:{}:\"{body}\";s:8:\"use_html\";b:1;}}",
            body.len()
        );
        let (form, ..) = imported(&[("_form", "[text x]"), ("_mail", &mail)]);
        let message = form["settings"]["actions"][0]["message"].as_str().unwrap();
        assert_eq!(message == body, is_left, "{message}");
    }
}

#[test]
fn paragraphs_of_a_hostile_form_take_linear_time() {
    let mut host = Host::new();
    let begin = crate::stopwatch::Stopwatch::start();
    for part in [
        "<b>",
        "</i>",
        "<div>\n\na",
        "<p>",
        "a\n",
        "<label><div>a</div>",
        "<p>a\n\n<b>",
    ] {
        let form = part.repeat(600_000 / part.len());
        let body = json!({ "content": wxr(&[("_form", &form)]) });
        let (status, _) = host.send("POST", "/forms/import?preview=true", Some(body));
        assert_eq!(status, 200, "{part}");
    }
    assert!(begin.elapsed().as_secs() < 30, "{:?}", begin.elapsed());
}
