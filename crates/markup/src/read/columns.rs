//! The heads of a table's columns, which label a control that no text in its row does.

use super::item::{ByOffset, Item, Node};
use super::items::Items;
use super::labels::LabelText;
use crate::html::tag::Tag;
use crate::html::text::{Kind, TextRange};
use crate::html::tokens::StartTag;

/// The most columns that a table is known by, and that a cell spans.
const MAX_COLUMNS: usize = 100;

/// The cells of the table that is open, and the controls below its heads.
#[derive(Default)]
pub(super) struct Columns {
    /// The texts of the last row that held texts alone, by column.
    heads: Vec<TextRange>,
    /// Those of the row that is open, as far as it has come.
    row: Vec<TextRange>,
    /// How many columns the cell spans that is open.
    span: usize,
    /// For controls below a head, by where they begin in the document, that head.
    of_controls: ByOffset,
}

impl Items<'_> {
    /// Begins a table or a row of one, or a list of terms: text to the left of a control may label it.
    pub(super) fn open_row(&mut self, tag: &StartTag<'_, '_>) {
        match tag.tag {
            Tag::Table => self.columns.heads.clear(),
            Tag::Tr => self.columns.row.clear(),
            Tag::Dl => {}
            Tag::Td | Tag::Th => {
                if tag.attribute("rowspan").is_some() {
                    // Then the columns of the rows below are not known.
                    self.columns.heads.clear();
                }
                self.columns.span = tag.raw_value("colspan").trim().parse().unwrap_or(1);
                return;
            }
            _ => return,
        }
        let is_row = tag.tag != Tag::Table;
        self.context.row = is_row.then(|| self.texts.mark() as usize).into();
    }

    /// Ends a cell or row of a table. Nothing is labelled by the last head of those above it.
    pub(super) fn close_row(&mut self, tag: Tag, node: &Node, text: TextRange) {
        let is_text = self.list.len() == node.items_before;
        match tag {
            Tag::Td | Tag::Th => {
                let Columns { row, span, .. } = &mut self.columns;
                let columns = row.len().saturating_add(*span).min(MAX_COLUMNS);
                row.resize(columns, text);
            }
            Tag::Tr if is_text && self.columns.row.first() != self.columns.row.last() => {
                self.columns.heads = std::mem::take(&mut self.columns.row);
                self.texts.add_edge(Kind::Control);
            }
            _ => {}
        }
    }

    /// Notes the head of the column that a control stands in, if there is one.
    pub(super) fn note_column(&mut self, offset: u32) {
        let columns = &mut self.columns;
        if self.context.row.get().is_some()
            && let Some(head) = columns.heads.get(columns.row.len())
        {
            columns.of_controls.get_or_insert(offset, head.clone());
        }
    }

    /// The head of the column that a control stands in.
    pub(super) fn head_of(&self, item: &Item) -> Option<LabelText> {
        LabelText::of(self, self.columns.of_controls.get(item.offset)?)
    }
}
