//! Selects, radios and checkboxes.

use std::collections::BTreeSet;

use serde_json::Value;

use super::report::AnswerCode;
use super::text::{MAX_LINE_UNITS, many_lines};
use super::{Check, MAX_VALUES};
use crate::logic::answer::is_on;
use crate::ordered::Gather;

/// The longest answer that is none of the options, in characters.
const MAX_OTHER_CHARS: usize = 1_000;

impl<'c> Check<'c, '_> {
    /// Validates a checkbox without options: on or off.
    pub(super) fn switch(&mut self) -> Option<Value> {
        let sent = self.input.last(&self.field.name);
        let on = sent.is_some_and(is_on);
        self.require_unless(on);
        sent.map(|_| Value::from(on))
    }

    /// Validates one of the options. A field without any (a script of the page fills it) takes a text.
    pub(super) fn choice(&mut self) -> Option<Value> {
        let sent = self.input.last(&self.field.name);
        let known = self.known();
        let mut text = as_option(sent.unwrap_or_default(), &known);
        if text.is_empty() {
            text = self.other().unwrap_or_default();
        }
        if text.is_empty() {
            self.require_unless(false);
            return sent.map(|_| Value::from(""));
        }
        if self.check_known(std::slice::from_ref(&text), &known) {
            self.check_pattern([text.as_str()]);
            self.check_count(1);
        }
        Some(Value::from(text))
    }

    /// Validates several of the options, each once, in the order in which they came.
    pub(super) fn choices(&mut self) -> Option<Value> {
        let sent = self.input.all(&self.field.name);
        let known = self.known();
        let mut seen = BTreeSet::new();
        let other = self.other();
        let is_sent = sent.is_some() || other.is_some();
        let options = sent.into_iter().flatten();
        let chosen = options.map(|text| as_option(text, &known)).chain(other);
        let chosen = chosen.filter(|text| !text.is_empty() && seen.insert(text.clone()));
        let chosen: Vec<String> = chosen.collect();
        if chosen.is_empty() {
            self.require_unless(false);
        } else if self.check_known(&chosen, &known) {
            self.check_pattern(chosen.iter().map(String::as_str));
            self.check_count(chosen.len());
        }
        is_sent.then(|| Value::from(chosen))
    }

    /// The text written for "Other", which the page sends beside the choices.
    fn other(&self) -> Option<String> {
        self.field.attributes.get("data-other")?;
        let text = many_lines(self.input.part(&self.field.name, "other")?);
        (!text.is_empty()).then_some(text)
    }

    /// The values of the options.
    fn known(&self) -> BTreeSet<&'c str> {
        let options = self.field.options.iter();
        options.map(|option| option.value.as_str()).gather()
    }

    /// Whether every text is one of the options; notes if not.
    fn check_known(&mut self, chosen: &[String], known: &BTreeSet<&str>) -> bool {
        let all_fit = if known.is_empty() {
            chosen.len() <= MAX_VALUES && chosen.iter().all(|text| text.len() <= MAX_LINE_UNITS)
        } else {
            let others = chosen.iter().filter(|text| !known.contains(text.as_str()));
            let others: Vec<_> = others.collect();
            let takes_other = self.field.attributes.contains_key("data-other");
            let fits = |text: &&String| text.chars().count() <= MAX_OTHER_CHARS;
            others.is_empty() || takes_other && others.len() == 1 && others.iter().all(fits)
        };
        if !all_fit {
            self.fault(AnswerCode::InvalidOption);
        }
        all_fit
    }
}

/// What was chosen, as the option has it; else cleaned like any text.
fn as_option(text: &str, known: &BTreeSet<&str>) -> String {
    if known.contains(text) {
        text.to_owned()
    } else {
        many_lines(text)
    }
}
