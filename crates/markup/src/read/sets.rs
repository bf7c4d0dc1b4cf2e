//! Which radios and checkboxes of one name are the choices of a set.

use super::items::{ItemKind, Items, Names, index};
use model::FieldType;

/// The names of a document's radios and checkboxes, known before its fields are built.
#[derive(Default)]
pub(super) struct Sets<'a> {
    by_name: Names<'a>,
    names: Vec<Name>,
}

/// What is known about the radios and checkboxes of a name.
#[derive(Clone, Copy, Default)]
struct Name {
    /// How many are checkboxes.
    checkboxes: u32,
    /// Whether one can be chosen at least.
    is_enabled: bool,
}

impl<'a> Sets<'a> {
    pub(super) fn of(items: &Items<'a>) -> Sets<'a> {
        let mut sets = Sets::default();
        for item in items.list.iter().filter(|item| item.is_choice()) {
            let next = sets.names.len();
            let place = *sets.by_name.entry(items.name(item)).or_insert(index(next)) as usize;
            sets.names.resize(next.max(place + 1), Name::default());
            if let Some(name) = sets.names.get_mut(place) {
                name.is_enabled |= items.attribute(item, "disabled").is_none();
                let is_checkbox = item.kind == ItemKind::Control(FieldType::Checkbox);
                name.checkboxes += u32::from(is_checkbox);
            }
        }
        sets
    }

    fn name(&self, name: &str) -> Option<&Name> {
        self.names.get(*self.by_name.get(name)? as usize)
    }

    /// Whether a checkbox of a name is one of several choices.
    pub(super) fn is_choice(&self, name: &str) -> bool {
        name.ends_with("[]") || self.name(name).is_some_and(|name| name.checkboxes > 1)
    }

    /// Whether one of the choices of a name can be chosen.
    pub(super) fn is_enabled(&self, name: &str) -> bool {
        self.name(name).is_some_and(|name| name.is_enabled)
    }
}
