//! Submissions in JSON: Gravity Forms, Fluent Forms, Typeform, Jotform and Tally.

use crate::entries::document_parts::{about, listed, word};
use std::collections::BTreeMap;

use model::{Field, FieldType, FormSchema};
use serde_json::{Map, Value};

use super::Context;
use super::moments::{Order, moment};
use super::taker::{Style, answer, choice, field_of, is_list, part_of};
use crate::forms::builder::name_of_label;
use crate::values::{entries, is_set, member, put, text, values};
use crate::{Origin, SubmissionDraft};

/// The answers of one submission while they are read.
struct Answers<'s> {
    schema: &'s FormSchema,
    taken: Map<String, Value>,
    has_files: bool,
    /// The answers of no field, by their names there.
    unknown: Vec<String>,
    /// The dates of a field that writes them in an order of its own.
    style: Style,
}

/// Reads the submissions. `ids` are those of their forms.
pub fn read(
    context: &mut Context<'_>,
    file: &Value,
    format: &'static str,
    all: &[&Value],
    ids: &[String],
) -> Vec<SubmissionDraft> {
    let options = context.options;
    let titles: BTreeMap<&str, &str> = (values(member(file, "questions")).into_iter())
        .map(|question| (text(question, "id"), text(question, "title")))
        .collect();
    let (mut files, mut unknown, mut is_local) = (0_usize, BTreeMap::<String, usize>::new(), false);
    let mut drafts = Vec::new();
    context.report.begin("");
    for (document, id) in all.iter().zip(ids) {
        let form = Origin {
            id: if options.forms.contains_key("") {
                String::new()
            } else {
                id.clone()
            },
            created_at: String::new(),
        };
        let Some(schema) = options.forms.get("").or_else(|| options.forms.get(id)) else {
            drafts.push(SubmissionDraft {
                form,
                ..SubmissionDraft::default()
            });
            continue;
        };
        let mut answers = Answers {
            schema,
            taken: Map::new(),
            has_files: false,
            unknown: Vec::new(),
            style: Style::default(),
        };
        match format {
            "gravity-entries" => answers.gravity(document),
            "fluent-forms-entries" => answers.fluent(document),
            "typeform-responses" => answers.typeform(document),
            "jotform-submissions" => answers.jotform(document),
            _ => answers.tally(document, &titles),
        }
        let mut draft = about(document, format);
        let at = ["date_created", "created_at", "submitted_at", "submittedAt"]
            .map(|name| text(document, name));
        let at = at.into_iter().find(|at| !at.is_empty()).unwrap_or_default();
        let is_utc = format == "gravity-entries";
        draft.submitted_at = if is_utc {
            model::dates::parse_moment(at)
        } else {
            moment(at, Order::DayFirst, &context.clock).map(|(at, has_zone)| {
                is_local |= !has_zone;
                at
            })
        };
        files += usize::from(answers.has_files);
        for name in answers.unknown {
            *unknown.entry(name).or_default() += 1;
        }
        draft.answers = answers.taken;
        draft.form = form;
        drafts.push(draft);
    }
    if is_local {
        let zone = context.clock.name().to_owned();
        context.report.remark("time_zone", "submissions", &zone);
    }
    if files > 0 {
        context
            .report
            .remark("files", "submissions", &files.to_string());
    }
    for (name, count) in unknown {
        context.report.remark(
            "unknown_answer/count",
            &["submissions: ", &name].concat(),
            &count.to_string(),
        );
    }
    drafts
}

impl Answers<'_> {
    /// Puts the answer of a field.
    fn take(&mut self, field: &Field, value: &Value) {
        if field.kind == FieldType::File {
            self.has_files |= is_set(value);
            return;
        }
        let made = match value {
            Value::Array(items) if is_list(field) => {
                let items = items.iter().filter_map(|item| word(item));
                Value::from_iter(items.map(|item| choice(field, &item).unwrap_or(item)))
            }
            Value::Array(items) => match items.as_slice() {
                [] => return,
                [one] => return self.take(field, &one.clone()),
                several => Value::from_iter(several.iter().filter_map(word)),
            },
            Value::Object(parts) if matches!(field.kind, FieldType::Name | FieldType::Address) => {
                let mut made = Map::new();
                for (part, value) in parts {
                    if let (Some(part), Some(value)) = (part_of(part), value.as_str()) {
                        put(&mut made, part, value.into());
                    }
                }
                Value::Object(made)
            }
            Value::Object(parts) => {
                let whole = ["full", "other", "datetime"]
                    .into_iter()
                    .find_map(|name| parts.get(name));
                let moment = ["year", "month", "day"]
                    .map(|name| parts.get(name).and_then(Value::as_str).unwrap_or_default());
                match whole {
                    Some(whole) => return self.take(field, &whole.clone()),
                    None => Value::from(moment.join("-")),
                }
            }
            Value::Bool(on) if field.kind == FieldType::Consent => Value::Bool(*on),
            Value::Bool(on) => Value::from(if *on { "yes" } else { "no" }),
            _ => match word(value) {
                Some(text) if !text.is_empty() => answer(field, &text, &self.style).0,
                Some(text) if field.kind == FieldType::Hidden => text.into(),
                _ => return,
            },
        };
        put(&mut self.taken, &field.name, made);
    }

    /// Keeps the answer of no field.
    fn keep(&mut self, name: &str, kept_name: &str, value: &Value) {
        if !is_set(value) {
            return;
        }
        self.unknown.push(name.to_owned());
        put(&mut self.taken, kept_name, value.clone());
    }

    /// Gravity Forms: numbers of fields, with a part after a point. A field has its number's place among the fields,
    /// unless a name tells it.
    fn gravity(&mut self, entry: &Value) {
        let schema = self.schema;
        let fields: Vec<&Field> = schema
            .answer_fields()
            .filter(|field| field.kind != FieldType::Submit)
            .collect();
        let mut by_number: BTreeMap<u32, Vec<(&str, &Value)>> = BTreeMap::new();
        for (name, value) in entries(entry) {
            let (number, part) = name.split_once('.').unwrap_or((name, ""));
            if let Ok(number) = number.parse::<u32>() {
                by_number.entry(number).or_default().push((part, value));
            }
        }
        for (number, values) in by_number {
            let named = ["field_", &number.to_string()].concat();
            let field = schema.field(&named).or_else(|| {
                let index = usize::try_from(number).ok()?.checked_sub(1)?;
                fields.get(index).copied()
            });
            let Some(field) = field else {
                for (_, value) in values {
                    let rows = listed(value);
                    self.keep(&number.to_string(), &named, &rows);
                }
                continue;
            };
            let mut parts = Map::new();
            let mut chosen = Vec::new();
            for (part, value) in values {
                match field.kind {
                    FieldType::Name | FieldType::Address if !part.is_empty() => {
                        let kind = if field.kind == FieldType::Name {
                            "name."
                        } else {
                            "address."
                        };
                        let ours = crate::values::counterpart(
                            "gravity_forms.parts",
                            &[kind, part].concat(),
                        );
                        if let (Some(ours), Some(value)) =
                            (ours, value.as_str().filter(|value| !value.is_empty()))
                        {
                            put(&mut parts, ours, value.into());
                        }
                    }
                    FieldType::Consent if part == "1" => {
                        self.take(field, &Value::Bool(is_set(value)))
                    }
                    FieldType::Consent => {}
                    _ if !part.is_empty() => chosen.extend(Some(value.clone()).filter(is_set)),
                    _ => self.take(field, value),
                }
            }
            if !parts.is_empty() {
                put(&mut self.taken, &field.name, Value::Object(parts));
            }
            if !chosen.is_empty() {
                self.take(field, &Value::Array(chosen));
            }
        }
    }

    fn fluent(&mut self, entry: &Value) {
        let response = match member(entry, "response") {
            Value::String(json) => crate::values::parse(json).unwrap_or_default(),
            response => response.clone(),
        };
        for (name, value) in entries(&response) {
            if name.starts_with("__fluent")
                || name.starts_with("_fluentform_")
                || name == "_wp_http_referer"
            {
                continue;
            }
            let schema = self.schema;
            if let Some(field) = schema.answer_fields().find(|field| field.name == name) {
                self.take(field, value);
            } else if schema.fields.iter().any(|field| field.name == name) {
                self.rows(name, value);
            } else {
                self.keep(name, name, value);
            }
        }
    }

    /// The rows of a grid.
    fn rows(&mut self, name: &str, value: &Value) {
        let schema = self.schema;
        for (row, value) in entries(value) {
            let row_name = [name, "_", &name_of_label(row)].concat();
            let verbatim = [name, "_", row].concat();
            let field = schema
                .answer_fields()
                .find(|field| field.name == row_name || field.name == verbatim);
            match field {
                Some(field) => self.take(field, value),
                None => self.keep(&row_name, &row_name, value),
            }
        }
    }

    fn typeform(&mut self, response: &Value) {
        let schema = self.schema;
        for (name, value) in entries(member(response, "hidden")) {
            match field_of(schema, name) {
                Some(field) => self.take(field, value),
                None => self.keep(name, name, value),
            }
        }
        let requested: Vec<&Field> = schema
            .answer_fields()
            .filter(|field| !matches!(field.kind, FieldType::Hidden | FieldType::Submit))
            .collect();
        for answer in values(member(response, "answers")) {
            let of = member(answer, "field");
            let kind = text(answer, "type");
            let value = match (kind, member(answer, kind)) {
                ("choice", choice) => match text(choice, "label") {
                    "" => member(choice, "other").clone(),
                    label => label.into(),
                },
                ("choices", choices) => {
                    let labels = values(member(choices, "labels")).into_iter().cloned();
                    labels.chain(choices.get("other").cloned()).collect()
                }
                ("file_url", url) => {
                    self.has_files |= is_set(url);
                    continue;
                }
                (_, value) => value.clone(),
            };
            let name = text(of, "ref");
            let id = text(of, "id");
            let field = field_of(schema, name).or_else(|| {
                // A made-up name: the only field of the kind that takes these choices.
                let fits = |field: &&&Field| {
                    let first = value
                        .as_array()
                        .and_then(|items| items.first())
                        .unwrap_or(&value);
                    first
                        .as_str()
                        .is_some_and(|label| choice(field, label).is_some())
                };
                requested.iter().find(fits).copied()
            });
            match field {
                Some(field) => self.take(field, &value),
                None => self.keep(name, &["field_", id].concat(), &value),
            }
        }
    }

    fn jotform(&mut self, submission: &Value) {
        let schema = self.schema;
        for question in values(member(submission, "answers")) {
            let (name, value) = (text(question, "name"), member(question, "answer"));
            if value.is_null() {
                continue;
            }
            if let Some(field) = schema.answer_fields().find(|field| field.name == name) {
                self.take(field, value);
            } else if value.is_object() && schema.fields.iter().any(|field| field.name == name) {
                self.rows(name, value);
            } else {
                self.keep(name, name, value);
            }
        }
    }

    fn tally(&mut self, submission: &Value, titles: &BTreeMap<&str, &str>) {
        let schema = self.schema;
        for response in values(member(submission, "responses")) {
            let id = text(response, "questionId");
            let title = titles.get(id).copied().unwrap_or(id);
            let value = member(response, "answer");
            match field_of(schema, title) {
                Some(field) => self.take(field, value),
                None => self.keep(title, &name_of_label(title), value),
            }
        }
    }
}
