//! Names, addresses and consents.

use serde_json::{Map, Value};

use super::Check;
use super::report::{AnswerCode, Bounds};
use super::text::one_line;
use crate::logic::answer::is_on;
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
            sent |= value.is_some();
            let text = one_line(value.unwrap_or_default());
            let problem = if text.is_empty() {
                (self.required && part.needed).then_some(AnswerCode::RequiredFieldMissing)
            } else {
                let too_long = text.encode_utf16().count() > MAX_PART_UNITS;
                too_long.then_some(AnswerCode::TooLong)
            };
            if let Some(code) = problem {
                let bounds = Bounds::new(None, Some(MAX_PART_UNITS));
                self.report.add(self.field, Some(part.name), code, &bounds);
            }
            parts.insert(part.name.to_owned(), Value::from(text));
        }
        sent.then_some(Value::Object(parts))
    }

    /// Validates a consent: whether it was given, and the text that was shown, which is the field's
    /// label and never what the visitor's browser says it was.
    pub(super) fn consent(&mut self) -> Option<Value> {
        let sent = accepted(self.input, &self.field.name);
        let given = sent.is_some_and(is_on);
        self.require_unless(given);
        sent.map(|_| json!({"accepted": given, "text": self.field.plain_label()}))
    }
}

/// The input that accepts a consent: `name[accepted]`, or the name alone.
pub(super) fn accepted<'i>(input: &'i Input, name: &str) -> Option<&'i str> {
    input.part(name, "accepted").or_else(|| input.last(name))
}
