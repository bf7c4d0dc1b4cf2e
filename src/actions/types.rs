//! The action types: those that are built in, described by the files of `definitions/`, and those
//! that other plugins add by the filter `cf_available_form_actions`.

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::contract::Setting;
use super::services::{Escape, Step};
use crate::ordered::Gather;
use crate::task::Context;

/// An action type.
#[derive(Clone, Debug, Deserialize)]
pub struct ActionType {
    /// Its identifier.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its name for people.
    pub label: String,
    /// Its settings, in the order in which they are edited.
    pub settings: Vec<Setting>,
    /// How answers are escaped, so that they do nothing in a service's own markup.
    #[serde(default)]
    pub(super) escape: Escape,
    /// The requests that call a service, one after another; the first that fails ends the run. Without any, a file of
    /// this folder does the type's work.
    #[serde(default)]
    pub(super) steps: Vec<Step>,
}

impl ActionType {
    /// The setting of a key.
    pub(super) fn setting(&self, key: &str) -> Option<&Setting> {
        self.settings.iter().find(|setting| setting.key == key)
    }

    /// The required settings that are empty.
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
    // A definition that cannot be read is left out; the tests find it.
    let definitions = DEFINITIONS.iter();
    definitions
        .filter_map(|text| serde_json::from_str(text).ok())
        .collect()
});

/// The definitions of the built-in types, as JSON texts: the files of `definitions/` and `services/` (`build.rs`).
const DEFINITIONS: &[&str] = include!(concat!(env!("OUT_DIR"), "/action_types.rs"));

/// The built-in type of that identifier.
pub fn built_in(kind: &str) -> Option<&'static ActionType> {
    BUILT_IN.iter().find(|found| found.kind == kind)
}

/// Every action type that forms are offered, as identifier and label: the built-in ones, passed
/// through the filter `cf_available_form_actions`, a map from identifier to label.
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
