//! A visitor's answers as readable texts, for the review and the ending.

use std::rc::Rc;

use serde_json::{Map, Value};

use crate::forms::{Field, Form, FormSchema, schema_with_answers};
use crate::logic::display::{answer_text, rows_text};
use crate::logic::validate::label_of;
use crate::markup::escape::escaped;
use model::field_kinds::AnswerShape;

/// Lists the answers as pairs of label and readable text, without passwords, hidden fields and files.
pub fn answers(
    form: &Form,
    schema: &Rc<FormSchema>,
    data: &Map<String, Value>,
) -> Vec<(String, String)> {
    let schema = schema_with_answers(form, schema, data);
    let groups = schema.row_groups();
    let rows = schema.answer_fields().filter_map(|field| {
        if !field.kind.stores_in_full() || field.shape() == AnswerShape::Verbatim {
            return None;
        }
        let value = data.get(&field.name)?;
        let answer = match value.as_array().filter(|_| field.is_repeat()) {
            None => answer_text(field, value, &form.messages),
            Some(rows) => rows_text(rows, &|row| {
                let columns = schema.columns(&groups, &field.name);
                let cells = columns.into_iter().filter_map(|column| {
                    let text = answer_text(column, row.get(&column.name)?, &form.messages);
                    Some((label_of(column, None, &form.messages), text))
                });
                cells.collect()
            }),
        };
        (!answer.is_empty()).then(|| (label_of(field, None, &form.messages), answer))
    });
    rows.collect()
}

/// Renders a list of answers, if there are any.
pub fn list(html: &mut String, answers: &[(String, String)]) {
    if answers.is_empty() {
        return;
    }
    html.push_str("<dl class=\"cf-answers\">\n");
    for (label, answer) in answers {
        let (label, answer) = (escaped(label), escaped(answer).replace('\n', "<br>\n"));
        html.push_str(&format!("<div><dt>{label}</dt><dd>{answer}</dd></div>\n"));
    }
    html.push_str("</dl>\n");
}

/// Whether visitors review their answers before they send them. A form without questions has nothing to review.
pub fn has_review(form: &Form, schema: &FormSchema) -> bool {
    let is_question = |field: &Field| field.kind.is_seen() && !field.kind.is_button();
    form.setting("review") == Some(&Value::Bool(true)) && schema.answer_fields().any(is_question)
}

/// The input that marks the answers as reviewed.
pub const REVIEWED: &str = "_cf_reviewed";

/// Renders the review: the answers, the button that sends them, and the start tag of the `details` element around the
/// fields.
pub fn review(html: &mut String, form: &Form, answers: &[(String, String)], send: &str) {
    let word = |key| escaped(form.word(key));
    let (title, change) = (word("review_title"), word("review_change"));
    html.push_str(&format!("<h2 class=\"cf-step-title\">{title}</h2>\n"));
    list(html, answers);
    html.push_str(&format!(
        "<p class=\"cf-field\"><button type=\"submit\" class=\"cf-submit\" name=\"{REVIEWED}\" value=\"1\">{}</button></p>\n\
         <details>\n<summary>{change}</summary>\n",
        escaped(send)
    ));
}
