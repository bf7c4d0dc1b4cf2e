//! What an action's settings hold that nothing reads: keys that are mistyped, values of a wrong type.
//! They are stored all the same, and told to whoever stores them.

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

/// How much of a key is told.
const KEY_CHARS: usize = 40;

/// What nothing reads of an action's settings, each as a few words in ASCII. Only of a built-in type is
/// known what it reads, and only as long as no plugin adds to it.
pub fn mistakes(cx: &Context, action: &Map<String, Value>) -> Vec<String> {
    let kind = action.get("type").and_then(Value::as_str);
    let Some(own) = kind.and_then(built_in) else {
        return Vec::new();
    };
    let is_extended = is_extended(cx, own);
    let mistakes = action.iter().filter_map(|(key, value)| {
        let shown: String = key.chars().take(KEY_CHARS).collect();
        let shown = shown.escape_default();
        if own.settings.iter().any(|setting| setting.key == *key) {
            let is_text = value.is_string() || value.is_null();
            return (!is_text).then(|| format!("{} action whose \"{shown}\" is no text", own.kind));
        }
        match key.as_str() {
            "priority" if !(value.is_i64() || value.is_null()) => Some(format!(
                "{} action whose \"priority\" is no whole number",
                own.kind
            )),
            key if is_extended || COMMON.contains(&key) => None,
            key => Some(match nearest(key, own) {
                Some(near) => format!(
                    "{} action with the unknown setting \"{shown}\" (\"{near}\"?)",
                    own.kind
                ),
                None => format!("{} action with the unknown setting \"{shown}\"", own.kind),
            }),
        }
    });
    mistakes.collect()
}

/// Whether a plugin takes part in what a built-in type does, and may read what it does not.
fn is_extended(cx: &Context, own: &ActionType) -> bool {
    ["cf_process_form_action_", "cf_output_form_action_"]
        .iter()
        .zip(["", "_settings"])
        .any(|(before, after)| {
            cx.has_callbacks(Kind::Action, &[before, own.kind.as_str(), after].concat())
        })
}

/// What of a built-in action would be a secret in clear: mistyped keys, values that are no text; with what
/// is wrong.
pub(super) fn clear_secrets(cx: &Context, action: &Map<String, Value>) -> Vec<(String, String)> {
    const WORDS: [&str; 4] = ["secret", "token", "password", "apikey"];
    let kind = action.get("type").and_then(Value::as_str);
    let Some(own) = kind.and_then(built_in) else {
        return Vec::new();
    };
    let is_secret = |key: &str| {
        own.settings
            .iter()
            .any(|known| known.secret && known.key == key)
    };
    let faulty = action.iter().filter_map(|(key, value)| {
        if own.settings.iter().any(|known| known.key == *key) {
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
        let meant = near
            .map(|near| format!(" Is `{near}` meant?"))
            .unwrap_or_default();
        Some((
            key.clone(),
            format!("This type has no such setting; it would be stored in clear.{meant}"),
        ))
    });
    faulty.collect()
}

/// The key that is most like an unknown one, if one is much like it.
fn nearest<'a>(key: &str, own: &'a ActionType) -> Option<&'a str> {
    let known = own.settings.iter().map(|setting| setting.key.as_str());
    let known = known.chain(COMMON);
    let (distance, near) = known
        .map(|known| (distance(key, known), known))
        .min_by_key(|(distance, _)| *distance)?;
    (distance <= 1.max(near.len() / 3)).then_some(near)
}

/// How many letters must be added, left out or changed to make one key of the other; upper case is no
/// difference.
fn distance(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, letter) in one.chars().take(KEY_CHARS).enumerate() {
        let mut before = index;
        let mut left = index + 1;
        for (place, own) in row
            .iter_mut()
            .zip(std::iter::once(None).chain(other.chars().map(Some)))
        {
            let above = *place;
            *place = match own {
                None => left,
                Some(own) => {
                    let changed = usize::from(!own.eq_ignore_ascii_case(&letter));
                    (before + changed).min(above + 1).min(left + 1)
                }
            };
            before = above;
            left = *place;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn letters_that_differ_are_counted() {
        for (one, other, expected) in [
            ("to", "to", 0),
            ("TO", "to", 0),
            ("too", "to", 1),
            ("subjet", "subject", 1),
            ("reply-to", "reply_to", 1),
            ("sbuject", "subject", 2),
            ("", "to", 2),
            ("mail", "", 4),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(distance(one, other), expected, "{one} {other}");
        }
    }
}
