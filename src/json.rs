//! Reads and changes JSON values.

use serde::de::{DeserializeOwned, Error as _};
use serde_json::Value;

use crate::ordered::Gather;
pub use model::values::{of, value};

/// Reads a value from bytes. Checks them as UTF-8 first, since a second deserializer for bytes would double the
/// module's code.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> serde_json::Result<T> {
    serde_json::from_str(std::str::from_utf8(bytes).map_err(serde_json::Error::custom)?)
}

/// Changes every text in a value, except the members' names.
pub fn map_texts(value: &Value, change: &dyn Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => Value::String(change(text)),
        Value::Array(items) => items.iter().map(|item| map_texts(item, change)).collect(),
        Value::Object(members) => {
            let members = members.iter();
            let members = members.map(|(name, member)| (name.clone(), map_texts(member, change)));
            Value::Object(members.gather())
        }
        other => other.clone(),
    }
}

/// Adds the members of `more` to an object, and replaces members of the same name.
pub fn with(mut object: Value, more: Value) -> Value {
    if let (Value::Object(members), Value::Object(more)) = (&mut object, more) {
        members.extend(more);
    }
    object
}

/// Formats a value as one text: texts unquoted, null as empty, anything else as JSON.
pub fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}
