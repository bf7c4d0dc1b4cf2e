//! A visitor's answers as readable texts, for the review and the ending.

use serde_json::{Map, Value};

use crate::forms::{Field, Form, FormSchema};
use crate::logic::display::{listed, readable};
use crate::logic::validate::{label_of, localized};
use crate::markup::escape::escaped;
use model::field_kinds::AnswerShape;

/// Lists the answers as readable texts by the labels of their fields, without passwords, hidden fields and files.
pub fn answers(
    form: &Form,
    schema: &FormSchema,
    data: &Map<String, Value>,
) -> Vec<(String, String)> {
    let rows = schema.answer_fields().filter_map(|field| {
        if !field.kind.stores_in_full() || field.shape() == AnswerShape::Verbatim {
            return None;
        }
        let answer = answer(form, field, data.get(&field.name)?);
        (!answer.is_empty()).then(|| (label_of(field, None, &form.messages), answer))
    });
    rows.collect()
}

fn answer(form: &Form, field: &Field, value: &Value) -> String {
    let option = |value: &str| field.option_label(value).unwrap_or(value).to_owned();
    let is_date = matches!(field.shape(), AnswerShape::Date | AnswerShape::DateTime);
    let yes_or_no = |on: bool| form.word(if on { "yes" } else { "no" }).to_owned();
    match value {
        Value::String(text) if is_date => localized(text, &form.messages),
        Value::String(text) => option(text),
        Value::Number(number) => localized(&number.to_string(), &form.messages),
        Value::Array(list) => listed(
            list.iter()
                .map(|member| answer(form, field, member))
                .collect(),
        ),
        Value::Bool(on) => yes_or_no(*on),
        Value::Object(parts) if parts.contains_key("accepted") => {
            yes_or_no(parts.get("accepted") == Some(&Value::Bool(true)))
        }
        other => readable(other),
    }
}

/// Renders a list of answers, if there are any.
pub fn list(html: &mut String, answers: &[(String, String)]) {
    if answers.is_empty() {
        return;
    }
    html.push_str("<dl class=\"cf-answers\">\n");
    for (label, answer) in answers {
        let (label, answer) = (escaped(label), escaped(answer));
        html.push_str(&format!("<div><dt>{label}</dt><dd>{answer}</dd></div>\n"));
    }
    html.push_str("</dl>\n");
}
