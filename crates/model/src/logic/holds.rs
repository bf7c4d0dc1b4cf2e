//! Holds: the values and seats that a submission occupies, so that later submissions cannot take them. A hold is on a
//! value that a form accepts only once, or on seats of an option.

use serde_json::Value;

use super::number::{number_of, parse_number};
use crate::field_kinds::AnswerShape;
use crate::unicode::case::lowercase;
use crate::unicode::domain::ascii_domain;
use crate::{Data, Field, FormSchema};

/// The attribute of a field whose value must be unique among the submissions of the form.
pub const UNIQUE: &str = "data-unique";

/// The attribute with the number of seats of each option, as a JSON object.
pub const SEATS: &str = "data-seats";

/// The attribute with the name of the field whose answer is the number of seats to take.
pub const SEATS_BY: &str = "data-seats-by";

/// The attribute that shows visitors how many seats are left.
pub const SEATS_LEFT: &str = "data-seats-left";

/// The maximum number of seats of an option, and of a single answer.
pub const MAX_SEATS: i64 = 1_000_000_000;

/// A value or seats that one answer occupies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hold {
    /// Whether the hold is on seats of an option; false for a unique value.
    pub is_seat: bool,
    /// The name of the field.
    pub field: String,
    /// The option, or the value in its comparable form.
    pub key: String,
    /// The number of occupied seats; 1 for a value.
    pub count: i64,
    /// The total number of the option's seats, or 1 for a value; `None` without a limit.
    pub limit: Option<i64>,
    /// The row of a repeating group, from 0; `None` outside of rows.
    pub row: Option<usize>,
}

impl Hold {
    /// Whether two holds are on the same value or option.
    pub fn is_same(&self, other: &Hold) -> bool {
        (self.is_seat, &self.field, &self.key) == (other.is_seat, &other.field, &other.key)
    }

    /// The number of free seats, if the hold needs more; `None` if the hold fits. `taken` is the number that other
    /// holds occupy.
    pub fn excess(&self, taken: i64) -> Option<i64> {
        let limit = self.limit?;
        let fits = self.count == 0 || taken.saturating_add(self.count) <= limit;
        (!fits).then_some((limit - taken).max(0))
    }
}

/// Whether an attribute about unique values or seats has an effect on a field.
pub fn takes(field: &Field, attribute: &str) -> bool {
    use AnswerShape::{Button, Consent, Files, None, Parts, Secret};
    match attribute {
        UNIQUE => {
            let shape = field.shape();
            !matches!(shape, None | Button | Consent | Files | Parts | Secret)
                && !field.kind.is_box()
                && !field.is_multiple()
        }
        _ => field.kind.has_choices() && !field.options.is_empty(),
    }
}

impl Field {
    fn limits(&self, attribute: &str) -> bool {
        self.attributes.contains_key(attribute) && takes(self, attribute)
    }

    /// The number of seats of each option with limited seats; `None` for a field without seats, or an invalid table.
    pub fn seats(&self) -> Option<Vec<(String, i64)>> {
        let text = self.attributes.get(SEATS).filter(|_| takes(self, SEATS))?;
        seats_of(text)
    }
}

/// Reads a table of seats: a JSON object of whole numbers from 0.
pub fn seats_of(text: &str) -> Option<Vec<(String, i64)>> {
    let Value::Object(table) = serde_json::from_str(text).ok()? else {
        return None;
    };
    let rows = table.into_iter().map(|(option, seats)| {
        let seats = seats
            .as_i64()
            .filter(|seats| (0..=MAX_SEATS).contains(seats))?;
        Some((option, seats))
    });
    rows.collect()
}

/// Whether submissions of a schema may have holds.
pub fn has_holds(schema: &FormSchema) -> bool {
    let mut fields = schema.fields.iter();
    fields.any(|field| field.limits(UNIQUE) || field.limits(SEATS))
}

/// A text with the parts of a schema that determine holds. When this text changes, the holds of stored submissions
/// are computed again.
pub fn signature(schema: &FormSchema) -> String {
    let fields = schema.fields.iter().filter_map(|field| {
        let (unique, seats) = (field.limits(UNIQUE), field.limits(SEATS));
        let by = field.attributes.get(SEATS_BY).filter(|_| seats);
        (unique || seats).then(|| json!([field.name, field.kind.as_str(), unique, seats, by]))
    });
    Value::from_iter(fields).to_string()
}

/// The holds of answers, in the order of the form.
pub fn holds(schema: &FormSchema, data: &Data) -> Vec<Hold> {
    let mut all = Vec::new();
    for field in schema.all_answer_fields() {
        let kinds = (field.limits(UNIQUE), field.limits(SEATS));
        if kinds == (false, false) {
            continue;
        }
        if let Some(value) = data.get(&field.name) {
            add(field, kinds, value, data.get(by(field)), None, &mut all);
            continue;
        }
        // The rows of a repeating group.
        let rows = field.group.as_deref().and_then(|group| data.get(group));
        for (row, answers) in rows
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .enumerate()
        {
            if let Some(value) = answers.get(&field.name) {
                let party = answers.get(by(field)).or_else(|| data.get(by(field)));
                add(field, kinds, value, party, Some(row), &mut all);
            }
        }
    }
    all
}

/// The name of the field whose answer is the number of seats to take; empty if each answer takes one seat.
fn by(field: &Field) -> &str {
    field.attributes.get(SEATS_BY).map_or("", String::as_str)
}

fn add(
    field: &Field,
    (is_unique, has_seats): (bool, bool),
    value: &Value,
    party: Option<&Value>,
    row: Option<usize>,
    all: &mut Vec<Hold>,
) {
    let hold = |is_seat, key, count, limit| Hold {
        is_seat,
        field: field.name.clone(),
        key,
        count,
        limit,
        row,
    };
    if let Some(key) = unique_key(field, value).filter(|_| is_unique) {
        all.push(hold(false, key, 1, Some(1)));
    }
    if has_seats {
        let table = field.seats().unwrap_or_default();
        let count = if by(field).is_empty() {
            1
        } else {
            whole(party)
        };
        let chosen = match value {
            Value::Array(chosen) => chosen.as_slice(),
            one => std::slice::from_ref(one),
        };
        for option in chosen.iter().filter_map(Value::as_str) {
            if field.options.iter().any(|known| known.value == option) && !option.is_empty() {
                let limit = table.iter().find(|(known, _)| known == option);
                all.push(hold(
                    true,
                    option.to_owned(),
                    count,
                    limit.map(|(_, seats)| *seats),
                ));
            }
        }
    }
}

/// The seats that an answer asks for: a whole number from 0 to [`MAX_SEATS`].
fn whole(answer: Option<&Value>) -> i64 {
    let number = match answer {
        Some(Value::Number(number)) => number.as_f64(),
        Some(Value::String(text)) => parse_number(text.trim()),
        _ => None,
    };
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "the number is within these bounds, which a double holds"
    )]
    let whole = number.unwrap_or_default().clamp(0.0, MAX_SEATS as f64) as i64;
    whole
}

/// The comparable form of a value: a number by its digits, any other text trimmed and in lower case. `None` for a
/// missing answer.
pub fn unique_key(field: &Field, value: &Value) -> Option<String> {
    let is_number = matches!(field.shape(), AnswerShape::Number | AnswerShape::Points);
    let key = match value {
        Value::Number(number) => match number.as_i64() {
            Some(whole) => whole.to_string(),
            None => number.as_f64()?.to_string(),
        },
        Value::String(text) if is_number => {
            return unique_key(field, &Value::from(number_of(text.trim())?));
        }
        Value::String(text) => {
            // The ASCII and the Unicode spelling of a domain count as equal.
            let parts = text.trim().rsplit_once('@');
            let parts = parts.and_then(|(local, host)| Some((local, ascii_domain(host)?)));
            match parts {
                Some((local, host)) => [&lowercase(local), "@", &lowercase(&host)].concat(),
                None => lowercase(text.trim()),
            }
        }
        _ => return None,
    };
    (!key.is_empty()).then_some(key)
}
