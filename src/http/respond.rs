//! What each error is for a client: one table of status, code and words.

use serde_json::{Map, Value, json};

use super::Response;
use crate::error::{Error, Missing};

/// When what was refused for the bytes under way is worth another attempt.
pub const RETRY_AFTER_SECONDS: i64 = 5;

/// An error as the client sees it.
pub(crate) struct Shown {
    pub(crate) status: u16,
    pub(crate) code: String,
    pub(crate) message: String,
    data: Map<String, Value>,
}

impl Shown {
    fn new(status: u16, code: &str, message: impl Into<String>) -> Shown {
        Shown {
            status,
            code: code.to_owned(),
            message: message.into(),
            data: Map::new(),
        }
    }

    fn with(mut self, name: &str, value: Value) -> Shown {
        self.data.insert(name.to_owned(), value);
        self
    }
}

/// The table.
pub(crate) fn show(error: &Error) -> Shown {
    match error {
        Error::NoRoute => Shown::new(
            404,
            "rest_no_route",
            "No route was found matching the URL and request method.",
        ),
        Error::Authentication(failure) => {
            Shown::new(failure.status, &failure.code, failure.message.as_str())
        }
        Error::Forbidden => Shown::new(
            403,
            "rest_forbidden",
            "Sorry, you are not allowed to do that.",
        ),
        Error::InvalidJson(reason) => Shown::new(
            400,
            "rest_invalid_json",
            format!("Invalid JSON body passed: {reason}."),
        ),
        Error::MissingParameters(names) => Shown::new(
            400,
            "missing_type",
            format!("Missing parameter(s): {}.", names.join(", ")),
        )
        .with("params", json!(names)),
        Error::InvalidParameters(faults) => {
            let mut params = Map::new();
            let mut details = Map::new();
            for fault in faults {
                params
                    .entry(&fault.path)
                    .or_insert_with(|| json!(fault.message));
                details
                    .entry(&fault.path)
                    .or_insert_with(|| json!({"code": fault.code, "message": fault.message}));
            }
            let names: Vec<&str> = params.keys().map(String::as_str).collect();
            let message = format!("Invalid parameter(s): {}.", names.join(", "));
            Shown::new(400, "rest_invalid_param", message)
                .with("params", Value::Object(params))
                .with("details", Value::Object(details))
        }
        Error::NoSuchPage => Shown::new(
            400,
            "rest_post_invalid_page_number",
            "The page number requested is larger than the number of pages available.",
        ),
        Error::NotFound(missing) => {
            let (code, message) = match missing {
                Missing::Form => ("form_not_found", "There is no form with that id."),
                Missing::Schema => ("schema_not_found", "The form has no schema."),
                Missing::Field => ("field_not_found", "The schema has no field of that name."),
                Missing::Submission => (
                    "submission_not_found",
                    "There is no submission with that id.",
                ),
                Missing::Draft => ("draft_not_found", "The form has no work in progress."),
                Missing::Revision => (
                    "revision_not_found",
                    "The form has no revision of that number.",
                ),
                Missing::QueueEntry => (
                    "queue_entry_not_found",
                    "There is no queue entry with that id.",
                ),
                Missing::File => ("file_not_found", "The submission has no file with that id."),
            };
            Shown::new(404, code, message)
        }
        Error::NoSuchForms(ids) => {
            let named: Vec<String> = ids.iter().map(i64::to_string).collect();
            let message = format!("There are no forms with the ids {}.", named.join(", "));
            Shown::new(404, "form_not_found", message).with("not_found", json!(ids))
        }
        Error::SlugExists => Shown::new(409, "slug_exists", "Another form has that slug."),
        Error::DuplicateField(name) => {
            let message = format!("The schema has a field named `{name}` already.");
            Shown::new(409, "duplicate_field", message)
        }
        Error::FieldInUse { field, used_by } => {
            let message = format!(
                "Conditions of {} refer to `{field}`. Add force=true to drop them.",
                used_by
                    .iter()
                    .map(|name| format!("`{name}`"))
                    .collect::<Vec<_>>()
                    .join(", ")
            );
            Shown::new(409, "field_in_use", message).with("used_by", json!(used_by))
        }
        Error::MarkupNotPatched(reason) => {
            let message = format!(
                "The edit cannot be made in the markup: {reason}. Without patch_only=true the schema is edited instead, and becomes the form's source."
            );
            Shown::new(409, "markup_not_patched", message).with("reason", json!(reason))
        }
        Error::MarkupAmbiguous => Shown::new(
            400,
            "markup_ambiguous",
            "The markup can be read in two ways, so that a script may hide in it. Remove elements that belong to no form, such as frameset.",
        ),
        Error::SecretRequired(path) => {
            let message =
                format!("Send the secret of `{path}`: none is stored for where it would go.");
            Shown::new(400, "secret_required", message)
                .with("params", json!({path: "Send the secret."}))
                .with(
                    "details",
                    json!({path: {"code": "secret_required", "message": "Send the secret."}}),
                )
        }
        Error::RetryFailed => Shown::new(
            400,
            "retry_failed",
            "Only an action in failed state can be retried.",
        ),
        Error::CancelFailed => Shown::new(
            400,
            "cancel_failed",
            "Only an action that waits can be cancelled.",
        ),
        Error::ActionGone => Shown::new(
            409,
            "action_gone",
            "The form has this action no more. Without settings=current it is retried as it was queued.",
        ),
        Error::SubmissionIsSpam => Shown::new(
            409,
            "submission_is_spam",
            "The actions of spam are withheld. Take the submission out of spam first.",
        ),
        Error::UnknownActionType => Shown::new(
            400,
            "unknown_action_type",
            "No action of that type is registered.",
        ),
        Error::PreconditionFailed => Shown::new(
            412,
            "rest_precondition_failed",
            "It was changed since you read it. Read it again, then repeat your change.",
        ),
        Error::PayloadTooLarge => Shown::new(
            413,
            "rest_payload_too_large",
            "The body is larger than this site allows.",
        ),
        Error::BrokenBody => Shown::new(
            400,
            "rest_body_unreadable",
            "The body could not be read to its end.",
        ),
        Error::TooManyBodies(status) => Shown::new(
            *status,
            "rest_too_many_requests",
            "Too much is being sent at once. Try again in a moment.",
        ),
        Error::Conflict => Shown::new(
            409,
            "rest_conflict",
            "It is being changed by others. Try again.",
        ),
        error if error.is_busy() => Shown::new(
            503,
            "rest_busy",
            "The site's database is busy. Try again in a moment.",
        ),
        Error::Store(_) | Error::Port(_) | Error::Internal(_) => Shown::new(
            500,
            "internal_error",
            "The site could not answer. The fault was logged.",
        ),
    }
}

/// The answer for an error. Nothing of a 5xx's cause goes into the body; it goes into the log,
/// where `request_id` finds it.
pub fn error_response(error: &Error, request_id: &str) -> Response {
    let mut shown = show(error);
    shown.data.insert("status".to_owned(), json!(shown.status));
    if shown.status >= 500 {
        shown
            .data
            .insert("request_id".to_owned(), json!(request_id));
    }
    let body = json!({"code": shown.code, "message": shown.message, "data": shown.data});
    let mut response = Response::json(shown.status, &body);
    if matches!(error, Error::TooManyBodies(_)) {
        return response.with_header("retry-after", RETRY_AFTER_SECONDS.to_string());
    }
    if shown.status >= 500 {
        response.log = Some(error.to_string());
    }
    if error.is_busy() {
        response = response.with_header("retry-after", RETRY_AFTER_SECONDS.to_string());
    }
    response
}
