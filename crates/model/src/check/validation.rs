//! Reading the `validation` of a field.

use serde_json::{Number, Value};

use super::super::fault::{At, FaultCode, Faults};
use super::super::field::{FieldType, Validation};
use super::super::schema::FormSchema;
use crate::logic::number::json_number;
use crate::logic::pattern::{MAX_PATTERN_CHARS, Pattern};

pub(super) fn read_validation(value: &Value, at: &At<'_>, faults: &mut Faults) -> Validation {
    let mut validation = Validation::default();
    let Some(members) = faults.object(value, at) else {
        return validation;
    };
    for (member, value) in members.iter().filter(|(_, value)| !value.is_null()) {
        let at = at.member(member);
        match member.as_str() {
            "min" => validation.min = read_bound(value, &at, faults),
            "max" => validation.max = read_bound(value, &at, faults),
            "pattern" => validation.pattern = read_pattern(value, &at, faults),
            _ => faults.add(
                &at,
                FaultCode::AdditionalProperty,
                "Only min, max and pattern are known here.",
            ),
        }
    }
    validation
}

/// Notes a least value above the greatest: no answer would fit.
pub(super) fn check_order(validation: &Validation, at: &At<'_>, faults: &mut Faults) {
    let bound = |number: &Option<Number>| number.as_ref().and_then(Number::as_f64);
    if let (Some(min), Some(max)) = (bound(&validation.min), bound(&validation.max))
        && min > max
    {
        faults.add(
            &at.member("min"),
            FaultCode::OutOfBounds,
            "This may not be more than `max`.",
        );
    }
}

/// A bound: any number. Integers beyond 2^53 keep their digits.
pub(super) fn read_bound(value: &Value, at: &At<'_>, faults: &mut Faults) -> Option<Number> {
    let exact = value.as_number().filter(|number| number.is_i64());
    let number = exact.cloned().or_else(|| json_number(value.as_f64()?));
    if number.is_none() {
        faults.add(at, FaultCode::InvalidType, "This must be a number.");
    }
    number
}

/// What a schema's validations ask for that nothing checks, each in a few words of ASCII: it is stored,
/// and told to whoever stores it.
pub fn unchecked(schema: &FormSchema) -> Vec<String> {
    let unchecked = schema.fields.iter().flat_map(|field| {
        let Validation { min, max, pattern } = &field.validation;
        let bounds = [("min", min.is_some()), ("max", max.is_some())];
        let pattern = [("pattern", pattern.is_some())];
        let of_moment = matches!(
            field.kind,
            FieldType::Date | FieldType::Time | FieldType::DatetimeLocal
        ) || field.kind == FieldType::Text
            && matches!(
                field.attributes.get("type").map(String::as_str),
                Some("month" | "week")
            );
        let is_composite = matches!(
            field.kind,
            FieldType::Name | FieldType::Address | FieldType::Consent
        );
        let is_switch = field.kind == FieldType::Checkbox && field.options.is_empty();
        let (idle_bounds, idle_pattern) =
            if !field.kind.captures_value() || is_composite || is_switch {
                (true, true)
            } else {
                (of_moment, false)
            };
        let idle = bounds.into_iter().filter(move |_| idle_bounds);
        let idle = idle.chain(pattern.into_iter().filter(move |_| idle_pattern));
        let unchecked: Vec<String> = idle
            .filter(|(_, given)| *given)
            .map(|(member, _)| {
                let kind = field.kind.as_str();
                let name = field.name.escape_default();
                let why = if of_moment {
                    "; its bounds are attributes.min and attributes.max"
                } else {
                    ""
                };
                format!("validation.{member} means nothing for the {kind} \"{name}\"{why}")
            })
            .collect();
        unchecked
    });
    unchecked.collect()
}

/// A pattern that compiles. An empty one asks for nothing and is left out.
fn read_pattern(value: &Value, at: &At<'_>, faults: &mut Faults) -> Option<String> {
    let pattern = faults.text(value, at, MAX_PATTERN_CHARS)?;
    if pattern.is_empty() {
        return None;
    }
    if let Err(error) = Pattern::of(&pattern) {
        faults.add(at, FaultCode::InvalidPattern, sentence(&error.to_string()));
        return None;
    }
    Some(pattern)
}

/// An error's text as a sentence.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).chain(['.']).collect()
}
