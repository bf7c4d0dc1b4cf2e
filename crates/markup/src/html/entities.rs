//! Texts as browsers read them: their references decoded, and without controls.

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

fn decode(raw: &str, unescape: fn(&str) -> Cow<'_, str>) -> Cow<'_, str> {
    if raw.bytes().any(|byte| byte == b'&' || may_be_control(byte)) {
        without_controls(unescape(raw))
    } else {
        Cow::Borrowed(raw)
    }
}

/// The text without the control characters that no field can hold, which become U+FFFD. Line breaks become
/// line feeds, as the standard's input preprocessing does.
pub(crate) fn without_controls(text: Cow<'_, str>) -> Cow<'_, str> {
    let is_control = |c: char| c.is_control() && !matches!(c, '\t' | '\n');
    if !text.bytes().any(may_be_control) || !text.contains(is_control) {
        return text;
    }
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    Cow::Owned(text.replace('\u{c}', " ").replace(is_control, "\u{fffd}"))
}

/// Most texts are done with their bytes: 0xC2 begins the control characters beyond ASCII.
const fn may_be_control(byte: u8) -> bool {
    matches!(byte, 0..=8 | 0x0b..=0x1f | 0x7f | 0xc2)
}
