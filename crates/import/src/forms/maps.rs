//! Maps the formats' types and operators to this engine's (`maps.json`). A type that maps to `!` and a code is reported
//! with that code; a type that maps to `-` is left out without a report.

use std::sync::LazyLock;

use serde_json::Value;

use crate::values::member;

static MAPS: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("maps.json")).unwrap_or_default());

/// The counterpart of a format's type.
pub fn kind(format: &str, theirs: &str) -> Option<&'static str> {
    look_up(format, "types", theirs)
}

/// The counterpart of a format's operator. If it is several operators separated by `|`, one of their rules must be met.
pub fn operator(format: &str, theirs: &str) -> Option<&'static str> {
    look_up(format, "operators", theirs)
}

fn look_up(format: &str, table: &str, name: &str) -> Option<&'static str> {
    let table: &'static Value = member(member(&MAPS, format), table);
    table.get(name)?.as_str()
}
