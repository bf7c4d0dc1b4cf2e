//! Faults in the settings of actions: mistyped keys and values of a wrong type. Such settings are stored with a
//! warning, except those that would store a secret unencrypted, which are rejected.

use serde_json::{Map, Value};

use super::secret_names::seems_secret;
use super::{ActionType, SettingInput, built_in};
use crate::hooks::Kind;
use crate::task::Context;

/// The keys that every action may have in addition to its type's settings.
const COMMON_KEYS: [&str; 6] = [
    "type",
    "conditions",
    "priority",
    "action_id",
    "action_name",
    "action_enabled",
];

/// The setting that may also be a list of texts.
const ATTACHMENTS: &str = "attachments";

/// Limit on the part of a key that a warning shows, in characters.
const MAX_KEY_CHARS: usize = 40;

/// Describes settings of an action that have no effect, each in a few words of ASCII for a response header. Unknown
/// keys of built-in types that a plugin extends are not reported.
pub fn setting_faults(
    cx: &Context,
    action_type: &ActionType,
    action: &Map<String, Value>,
) -> Vec<String> {
    let kind = action_type.kind.escape_default();
    let is_extended = built_in(&action_type.kind).is_some() && is_extended(cx, action_type);
    let faults = action.iter().filter_map(|(key, value)| {
        let shown: String = key.chars().take(MAX_KEY_CHARS).collect();
        let shown = shown.escape_default();
        if let Some(setting) = action_type.setting(key) {
            let is_list = key == ATTACHMENTS && value.is_array();
            let is_tick = setting.input == SettingInput::Checkbox && value.is_boolean();
            let fault = match value.as_str() {
                Some(text) => (!setting.offers(text)).then_some("none of its options"),
                None => (!(value.is_null() || is_list || is_tick)).then_some("not a text"),
            };
            return fault.map(|fault| format!("{kind} action whose \"{shown}\" is {fault}"));
        }
        if key == "priority" && !(value.is_i64() || value.is_null()) {
            let fault = "action whose \"priority\" is not a whole number";
            return Some(format!("{kind} {fault}"));
        }
        if is_extended || COMMON_KEYS.contains(&key.as_str()) {
            return None;
        }
        let near = nearest(key, action_type).map(|near| format!(" (\"{near}\"?)"));
        let near = near.unwrap_or_default();
        Some(format!(
            "{kind} action with the unknown setting \"{shown}\"{near}"
        ))
    });
    faults.collect()
}

fn type_of(action: &Map<String, Value>) -> Option<&'static ActionType> {
    built_in(action.get("type")?.as_str()?)
}

/// Whether a plugin extends a built-in type, and so may read further settings.
fn is_extended(cx: &Context, action_type: &ActionType) -> bool {
    let process = format!("cf_process_form_action_{}", action_type.kind);
    let settings = format!("cf_output_form_action_{}_settings", action_type.kind);
    cx.has_callbacks(Kind::Action, &process) || cx.has_callbacks(Kind::Action, &settings)
}

/// Lists faulty secrets of a built-in action, with the reason: a mistyped key, which would store a secret unencrypted,
/// or a list.
pub(super) fn clear_secrets(cx: &Context, action: &Map<String, Value>) -> Vec<(String, String)> {
    let Some(action_type) = type_of(action) else {
        return Vec::new();
    };
    let is_secret = |key: &str| {
        action_type
            .setting(key)
            .is_some_and(|setting| setting.secret)
    };
    let faulty = action.iter().filter_map(|(key, value)| {
        if action_type.setting(key).is_some() {
            let is_list = is_secret(key) && (value.is_array() || value.is_object());
            return is_list.then(|| (key.clone(), "A secret must be a text.".to_owned()));
        }
        let near = nearest(key, action_type).filter(|near| is_secret(near));
        let seems = near.is_some() || seems_secret(key);
        if !seems || COMMON_KEYS.contains(&key.as_str()) || is_extended(cx, action_type) {
            return None;
        }
        let meant = near.map_or_else(String::new, |near| format!(" Is `{near}` meant?"));
        let message =
            format!("This type has no such setting; it would be stored unencrypted.{meant}");
        Some((key.clone(), message))
    });
    faulty.collect()
}

/// Finds the known key that is most similar to an unknown one. The edit distance may be at most a third of the known
/// key's length, or 1.
fn nearest<'a>(key: &str, action_type: &'a ActionType) -> Option<&'a str> {
    let known = action_type
        .settings
        .iter()
        .map(|setting| setting.key.as_str());
    let key: String = key.chars().take(MAX_KEY_CHARS).collect();
    let key = key.to_ascii_lowercase();
    let known = known.chain(COMMON_KEYS);
    let known = known.map(|known| (strsim::levenshtein(&key, known), known));
    let (distance, near) = known.min_by_key(|(distance, _)| *distance)?;
    (distance <= 1.max(near.len() / 3)).then_some(near)
}
