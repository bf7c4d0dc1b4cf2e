//! Filling a service's templates with settings and answers.
//!
//! `{{name}}` is replaced by a setting, by `idempotency_key` or `item`, or by a value that an earlier step saved. In
//! JSON these objects are replaced:
//!
//! | written | becomes |
//! |---|---|
//! | `{"$text": "{{message}}", "max": 2000}` | the text, cut with an ellipsis at `max` characters |
//! | `{"$parts": {…}, "of": "{{message}}", "size": 2000, "max": 100}` | an item for each `size` characters of the text, with `{{part}}`; at most `max` items |
//! | `{"$map": "fields"}` | an object from the setting's lines, `Name = template` each; `with` adds members |
//! | `{"$list": "tags"}`, `{"$numbers": "ids"}` | the items of a comma list, as texts or as whole numbers |
//! | `{"$answers": {…}, "max": 25, "total": 5000}` | an item for each answer, with `{{label}}` and `{{value}}`; at most `max` items and `total` characters |
//! | `{"$payload": true}` | the event, as webhooks send it |
//!
//! A member whose name ends with `?` is left out when it is empty.

use std::borrow::Cow;
use std::collections::BTreeMap;

use percent_encoding::utf8_percent_encode;
use serde_json::{Map, Value};

use crate::action_types::{Escape, Setting};
use crate::actions::contract::{Work, comma_list};
use crate::actions::http::SEGMENT;
use crate::actions::webhook::payload;
use crate::logic::template::{self, Context};
use crate::ordered::Gather;

/// The kind of place that a template is rendered into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Text,
    /// A URL. Values are percent-encoded, except a value at the very beginning.
    Url,
    /// A header, on one line.
    Header,
}

/// The values that templates are filled with.
pub(super) struct Values<'a> {
    work: &'a Work,
    escape: Escape,
    texts: BTreeMap<String, String>,
}

impl<'a> Values<'a> {
    /// Reads the settings and fills in the answers.
    pub(super) fn read(work: &'a Work, settings: &'a [Setting], escape: Escape) -> Values<'a> {
        let mut values = Values {
            work,
            escape,
            texts: BTreeMap::new(),
        };
        for setting in settings {
            let template = work.setting(&setting.key, &setting.default);
            // `fields` has one template per line, so it is split before answers are filled in. Secrets never contain
            // answers.
            let text = if setting.key == "fields" || setting.secret {
                template.to_owned()
            } else {
                values.expand(template)
            };
            values.texts.insert(setting.key.clone(), text);
        }
        values.set("idempotency_key", work.idempotency_key.clone());
        values
    }

    /// Returns the trimmed value of a name; empty if there is none.
    pub(super) fn get(&self, name: &str) -> &str {
        self.texts.get(name).map_or("", |text| text.trim())
    }

    /// Sets the value of a name.
    pub(super) fn set(&mut self, name: &str, text: String) {
        self.texts.insert(name.to_owned(), text);
    }

    /// Fills a template with the values.
    pub(super) fn fill(&self, template: &str, place: Place) -> String {
        let mut filled = String::new();
        let mut rest = template;
        while let Some((before, name, after)) = next_place(rest) {
            filled.push_str(before);
            let value = self.get(name);
            match place {
                Place::Text => filled.push_str(value),
                Place::Url if filled.is_empty() && after.starts_with('/') => {
                    filled.push_str(value.trim_end_matches('/'));
                }
                Place::Url if filled.is_empty() => filled.push_str(value),
                Place::Url => filled.extend(utf8_percent_encode(value, &SEGMENT)),
                Place::Header => filled.extend(value.chars().filter(|c| !c.is_control())),
            }
            rest = after;
        }
        filled.push_str(rest);
        filled
    }

    /// Fills the texts of a JSON template.
    pub(super) fn fill_json(&self, template: &Value) -> Value {
        match template {
            Value::String(text) => Value::String(self.fill(text, Place::Text)),
            Value::Array(items) => items.iter().map(|item| self.fill_json(item)).collect(),
            Value::Object(members) => {
                let made = self.replacement(members);
                made.unwrap_or_else(|| self.fill_members(members))
            }
            other => other.clone(),
        }
    }

    fn fill_members(&self, members: &Map<String, Value>) -> Value {
        let mut filled = Map::new();
        for (name, template) in members {
            let value = self.fill_json(template);
            match name.strip_suffix('?') {
                Some(_) if is_empty(&value) => {}
                Some(name) => drop(filled.insert(name.to_owned(), value)),
                None => drop(filled.insert(self.fill(name, Place::Text), value)),
            }
        }
        Value::Object(filled)
    }

    /// The replacement of an object such as `{"$text": …}`; `None` for any other object.
    fn replacement(&self, members: &Map<String, Value>) -> Option<Value> {
        let limit = |name: &str| {
            let number = members.get(name).and_then(Value::as_u64);
            number.map_or(usize::MAX, |number| {
                usize::try_from(number).unwrap_or(usize::MAX)
            })
        };
        let text = |name: &str| members.get(name).and_then(Value::as_str);
        if let Some(template) = text("$text") {
            let whole = self.fill(template, Place::Text);
            return Some(Value::String(cut(whole, limit("max"))));
        }
        if let Some(item) = members.get("$parts") {
            let whole = self.fill(text("of").unwrap_or_default(), Place::Text);
            return Some(self.parts(item, &whole, limit("size"), limit("max")));
        }
        if let Some(setting) = text("$map") {
            return Some(Value::Object(self.map(setting, members.get("with"))));
        }
        if let Some(setting) = text("$list") {
            return Some(Value::from(comma_list(self.get(setting))));
        }
        if let Some(setting) = text("$numbers") {
            let items = comma_list(self.get(setting));
            let numbers = items.iter().filter_map(|item| item.parse::<i64>().ok());
            return Some(Value::from_iter(numbers));
        }
        if let Some(item) = members.get("$answers") {
            return Some(self.answers(item, limit("max"), limit("total")));
        }
        let is_payload = members.get("$payload").is_some();
        is_payload.then(|| payload(self.work, self.work.data.clone()))
    }

    fn map(&self, setting: &str, with: Option<&Value>) -> Map<String, Value> {
        let mut map = Map::new();
        for line in self.get(setting).lines() {
            let Some((name, template)) = line.split_once('=') else {
                continue;
            };
            let value = self.expand(template.trim());
            if !value.is_empty() {
                map.insert(name.trim().to_owned(), Value::String(value));
            }
        }
        if let Some(Value::Object(with)) = with.map(|with| self.fill_json(with)) {
            map.extend(with);
        }
        map
    }

    fn parts(&self, item: &Value, whole: &str, size: usize, max: usize) -> Value {
        let characters: Vec<char> = whole.chars().collect();
        let parts = characters.chunks(size.max(1)).take(max);
        parts
            .map(|part| self.filled_with(item, [("part", part.iter().collect())]))
            .collect()
    }

    fn answers(&self, item: &Value, max: usize, total: usize) -> Value {
        let fields = self.work.schema.answer_fields();
        let mut named: Vec<(&str, Cow<'_, str>)> = fields
            .map(|field| (field.name.as_str(), field.plain_label()))
            .filter(|(name, _)| self.work.data.contains_key(*name))
            .collect();
        for name in self.work.data.keys() {
            if !named.iter().any(|(known, _)| known == name) {
                named.push((name, "".into()));
            }
        }
        let mut left = total;
        let items = named.into_iter().take(max).map_while(|(name, label)| {
            let label = if label.is_empty() { name } else { &*label };
            let value = self.expand(&format!("[{name}]"));
            // Services reject empty values.
            let value = if value.is_empty() { "—" } else { &value };
            let texts = [("label", label.to_owned()), ("value", value.to_owned())];
            let filled = self.filled_with(item, texts);
            left = left.checked_sub(length(&filled))?;
            Some(filled)
        });
        items.collect()
    }

    /// Fills a JSON template with these texts instead of the settings.
    fn filled_with<const N: usize>(&self, item: &Value, texts: [(&str, String); N]) -> Value {
        let texts = texts.map(|(name, text)| (name.to_owned(), text));
        let values = Values {
            work: self.work,
            escape: self.escape,
            texts: texts.into_iter().gather(),
        };
        values.fill_json(item)
    }

    /// Fills the visitor's answers, escaped for the service, into a template of the site's owner.
    fn expand(&self, template: &str) -> String {
        let escape = |text: &str| self.escape.text(text);
        let escape = template::Escape(Some(&escape));
        self.work.expand(template, Context::Text, escape)
    }
}

/// The text before the first `{{name}}`, the name, and the text after it.
fn next_place(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("{{")?;
    let (name, after) = rest.split_once("}}")?;
    Some((before, name, after))
}

/// Cuts a text to a number of characters, the last of which is then an ellipsis.
fn cut(text: String, max: usize) -> String {
    if text.chars().nth(max).is_none() {
        return text;
    }
    let mut shorter: String = text.chars().take(max.saturating_sub(1)).collect();
    shorter.push('…');
    shorter
}

/// Counts the characters of the texts in an object's members.
fn length(value: &Value) -> usize {
    let members = value.as_object().into_iter().flatten();
    let texts = members.filter_map(|(_, text)| text.as_str());
    texts.map(|text| text.chars().count()).sum()
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}
