//! What plugins make of the defaults of settings and messages: the filters
//! `cf_form_default_settings` (settings) and `cf_form_default_messages` (messages).

use std::rc::Rc;

use serde_json::{Map, Value};

use super::form::Form;
use crate::hooks::Kind;
use crate::task::Context;
use model::messages::messages_over_defaults;
use model::settings::{Settings, settings_over_defaults};

/// The filter on the default settings.
const SETTINGS: &str = "cf_form_default_settings";

/// The filter on the default messages.
const MESSAGES: &str = "cf_form_default_messages";

/// The defaults that the filters gave.
#[derive(Debug, PartialEq)]
pub struct Defaults {
    settings: Map<String, Value>,
    messages: Map<String, Value>,
}

/// The defaults of this site; `None` for the built-in ones.
pub(super) async fn defaults(cx: &Context) -> Option<Rc<Defaults>> {
    let heard = [SETTINGS, MESSAGES]
        .iter()
        .any(|name| cx.has_callbacks(Kind::Filter, name));
    if !heard {
        return None;
    }
    let none = Map::new();
    let mut messages = filtered(cx, MESSAGES, messages_over_defaults(&none)).await;
    messages.retain(|_, text| text.is_string());
    Some(Rc::new(Defaults {
        settings: filtered(cx, SETTINGS, settings_over_defaults(&none)).await,
        messages,
    }))
}

/// What the filter adds or changes; what it takes away has its built-in default again.
async fn filtered(cx: &Context, name: &str, own: Map<String, Value>) -> Map<String, Value> {
    match cx
        .apply_filters(name, Value::Object(own.clone()), &[])
        .await
    {
        Value::Object(changed) => over(&own, &changed),
        _ => own,
    }
}

fn over(defaults: &Map<String, Value>, stored: &Map<String, Value>) -> Map<String, Value> {
    let mut all = defaults.clone();
    let stored = stored.iter();
    all.extend(stored.map(|(key, value)| (key.clone(), value.clone())));
    all
}

impl Form {
    /// The settings, with every default filled in.
    pub fn all_settings(&self) -> Map<String, Value> {
        match &self.defaults {
            Some(defaults) => over(&defaults.settings, &self.settings),
            None => settings_over_defaults(&self.settings),
        }
    }

    /// The messages, with every default filled in.
    pub fn all_messages(&self) -> Map<String, Value> {
        match &self.defaults {
            Some(defaults) => over(&defaults.messages, &self.messages),
            None => messages_over_defaults(&self.messages),
        }
    }

    /// The settings, typed, with every default filled in.
    pub fn settings(&self) -> Settings {
        match &self.defaults {
            Some(_) => Settings::read(&self.all_settings()),
            None => Settings::read(&self.settings),
        }
    }
}
