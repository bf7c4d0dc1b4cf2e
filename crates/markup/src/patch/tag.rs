//! Changing single attributes of a start tag: what is said about the others, and how the author
//! quotes, spells and parts them, stays.

use std::ops::Range;

use crate::html::edits::{Edits, KeptTag};
use crate::html::escape;
use crate::html::tokens::{Attribute, find};

/// Gives an attribute that value, or takes the attribute away.
pub(super) fn set(
    edits: &mut Edits,
    html: &str,
    tag: &KeptTag<'_>,
    name: &str,
    value: Option<&str>,
) {
    match (find(&tag.attributes, name), value) {
        (None, None) => {}
        (Some(_), None) => {
            for attribute in &tag.attributes {
                if attribute.name.eq_ignore_ascii_case(name) {
                    edits.replace(with_space_before(html, attribute), String::new());
                }
            }
        }
        (Some(attribute), Some(value)) if attribute.value() == value => {}
        (Some(attribute), Some(value)) => replace_value(edits, html, attribute, value),
        (None, Some(value)) => {
            let behind_name = tag.span.start + 1 + tag.name.len();
            let last = tag.attributes.last();
            let at = last.map_or(behind_name, |last| last.end);
            if last.is_some_and(|last| last.ends_with_equals(html)) {
                edits.replace(at - 1..at, "=\"\"".to_owned());
            }
            let mut written = String::new();
            escape::attribute(&mut written, name, value);
            edits.insert(at, written);
        }
    }
}

/// The bytes of an attribute, and the white space before it where what follows stays apart.
fn with_space_before(html: &str, attribute: &Attribute<'_>) -> Range<usize> {
    let before = html.get(..attribute.start).unwrap_or_default();
    let follows = html.as_bytes().get(attribute.end);
    let is_apart =
        follows.is_some_and(|byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>'));
    match is_apart {
        true => before.trim_ascii_end().len()..attribute.end,
        false => attribute.start..attribute.end,
    }
}

fn replace_value(edits: &mut Edits, html: &str, attribute: &Attribute<'_>, value: &str) {
    let name_end = attribute.start + attribute.name.len();
    let mut escaped = String::new();
    escape::attribute_value(&mut escaped, value);
    if attribute.end == name_end || attribute.ends_with_equals(html) {
        // From the name on, to come before what is put behind it.
        let written = format!("{}=\"{escaped}\"", attribute.name);
        edits.replace(attribute.start..attribute.end, written);
        return;
    }
    let bytes = html.as_bytes();
    let last = bytes.get(attribute.end - 1);
    let length = attribute.raw_value.len();
    let opening = attribute.end.checked_sub(length + 2);
    let is_quoted = opening.is_some_and(|opening| opening > name_end && bytes.get(opening) == last)
        && matches!(last, Some(b'"' | b'\''));
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    if is_quoted {
        let value_end = attribute.end - 1;
        let escaped = match last {
            Some(b'\'') => escaped.replace('\'', "&#39;"),
            _ => escaped,
        };
        edits.replace(value_end - length..value_end, escaped);
    } else {
        let written = match !value.is_empty() && value.bytes().all(is_plain) {
            true => escaped,
            false => format!("\"{escaped}\""),
        };
        edits.replace(attribute.end - length..attribute.end, written);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::tokens::{StartTag, TokenSink, read};

    struct First<'f>(Option<String>, &'f str, Option<&'f str>, &'f str);

    impl<'a> TokenSink<'a> for First<'_> {
        fn start_tag(&mut self, tag: &StartTag<'a, '_>) {
            let mut edits = Edits::default();
            set(&mut edits, self.3, &KeptTag::of(tag), self.1, self.2);
            self.0.get_or_insert(edits.apply(self.3));
        }
        fn end_tag(&mut self, _name: &'a str, _span: Range<usize>) -> bool {
            false
        }
        fn text(&mut self, _raw: &'a str, _span: Range<usize>) {}
    }

    #[test]
    fn the_authors_way_of_writing_stays() {
        for (html, name, value, expected) in [
            ("<a B='c' d>", "b", Some("it's"), "<a B='it&#39;s' d>"),
            (
                "<a b = \"c\"\td>",
                "b",
                Some("\"&"),
                "<a b = \"&quot;&amp;\"\td>",
            ),
            ("<a b=c d>", "b", Some("e"), "<a b=e d>"),
            ("<a b=c/>", "b", Some("e f"), "<a b=\"e f\">"),
            ("<a b d>", "b", Some("c"), "<a b=\"c\" d>"),
            ("<a b=''>", "b", Some("c"), "<a b='c'>"),
            ("<a\n  b='c'\n  d/>", "e", Some(""), "<a\n  b='c'\n  d e/>"),
            ("<A>", "e", Some("x<y"), "<A e=\"x&lt;y\">"),
            ("<a\n  b='c'\n  d/>", "b", None, "<a\n  d/>"),
            ("<a b='c'd B=e>", "b", None, "<a d>"),
            ("<a b='&amp;'>", "b", Some("&"), "<a b='&amp;'>"),
            ("<a b=>", "b", Some("c"), "<a b=\"c\">"),
            ("<a B = >", "b", Some(">"), "<a B=\"&gt;\" >"),
            ("<a b=c d=>", "d", None, "<a b=c>"),
            ("<a b=c d=>", "b", None, "<a d=>"),
            ("<a b=>", "e", Some("f"), "<a b=\"\" e=\"f\">"),
            ("<a =>", "e", Some("f"), "<a = e=\"f\">"),
        ] {
            let mut first = First(None, name, value, html);
            read(html, &mut first);
            assert_eq!(first.0.as_deref(), Some(expected), "{html}");
        }
    }
}
