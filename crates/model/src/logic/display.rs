//! Writes answers for people, in mails, lists and exports.

use serde_json::{Map, Value};

use super::calc::format::written;
use super::localized::localized;
use crate::field_kinds::AnswerShape;
use crate::messages::word;
use crate::{Field, FieldType};

/// The answer of a field as text: options by their labels, other answers as [`readable`] returns them.
pub fn shown(field: Option<&Field>, value: &Value) -> String {
    let field = field.filter(|field| has_labels(field));
    let labelled = field.and_then(|field| labels_of(field, value));
    labelled.unwrap_or_else(|| readable(value))
}

/// A calculated value in the field's format, or a number with the field's unit; `None` for other answers.
pub fn calculated_text(field: &Field, value: &Value, texts: &Map<String, Value>) -> Option<String> {
    match value {
        Value::Number(number) => {
            let number = number.to_string();
            let in_format = written(field, &number, texts);
            in_format
                .or_else(|| Some([&localized(&number, texts), "\u{a0}", field.unit()?].concat()))
        }
        Value::String(text) => written(field, text, texts),
        _ => None,
    }
}

/// An answer as visitors see it: options by their labels, numbers and days in the language of `texts`.
pub fn answer_text(field: &Field, value: &Value, texts: &Map<String, Value>) -> String {
    let is_date = matches!(field.shape(), AnswerShape::Date | AnswerShape::DateTime);
    let yes_or_no = |on: bool| {
        let key = if on { "yes" } else { "no" };
        let text = texts.get(key).and_then(Value::as_str);
        text.unwrap_or_else(|| word(key)).to_owned()
    };
    if let Some(text) = calculated_text(field, value, texts) {
        return text;
    }
    match value {
        Value::String(text) if is_date => localized(text, texts),
        Value::String(text) => field.option_label(text).unwrap_or(text).to_owned(),
        Value::Number(number) => localized(&number.to_string(), texts),
        Value::Array(list) => {
            let members = list.iter().map(|member| answer_text(field, member, texts));
            listed(members.collect())
        }
        Value::Bool(on) => yes_or_no(*on),
        Value::Object(parts) if parts.contains_key("accepted") => {
            yes_or_no(parts.get("accepted") == Some(&Value::Bool(true)))
        }
        other => readable(other),
    }
}

/// The labels of the options that an answer chose, joined by `, `; other texts stay. `None` for an answer that is not
/// a text, a number or a list of these.
fn labels_of(field: &Field, value: &Value) -> Option<String> {
    let label = |text: &str| field.option_label(text).unwrap_or(text).to_owned();
    match value {
        Value::String(text) => Some(label(text)),
        Value::Number(number) => Some(label(&number.to_string())),
        Value::Array(members) => {
            let label = |member| labels_of(field, member).unwrap_or_else(|| readable(member));
            Some(listed(members.iter().map(label).collect()))
        }
        _ => None,
    }
}

/// Whether answers to a field may have labels: it has options, or is a button.
fn has_labels(field: &Field) -> bool {
    !field.options.is_empty() || field.kind.is_button()
}

/// The labels of the options that an answer to a field of choices chose, or of the button that was pressed; `None` for
/// other fields and without an answer.
pub fn chosen_labels(field: &Field, value: &Value) -> Option<String> {
    let has_choices = field.kind.has_choices() || field.kind.is_button();
    let labels = labels_of(field, value).filter(|_| has_choices && has_labels(field));
    labels.filter(|labels| !labels.is_empty())
}

/// The members of a list as one text, joined by `, `. A dash replaces an empty member before a filled one, so that
/// the members of parallel lists line up.
pub fn listed(mut members: Vec<String>) -> String {
    let filled = members.iter().rposition(|member| !member.is_empty());
    members.truncate(filled.map_or(0, |last| last + 1));
    let members = members.iter().map(|member| match member.as_str() {
        "" => "–",
        member => member,
    });
    members.collect::<Vec<_>>().join(", ")
}

/// A value of a submission's data as text: lists joined by `, `, a name as `first last`, an address as its parts in
/// their usual order, a consent and a switch as `Yes` or `No`.
pub fn readable(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(on) => yes_or_no(*on),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Array(members) if members.iter().any(Value::is_object) => {
            rows_text(members, &|row| {
                row.iter()
                    .map(|(name, value)| (name.clone(), readable(value)))
                    .collect()
            })
        }
        Value::Array(members) => listed(members.iter().map(readable).collect()),
        Value::Object(parts) => readable_parts(parts),
    }
}

/// The titles and texts of a row's answers, in order.
type Cells<'c> = &'c dyn Fn(&Map<String, Value>) -> Vec<(String, String)>;

/// The rows of a repeating group, one a line: `1. who: Ada, menu: fish`. Empty answers are left out.
pub fn rows_text(rows: &[Value], cells: Cells<'_>) -> String {
    let rows = rows.iter().filter_map(Value::as_object).zip(1..);
    let lines = rows.map(|(row, number)| {
        let cells = cells(row).into_iter();
        let cells = cells.filter(|(_, text)| !text.is_empty());
        let cells = cells.map(|(title, text)| format!("{title}: {text}"));
        format!("{number}. {}", cells.collect::<Vec<_>>().join(", "))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The part of a value with a key: an object's member, with its name in any case, or a list's item, counted from 0.
pub fn part_of<'v>(value: &'v Value, key: &str) -> Option<&'v Value> {
    match value {
        Value::Object(parts) => parts.get(key).or_else(|| {
            let mut parts = parts.iter();
            parts
                .find(|(name, _)| name.eq_ignore_ascii_case(key))
                .map(|(_, part)| part)
        }),
        Value::Array(members) => members.get(key.parse::<usize>().ok()?),
        _ => None,
    }
}

fn readable_parts(parts: &Map<String, Value>) -> String {
    if let Some(Value::Bool(accepted)) = parts.get("accepted") {
        return yes_or_no(*accepted);
    }
    for kind in FieldType::ALL {
        let known = kind.parts();
        let is_known = |name: &String| known.iter().any(|part| part.name == name);
        if !parts.is_empty() && parts.keys().all(is_known) {
            let values = known.iter().filter_map(|part| parts.get(part.name));
            return joined(values, kind.facts().separator);
        }
    }
    let members: Vec<String> = parts
        .iter()
        .map(|(name, value)| format!("{name}: {}", readable(value)))
        .collect();
    members.join(", ")
}

fn joined<'v>(values: impl Iterator<Item = &'v Value>, separator: &str) -> String {
    let texts = values.map(readable).filter(|text| !text.is_empty());
    texts.collect::<Vec<_>>().join(separator)
}

fn yes_or_no(on: bool) -> String {
    if on { "Yes" } else { "No" }.to_owned()
}
