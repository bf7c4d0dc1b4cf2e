//! Validates rankings: options in order, the best first.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Check;
use super::choice::as_option;
use super::report::{AnswerCode, Bounds};
use crate::ordered::Gather;

impl Check<'_, '_> {
    /// Validates the places of a ranking, and removes empty places. A ranking that is begun needs `validation.min`
    /// places. Without that minimum, a required ranking needs all places.
    pub(super) fn ranking(&mut self) -> Option<Value> {
        let sent = self.input.all(&self.field.name);
        let known = self.known();
        let texts = sent.into_iter().flatten();
        let texts = texts.map(|text| as_option(text, &known));
        let texts = texts.filter(|text| !text.is_empty());
        let ranked: Vec<String> = texts.take(known.len() + 1).collect();
        let different: BTreeSet<&str> = ranked.iter().map(String::as_str).gather();
        if ranked.is_empty() {
            self.require_unless(false);
        } else if different.len() < ranked.len() {
            self.fault_within(AnswerCode::InvalidOption, &Bounds::new(None, Some(1)));
        } else if self.check_known(&ranked, &known) {
            self.check_pattern(different);
            self.check_places(ranked.len());
        }
        sent.map(|_| Value::from(ranked))
    }

    fn check_places(&mut self, count: usize) {
        let bounds = &self.field.validation;
        let (min, max) = (&bounds.min, &bounds.max);
        let all = self.field.rank_places();
        let is_part = self.required && min.is_none() && count < all;
        #[expect(clippy::cast_precision_loss, reason = "a count of options")]
        let (is_small, is_large) = self.outside(count as f64);
        let least = min.as_ref().map_or(all.to_string(), ToString::to_string);
        let most = max.as_ref().map(ToString::to_string);
        let bounds = Bounds::new(Some(least), most);
        self.check_outside((is_small || is_part, is_large), &bounds);
    }
}
