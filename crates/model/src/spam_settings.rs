//! The settings of a form's spam checks (docs/spam.md), by type. A check of an unknown type belongs to a plugin. All
//! its settings except `enabled` are kept unchanged.

use serde_json::{Map, Number, Value};

use super::fault::FaultCode;
use super::given::Given;
use super::setting_kinds::{Kind, Setting, meant_boolean, read_entries, type_of};

/// The maximum number of spam checks of one form.
pub const MAX_SPAM_CHECKS: usize = 20;

/// The largest number of links that a form can allow in a submission.
const MAX_LINKS: u64 = 10_000;

/// The longest list of words, in characters.
const MAX_WORDS_CHARS: usize = 100_000;

/// The kind of a setting that holds a key for a service.
const KEY: Kind = Kind::Line(200);

const ENABLED: Setting = ("enabled", Kind::Boolean, false);
const SITE_KEY: Setting = ("site_key", KEY, false);
const SECRET: Setting = ("secret", KEY, true);

/// The settings of a type of spam check.
fn settings_of(kind: &str) -> &'static [Setting] {
    match kind {
        "links" => &[ENABLED, ("max", Kind::Other(read_links), false)],
        "deny_list" => &[ENABLED, ("words", Kind::Text(MAX_WORDS_CHARS), true)],
        "turnstile" | "hcaptcha" => &[ENABLED, SITE_KEY, SECRET],
        "recaptcha" => &[
            ENABLED,
            SITE_KEY,
            SECRET,
            ("version", Kind::Other(read_version), false),
            ("min_score", Kind::Other(read_score), false),
        ],
        "akismet" => &[ENABLED, ("api_key", KEY, true)],
        _ => &[ENABLED],
    }
}

/// Validates the spam checks of a request, and returns them as they are stored. An enabled check without a required
/// setting is a fault.
pub(super) fn read_checks(given: &Given<'_>) -> Option<Value> {
    let checks = read_entries(given, MAX_SPAM_CHECKS, settings_of);
    let checks = checks.map(|(entry, check)| {
        if let Some(key) = missing_setting(&check) {
            let message = "The check does nothing without this. Set it, or switch the check off with \"enabled\": false.";
            entry.fault_of(key, FaultCode::PropertyRequired, message);
        }
        Value::Object(check)
    });
    Some(checks.collect())
}

/// The first required setting that an enabled check lacks.
pub fn missing_setting(check: &Map<String, Value>) -> Option<&'static str> {
    if !is_enabled(check) {
        return None;
    }
    let is_missing = |key: &str| match check.get(key) {
        Some(Value::String(text)) => text.trim().is_empty(),
        value => value.is_none_or(Value::is_null),
    };
    let mut settings = settings_of(type_of(check)).iter();
    let found = settings.find(|(key, _, needed)| *needed && is_missing(key))?;
    Some(found.0)
}

/// Whether a check is enabled, which is the default.
pub fn is_enabled(check: &Map<String, Value>) -> bool {
    check.get("enabled").and_then(meant_boolean) != Some(false)
}

fn read_links(given: &Given<'_>) -> Option<Value> {
    let value = &as_number(given.value);
    Given { value, ..*given }.count(MAX_LINKS).map(Value::from)
}

fn read_version(given: &Given<'_>) -> Option<Value> {
    let version = Some(as_number(given.value));
    let version = version.filter(|version| matches!(version.as_u64(), Some(2 | 3)));
    given.found(version, FaultCode::NotInEnum, "This must be 2 or 3.")
}

fn read_score(given: &Given<'_>) -> Option<Value> {
    let score = as_number(given.value);
    let number = given.found(
        score.as_f64(),
        FaultCode::InvalidType,
        "This must be a number.",
    )?;
    let score = (0.0..=1.0).contains(&number).then_some(score);
    given.found(score, FaultCode::OutOfBounds, "This must be from 0 to 1.")
}

/// Converts a numeric text to a number, because the host's HTML forms send every value as a text.
fn as_number(value: &Value) -> Value {
    let text = value.as_str().map(str::trim);
    let number = text.and_then(|text| serde_json::from_str::<Number>(text).ok());
    number.map_or_else(|| value.clone(), Value::Number)
}
