//! Answers as conditions see them: lists of texts, whatever the field.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::ordered::Gather;
use crate::{Field, FieldType};

/// The answers of a form by field name, as [`texts_of`] gives them. A field without an answer may
/// be absent.
pub type Answers = BTreeMap<String, Vec<String>>;

/// How the texts of an answer are understood.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AnswerKind {
    /// As text, or as a number where it is one.
    #[default]
    Text,
    /// As on or off: `1`, `on` and `yes` are equal.
    Toggle,
    /// As chosen members of a list.
    Choices,
}

impl AnswerKind {
    /// How the answers of a field are understood.
    pub fn of(field: &Field) -> AnswerKind {
        match field.kind {
            FieldType::Consent => AnswerKind::Toggle,
            _ if field.is_switch() => AnswerKind::Toggle,
            _ if field.is_multiple() => AnswerKind::Choices,
            _ => AnswerKind::Text,
        }
    }

    /// How a value of a submission's data is understood.
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

/// The texts of one value: the members of a list, the parts of a composite. White space at their
/// ends does not count, empty ones are left out, and an off switch has none.
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

/// A text without white space at its ends; None when nothing is left.
pub fn trimmed(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Whether a text means that something is switched on: anything but nothing, `0`, `false`, `off`
/// and `no`.
pub fn is_on(text: &str) -> bool {
    let off = ["", "0", "false", "off", "no"];
    !off.iter()
        .any(|word| text.trim().eq_ignore_ascii_case(word))
}
