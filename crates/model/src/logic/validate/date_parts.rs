//! Validates dates with separate inputs for day, month and year.

use serde_json::Value;

use super::Check;
use super::report::{AnswerCode, Bounds};
use super::sent::{SentDate, sent_date};

impl Check<'_, '_> {
    /// Validates a date that was sent in parts or as a whole.
    pub(super) fn date_in_parts(&mut self) -> Option<Value> {
        match sent_date(self.input, self.field) {
            Some(SentDate::Faulty(part)) => {
                let code = AnswerCode::InvalidDate;
                self.report
                    .add(self.field, Some(part), code, &Bounds::default());
                Some(Value::Null)
            }
            sent => {
                let text = match &sent {
                    Some(SentDate::Whole(text)) => text.as_str(),
                    _ => "",
                };
                let value = self.check_input(text);
                self.require_unless(value.is_some());
                sent.map(|_| value.unwrap_or_else(|| self.empty()))
            }
        }
    }
}
