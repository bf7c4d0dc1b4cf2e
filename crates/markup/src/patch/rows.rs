//! The rows of tables, items of lists and columns that fields stand in: a new field goes on with them,
//! also where the button that sends stands outside.

use std::ops::Range;

use super::place::Span;
use super::{Patch, is_set};
use crate::html::tag::Tag;

impl Patch<'_> {
    /// Whether a field stands in a row, item or column of an element that the next field of its group is
    /// outside of.
    pub(super) fn ends_rows(&mut self, last: usize, next: Option<usize>) -> bool {
        let fields = &self.read.schema.fields;
        let group = |index: usize| fields.get(index).map(|field| &field.group);
        let is_of_group = next.is_none_or(|next| group(last) == group(next));
        let next = next.and_then(|next| self.read.places.get(next));
        let next = next.map_or(self.html.len(), |next| next.offset as usize);
        let row = self.row_of(last);
        let control = self.outline.at(self.place.offset as usize);
        // A spam trap's list is no place for others.
        let row = row.filter(|row| {
            control.is_none_or(|control| !self.is_kept_from_visitors(control, &row.bytes))
        });
        let around = row.and_then(|row| row.around);
        let element = around.and_then(|around| self.outline.elements.get(around));
        let is_outside = element.is_some_and(|element| element.span().end <= next);
        let holders = |around: usize| {
            let outer = |holder: &usize| self.outline.elements.get(*holder)?.around();
            std::iter::successors(Some(around), outer)
        };
        let is_hidden = |around: usize| holders(around).any(|holder| self.hides(holder));
        is_of_group
            && is_outside
            && around.is_some_and(|around| !self.is_of_layout(around) && !is_hidden(around))
    }

    /// The row of a table, item of a list or element in a `<div>` beside others that a field stands in
    /// alone. None in a grid, whose columns say more than one field.
    pub(super) fn row_of(&mut self, index: usize) -> Option<Span> {
        let span = self.span_of(index)?;
        let whole = self.whole_of(index)?;
        let row = self
            .outline
            .around(&whole)
            .find(|holder| self.is(*holder, Tag::Tr) || self.is(*holder, Tag::Li));
        let row = row.filter(|row| self.holds_nothing_beside(*row, &whole));
        let Some(row) = row else {
            let around = span.around?;
            return self.is(around, Tag::Div).then_some(span);
        };
        let element = self.outline.elements.get(row)?;
        (self.cells_with_fields(row) <= 1).then(|| Span {
            bytes: element.span(),
            around: element.around(),
        })
    }

    /// The grid that a field is the last of: a table with fields or choices in several cells of a row.
    pub(super) fn grid_of(&mut self, index: usize) -> Option<Span> {
        let whole = self.whole_of(index)?;
        let mut around = self.outline.around(&whole);
        let row = around.find(|holder| self.is(*holder, Tag::Tr))?;
        let table = around.find(|holder| self.is(*holder, Tag::Table))?;
        let element = self.outline.elements.get(table)?;
        let next = self.read.places.get(index + 1);
        let is_last = next.is_none_or(|next| element.span().end <= next.offset as usize);
        (is_last && self.cells_with_fields(row) > 1).then(|| Span {
            bytes: element.span(),
            around: element.around(),
        })
    }

    /// The bytes from the first to the last part of the field at an index.
    fn whole_of(&mut self, index: usize) -> Option<Range<usize>> {
        let field = self.read.schema.fields.get(index)?.clone();
        self.place = self.read.places.get(index)?.clone();
        let controls = match is_set(&field) {
            true => self.set_of(&field).unwrap_or_default(),
            false => Vec::new(),
        };
        let element = self.outline.at(self.place.offset as usize)?;
        let element = self.outline.elements.get(element)?;
        let whole = self.whole(&controls);
        Some(whole.start..whole.end.max(element.span().end))
    }

    /// How many cells of a row hold fields or choices.
    fn cells_with_fields(&self, row: usize) -> usize {
        let cells = self.outline.within(row).filter(|index| {
            let element = self.outline.elements.get(*index);
            element.is_some_and(|cell| {
                matches!(cell.name, Tag::Td | Tag::Th)
                    && cell.around() == Some(row)
                    && !self.offsets_in(&cell.span()).is_empty()
            })
        });
        cells.count()
    }
}
