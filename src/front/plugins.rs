//! The hooks of a submit, by the names and arguments of the reference (contract, section 8). A hook
//! that nobody listens to costs nothing.

use serde_json::Value;

use super::outcome::Refused;
use crate::forms::Form;
use crate::hooks::{Kind, argument};
use crate::logic::validate::AnswerFault;
use crate::submissions::{Data, Submission};
use crate::task::Context;

/// The action that runs for a submission that is not spam, or no longer.
pub const FORM_SUCCESS: &str = "cf_form_success";

/// The opinion of plugins on answers that passed validation.
pub enum Opinion {
    Fine,
    Spam,
    Refused(Refused),
}

/// The filter `cf_validate_form` (code, form, data). The code is empty; a callback that gives
/// `spam` makes it spam, any other text refuses it with the form's message of that key, and a list
/// of `{field, code, message}` refuses single answers.
pub async fn validate(cx: &Context, form: &Form, data: &Data) -> Opinion {
    let name = "cf_validate_form";
    if !cx.has_callbacks(Kind::Filter, name) {
        return Opinion::Fine;
    }
    let arguments = [argument::form(form), json!(data)];
    match cx.apply_filters(name, json!(""), &arguments).await {
        Value::String(code) if code == "spam" => Opinion::Spam,
        Value::String(code) if !code.is_empty() => {
            Opinion::Refused(Refused::by(cx, form, 400, &code).await)
        }
        Value::Array(list) if !list.is_empty() => {
            let faults = list.iter().filter_map(fault).collect();
            Opinion::Refused(Refused::for_faults(cx, form, faults).await)
        }
        _ => Opinion::Fine,
    }
}

fn fault(given: &Value) -> Option<AnswerFault> {
    let text = |name: &str| given.get(name).and_then(Value::as_str);
    Some(AnswerFault {
        field: text("field")?.to_owned(),
        part: None,
        code: text("code").unwrap_or("error").to_owned().into(),
        message: text("message")?.to_owned(),
        short: text("message")?.to_owned(),
    })
}

/// The filter `cf_ignored_field_names` (names): answers that are not kept.
pub async fn ignored_names(cx: &Context) -> Vec<String> {
    let name = "cf_ignored_field_names";
    if !cx.has_callbacks(Kind::Filter, name) {
        return Vec::new();
    }
    let names = cx.apply_filters(name, json!([]), &[]).await;
    crate::json::of(&names).unwrap_or_default()
}

/// The action `cf_process_form` (form, submission, data, code), before anything is stored.
pub async fn process_form(cx: &Context, form: &Form, submission: &Submission, code: &str) {
    notify_plugins(cx, "cf_process_form", || {
        let (form, shown) = (argument::form(form), argument::submission(submission));
        vec![form, shown, json!(submission.data), json!(code)]
    })
    .await;
}

/// The action `cf_submission_inserted` (submission, form), once it is stored.
pub async fn inserted(cx: &Context, form: &Form, submission: &Submission) {
    notify_plugins(cx, "cf_submission_inserted", || {
        vec![argument::submission(submission), argument::form(form)]
    })
    .await;
}

/// The action `cf_form_success` (submission, form), for a submission that is not spam, or no longer.
pub async fn succeeded(cx: &Context, form: &Form, submission: &Submission) {
    notify_plugins(cx, FORM_SUCCESS, || {
        vec![argument::submission(submission), argument::form(form)]
    })
    .await;
}

/// The action `cf_form_response` (form, submission, code), before every answer; without a
/// submission where nothing was stored.
pub async fn form_response(cx: &Context, form: &Form, submission: Option<&Submission>, code: &str) {
    notify_plugins(cx, "cf_form_response", || {
        let submission = submission.map_or(Value::Null, argument::submission);
        vec![argument::form(form), submission, json!(code)]
    })
    .await;
}

async fn notify_plugins(cx: &Context, name: &str, arguments: impl FnOnce() -> Vec<Value>) {
    if cx.has_callbacks(Kind::Action, name) {
        cx.do_action(name, &arguments()).await;
    }
}
