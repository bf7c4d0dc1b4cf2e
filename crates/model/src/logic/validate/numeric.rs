//! Numbers, ranges and ratings.

use serde_json::{Number, Value};

use super::Check;
use super::report::{AnswerCode, Bounds};
use super::text::filled_line;
use crate::logic::number::{is_on_step, number_of, parse_number};

/// How many points a rating has when its field does not say (contract, section 4).
const DEFAULT_RATING: u64 = 5;

impl Check<'_, '_> {
    /// The number of a number or range field.
    pub(super) fn number(&mut self, sent: &str) -> Option<Value> {
        let text = filled_line(sent)?;
        let Some((value, number)) = parse_number(&text).zip(number_of(&text)) else {
            self.fault(AnswerCode::InvalidNumber);
            return Some(Value::Null);
        };
        self.check_pattern([text.as_str()]);
        let validation = &self.field.validation;
        self.check_size(value, validation.min.as_ref(), validation.max.as_ref());
        let attribute = |name: &str| self.field.attributes.get(name);
        let step = attribute("step").and_then(|step| parse_number(step));
        if let Some(step) = step.filter(|step| *step > 0.0) {
            let least = validation.min.as_ref().and_then(Number::as_f64);
            let base = least.or_else(|| parse_number(&self.field.default_value));
            if !is_on_step(value, base.unwrap_or(0.0), step) {
                self.fault(AnswerCode::InvalidNumber);
            }
        }
        Some(Value::Number(number))
    }

    /// A whole number from 1 to the most points.
    pub(super) fn rating(&mut self, sent: &str) -> Option<Value> {
        let text = filled_line(sent)?;
        let whole = parse_number(&text).filter(|number| number.fract() == 0.0);
        let Some((value, number)) = whole.zip(number_of(&text)) else {
            self.fault(AnswerCode::InvalidNumber);
            return Some(Value::Null);
        };
        self.check_pattern([text.as_str()]);
        let validation = &self.field.validation;
        let least = validation.min.clone().unwrap_or(Number::from(1));
        let most = validation
            .max
            .clone()
            .unwrap_or(Number::from(DEFAULT_RATING));
        self.check_size(value, Some(&least), Some(&most));
        Some(Value::Number(number))
    }

    fn check_size(&mut self, value: f64, min: Option<&Number>, max: Option<&Number>) {
        let bounds = Bounds::new(min, max);
        let (min, max) = (min.and_then(Number::as_f64), max.and_then(Number::as_f64));
        if min.is_some_and(|min| value < min) {
            self.fault_within(AnswerCode::TooSmall, &bounds);
        }
        if max.is_some_and(|max| value > max) {
            self.fault_within(AnswerCode::TooLarge, &bounds);
        }
    }
}
