//! CSV: commas, semicolons or tabs between cells, quoted cells with line breaks. A file may be read in parts.

/// The maximum number of rows of a file.
pub const MAX_ROWS: usize = 200_000;

/// The maximum number of cells of a row.
const MAX_CELLS: usize = 2_000;

/// A row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    pub cells: Vec<String>,
}

/// Whether a text may be CSV: its first line has a separator.
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

/// Reads the rows, without empty ones.
pub fn read(content: &str) -> Vec<Row> {
    read_some(content, MAX_ROWS)
}

fn read_some(content: &str, most: usize) -> Vec<Row> {
    let mut parser = Parser::of(content);
    let mut rows = Vec::new();
    // Only as much is read as the rows need.
    for line in content.split_inclusive('\n') {
        parser.push(line, &mut rows);
        if rows.len() >= most {
            rows.truncate(most);
            return rows;
        }
    }
    rows.extend(parser.end());
    rows
}

/// The state within a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quotes {
    Outside,
    Within,
    /// After a quote within quotes, which ends them unless another quote follows.
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
    /// The parser of a file that begins with this text, whose first line must be complete.
    pub fn of(begin: &str) -> Parser {
        Parser {
            mark: separator(begin),
            row: Row::default(),
            cell: String::new(),
            quotes: Quotes::Outside,
        }
    }

    /// Reads a part, and adds its rows, without empty ones.
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

    /// Ends the row; `None` for an empty one.
    pub fn end(&mut self) -> Option<Row> {
        self.end_cell();
        let row = std::mem::take(&mut self.row);
        row.cells.iter().any(|cell| !cell.is_empty()).then_some(row)
    }
}
