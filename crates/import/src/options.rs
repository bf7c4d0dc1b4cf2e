//! The caller's options for reading a file.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::values::{is_on, member, text, values};

/// The caller's options for reading a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Options {
    /// The format; detected if absent.
    pub format: Option<String>,
    /// The time zone for times that do not name their own, such as `Europe/Berlin`; empty for UTC.
    pub time_zone: String,
    /// The zone's UTC offsets, which the host adds: the time from which each applies, and the offset, in milliseconds.
    /// `None` if the host does not know the zone.
    pub offsets: Option<Vec<(i64, i64)>>,
    /// The mapping of a CSV file's columns.
    pub mapping: Value,
    /// The target forms of the submissions, by the forms' ids in the file; the form with the empty id is the target of
    /// all submissions. Each has the `fields` of its schema, and their names by original id in `ids`.
    pub forms: Map<String, Value>,
    /// Whether `forms` lists every form that the file's submissions may belong to.
    pub are_forms_known: bool,
    /// Whether the host fetches the files of submissions.
    #[serde(skip)]
    pub fetches_files: bool,
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
            fetches_files: false,
        }
    }
}
