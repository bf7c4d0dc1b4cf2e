//! The action types: those that are built in, described by the files of `definitions/`, and those
//! that other plugins add by the filter `cf_available_form_actions`.

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::contract::Setting;
use super::services::{self, Service};
use crate::ordered::Gather;
use crate::task::Context;

/// What does a built-in type's work.
#[derive(Clone, Debug)]
pub(super) enum Performer {
    /// `email.rs`.
    Email,
    /// `autoresponder.rs`.
    Autoresponder,
    /// `webhook.rs`.
    Webhook,
    /// `services/`.
    Service(Service),
}

/// An action type.
#[derive(Clone, Debug)]
pub struct ActionType {
    /// Its identifier.
    pub kind: String,
    /// Its name for people.
    pub label: String,
    /// Its settings, in the order in which they are edited.
    pub settings: Vec<Setting>,
    pub(super) performer: Performer,
}

/// What every definition's file has.
#[derive(Deserialize)]
struct Definition {
    #[serde(rename = "type")]
    kind: String,
    label: String,
    settings: Vec<Setting>,
}

impl ActionType {
    /// The required settings that are empty.
    pub fn missing_settings(&self, settings: &Map<String, Value>) -> Vec<&Setting> {
        let is_empty = |setting: &&Setting| {
            let value = settings.get(&setting.key);
            value.is_none_or(|value| match value {
                Value::String(text) => text.trim().is_empty(),
                other => other.is_null(),
            })
        };
        let required = self.settings.iter().filter(|setting| setting.required);
        required
            .filter(|setting| setting.default.is_empty())
            .filter(is_empty)
            .collect()
    }
}

static BUILT_IN: LazyLock<Vec<ActionType>> = LazyLock::new(|| {
    let own = [
        (include_str!("definitions/email.json"), Performer::Email),
        (
            include_str!("definitions/autoresponder.json"),
            Performer::Autoresponder,
        ),
        (include_str!("definitions/webhook.json"), Performer::Webhook),
    ];
    let own = own
        .into_iter()
        .map(|(text, performer)| read(text, |_| Ok(performer)));
    let services = services::DEFINITIONS.into_iter().map(|text| {
        read(text, |text| {
            serde_json::from_str(text).map(Performer::Service)
        })
    });
    // A definition that cannot be read is left out; the tests find it.
    own.chain(services).filter_map(Result::ok).collect()
});

fn read(
    text: &str,
    performer: impl FnOnce(&str) -> serde_json::Result<Performer>,
) -> serde_json::Result<ActionType> {
    let Definition {
        kind,
        label,
        settings,
    } = serde_json::from_str(text)?;
    let performer = performer(text)?;
    Ok(ActionType {
        kind,
        label,
        settings,
        performer,
    })
}

/// The built-in type of that identifier.
pub fn built_in(kind: &str) -> Option<&'static ActionType> {
    BUILT_IN.iter().find(|own| own.kind == kind)
}

/// Every action type that forms are offered, as identifier and label: the built-in ones, passed
/// through the filter `cf_available_form_actions`, a map from identifier to label.
pub async fn all_types(cx: &Context) -> Vec<(String, String)> {
    let own: Map<String, Value> = BUILT_IN
        .iter()
        .map(|own| (own.kind.clone(), json!(own.label)))
        .gather();
    let filtered = cx
        .apply_filters("cf_available_form_actions", Value::Object(own.clone()), &[])
        .await;
    let Value::Object(offered) = filtered else {
        return labels(own);
    };
    labels(offered)
}

fn labels(offered: Map<String, Value>) -> Vec<(String, String)> {
    offered
        .into_iter()
        .map(|(kind, label)| {
            let label = label.as_str().map_or_else(|| kind.clone(), str::to_owned);
            (kind, label)
        })
        .collect()
}
