//! Forms and submissions as hooks' callbacks see them.

use serde_json::Value;

use crate::forms::Form;
use crate::json;
use crate::submissions::Submission;

/// A form, as the REST API shows it.
pub fn form(form: &Form) -> Value {
    json::value(form)
}

/// A submission, as the REST API shows it. The host makes of each file's `key` a way to read it.
pub fn submission(submission: &Submission) -> Value {
    let mut shown = json::value(submission);
    let files = shown.get_mut("files").and_then(Value::as_array_mut);
    for (shown, file) in files.into_iter().flatten().zip(&submission.files) {
        if let Value::Object(shown) = shown {
            shown.insert("key".to_owned(), file.key.as_str().into());
        }
    }
    shown
}
