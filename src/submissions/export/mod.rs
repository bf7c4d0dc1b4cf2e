//! Exports submissions of a form as one streamed document.

mod answer_columns;
mod csv;
mod members;

use serde_json::to_writer;

use crate::error::Error;
use crate::store::submissions::Walk;
use crate::submissions::{Submission, read_by_schemas};
use crate::task::Context;

pub use csv::Columns;

/// The format of the document.
pub enum Format {
    /// A CSV table (RFC 4180).
    Csv {
        /// The columns of the table.
        columns: Columns,
        /// Whether the table begins with a byte order mark, by which Excel recognizes UTF-8.
        byte_order_mark: bool,
    },
    /// The rows of an XLSX sheet as JSON lines, from which the host creates the file.
    Xlsx {
        /// The columns of the sheet.
        columns: Columns,
    },
    /// One JSON array.
    Json {
        /// The chosen columns; `None` for all.
        members: Option<Columns>,
    },
    /// A JSON object on each line.
    Ndjson {
        /// The chosen columns; `None` for all.
        members: Option<Columns>,
    },
}

/// The media type of an XLSX file.
pub const SHEET: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

impl Format {
    /// The media type of the format.
    pub fn media_type(&self) -> &'static str {
        match self {
            Format::Csv { .. } => "text/csv; charset=utf-8; header=present",
            Format::Xlsx { .. } => SHEET,
            Format::Json { .. } => "application/json; charset=UTF-8",
            Format::Ndjson { .. } => "application/x-ndjson; charset=utf-8",
        }
    }
}

/// A running export.
pub struct Export {
    walk: Walk,
    format: Format,
    has_begun: bool,
}

impl Export {
    /// Starts an export of the submissions that a walk reads.
    pub fn new(walk: Walk, format: Format) -> Export {
        Export {
            walk,
            format,
            has_begun: false,
        }
    }

    /// Whether the document is complete.
    pub fn is_done(&self) -> bool {
        self.walk.is_done()
    }

    /// The next piece of the document.
    pub async fn next(&mut self, cx: &Context) -> Result<Vec<u8>, Error> {
        let mut submissions = self.walk.next(cx).await?;
        read_by_schemas(cx, &mut submissions).await?;
        let has_begun = std::mem::replace(&mut self.has_begun, true);
        match &self.format {
            Format::Csv {
                columns,
                byte_order_mark,
            } => {
                let mut text = String::new();
                if !has_begun && *byte_order_mark {
                    text.push('\u{feff}');
                }
                if !has_begun {
                    text.push_str(&columns.header());
                }
                text.extend(submissions.iter().map(|submission| columns.row(submission)));
                Ok(text.into_bytes())
            }
            Format::Xlsx { columns } => {
                let mut text = String::new();
                if !has_begun {
                    text.push_str(&columns.sheet_header());
                }
                text.extend(
                    submissions
                        .iter()
                        .map(|submission| columns.sheet_row(submission)),
                );
                Ok(text.into_bytes())
            }
            Format::Json { members } => {
                // The walk may end with an empty piece, before which there must be no comma.
                let begins = match (has_begun, submissions.is_empty()) {
                    (false, _) => "[",
                    (true, false) => ",",
                    (true, true) => "",
                };
                let ends = if self.walk.is_done() { "]" } else { "" };
                json_list(members.as_ref(), &submissions, [begins, ",\n", ends])
            }
            Format::Ndjson { .. } if submissions.is_empty() => Ok(Vec::new()),
            Format::Ndjson { members } => {
                json_list(members.as_ref(), &submissions, ["", "\n", "\n"])
            }
        }
    }
}

fn json_list(
    members: Option<&Columns>,
    submissions: &[Submission],
    [begins, between, ends]: [&str; 3],
) -> Result<Vec<u8>, Error> {
    let mut out = begins.as_bytes().to_vec();
    for (index, submission) in submissions.iter().enumerate() {
        if index > 0 {
            out.extend_from_slice(between.as_bytes());
        }
        match members.and_then(|columns| columns.members(submission)) {
            Some(members) => to_writer(&mut out, &members)?,
            None => to_writer(&mut out, submission)?,
        }
    }
    out.extend_from_slice(ends.as_bytes());
    Ok(out)
}
