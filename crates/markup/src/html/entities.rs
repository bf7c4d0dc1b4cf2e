//! Decodes text as browsers do: decodes character references, and replaces control characters.

use std::borrow::Cow;

use model::entities::{unescape, unescape_attribute};

/// The text of element content.
pub(crate) fn decode_text(raw: &str) -> Cow<'_, str> {
    decode(raw, unescape)
}

/// The text of an attribute value.
pub(crate) fn decode_attribute(raw: &str) -> Cow<'_, str> {
    decode(raw, unescape_attribute)
}

fn decode(raw: &str, unescape: fn(&str) -> Cow<'_, str>) -> Cow<'_, str> {
    if raw.bytes().any(|byte| byte == b'&' || may_be_control(byte)) {
        without_controls(unescape(raw))
    } else {
        Cow::Borrowed(raw)
    }
}

/// Replaces the control characters that no field may hold with U+FFFD. Line breaks become line feeds, as in the
/// standard's input preprocessing.
pub(crate) fn without_controls(text: Cow<'_, str>) -> Cow<'_, str> {
    let is_control = |c: char| c.is_control() && !matches!(c, '\t' | '\n');
    if !text.bytes().any(may_be_control) || !text.contains(is_control) {
        return text;
    }
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    Cow::Owned(text.replace('\u{c}', " ").replace(is_control, "\u{fffd}"))
}

/// Whether a byte may belong to a control character. 0xC2 begins those beyond ASCII, and other characters too.
const fn may_be_control(byte: u8) -> bool {
    matches!(byte, 0..=8 | 0x0b..=0x1f | 0x7f | 0xc2)
}
