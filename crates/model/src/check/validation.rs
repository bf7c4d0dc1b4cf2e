//! Reading the `validation` of a field.

use serde_json::{Number, Value};

use super::super::fault::{At, FaultCode, Faults};
use super::super::field::{FieldType, Validation};
use crate::logic::number::json_number;
use crate::logic::pattern::{MAX_PATTERN_CHARS, Pattern};

/// The most points of a rating.
pub(super) const MAX_RATING: u64 = 100;

pub(super) fn read_validation(
    value: &Value,
    kind: FieldType,
    at: &At<'_>,
    faults: &mut Faults,
) -> Validation {
    let mut validation = Validation::default();
    let Some(members) = faults.object(value, at) else {
        return validation;
    };
    for (member, value) in members.iter().filter(|(_, value)| !value.is_null()) {
        let at = at.member(member);
        match member.as_str() {
            "min" => validation.min = read_bound(value, kind, &at, faults),
            "max" => validation.max = read_bound(value, kind, &at, faults),
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

/// Notes a least value above the greatest.
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

/// A bound: any number for a number or range, else a count (of characters, choices, bytes,
/// points).
pub(super) fn read_bound(
    value: &Value,
    kind: FieldType,
    at: &At<'_>,
    faults: &mut Faults,
) -> Option<Number> {
    let Some(number) = value.as_f64() else {
        faults.add(at, FaultCode::InvalidType, "This must be a number.");
        return None;
    };
    match kind {
        FieldType::Number | FieldType::Range => {
            // Integers beyond 2^53 keep their digits.
            let exact = value.as_number().filter(|number| number.is_i64());
            exact.cloned().or_else(|| json_number(number))
        }
        FieldType::Rating => {
            let whole = json_number(number).map_or(Value::Null, Value::Number);
            let points = faults.count(&whole, at, MAX_RATING)?;
            if points == 0 {
                faults.add(at, FaultCode::OutOfBounds, "This must be at least 1.");
            }
            Some(Number::from(points))
        }
        _ => {
            let whole = json_number(number).map_or(Value::Null, Value::Number);
            faults
                .count(&whole, at, u64::from(u32::MAX))
                .map(Number::from)
        }
    }
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
