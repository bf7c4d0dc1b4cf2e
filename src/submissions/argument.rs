//! Submissions as arguments of callbacks.

use serde_json::Value;

use super::Submission;
use crate::json;

/// A submission in the shape of the REST API, with the keys of its files. The host replaces each file's `key` with a
/// function that reads the file.
pub fn submission_argument(submission: &Submission) -> Value {
    let mut shown = json::value(submission);
    let files = shown.get_mut("files").and_then(Value::as_array_mut);
    for (shown, file) in files.into_iter().flatten().zip(&submission.files) {
        if let Value::Object(shown) = shown {
            shown.insert("key".to_owned(), file.key.as_str().into());
        }
    }
    shown
}
