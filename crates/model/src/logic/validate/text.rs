//! Cleans and validates texts.

use serde_json::Value;

use super::report::{AnswerCode, Bounds};
use super::{Check, address};
use crate::field_kinds::AnswerShape;
use crate::logic::phone;

/// The longest answer of several lines, in UTF-16 units.
pub const MAX_LINES_UNITS: usize = 100_000;

/// The longest answer of one line, in UTF-16 units.
pub const MAX_LINE_UNITS: usize = 10_000;

/// The text that is stored instead of a password.
pub const MASKED_PASSWORD: &str = "********";

/// Converts a text to one trimmed line. Line breaks become spaces, so that words stay separate; other control
/// characters except tabs are dropped.
pub fn one_line(text: &str) -> String {
    if is_plain(text) {
        return text.trim().to_owned();
    }
    let text = text.replace("\r\n", " ");
    without_controls(&text, |c| c == '\t').trim().to_owned()
}

/// Converts a text to one trimmed line; `None` if the line is empty.
pub(super) fn filled_line(text: &str) -> Option<String> {
    Some(one_line(text)).filter(|line| !line.is_empty())
}

/// Cleans and trims a text of several lines. Line breaks become line feeds; other control characters except tabs are
/// dropped.
pub fn many_lines(text: &str) -> String {
    if is_plain(text) {
        return text.trim().to_owned();
    }
    as_written(text).trim().to_owned()
}

/// Cleans a text of several lines without trimming it.
fn as_written(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    without_controls(&text, |c| matches!(c, '\t' | '\n'))
}

/// Whether a text is one line of printable ASCII, as most texts are.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

/// Drops control characters except those for which `but` holds. Control characters that are white space become
/// spaces.
fn without_controls(text: &str, but: impl Fn(char) -> bool) -> String {
    let kept = |c: char| match c {
        c if !c.is_control() || but(c) => Some(c),
        c => c.is_whitespace().then_some(' '),
    };
    text.chars().filter_map(kept).collect()
}

impl Check<'_, '_> {
    /// Validates the text of a text, email, url, tel, hidden, password or textarea field.
    pub(super) fn text(&mut self, sent: &str) -> Option<Value> {
        let text = match self.shape {
            AnswerShape::Lines => many_lines(sent),
            // White space is part of a password, and of a value that a script wrote into a hidden field.
            AnswerShape::Secret | AnswerShape::Verbatim => as_written(sent),
            AnswerShape::Url => address::with_scheme(one_line(sent)),
            _ => one_line(sent),
        };
        if text.is_empty() {
            return None;
        }
        if self.shape == AnswerShape::Phone {
            return self.phone(text);
        }
        self.check_text(text)
    }

    /// Validates a telephone number, which is stored in E.164.
    fn phone(&mut self, text: String) -> Option<Value> {
        let country = self.input.part(&self.field.name, phone::COUNTRY);
        match phone::stored(self.field, &text, country) {
            Some(number) => self.check_text(number),
            None => {
                self.fault(AnswerCode::InvalidPhone);
                Some(Value::from(text))
            }
        }
    }

    fn check_text(&mut self, text: String) -> Option<Value> {
        self.check_length(&text);
        self.check_pattern([text.as_str()]);
        if (self.shape == AnswerShape::Email || self.is_email) && !address::is_email_address(&text)
        {
            self.fault(AnswerCode::InvalidEmail);
        }
        if self.shape == AnswerShape::Url && !address::is_web_address(&text) {
            self.fault(AnswerCode::InvalidUrl);
        }
        Some(match self.shape {
            AnswerShape::Secret => Value::from(MASKED_PASSWORD),
            _ => Value::from(text),
        })
    }

    pub(super) fn check_length(&mut self, text: &str) {
        let longest = match self.shape {
            AnswerShape::Lines | AnswerShape::Verbatim => MAX_LINES_UNITS,
            _ => MAX_LINE_UNITS,
        };
        let units = if text.is_ascii() {
            text.len()
        } else {
            text.encode_utf16().count()
        };
        #[expect(clippy::cast_precision_loss, reason = "a length of what was sent")]
        let (too_short, too_long) = self.outside(units as f64);
        if too_long {
            self.fault_within(AnswerCode::TooLong, &self.bounds());
        } else if units > longest {
            self.fault_within(AnswerCode::TooLong, &Bounds::new(None, Some(longest)));
        } else if too_short {
            self.fault_within(AnswerCode::TooShort, &self.bounds());
        }
    }
}
