//! The texts in the answers of a submission.

use serde_json::Value;

use crate::submissions::Submission;

/// Calls `visit` for every text in the answers, at any depth.
pub(super) fn for_each_text<'s>(submission: &'s Submission, mut visit: impl FnMut(&'s str)) {
    for (_, value) in submission.data.iter() {
        let mut waiting = vec![value];
        while let Some(value) = waiting.pop() {
            match value {
                Value::String(text) => visit(text),
                Value::Array(items) => waiting.extend(items.iter().rev()),
                Value::Object(members) => waiting.extend(members.values().rev()),
                _ => {}
            }
        }
    }
}
