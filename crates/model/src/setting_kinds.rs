//! The kinds of settings of forms, actions and spam checks, and the checks of clients' values.

use serde_json::{Map, Value};

use super::fault::FaultCode;
use super::given::Given;
use crate::dates::{format_moment, parse_moment};

/// The longest moment, in characters.
const MAX_MOMENT_CHARS: usize = 40;

/// The largest limit that can be set.
pub(crate) const MAX_COUNT: u64 = 1_000_000_000;

/// The largest number of bytes that can be set, and the largest number that is read from any stored setting.
pub(crate) const MAX_BYTES: u64 = 1 << 50;

/// The longest type of an action or a spam check, in characters.
pub const MAX_ACTION_TYPE_CHARS: usize = 50;

/// The kind of value that a setting holds.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// A boolean. `"1"`, `"true"`, `0` and so on are accepted too, because the platform's forms send them.
    Boolean,
    /// An integer up to a maximum; a text of digits is accepted, and an empty text is 0.
    Count(u64),
    /// A number of bytes, checked like a count.
    Bytes(u64),
    /// A text with a maximum number of characters.
    Text(usize),
    /// A text of one line with a maximum number of characters.
    Line(usize),
    /// A moment in ISO 8601, or the empty text.
    Moment,
    /// One of some words.
    Choice(&'static [&'static str]),
    /// A trimmed text that passes a test, with the message for a text that fails the test.
    Fitting(fn(&str) -> bool, &'static str),
    /// A value that a function reads. The function adds a fault and returns `None` for an invalid value.
    Other(fn(&Given<'_>) -> Option<Value>),
}

/// The longest text of a setting, in characters.
pub(crate) const MAX_TEXT_CHARS: usize = 10_000;

impl Kind {
    /// Returns the value to store; for an invalid value, adds a fault and returns `None`.
    pub(crate) fn read(self, given: &Given<'_>) -> Option<Value> {
        match self {
            Kind::Boolean => match meant_boolean(given.value) {
                Some(boolean) => Some(Value::from(boolean)),
                None => given.boolean().map(Value::from),
            },
            Kind::Count(max) | Kind::Bytes(max) => {
                let meant = meant_count(given.value).map(Value::from);
                let value = meant.as_ref().unwrap_or(given.value);
                Given { value, ..*given }.count(max).map(Value::from)
            }
            Kind::Text(max) => given.text(max).map(Value::from),
            Kind::Line(max) => given.line(max).map(Value::from),
            Kind::Moment => read_moment(given),
            Kind::Choice(words) => {
                let word = given.value.as_str();
                let word = word.filter(|word| words.contains(word));
                if word.is_none() {
                    let message = format!("This must be `{}`.", words.join("` or `"));
                    given.fault(FaultCode::NotInEnum, message);
                }
                word.map(Value::from)
            }
            Kind::Fitting(fits, message) => read_fitting(given, fits, message),
            Kind::Other(read) => read(given),
        }
    }

    /// The name of the kind, for clients.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Boolean => "boolean",
            Kind::Count(_) => "count",
            Kind::Bytes(_) => "bytes",
            Kind::Text(_) | Kind::Line(_) | Kind::Fitting(..) => "text",
            Kind::Moment => "moment",
            Kind::Choice(_) => "choice",
            Kind::Other(_) => "structure",
        }
    }

    /// The values of the kind as a JSON Schema.
    pub(crate) fn json_schema(self) -> Map<String, Value> {
        let schema = match self {
            Kind::Boolean => json!({"type": "boolean"}),
            Kind::Count(max) | Kind::Bytes(max) => {
                json!({"type": "integer", "minimum": 0, "maximum": max})
            }
            Kind::Text(max) | Kind::Line(max) => json!({"type": "string", "maxLength": max}),
            Kind::Moment | Kind::Fitting(..) => json!({"type": "string"}),
            Kind::Choice(words) => json!({"type": "string", "enum": words}),
            Kind::Other(_) => json!({}),
        };
        match schema {
            Value::Object(schema) => schema,
            _ => Map::new(),
        }
    }
}

/// Reads and trims a text; a text that fails the test is a fault.
pub(crate) fn read_fitting(
    given: &Given<'_>,
    fits: impl Fn(&str) -> bool,
    message: &str,
) -> Option<Value> {
    let text = given.text(MAX_TEXT_CHARS)?;
    let text = Some(text.trim()).filter(|text| fits(text));
    let text = given.found(text, FaultCode::InvalidPattern, message)?;
    Some(Value::from(text))
}

/// A setting of an action or a spam check: its key, its kind, and whether it is required.
pub(crate) type Setting = (&'static str, Kind, bool);

/// Reads a list of at most `most` actions or spam checks, each with its `type`. `settings_of` returns the settings to
/// read for a type. Other settings are kept unchanged, such as a plugin's, or those of one type of actions.
pub(crate) fn read_entries<'g>(
    given: &'g Given<'_>,
    most: usize,
    settings_of: fn(&str) -> &'static [Setting],
) -> impl Iterator<Item = (Given<'g>, Map<String, Value>)> {
    given.items(most).map(move |entry| {
        let mut stored = entry.object().cloned().unwrap_or_default();
        if entry.value.is_object()
            && let Some(kind) = entry.needed("type", "This needs a type.")
            && kind.line(MAX_ACTION_TYPE_CHARS).as_deref() == Some("")
        {
            kind.fault(FaultCode::TooShort, "This needs a type.");
        }
        for (key, kind, _) in settings_of(type_of(&stored)) {
            match entry.member(key) {
                Some(member) => {
                    if let Some(value) = kind.read(&member) {
                        stored.insert((*key).to_owned(), value);
                    }
                }
                // Null removes a setting.
                None => drop(stored.remove(*key)),
            }
        }
        (entry, stored)
    })
}

/// The type of an action or a spam check.
pub(crate) fn type_of(entry: &Map<String, Value>) -> &str {
    entry
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or_default()
}

pub(crate) fn meant_boolean(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(boolean) => Some(*boolean),
        Value::Number(number) => match number.as_u64() {
            Some(0) => Some(false),
            Some(1) => Some(true),
            _ => None,
        },
        Value::String(text) => match text.as_str() {
            "1" | "true" => Some(true),
            "0" | "false" | "" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

pub(crate) fn meant_count(value: &Value) -> Option<u64> {
    match value.as_str()? {
        "" => Some(0),
        digits => digits.parse().ok(),
    }
}

/// Reads a moment in ISO 8601, or an empty text.
fn read_moment(given: &Given<'_>) -> Option<Value> {
    let text = given.text(MAX_MOMENT_CHARS)?;
    let moment = match text.trim() {
        "" => Some(String::new()),
        text => parse_moment(text).map(format_moment),
    };
    let message = "This must be a moment such as 2026-01-02T03:04:05Z, or empty.";
    let moment = given.found(moment, FaultCode::InvalidPattern, message)?;
    Some(Value::from(moment))
}
