//! The hooks of a submit, with the names and arguments of `docs/hooks.md` (contract, section 8). A hook without
//! callbacks costs nothing.

use serde_json::Value;

use super::outcome::Rejection;
use crate::forms::{Form, form_argument};
use crate::hooks::Kind;
use crate::logic::validate::AnswerFault;
use crate::pages::message;
use crate::submissions::{Data, StoredFile, Submission, submission_argument};
use crate::task::Context;

/// The verdict of plugins on answers that passed validation.
pub enum PluginVerdict {
    Accept,
    Spam,
    Reject(Rejection),
}

/// Runs the filter `cf_validate_form` (code, form, data) with an empty code. A callback marks the submission as spam by
/// returning `spam`. Another text rejects it with the form's message of that key, and a list of
/// `{field, code, message}` rejects single answers. An error without a field is the form's general error; the host
/// merges such errors into one.
pub async fn validate(cx: &Context, form: &Form, data: &Data) -> PluginVerdict {
    let name = "cf_validate_form";
    if !cx.has_callbacks(Kind::Filter, name) {
        return PluginVerdict::Accept;
    }
    let arguments = [form_argument(form), json!(data)];
    match cx.apply_filters(name, json!(""), &arguments).await {
        Value::String(code) if code == "spam" => PluginVerdict::Spam,
        Value::String(code) if !code.is_empty() => {
            PluginVerdict::Reject(Rejection::by(cx, form, 400, &code).await)
        }
        Value::Array(list) if !list.is_empty() => {
            let faults = list.iter().filter_map(fault).collect();
            let mut rejection = Rejection::for_faults(cx, form, faults).await;
            let general = |fault: &AnswerFault| fault.field.is_empty();
            if let Some(index) = rejection.faults.iter().position(general) {
                rejection.text = rejection.faults.remove(index).message;
            }
            PluginVerdict::Reject(rejection)
        }
        _ => PluginVerdict::Accept,
    }
}

/// Runs the filter `cf_validate_upload` (code, form, file) with an empty code. A callback, such as a virus scanner's,
/// rejects the file by returning the key of a message, or a text for the visitor. Returns the code and the text.
pub async fn validate_upload(
    cx: &Context,
    form: &Form,
    file: &StoredFile,
) -> Option<(String, String)> {
    let arguments = || vec![form_argument(form), json!(file)];
    let code = cx
        .filter_text("cf_validate_upload", String::new(), arguments)
        .await;
    if code.is_empty() {
        return None;
    }
    // Keys have no spaces, so a text with a space is for the visitor.
    if code.contains(' ') {
        return Some(("error".to_owned(), code));
    }
    let text = message(cx, form, &code).await;
    Some((code, text))
}

fn fault(value: &Value) -> Option<AnswerFault> {
    let text = |name: &str| value.get(name).and_then(Value::as_str);
    Some(AnswerFault {
        field: text("field")?.to_owned(),
        part: None,
        row: None,
        input: None,
        code: text("code").unwrap_or("error").to_owned().into(),
        message: text("message")?.to_owned(),
        short: text("message")?.to_owned(),
    })
}

/// Runs the filter `cf_ignored_field_names` (names), which lists fields whose answers are not stored.
pub async fn ignored_names(cx: &Context) -> Vec<String> {
    let name = "cf_ignored_field_names";
    if !cx.has_callbacks(Kind::Filter, name) {
        return Vec::new();
    }
    let names = cx.apply_filters(name, json!([]), &[]).await;
    crate::json::of(&names).unwrap_or_default()
}

/// Runs the action `cf_process_form` (form, submission, data, code), before anything is stored.
pub async fn process_form(cx: &Context, form: &Form, submission: &Submission, code: &str) {
    cx.notify("cf_process_form", || {
        let (form, shown) = (form_argument(form), submission_argument(submission));
        vec![form, shown, json!(submission.data), json!(code)]
    })
    .await;
}

/// Runs the action `cf_submission_inserted` (submission, form), after the submission was stored.
pub async fn inserted(cx: &Context, form: &Form, submission: &Submission) {
    cx.notify("cf_submission_inserted", || {
        vec![submission_argument(submission), form_argument(form)]
    })
    .await;
}

/// Runs the action `cf_form_response` (form, submission, code) before the response to a new submission or a rejection.
/// A rejection has no submission. The action does not run for repeats, reviews and unreadable bodies.
pub async fn form_response(cx: &Context, form: &Form, submission: Option<&Submission>, code: &str) {
    cx.notify("cf_form_response", || {
        let submission = submission.map_or(Value::Null, submission_argument);
        vec![form_argument(form), submission, json!(code)]
    })
    .await;
}
