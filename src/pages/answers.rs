//! A visitor's answers as readable texts, for the review and the ending.

use std::rc::Rc;

use serde_json::{Map, Value};

use crate::forms::{Form, FormSchema, schema_with_answers};
use crate::logic::display::answer_text;
use crate::logic::validate::label_of;
use crate::markup::escape::escaped;
use model::field_kinds::AnswerShape;

/// Lists the answers as readable texts by the labels of their fields, without passwords, hidden fields and files.
pub fn answers(
    form: &Form,
    schema: &Rc<FormSchema>,
    data: &Map<String, Value>,
) -> Vec<(String, String)> {
    let schema = schema_with_answers(form, schema, data);
    let rows = schema.answer_fields().filter_map(|field| {
        if !field.kind.stores_in_full() || field.shape() == AnswerShape::Verbatim {
            return None;
        }
        let answer = answer_text(field, data.get(&field.name)?, &form.messages);
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
        let (label, answer) = (escaped(label), escaped(answer));
        html.push_str(&format!("<div><dt>{label}</dt><dd>{answer}</dd></div>\n"));
    }
    html.push_str("</dl>\n");
}
