//! Forms and submissions as hooks' callbacks see them.

use serde_json::Value;

use crate::forms::Form;
use crate::submissions::Submission;

/// A form, as the REST API shows it.
pub fn form(form: &Form) -> Value {
    serde_json::to_value(form.view()).unwrap_or(Value::Null)
}

/// A submission, as the REST API shows it.
pub fn submission(submission: &Submission) -> Value {
    serde_json::to_value(submission).unwrap_or(Value::Null)
}
