//! What a form's actions are in the queue.

use serde_json::Value;

use crate::forms::settings::Settings;
use crate::store::StoreError;
use crate::store::queue::NewEntry;

/// The priority of an action that names none. Lower runs first.
const DEFAULT_PRIORITY: i64 = 10;

/// The entries that a submission of a form gives.
pub fn entries_of(settings: &Settings) -> Result<Vec<NewEntry>, StoreError> {
    let actions = (0i64..).zip(&settings.actions);
    actions
        .map(|(index, action)| {
            let priority = action.settings.get("priority").and_then(Value::as_i64);
            Ok(NewEntry {
                action_type: action.kind.clone(),
                action_index: index,
                settings: serde_json::to_string(&action.settings)?,
                priority: priority.unwrap_or(DEFAULT_PRIORITY),
            })
        })
        .collect()
}
