//! The heads of columns, which name the controls below them.

use super::items::{Items, Node, index};
use crate::markup::html::tag::Tag;
use crate::markup::html::text::TextRange;
use crate::markup::html::tokens::StartTag;

/// The most columns that one cell spans (HTML standard, "processing model" of tables).
const MAX_SPAN: u32 = 1_000;

/// A table that is open.
#[derive(Default)]
pub(super) struct Table {
    /// By their columns, the texts of the last row that held texts alone: two at least, or one that
    /// is not laid over several columns.
    heads: Vec<(u32, TextRange)>,
    /// The texts of the row that is open.
    row: Vec<(u32, TextRange)>,
    /// The column of the cell that is open, and of the next.
    column: u32,
    next: u32,
    /// Whether a cell reaches into the rows below, so that columns are not known.
    is_uneven: bool,
}

impl<'a> Items<'a> {
    /// Notes where in a table an element begins.
    pub(super) fn open_table_part(&mut self, tag: &StartTag<'a, '_>) {
        if tag.tag == Tag::Table {
            return self.tables.push(Table::default());
        }
        let Some(table) = self.tables.last_mut() else {
            return;
        };
        match tag.tag {
            Tag::Tr => {
                table.row.clear();
                table.next = 0;
            }
            Tag::Td | Tag::Th => {
                let span = |name| {
                    let written = tag.attribute(name)?.raw_value;
                    written.trim_ascii().parse::<u32>().ok()
                };
                table.column = table.next;
                table.next += span("colspan").unwrap_or(1).clamp(1, MAX_SPAN);
                table.is_uneven |= span("rowspan").is_some_and(|rows| rows != 1);
            }
            _ => {}
        }
    }

    /// Notes what a part of a table held.
    pub(super) fn close_table_part(&mut self, tag: Tag, node: &Node<'a>, text: &TextRange) {
        let is_text = index(self.list.len()) == node.items_before;
        match tag {
            Tag::Table => {
                self.tables.pop();
            }
            Tag::Td | Tag::Th if is_text && !self.texts.is_blank(text.clone()) => {
                if let Some(table) = self.tables.last_mut() {
                    table.row.push((table.column, text.clone()));
                }
            }
            Tag::Tr if is_text => {
                if let Some(table) = self.tables.last_mut()
                    && (table.row.len() > 1 || table.next == 1)
                {
                    std::mem::swap(&mut table.heads, &mut table.row);
                }
            }
            _ => {}
        }
    }

    /// Notes the head of the column that a control stands in, if there is one.
    pub(super) fn note_column(&mut self, offset: u32) {
        if self.context.is_in_cell
            && let Some(table) = self.tables.last()
            && !table.is_uneven
            && let Ok(found) = table
                .heads
                .binary_search_by_key(&table.column, |(at, _)| *at)
            && let Some((_, text)) = table.heads.get(found)
        {
            let is_first = table.column == 0;
            self.column_heads.push((offset, is_first, text.clone()));
        }
    }

    /// The head of the column that a control stands in, by where it begins in the document; or only
    /// of the first column, which has no cell to its left.
    pub(super) fn head_at(&self, offset: u32, is_first: bool) -> Option<TextRange> {
        let known = &self.column_heads;
        let found = known.binary_search_by_key(&offset, |(at, ..)| *at).ok()?;
        let (_, _, text) = known
            .get(found)
            .filter(|(_, first, _)| *first || !is_first)?;
        Some(text.clone())
    }
}
