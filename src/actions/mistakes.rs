//! Finds settings of an action that nothing reads: keys that are mistyped, values of a wrong type.
//! They are stored all the same, and reported to whoever stores them.

use serde_json::{Map, Value};

use super::types::{ActionType, built_in};
use crate::hooks::Kind;
use crate::task::Context;

/// What every action may have beside its type's settings.
const COMMON: [&str; 6] = [
    "type",
    "conditions",
    "priority",
    "action_id",
    "action_name",
    "action_enabled",
];

/// How much of a key is reported.
const KEY_CHARS: usize = 40;

/// Lists the settings of an action that nothing reads, each as a few words in ASCII. Only of a
/// built-in type is known what it reads, and only as long as no plugin adds to it.
pub fn mistakes(cx: &Context, action: &Map<String, Value>) -> Vec<String> {
    let Some(own) = type_of(action) else {
        return Vec::new();
    };
    let (kind, is_extended) = (&own.kind, is_extended(cx, own));
    let mistakes = action.iter().filter_map(|(key, value)| {
        let shown: String = key.chars().take(KEY_CHARS).collect();
        let shown = shown.escape_default();
        if own.setting(key).is_some() {
            let is_text = value.is_string() || value.is_null();
            return (!is_text).then(|| format!("{kind} action whose \"{shown}\" is no text"));
        }
        if key == "priority" && !(value.is_i64() || value.is_null()) {
            let mistake = "action whose \"priority\" is no whole number";
            return Some(format!("{kind} {mistake}"));
        }
        if is_extended || COMMON.contains(&key.as_str()) {
            return None;
        }
        let near = nearest(key, own).map(|near| format!(" (\"{near}\"?)"));
        let near = near.unwrap_or_default();
        Some(format!(
            "{kind} action with the unknown setting \"{shown}\"{near}"
        ))
    });
    mistakes.collect()
}

fn type_of(action: &Map<String, Value>) -> Option<&'static ActionType> {
    built_in(action.get("type")?.as_str()?)
}

/// Whether a plugin extends a built-in type, and may read settings that the type does not.
fn is_extended(cx: &Context, own: &ActionType) -> bool {
    let process = format!("cf_process_form_action_{}", own.kind);
    let settings = format!("cf_output_form_action_{}_settings", own.kind);
    cx.has_callbacks(Kind::Action, &process) || cx.has_callbacks(Kind::Action, &settings)
}

/// Lists settings of a built-in action that would store a secret in clear, with the reason:
/// mistyped keys, values that are no text.
pub(super) fn clear_secrets(cx: &Context, action: &Map<String, Value>) -> Vec<(String, String)> {
    const WORDS: [&str; 4] = ["secret", "token", "password", "apikey"];
    let Some(own) = type_of(action) else {
        return Vec::new();
    };
    let is_secret = |key: &str| own.setting(key).is_some_and(|setting| setting.secret);
    let faulty = action.iter().filter_map(|(key, value)| {
        if own.setting(key).is_some() {
            let in_clear = is_secret(key) && !(value.is_string() || value.is_null());
            return in_clear.then(|| (key.clone(), "A secret must be a text.".to_owned()));
        }
        let near = nearest(key, own).filter(|near| is_secret(near));
        let letters: String = key.chars().filter(char::is_ascii_alphanumeric).collect();
        let letters = letters.to_ascii_lowercase();
        let seems = near.is_some() || WORDS.iter().any(|word| letters.contains(word));
        if !seems || COMMON.contains(&key.as_str()) || is_extended(cx, own) {
            return None;
        }
        let meant = near.map_or_else(String::new, |near| format!(" Is `{near}` meant?"));
        let message = format!("This type has no such setting; it would be stored in clear.{meant}");
        Some((key.clone(), message))
    });
    faulty.collect()
}

/// The key that is most like an unknown one, if one is much like it.
fn nearest<'a>(key: &str, own: &'a ActionType) -> Option<&'a str> {
    let known = own.settings.iter().map(|setting| setting.key.as_str());
    let key: String = key.chars().take(KEY_CHARS).collect();
    let key = key.to_ascii_lowercase();
    let known = known.chain(COMMON);
    let known = known.map(|known| (strsim::levenshtein(&key, known), known));
    let (distance, near) = known.min_by_key(|(distance, _)| *distance)?;
    (distance <= 1.max(near.len() / 3)).then_some(near)
}
