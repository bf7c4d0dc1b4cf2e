//! Where a field stands with all that is there for it alone, and what may be put beside it.

use std::ops::Range;

use super::outline::Element;
use super::{Patch, is_set};
use crate::html::tag::Tag;
use model::{Field, FieldType};

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
            true => element.span(),
            false => {
                let whole = self.whole(&controls);
                whole.start..whole.end.max(element.span().end)
            }
        };
        let mut bytes = self.without_space(self.whole_elements(whole));
        for holder in self.outline.around(&bytes.clone()) {
            let Some(element) = self.outline.elements.get(holder) else {
                break;
            };
            if element.span() == bytes {
                continue;
            }
            if !self.is_layout_only(holder) || !self.holds_nothing_beside(holder, &bytes) {
                break;
            }
            bytes = element.span();
        }
        let bytes = self.without_space(bytes);
        let around = self.outline.around(&bytes).find(|holder| {
            let element = self.outline.elements.get(*holder);
            element.is_some_and(|element| element.span().start < bytes.start)
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
    pub(super) fn holds_nothing_beside(&self, holder: usize, bytes: &Range<usize>) -> bool {
        let Some(element) = self.outline.elements.get(holder) else {
            return false;
        };
        let span = element.span();
        let inner = span.start.max(bytes.start)..span.end.min(bytes.end);
        self.offsets_in(&span).len() == self.offsets_in(&inner).len()
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

    /// The bytes of a field, and where it sends the form those of the buttons right before it, such as
    /// the one that goes back to the step before.
    pub(super) fn with_buttons_before(&mut self, index: usize) -> Option<Span> {
        let mut span = self.span_of(index)?;
        let field = self.read.schema.fields.get(index)?;
        if field.kind != FieldType::Submit {
            return Some(span);
        }
        let around = span.around;
        loop {
            let before = self.html.get(..span.bytes.start)?.trim_ascii_end().len();
            let last_byte = before.saturating_sub(1)..before;
            let ends = |holder: &usize| {
                let element = self.outline.elements.get(*holder);
                element.is_some_and(|e| e.span().end == before && e.around() == around)
            };
            let mut holders = self.outline.around(&last_byte);
            match holders.find(ends).filter(|it| self.is_inert_button(*it)) {
                Some(button) => {
                    span.bytes.start = self.outline.elements.get(button)?.span().start;
                }
                None => return Some(span),
            }
        }
    }

    /// Whether a button does not send the form, and holds no field as none should.
    fn is_inert_button(&self, element: usize) -> bool {
        let span = self.outline.elements.get(element).map(Element::span);
        let is_button = self.is(element, Tag::Button) || self.is(element, Tag::Input);
        let kind = self.outline.value(element, "type").unwrap_or_default();
        let is_inert = ["button", "reset"]
            .iter()
            .any(|own| kind.eq_ignore_ascii_case(own));
        is_button && is_inert && span.is_some_and(|span| self.offsets_in(&span).is_empty())
    }

    /// The bytes of a field, or of the line of text or grid that it ends, as a block stands behind that.
    pub(super) fn with_line(&mut self, index: usize) -> Option<Span> {
        let mut span = match self.grid_of(index) {
            Some(grid) => grid,
            None => self.span_of(index)?,
        };
        let next = self
            .read
            .places
            .get(index + 1)
            .map(|place| place.offset as usize);
        while let Some(element) = span
            .around
            .and_then(|around| self.outline.elements.get(around))
        {
            let is_line = matches!(element.name, Tag::P | Tag::Label | Tag::Other);
            let is_last = next.is_none_or(|next| element.span().end <= next);
            let takes_block = span.around.is_some_and(|around| self.takes_block(around));
            if takes_block || !is_line || !is_last {
                break;
            }
            span = Span {
                bytes: element.span(),
                around: element.around(),
            };
        }
        Some(span)
    }

    /// The bytes of a field, with all that stands around it alone.
    pub(super) fn span_of(&mut self, index: usize) -> Option<Span> {
        let field = self.read.schema.fields.get(index)?.clone();
        self.place = self.read.places.get(index)?.clone();
        self.span(&field)
    }
}
