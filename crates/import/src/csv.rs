//! CSV: commas, semicolons or tabs between cells, quoted cells with line breaks.

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
    let mark = separator(content);
    let (mut rows, mut row, mut cell) = (Vec::new(), Row::default(), String::new());
    let mut is_quoted = false;
    let mut chars = content.chars().peekable();
    let end_cell = |row: &mut Row, cell: &mut String| {
        if row.cells.len() < MAX_CELLS {
            row.cells.push(std::mem::take(cell));
        } else {
            cell.clear();
        }
    };
    while let Some(c) = chars.next() {
        match c {
            '"' if is_quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            '"' if is_quoted => is_quoted = false,
            '"' if cell.is_empty() => is_quoted = true,
            _ if is_quoted => cell.push(c),
            '\r' if chars.peek() == Some(&'\n') => {}
            '\n' | '\r' => {
                end_cell(&mut row, &mut cell);
                let done = std::mem::take(&mut row);
                if done.cells.iter().any(|cell| !cell.is_empty()) {
                    rows.push(done);
                }
                if rows.len() >= most {
                    return rows;
                }
            }
            _ if c == mark => end_cell(&mut row, &mut cell),
            _ => cell.push(c),
        }
    }
    if !cell.is_empty() || !row.cells.is_empty() {
        end_cell(&mut row, &mut cell);
        rows.push(row);
    }
    rows
}
