//! Reading typed values out of a client's JSON, noting what is wrong with them.

use serde_json::{Map, Value};

use super::fault::{At, FaultCode, Faults};

impl Faults {
    /// An object.
    pub(crate) fn object<'v>(
        &mut self,
        value: &'v Value,
        at: &At<'_>,
    ) -> Option<&'v Map<String, Value>> {
        let object = value.as_object();
        if object.is_none() {
            self.add(at, FaultCode::InvalidType, "This must be an object.");
        }
        object
    }

    /// A list of at most `limit` items.
    pub(crate) fn list<'v>(
        &mut self,
        value: &'v Value,
        at: &At<'_>,
        limit: usize,
    ) -> Option<&'v [Value]> {
        let Some(list) = value.as_array() else {
            self.add(at, FaultCode::InvalidType, "This must be an array.");
            return None;
        };
        if list.len() > limit {
            self.add(
                at,
                FaultCode::TooManyItems,
                format!("This may have at most {limit} items."),
            );
            return None;
        }
        Some(list)
    }

    /// A boolean.
    pub(crate) fn boolean(&mut self, value: &Value, at: &At<'_>) -> Option<bool> {
        let boolean = value.as_bool();
        if boolean.is_none() {
            self.add(at, FaultCode::InvalidType, "This must be true or false.");
        }
        boolean
    }

    /// A whole number from 0 to `limit`.
    pub(crate) fn count(&mut self, value: &Value, at: &At<'_>, limit: u64) -> Option<u64> {
        if !value.is_number() || value.as_f64().is_some_and(|number| number.fract() != 0.0) {
            self.add(at, FaultCode::InvalidType, "This must be a whole number.");
            return None;
        }
        let count = value.as_u64().filter(|count| *count <= limit);
        if count.is_none() {
            self.add(
                at,
                FaultCode::OutOfBounds,
                format!("This must be from 0 to {limit}."),
            );
        }
        count
    }

    /// A text of at most `limit` characters. Line breaks become line feeds; other control
    /// characters (but the tab) are a fault, since HTML cannot carry them.
    pub(crate) fn text(&mut self, value: &Value, at: &At<'_>, limit: usize) -> Option<String> {
        let Some(text) = value.as_str() else {
            self.add(at, FaultCode::InvalidType, "This must be a string.");
            return None;
        };
        if text.chars().count() > limit {
            self.add(
                at,
                FaultCode::TooLong,
                format!("This may have at most {limit} characters."),
            );
            return None;
        }
        let text = if text.contains('\r') {
            text.replace("\r\n", "\n").replace('\r', "\n")
        } else {
            text.to_owned()
        };
        if text
            .chars()
            .any(|c| c.is_control() && c != '\n' && c != '\t')
        {
            self.add(
                at,
                FaultCode::InvalidPattern,
                "This may not contain control characters.",
            );
            return None;
        }
        Some(text)
    }

    /// A text that HTML shows on one line: white space at its ends goes, runs of it become one
    /// space.
    pub(crate) fn line(&mut self, value: &Value, at: &At<'_>, limit: usize) -> Option<String> {
        let text = self.text(value, at, limit)?;
        Some(collapsed(&text))
    }
}

/// The text with ASCII white space collapsed as HTML shows it.
pub(crate) fn collapsed(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_ascii_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}
