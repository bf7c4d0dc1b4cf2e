//! What says that a field must be answered: attributes, and the mark in the text that names it.

use super::texts::Marker;
use super::{Patch, Why};
use crate::forms::{Field, FieldType};

impl Patch<'_> {
    /// The text that names a set of choices, and the mark in it that goes when none must be chosen.
    pub(super) fn update_set_label(&mut self, from: &Field, to: &Field) -> Result<(), Why> {
        let marker = Marker::of(from, to);
        let texts = self.texts_at(&self.place.label, false);
        match (from.label == to.label, texts.is_empty()) {
            (true, true) => Ok(()),
            (true, false) if marker != Marker::Goes => Ok(()),
            (false, true) => Err(Why("label", "no text names the choices")),
            _ => self.set_text("label", &texts, &from.label, &to.label, marker),
        }
    }

    /// Says on the first choice that one of them must be chosen. Of a checkbox `required` says that
    /// this very box must be ticked, so there it is what rendering says of the set.
    pub(super) fn update_set_required(&mut self, controls: &[usize], to: &Field) {
        let name = match to.kind {
            FieldType::Radio => "required",
            _ => "data-cf-required",
        };
        if to.required {
            if let Some(first) = controls.first() {
                self.set(*first, name, Some(""));
            }
            return;
        }
        let whole = self.whole(controls);
        let around = self.outline.around(&whole);
        let holders = around.take_while(|holder| self.holds_only(*holder, controls));
        for element in controls.iter().copied().chain(holders.collect::<Vec<_>>()) {
            self.set(element, "required", None);
            self.set(element, "data-cf-required", None);
        }
    }
}
