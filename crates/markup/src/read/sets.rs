//! Which radios and checkboxes of one name are the choices of a set.

use super::items::{ItemKind, Items, Link, Names, index};
use crate::html::text::TextRange;
use model::FieldType;

/// The names of a document's radios and checkboxes, known before its fields are built.
#[derive(Default)]
pub(super) struct Sets<'a> {
    by_name: Names<'a>,
    names: Vec<Name>,
}

/// What is known about the radios and checkboxes of a name.
#[derive(Default)]
struct Name {
    /// How many are checkboxes.
    checkboxes: u32,
    /// Whether one can be chosen at least.
    is_enabled: bool,
    /// The row and head of the last one.
    last: Option<(u32, Option<TextRange>)>,
    /// Whether all stand below one head, each in a row of its own with nothing beside it.
    is_column: bool,
}

impl<'a> Sets<'a> {
    pub(super) fn of(items: &Items<'a>) -> Sets<'a> {
        let mut sets = Sets::default();
        for item in &items.list {
            if let ItemKind::Control(kind @ (FieldType::Radio | FieldType::Checkbox)) = item.kind {
                let written = items.name(item);
                let next = index(sets.names.len());
                let place = *sets.by_name.entry(written).or_insert(next) as usize;
                sets.names
                    .resize_with(sets.names.len().max(place + 1), Name::default);
                let Some(name) = sets.names.get_mut(place) else {
                    break;
                };
                name.is_enabled |= items.attribute(item, "disabled").is_none();
                name.checkboxes += u32::from(kind == FieldType::Checkbox);
                let place = (item.label_from, items.head_of(item));
                let is_alone =
                    item.label == Link::NONE && items.texts.is_blank(items.texts.after(item.mark));
                let is_below = |(row, head): &(u32, Option<TextRange>)| {
                    name.is_column && *row != place.0 && *head == place.1
                };
                name.is_column =
                    is_alone && place.1.is_some() && name.last.as_ref().is_none_or(is_below);
                name.last = Some(place);
            }
        }
        sets
    }

    fn name(&self, written_name: &str) -> Option<&Name> {
        self.names.get(*self.by_name.get(written_name)? as usize)
    }

    /// Whether a checkbox is one of several choices.
    pub(super) fn is_choice(&self, written_name: &str) -> bool {
        let name = self.name(written_name);
        written_name.ends_with("[]") || name.is_some_and(|name| name.checkboxes > 1)
    }

    /// Whether the choices of a name are a column of a table: its head asks for them, and each is called
    /// as its row is.
    pub(super) fn is_column(&self, written_name: &str) -> bool {
        let name = self.name(written_name);
        name.is_some_and(|name| name.is_column)
    }

    /// Whether one of the choices of a name can be chosen.
    pub(super) fn is_enabled(&self, written_name: &str) -> bool {
        let name = self.name(written_name);
        name.is_some_and(|name| name.is_enabled)
    }
}
