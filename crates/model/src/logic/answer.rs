//! Answers as conditions see them: lists of texts, for every field type.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::Field;
use crate::ordered::Gather;

/// The answers of a form by field name, as [`texts_of`] returns them. A field without an answer may be absent.
pub type Answers = BTreeMap<String, Vec<String>>;

/// The way in which conditions interpret an answer's texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AnswerKind {
    /// As a number if both the answer and the compared value are numbers, or else as text.
    #[default]
    Text,
    /// As on or off. All words for "on", such as `1`, `on` and `yes`, are equal.
    Toggle,
    /// As the chosen members of a list.
    Choices,
}

impl AnswerKind {
    /// The interpretation of a field's answers.
    pub fn of(field: &Field) -> AnswerKind {
        if field.kind.is_consent() || field.is_switch() {
            AnswerKind::Toggle
        } else if field.is_multiple() {
            AnswerKind::Choices
        } else {
            AnswerKind::Text
        }
    }

    /// The interpretation of a value in a submission's data.
    pub fn of_value(value: &Value) -> AnswerKind {
        match value {
            Value::Bool(_) => AnswerKind::Toggle,
            Value::Array(_) => AnswerKind::Choices,
            Value::Object(members) if members.contains_key("accepted") => AnswerKind::Toggle,
            _ => AnswerKind::Text,
        }
    }
}

/// The answers in a submission's data, or in the values of an editor's preview.
pub fn answers_of(data: &Map<String, Value>) -> Answers {
    data.iter()
        .map(|(name, value)| (name.clone(), texts_of(value)))
        .gather()
}

/// The texts of one value: one text for each member of a list or part of a composite. Texts are trimmed, and empty
/// texts are dropped. A switch that is off has no text.
pub fn texts_of(value: &Value) -> Vec<String> {
    match value {
        Value::Null | Value::Bool(false) => Vec::new(),
        Value::Bool(true) => vec!["true".to_owned()],
        Value::Number(number) => vec![number.to_string()],
        Value::String(text) => trimmed(text).into_iter().collect(),
        Value::Array(members) => members.iter().flat_map(texts_of).collect(),
        Value::Object(parts) => match parts.get("accepted") {
            Some(accepted) => texts_of(accepted),
            None => parts.values().flat_map(texts_of).collect(),
        },
    }
}

/// A trimmed text; `None` for an empty one.
pub fn trimmed(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Whether a text means "on": anything but an empty text, `0`, `false`, `off` and `no`.
pub fn is_on(text: &str) -> bool {
    let off = ["", "0", "false", "off", "no"];
    !off.iter()
        .any(|word| text.trim().eq_ignore_ascii_case(word))
}
