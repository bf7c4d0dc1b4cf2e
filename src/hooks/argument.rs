//! Forms and submissions as hooks' callbacks see them.

use serde_json::{Value, json};

use crate::dates::format_moment;
use crate::forms::Form;
use crate::forms::messages::messages_over_defaults;
use crate::forms::settings::settings_over_defaults;
use crate::submissions::Submission;

/// A form, with every default filled in.
pub fn form(form: &Form) -> Value {
    json!({
        "id": form.id,
        "title": form.title,
        "slug": form.slug,
        "markup": form.markup,
        "settings": settings_over_defaults(&form.settings),
        "messages": messages_over_defaults(&form.messages),
        "source": form.source,
        "has_schema": form.has_schema,
        "revision": form.revision,
        "submission_count": form.submission_count,
        "created_at": format_moment(form.created_at),
        "updated_at": format_moment(form.updated_at),
    })
}

/// A submission, as the REST API shows it.
pub fn submission(submission: &Submission) -> Value {
    serde_json::to_value(submission).unwrap_or(Value::Null)
}
