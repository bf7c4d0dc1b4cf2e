//! HTML without forms: tokens, character references, white space, escaping.

use std::ops::Range;

use cf_forms::markup::tag::Tag;
use cf_forms::markup::tokens::{self, StartTag, TokenSink};
use cf_forms::markup::{escape, for_visitors, ids, parse, with_whole_addresses, without_form_tags};
use serde::Deserialize;

/// Cases of `tests/cases/html.json`.
#[derive(Deserialize)]
struct Cases {
    tokens: Vec<(String, String)>,
    tags: Vec<(String, String)>,
    ids: Vec<(String, Vec<String>)>,
    addresses: Vec<(String, String)>,
    steps: Vec<(String, String)>,
    form_tags: Vec<(String, String)>,
}

fn cases() -> Cases {
    serde_json::from_str(include_str!("../cases/html.json")).unwrap()
}

#[test]
fn parsed_markup_is_annotated_and_only_form_tags_are_removed() {
    for (html, expected) in cases().steps {
        assert_eq!(for_visitors(&html, "Choose…"), expected);
    }
    for (html, expected) in cases().form_tags {
        assert_eq!(without_form_tags(&html), expected);
    }
}

/// Log of a document's tokens: start tags as written, end tags by name, texts in brackets.
#[derive(Default)]
struct Log<'a>(&'a str, String);

impl<'a> TokenSink<'a> for Log<'a> {
    fn start_tag(&mut self, tag: &StartTag<'a, '_>) {
        self.1 += self.0.get(tag.span.clone()).unwrap();
    }
    fn end_tag(&mut self, name: &'a str, _span: Range<usize>) {
        self.1 += &format!("</{name}>");
    }
    fn text(&mut self, raw: &'a str, _span: Range<usize>) {
        self.1 += &format!("[{raw}]");
    }
    fn comment(&mut self, _span: Range<usize>) {
        self.1 += "!";
    }
}

fn tokens_of(html: &str) -> String {
    let mut log = Log(html, String::new());
    tokens::read(html, &mut log);
    log.1
}

#[test]
fn tokens_and_names_follow_the_standard() {
    for (html, expected) in cases().tokens {
        assert_eq!(tokens_of(&html), expected, "{html}");
    }
    for (name, tag) in cases().tags {
        assert_eq!(format!("{:?}", Tag::of(&name)), tag, "{name}");
    }
}

#[test]
fn deeply_nested_elements_are_tokenized() {
    let html = "<div>".repeat(300_000) + "<input name=a>";
    assert!(tokens_of(&html) == html);
}

#[test]
fn ids_are_found_in_any_notation_and_only_site_urls_become_absolute() {
    for (html, expected) in cases().ids {
        assert_eq!(ids(&html).into_iter().collect::<Vec<_>>(), expected);
    }
    for (html, expected) in cases().addresses {
        assert_eq!(with_whole_addresses(&html, "https://s"), expected);
    }
}

fn label(html: &str) -> String {
    let html = format!("<label>{html}<input name=a></label>");
    parse(&html).unwrap().schema.fields.remove(0).label
}

#[test]
fn references_and_white_space_follow_the_standard() {
    for (raw, decoded) in [
        ("a", "a"),
        ("&copy &copy; &notit; &notin;", "© © ¬it; ∉"),
        ("&#65 &#x41;&#X41", "A AA"),
        ("&#x80;&#0;&#xD800;&#1114112;", "€\u{fffd}\u{fffd}\u{fffd}"),
        ("&NotEqualTilde;", "≂̸"),
        ("&amp;lt;", "&lt;"),
        ("& &; &# &#x &nonsense;", "& &; &# &#x &nonsense;"),
        (" a\r\nb\t\t c\0 ", "a b c\u{fffd}"),
        ("a\u{a0} b", "a\u{a0} b"),
    ] {
        assert_eq!(label(raw), decoded, "{raw}");
    }
    let html = "<input name=a placeholder='?a=b&copy=1&copy;&lt'>";
    let field = parse(html).unwrap().schema.fields.remove(0);
    assert_eq!(field.placeholder, "?a=b&copy=1©<");
}

#[test]
fn escaped_text_stays_in_its_attribute_or_text() {
    let mut out = String::new();
    escape::attribute(&mut out, "title", "a\"b<c>&é'");
    escape::attribute(&mut out, "hidden", "");
    escape::text(&mut out, "</p>&\"");
    assert_eq!(
        out,
        " title=\"a&quot;b&lt;c&gt;&amp;é'\" hidden&lt;/p&gt;&amp;\""
    );
}
