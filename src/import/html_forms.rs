//! HTML Forms and Core Forms: posts of the type `html-form`, whose content is the markup. Settings and
//! actions are in `_hf_settings` (or `_cf_settings`), messages in `hf_message_…` (or `cf_message_…`).

use serde_json::{Map, Value, json};

use super::wxr::Post;
use super::{Draft, Report, email_action, php, text, values};

/// The settings that mean the same here.
const SAME: [&str; 9] = [
    "save_submissions",
    "hide_after_success",
    "redirect_url",
    "required_fields",
    "email_fields",
    "submission_limit",
    "require_user_logged_in",
    "rate_limit",
    "prevent_duplicates",
];

/// What is made from the markup whenever a form is saved.
const DERIVED: [&str; 2] = ["required_fields", "email_fields"];

/// Whether a post is such a form.
pub fn is_form(post: &Post) -> bool {
    matches!(
        post.kind.as_str(),
        "html-form" | "core-form" | "core_form" | "cf-form"
    )
}

/// The form of a post.
pub fn draft(post: &Post, report: &mut Report) -> Draft {
    report.begin(&post.title);
    let stored = match post.meta("_hf_settings") {
        "" => post.meta("_cf_settings"),
        own => own,
    };
    let stored = php::unserialize(stored).or_else(|| serde_json::from_str(stored).ok());
    let mut settings = Map::new();
    for (name, value) in stored
        .as_ref()
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        match name.as_str() {
            "actions" => {
                let actions = values(Some(value)).into_iter();
                let actions: Vec<Value> = actions.map(|own| action(own, report)).collect();
                settings.insert("actions".to_owned(), json!(actions));
            }
            // The schema says it.
            own if DERIVED.contains(&own) => {}
            own if SAME.contains(&own) => {
                settings.insert(own.to_owned(), value.clone());
            }
            other => report.note("unknown_setting", other, "The setting has no counterpart."),
        }
    }
    let messages = post.meta.iter().filter_map(|(key, value)| {
        let code = key
            .strip_prefix("hf_message_")
            .or(key.strip_prefix("cf_message_"))?;
        Some((code.to_owned(), json!(value)))
    });
    Draft {
        title: post.title.clone(),
        slug: post.slug.clone(),
        markup: post.content.clone(),
        settings,
        messages: messages.collect(),
        ..Draft::default()
    }
}

fn action(stored: &Value, report: &mut Report) -> Value {
    match text(stored, "type").as_str() {
        "email" => email_action(&[
            ("to", text(stored, "to")),
            ("from", text(stored, "from")),
            ("subject", text(stored, "subject")),
            ("message", text(stored, "message")),
            ("headers", text(stored, "headers")),
            ("content_type", text(stored, "content_type")),
        ]),
        kind => {
            if kind != "webhook" {
                let message =
                    "The action is kept as it is; look whether its settings mean the same here.";
                report.note("unknown_action", kind, message);
            }
            stored.clone()
        }
    }
}
