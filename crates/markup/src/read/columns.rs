//! Finds the heads (heading cells) of a table's columns. A head labels a control if no text in the control's row does.

use super::item::{ByOffset, Item, Node};
use super::items::Items;
use super::labels::LabelText;
use crate::html::tag::Tag;
use crate::html::text::{Kind, TextRange};
use crate::html::tokens::StartTag;

/// The maximum number of columns of a table, and of a cell's span.
const MAX_COLUMNS: usize = 100;

/// The cells of the open table, and the controls below its heads.
#[derive(Default)]
pub(super) struct Columns {
    /// The texts of the last row without controls, by column.
    heads: Vec<TextRange>,
    /// The texts read so far from the open row.
    row: Vec<TextRange>,
    /// The number of columns that the open cell spans.
    span: usize,
    /// The column head above each control, by the control's start in the document.
    of_controls: ByOffset,
}

impl Items<'_> {
    /// Begins a table, a row, a cell or a definition list. In a row, text to the left of a control may label it.
    pub(super) fn open_row(&mut self, tag: &StartTag<'_, '_>) {
        match tag.tag {
            Tag::Table => self.columns.heads.clear(),
            Tag::Tr => self.columns.row.clear(),
            Tag::Dl => {}
            Tag::Td | Tag::Th => {
                if tag.attribute("rowspan").is_some() {
                    // A cell that spans rows makes the columns of later rows unknown.
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

    /// Ends a cell or row of a table. A row of heads separates the texts above it from the controls below.
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

    /// Notes the head of the column around a control, if there is one.
    pub(super) fn note_column(&mut self, offset: u32) {
        let columns = &mut self.columns;
        if self.context.row.get().is_some()
            && let Some(head) = columns.heads.get(columns.row.len())
        {
            columns.of_controls.get_or_insert(offset, head.clone());
        }
    }

    /// The head of the column around a control.
    pub(super) fn head_of(&self, item: &Item) -> Option<LabelText> {
        LabelText::of(self, self.columns.of_controls.get(item.offset)?)
    }
}
