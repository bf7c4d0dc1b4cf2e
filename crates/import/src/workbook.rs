//! Reads workbooks: `.xlsx`, a zip of XML that arrives as base64, or CSV with its sheets one below the other.

use miniz_oxide::inflate::decompress_to_vec_with_limit;

use crate::csv;
use crate::xml::{self, Element};

/// The start of a zip as base64.
const ZIP: &str = "UEsDB";

/// Maximum unpacked size of a part of a workbook, in bytes.
const MAX_PART_BYTES: usize = 32 * 1024 * 1024;

/// The maximum number of parts of a zip.
const MAX_PARTS: usize = 2_000;

/// The maximum number of columns of a sheet.
const MAX_COLUMNS: usize = 1_000;

/// The maximum number of rows of a sheet.
const MAX_ROWS: usize = 100_000;

/// A sheet: its name, and its rows.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    pub name: String,
    pub rows: Vec<Vec<String>>,
}

/// Whether a text is a zip as base64.
pub fn is_zip(content: &str) -> bool {
    content.trim_start().starts_with(ZIP)
}

/// The sheets of an `.xlsx` file in base64. The error says why the file is not a workbook.
pub fn sheets(content: &str) -> Result<Vec<Sheet>, String> {
    let bytes = base64(content).ok_or("This file is not valid base64.")?;
    let zip = Zip::of(&bytes).ok_or("This file is not a zip file.")?;
    let part = |name: &str| zip.part(name).map(|text| xml::read(&text));
    let book = part("xl/workbook.xml").ok_or("This zip is not a workbook: save it as .xlsx.")?;
    let relations = part("xl/_rels/workbook.xml.rels").unwrap_or_default();
    let shared = part("xl/sharedStrings.xml").unwrap_or_default();
    let shared: Vec<String> = match shared.child("sst") {
        Some(list) => list.all("si").map(all_text).collect(),
        None => Vec::new(),
    };
    let sheets = book.child("workbook").and_then(|book| book.child("sheets"));
    let mut found = Vec::new();
    for sheet in sheets.into_iter().flat_map(|sheets| sheets.all("sheet")) {
        let id = sheet.attribute("r:id").unwrap_or_default();
        let relation = relations.child("Relationships").and_then(|all| {
            all.all("Relationship")
                .find(|one| one.attribute("Id").as_deref() == Some(&id))
        });
        let target = relation
            .and_then(|one| one.attribute("Target"))
            .unwrap_or_default();
        let path = match target.strip_prefix('/') {
            Some(path) => path.to_owned(),
            None => ["xl/", &target].concat(),
        };
        let rows = part(&path).map(|sheet| rows(&sheet, &shared));
        found.push(Sheet {
            name: sheet.attribute("name").unwrap_or_default(),
            rows: rows.unwrap_or_default(),
        });
    }
    Ok(found)
}

/// The sheets of CSV. A row with a first cell names a sheet; the rows below have an empty first cell.
pub fn sheets_of_csv(content: &str) -> Vec<Sheet> {
    let mut sheets: Vec<Sheet> = Vec::new();
    for row in csv::read(content) {
        let first = row.cells.first().map_or("", |cell| cell.trim());
        if !first.is_empty() {
            sheets.push(Sheet {
                name: first.to_owned(),
                rows: Vec::new(),
            });
        } else if let Some(sheet) = sheets.last_mut() {
            sheet.rows.push(row.cells.into_iter().skip(1).collect());
        }
    }
    sheets
}

/// The text of an element: its own text, and that of its formatted runs.
fn all_text(element: &Element) -> String {
    let plain = element.child("t").map(|text| text.text.clone());
    let runs = element
        .all("r")
        .filter_map(|run| run.child("t"))
        .map(|text| text.text.clone());
    plain.into_iter().chain(runs).collect()
}

fn rows(sheet: &Element, shared: &[String]) -> Vec<Vec<String>> {
    let data = sheet
        .child("worksheet")
        .and_then(|sheet| sheet.child("sheetData"));
    let mut rows = Vec::new();
    for row in data
        .into_iter()
        .flat_map(|data| data.all("row"))
        .take(MAX_ROWS)
    {
        let mut cells: Vec<String> = Vec::new();
        for cell in row.all("c") {
            let place = cell.attribute("r").unwrap_or_default();
            let column = column(&place).unwrap_or(cells.len());
            if column >= MAX_COLUMNS {
                break;
            }
            while cells.len() < column {
                cells.push(String::new());
            }
            cells.push(value(cell, shared));
        }
        rows.push(cells);
    }
    rows
}

/// The index of a cell's column, from the letters of a reference such as `B7`.
fn column(place: &str) -> Option<usize> {
    let mut number = 0_usize;
    for letter in place.bytes().take_while(u8::is_ascii_uppercase).take(3) {
        number = number * 26 + usize::from(letter - b'A') + 1;
    }
    number.checked_sub(1)
}

fn value(cell: &Element, shared: &[String]) -> String {
    let raw = cell.text_of("v");
    match cell.attribute("t").as_deref() {
        Some("s") => raw
            .parse::<usize>()
            .ok()
            .and_then(|index| shared.get(index))
            .cloned()
            .unwrap_or_default(),
        Some("inlineStr") => cell.child("is").map(all_text).unwrap_or_default(),
        Some("b") => if raw == "1" { "true" } else { "false" }.to_owned(),
        _ => raw.strip_suffix(".0").unwrap_or(raw).to_owned(),
    }
}

fn base64(content: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(content.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0);
    for c in content.bytes().filter(|byte| !byte.is_ascii_whitespace()) {
        let digit = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => break,
            _ => return None,
        };
        bits = bits << 6 | u32::from(digit);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 0xff).ok()?);
            bits &= (1 << count) - 1;
        }
    }
    Some(bytes)
}

/// The directory of a zip.
struct Zip<'z> {
    bytes: &'z [u8],
    /// The name, compression method, packed size and offset of each part.
    parts: Vec<(String, u16, usize, usize)>,
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(
        bytes.get(at..at.checked_add(2)?)?.try_into().ok()?,
    ))
}

fn long(bytes: &[u8], at: usize) -> Option<usize> {
    let four = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
    usize::try_from(u32::from_le_bytes(four)).ok()
}

impl<'z> Zip<'z> {
    /// Reads the directory at the end of the file.
    fn of(bytes: &'z [u8]) -> Option<Zip<'z>> {
        let end = bytes.windows(4).rposition(|four| four == b"PK\x05\x06")?;
        let count = usize::from(short(bytes, end + 10)?);
        let mut at = long(bytes, end + 16)?;
        let mut parts = Vec::new();
        for _ in 0..count.min(MAX_PARTS) {
            if bytes.get(at..at.checked_add(4)?)? != b"PK\x01\x02" {
                return None;
            }
            let method = short(bytes, at + 10)?;
            let size = long(bytes, at + 20)?;
            let [name, extra, comment] =
                [28, 30, 32].map(|offset| short(bytes, at + offset).map(usize::from));
            let (name, extra, comment) = (name?, extra?, comment?);
            let start = at + 46;
            let text = bytes.get(start..start.checked_add(name)?)?;
            let text = String::from_utf8_lossy(text).into_owned();
            parts.push((text, method, size, long(bytes, at + 42)?));
            at = start + name + extra + comment;
        }
        Some(Zip { bytes, parts })
    }

    /// The text of a part.
    fn part(&self, name: &str) -> Option<String> {
        let (_, method, size, at) = self.parts.iter().find(|(known, ..)| known == name)?;
        let [name, extra] =
            [26, 28].map(|offset| short(self.bytes, at.checked_add(offset)?).map(usize::from));
        let start = at
            .checked_add(30)?
            .checked_add(name?)?
            .checked_add(extra?)?;
        let packed = self.bytes.get(start..start.checked_add(*size)?)?;
        let plain = match method {
            0 => packed.to_vec(),
            8 => decompress_to_vec_with_limit(packed, MAX_PART_BYTES).ok()?,
            _ => return None,
        };
        Some(String::from_utf8_lossy(&plain).into_owned())
    }
}
