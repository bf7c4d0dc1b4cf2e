//! Finds the answers to each field in an input, before validation.

use std::mem::take;

use serde_json::Value;

use super::text::one_line;
use super::{CleanData, MASKED_PASSWORD, composite, text};
use crate::dates::parse_day;
use crate::field_kinds::{AnswerShape, DATE};
use crate::logic::answer::{AnswerKind, Answers, trimmed};
use crate::logic::calc::fields::other_key;
use crate::logic::conditions::ticked_text;
use crate::logic::input::Input;
use crate::logic::phone;
use crate::logic::rows::sent_rows;
use crate::ordered::Gather;
use crate::rows::{in_row, row_name};
use crate::{Data, Field, FormSchema, Part};

/// Whether a field is disabled: browsers do not send an answer to it, and the engine ignores one.
pub fn is_disabled(field: &Field) -> bool {
    field.attributes.contains_key("disabled")
}

/// The answers of an input, as conditions see them. In a repeating group, the key of a row's answer has the row's
/// number, from 0. A field's name is the key of its answers in all rows; the group's name is the key of the rows'
/// numbers, from 1.
pub fn answers_in(schema: &FormSchema, input: &Input) -> Answers {
    let mut answers = Answers::new();
    let sends = |field: &&Field| !is_disabled(field) && !field.is_calculated();
    for field in schema.answer_fields().filter(sends) {
        add_answers(field, input, &field.name, &mut answers);
    }
    let groups = schema.row_groups();
    for (group, columns, rows) in sent_rows(schema, &groups, input) {
        let numbers = (1..=rows.numbers.len()).map(|number| number.to_string());
        let numbers: Vec<String> = numbers.collect();
        if !numbers.is_empty() {
            answers.insert(group.name.clone(), numbers);
        }
        for column in columns.into_iter().filter(sends) {
            let mut all = Vec::new();
            for (row, number) in rows.numbers.iter().enumerate() {
                let sent = in_row(column, &groups, &group.name, &number.to_string());
                let key = row_name(&group.name, &row.to_string(), &column.name);
                add_answers(&sent, input, &key, &mut answers);
                all.extend(answers.get(&key).cloned().unwrap_or_default());
            }
            if !all.is_empty() {
                answers.insert(column.name.clone(), all);
            }
        }
    }
    answers
}

/// Adds the answers to one field under `key`.
fn add_answers(field: &Field, input: &Input, key: &str, answers: &mut Answers) {
    let name = field.name.as_str();
    let sent: Vec<&str> = match field.shape() {
        AnswerShape::Files => {
            let files = input.files_of(name);
            files.map(|(_, file)| file.filename.as_str()).collect()
        }
        _ if AnswerKind::of(field) == AnswerKind::Toggle => {
            let is_ticked = composite::is_ticked(input, field) == Some(true);
            is_ticked.then(|| ticked_text(field)).into_iter().collect()
        }
        AnswerShape::Parts => {
            let mut texts = Vec::new();
            let requested = |part: &&Part| field.asks_for(part);
            for part in field.kind.parts().iter().filter(requested) {
                let text = input.part(name, part.name);
                texts.extend(text);
                let text = text.and_then(trimmed);
                answers.extend(text.map(|text| (format!("{key}[{}]", part.name), vec![text])));
            }
            texts
        }
        _ if field.is_date_in_parts() => {
            let date = match sent_date(input, field) {
                Some(SentDate::Whole(text)) => trimmed(&text),
                _ => None,
            };
            answers.extend(date.map(|date| (key.to_owned(), vec![date])));
            return;
        }
        _ if field.is_multiple() => {
            let all = input.all(name).unwrap_or_default().iter();
            all.flat_map(|text| split_values(field, text)).collect()
        }
        _ => {
            let mut all = visible_values(input, field).unwrap_or_default();
            let is_open = field.attributes.contains_key(Field::OTHER);
            let from = all.len().saturating_sub(1);
            all.split_off(if is_open { 0 } else { from })
        }
    };
    if field.attributes.contains_key(Field::OTHER) {
        let words = input.part(name, "other").and_then(trimmed);
        answers.extend(words.map(|words| (other_key(key), vec![words])));
    }
    let mut texts: Vec<String> = sent.into_iter().filter_map(trimmed).collect();
    complete_numbers(field, input, &mut texts);
    if !texts.is_empty() {
        answers.insert(key.to_owned(), texts);
    }
}

/// Converts telephone numbers with a country to their stored form.
fn complete_numbers(field: &Field, input: &Input, texts: &mut [String]) {
    if !field.is_phone() {
        return;
    }
    let country = input.part(&field.name, phone::COUNTRY);
    for text in texts {
        *text = phone::stored(field, text, country).unwrap_or_else(|| take(text));
    }
}

/// The values that were sent under a field's name, in order. Values of hidden controls with that name count only if
/// no other control sent a value.
pub(super) fn visible_values<'i>(input: &'i Input, field: &Field) -> Option<Vec<&'i str>> {
    let all = input.all(&field.name)?.iter().map(String::as_str);
    let mut visible: Vec<&str> = all.clone().collect();
    for hidden in field.hidden_values() {
        if let Some(place) = visible.iter().position(|text| *text == hidden) {
            visible.remove(place);
        }
    }
    Some(if visible.is_empty() {
        all.collect()
    } else {
        visible
    })
}

/// The data of an input without validation, in the order of the form: one text per field, or a list of a group's rows.
/// Files are only named. This data is stored for spam that would fail validation. Passwords are masked here too.
pub fn unchecked_data(schema: &FormSchema, input: &Input) -> CleanData {
    let mut answers = answers_in(schema, input);
    let groups = schema.row_groups();
    let text_of = |field: &Field, texts: Vec<String>| match field.shape() {
        AnswerShape::Secret => Value::from(MASKED_PASSWORD),
        _ => Value::from(text::many_lines(&texts.join(", "))),
    };
    let texts = schema.answer_fields().filter_map(|field| {
        let texts = answers.remove(&field.name)?;
        if !field.is_repeat() {
            return Some((field.name.clone(), text_of(field, texts)));
        }
        let columns = schema.columns(&groups, &field.name);
        let rows = (0..texts.len()).map(|row| {
            let members = columns.iter().filter_map(|column| {
                let key = row_name(&field.name, &row.to_string(), &column.name);
                let texts = answers.remove(&key)?;
                Some((column.name.clone(), text_of(column, texts)))
            });
            Value::Object(members.gather())
        });
        Some((field.name.clone(), rows.collect()))
    });
    CleanData {
        answers: Data(texts.collect()),
        files: Vec::new(),
    }
}

/// Splits a text into values, for a field with several values. Email addresses may be separated by commas (HTML,
/// `multiple`).
pub(super) fn split_values<'t>(field: &Field, text: &'t str) -> impl Iterator<Item = &'t str> {
    let separator = (field.kind.facts().shape == AnswerShape::Email).then_some(',');
    text.split(move |c| Some(c) == separator)
}

/// A date that a visitor sent.
pub(super) enum SentDate {
    /// The text of a single control, or the date from three parts as `YYYY-MM-DD`.
    Whole(String),
    /// The part that is missing or impossible.
    Faulty(&'static str),
}

/// The date that was sent under a field's name or in the field's parts; `None` if nothing was sent.
pub(super) fn sent_date(input: &Input, field: &Field) -> Option<SentDate> {
    let whole = visible_values(input, field);
    let whole = whole.map(|texts| one_line(texts.last().copied().unwrap_or_default()));
    if let Some(text) = whole.as_ref().filter(|text| !text.is_empty()) {
        return Some(SentDate::Whole(text.clone()));
    }
    let [day, month, year] = DATE.map(|part| input.part(&field.name, part.name).map(one_line));
    if [&day, &month, &year].into_iter().all(Option::is_none) {
        return whole.map(SentDate::Whole);
    }
    let [day, month, year] = [day, month, year].map(Option::unwrap_or_default);
    if [&day, &month, &year].into_iter().all(String::is_empty) {
        return Some(SentDate::Whole(String::new()));
    }
    let is_within = |text: &str, most: u8| {
        let is_short = text.len() <= 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        is_short
            && text
                .parse()
                .is_ok_and(|number| (1..=most).contains(&number))
    };
    let is_year = year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit());
    let text = format!("{year}-{month:0>2}-{day:0>2}");
    Some(match () {
        () if !is_within(&day, 31) => SentDate::Faulty("day"),
        () if !is_within(&month, 12) => SentDate::Faulty("month"),
        () if !is_year || year == "0000" => SentDate::Faulty("year"),
        () if parse_day(&text).is_none() => SentDate::Faulty("day"),
        () => SentDate::Whole(text),
    })
}
