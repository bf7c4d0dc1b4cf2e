//! Reads entries, the stored submissions of Gravity Forms. Every field in Gravity Forms has a field number. An entry
//! stores an answer under the field number: `"5": "Yes"` is the answer to the field with the number 5. If an answer has
//! parts, each part has a key of its own: the field number, a point and the part's number. For example, `1.3` is part 3
//! of the answer to the field with the number 1. The field numbers have gaps and no order, so they do not show a
//! field's position.
//!
//! The reader finds the field for a field number by the caller's mapping, by the ids that were stored when the form was
//! imported, or by the field name `field_{number}`. For a form without stored ids, the reader also infers the field
//! from the values in the entries.

use model::FieldType;
use serde_json::{Map, Value};

use super::answers::Answers;
use super::document_parts::{listed, word};
use super::form::{Field, Form};
use super::moments::{Order, day, time};
use crate::values::{Places, counterpart, entries, is_set, member, put, text};

/// The maximum number of entries that are compared to infer the field for each field number.
const MAX_COMPARED: usize = 200;

/// The maximum number of field numbers that are read from an entry.
const MAX_NUMBERS: usize = 1_000;

/// The values that an entry has for one field number, each with the number of its part. The part's number is empty for
/// an answer without parts.
type Parts<'e> = Vec<(&'e str, &'e Value)>;

/// Groups the values of an entry by field number.
fn numbered(entry: &Value) -> Vec<(&str, Parts<'_>)> {
    let mut places = Places::default();
    let mut found: Vec<(&str, Parts<'_>)> = Vec::new();
    for (name, value) in entries(entry) {
        let (number, part) = name.split_once('.').unwrap_or((name, ""));
        if number.is_empty() || number.bytes().any(|byte| !byte.is_ascii_digit()) {
            continue;
        }
        if let Some((_, parts)) = places.get(number).and_then(|at| found.get_mut(at)) {
            parts.push((part, value));
        } else if found.len() < MAX_NUMBERS {
            places.put(number, found.len());
            found.push((number, vec![(part, value)]));
        }
    }
    found
}

/// Finds the field for a field number.
pub struct Numbers<'s> {
    /// The names of fields, keyed by field number, from the caller's mapping.
    mapped: &'s Value,
    /// The indexes of the inferred fields, keyed by field number. Empty if the form has stored ids.
    found: Places,
}

impl<'s> Numbers<'s> {
    /// Reads the caller's mapping. If the form has no stored ids, also infers fields from the entries.
    pub fn of(form: &Form, mapping: &'s Value, all: &[&Value]) -> Numbers<'s> {
        let found = if form.has_ids() {
            Places::default()
        } else {
            only_takers(form, all)
        };
        let mapped = member(mapping, "columns");
        Numbers { mapped, found }
    }

    fn field<'f>(&self, form: &'f Form, number: &str) -> Option<&'f Field> {
        let named = ["field_", number].concat();
        let mapped = form.named(text(self.mapped, number));
        let known = mapped
            .or_else(|| form.of_id(number))
            .or_else(|| form.named(&named));
        known.or_else(|| form.fields.get(self.found.get(number)?))
    }
}

/// Infers the field for each field number. Returns the indexes of the inferred fields, keyed by field number.
///
/// At first, the candidates for a field number are all fields that accept the values of this field number in every
/// compared entry. If a field number has only one candidate, the candidate is the field for this field number. An
/// inferred field is no candidate for other field numbers.
fn only_takers(form: &Form, all: &[&Value]) -> Places {
    let mut places = Places::default();
    let mut takers: Vec<(String, Vec<usize>)> = Vec::new();
    for entry in all.iter().take(MAX_COMPARED) {
        for (number, parts) in numbered(entry) {
            let at = places.get(number).unwrap_or_else(|| {
                places.put(number, takers.len());
                takers.push((number.to_owned(), (0..form.fields.len()).collect()));
                takers.len() - 1
            });
            if let Some((_, takers)) = takers.get_mut(at) {
                takers.retain(|at| {
                    form.fields
                        .get(*at)
                        .is_some_and(|field| takes(field, &parts))
                });
            }
        }
    }
    let mut found = Places::default();
    // If several field numbers have the same field as their only candidate, the field is inferred for none of them.
    loop {
        let lone = |takers: &[usize]| <[usize; 1]>::try_from(takers).ok().map(|[one]| one);
        let next = takers
            .iter()
            .find_map(|(number, takers)| Some((number.clone(), lone(takers)?)));
        let Some((number, taker)) = next else {
            return found;
        };
        let rivals = takers
            .iter()
            .filter(|(_, takers)| lone(takers) == Some(taker))
            .count();
        if rivals == 1 {
            found.put(&number, taker);
        }
        for (_, takers) in &mut takers {
            takers.retain(|other| *other != taker);
        }
    }
}

/// Whether a field accepts all values that an entry has for one field number.
fn takes(field: &Field, parts: &Parts<'_>) -> bool {
    let each =
        |fits: &dyn Fn(&str, &Value) -> bool| parts.iter().all(|(part, value)| fits(part, value));
    let is_choice = |value: &Value| {
        !is_set(value) || word(value).is_some_and(|word| field.choice(&word).is_some())
    };
    match field.kind {
        FieldType::Name | FieldType::Address => each(&|part, _| part_of(field, part).is_some()),
        FieldType::Consent => each(&|part, value| match part {
            "1" => !is_set(value) || matches!(value.as_str(), Some("1")),
            part => matches!(part, "2" | "3"),
        }),
        FieldType::Checkbox => each(&|part, value| !part.is_empty() && is_choice(value)),
        FieldType::Select if field.is_list => {
            each(&|part, value| part.is_empty() && list(value).iter().all(is_choice))
        }
        _ => each(&|part, value| part.is_empty() && (!is_set(value) || takes_word(field, value))),
    }
}

/// Whether a field accepts the value of an answer without parts.
fn takes_word(field: &Field, value: &Value) -> bool {
    let Some(word) = word(value) else {
        return false;
    };
    match field.kind {
        FieldType::Email => word.contains('@'),
        FieldType::Date => day(&word, Order::DayFirst).is_some(),
        FieldType::Time => {
            word.contains(':') && time(&word).is_some() && day(&word, Order::DayFirst).is_none()
        }
        FieldType::Number | FieldType::Range | FieldType::Rating => {
            model::logic::number::parse_number(&word).is_some()
        }
        FieldType::Radio | FieldType::Select => field.choice(&word).is_some(),
        FieldType::File => word.starts_with("http") || word.starts_with("[\"http"),
        _ => true,
    }
}

/// The items of an answer that is a list. Older versions of Gravity Forms write the list as JSON text.
fn list(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(items) => items.clone(),
        Value::String(text) if text.starts_with('[') => {
            serde_json::from_str(text).unwrap_or_default()
        }
        other => vec![other.clone()],
    }
}

/// This engine's name for a part of a name or an address. For example, part 3 of a name is `first`.
fn part_of(field: &Field, part: &str) -> Option<&'static str> {
    let kind = if field.kind == FieldType::Name {
        "name."
    } else {
        "address."
    };
    counterpart("gravity_forms.parts", &[kind, part].concat())
}

/// Reads the answers of an entry.
pub fn read(answers: &mut Answers<'_>, entry: &Value, numbers: &Numbers<'_>) {
    for (number, values) in numbered(entry) {
        let Some(field) = numbers.field(answers.form, number) else {
            let name = ["field_", number].concat();
            for (_, value) in values {
                answers.keep(number, &name, &listed(value));
            }
            continue;
        };
        let mut parts = Map::new();
        let mut chosen = Vec::new();
        for (part, value) in values {
            match field.kind {
                FieldType::Name | FieldType::Address if !part.is_empty() => {
                    if let (Some(ours), Some(value)) = (
                        part_of(field, part),
                        value.as_str().filter(|text| !text.is_empty()),
                    ) {
                        put(&mut parts, ours, value.into());
                    }
                }
                FieldType::Consent if part == "1" => {
                    answers.take(field, &Value::Bool(is_set(value)))
                }
                FieldType::Consent => {}
                _ if !part.is_empty() => chosen.extend(Some(value.clone()).filter(is_set)),
                _ if field.is_list && is_set(value) => {
                    answers.take(field, &Value::Array(list(value)))
                }
                _ => answers.take(field, value),
            }
        }
        if !parts.is_empty() {
            put(&mut answers.taken, &field.name, Value::Object(parts));
        }
        if !chosen.is_empty() {
            answers.take(field, &Value::Array(chosen));
        }
    }
}
