//! Links in the text of a consent: conversion from HTML to the schema, back, and to plain text.

use cf_forms::forms::check::parse_schema;
use cf_forms::markup::{RenderOptions, WarningCode, parse, render};
use model::links::without_links;
use serde_json::json;

#[test]
fn the_link_of_a_consent_round_trips_through_the_schema() {
    for (label, expected) in [
        (
            "I accept the <a href=\"https://example.com/terms\">terms</a>",
            "I accept the [terms](https://example.com/terms)",
        ),
        (
            "I accept the <a href=/terms target=_blank>terms</a> and the <a href='/privacy?a=1&amp;b=2'>privacy notice</a>.",
            "I accept the [terms](/terms) and the [privacy notice](/privacy?a=1&b=2).",
        ),
        (
            "<a href=\"//example.com/a_(b)\"><b>All</b> terms</a> are mine",
            "[All terms](https://example.com/a_%28b%29) are mine",
        ),
        (
            "I accept the <a href=\"javascript:alert(1)\">terms</a> of this long text",
            "I accept the terms of this long text",
        ),
        (
            "I accept the <a href=\"data:text/html,x\">terms</a> of this long text",
            "I accept the terms of this long text",
        ),
        (
            "I accept the <a>terms</a> and <a href>more</a> of this long text",
            "I accept the terms and more of this long text",
        ),
        (
            "I accept the <a href=\"/x\">[terms]</a> of this long text",
            "I accept the [[terms]](/x) of this long text",
        ),
        (
            "I accept the <a href=terms.html>terms] of</a> <a href='#top'>[all</a> <a href='mailto:a@b.example'>a]b[c</a>",
            "I accept the [terms](terms.html)] of [[all](#top) a]b[[c](mailto:a@b.example)",
        ),
        (
            "I accept the <a href='../a?b=1#c'>[a] and [b]</a>, <a href='?p'>more</a> and <a href='tel:+1'>call</a>",
            "I accept the [[a] and [b]](../a?b=1#c), [more](?p) and [call](tel:+1)",
        ),
        (
            "I accept the <a href='/x'>[a](b)</a> of this long text",
            "I accept the [a](b) of this long text",
        ),
        (
            "I accept the <a href=\"/x\"><img src=x></a> terms of this long text",
            "I accept the terms of this long text",
        ),
        (
            "I accept the <a href=\"/x\">terms</a> <span>*</span>",
            "I accept the [terms](/x)",
        ),
    ] {
        for html in [
            format!(
                "<form><label><input type=checkbox name=terms required> {label}</label></form>"
            ),
            format!(
                "<form><input type=checkbox id=t name=terms required> <label for=t>{label}</label></form>"
            ),
        ] {
            let schema = parse(&html).unwrap().schema;
            let field = schema.field("terms").unwrap();
            assert_eq!(
                (field.kind.as_str(), field.label.as_str()),
                ("consent", expected),
                "{html}"
            );
            let rendered = render(&schema, &RenderOptions::default());
            assert_eq!(parse(&rendered).unwrap().schema, schema, "{rendered}");
            assert_eq!(
                rendered.contains("<a "),
                expected.contains("]("),
                "{rendered}"
            );
        }
    }
}

#[test]
fn any_text_of_a_consent_round_trips() {
    for label in [
        "I accept the [terms](https://example.com/terms).",
        "[](x)",
        "[ ](/x)",
        "[ terms ](/x)",
        "a [b] [c](/d) [e](f) ](g) [h",
        "[a](javascript:alert(1))",
        "[a](/b c)",
        "[a](//b)",
        "[a [b](/c) d](/e)",
        "[[a]](/b) [[a](/b) [a]](/b) [[]](/b)",
        "[a](b) [c](#) [d](mailto:e@f.example) [g](MAILTO:h) [i](./j) [k](l:m) [n](?o) [p](mailto:)",
        "[a](/b)[c](/d)",
        "  [a](/b)  *",
        "[a](/b) *",
        "[a](/b",
        "[<b>](/x?\"<>)",
        "[a](/x&amp;y)",
    ] {
        for required in [true, false] {
            let body = json!({"fields": [{"name": "terms", "type": "consent", "label": label, "required": required}]});
            let schema = parse_schema(&body).unwrap();
            let rendered = render(&schema, &RenderOptions::default());
            assert_eq!(parse(&rendered).unwrap().schema, schema, "{rendered}");
            assert!(!rendered.contains("href=\"javascript"), "{rendered}");
        }
    }
}

#[test]
fn links_beyond_the_limit_are_text_everywhere() {
    let label = "[a](/b) ".repeat(30);
    let label = label.trim();
    let body = json!({"fields": [{"name": "terms", "type": "consent", "label": label}]});
    let schema = parse_schema(&body).unwrap();
    let rendered = render(&schema, &RenderOptions::default());
    assert_eq!(rendered.matches("<a ").count(), 20, "{rendered}");
    assert_eq!(parse(&rendered).unwrap().schema, schema, "{rendered}");
    assert_eq!(without_links(label).matches("[a](/b)").count(), 10);
    let unsafe_ones = ["[x](javascript:1) ".repeat(15).as_str(), label].concat();
    let body = json!({"fields": [{"name": "terms", "type": "consent", "label": unsafe_ones}]});
    let schema = parse_schema(&body).unwrap();
    let rendered = render(&schema, &RenderOptions::default());
    assert_eq!(parse(&rendered).unwrap().schema, schema, "{rendered}");
}

#[test]
fn an_optional_checkbox_with_a_link_is_a_consent() {
    let html = "<form><label><input type=checkbox name=news> News, see the <a href=\"/p?a=1&amp;b\">notice</a></label></form>";
    let parsed = parse(html).unwrap();
    let field = parsed.schema.field("news").unwrap();
    assert_eq!(
        (field.kind.as_str(), field.label.as_str(), field.required),
        ("consent", "News, see the [notice](/p?a=1&b)", false)
    );
    let codes = parsed.warnings.iter().map(|warning| warning.code);
    assert_eq!(codes.collect::<Vec<_>>(), [WarningCode::FieldRecognized]);
    let rendered = render(&parsed.schema, &RenderOptions::default());
    assert_eq!(
        parse(&rendered).unwrap().schema,
        parsed.schema,
        "{rendered}"
    );
    // The warning about a link outside of a consent shows its URL with decoded entities.
    let lost = "<form><p><a href=\"/p?a=1&amp;b\">notice</a></p><input name=a></form>";
    let warnings = parse(lost).unwrap().warnings;
    let message = &warnings
        .iter()
        .find(|warning| warning.code == WarningCode::LinkDropped)
        .unwrap()
        .message;
    assert!(message.contains("`/p?a=1&b`"), "{message}");
}

#[test]
fn a_url_changed_in_the_rendered_html_is_read_back() {
    let label = "I accept the [terms](https://example.com/terms).";
    let body = json!({"fields": [{"name": "terms", "type": "consent", "label": label}]});
    let rendered = render(&parse_schema(&body).unwrap(), &RenderOptions::default());
    let changed = rendered.replace("example.com/terms", "example.com/new");
    let schema = parse(&changed).unwrap().schema;
    assert_eq!(
        schema.field("terms").unwrap().label,
        label.replace("/terms", "/new")
    );
}

#[test]
fn the_text_of_a_consent_is_shown_without_markup() {
    for (text, plain) in [
        (
            "I accept the [terms](/t) and [more](x).",
            "I accept the terms and more.",
        ),
        ("[a](b)", "a"),
        ("a [b] (c)", "a [b] (c)"),
        ("a [b](c", "a [b](c"),
        ("", ""),
    ] {
        assert_eq!(without_links(text), plain);
    }
}
