//! Character references (HTML standard, "Character reference state"), by the `htmlize` crate,
//! which follows the standard: the full named list, missing semicolons, numeric replacements.

use std::borrow::Cow;

use model::entities::{unescape, unescape_attribute};

/// The text that stands in element content.
pub(crate) fn decode_text(raw: &str) -> Cow<'_, str> {
    decode(raw, unescape)
}

/// The text that stands in an attribute value.
pub(crate) fn decode_attribute(raw: &str) -> Cow<'_, str> {
    decode(raw, unescape_attribute)
}

fn decode<'a>(raw: &'a str, references: impl Fn(&'a str) -> Cow<'a, str>) -> Cow<'a, str> {
    // U+0080 to U+009F begin with C2.
    let may_change = |byte: u8| {
        matches!(byte, b'&' | 0x7f | 0xc2) || (byte < b' ' && !matches!(byte, b'\t' | b'\n'))
    };
    if raw.bytes().any(may_change) {
        without_controls(references(raw))
    } else {
        Cow::Borrowed(raw)
    }
}

/// The text without the control characters that no field can hold, which become U+FFFD. Line breaks become
/// line feeds, as the standard's input preprocessing does.
pub(crate) fn without_controls(text: Cow<'_, str>) -> Cow<'_, str> {
    let is_control = |c: char| c.is_control() && !matches!(c, '\t' | '\n');
    if !text.contains(is_control) {
        return text;
    }
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    Cow::Owned(text.replace('\u{c}', " ").replace(is_control, "\u{fffd}"))
}
