//! The settings that actions of all types have.

use serde_json::Value;

use super::check::read_conditions;
use super::given::Given;
use super::setting_kinds::{Kind, Setting, read_entries};

/// The maximum number of actions of one form.
pub const MAX_ACTIONS: usize = 100;

/// The settings that every action has. Conditions are stored in normalised form.
const ACTION_SETTINGS: [Setting; 4] = [
    ("action_id", Kind::Line(100), false),
    ("action_name", Kind::Line(200), false),
    ("action_enabled", Kind::Boolean, false),
    (
        "conditions",
        Kind::Other(|given| Some(json!(read_conditions(given)))),
        false,
    ),
];

/// Reads the actions of a form.
pub(crate) fn read_actions(given: &Given<'_>) -> Option<Value> {
    let actions = read_entries(given, MAX_ACTIONS, |_| &ACTION_SETTINGS);
    Some(actions.map(|(_, action)| Value::Object(action)).collect())
}
