//! Reads the `validation` of a field.

use serde_json::Number;

use super::super::fault::{At, FaultCode, Faults};
use super::super::field::{Field, Validation};
use super::super::given::Given;
use super::super::schema::FormSchema;
use crate::logic::number::json_number;
use crate::logic::pattern::{MAX_PATTERN_CHARS, Pattern};

pub(super) fn read_validation(given: &Given<'_>) -> Validation {
    let validation = Validation {
        min: given.member("min").and_then(|member| read_bound(&member)),
        max: given.member("max").and_then(|member| read_bound(&member)),
        pattern: given
            .member("pattern")
            .and_then(|member| read_pattern(&member)),
    };
    given.reject_unknown(&["min", "max", "pattern"]);
    validation
}

/// Reports a minimum above the maximum, which no answer could satisfy.
pub(super) fn check_order(validation: &Validation, at: &At<'_>, faults: &Faults) {
    if let (Some(min), Some(max)) = validation.bounds()
        && min > max
    {
        let message = "The minimum can’t be greater than the maximum.";
        faults.add(&at.member("min"), FaultCode::OutOfBounds, message);
    }
}

/// Reads a bound, which may be any number. Integers beyond 2^53 keep all digits.
fn read_bound(given: &Given<'_>) -> Option<Number> {
    let exact = given.value.as_number().filter(|number| number.is_i64());
    let number = exact
        .cloned()
        .or_else(|| json_number(given.value.as_f64()?));
    given.found(number, FaultCode::InvalidType, "This must be a number.")
}

/// Warnings about constraints of a schema that are stored but never enforced. Each is a short ASCII text for the
/// client that saves the schema.
pub fn unchecked(schema: &FormSchema) -> Vec<String> {
    schema.fields.iter().flat_map(unchecked_of).collect()
}

fn unchecked_of(field: &Field) -> Vec<String> {
    let kind = field.kind;
    let is_composite = !kind.members().is_empty();
    let is_checked = kind.captures_value() && !is_composite && !field.is_switch();
    let has_idle_bounds = !(is_checked || field.is_repeat()) || field.is_moment();
    let Validation { min, max, pattern } = &field.validation;
    let idle = [
        ("min", min.is_some() && has_idle_bounds),
        ("max", max.is_some() && has_idle_bounds),
        ("pattern", pattern.is_some() && !is_checked),
    ];
    let why = if field.is_moment() {
        "; its bounds are attributes.min and attributes.max"
    } else {
        ""
    };
    let name = field.name.escape_default();
    let kind = kind.as_str();
    let idle = idle.into_iter().filter(|(_, is_idle)| *is_idle);
    let idle = idle.map(|(member, _)| {
        format!("validation.{member} has no effect on the {kind} \"{name}\"{why}")
    });
    idle.chain(super::calculations::idle(field)).collect()
}

/// Reads a pattern, which must compile. An empty pattern is dropped, as it accepts everything.
fn read_pattern(given: &Given<'_>) -> Option<String> {
    let pattern = given.text(MAX_PATTERN_CHARS)?;
    if let Err(error) = Pattern::of(&pattern) {
        given.fault(FaultCode::InvalidPattern, sentence(&error));
    }
    Some(pattern).filter(|pattern| !pattern.is_empty())
}

/// Makes an error's text a sentence, with a capital and a full stop.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).chain(['.']).collect()
}
