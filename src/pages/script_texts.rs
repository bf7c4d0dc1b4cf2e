//! The texts and the facts about fields that a page passes to the visitor's script.

use serde_json::{Map, Value};

use super::answers::has_review;
use super::fields::fields;
use super::script_words::{Shown, add_script_words};
use super::texts::{filtered_message, megabytes};
use crate::forms::{Field, Form, FormSchema, LayoutType};
use crate::logic::validate::specific_message;
use crate::markup::escape::attribute;
use crate::task::Context;
use model::messages::FORMATS;
use model::page_words::UPLOAD_WORDS;

/// The keys of the messages that the visitor's script shows.
const SCRIPT_TEXTS: [&str; 19] = [
    "error",
    "required_field_missing",
    "required_choice_missing",
    "required_box_missing",
    "invalid_email",
    "invalid_url",
    "invalid_number",
    "invalid_step",
    "invalid_date",
    "invalid_pattern",
    "invalid_pattern_title",
    "too_short",
    "too_long",
    "too_small",
    "too_large",
    "too_few_choices",
    "too_many_choices",
    "too_many_choices_one",
    "network_error",
];

/// The keys of the messages for forms with steps.
const STEP_TEXTS: [&str; 3] = ["next_step", "previous_step", "step_progress"];

/// The keys of the messages for forms with phone numbers of a country.
const PHONE_TEXTS: [&str; 1] = ["invalid_phone"];

/// The keys of the messages for forms with file fields, besides [`UPLOAD_WORDS`].
const FILE_TEXTS: [&str; 5] = [
    "body_too_large",
    "choose_files_again",
    "size_mb",
    "size_kb",
    "size_bytes",
];

/// The key of the message for forms that ask twice for an answer.
fn repeat_texts(schema: &FormSchema) -> Option<&'static &'static str> {
    let mut fields = schema.fields.iter();
    let repeats = fields.any(|field| field.repeat_label().is_some());
    repeats.then_some(&"not_repeated")
}

/// Writes the texts and the facts about fields as attributes of the form's start tag. `has_prefill` tells whether the
/// page's URL contains answers.
pub async fn add_script_texts(
    html: &mut String,
    cx: &Context,
    form: &Form,
    schema: &FormSchema,
    has_prefill: bool,
) {
    let all = form.all_texts();
    let is_reviewed = has_review(form, schema);
    let layout = schema.layout.kind;
    let mut texts = Map::new();
    let has_steps = layout != LayoutType::Single || is_reviewed;
    let steps = STEP_TEXTS.iter().filter(|_| has_steps);
    let files = FILE_TEXTS.iter().chain(&UPLOAD_WORDS);
    let files = files.filter(|_| schema.takes_files());
    let phones = schema.fields.iter().any(Field::is_phone);
    let phones = PHONE_TEXTS.iter().filter(|_| phones);
    let others = steps.chain(files).chain(phones).chain(repeat_texts(schema));
    for code in SCRIPT_TEXTS.iter().chain(others) {
        let text = specific_message(&all, code).to_owned();
        let mut text = filtered_message(cx, form, code, text).await;
        if *code == "body_too_large" {
            let limit = cx.shared().configuration().upload_limit;
            text = text.replace("{max}", &megabytes(limit, form));
        }
        texts.insert((*code).to_owned(), Value::from(text));
    }
    // The formats of dates and numbers in the form's language.
    let formats = FORMATS.map(|key| Some((key.to_owned(), all.get(key)?.clone())));
    texts.extend(formats.into_iter().flatten());
    let has_pipes = form.has_pipes(schema);
    let mut fields_of_form = schema.fields.iter();
    let may_clear = fields_of_form.any(|field| field.kind.is_clearable());
    let shown = Shown {
        layout,
        is_reviewed,
        has_pipes,
        may_clear,
        is_signed: schema.fields.iter().any(Field::is_signature),
        has_rankings: schema.fields.iter().any(Field::is_ranking),
        has_rows: schema.fields.iter().any(Field::is_repeat),
    };
    add_script_words(&mut texts, cx, form, &shown).await;
    if has_pipes || may_clear || has_prefill {
        html.push_str(" data-answers");
    }
    attribute(html, "data-texts", &Value::Object(texts).to_string());
    let lists_answers = is_reviewed || layout == LayoutType::Conversational;
    let fields = fields(form, schema, &all, lists_answers);
    let calculates = |facts: &Value| {
        let mut keys = ["calc", "atLeast", "atMost"].iter();
        keys.any(|key| facts.get(key).is_some())
    };
    if fields.values().any(calculates) {
        html.push_str(" data-calculations");
        attribute(html, "data-zone", form.time_zone());
    }
    attribute(html, "data-fields", &Value::Object(fields).to_string());
}
