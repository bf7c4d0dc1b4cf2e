//! Typed values from and into JSON values, both by way of the text: a reader and a writer of such values would
//! be as much code again for each type as those of texts.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Reads a value from JSON that was read already.
///
/// # Errors
/// It has another shape.
pub fn of<T: DeserializeOwned>(value: &Value) -> serde_json::Result<T> {
    serde_json::from_str(&value.to_string())
}

/// A value as JSON; null for what JSON cannot say.
pub fn value(of: &impl Serialize) -> Value {
    let text = serde_json::to_string(of).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}
