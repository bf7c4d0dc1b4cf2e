//! Reads the rows of an XLSForm, and its languages.

use crate::values;
use crate::workbook::Sheet;
use serde_json::{Map, Value};

/// A row: its cells by the names of their columns.
pub type Row = Map<String, Value>;

/// The sheet with this name, ignoring case.
pub fn sheet<'s>(sheets: &'s [Sheet], name: &str) -> Option<&'s Sheet> {
    let mut sheets = sheets.iter();
    sheets.find(|sheet| sheet.name.trim().eq_ignore_ascii_case(name))
}

/// The columns whose language may follow a single colon in older files.
const TRANSLATED: [&str; 3] = ["label", "hint", "constraint_message"];

/// Normalizes a heading such as `Label::English`: the column's name becomes lowercase, the language keeps its case.
pub fn column(cell: &str) -> String {
    let older = || {
        let (name, language) = cell.split_once(':')?;
        let is_translated = TRANSLATED.contains(&name.trim().to_ascii_lowercase().as_str());
        is_translated.then_some((name, language))
    };
    match cell.split_once("::").or_else(older) {
        Some((name, language)) => {
            [&name.trim().to_ascii_lowercase(), "::", language.trim()].concat()
        }
        None => cell.trim().to_ascii_lowercase(),
    }
}

/// The rows of a sheet that are not empty, with their cells by column name.
pub fn rows(sheets: &[Sheet], name: &str) -> Vec<Row> {
    let Some(sheet) = sheet(sheets, name) else {
        return Vec::new();
    };
    let mut rows = sheet.rows.iter();
    let header: Vec<String> = rows
        .next()
        .map(|row| row.iter().map(|cell| column(cell)).collect())
        .unwrap_or_default();
    let named = |row: &Vec<String>| -> Row {
        let mut named = Row::new();
        for (name, cell) in header.iter().zip(row).filter(|(name, _)| !name.is_empty()) {
            values::put_text(&mut named, name, cell.trim());
        }
        named
    };
    rows.map(named).filter(|row| !row.is_empty()).collect()
}

pub fn get<'r>(row: &'r Row, name: &str) -> &'r str {
    row.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The languages of the labels: the selected language, and the others.
pub struct Language {
    pub used: String,
    pub others: Vec<String>,
}

impl Language {
    pub fn of(survey: &[Row], settings: &Row) -> Language {
        let mut all: Vec<String> = Vec::new();
        for row in survey {
            for name in row.keys().filter_map(|name| name.split_once("label::")) {
                let language = name.1.trim().to_owned();
                if !all.contains(&language) {
                    all.push(language);
                }
            }
        }
        let default = get(settings, "default_language");
        let has_plain = survey.iter().any(|row| row.contains_key("label"));
        let chosen = all
            .iter()
            .find(|language| *language == default || language.split(" (").next() == Some(default));
        let used = match (chosen, all.first()) {
            (Some(chosen), _) => chosen.clone(),
            (None, Some(first)) if !has_plain => first.clone(),
            _ => String::new(),
        };
        all.retain(|language| *language != used);
        Language { used, others: all }
    }

    /// A text of a row in the selected language, or else in the column without a language.
    pub fn text<'r>(&self, row: &'r Row, name: &str) -> &'r str {
        match get(row, &[name, "::", &self.used].concat()) {
            "" => get(row, name),
            text => text,
        }
    }

    /// The code of the selected language, such as `en` of `English (en)`; empty if it has none.
    pub fn code(&self) -> &str {
        let code = self
            .used
            .split_once('(')
            .map_or("", |(_, code)| code.trim_end_matches(')'));
        if code.len() <= 10 { code } else { "" }
    }
}

pub fn is_yes(word: &str) -> bool {
    matches!(
        word.to_ascii_lowercase().as_str(),
        "yes" | "true" | "true()" | "1"
    )
}
