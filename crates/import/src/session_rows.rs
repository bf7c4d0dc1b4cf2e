//! The rows of a CSV file that arrives in parts.

use serde_json::{Value, json};

use crate::csv;
use crate::entries::about;
use crate::entries::columns::Columns;
use crate::entries::moments::{Dates, Order};
use crate::report::MAX_LARGE;
use crate::values::shortened;

/// The number of rows that a scan shows.
const SHOWN_ROWS: usize = 3;

/// The longest cell that a scan shows, in characters.
const SHOWN_CHARS: usize = 200;

/// The rows of a CSV file that arrives in parts.
pub struct Rows {
    pub parser: csv::Parser,
    pub columns: Columns,
    pub waiting: Vec<csv::Row>,
    /// The size of the waiting rows, in bytes.
    pub bytes: usize,
    pub count: usize,
    has_header: bool,
    /// The dates of each column, for a scan.
    dates: Vec<Dates>,
    /// The first rows, for a scan.
    shown: Vec<csv::Row>,
}

impl Rows {
    /// The rows of a file that begins with this text; `None` if it is a workbook as CSV.
    pub fn of(begin: &str, is_month_first: &[bool]) -> Option<Rows> {
        let header = csv::header(begin);
        let first = header.first().map_or("", |cell| cell.trim());
        let is_sheet = ["survey", "choices", "settings"]
            .iter()
            .any(|name| first.eq_ignore_ascii_case(name));
        if is_sheet && header.iter().skip(1).all(String::is_empty) {
            return None;
        }
        let orders = is_month_first.iter().map(|first| match first {
            true => Order::MonthFirst,
            false => Order::DayFirst,
        });
        Some(Rows {
            parser: csv::Parser::of(begin),
            columns: Columns::of(about::format_of(&header, begin), orders.collect()),
            waiting: Vec::new(),
            bytes: 0,
            count: 0,
            has_header: false,
            dates: Vec::new(),
            shown: Vec::new(),
        })
    }

    /// Reads the next part of the file.
    pub fn push(&mut self, part: &str, is_scan: bool) {
        let mut rows = Vec::new();
        self.parser.push(part, &mut rows);
        self.add(rows, is_scan);
    }

    /// Adds rows, the first of which are the headings.
    pub fn add(&mut self, rows: Vec<csv::Row>, is_scan: bool) {
        for row in rows {
            if !self.has_header {
                self.has_header = true;
                self.dates = vec![Dates::default(); row.cells.len()];
                self.columns.header = row.cells;
                continue;
            }
            self.count += 1;
            if is_scan {
                for (dates, cell) in self.dates.iter_mut().zip(&row.cells) {
                    dates.see(cell);
                }
                if self.shown.len() < SHOWN_ROWS {
                    self.shown.push(row);
                }
            } else if self.count <= MAX_LARGE {
                self.bytes += row.cells.iter().map(String::len).sum::<usize>();
                self.waiting.push(row);
            }
        }
    }

    /// Removes and returns the first waiting rows, at most `count`.
    pub fn take(&mut self, count: usize) -> Vec<csv::Row> {
        let taken: Vec<csv::Row> = self
            .waiting
            .drain(..count.min(self.waiting.len()))
            .collect();
        let cells = self.waiting.iter().flat_map(|row| &row.cells);
        self.bytes = cells.map(String::len).sum();
        taken
    }

    /// Describes the file, with its headings and first rows.
    pub fn described(&self) -> Value {
        let cut = |cells: &[String]| -> Vec<String> {
            let cells = cells.iter();
            cells
                .map(|cell| shortened(cell, SHOWN_CHARS).to_owned())
                .collect()
        };
        let header = &self.columns.header;
        let facts = about::of_headings(header, self.columns.format);
        json!({
            "format": self.columns.format,
            "forms": 0,
            "submissions": self.count.min(MAX_LARGE),
            "losses": [],
            "month_first": self.dates.iter().map(|dates| dates.order() == Order::MonthFirst).collect::<Vec<_>>(),
            "mapping": {
                "headings": header,
                "rows": self.shown.iter().map(|row| cut(&row.cells)).collect::<Vec<_>>(),
                "columns": facts,
            },
        })
    }
}
