//! A form's messages to its visitors (contract, section 2): texts by code.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::fault::{Fault, FaultCode};
use super::given::read_document;
use crate::ordered::Gather;

/// The longest message, in characters.
pub const MAX_MESSAGE_CHARS: usize = 2_000;

/// The most messages of one form.
pub const MAX_MESSAGES: usize = 200;

/// The messages that every form has, in English. Placeholders: `{label}` is the field's label; `{min}` and `{max}`
/// are its bounds; `{step}` is its step; `{types}` lists the types of files that it accepts; `{title}` is the
/// author's explanation of its pattern. In `step_progress`, `{step}` is the current step and `{steps}` their
/// number; in `error_title`, `{title}` is the form's title.
pub fn default_messages() -> &'static Map<String, Value> {
    static DEFAULTS: LazyLock<Map<String, Value>> =
        LazyLock::new(|| serde_json::from_str(include_str!("messages.json")).unwrap_or_default());
    &DEFAULTS
}

/// The stored messages over the defaults. Keys of plugins are kept.
pub fn messages_over_defaults(stored: &Map<String, Value>) -> Map<String, Value> {
    let mut messages = default_messages().clone();
    messages.extend(stored.clone());
    messages
}

/// Checks the messages that a client wants to store: an object of strings, of at most [`MAX_MESSAGE_CHARS`]
/// characters each. Null resets a message to its default.
pub fn check_messages(body: &Value) -> Result<Map<String, Value>, Vec<Fault>> {
    read_document(body, |given| {
        let messages = given.object();
        if messages.is_some_and(|messages| messages.len() > MAX_MESSAGES) {
            let message = format!("This may have at most {MAX_MESSAGES} messages.");
            given.fault(FaultCode::TooManyItems, message);
        }
        let codes = messages.into_iter().flat_map(Map::keys).take(MAX_MESSAGES);
        let read = codes.filter_map(|code| {
            let text = match given.member(code) {
                Some(member) => Value::from(member.text(MAX_MESSAGE_CHARS)?),
                None => Value::Null,
            };
            Some((code.clone(), text))
        });
        read.gather()
    })
}

/// The text of a message: the form's, or else the default, or else (for a plugin's code) the general error.
pub fn message_text<'m>(messages: &'m Map<String, Value>, code: &str) -> &'m str {
    text_of(|code| messages.get(code).and_then(Value::as_str), code)
}

/// The text of a message, with a function that finds the form's messages by code.
pub fn text_of<'m>(stored: impl Fn(&str) -> Option<&'m str>, code: &str) -> &'m str {
    stored(code)
        .or_else(|| default_text(code))
        .or_else(|| stored("error"))
        .or_else(|| default_text("error"))
        .unwrap_or_default()
}

/// Whether a message has its default text.
pub fn is_default(messages: &Map<String, Value>, code: &str) -> bool {
    let stored = messages.get(code).and_then(Value::as_str);
    stored.is_none_or(|text| Some(text) == default_text(code))
}

fn default_text(code: &str) -> Option<&'static str> {
    default_messages().get(code)?.as_str()
}
