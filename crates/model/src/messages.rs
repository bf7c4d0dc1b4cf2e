//! Texts for visitors by key: the messages of a form (contract, section 2) and the words that rendering adds. English
//! is compiled in; the host passes the other languages of `visitor/languages` to the engine.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::fault::{Fault, FaultCode};
use super::given::read_document;
use crate::ordered::Gather;
#[cfg(feature = "page-texts")]
use crate::page_words::PAGE_WORDS;

/// The longest message, in characters.
pub const MAX_MESSAGE_CHARS: usize = 2_000;

/// The maximum number of messages of one form.
pub const MAX_MESSAGES: usize = 200;

/// Keys of the texts that a form does not list among its messages, but that this crate and `markup` read: the words that
/// rendering adds, such as the labels of the parts of an address. The keys that only the engine's pages read are in
/// `PAGE_WORDS`.
pub const WORDS: [&str; 25] = [
    "part_first",
    "part_last",
    "part_street",
    "part_street2",
    "part_city",
    "part_state",
    "part_postal_code",
    "part_country",
    "part_day",
    "part_month",
    "part_year",
    "submit",
    "yes",
    "no",
    "row_add",
    "row_remove",
    "size_mb",
    "size_kb",
    "size_bytes",
    "type_image",
    "type_audio",
    "type_video",
    "country_names",
    "only_if",
    "optional",
];

/// Keys of a language's formats of numbers and days. Without a language, numbers and days stay as they are stored.
pub const FORMATS: [&str; 5] = [
    "decimal_mark",
    "group_mark",
    "date_format",
    "currency_format",
    "percent_format",
];

/// The texts for visitors in English. Placeholders: `{label}` is the field's label; `{min}` and `{max}` are its bounds;
/// `{step}` is its step; `{types}` lists the types of files that it accepts; `{title}` is the author's explanation of
/// its pattern. In `step_progress`, `{step}` is the current step and `{steps}` their number; in `error_title` and
/// `draft_title`, `{title}` is the form's title. `{request_id}` identifies the request in the host's log.
fn english_texts() -> &'static Map<String, Value> {
    static TEXTS: LazyLock<Map<String, Value>> = LazyLock::new(|| {
        let texts = include_str!(concat!(env!("OUT_DIR"), "/en.json"));
        serde_json::from_str(texts).unwrap_or_default()
    });
    &TEXTS
}

/// The formats of numbers and days in English ([`FORMATS`]).
pub fn english_formats() -> Map<String, Value> {
    let formats = english_texts().iter();
    let formats = formats.filter(|(key, _)| FORMATS.contains(&key.as_str()));
    formats
        .map(|(key, text)| (key.clone(), text.clone()))
        .gather()
}

/// The messages that every form has, in English.
pub fn default_messages() -> &'static Map<String, Value> {
    static DEFAULTS: LazyLock<Map<String, Value>> = LazyLock::new(|| {
        let is_message = |key: &str| !is_word(key) && !FORMATS.contains(&key);
        let messages = english_texts().iter().filter(|(key, _)| is_message(key));
        messages
            .map(|(key, text)| (key.clone(), text.clone()))
            .gather()
    });
    &DEFAULTS
}

/// Every key of [`WORDS`] and [`PAGE_WORDS`].
#[cfg(feature = "page-texts")]
pub fn words() -> impl Iterator<Item = &'static str> {
    let page_words = PAGE_WORDS.into_iter().flatten().copied();
    WORDS.into_iter().chain(page_words)
}

#[cfg(feature = "page-texts")]
fn is_word(key: &str) -> bool {
    words().any(|word| word == key)
}

#[cfg(not(feature = "page-texts"))]
fn is_word(key: &str) -> bool {
    WORDS.contains(&key)
}

/// A word or a message, in English. An unknown key gives the general error.
pub fn word(key: &str) -> &'static str {
    let text = english_texts().get(key).and_then(Value::as_str);
    text.unwrap_or_else(|| text_of(|_| None, key))
}

/// The label of a part of a name or an address in English; empty for an unknown part.
pub fn part_label(part: &str) -> &'static str {
    let label = english_texts().get(&format!("part_{part}"));
    label.and_then(Value::as_str).unwrap_or_default()
}

/// The default messages, overridden by the stored ones. Unknown keys belong to plugins and are kept.
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

/// The text of a message: the form's text, or else the default text. A plugin's code without a text gives the general
/// error.
pub fn message_text<'m>(messages: &'m Map<String, Value>, code: &str) -> &'m str {
    text_of(|code| messages.get(code).and_then(Value::as_str), code)
}

/// Finds a text as [`message_text`] does. `stored` returns the form's text for a code.
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
