//! Where a field stands with all that is there for it alone, and what may be put beside it.

use std::ops::Range;

use super::{Patch, is_set};
use crate::forms::Field;
use crate::markup::html::tag::Tag;

/// The bytes of a field.
pub(super) struct Span {
    pub(super) bytes: Range<usize>,
    /// The element around them.
    pub(super) around: Option<usize>,
}

impl Patch<'_> {
    /// The bytes of the field at [`Patch::place`]: its controls, the text that names it, its help and
    /// the elements that hold nothing else.
    pub(super) fn span(&self, field: &Field) -> Option<Span> {
        let controls = match is_set(field) {
            true => self.set_of(field).unwrap_or_default(),
            false => Vec::new(),
        };
        let offset = self.place.offset as usize;
        let element = self.outline.elements.get(self.outline.at(offset)?)?;
        let whole = match field.kind.holds_fields() {
            true => element.span.clone(),
            false => {
                let whole = self.whole(&controls);
                whole.start..whole.end.max(element.span.end)
            }
        };
        let mut bytes = self.without_space(self.whole_elements(whole));
        for holder in self.outline.around(&bytes.clone()) {
            let Some(element) = self.outline.elements.get(holder) else {
                break;
            };
            if element.span == bytes {
                continue;
            }
            if !self.is_layout_only(holder) || !self.holds_nothing_beside(holder, &bytes) {
                break;
            }
            bytes = element.span.clone();
        }
        let bytes = self.without_space(bytes);
        let around = self.outline.around(&bytes).find(|holder| {
            let element = self.outline.elements.get(*holder);
            element.is_some_and(|element| element.span.start < bytes.start)
        });
        Some(Span { bytes, around })
    }

    fn without_space(&self, bytes: Range<usize>) -> Range<usize> {
        let text = self.html.get(bytes.clone()).unwrap_or_default();
        let start = bytes.start + (text.len() - text.trim_ascii_start().len());
        start..start + text.trim_ascii().len()
    }

    /// Whether an element only lays out what it holds.
    fn is_layout_only(&self, holder: usize) -> bool {
        let Some(element) = self.outline.elements.get(holder) else {
            return false;
        };
        let lays_out = matches!(
            element.name,
            Tag::Center
                | Tag::Dd
                | Tag::Div
                | Tag::Dl
                | Tag::Dt
                | Tag::Fieldset
                | Tag::Footer
                | Tag::Header
                | Tag::Label
                | Tag::Li
                | Tag::Ol
                | Tag::Other
                | Tag::P
                | Tag::Table
                | Tag::Tbody
                | Tag::Td
                | Tag::Tfoot
                | Tag::Th
                | Tag::Thead
                | Tag::Tr
                | Tag::Ul
        );
        lays_out && !self.is_of_layout(holder)
    }

    /// Whether all fields and choices that an element holds are in those bytes.
    fn holds_nothing_beside(&self, holder: usize, bytes: &Range<usize>) -> bool {
        let Some(element) = self.outline.elements.get(holder) else {
            return false;
        };
        let places = self.read.places.iter().map(|place| place.offset);
        let choices = self.read.choice_labels.iter().map(|(offset, _)| *offset);
        let mut offsets = places.chain(choices).map(|offset| offset as usize);
        offsets.all(|offset| !element.span.contains(&offset) || bytes.contains(&offset))
    }

    /// Whether a block may stand among what an element holds.
    pub(super) fn takes_block(&self, element: usize) -> bool {
        let Some(tag) = self.outline.tag(element) else {
            return false;
        };
        let element = self.outline.elements.get(element);
        element.is_some_and(|element| match element.name {
            Tag::Dl | Tag::Hgroup | Tag::Menu | Tag::Ol | Tag::Pre | Tag::Summary | Tag::Ul => {
                false
            }
            Tag::Body | Tag::Dd | Tag::Form | Tag::Li | Tag::Td | Tag::Th => true,
            // An element of a name of its own.
            Tag::Other => tag.name.contains('-'),
            name => name.is_block(),
        })
    }
}
