//! What says that a field must be answered: attributes, and the mark in the text that names it.

use super::texts::Marker;
use super::why::{self, NotPatched, Why};
use super::{Patch, Patched, patched, with};
use crate::Change;
use crate::markers::{COLONS, without_marker};
use crate::read::parse;
use model::{Field, FieldType, FormSchema};

/// Whether a field is to be required whose label carries the mark of that already.
pub(super) fn is_marked_already(from: &Field, to: &Field) -> bool {
    !from.required && to.required && without_marker(&from.label, true) != from.label
}

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

    /// Makes a field required whose label carries the mark already: the mark stays, and is no part of
    /// the label any more. Another label takes the place of what it is without the mark.
    pub(super) fn require_marked(
        &mut self,
        from: &Field,
        to: &Field,
        wanted: &FormSchema,
    ) -> Result<Patched, NotPatched> {
        let is_relabelled = from.label != to.label;
        let (first, wanted_first) = match is_relabelled {
            true => {
                let required = Field {
                    required: true,
                    ..from.clone()
                };
                (required, &self.read.schema.clone())
            }
            false => (to.clone(), wanted),
        };
        let refused = |why: Why| NotPatched::of(from, why);
        self.update(from, &first).map_err(refused)?;
        let markup = std::mem::take(&mut self.edits).apply(self.html);
        let found = parse(&markup).map_err(|_| refused(why::NOT_READ))?.schema;
        // The colon before the mark is a part of some labels, as of those in a `<label>`.
        let bare = without_marker(&from.label, true);
        let labels = [bare, bare.trim_end_matches(COLONS).trim_end()];
        let read = found.field(&first.name).map_or("", |field| &field.label);
        let label = labels.into_iter().find(|label| *label == read);
        let first = Field {
            label: label.unwrap_or(bare).to_owned(),
            ..first
        };
        let wanted_first = with(wanted_first, &first);
        match why::difference(&wanted_first, &found, from, Some(to)) {
            Some(difference) => Err(difference),
            None if is_relabelled && wanted_first != *wanted => {
                patched(&markup, Change::Update(&first, to), wanted)
            }
            None => Ok(Patched {
                markup,
                schema: found,
            }),
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
            // On a choice it is an attribute of the field, on what is around them it says `required`.
            if controls.binary_search(&element).is_err() {
                self.set(element, "aria-required", None);
            }
        }
    }
}
