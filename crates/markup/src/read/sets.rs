//! Collects facts about the controls with each name, before the fields are built: which are choices of a set, and which
//! are ignored because of others.

use super::items::{Item, ItemKind, Items, Names, index};
use super::names::field_name_of;
use super::unite;
use crate::html::entities::decode_attribute;
use model::FieldType;
use model::attributes::MAX_ATTRIBUTE_VALUE_CHARS;
use std::borrow::Cow;

/// The names of a document's controls.
#[derive(Default)]
pub(super) struct Sets<'a> {
    by_name: Names<'a>,
    names: Vec<Name<'a>>,
    /// The number of submit buttons with a name.
    named_buttons: u32,
}

/// The facts about the controls with one name.
#[derive(Clone, Default)]
struct Name<'a> {
    /// The number of enabled and visible controls, without buttons.
    visible: u32,
    /// The number of text controls among these; the others may be choices.
    texts: u32,
    /// The first radio's name as written, and whether other radios have a different one.
    radios: Option<&'a str>,
    has_other_radios: bool,
    /// The number of buttons that send the name.
    buttons: u32,
    /// Whether one of the controls is enabled, even if hidden.
    is_enabled: bool,
    /// The values of the hidden controls, one on each line.
    hidden: Option<String>,
}

/// Whether a control or the fieldset around it is disabled.
fn is_off(items: &Items<'_>, item: &Item) -> bool {
    let has = |name| items.attribute(item, name).is_some();
    has("disabled") || (item.is_disabled && !has("data-cf-enabled"))
}

impl<'a> Sets<'a> {
    pub(super) fn of(items: &Items<'a>) -> Sets<'a> {
        let mut sets = Sets::default();
        for item in &items.list {
            let kind = match item.kind {
                ItemKind::Control(kind) => kind,
                ItemKind::Submit => FieldType::Submit,
                _ => continue,
            };
            let parent = item.parent.of(&items.list);
            let is_part = parent.is_some_and(|parent| matches!(parent.kind, ItemKind::Scope(_)));
            // A rendered consent, and the parts of a rendered field, have other names than their field.
            if (is_part && !item.is_choice()) || kind.is_consent() {
                continue;
            }
            let written = items.raw_value(item, "name");
            if written.is_empty() || (kind == FieldType::Submit && is_rendered_button(items, item))
            {
                continue;
            }
            let next = sets.names.len();
            let key = field_name_of(decode_attribute(written));
            let place = *sets.by_name.entry(key).or_insert(index(next)) as usize;
            sets.names.resize(next.max(place + 1), Name::default());
            let Some(name) = sets.names.get_mut(place).filter(|_| !is_off(items, item)) else {
                continue;
            };
            name.is_enabled = true;
            match kind {
                FieldType::Hidden => {
                    let value = items.value(item, "value").unwrap_or_default();
                    name.hidden = match name.hidden.take() {
                        _ if value.contains('\n') => None,
                        Some(before) if before.len() < MAX_ATTRIBUTE_VALUE_CHARS => {
                            Some([&before, "\n", &value].concat())
                        }
                        Some(before) => Some(before),
                        None => Some(value.into_owned()),
                    }
                }
                FieldType::Submit => {
                    name.buttons += 1;
                    sets.named_buttons += 1;
                }
                _ => {
                    name.visible += 1;
                    name.texts += u32::from(unite::is_text(kind));
                    if kind == FieldType::Radio {
                        let first = *name.radios.get_or_insert(written);
                        name.has_other_radios |= first != written;
                    }
                }
            }
        }
        sets
    }

    fn name(&self, name: &str) -> Option<&Name<'a>> {
        let key = field_name_of(Cow::Borrowed(name));
        self.names.get(*self.by_name.get(&key)? as usize)
    }

    /// Whether a checkbox is one of several choices: its name ends with `[]`, or other controls have it.
    pub(super) fn is_choice(&self, name: &str) -> bool {
        name.trim_ascii_end().ends_with("[]")
            || self.name(name).is_some_and(|name| name.visible > 1)
    }

    /// The number of text controls with a name.
    pub(super) fn texts(&self, name: &str) -> u32 {
        self.name(name).map_or(0, |name| name.texts)
    }

    /// Whether the radios of a field are several groups, each of which sends a value.
    pub(super) fn has_other_radios(&self, name: &str) -> bool {
        self.name(name).is_some_and(|name| name.has_other_radios)
    }

    /// Whether one of the controls with a name is enabled.
    pub(super) fn is_enabled(&self, name: &str) -> bool {
        self.name(name).is_some_and(|name| name.is_enabled)
    }

    /// Whether a control is ignored because of others with its name: a disabled control if another is enabled, a hidden
    /// control if another is visible.
    pub(super) fn is_left_out(&self, items: &Items<'_>, item: &Item, kind: FieldType) -> bool {
        let Some(name) = self.name(&items.name(item)) else {
            return false;
        };
        let stores_button = self.stores_buttons() && name.buttons > 0;
        if is_off(items, item) {
            name.is_enabled
        } else {
            kind == FieldType::Hidden && (name.visible > 0 || stores_button)
        }
    }

    /// The values of the hidden controls with a name, one per line.
    pub(super) fn hidden_values(&self, name: &str) -> Option<&str> {
        self.name(name)?.hidden.as_deref()
    }

    /// Whether the pressed button is an answer: at least two submit buttons have a name.
    pub(super) const fn stores_buttons(&self) -> bool {
        self.named_buttons > 1
    }

    /// The number of buttons that send a name.
    pub(super) fn buttons(&self, name: &str) -> u32 {
        self.name(name).map_or(0, |name| name.buttons)
    }
}

/// Whether rendering wrote a button.
pub(super) fn is_rendered_button(items: &Items<'_>, item: &Item) -> bool {
    let class = items.raw_value(item, "class");
    class.starts_with(FieldType::Submit.class())
}
