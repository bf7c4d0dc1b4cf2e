//! Validates answers by a form's schema (contract, sections 3 to 5): clean data, or all faults in the form's order.
//!
//! The rules:
//!
//! - Answers of hidden fields, disabled fields and unknown names are dropped. The data lacks a field that was not
//!   sent (browsers send nothing for an unticked checkbox); a field that was sent empty is empty.
//! - Text loses control characters (except tabs) and white space at its ends. Line breaks become line feeds, or
//!   spaces in fields of one line. Passwords and hidden fields keep white space. [`MASKED_PASSWORD`] is stored for a
//!   password.
//! - Number, range and rating become JSON numbers (null if empty, a text if a number would lose digits). A checkbox
//!   without options becomes a boolean, and a file its name. Checkboxes with options, and fields with `multiple`,
//!   become lists. Name, address and consent become objects.
//! - A required field needs an answer: `0` is an answer, white space is not. A required checkbox or consent must be
//!   ticked. A required name needs first and last; a required address needs street, city and country, but no postal
//!   code. A web address that begins with a host name gets `https://`.
//! - A repeating group becomes a list of objects. Each row is checked like a separate form ([`super::rows`]).
//! - `min` and `max` bound the length of a text (UTF-16 units), the size of a number, the count of choices, or the
//!   bytes of each file. `pattern` applies to every value, each choice and each file name. The bounds of dates,
//!   times, months and weeks are `attributes.min` and `attributes.max`. The attribute `step` applies, except for
//!   months and weeks. [`crate::check::unchecked`] lists constraints without effect. Empty answers are checked only
//!   by `required`.

mod address;
mod calculation;
mod choice;
mod composite;
mod date_parts;
mod file;
mod holds;
mod moment;
mod numeric;
mod piped;
mod ranking;
mod report;
mod rows;
mod sent;
mod text;

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::calc::fields::Calculated;
use super::conditions::{Settled, Visibility};
use super::input::Input;
use super::pattern::Pattern;
use super::piping;
use crate::field_kinds::AnswerShape;
use crate::ordered::Gather;
use crate::{Data, Field, FormSchema};
use report::{Bounds, Report};
use rows::Rows;
use sent::{split_values, visible_values};

pub use crate::field::MAX_FILES;
pub use crate::filenames::clean_filename;
pub use address::is_email_address;
pub use file::{accept_of, readable_types};
pub use piped::piped_input;
pub use report::{AnswerCode, AnswerFault, general_fault, label_of, size_text, specific_message};
pub use sent::{answers_in, is_disabled, unchecked_data};
pub use text::{MASKED_PASSWORD, MAX_LINE_UNITS, MAX_LINES_UNITS};

/// The maximum number of values of one field. A field with more options may have as many values as options.
pub const MAX_VALUES: usize = 1_000;

/// The base of the names of inputs in which visitors repeat an answer: `_cf_again[email]`. Only pages send these
/// inputs.
pub const REPEATED: &str = "_cf_again";

/// The rules of one form.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    /// The schema.
    pub schema: &'a FormSchema,
    /// The conditions of the schema.
    pub visibility: &'a Visibility,
    /// The messages of the form, with defaults.
    pub messages: &'a Map<String, Value>,
    /// Names of fields that are also required.
    pub required_fields: &'a [String],
    /// Names of fields whose answers must also be email addresses.
    pub email_fields: &'a [String],
    /// Whether answers replace the pipes in the schema's texts ([`super::piping`]).
    pub has_pipes: bool,
    /// The current day, as days from 1970-01-01.
    pub today: i64,
}

/// The valid data of a submit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CleanData {
    /// The answers, in the order of the form.
    pub answers: Data,
    /// The positions of the accepted files among those of the input.
    pub files: Vec<usize>,
}

impl Rules<'_> {
    /// Checks the answers, and returns the data or all faults.
    pub fn validate(&self, input: &Input) -> Result<CleanData, Vec<AnswerFault>> {
        match self.check(input) {
            (data, faults) if faults.is_empty() => Ok(data),
            (_, faults) => Err(faults),
        }
    }

    /// Checks the answers. Returns the data, in which faulty answers may be missing, and all faults.
    pub fn check(&self, input: &Input) -> (CleanData, Vec<AnswerFault>) {
        let required: BTreeSet<&str> = self.required_fields.iter().map(String::as_str).gather();
        let emails: BTreeSet<&str> = self.email_fields.iter().map(String::as_str).gather();
        let settled = if self.visibility.is_needed() {
            let mut answers = answers_in(self.schema, input);
            self.visibility.settle(&mut answers, self.today)
        } else {
            Settled::default()
        };
        let mut data = CleanData::default();
        let mut report = Report {
            messages: self.messages,
            faults: Vec::new(),
            row: None,
        };
        let has_pipes = self.has_pipes;
        let piped = has_pipes.then(|| piped_input(self.schema, &settled, input, self.messages));
        let shown = piped
            .as_ref()
            .and_then(|piped| piping::filled(self.schema, piped));
        for field in shown.as_ref().unwrap_or(self.schema).answer_fields() {
            let name = field.name.as_str();
            if settled.hidden.contains(name) || is_disabled(field) {
                continue;
            }
            if field.is_repeat() {
                let rows = Rows {
                    group: field,
                    settled: &settled,
                    input,
                    piped: piped.as_ref().filter(|_| shown.is_some()),
                    required: &required,
                    emails: &emails,
                };
                let value = self.rows(&rows, &mut report, &mut data.files);
                data.answers
                    .0
                    .extend(value.map(|value| (field.name.clone(), value)));
                continue;
            }
            let mut check = Check {
                field,
                shape: field.shape(),
                required: field.required || required.contains(name),
                is_email: emails.contains(name),
                has_filled_pipes: shown.is_some(),
                calculated: settled.calculated.get(name),
                input,
                report: &mut report,
                files: &mut data.files,
            };
            if let Some(value) = check.answer() {
                data.answers.0.push((field.name.clone(), value));
            }
        }
        (data, report.faults)
    }
}

/// Checks one field without the others, as if it were not required. Returns its value, and whether it has faults.
pub fn checked_alone(
    field: &Field,
    input: &Input,
    messages: &Map<String, Value>,
) -> (Option<Value>, bool) {
    checked(field, input, None, messages)
}

fn checked(
    field: &Field,
    input: &Input,
    calculated: Option<&Calculated>,
    messages: &Map<String, Value>,
) -> (Option<Value>, bool) {
    let (value, faults) = alone(field, input, calculated, messages, |check| check.answer());
    (value, !faults.is_empty())
}

/// Runs a check of one field, as [`checked_alone`] does. Returns the check's result and the faults.
fn alone<T>(
    field: &Field,
    input: &Input,
    calculated: Option<&Calculated>,
    messages: &Map<String, Value>,
    run: impl FnOnce(&mut Check<'_, '_>) -> T,
) -> (T, Vec<AnswerFault>) {
    let mut report = Report {
        messages,
        faults: Vec::new(),
        row: None,
    };
    let result = run(&mut Check {
        field,
        shape: field.shape(),
        required: false,
        is_email: false,
        has_filled_pipes: false,
        calculated,
        input,
        report: &mut report,
        files: &mut Vec::new(),
    });
    (result, report.faults)
}

/// The check of one field.
struct Check<'c, 'r> {
    field: &'c Field,
    shape: AnswerShape,
    required: bool,
    is_email: bool,
    /// Whether answers have replaced the pipes in the field's texts. Then a consent's label contains no links.
    has_filled_pipes: bool,
    /// The results of the field's expressions.
    calculated: Option<&'c Calculated>,
    input: &'c Input,
    report: &'c mut Report<'r>,
    files: &'c mut Vec<usize>,
}

impl Check<'_, '_> {
    /// Validates the answer, and returns the value to store; `None` if nothing was sent, or the field stores nothing.
    fn answer(&mut self) -> Option<Value> {
        if let Some(value) = self.calculated.and_then(|results| results.value.as_deref()) {
            return Some(self.calculation(value));
        }
        match self.shape {
            AnswerShape::Choice if self.field.is_switch() => self.switch(),
            AnswerShape::Choice if self.field.is_ranking() => self.ranking(),
            AnswerShape::Choice if self.field.is_multiple() => self.choices(),
            AnswerShape::Choice => self.choice(),
            AnswerShape::Files => self.uploads(),
            AnswerShape::Parts => self.parts(),
            AnswerShape::Consent => self.consent(),
            AnswerShape::Button => self.pressed(),
            _ if self.field.is_multiple() => self.inputs(),
            _ if self.field.is_date_in_parts() => self.date_in_parts(),
            _ => self.input(),
        }
    }

    /// Validates the answer of a field with one input.
    fn input(&mut self) -> Option<Value> {
        if self.has_list() {
            return None;
        }
        let sent = visible_values(self.input, self.field);
        let sent = sent.map(|texts| texts.last().copied().unwrap_or_default());
        let value = self.check_input(sent.unwrap_or_default());
        let again = self.input.part(REPEATED, &self.field.name);
        if let Some(again) = again.filter(|_| self.field.repeat_label().is_some())
            && again.trim() != sent.unwrap_or_default().trim()
        {
            self.fault(AnswerCode::NotRepeated);
        }
        self.require_unless(value.is_some());
        sent.map(|_| value.unwrap_or_else(|| self.empty()))
    }

    /// Reports a JSON list of several answers to a field with one answer. Otherwise all but one would be lost.
    fn has_list(&mut self) -> bool {
        let has_list = self.input.has_list(&self.field.name);
        let code = match self.shape {
            AnswerShape::Number | AnswerShape::Points => AnswerCode::InvalidNumber,
            AnswerShape::Email => AnswerCode::InvalidEmail,
            AnswerShape::Url => AnswerCode::InvalidUrl,
            _ if self.field.is_moment() => AnswerCode::InvalidDate,
            _ => AnswerCode::TooLarge,
        };
        if has_list {
            self.fault_within(code, &Bounds::new(None, Some(1)));
        }
        has_list
    }

    /// The stored value of an empty input.
    fn empty(&self) -> Value {
        match self.shape {
            AnswerShape::Number | AnswerShape::Points => Value::Null,
            _ => Value::from(""),
        }
    }

    /// Validates the answers of a field with several inputs. If at least one input is filled in, empty inputs keep
    /// their places, so that parallel lists (`name[]`, `qty[]`) have equal lengths.
    fn inputs(&mut self) -> Option<Value> {
        use AnswerShape::{Line, Lines, Verbatim};
        // The value of a hidden control counts as one of several texts, but not as one of several numbers or addresses.
        let sent = match self.field.kind.facts().shape {
            Line | Lines | Verbatim => {
                let all = self.input.all(&self.field.name);
                all.map(|all| all.iter().map(String::as_str).collect())
            }
            _ => visible_values(self.input, self.field),
        };
        let texts = sent.iter().flatten();
        let mut is_filled = false;
        let mut values: Vec<Value> = texts
            .flat_map(|text| {
                let is_empty = text.trim().is_empty();
                split_values(self.field, text)
                    .filter(move |value| is_empty || !value.trim().is_empty())
            })
            .map(|text| {
                let value = self.check_input(text);
                is_filled |= value.is_some();
                value.unwrap_or_else(|| self.empty())
            })
            .collect();
        if !is_filled {
            values.clear();
        }
        self.require_unless(is_filled);
        if values.len() > MAX_VALUES {
            self.fault_within(AnswerCode::TooLarge, &Bounds::new(None, Some(MAX_VALUES)));
        }
        sent.map(|_| Value::Array(values))
    }

    /// Validates one input, and returns its value; `None` if the input is empty. Callers ignore the value if there
    /// are faults.
    fn check_input(&mut self, sent: &str) -> Option<Value> {
        let value = match self.shape {
            AnswerShape::Number | AnswerShape::Points => self.number(sent),
            AnswerShape::Color => self.color(sent),
            _ if self.field.is_moment() => self.moment(sent),
            _ => self.text(sent),
        };
        if let Some(results) = self.calculated.filter(|_| value.is_some()) {
            self.check_calculated_bounds(sent, results);
        }
        value
    }

    fn fault(&mut self, code: AnswerCode) {
        self.fault_within(code, &Bounds::default());
    }

    fn fault_within(&mut self, code: AnswerCode, bounds: &Bounds) {
        self.report.add(self.field, None, code, bounds);
    }

    /// Reports a required field without an answer.
    fn require_unless(&mut self, answered: bool) {
        if self.required && !answered {
            self.fault(AnswerCode::RequiredFieldMissing);
        }
    }

    /// Reports texts that do not match the field's pattern. A pattern that does not compile is ignored, as in
    /// browsers; clients cannot save such a pattern.
    fn check_pattern<'t>(&mut self, texts: impl IntoIterator<Item = &'t str>) {
        let pattern = self.field.validation.pattern.as_deref();
        if let Some(pattern) = pattern.and_then(|pattern| Pattern::of(pattern).ok())
            && !texts.into_iter().all(|text| pattern.matches(text))
        {
            self.fault(AnswerCode::InvalidPattern);
        }
    }

    /// Whether a count is below `validation.min`, and whether it is above `validation.max`.
    fn outside(&self, count: f64) -> (bool, bool) {
        let (min, max) = self.field.bounds();
        (
            min.is_some_and(|min| count < min),
            max.is_some_and(|max| count > max),
        )
    }

    /// The bounds of `validation`, for the placeholders in messages.
    fn bounds(&self) -> Bounds {
        let validation = &self.field.validation;
        Bounds::new(validation.min.as_ref(), validation.max.as_ref())
    }

    /// Reports values that are too small or too large.
    fn check_outside(&mut self, (is_small, is_large): (bool, bool), bounds: &Bounds) {
        if is_small {
            self.fault_within(AnswerCode::TooSmall, bounds);
        }
        if is_large {
            self.fault_within(AnswerCode::TooLarge, bounds);
        }
    }

    /// Reports too few or too many choices.
    fn check_count(&mut self, count: usize) {
        #[expect(clippy::cast_precision_loss, reason = "a count of what was sent")]
        let outside = self.outside(count as f64);
        self.check_outside(outside, &self.bounds());
    }
}
