//! A queue entry as clients see it (contract, section 7).

use serde_json::{Map, Value};

use crate::actions::secrets::mask;
use crate::dates::format_moment;
use crate::store::queue::EntryRow;

/// The entry's JSON, secrets masked.
pub fn shown(entry: &EntryRow) -> Value {
    let mut settings: Map<String, Value> =
        serde_json::from_str(&entry.settings).unwrap_or_default();
    mask(&mut settings);
    json!({
        "id": entry.id,
        "form_id": entry.form_id,
        "submission_id": entry.submission_id,
        "action_type": entry.action_type,
        "action_id": entry.action_id,
        "action_name": settings.get("action_name").and_then(Value::as_str).unwrap_or_default(),
        "action_index": entry.action_index,
        "settings": settings,
        "status": entry.status,
        "priority": entry.priority,
        "attempts": entry.attempts,
        "max_retries": entry.max_retries,
        "last_error": entry.last_error,
        "scheduled_at": format_moment(entry.scheduled_at),
        "started_at": entry.started_at.map(format_moment),
        "completed_at": entry.completed_at.map(format_moment),
        "created_at": format_moment(entry.created_at),
    })
}
