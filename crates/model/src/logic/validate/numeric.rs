//! Validates numbers, ranges and ratings.

use serde_json::{Number, Value};

use super::Check;
use super::report::{AnswerCode, Bounds};
use super::text::filled_line;
use crate::field_kinds::AnswerShape;
use crate::logic::number::{is_kept_as_text, is_on_step, number_of, parse_number};

/// The highest point of a rating without a maximum (contract, section 4).
const DEFAULT_RATING: u64 = 5;

impl Check<'_, '_> {
    /// Validates a number, range or rating field. A rating is an integer, by default from 1 to 5.
    pub(super) fn number(&mut self, sent: &str) -> Option<Value> {
        let text = filled_line(sent)?;
        let is_rating = self.shape == AnswerShape::Points;
        let value = parse_number(&text).filter(|value| !is_rating || value.fract() == 0.0);
        let Some((value, number)) = value.zip(number_of(&text)) else {
            self.fault(AnswerCode::InvalidNumber);
            return Some(Value::Null);
        };
        self.check_pattern([text.as_str()]);
        let validation = &self.field.validation;
        let usual = |number: u64| is_rating.then(|| Number::from(number));
        let min = validation.min.clone().or_else(|| usual(1));
        let max = validation.max.clone().or_else(|| usual(DEFAULT_RATING));
        let least = min.as_ref().and_then(Number::as_f64);
        let most = max.as_ref().and_then(Number::as_f64);
        let is_small = least.is_some_and(|least| value < least);
        let is_large = most.is_some_and(|most| value > most);
        self.check_outside((is_small, is_large), &Bounds::new(min, max));
        let step = self.field.attributes.get("step").filter(|_| !is_rating);
        let step = step.and_then(|step| parse_number(step));
        if let Some(step) = step.filter(|step| *step > 0.0) {
            let base = least.or_else(|| parse_number(&self.field.default_value));
            if !is_on_step(value, base.unwrap_or(0.0), step) {
                self.fault_within(AnswerCode::InvalidNumber, &Bounds::of_step(step));
            }
        }
        if !is_rating && is_kept_as_text(&text) {
            return Some(Value::from(text));
        }
        Some(Value::Number(number))
    }
}
