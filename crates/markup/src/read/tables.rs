//! Labels the controls in a table by the heads of their columns and rows.

use std::ops::Range;

use super::items::{Items, Node, index};
use super::labels::LabelText;
use crate::html::tag::Tag;
use crate::html::text::TextRange;
use crate::html::tokens::StartTag;

/// The most columns that one cell spans (HTML standard, "processing model" of tables).
const MAX_SPAN: u32 = 1_000;

/// A cell that holds text alone.
#[derive(Clone)]
struct Cell {
    columns: Range<u32>,
    text: TextRange,
}

/// The head of a column.
#[derive(Clone, PartialEq)]
pub(super) struct Head {
    text: TextRange,
    /// What stands above it, over several columns; empty where nothing does.
    over: TextRange,
}

/// The position of a control in its table: the number of the row, among all rows of the document, and
/// whether its column is the first.
#[derive(Clone, Copy)]
pub(super) struct CellPosition(u32);

impl CellPosition {
    const fn of(row: u32, is_first: bool) -> CellPosition {
        CellPosition(row << 1 | is_first as u32)
    }

    const fn row(self) -> u32 {
        self.0 >> 1
    }

    const fn is_first(self) -> bool {
        self.0 & 1 == 1
    }
}

/// What the tables of a document say about the controls in them.
#[derive(Default)]
pub(super) struct Tables {
    /// Those that are open, the innermost last.
    open: Vec<Table>,
    /// How many rows began.
    rows: u32,
    /// For controls below heads, by where they begin in the document, where they stand, and the head.
    heads: Vec<(u32, CellPosition, Head)>,
    /// The text to the left of the first control of such a row, else behind it, by the row.
    row_heads: Vec<(u32, TextRange)>,
}

/// The radios or boxes of one name, while all stand below one head, each in a row of its own.
pub(super) struct Column {
    head: Head,
    last_row: u32,
    rows: u32,
    /// How many of them have a cell of text beside the control.
    headed: u32,
}

/// A table that is open.
#[derive(Default)]
struct Table {
    /// The number of the row that is open.
    row_number: u32,
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
            return self.tables.open.push(Table::default());
        }
        let Tables { open, rows, .. } = &mut self.tables;
        let Some(table) = open.last_mut() else {
            return;
        };
        match tag.tag {
            Tag::Tr => {
                table.row.clear();
                table.next = 0;
                *rows += 1;
                table.row_number = *rows;
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
                self.tables.open.pop();
            }
            Tag::Td | Tag::Th if is_text && !self.texts.is_blank(text.clone()) => {
                if let Some(table) = self.tables.open.last_mut() {
                    table.row.push(Cell {
                        columns: table.column..table.next,
                        text: text.clone(),
                    });
                }
            }
            Tag::Tr => {
                let Tables {
                    open,
                    heads,
                    row_heads,
                    ..
                } = &mut self.tables;
                if let Some(table) = open.last_mut() {
                    let row = table.row_number;
                    let is_headed = heads.last().is_some_and(|(_, spot, _)| spot.row() == row);
                    let is_named = row_heads.last().is_some_and(|(known, _)| *known >= row);
                    if let Some(cell) = table.row.first().filter(|_| is_headed && !is_named) {
                        row_heads.push((row, cell.text.clone()));
                    }
                    table.end_row(is_text);
                }
            }
            _ => {}
        }
    }

    /// Notes the head of the column that a control stands in, if there is one.
    pub(super) fn note_column(&mut self, offset: u32) {
        let Tables {
            open,
            heads,
            row_heads,
            ..
        } = &mut self.tables;
        if self.context.is_in_cell
            && let Some(table) = open.last()
            && !table.is_uneven
            && let Some(head) = table.head()
        {
            let row = table.row_number;
            heads.push((offset, CellPosition::of(row, table.column == 0), head));
            let is_first = row_heads.last().is_none_or(|(known, _)| *known < row);
            if let Some(cell) = table.row.last().filter(|_| is_first) {
                row_heads.push((row, cell.text.clone()));
            }
        }
    }

    fn column_of(&self, offset: u32) -> Option<&(u32, CellPosition, Head)> {
        let known = &self.tables.heads;
        let found = known.binary_search_by_key(&offset, |(at, ..)| *at).ok()?;
        known.get(found)
    }

    /// Whether a control stands below a head.
    pub(super) fn has_columns(&self) -> bool {
        !self.tables.heads.is_empty()
    }

    /// The column that the radio or box which begins at a place is the first of its name in.
    pub(super) fn begin_column(&self, offset: u32) -> Option<Box<Column>> {
        let (_, spot, head) = self.column_of(offset)?;
        Some(Box::new(Column {
            head: head.clone(),
            last_row: spot.row(),
            rows: 1,
            headed: u32::from(self.row_head(*spot).is_some()),
        }))
    }

    /// The column with a further control, unless that stands elsewhere.
    pub(super) fn column_with(&self, mut column: Box<Column>, offset: u32) -> Option<Box<Column>> {
        let (_, spot, head) = self.column_of(offset)?;
        let goes_on = spot.row() > column.last_row && *head == column.head;
        column.last_row = spot.row();
        column.rows += 1;
        column.headed += u32::from(self.row_head(*spot).is_some());
        goes_on.then_some(column)
    }

    /// The text that names the row that a control stands in.
    pub(super) fn row_head_at(&self, offset: u32) -> Option<LabelText> {
        let (_, spot, _) = self.column_of(offset)?;
        LabelText::of(self, self.row_head(*spot)?.clone())
    }

    fn row_head(&self, spot: CellPosition) -> Option<&TextRange> {
        let known = &self.tables.row_heads;
        let found = known.binary_search_by_key(&spot.row(), |(row, _)| *row);
        known.get(found.ok()?).map(|(_, text)| text)
    }

    /// The head of the column that a control stands in, by where it begins in the document; or only
    /// of the first column, which has no cell to its left.
    pub(super) fn head_at(&self, offset: u32, is_first: bool) -> Option<LabelText> {
        let (_, _, head) = self
            .column_of(offset)
            .filter(|(_, spot, _)| spot.is_first() || !is_first)?;
        let own = LabelText::of(self, head.text.clone());
        let over = LabelText::of(self, head.over.clone());
        match (over, own) {
            (Some(over), Some(own)) => LabelText::unplaced(Some([over.text, own.text].join(" "))),
            (over, own) => own.or(over),
        }
    }
}

impl Column {
    /// Whether it has rows that say what is chosen there. One cell of text beside all of them asks for the
    /// choices instead: "Gender | ○ Male", " | ○ Female".
    pub(super) const fn has_rows(&self) -> bool {
        self.rows > 1 && self.headed != 1
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
            self.over = if is_laid_over && !self.is_below_heads {
                heads
            } else {
                Vec::new()
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
