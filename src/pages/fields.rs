//! The facts about each answer field that the page passes to the visitor's script (visitor/script/fields.ts).

use serde_json::{Map, Value};

use crate::forms::{Field, Form, FormSchema};
use crate::logic::answer::AnswerKind;
use crate::logic::conditions::off_value;
use crate::logic::piping::{PipeNames, in_words};
use crate::logic::validate::{accept_of, label_of, readable_types};
use crate::ordered::Gather;
use model::file_types::accepted_extensions;

/// The facts by the fields' names:
///
/// - `label`: the label in error messages,
/// - `answer`: `toggle` or `choices` for an answer that is not a text,
/// - `required`: whether one box of a set must be ticked,
/// - `min`, `max`: the limits on the number of choices,
/// - `value`: the value of a box, if it is a word for "off",
/// - `open`: whether a choice accepts a free answer,
/// - `parts`: the labels of a name's or address's parts, by the names of their inputs,
/// - `upload`: the limits of a file field: the extensions of its files, their types in words, their number,
///   the bytes of each, and whether there must be one,
/// - `options`: for a review or a pipe, the labels of the options by their values,
/// - `piped`: whether a text shows its answer; with the text between the parts of a name or address,
/// - `text`: the label with its pipes.
pub fn fields(
    form: &Form,
    schema: &FormSchema,
    messages: &Map<String, Value>,
    is_reviewed: bool,
) -> Map<String, Value> {
    let pipes = PipeNames::of(schema).filter(|_| form.has_pipes(schema));
    let piped = pipes
        .as_ref()
        .map(|pipes| pipes.used(schema))
        .unwrap_or_default();
    let in_words = pipes.as_ref().and_then(|_| in_words(schema));
    let fields = in_words.as_ref().unwrap_or(schema).answer_fields();
    let fields = fields.map(|field| {
        let mut facts = Map::new();
        let mut add = |key: &str, value: Value| facts.insert(key.to_owned(), value);
        let label = label_of(field, None, messages);
        let is_piped = piped.contains(field.name.as_str());
        if is_piped {
            add("piped", Value::from(field.kind.facts().separator));
        }
        if let Some(pipes) = &pipes
            && let Some(written) = schema.field(&field.name)
            && let text = label_of(written, None, messages)
            && !pipes.pipes(&text).is_empty()
        {
            add("text", Value::from(text));
        }
        add("label", Value::from(label));
        match AnswerKind::of(field) {
            AnswerKind::Text => None,
            AnswerKind::Toggle => add("answer", Value::from("toggle")),
            AnswerKind::Choices => add("answer", Value::from("choices")),
        };
        if field.attributes.contains_key(Field::OTHER) {
            add("open", Value::Bool(true));
        }
        if let Some(value) = off_value(field) {
            add("value", Value::from(value));
        }
        let parts = field.kind.parts().iter().map(|part| {
            let label = label_of(field, Some(part.name), messages);
            (format!("{}[{}]", field.name, part.name), Value::from(label))
        });
        let parts: Map<String, Value> = parts.gather();
        if !parts.is_empty() {
            add("parts", Value::Object(parts));
        }
        if field.required && field.kind.is_box() && field.is_multiple() {
            add("required", Value::Bool(true));
        }
        // The limits on the number of choices; `required` covers the first one.
        if field.kind.has_choices() && field.is_multiple() {
            for (key, bound) in [
                ("min", &field.validation.min),
                ("max", &field.validation.max),
            ] {
                if let Some(bound) = bound {
                    add(key, Value::Number(bound.clone()));
                }
            }
        }
        if field.kind.takes_files() {
            let accept = accept_of(field);
            let (_, max) = field.validation.bounds();
            let limits = json!({
                "extensions": accepted_extensions(accept),
                "types": readable_types(accept, messages),
                "files": field.max_files(),
                "bytes": max,
                "required": field.required,
            });
            add("upload", limits);
        }
        if (is_reviewed || is_piped) && field.kind.ticks_options() {
            let options = field.options.iter().map(|option| {
                let label = option.label.lines().next().unwrap_or(&option.value);
                (option.value.clone(), Value::from(label))
            });
            add("options", Value::Object(options.collect()));
        }
        (field.name.clone(), Value::Object(facts))
    });
    fields.collect()
}
