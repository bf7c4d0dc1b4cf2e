//! Calculated values, and bounds by expressions.

use serde_json::Value;

use super::Check;
use super::report::{AnswerCode, Bounds};
use crate::Operator;
use crate::logic::answer::AnswerKind;
use crate::logic::calc::fields::Calculated;
use crate::logic::compare;

impl Check<'_, '_> {
    /// The value of a calculated field.
    pub(super) fn calculation(&mut self, result: &str) -> Value {
        let value = self.check_input(result);
        if self.required && value.is_none() {
            self.fault(AnswerCode::CalculationFailed);
        }
        value.unwrap_or_else(|| self.empty())
    }

    /// Reports an answer beyond the bounds that expressions set. An empty bound asks for nothing.
    pub(super) fn check_calculated_bounds(&mut self, sent: &str, results: &Calculated) {
        let sent = [sent.trim().to_owned()];
        let is = |operator, bound: &str| {
            compare::holds(operator, &sent, AnswerKind::Text, &Value::from(bound))
        };
        let outside = (
            is(Operator::LessThan, &results.min),
            is(Operator::GreaterThan, &results.max),
        );
        let bound = |text: &String| (!text.is_empty()).then(|| text.clone());
        self.check_outside(
            outside,
            &Bounds::new(bound(&results.min), bound(&results.max)),
        );
    }
}
