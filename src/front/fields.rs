//! What the page tells the visitor's script of each field that takes an answer (host-shim/front/fields.ts).

use serde_json::{Map, Value};

use crate::forms::{FieldType, FormSchema};
use crate::logic::answer::AnswerKind;
use crate::logic::validate::label_of;

/// By the fields' names: the `label` that faults tell; of an answer that is no text, how it is understood
/// (`answer`: `toggle` or `choices`); of a set of boxes, whether one must be ticked (`required`); of a name
/// or address, the labels of its `parts` by the names of their inputs. For a review also what the `options`
/// of choices say, by their values.
pub fn fields(
    schema: &FormSchema,
    messages: &Map<String, Value>,
    is_reviewed: bool,
) -> Map<String, Value> {
    let told = schema.answer_fields().map(|field| {
        let mut told = Map::new();
        let mut tell = |key: &str, value: Value| told.insert(key.to_owned(), value);
        tell("label", Value::from(label_of(field, None, messages)));
        match AnswerKind::of(field) {
            AnswerKind::Text => None,
            AnswerKind::Toggle => tell("answer", Value::from("toggle")),
            AnswerKind::Choices => tell("answer", Value::from("choices")),
        };
        let parts = field.kind.parts().iter().map(|part| {
            let label = label_of(field, Some(part.name), messages);
            (format!("{}[{}]", field.name, part.name), Value::from(label))
        });
        let parts: Map<String, Value> = parts.collect();
        if !parts.is_empty() {
            tell("parts", Value::Object(parts));
        }
        if field.required && field.kind == FieldType::Checkbox && field.is_multiple() {
            tell("required", Value::Bool(true));
        }
        if is_reviewed && matches!(field.kind, FieldType::Radio | FieldType::Checkbox) {
            let options = field.options.iter().map(|option| {
                let label = option.label.lines().next().unwrap_or_default();
                (option.value.clone(), Value::from(label))
            });
            tell("options", Value::Object(options.collect()));
        }
        (field.name.clone(), Value::Object(told))
    });
    told.collect()
}
