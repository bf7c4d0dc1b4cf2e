//! What a caller says about a file.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::values::{is_on, member, text, values};

/// What a caller says about a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Options {
    /// The format; detected if absent.
    pub format: Option<String>,
    /// The zone of times that name none, such as `Europe/Berlin`; empty for UTC.
    pub time_zone: String,
    /// The moments since when the zone's clocks have an offset, both in milliseconds; the host adds them. `None` for
    /// an unknown zone.
    pub offsets: Option<Vec<(i64, i64)>>,
    /// The mapping of a CSV file's columns.
    pub mapping: Value,
    /// The forms that take the submissions, by their ids in the file; the empty id takes all. Each has the `fields` of
    /// its schema, and their names by their `ids` in the product that it was imported from.
    pub forms: Map<String, Value>,
    /// Whether all known forms are among these.
    pub are_forms_known: bool,
}

impl Options {
    /// Reads options that were written as JSON.
    pub(crate) fn of(json: &str) -> Options {
        let read: Value = serde_json::from_str(json).unwrap_or_default();
        let change = |pair: &Value| Some((pair.get(0)?.as_i64()?, pair.get(1)?.as_i64()?));
        let offsets = member(&read, "offsets");
        let changes = values(offsets).into_iter().filter_map(change).collect();
        Options {
            format: member(&read, "format").as_str().map(str::to_owned),
            time_zone: text(&read, "time_zone").to_owned(),
            offsets: offsets.is_array().then_some(changes),
            mapping: member(&read, "mapping").clone(),
            forms: member(&read, "forms")
                .as_object()
                .cloned()
                .unwrap_or_default(),
            are_forms_known: is_on(&read, "are_forms_known"),
        }
    }
}
