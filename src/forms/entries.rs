//! Converting a form's actions into queue entries.

use std::cell::OnceCell;

use serde_json::Value;

use crate::action_types::built_in;
use crate::store::StoreError;
use crate::store::queue::NewEntry;
use model::MAX_SAFE_INTEGER;
use model::settings::{Action, Settings};

/// Default priority of an action. Lower runs first.
const DEFAULT_PRIORITY: i64 = 10;

/// The queue entries for a submission of a form: one for each enabled action. An action without a required setting is
/// off; saving and publishing report it.
pub fn entries_of(settings: &Settings) -> Result<Vec<NewEntry>, StoreError> {
    let actions = (0i64..).zip(&settings.actions);
    let actions = actions.filter(|(_, action)| action.enabled && is_set_up(action));
    actions
        .map(|(index, action)| entry_of(action, index))
        .collect()
}

/// Whether an action has all required settings. Only built-in types declare required settings; plugins' types check
/// theirs when they run.
fn is_set_up(action: &Action) -> bool {
    built_in(&action.kind).is_none_or(|kind| kind.missing_settings(&action.settings).is_empty())
}

/// Converts an action at an index into a queue entry.
pub fn entry_of(action: &Action, index: i64) -> Result<NewEntry, StoreError> {
    let priority = action.settings.get("priority").and_then(Value::as_i64);
    let priority = priority.unwrap_or(DEFAULT_PRIORITY);
    Ok(NewEntry {
        action_type: action.kind.clone(),
        action_id: action.id.clone(),
        action_index: index,
        key: index.to_string(),
        settings: serde_json::to_string(&action.settings)?,
        priority: priority.clamp(-MAX_SAFE_INTEGER, MAX_SAFE_INTEGER),
        listed: OnceCell::new(),
    })
}
