//! Rendering a template with a submission's answers, for other plugins of the platform.

use std::rc::Rc;

use serde_json::{Map, Value};

use super::queue::{ActionForm, load_form};
use crate::error::Error;
use crate::forms::{Form, FormSchema, schema_with_answers};
use crate::http::{Request, Response};
use crate::logic::template::{Context as Place, Escape, Variables, expand};
use crate::task::Context;

/// Renders a template, as the actions of the submission's form do. If the form does not exist, the template gets no
/// title and no field labels. The request's body has the members of a submission, and also `template` and `place`. The
/// submission need not be stored. `place` says where the result is inserted: `html`, `url`, or anything else for text.
pub async fn render_template(cx: &Context, request: &Request) -> Result<Response, Error> {
    let body: Value = crate::json::read(&request.body)?;
    let number = |name: &str| body.get(name).and_then(Value::as_i64).unwrap_or(0);
    let text = |name: &str| body.get(name).and_then(Value::as_str).unwrap_or("");
    let found = load_form(cx, number("form_id")).await?;
    let ActionForm { form, schema } = found.unwrap_or_else(|| ActionForm {
        form: Rc::new(Form::default()),
        schema: Rc::new(FormSchema::of(Vec::new())),
    });
    let none = Map::new();
    let data = body.get("data").and_then(Value::as_object);
    let data = data.unwrap_or(&none);
    let id = Some(number("id")).filter(|id| *id > 0);
    let variables = Variables {
        schema: Some(&schema_with_answers(&form, &schema, data)),
        data,
        escape: Escape::NONE,
        form_id: form.id,
        form_title: &form.title,
        submission_id: &id.map_or_else(String::new, |id| id.to_string()),
        timestamp: text("submitted_at"),
        ip_address: text("ip_address"),
        user_agent: text("user_agent"),
        referrer_url: text("referer_url"),
        texts: &form.messages,
        file_links: &[],
    };
    let place = match text("place") {
        "html" => Place::Html,
        "url" => Place::Url,
        _ => Place::Text,
    };
    Ok(Response::json(
        200,
        &expand(text("template"), &variables, place),
    ))
}
