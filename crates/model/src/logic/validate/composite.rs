//! Validates names, addresses and consents.

use serde_json::{Map, Value};

use super::Check;
use super::report::{AnswerCode, Bounds};
use super::text::one_line;
use crate::Field;
use crate::logic::input::Input;

/// The longest part of a name or address, in UTF-16 units.
const MAX_PART_UNITS: usize = 1_000;

impl Check<'_, '_> {
    /// Validates a name or an address: an object of all its parts, empty ones included.
    pub(super) fn parts(&mut self) -> Option<Value> {
        let name = self.field.name.as_str();
        let mut parts = Map::new();
        let mut sent = false;
        for part in self.field.kind.parts() {
            let value = self.input.part(name, part.name);
            let value = value.filter(|_| self.field.asks_for(part));
            sent |= value.is_some();
            let text = one_line(value.unwrap_or_default());
            let problem = if self.input.has_list(&format!("{name}[{}]", part.name)) {
                Some((AnswerCode::TooLarge, 1))
            } else if text.is_empty() {
                let is_missing = self.required && self.field.needs(part);
                is_missing.then_some((AnswerCode::RequiredFieldMissing, MAX_PART_UNITS))
            } else {
                let too_long = text.encode_utf16().count() > MAX_PART_UNITS;
                too_long.then_some((AnswerCode::TooLong, MAX_PART_UNITS))
            };
            if let Some((code, most)) = problem {
                let bounds = Bounds::new(None, Some(most));
                self.report.add(self.field, Some(part.name), code, &bounds);
            }
            parts.insert(part.name.to_owned(), Value::from(text));
        }
        sent.then_some(Value::Object(parts))
    }

    /// Validates a consent, and returns whether it was given, with the text that was shown. That text is the field's
    /// label, never a text from the visitor's browser.
    pub(super) fn consent(&mut self) -> Option<Value> {
        let is_accepted = is_ticked(self.input, self.field);
        self.require_unless(is_accepted == Some(true));
        let text = if self.has_filled_pipes {
            self.field.label.as_str().into()
        } else {
            self.field.plain_label()
        };
        is_accepted.map(|is_accepted| json!({"accepted": is_accepted, "text": text}))
    }
}

/// Whether the checkbox of a switch or a consent is ticked; `None` if the browser sent nothing for it. A consent's
/// checkbox is named `name[accepted]`, or has the field's name.
pub(super) fn is_ticked(input: &Input, field: &Field) -> Option<bool> {
    let value = field.attributes.get("value").map(String::as_str);
    let accepted = field
        .kind
        .is_consent()
        .then(|| input.ticks(&format!("{}[accepted]", field.name), value));
    accepted
        .flatten()
        .or_else(|| input.ticks(&field.name, value))
}
