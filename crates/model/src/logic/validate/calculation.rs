//! Validates calculated values, and answers with calculated bounds.

use serde_json::Value;

use super::Check;
use super::report::{AnswerCode, Bounds};
use crate::Operator;
use crate::logic::answer::AnswerKind;
use crate::logic::calc::fields::Calculated;
use crate::logic::compare;

impl Check<'_, '_> {
    /// Validates a calculated value as if a visitor had sent it, and returns the value to store.
    pub(super) fn calculation(&mut self, result: &str) -> Value {
        let value = self.check_input(result);
        if self.required && value.is_none() {
            self.fault(AnswerCode::CalculationFailed);
        }
        value.unwrap_or_else(|| self.empty())
    }

    /// Reports an answer beyond calculated bounds. An empty bound sets no limit.
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
