//! Action types. The files in `definitions/` and `services/` describe the built-in types; plugins add types by the
//! filter `cf_available_form_actions`. This folder defines the settings of actions; `src/actions` runs them.

mod described;
mod secret_names;
pub mod secrets;
mod setting;
mod setting_faults;
mod settings_form;
mod step;

pub use described::described_types;
pub use setting::{Setting, SettingInput};
pub use setting_faults::setting_faults;
pub use settings_form::settings_html;
pub use step::{Escape, Step, Success};

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::ordered::Gather;
use crate::task::Context;

/// An action type, as a JSON definition or a plugin describes it.
#[derive(Clone, Debug, Deserialize)]
pub struct ActionType {
    /// The identifier, such as `email`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The label in the form editor.
    pub label: String,
    /// The settings, in the order in which the settings form shows them.
    pub settings: Vec<Setting>,
    /// The escaping that keeps answers from acting as the service's markup.
    #[serde(default)]
    pub escape: Escape,
    /// The requests to a service, in order; the first failure ends the run. Types without requests are implemented in
    /// `src/actions` or by a plugin.
    #[serde(default)]
    pub steps: Vec<Step>,
}

impl ActionType {
    /// Finds a setting by its key.
    pub(super) fn setting(&self, key: &str) -> Option<&Setting> {
        self.settings.iter().find(|setting| setting.key == key)
    }

    /// Lists required settings that are empty and have no default.
    pub fn missing_settings(&self, settings: &Map<String, Value>) -> Vec<&Setting> {
        let is_missing = |setting: &&Setting| {
            let is_empty = match settings.get(&setting.key) {
                Some(Value::String(text)) => text.trim().is_empty(),
                value => value.is_none_or(Value::is_null),
            };
            setting.required && setting.default.is_empty() && is_empty
        };
        self.settings.iter().filter(is_missing).collect()
    }
}

/// The built-in types.
static BUILT_IN: LazyLock<Vec<ActionType>> = LazyLock::new(|| {
    // Definitions that cannot be parsed are skipped; a test detects them.
    let definitions = DEFINITIONS.iter();
    definitions
        .filter_map(|text| serde_json::from_str(text).ok())
        .collect()
});

/// The definitions of the built-in types, as JSON texts: the files of `definitions/` and `services/` (`build.rs`).
const DEFINITIONS: &[&str] = include!(concat!(env!("OUT_DIR"), "/action_types.rs"));

/// The built-in type with an identifier.
pub fn built_in(kind: &str) -> Option<&'static ActionType> {
    BUILT_IN.iter().find(|found| found.kind == kind)
}

/// Lists all action types as pairs of identifier and label. The filter `cf_available_form_actions` receives the
/// built-in types as a map from identifier to label, and may change it.
pub async fn all_types(cx: &Context) -> Vec<(String, String)> {
    let labels = BUILT_IN
        .iter()
        .map(|found| (found.kind.clone(), json!(found.label)));
    let built_in: Map<String, Value> = labels.gather();
    let filtered = cx
        .apply_filters(
            "cf_available_form_actions",
            Value::Object(built_in.clone()),
            &[],
        )
        .await;
    let offered = match filtered {
        Value::Object(offered) => offered,
        _ => built_in,
    };
    let offered = offered.into_iter().map(|(kind, label)| {
        let label = label.as_str().unwrap_or(&kind).to_owned();
        (kind, label)
    });
    offered.collect()
}
