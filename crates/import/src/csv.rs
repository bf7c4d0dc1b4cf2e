//! Reads CSV. Commas, semicolons or tabs separate cells; quoted cells may contain line breaks. A file may arrive in
//! parts.

/// The maximum number of rows that [`read`] returns.
pub const MAX_ROWS: usize = 200_000;

/// The maximum number of cells of a row.
const MAX_CELLS: usize = 2_000;

/// A row of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    pub cells: Vec<String>,
}

/// Whether a text may be CSV: its first line has a separator, and no NUL occurs.
pub fn is_likely(content: &str) -> bool {
    let first = content.lines().next().unwrap_or_default();
    first.contains([',', ';', '\t']) && !content.contains('\0')
}

/// The separator: the most frequent of the three in the first line, outside of quotes.
fn separator(content: &str) -> char {
    let mut counts = [(',', 0_usize), (';', 0), ('\t', 0)];
    let mut is_quoted = false;
    for c in content.chars() {
        match c {
            '"' => is_quoted = !is_quoted,
            '\n' if !is_quoted => break,
            _ if is_quoted => {}
            _ => {
                if let Some((_, count)) = counts.iter_mut().find(|(mark, _)| *mark == c) {
                    *count += 1;
                }
            }
        }
    }
    let best = counts.into_iter().rev().max_by_key(|(_, count)| *count);
    best.filter(|(_, count)| *count > 0)
        .map_or(',', |(mark, _)| mark)
}

/// Whether the first row of a text is complete.
pub fn has_whole_line(content: &str) -> bool {
    let mut is_quoted = false;
    content.bytes().any(|byte| {
        is_quoted ^= byte == b'"';
        byte == b'\n' && !is_quoted
    })
}

/// The cells of the first row.
pub fn header(content: &str) -> Vec<String> {
    read_some(content, 1)
        .into_iter()
        .next()
        .unwrap_or_default()
        .cells
}

/// Reads the rows that are not empty, at most [`MAX_ROWS`].
pub fn read(content: &str) -> Vec<Row> {
    read_some(content, MAX_ROWS)
}

fn read_some(content: &str, limit: usize) -> Vec<Row> {
    let mut parser = Parser::of(content);
    let mut rows = Vec::new();
    // Reading stops once there are enough rows.
    for line in content.split_inclusive('\n') {
        parser.push(line, &mut rows);
        if rows.len() >= limit {
            rows.truncate(limit);
            return rows;
        }
    }
    rows.extend(parser.end());
    rows
}

/// The parser's position relative to quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quotes {
    Outside,
    Within,
    /// After a quote in a quoted cell, which ends the quoted text unless a second quote follows.
    AfterQuote,
}

/// Reads rows from parts of a file as they arrive.
#[derive(Clone, Debug)]
pub struct Parser {
    mark: char,
    row: Row,
    cell: String,
    quotes: Quotes,
}

impl Parser {
    /// Creates the parser of a file that begins with this text, which must contain the whole first line.
    pub fn of(begin: &str) -> Parser {
        Parser {
            mark: separator(begin),
            row: Row::default(),
            cell: String::new(),
            quotes: Quotes::Outside,
        }
    }

    /// Reads the next part of the file, and adds its rows that are not empty.
    pub fn push(&mut self, part: &str, rows: &mut Vec<Row>) {
        for c in part.chars() {
            match (self.quotes, c) {
                (Quotes::Within, '"') => self.quotes = Quotes::AfterQuote,
                (Quotes::Within, c) => self.cell.push(c),
                (Quotes::AfterQuote, '"') => {
                    self.quotes = Quotes::Within;
                    self.cell.push('"');
                }
                (_, c) => {
                    self.quotes = Quotes::Outside;
                    match c {
                        '"' if self.cell.is_empty() => self.quotes = Quotes::Within,
                        '\n' | '\r' => rows.extend(self.end()),
                        c if c == self.mark => self.end_cell(),
                        c => self.cell.push(c),
                    }
                }
            }
        }
    }

    fn end_cell(&mut self) {
        if self.row.cells.len() < MAX_CELLS {
            self.row.cells.push(std::mem::take(&mut self.cell));
        } else {
            self.cell.clear();
        }
    }

    /// Ends the current row and returns it; `None` for an empty row.
    pub fn end(&mut self) -> Option<Row> {
        self.end_cell();
        let row = std::mem::take(&mut self.row);
        row.cells.iter().any(|cell| !cell.is_empty()).then_some(row)
    }
}
