//! What a caller says about a file.

use serde::{Deserialize, Serialize};

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
}
