//! Finds fields of the target form by other products' names, and converts answers for them.

use model::FieldType;
use serde_json::{Map, Value, json};

use super::form::{Field, Form};
use super::moments::{Order, day, time};
use crate::forms::maps;
use crate::values::put;

/// The formats of texts in a file.
#[derive(Clone, Debug)]
pub struct Style {
    pub order: Order,
    pub is_decimal_comma: bool,
    /// The separator of list items.
    pub lists: String,
    pub yes: Vec<String>,
    pub no: Vec<String>,
}

impl Default for Style {
    fn default() -> Style {
        Style {
            order: Order::DayFirst,
            is_decimal_comma: false,
            lists: String::new(),
            yes: Vec::new(),
            no: Vec::new(),
        }
    }
}

/// The target of a column: a field, a part of a field, or a choice.
#[derive(Clone, Debug, PartialEq)]
pub struct Place<'f> {
    pub field: &'f Field,
    /// This engine's name for the part of a name or an address; empty for a whole answer.
    pub part: &'static str,
    /// Whether the column represents one choice.
    pub is_choice: bool,
    /// Whether the column has a fact about the field instead of an answer, such as the text of a consent.
    pub is_aside: bool,
}

impl<'f> Place<'f> {
    /// The target for whole answers of a field.
    pub fn of(field: &'f Field) -> Place<'f> {
        Place {
            field,
            part: "",
            is_choice: false,
            is_aside: false,
        }
    }
}

/// Finds the target of a column by its heading: a field's label, optionally followed by a part, choice, file or row.
pub fn place_of<'s>(form: &'s Form, heading: &str) -> Option<Place<'s>> {
    let heading = heading.trim();
    if let Some(field) = form.find(heading) {
        return Some(Place::of(field));
    }
    let bracketed = |open: char, close: char| {
        let (base, inner) = heading.strip_suffix(close)?.rsplit_once(open)?;
        Some((base.trim(), inner.trim()))
    };
    let split = bracketed('(', ')')
        .or_else(|| heading.split_once(": "))
        .or_else(|| bracketed('[', ']'));
    let (base, inner) = split?;
    let Some(field) = form.find(base) else {
        return form.row(base, inner).map(Place::of);
    };
    let part = if field.is_composite() {
        part_of(inner).unwrap_or_default()
    } else {
        ""
    };
    let is_aside = field.is_composite() && part.is_empty()
        || field.kind == FieldType::Consent && !matches!(inner, "Consent");
    Some(Place {
        field,
        part,
        is_choice: field.is_list,
        is_aside,
    })
}

/// This engine's name for a part of a name or an address, from another product's name.
pub fn part_of(word: &str) -> Option<&'static str> {
    let lower = word.trim().to_ascii_lowercase();
    Some(match lower.as_str() {
        "street address" | "address line 1" => "street",
        "address line 2" => "street2",
        "state / province" | "state / province / region" | "region" => "state",
        "zip / postal code" | "zip/postal code" | "zip code" | "postal code" | "postcode" => {
            "postal_code"
        }
        "first name" => "first",
        "last name" => "last",
        other => return maps::kind("parts", other),
    })
}

/// Splits a text into the items of a list. The longest matching choice wins, because choices may contain the separator.
fn items(field: &Field, text: &str, separator: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let known = field
            .options
            .iter()
            .flat_map(|(value, label)| [label.as_str(), value.as_str()]);
        let fits = |name: &&str| {
            let after = rest.strip_prefix(name);
            !name.is_empty()
                && after.is_some_and(|after| {
                    after.is_empty() || after.starts_with(separator.trim_end())
                })
        };
        let longest = known.filter(fits).max_by_key(|name| name.len());
        let item = match longest {
            Some(item) => item,
            None => rest.split(separator).next().unwrap_or(rest),
        };
        found.push(field.choice(item).unwrap_or(item.trim()).to_owned());
        rest = rest.strip_prefix(item).unwrap_or_default().trim_start();
        rest = rest
            .strip_prefix(separator.trim())
            .unwrap_or(rest)
            .trim_start();
        if found.len() > 1_000 {
            break;
        }
    }
    found
}

/// Converts a text to an answer; also returns whether the field accepts it. A text that cannot be converted stays
/// unchanged.
pub fn answer(field: &Field, text: &str, style: &Style) -> (Value, bool) {
    let text = text.trim();
    let kept = || (Value::from(text), false);
    let is_word = |words: &[String]| words.iter().any(|word| word.eq_ignore_ascii_case(text));
    match field.kind {
        FieldType::Number | FieldType::Range => match number(text, style) {
            Some(number) => (number, true),
            None => kept(),
        },
        FieldType::Rating => match number(text, style) {
            Some(number) => {
                let is_in = number.as_f64() <= field.most.or(Some(f64::MAX));
                (number, is_in)
            }
            None => kept(),
        },
        FieldType::Date => day(text, style.order).map_or_else(kept, |day| (day.into(), true)),
        FieldType::Time => time(text).map_or_else(kept, |time| (time.into(), true)),
        FieldType::Consent => {
            if style.yes.is_empty() {
                let is_no = matches!(
                    text.to_ascii_lowercase().as_str(),
                    "no" | "false" | "0" | "unchecked" | "nein" | "non"
                );
                (Value::Bool(!is_no && !is_word(&style.no)), true)
            } else if is_word(&style.yes) {
                (Value::Bool(true), true)
            } else if is_word(&style.no) {
                (Value::Bool(false), true)
            } else {
                kept()
            }
        }
        FieldType::Email => (Value::from(text), text.contains('@')),
        _ if field.is_list => {
            let separator = if style.lists.is_empty() {
                ", "
            } else {
                &style.lists
            };
            let items = items(field, text, separator);
            let are_known =
                items.iter().all(|item| field.choice(item).is_some()) || field.has_other;
            (json!(items), are_known)
        }
        FieldType::Radio | FieldType::Select => {
            let known = field.choice(text);
            let is_known = known.is_some() || field.has_other;
            (Value::from(known.unwrap_or(text)), is_known)
        }
        FieldType::Name => (Value::Object(name_parts(text)), true),
        _ => (Value::from(text), true),
    }
}

/// Splits a whole name into first and last name.
fn name_parts(text: &str) -> Map<String, Value> {
    let (first, last) = text.split_once(' ').unwrap_or((text, ""));
    let mut parts = Map::new();
    put(&mut parts, "first", first.into());
    if !last.is_empty() {
        put(&mut parts, "last", last.trim().into());
    }
    parts
}

fn number(text: &str, style: &Style) -> Option<Value> {
    let plain = if style.is_decimal_comma {
        text.replace(['.', ' '], "").replace(',', ".")
    } else {
        text.replace([',', ' '], "")
    };
    let number = model::logic::number::parse_number(&plain)?;
    Some(crate::forms::item::number_value(number))
}
