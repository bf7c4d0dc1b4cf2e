//! The meaning of each operator (contract, section 3).
//!
//! An answer is a list of texts; an empty answer has no texts. White space at the ends of texts and values is
//! ignored. An affirmative operator holds if at least one of the texts satisfies it. `not_equals`, `not_contains`,
//! `not_in`, `is_not_empty` and `not_checked` hold exactly when their counterpart does not.
//!
//! | operator | a text satisfies the operator when |
//! |---|---|
//! | equals, in | the text is the value, or one of the values. Two numbers are compared as numbers. If the value is a boolean, or a text or number for a switch or a consent, only on and off are compared. An empty value equals a missing answer |
//! | contains | the text contains the value. For a field with several choices, one choice equals the value |
//! | starts_with, ends_with | the text starts or ends with the value |
//! | greater_than, less_than, … | text and value are both numbers, or both dates or times, and compare in this way |
//! | before, after | text and value are both dates or times, and the text is before or after. A day is compared with only the day of a day and time |
//! | matches | the pattern matches the whole text |
//! | checked | the text means on: it is none of `0`, `false`, `off` and `no` |

use std::cmp::Ordering;

use serde_json::Value;

use super::answer::{AnswerKind, is_on};
use super::calendar::parse_moment;
use super::number::parse_number;
use super::pattern::Pattern;
use crate::Operator;

/// Whether an operator holds between an answer and a value.
pub fn holds(operator: Operator, texts: &[String], kind: AnswerKind, value: &Value) -> bool {
    let any = |satisfies: &dyn Fn(&str) -> bool| texts.iter().any(|text| satisfies(text));
    let ordered = |wanted: &[Ordering]| {
        any(&|text| size_order(text, value).is_some_and(|order| wanted.contains(&order)))
    };
    match operator {
        Operator::Equals => equals(texts, kind, value),
        Operator::NotEquals => !equals(texts, kind, value),
        Operator::In => equals_one_of(texts, kind, value),
        Operator::NotIn => !equals_one_of(texts, kind, value),
        Operator::Contains => contains(texts, kind, value),
        Operator::NotContains => !contains(texts, kind, value),
        Operator::StartsWith => any(&|text| text.starts_with(&text_of(value))),
        Operator::EndsWith => any(&|text| text.ends_with(&text_of(value))),
        Operator::IsEmpty => texts.is_empty(),
        Operator::IsNotEmpty => !texts.is_empty(),
        Operator::GreaterThan => ordered(&[Ordering::Greater]),
        Operator::LessThan => ordered(&[Ordering::Less]),
        Operator::GreaterOrEqual => ordered(&[Ordering::Greater, Ordering::Equal]),
        Operator::LessOrEqual => ordered(&[Ordering::Less, Ordering::Equal]),
        Operator::Before => any(&|text| time_order(text, value) == Some(Ordering::Less)),
        Operator::After => any(&|text| time_order(text, value) == Some(Ordering::Greater)),
        Operator::Matches => {
            Pattern::of(&text_of(value)).is_ok_and(|pattern| any(&|text| pattern.matches(text)))
        }
        Operator::Checked => is_checked(texts, kind),
        Operator::NotChecked => !is_checked(texts, kind),
    }
}

fn equals(texts: &[String], kind: AnswerKind, value: &Value) -> bool {
    match value {
        Value::Bool(on) => is_checked(texts, kind) == *on,
        Value::String(text) if kind == AnswerKind::Toggle => is_checked(texts, kind) == is_on(text),
        Value::Number(number) if kind == AnswerKind::Toggle => {
            is_checked(texts, kind) == (number.as_f64() != Some(0.0))
        }
        Value::Null => texts.is_empty(),
        Value::String(text) if text.trim().is_empty() => texts.is_empty(),
        Value::String(_) | Value::Number(_) => {
            let expected = text_of(value);
            let number = parse_number(&expected);
            texts
                .iter()
                .any(|text| *text == expected || (number.is_some() && parse_number(text) == number))
        }
        Value::Array(_) => equals_one_of(texts, kind, value),
        Value::Object(_) => false,
    }
}

fn equals_one_of(texts: &[String], kind: AnswerKind, values: &Value) -> bool {
    match values {
        Value::Array(values) => {
            let mut values = values.iter().filter(|value| !value.is_array());
            values.any(|value| equals(texts, kind, value))
        }
        value => equals(texts, kind, value),
    }
}

fn contains(texts: &[String], kind: AnswerKind, value: &Value) -> bool {
    let part = text_of(value);
    texts.iter().any(|text| match kind {
        AnswerKind::Choices => *text == part,
        _ => text.contains(&part),
    })
}

/// Whether an answer is on; a chosen option counts as on even if its value is `no`.
fn is_checked(texts: &[String], kind: AnswerKind) -> bool {
    texts
        .iter()
        .any(|text| kind == AnswerKind::Choices || is_on(text))
}

/// Compares a text with a value, as numbers if both are numbers, or else as moments.
fn size_order(text: &str, value: &Value) -> Option<Ordering> {
    match (parse_number(text), parse_number(&text_of(value))) {
        (Some(number), Some(other)) => number.partial_cmp(&other),
        _ => time_order(text, value),
    }
}

fn time_order(text: &str, value: &Value) -> Option<Ordering> {
    parse_moment(text)?.compare(parse_moment(&text_of(value))?)
}

/// A value as text. Lists and objects, which the API does not store here, become an empty text.
pub(super) fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Bool(on) => on.to_string(),
        _ => String::new(),
    }
}
