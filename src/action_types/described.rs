//! The settings that plugins describe for their action types.

use serde_json::Value;

use super::secrets::is_secret;
use super::{ActionType, Escape, Setting, SettingInput, built_in};
use crate::hooks::Kind;
use crate::json;
use crate::task::Context;

/// The filter by which plugins describe settings, as `{type: settings}`.
const FILTER: &str = "cf_form_action_settings";

/// The plugins' action types whose settings are described. A type with an unreadable description is logged and left
/// out.
pub async fn described_types(cx: &Context) -> Vec<ActionType> {
    let mut types = Vec::new();
    if !cx.has_callbacks(Kind::Filter, FILTER) {
        return types;
    }
    let described = cx.apply_filters(FILTER, json!({}), &[]).await;
    for (kind, settings) in described.as_object().into_iter().flatten() {
        if built_in(kind).is_some() {
            continue;
        }
        match settings_of(kind, settings) {
            Ok(settings) => types.push(ActionType {
                kind: kind.clone(),
                label: kind.clone(),
                settings,
                escape: Escape::None,
                steps: Vec::new(),
            }),
            Err(error) => {
                let message = format!("the settings of the action type {kind} cannot be read");
                let fields = json!({"hook": FILTER, "error": error.to_string()});
                cx.log("error", message, fields).await;
            }
        }
    }
    types
}

fn settings_of(kind: &str, described: &Value) -> serde_json::Result<Vec<Setting>> {
    let mut settings: Vec<Setting> = json::of(described)?;
    for setting in &mut settings {
        setting.secret = is_secret(kind, &setting.key);
        // As in HTML, a select without a default value has the first option as its default.
        if let (SettingInput::Select, "", Some(first)) = (
            setting.input,
            setting.default.as_str(),
            setting.options.first(),
        ) {
            setting.default.clone_from(&first.value);
        }
    }
    Ok(settings)
}
