//! HTML below the level of forms: character references, white space, escaping.

use cf_forms::markup::{escape, parse};

fn label(html: &str) -> String {
    let html = format!("<label>{html}<input name=a></label>");
    parse(&html).unwrap().schema.fields.remove(0).label
}

#[test]
fn references_and_white_space_are_read_as_the_standard_says() {
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
fn nothing_that_is_escaped_leaves_its_place() {
    let mut out = String::new();
    escape::attribute(&mut out, "title", "a\"b<c>&é'");
    escape::attribute(&mut out, "hidden", "");
    escape::text(&mut out, "</p>&\"");
    assert_eq!(
        out,
        " title=\"a&quot;b&lt;c&gt;&amp;é'\" hidden&lt;/p&gt;&amp;\""
    );
}
