//! Which radios and checkboxes make one field, and which elements are there for that field alone.

use std::collections::BTreeMap;

use super::items::{Item, Items, What};
use crate::forms::FieldType;
use crate::markup::html::entities::decode_attribute;

/// What is known about the names of a document before its fields are built.
pub(super) struct Sets {
    /// How many checkboxes bear a name.
    checkboxes: BTreeMap<String, u32>,
    /// For each item, whether it holds one set and nothing else, so that it is the set's own.
    owns_set: Vec<bool>,
}

/// What a group of items holds.
#[derive(Clone, PartialEq)]
enum Holds {
    Nothing,
    Set(FieldType, String),
    More,
}

impl Sets {
    pub(super) fn of(items: &Items<'_>) -> Sets {
        let mut checkboxes = BTreeMap::new();
        for item in &items.list {
            if item.what == What::Control(FieldType::Checkbox) {
                *checkboxes.entry(written_name(items, item)).or_insert(0) += 1;
            }
        }
        let mut sets = Sets {
            checkboxes,
            owns_set: vec![false; items.list.len()],
        };
        sets.find_owners(items);
        sets
    }

    /// Whether a checkbox is one of several choices.
    pub(super) fn is_choice(&self, written_name: &str) -> bool {
        written_name.ends_with("[]")
            || self
                .checkboxes
                .get(written_name)
                .is_some_and(|count| *count > 1)
    }

    /// Whether the item (a fieldset or role group) belongs to one set of choices.
    pub(super) fn owns_set(&self, item: u32) -> bool {
        self.owns_set.get(item as usize).copied().unwrap_or(false)
    }

    fn find_owners(&mut self, items: &Items<'_>) {
        let mut holds = vec![Holds::Nothing; items.list.len()];
        // What an item holds comes after it, so backwards each is known when it is reached.
        for (index, item) in items.list.iter().enumerate().rev() {
            let own = holds.get(index).cloned().unwrap_or(Holds::Nothing);
            let gives = match item.what {
                What::Control(FieldType::Hidden) | What::Nothing => continue,
                What::Control(kind @ (FieldType::Radio | FieldType::Checkbox)) => {
                    let name = written_name(items, item);
                    match kind == FieldType::Radio || self.is_choice(&name) {
                        true => Holds::Set(kind, name),
                        false => Holds::More,
                    }
                }
                What::Fieldset | What::RoleGroup => {
                    let is_named = items.attribute(item, "data-cf-type").is_some();
                    let owns = matches!(own, Holds::Set(..)) && !is_named;
                    if let Some(flag) = self.owns_set.get_mut(index) {
                        *flag = owns;
                    }
                    match (item.what, owns) {
                        (What::RoleGroup, _) | (_, true) => own,
                        _ => Holds::More,
                    }
                }
                _ => Holds::More,
            };
            if let Some(held) = item
                .parent
                .and_then(|parent| holds.get_mut(parent as usize))
            {
                if *held == Holds::Nothing {
                    *held = gives;
                } else if *held != gives {
                    *held = Holds::More;
                }
            }
        }
        // Of nested owners of one set the outermost is its owner.
        for (index, item) in items.list.iter().enumerate() {
            let is_within = item.parent.is_some_and(|parent| self.owns_set(parent));
            if is_within
                && item.what == What::Fieldset
                && let Some(flag) = self.owns_set.get_mut(index)
            {
                *flag = true;
            }
        }
    }
}

/// The `name` of a control as the browser sends it.
pub(super) fn written_name(items: &Items<'_>, item: &Item) -> String {
    items
        .attribute(item, "name")
        .map(|name| decode_attribute(name.raw_value).into_owned())
        .unwrap_or_default()
}
