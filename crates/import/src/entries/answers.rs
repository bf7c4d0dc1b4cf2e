//! Collects the answers of one submission while a reader reads its document.

use model::FieldType;
use serde_json::{Map, Value};

use super::document_parts::word;
use super::form::{Field, Form};
use super::links::Links;
use super::taker::{Style, answer, part_of};
use crate::values::{is_set, put};

/// The answers of one submission that were read so far.
pub struct Answers<'s> {
    pub form: &'s Form,
    pub taken: Map<String, Value>,
    pub links: Links,
    /// The answers without a field, by their original names.
    pub unknown: Vec<String>,
    /// The formats of dates, numbers and lists in the document.
    pub style: Style,
}

impl Answers<'_> {
    /// Adds the answer of a field.
    pub fn take(&mut self, field: &Field, value: &Value) {
        if field.kind == FieldType::File {
            self.links.add(&field.name, value);
            return;
        }
        let made = match value {
            Value::Array(items) if field.is_list => {
                let items = items.iter().filter_map(word);
                Value::from_iter(items.map(|item| field.choice(&item).unwrap_or(&item).to_owned()))
            }
            Value::Array(items) => match items.as_slice() {
                [] => return,
                [one] => return self.take(field, &one.clone()),
                several => Value::from_iter(several.iter().filter_map(word)),
            },
            Value::Object(parts) if matches!(field.kind, FieldType::Name | FieldType::Address) => {
                let mut made = Map::new();
                for (part, value) in parts {
                    if let (Some(part), Some(value)) = (part_of(part), value.as_str()) {
                        put(&mut made, part, value.into());
                    }
                }
                Value::Object(made)
            }
            Value::Object(parts) => {
                let whole = ["full", "other", "datetime"]
                    .into_iter()
                    .find_map(|name| parts.get(name));
                let moment = ["year", "month", "day"]
                    .map(|name| parts.get(name).and_then(Value::as_str).unwrap_or_default());
                match whole {
                    Some(whole) => return self.take(field, &whole.clone()),
                    None => Value::from(moment.join("-")),
                }
            }
            Value::Bool(on) if field.kind == FieldType::Consent => Value::Bool(*on),
            Value::Bool(on) => Value::from(if *on { "yes" } else { "no" }),
            _ => match word(value) {
                Some(text) if !text.is_empty() => answer(field, &text, &self.style).0,
                Some(text) if field.kind == FieldType::Hidden => text.into(),
                _ => return,
            },
        };
        put(&mut self.taken, &field.name, made);
    }

    /// Keeps an answer without a field under `kept_name`; the report lists it as `name`.
    pub fn keep(&mut self, name: &str, kept_name: &str, value: &Value) {
        if !is_set(value) {
            return;
        }
        self.unknown.push(name.to_owned());
        put(&mut self.taken, kept_name, value.clone());
    }
}
