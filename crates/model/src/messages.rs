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

/// The messages that every form has, in English. `{label}` stands for the field's label, `{min}`
/// and `{max}` for its bounds, `{step}` for its step, `{types}` for the types of files that it takes, `{title}` for what its author says of its pattern; in `step_progress`, `{step}` is the step that is shown, `{steps}` for how many there are; in `error_title` `{title}` for the form's title.
pub fn default_messages() -> &'static Map<String, Value> {
    static DEFAULTS: LazyLock<Map<String, Value>> =
        LazyLock::new(|| serde_json::from_str(include_str!("messages.json")).unwrap_or_default());
    &DEFAULTS
}

/// The stored messages over the defaults. Keys that a plugin added are kept.
pub fn messages_over_defaults(stored: &Map<String, Value>) -> Map<String, Value> {
    let mut messages = default_messages().clone();
    messages.extend(stored.clone());
    messages
}

/// Checks the messages that a client wants to store: an object of strings, of at most
/// [`MAX_MESSAGE_CHARS`] characters each. Null stays: it takes a message back to its default.
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
                Some(own) => Value::from(own.text(MAX_MESSAGE_CHARS)?),
                None => Value::Null,
            };
            Some((code.clone(), text))
        });
        read.gather()
    })
}

/// The text of a message: the form's own, else the default, else (for a code that a plugin made
/// up) the general error.
pub fn message_text<'m>(messages: &'m Map<String, Value>, code: &str) -> &'m str {
    text_of(|code| messages.get(code).and_then(Value::as_str), code)
}

/// The text of a message among messages that are looked up by code.
pub fn text_of<'m>(own: impl Fn(&str) -> Option<&'m str>, code: &str) -> &'m str {
    own(code)
        .or_else(|| default_text(code))
        .or_else(|| own("error"))
        .or_else(|| default_text("error"))
        .unwrap_or_default()
}

/// Whether the text of a message is what every form has.
pub fn is_default(messages: &Map<String, Value>, code: &str) -> bool {
    let own = messages.get(code).and_then(Value::as_str);
    own.is_none_or(|text| Some(text) == default_text(code))
}

fn default_text(code: &str) -> Option<&'static str> {
    default_messages().get(code)?.as_str()
}
