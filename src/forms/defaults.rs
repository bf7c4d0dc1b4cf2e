//! The defaults of settings and messages, which plugins change by the filters `cf_form_default_settings` (settings) and
//! `cf_form_default_messages` (messages).

use std::rc::Rc;

use serde_json::{Map, Value};

use crate::hooks::Kind;
use crate::logic::validate::general_fault;
use crate::store::{Defaults, Form};
use crate::task::Context;
use model::messages::{is_default, messages_over_defaults, text_of, word, words};
use model::settings::{
    Settings, default_setting, fill_actions, form_setting, settings_over_defaults,
};

/// The filter on the default settings.
const SETTINGS: &str = "cf_form_default_settings";

/// The filter on the default messages.
const MESSAGES: &str = "cf_form_default_messages";

/// The site's defaults; `None` if no plugin changes the built-in ones.
pub(super) async fn defaults(cx: &Context) -> Option<Rc<Defaults>> {
    let has_callbacks = [SETTINGS, MESSAGES]
        .iter()
        .any(|name| cx.has_callbacks(Kind::Filter, name));
    if !has_callbacks {
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

/// Lists settings that neither the engine nor a plugin's defaults define.
pub async fn unknown_settings(cx: &Context, settings: &Map<String, Value>) -> Vec<String> {
    let unknown = |key: &&String| form_setting(key).is_none();
    if !settings.keys().any(|key| unknown(&key)) {
        return Vec::new();
    }
    let defaults = defaults(cx).await;
    let of_plugins = |key: &str| {
        defaults
            .as_ref()
            .is_some_and(|all| all.settings.contains_key(key))
    };
    let unknown = settings
        .keys()
        .filter(unknown)
        .filter(|key| !of_plugins(key));
    unknown.cloned().collect()
}

/// Applies a filter to the built-in defaults; removed members get their built-in values back.
async fn filtered(cx: &Context, name: &str, built_in: Map<String, Value>) -> Map<String, Value> {
    match cx
        .apply_filters(name, Value::Object(built_in.clone()), &[])
        .await
    {
        Value::Object(changed) => over(&built_in, &changed),
        _ => built_in,
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
            Some(defaults) => {
                let mut all = over(&defaults.settings, &self.settings);
                fill_actions(&mut all);
                all
            }
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

    /// The messages and the words that pages add ([`words`]).
    pub fn all_texts(&self) -> Map<String, Value> {
        let mut texts = self.all_messages();
        for key in words() {
            texts.entry(key).or_insert_with(|| Value::from(word(key)));
        }
        texts
    }

    /// A setting, or its default. Only [`Form::all_settings`] fills in actions.
    pub fn setting(&self, key: &str) -> Option<&Value> {
        let default = || match &self.defaults {
            Some(all) => all.settings.get(key),
            None => default_setting(key),
        };
        self.settings.get(key).or_else(default)
    }

    /// A message or its default; the general error for an unknown code.
    pub fn message(&self, code: &str) -> &str {
        text_of(|code| self.custom_message(code), code)
    }

    /// A message that the form or a plugin sets.
    pub fn custom_message(&self, code: &str) -> Option<&str> {
        let default = || self.defaults.as_ref()?.messages.get(code);
        self.messages.get(code).or_else(default)?.as_str()
    }

    /// A word of [`words`] or a message, in the form's or a plugin's wording.
    pub fn word(&self, key: &str) -> &str {
        self.custom_message(key).unwrap_or_else(|| word(key))
    }

    /// Fills in the texts of a language where neither the form nor a plugin sets any. A form's text for a general
    /// fault also replaces the more specific texts.
    pub fn fill_in_texts(&mut self, texts: &Map<String, Value>) {
        let all = self.all_messages();
        for (code, text) in texts {
            // A custom text for the general fault takes precedence.
            let follows =
                general_fault(code).is_some_and(|general| !is_default(&all, general.as_str()));
            if text.is_string() && is_default(&all, code) && !follows {
                self.messages.insert(code.clone(), text.clone());
            }
        }
    }

    /// The settings as a struct, with every default filled in.
    pub fn settings(&self) -> Settings {
        match &self.defaults {
            Some(_) => Settings::read(&self.all_settings()),
            None => Settings::read(&self.settings),
        }
    }
}
