//! HTML Forms and Core Forms: posts of the type `html-form`, whose content is the markup. Settings and
//! actions are in `_hf_settings` (or `_cf_settings`), messages in `hf_message_…` (or `cf_message_…`).

use serde_json::{Map, Value, json};

use super::wxr::Post;
use super::{Draft, Report, email_action, is_on, php, put, text, values};
use model::ordered::Gather;

/// The settings that mean the same here.
const SAME: [&str; 7] = [
    "save_submissions",
    "hide_after_success",
    "redirect_url",
    "submission_limit",
    "require_user_logged_in",
    "rate_limit",
    "prevent_duplicates",
];

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
    let stored = stored.unwrap_or(Value::Null);
    for (name, value) in stored.as_object().into_iter().flatten() {
        match name.as_str() {
            "actions" => {
                let actions = values(Some(value)).into_iter().enumerate();
                let read = actions.map(|(index, own)| action(own, index, report));
                put(&mut settings, "actions", read.collect::<Vec<_>>());
            }
            // The schema says it: they are made from the markup whenever a form is saved.
            "required_fields" | "email_fields" => {}
            own if SAME.contains(&own) => put(&mut settings, own, with_variables(value)),
            // What is off is off here, too.
            other if !is_on(&stored, other) && !is_list(value) => {}
            other => report.note("unknown_setting", other, "The setting has no counterpart."),
        }
    }
    let messages = post.meta.iter().filter_map(|(key, value)| {
        let code = key
            .strip_prefix("hf_message_")
            .or(key.strip_prefix("cf_message_"))?;
        Some((code.to_owned(), with_variables(&json!(value))))
    });
    if let Some(tag) = post.content.split("{{").nth(1) {
        let name: String = tag.chars().take_while(|c| *c != '}').take(100).collect();
        let message = ["{{", name.trim(), "}} and the like stay as they are."].concat();
        report.note("template_tag", "markup", &message);
    }
    Draft {
        title: post.title.clone(),
        slug: post.slug.clone(),
        markup: post.content.clone(),
        settings,
        messages: messages.gather(),
        ..Draft::default()
    }
}

/// The settings of an email action.
const EMAIL: [&str; 6] = [
    "to",
    "from",
    "subject",
    "message",
    "headers",
    "content_type",
];

fn action(stored: &Value, index: usize, report: &mut Report) -> Value {
    let stored = &with_variables(stored);
    match text(stored, "type").as_str() {
        "email" => {
            let members = stored.as_object().into_iter().flatten();
            for (name, _) in members.filter(|(name, _)| *name != "type") {
                if !EMAIL.contains(&name.as_str()) && is_on(stored, name) {
                    let place = ["actions[", &index.to_string(), "].", name].concat();
                    report.note("unknown_setting", &place, "The setting has no counterpart.");
                }
            }
            email_action(&EMAIL.map(|name| (name, text(stored, name))))
        }
        "webhook" => webhook(stored),
        kind => {
            if kind != "autoresponder" {
                let message =
                    "The action is kept as it is; look whether its settings mean the same here.";
                report.note("unknown_action", kind, message);
            }
            stored.clone()
        }
    }
}

/// A webhook, whose body's kind and header are said in another way here.
fn webhook(stored: &Value) -> Value {
    let mut own = stored.as_object().cloned().unwrap_or_default();
    let mut take = |name: &str| {
        let value = own.remove(name);
        value.and_then(|value| value.as_str().map(str::to_owned))
    };
    let kind = take("content_type");
    let header = take("auth_header_name").filter(|name| !name.is_empty());
    let value = take("auth_header_value").unwrap_or_default();
    if let Some(kind) = kind {
        let is_json = kind.contains("json");
        put(&mut own, "format", if is_json { "json" } else { "form" });
    }
    if let Some(header) = header {
        put(&mut own, "headers", [&header, ": ", &value].concat());
    }
    Value::Object(own)
}

fn is_list(value: &Value) -> bool {
    !values(Some(value)).is_empty()
}

/// The same with this engine's variables: `[CF_…]` for `[HF_…]`.
fn with_variables(value: &Value) -> Value {
    match value {
        Value::String(text) => json!(text.replace("[HF_", "[CF_")),
        Value::Object(members) => {
            let members = members.iter();
            let own = members.map(|(name, value)| (name.clone(), with_variables(value)));
            Value::Object(own.gather())
        }
        Value::Array(items) => items.iter().map(with_variables).collect(),
        other => other.clone(),
    }
}
