//! Converts errors into responses, by one table of statuses and codes. The messages come from [`Error`].

use serde_json::{Map, Value};

use super::Response;
use crate::error::{Error, Missing};

/// Delay before the retry of a request that was rejected because too many bodies were in memory or the database was
/// busy, in seconds.
pub const RETRY_AFTER_SECONDS: i64 = 5;

/// Delay before the retry of a request that failed because of a full disk, in seconds.
pub const DISK_FULL_RETRY_AFTER_SECONDS: i64 = 60;

/// Delay before the retry of a request that failed with this error, in seconds; `None` for permanent errors.
pub(crate) fn retry_after(error: &Error) -> Option<i64> {
    match error {
        Error::TooManyBodies(_) => Some(RETRY_AFTER_SECONDS),
        error if error.is_busy() => Some(RETRY_AFTER_SECONDS),
        error if error.is_disk_full() => Some(DISK_FULL_RETRY_AFTER_SECONDS),
        _ => None,
    }
}

/// The status and code of an error.
pub(crate) fn status_and_code(error: &Error) -> (u16, &str) {
    match error {
        Error::InvalidJson(_) => (400, "rest_invalid_json"),
        Error::MissingParameters(_) => (400, "missing_type"),
        Error::InvalidParameters(_) => (400, "rest_invalid_param"),
        Error::NoSuchPage => (400, "rest_post_invalid_page_number"),
        Error::MarkupAmbiguous => (400, "markup_ambiguous"),
        Error::SecretRequired(_) => (400, "secret_required"),
        Error::UnknownFormat(_) => (400, "unknown_format"),
        Error::AmbiguousFormat(_) => (400, "ambiguous"),
        Error::RetryFailed => (400, "retry_failed"),
        Error::CancelFailed => (400, "cancel_failed"),
        Error::ExportTooLarge => (400, "export_too_large"),
        Error::DismissFailed => (400, "dismiss_failed"),
        Error::UnknownActionType => (400, "unknown_action_type"),
        Error::BrokenBody => (400, "rest_body_unreadable"),
        Error::Authentication(failure) => (failure.status, &failure.code),
        Error::Forbidden => (403, "rest_forbidden"),
        Error::FileFetchRefused => (403, "file_fetch_refused"),
        Error::NoRoute => (404, "rest_no_route"),
        Error::NotFound(Missing::Form) | Error::NoSuchForms(_) => (404, "form_not_found"),
        Error::NotFound(Missing::Schema) => (404, "schema_not_found"),
        Error::NotFound(Missing::Field) => (404, "field_not_found"),
        Error::NotFound(Missing::Submission) => (404, "submission_not_found"),
        Error::NotFound(Missing::Draft) => (404, "draft_not_found"),
        Error::NotFound(Missing::Revision) => (404, "revision_not_found"),
        Error::NotFound(Missing::QueueEntry) => (404, "queue_entry_not_found"),
        Error::NotFound(Missing::File) => (404, "file_not_found"),
        Error::NotFound(Missing::Import) => (404, "import_not_found"),
        Error::SlowBody => (408, "rest_body_too_slow"),
        Error::SlugExists => (409, "slug_exists"),
        Error::DuplicateField(_) => (409, "duplicate_field"),
        Error::FieldInUse { .. } => (409, "field_in_use"),
        Error::MarkupNotPatched(_) => (409, "markup_not_patched"),
        Error::ActionGone => (409, "action_gone"),
        Error::SubmissionIsSpam => (409, "submission_is_spam"),
        Error::Conflict => (409, "rest_conflict"),
        Error::PreconditionFailed => (412, "rest_precondition_failed"),
        Error::PayloadTooLarge => (413, "rest_payload_too_large"),
        Error::TooManyBodies(status) => (*status, "rest_too_many_requests"),
        error if error.is_busy() => (503, "rest_busy"),
        error if error.is_disk_full() => (503, "rest_disk_full"),
        Error::Store(_) | Error::Port(_) | Error::Internal(_) => (500, "internal_error"),
    }
}

/// The data of an error for clients, in addition to the message.
fn data(error: &Error) -> Map<String, Value> {
    let mut data = Map::new();
    let mut add = |name: &str, value: Value| drop(data.insert(name.to_owned(), value));
    match error {
        Error::MissingParameters(names) => add("params", json!(names)),
        Error::InvalidParameters(faults) => {
            let (mut params, mut details) = (Map::new(), Map::new());
            // The first of several faults at one path wins.
            for fault in faults.iter().rev() {
                let detail = json!({"code": fault.code, "message": fault.message});
                params.insert(fault.path.clone(), json!(fault.message));
                details.insert(fault.path.clone(), detail);
            }
            add("params", Value::Object(params));
            add("details", Value::Object(details));
        }
        Error::UnknownFormat(import_error) | Error::AmbiguousFormat(import_error) => {
            add("params", json!({"content": import_error.message}));
            add("formats", json!(import_error.formats));
        }
        Error::NoSuchForms(ids) => add("not_found", json!(ids)),
        Error::FieldInUse { used_by, .. } => add("used_by", json!(used_by)),
        Error::MarkupNotPatched(reason) => add("reason", json!(reason)),
        Error::SecretRequired(path) => {
            let message = "Send the secret.";
            let detail = json!({"code": "secret_required", "message": message});
            add("params", json!({path: message}));
            add("details", json!({path: detail}));
        }
        _ => {}
    }
    data
}

/// The response for an error. The cause of a 5xx goes only into the log, where `request_id` identifies it.
pub fn error_response(error: &Error, request_id: &str) -> Response {
    let (status, code) = status_and_code(error);
    // An authentication failure has the host's code and message, even with the same code as ours.
    let is_ours = !matches!(error, Error::Authentication(_));
    let message = match code {
        "rest_busy" if is_ours => "The site's database is busy. Try again in a moment.".to_owned(),
        "rest_disk_full" if is_ours => {
            "The site's disk is full: nothing was stored. Try again later.".to_owned()
        }
        "internal_error" if is_ours => "Something went wrong on the server. Try again.".to_owned(),
        _ => error.to_string(),
    };
    let mut data = data(error);
    data.insert("status".to_owned(), json!(status));
    if status >= 500 {
        data.insert("request_id".to_owned(), json!(request_id));
    }
    let body = json!({"code": code, "message": message, "data": data});
    let mut response = Response::json(status, &body);
    let is_refused_body = matches!(error, Error::TooManyBodies(_));
    if status >= 500 && !is_refused_body {
        response.log = Some(if is_ours {
            error.to_string()
        } else {
            format!("{code}: {error}")
        });
    }
    if let Some(seconds) = retry_after(error) {
        response = response.with_header("retry-after", seconds.to_string());
    }
    response
}
