//! The heads of columns, which name the controls below them.

use std::ops::Range;

use super::items::{Items, Node, index};
use super::labels::Said;
use crate::markup::html::tag::Tag;
use crate::markup::html::text::TextRange;
use crate::markup::html::tokens::StartTag;

/// The most columns that one cell spans (HTML standard, "processing model" of tables).
const MAX_SPAN: u32 = 1_000;

/// A cell that holds text alone.
#[derive(Clone)]
struct Cell {
    columns: Range<u32>,
    text: TextRange,
}

/// The head of a column.
#[derive(Clone)]
pub(super) struct Head {
    text: TextRange,
    /// What stands above it, over several columns; empty where nothing does.
    over: TextRange,
}

/// A table that is open.
#[derive(Default)]
pub(super) struct Table {
    /// By their columns, the texts of the last row that held texts alone: two at least, or one that
    /// has the row to itself, or is laid over several columns but not over all.
    heads: Vec<Cell>,
    /// Those of the row right above that, if one of them is laid over several columns.
    over: Vec<Cell>,
    /// Whether there was a row of something else since.
    is_below_heads: bool,
    /// The texts of the row that is open.
    row: Vec<Cell>,
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
                    table.row.push(Cell {
                        columns: table.column..table.next,
                        text: text.clone(),
                    });
                }
            }
            Tag::Tr => {
                if let Some(table) = self.tables.last_mut() {
                    table.end_row(is_text);
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
            && let Some(head) = table.head()
        {
            self.column_heads.push((offset, table.column == 0, head));
        }
    }

    /// The head of the column that a control stands in, by where it begins in the document; or only
    /// of the first column, which has no cell to its left.
    pub(super) fn head_at(&self, offset: u32, is_first: bool) -> Option<Said> {
        let known = &self.column_heads;
        let found = known.binary_search_by_key(&offset, |(at, ..)| *at).ok()?;
        let (_, _, head) = known
            .get(found)
            .filter(|(_, first, _)| *first || !is_first)?;
        let own = Said::of(self, head.text.clone());
        let over = Said::of(self, head.over.clone());
        match (over, own) {
            (Some(over), Some(own)) => Said::unplaced(Some([over.text, own.text].join(" "))),
            (over, own) => own.or(over),
        }
    }
}

impl Table {
    /// Ends the row that is open, which held text alone or more than that.
    fn end_row(&mut self, is_text: bool) {
        let is_head = match self.row.as_slice() {
            [] => false,
            [cell] => {
                let is_wide = cell.columns.len() > 1;
                self.next == 1 || (is_wide && cell.columns != (0..self.next))
            }
            _ => true,
        };
        if !is_text {
            self.is_below_heads = true;
        } else if is_head {
            let heads = std::mem::replace(&mut self.heads, std::mem::take(&mut self.row));
            let is_laid_over = heads.iter().any(|cell| cell.columns.len() > 1);
            self.over = match is_laid_over && !self.is_below_heads {
                true => heads,
                false => Vec::new(),
            };
            self.is_below_heads = false;
        }
    }

    /// The head of the column of the cell that is open.
    fn head(&self) -> Option<Head> {
        let text_in = |cells: &[Cell]| {
            let next = cells.partition_point(|cell| cell.columns.start <= self.column);
            let cell = cells.get(next.checked_sub(1)?)?;
            let is_over = cell.columns.contains(&self.column);
            is_over.then(|| cell.text.clone())
        };
        let (text, over) = (text_in(&self.heads), text_in(&self.over));
        (text.is_some() || over.is_some()).then(|| Head {
            text: text.unwrap_or_default(),
            over: over.unwrap_or_default(),
        })
    }
}
