//! The settings form of an action type, as HTML for the form editor. Inputs are named
//! `form[settings][actions][{index}][{key}]` (specification, "Custom action contract").

use std::fmt::Write;

use serde_json::{Map, Value};

use super::{Setting, SettingInput, built_in};
use crate::markup::escape::escaped;
use crate::task::Context;

/// Renders a hidden input with the type, the inputs of the settings, and the HTML that the callbacks of
/// `cf_output_form_action_{type}_settings` return. The callbacks receive the current settings and the index.
pub async fn settings_html(
    cx: &Context,
    kind: &str,
    current: &Map<String, Value>,
    index: i64,
) -> String {
    let mut html = String::new();
    for setting in built_in(kind)
        .into_iter()
        .flat_map(|action_type| &action_type.settings)
    {
        push_setting(&mut html, setting, current, index);
    }
    let hook = format!("cf_output_form_action_{kind}_settings");
    let arguments = [Value::Object(current.clone()), json!(index)];
    for result in cx.collect_action(&hook, &arguments).await {
        match result {
            Ok(Value::String(inputs)) => html.push_str(&inputs),
            Ok(_) => {}
            Err(fault) => cx.log_fault(&hook, &fault).await,
        }
    }
    // A callback may have rendered the type already.
    let name = input_name(index, "type");
    if html.contains(&name) {
        return html;
    }
    let kind = escaped(kind);
    format!("<input type=\"hidden\" name=\"{name}\" value=\"{kind}\">{html}")
}

fn input_name(index: i64, key: &str) -> String {
    escaped(&format!("form[settings][actions][{index}][{key}]"))
}

fn push_setting(html: &mut String, setting: &Setting, current: &Map<String, Value>, index: i64) {
    let name = input_name(index, &setting.key);
    let id = escaped(&format!("action-{index}-{}", setting.key));
    let value = match current.get(&setting.key) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::Bool(true)) => "1".to_owned(),
        _ => String::new(),
    };
    let required = if setting.required { " required" } else { "" };
    let named = format!("id=\"{id}\" name=\"{name}\"");
    let hint = escaped(&setting.default);
    let value = escaped(&value);
    let label = escaped(&setting.label);
    let _ = write!(html, "<p><label for=\"{id}\">{label}</label> ");
    let _ = match setting.input {
        SettingInput::Text => write!(
            html,
            "<input type=\"text\" {named} value=\"{value}\" placeholder=\"{hint}\"{required}>"
        ),
        SettingInput::Password => write!(
            html,
            "<input type=\"password\" {named} value=\"{value}\" autocomplete=\"off\"{required}>"
        ),
        SettingInput::Textarea => write!(
            html,
            "<textarea {named} rows=\"5\" placeholder=\"{hint}\"{required}>\n{value}</textarea>"
        ),
        SettingInput::Checkbox => {
            let checked = if value.is_empty() { "" } else { " checked" };
            write!(
                html,
                "<input type=\"hidden\" name=\"{name}\" value=\"\"><input type=\"checkbox\" {named} value=\"1\"{checked}>"
            )
        }
        SettingInput::Select => {
            let chosen = if value.is_empty() { &hint } else { &value };
            let options = setting.options.iter().map(|option| {
                let value = escaped(&option.value);
                let selected = if &value == chosen { " selected" } else { "" };
                let label = escaped(&option.label);
                format!("<option value=\"{value}\"{selected}>{label}</option>")
            });
            let options: String = options.collect();
            write!(html, "<select {named}{required}>{options}</select>")
        }
    };
    if !setting.help.is_empty() {
        let _ = write!(html, " <small>{}</small>", escaped(&setting.help));
    }
    html.push_str("</p>");
}
