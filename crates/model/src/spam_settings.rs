//! The settings of a form's spam checks (docs/spam.md): what each type takes. A check of another type
//! belongs to a plugin and is kept as it came.

use serde_json::{Map, Value};

use super::fault::{At, FaultCode, Faults};
use super::settings::meant_boolean;

/// The most links that can be allowed.
const MAX_LINKS: u64 = 10_000;

/// The longest list of words, in characters.
const MAX_WORDS_CHARS: usize = 100_000;

/// The longest key of a service, in characters.
const MAX_KEY_CHARS: usize = 200;

/// What a setting holds.
#[derive(Clone, Copy)]
enum Kind {
    Links,
    Words,
    Key,
    Score,
    Version,
}

/// A setting: its key, what it holds, and whether the check does nothing without it.
type Setting = (&'static str, Kind, bool);

const SITE_KEY: Setting = ("site_key", Kind::Key, false);
const SECRET: Setting = ("secret", Kind::Key, true);

/// The settings of a type; `None` for one that is not built in.
fn settings_of(kind: &str) -> Option<&'static [Setting]> {
    Some(match kind {
        "links" => &[("max", Kind::Links, false)],
        "deny_list" => &[("words", Kind::Words, true)],
        "turnstile" | "hcaptcha" => &[SITE_KEY, SECRET],
        "recaptcha" => &[
            SITE_KEY,
            SECRET,
            ("version", Kind::Version, false),
            ("min_score", Kind::Score, false),
        ],
        "akismet" => &[("api_key", Kind::Key, true)],
        _ => return None,
    })
}

/// A check as it is stored: its numbers and flags as what they mean. One that is switched on needs
/// what it does nothing without.
pub(super) fn read_check(check: &Map<String, Value>, at: &At<'_>, faults: &mut Faults) -> Value {
    let settings = settings_of(kind_of(check)).unwrap_or_default();
    let mut stored = check.clone();
    // Null says that there is none.
    stored.retain(|key, value| {
        let is_known = key == "enabled" || settings.iter().any(|(known, ..)| known == key);
        !is_known || !value.is_null()
    });
    if let Some(value) = stored.get_mut("enabled") {
        match meant_boolean(value) {
            Some(on) => *value = Value::from(on),
            None => drop(faults.boolean(value, &at.member("enabled"))),
        }
    }
    for (key, kind, _) in settings {
        if let Some(value) = stored.get_mut(*key)
            && let Some(read) = read_setting(*kind, value, &at.member(key), faults)
        {
            *value = read;
        }
    }
    if let Some(key) = missing_setting(&stored) {
        let message = "The check does nothing without this. Set it, or switch the check off by \"enabled\": false.";
        faults.add(&at.member(key), FaultCode::PropertyRequired, message);
    }
    Value::Object(stored)
}

/// The setting without which a check that is switched on does nothing, where it has none.
pub fn missing_setting(check: &Map<String, Value>) -> Option<&'static str> {
    if !is_enabled(check) {
        return None;
    }
    let is_missing = |key: &str| match check.get(key) {
        Some(Value::String(text)) => text.trim().is_empty(),
        value => value.is_none_or(Value::is_null),
    };
    let mut settings = settings_of(kind_of(check))?.iter();
    let found = settings.find(|(key, _, needed)| *needed && is_missing(key))?;
    Some(found.0)
}

/// Whether a check is switched on, as it is unless it says otherwise.
pub fn is_enabled(check: &Map<String, Value>) -> bool {
    check.get("enabled").and_then(meant_boolean) != Some(false)
}

fn kind_of(check: &Map<String, Value>) -> &str {
    check
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or_default()
}

fn read_setting(kind: Kind, value: &Value, at: &At<'_>, faults: &mut Faults) -> Option<Value> {
    match kind {
        Kind::Links => faults
            .count(&number_meant(value), at, MAX_LINKS)
            .map(Value::from),
        Kind::Words => faults.text(value, at, MAX_WORDS_CHARS).map(Value::from),
        Kind::Key => faults.line(value, at, MAX_KEY_CHARS).map(Value::from),
        Kind::Version => {
            let version = number_meant(value);
            let known = matches!(version.as_u64(), Some(2 | 3));
            if !known {
                faults.add(at, FaultCode::NotInEnum, "This must be 2 or 3.");
            }
            known.then_some(version)
        }
        Kind::Score => {
            let score = number_meant(value);
            let Some(number) = score.as_f64() else {
                faults.add(at, FaultCode::InvalidType, "This must be a number.");
                return None;
            };
            let is_score = (0.0..=1.0).contains(&number);
            if !is_score {
                faults.add(at, FaultCode::OutOfBounds, "This must be from 0 to 1.");
            }
            is_score.then_some(score)
        }
    }
}

/// A text that is a number, as the number: forms of the platform send texts.
fn number_meant(value: &Value) -> Value {
    let text = value.as_str().map(str::trim);
    let number = text.and_then(|text| serde_json::from_str::<serde_json::Number>(text).ok());
    number.map_or_else(|| value.clone(), Value::Number)
}
