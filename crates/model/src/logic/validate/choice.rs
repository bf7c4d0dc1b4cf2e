//! Validates selects, radios, checkboxes and buttons.

use std::collections::BTreeSet;

use serde_json::Value;

use super::report::AnswerCode;
use super::text::{MAX_LINE_UNITS, many_lines};
use super::{Check, MAX_VALUES, visible_values};
use crate::Field;
use crate::field::MAX_TEXT_CHARS;
use crate::field_kinds::Control;
use crate::ordered::Gather;

/// The longest answer that a visitor may type instead of choosing an option ("Other"), in characters.
const MAX_OTHER_CHARS: usize = 1_000;

impl<'c> Check<'c, '_> {
    fn control(&self) -> Control {
        self.field.kind.facts().control
    }

    /// Validates a checkbox without options: on or off.
    pub(super) fn switch(&mut self) -> Option<Value> {
        let is_ticked = super::composite::is_ticked(self.input, self.field);
        self.require_unless(is_ticked == Some(true));
        is_ticked.map(Value::from)
    }

    /// Validates a choice of one option. A field without options takes any text, since a script of the page may add
    /// options. A select keeps both a chosen option and a free answer, unless the option is "Other". Radios keep the
    /// typed text only if no option except "Other" is chosen.
    pub(super) fn choice(&mut self) -> Option<Value> {
        if !self.is_open() && self.has_list() {
            return None;
        }
        let sent = visible_values(self.input, self.field);
        let known = self.known();
        let mut texts = sent.iter().flatten().map(|text| as_option(text, &known));
        let mut chosen: Vec<String> = if self.is_open() {
            let (options, others): (Vec<_>, Vec<_>) = texts
                .filter(|text| !text.is_empty())
                .partition(|text| known.contains(text.as_str()));
            let written = self.other();
            let is_written = written.is_some() || !others.is_empty();
            let option = options.into_iter().next_back();
            let option = option.filter(|option| !(is_written && self.is_other(option)));
            // The text beside a select is an answer in addition to the chosen option.
            let written = written.filter(|_| self.control() == Control::Select);
            option.into_iter().chain(others).chain(written).collect()
        } else {
            texts.rfind(|text| !text.is_empty()).into_iter().collect()
        };
        if chosen.is_empty() {
            chosen.extend(self.other());
        }
        if chosen.is_empty() {
            self.require_unless(false);
            return sent.map(|_| Value::from(""));
        }
        if self.check_known(&chosen, &known) {
            self.check_pattern(chosen.iter().map(String::as_str));
            self.check_count(chosen.len());
        }
        Some(match chosen.as_slice() {
            [one] => Value::from(one.as_str()),
            _ => Value::from(chosen),
        })
    }

    /// Validates a choice of several options, in the order in which they were sent. Checkboxes with equal values
    /// count as one choice; several selects may each have the same value.
    pub(super) fn choices(&mut self) -> Option<Value> {
        let sent = self.input.all(&self.field.name);
        let known = self.known();
        let mut seen = BTreeSet::new();
        let other = self.other();
        let is_sent = sent.is_some() || other.is_some();
        let options = sent.into_iter().flatten();
        let chosen = options.map(|text| as_option(text, &known)).chain(other);
        let may_repeat = self.control() != Control::Boxes;
        // A checkbox may have an empty value.
        let is_choice = |text: &String| !text.is_empty() || !may_repeat && known.contains("");
        let chosen =
            chosen.filter(|text| is_choice(text) && (may_repeat || seen.insert(text.clone())));
        let chosen: Vec<String> = chosen.take(MAX_VALUES.max(known.len()) + 1).collect();
        if chosen.is_empty() {
            self.require_unless(false);
        } else if self.check_known(&chosen, &known) {
            self.check_pattern(chosen.iter().map(String::as_str));
            self.check_count(chosen.len());
        }
        is_sent.then(|| Value::from(chosen))
    }

    /// Validates the pressed button of several. An image button sends the position of the click instead of its value.
    /// A page that was rendered before the form's last change may send an old value, which is kept.
    pub(super) fn pressed(&mut self) -> Option<Value> {
        let name = &self.field.name;
        let sent = visible_values(self.input, self.field).unwrap_or_default();
        let single = Some(&self.field.default_value).filter(|_| self.field.options.is_empty());
        let options = self.field.options.iter().map(|option| &option.value);
        let values = options.chain(single);
        let first = values.clone().next();
        let is_clicked = || self.input.all(&format!("{name}.x")).is_some();
        let is_one = |text: &&&str| values.clone().any(|value| value == **text);
        let pressed = sent.iter().rfind(is_one).copied();
        let clicked = || first.filter(|_| is_clicked()).map(String::as_str);
        if let Some(value) = pressed.or_else(clicked) {
            return Some(Value::from(value));
        }
        let unknown = sent.last().map(|text| many_lines(text));
        let unknown = unknown.filter(|text| !text.is_empty())?;
        let is_hidden = self.field.hidden_values().any(|value| value == unknown);
        let is_long = unknown.chars().count() > MAX_TEXT_CHARS;
        if !is_hidden && (!self.input.is_of_older_page || is_long) {
            self.fault(AnswerCode::InvalidOption);
        }
        Some(Value::from(unknown))
    }

    /// Whether the choice also accepts a free answer.
    fn is_open(&self) -> bool {
        self.field.attributes.contains_key(Field::OTHER) && !self.field.is_ranking()
    }

    /// Whether an option is "Other": its label is the value of [`Field::OTHER`].
    fn is_other(&self, value: &str) -> bool {
        let label = self.field.attributes.get(Field::OTHER);
        let mut options = self.field.options.iter();
        options.any(|option| option.value == value && Some(&option.label) == label)
    }

    /// The free answer, which the page sends in a separate input.
    fn other(&self) -> Option<String> {
        let text = self.input.part(&self.field.name, "other");
        let text = many_lines(text.filter(|_| self.is_open())?);
        (!text.is_empty()).then_some(text)
    }

    /// The values of the options.
    pub(super) fn known(&self) -> BTreeSet<&'c str> {
        let options = self.field.options.iter();
        options.map(|option| option.value.as_str()).gather()
    }

    /// Whether every text is the value of an option or a hidden control, or an allowed free answer; adds a fault
    /// otherwise.
    pub(super) fn check_known(&mut self, chosen: &[String], known: &BTreeSet<&str>) -> bool {
        let all_fit = chosen.len() <= MAX_VALUES.max(known.len())
            && if known.is_empty() {
                chosen.iter().all(|text| text.len() <= MAX_LINE_UNITS)
            } else {
                let hidden =
                    |text: &&String| self.field.hidden_values().any(|value| value == **text);
                let others = chosen.iter().filter(|text| !known.contains(text.as_str()));
                let others: Vec<_> = others.filter(|text| !hidden(text)).collect();
                let fits = |text: &&String| text.chars().count() <= MAX_OTHER_CHARS;
                others.is_empty()
                    || self.is_open()
                        && others.len() <= self.field.input_count()
                        && others.iter().all(fits)
            };
        if !all_fit {
            self.fault(AnswerCode::InvalidOption);
        }
        all_fit
    }
}

/// Returns an option unchanged, and any other text without control characters.
pub(super) fn as_option(text: &str, known: &BTreeSet<&str>) -> String {
    if known.contains(text) {
        text.to_owned()
    } else {
        many_lines(text)
    }
}
