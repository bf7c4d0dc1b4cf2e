//! The facts about each answer field that the page passes to the visitor's script (`visitor/script/fields.ts`).

use serde_json::{Map, Value};

use crate::forms::{Field, Form, FormSchema};
use crate::logic::answer::AnswerKind;
use crate::logic::calc::fields::Calculations;
use crate::logic::conditions::off_value;
use crate::logic::piping::{PipeNames, in_words};
use crate::logic::validate::{accept_of, label_of, readable_types};
use crate::ordered::Gather;
use model::file_types::accepted_extensions;

/// Builds the facts about each answer field, by the field's name:
///
/// - `label`: the label in error messages,
/// - `answer`: `toggle` or `choices` for an answer that is not a text,
/// - `required`: whether at least one box of a checkbox group must be ticked,
/// - `min`, `max`: the limits on the number of choices,
/// - `value`: the `value` attribute of a checkbox, if conditions would read it as "off", such as `0` or `no`,
/// - `open`: whether a field with options accepts a free answer,
/// - `parts`: the labels of a name's, address's or date's parts, by the names of their inputs,
/// - `rows`: the repeating group that contains the field; `repeats`: whether the field is a repeating group,
/// - `date`: whether the parts are those of a date,
/// - `upload`: the limits of a file field: the accepted extensions, the types in words, the number of files, the bytes
///   of each, and whether a file is required,
/// - `options`: for a review or a pipe, the labels of the options by their values,
/// - `piped`: present if a text of the form quotes the answer; the value is the separator between the parts of a name
///   or address,
/// - `unit`: the unit of a number that a text quotes,
/// - `text`: the label with its pipes,
/// - the facts of calculations ([`Calculations::facts`]).
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
    let calculations = Calculations::of(schema);
    let read = calculations.read_on_page();
    let in_words = pipes.as_ref().and_then(|_| in_words(schema));
    let groups = schema.row_groups();
    let fields = in_words.as_ref().unwrap_or(schema).all_answer_fields();
    let fields = fields.map(|field| {
        let mut facts = Map::new();
        if let Some(group) = groups.get(field.name.as_str()) {
            facts.insert("rows".to_owned(), Value::from(group.name.as_str()));
        }
        if field.is_repeat() {
            facts.insert("repeats".to_owned(), Value::Bool(true));
        }
        let is_piped = piped.contains(field.name.as_str());
        if is_piped {
            facts.insert(
                "piped".to_owned(),
                Value::from(field.kind.facts().separator),
            );
        }
        if let Some(pipes) = &pipes
            && let Some(written) = schema.field(&field.name)
            && let text = label_of(written, None, messages)
            && !pipes.pipes(&text).is_empty()
        {
            facts.insert("text".to_owned(), Value::from(text));
        }
        let label = label_of(field, None, messages);
        facts.insert("label".to_owned(), Value::from(label));
        add_answer(&mut facts, field);
        add_parts(&mut facts, field, messages);
        add_choice_limits(&mut facts, field);
        if field.kind.takes_files() {
            facts.insert("upload".to_owned(), upload_limits(field, messages));
        }
        if let Some(unit) = field.unit().filter(|_| is_piped) {
            facts.insert("unit".to_owned(), Value::from(unit));
        }
        if (is_reviewed || is_piped) && field.kind.ticks_options() {
            facts.insert("options".to_owned(), option_labels(field));
        }
        if let Some(read) = &read {
            let known = calculations.facts(field, read).into_iter();
            facts.extend(known.map(|(key, value)| (key.to_owned(), value)));
        }
        (field.name.clone(), Value::Object(facts))
    });
    fields.gather()
}

/// Adds `answer`, `open` and `value`.
fn add_answer(facts: &mut Map<String, Value>, field: &Field) {
    let kind = match AnswerKind::of(field) {
        AnswerKind::Text => None,
        AnswerKind::Toggle => Some("toggle"),
        AnswerKind::Choices => Some("choices"),
    };
    if let Some(kind) = kind {
        facts.insert("answer".to_owned(), Value::from(kind));
    }
    if field.attributes.contains_key(Field::OTHER) {
        facts.insert("open".to_owned(), Value::Bool(true));
    }
    if let Some(value) = off_value(field) {
        facts.insert("value".to_owned(), Value::from(value));
    }
}

/// Adds `parts` and `date`.
fn add_parts(facts: &mut Map<String, Value>, field: &Field, messages: &Map<String, Value>) {
    let parts = field.parts().iter();
    let parts = parts.filter(|part| field.asks_for(part)).map(|part| {
        let label = label_of(field, Some(part.name), messages);
        (format!("{}[{}]", field.name, part.name), Value::from(label))
    });
    let parts: Map<String, Value> = parts.gather();
    if !parts.is_empty() {
        facts.insert("parts".to_owned(), Value::Object(parts));
    }
    if field.is_date_in_parts() {
        facts.insert("date".to_owned(), Value::Bool(true));
    }
}

/// Adds `required`, `min` and `max`.
fn add_choice_limits(facts: &mut Map<String, Value>, field: &Field) {
    if field.required && field.kind.is_box() && field.is_multiple() {
        facts.insert("required".to_owned(), Value::Bool(true));
    }
    if field.is_ranking() && field.required && field.validation.min.is_none() {
        facts.insert("min".to_owned(), Value::from(field.rank_places()));
    }
    // `required` already means a minimum of one choice.
    if field.kind.has_choices() && field.is_multiple() {
        for (key, bound) in [
            ("min", &field.validation.min),
            ("max", &field.validation.max),
        ] {
            if let Some(bound) = bound {
                facts.insert(key.to_owned(), Value::Number(bound.clone()));
            }
        }
    }
}

/// The limits of a file field.
fn upload_limits(field: &Field, messages: &Map<String, Value>) -> Value {
    let accept = accept_of(field);
    let (_, max) = field.bounds();
    json!({
        "extensions": accepted_extensions(accept),
        "types": readable_types(accept, messages),
        "files": field.max_files(),
        "bytes": max,
        "required": field.required,
    })
}

/// The first lines of the options' labels, by value.
fn option_labels(field: &Field) -> Value {
    let labels = field.options.iter().map(|option| {
        let label = option.label.lines().next().unwrap_or(&option.value);
        (option.value.clone(), Value::from(label))
    });
    Value::Object(labels.gather())
}
