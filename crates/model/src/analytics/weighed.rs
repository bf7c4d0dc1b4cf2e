//! Sums of rankings, and the mean weight of chosen options.

use serde_json::Value;

use crate::logic::calc::fields::WEIGHTS;
use crate::logic::number::{json_number, parse_number};
use crate::{Field, FormSchema};

/// The key of the counter of how often visitors put an option first.
pub(super) const FIRST: &str = "first";

/// The key of the counter with the sum of an option's places.
pub(super) const PLACES: &str = "places";

/// Adds to each option of a ranking the number of its first places, and its mean place.
pub(super) fn add_places(sums: &mut Value, counts: &[(Value, i64)]) {
    let total = |key: &str, option: &Value| -> i64 {
        let counts = counts
            .iter()
            .filter(|(part, _)| part.get(key) == Some(option));
        counts.map(|(_, count)| *count).sum()
    };
    let options = sums.get_mut("options").and_then(Value::as_array_mut);
    for option in options.into_iter().flatten() {
        let value = option.get("value").cloned().unwrap_or_default();
        let count = option
            .get("count")
            .and_then(Value::as_i64)
            .unwrap_or_default();
        let place = mean(total(PLACES, &value) as f64, count);
        if let Some(option) = option.as_object_mut() {
            option.insert("first".to_owned(), total(FIRST, &value).into());
            option.insert("place".to_owned(), place);
        }
    }
}

/// The mean weight of the chosen options of a field; `None` if the options have no weights. Without a table of
/// weights, an option of a matrix has the number in its value as its weight.
pub(super) fn mean_of_weights(field: &Field, schema: &FormSchema, sums: &Value) -> Option<Value> {
    let table = field.attributes.get(WEIGHTS);
    let table: Option<Value> = table.and_then(|table| serde_json::from_str(table).ok());
    let group = field.group.as_deref().and_then(|group| schema.field(group));
    if table.is_none() && !group.is_some_and(Field::is_matrix) {
        return None;
    }
    let (mut count, mut sum) = (0, 0.0);
    for option in sums.get("options")?.as_array()? {
        let value = option.get("value")?.as_str()?;
        let chosen = option.get("count")?.as_i64()?;
        let weight = match &table {
            Some(table) => table.get(value).and_then(Value::as_f64).unwrap_or_default(),
            None => parse_number(value)?,
        };
        count += chosen;
        sum += weight * chosen as f64;
    }
    Some(mean(sum, count))
}

fn mean(sum: f64, count: i64) -> Value {
    if count == 0 {
        return Value::Null;
    }
    json!(json_number(rounded(sum / count as f64)))
}

/// Removes rounding errors of binary fractions from a number.
pub(super) fn rounded(number: f64) -> f64 {
    if number.abs() < 1e6 {
        (number * 1e9).round() / 1e9
    } else {
        number
    }
}
