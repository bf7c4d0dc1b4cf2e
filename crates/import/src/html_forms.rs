//! HTML Forms and Core Forms: posts of the types `html-form`, `core-form` and `cf-form`, whose content is the markup.
//! Settings and actions are in `_hf_settings` (or `_cf_settings`), messages in `hf_message_…` (or `cf_message_…`).

use model::check::MAX_NAME_CHARS;
use serde_json::Value;

use super::values::{
    counterpart, either, email_action, entries, is_on, member, put, put_text, shortened, text,
    values,
};
use super::{Draft, Report, php};

/// Converts a post to the draft of a form.
pub fn draft(post: &Value, report: &mut Report) -> Draft {
    let mut draft = Draft::of_post(post, report);
    let meta = member(post, "meta");
    report.unknown_meta(meta, "html_forms/meta");
    let stored = either(meta, "_hf_settings", "_cf_settings");
    let stored = php::unserialize(stored).or_else(|| serde_json::from_str(stored).ok());
    let mut stored = stored.unwrap_or_default();
    rename_variables(&mut stored);
    for (name, value) in entries(&stored) {
        match name {
            "actions" => {
                let actions = values(value).into_iter().enumerate();
                let actions = actions.map(|(index, stored)| action(stored, index, report));
                put(&mut draft.settings, name, actions.collect());
            }
            // Each save of a form derives these from the markup, so they are not imported.
            "required_fields" | "email_fields" => {}
            setting if counterpart("html_forms.settings", setting).is_some() => {
                put(&mut draft.settings, setting, value.clone());
            }
            // An unknown setting that is off loses nothing.
            other if !is_on(&stored, other) && values(value).is_empty() => {}
            other => report.remark("unknown_setting", other, ""),
        }
    }
    for (key, value) in entries(meta) {
        let code = key.strip_prefix("hf_message_");
        if let Some(code) = code.or_else(|| key.strip_prefix("cf_message_")) {
            let mut words = value.clone();
            rename_variables(&mut words);
            put(&mut draft.messages, code, words);
        }
    }
    text(post, "content").clone_into(&mut draft.markup);
    if let Some(tag) = draft.markup.split("{{").nth(1) {
        let name = shortened(tag.split('}').next().unwrap_or_default(), MAX_NAME_CHARS);
        let about = ["{{", name.trim(), "}}"].concat();
        report.remark("template_tag", "markup", &about);
    }
    draft
}

fn action(stored: &Value, index: usize, report: &mut Report) -> Value {
    match text(stored, "type") {
        "email" => {
            for (name, _) in entries(stored) {
                let is_known = name == "type" || counterpart("html_forms.email", name).is_some();
                if !is_known && is_on(stored, name) {
                    let place = format!("actions[{index}].{name}");
                    report.remark("unknown_setting", &place, "");
                }
            }
            let unchanged = &mut |_: &str, template: &str| template.to_owned();
            Value::Object(email_action(stored, "html_forms.email", unchanged))
        }
        "webhook" => webhook(stored),
        kind => {
            if kind != "autoresponder" {
                report.remark("unknown_action", kind, "");
            }
            stored.clone()
        }
    }
}

/// Converts a webhook. This engine has other settings for the type of the body and for the header.
fn webhook(stored: &Value) -> Value {
    let mut action = stored.as_object().cloned().unwrap_or_default();
    for name in ["content_type", "auth_header_name", "auth_header_value"] {
        action.remove(name);
    }
    if let Some(kind) = member(stored, "content_type").as_str() {
        let is_json = kind.contains("json");
        put_text(&mut action, "format", if is_json { "json" } else { "form" });
    }
    let header = text(stored, "auth_header_name");
    if !header.is_empty() {
        let line = [header, ": ", text(stored, "auth_header_value")].concat();
        put_text(&mut action, "headers", &line);
    }
    Value::Object(action)
}

/// Replaces the variables in all texts with this engine's variables: `[HF_…]` becomes `[CF_…]`.
fn rename_variables(value: &mut Value) {
    match value {
        Value::String(text) => *text = text.replace("[HF_", "[CF_"),
        Value::Object(members) => members.values_mut().for_each(rename_variables),
        Value::Array(items) => items.iter_mut().for_each(rename_variables),
        _ => {}
    }
}
