//! What a caller says about a file.

use std::collections::BTreeMap;

use model::FormSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a caller says about a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
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
    /// The schemas of the forms that take the submissions, by their ids in the file; the empty id takes all.
    pub forms: BTreeMap<String, FormSchema>,
    /// Whether all known forms are among these.
    pub are_forms_known: bool,
}
