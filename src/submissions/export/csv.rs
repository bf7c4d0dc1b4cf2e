//! Submissions as CSV (RFC 4180): which columns, and what a cell holds.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::dates::format_moment;
use crate::forms::{FieldType, FormSchema};
use crate::ordered::Gather;
use crate::submissions::Submission;

/// What every submission has, before its answers.
const FACTS: &str =
    "id status is_spam spam_reasons submitted_at ip_address user_agent referer_url page_url";

/// What stands between the items of a list that shares a cell.
const BETWEEN: &str = "; ";

/// An answer's columns: one, or one for each part of a composite answer, as it is stored (contract, section 4).
struct AnswerColumns {
    name: String,
    parts: Vec<&'static str>,
}

/// The columns of a table: facts, the answers in the order of the schema, then the answers to
/// fields that the schema has no more, the oldest first.
pub struct Columns(Vec<AnswerColumns>);

impl Columns {
    /// The columns for a schema and the names that answers have ever had.
    pub fn new(schema: &FormSchema, ever: Vec<String>) -> Columns {
        let fields = schema.answer_fields().map(|field| AnswerColumns {
            name: field.name.clone(),
            parts: match field.kind {
                FieldType::Consent => vec!["accepted", "text"],
                kind => kind.parts().iter().map(|part| part.name).collect(),
            },
        });
        let mut columns: Vec<AnswerColumns> = fields.collect();
        let named: BTreeSet<&str> = schema.answer_fields().map(|own| &*own.name).gather();
        let old = ever.into_iter().filter(|name| !named.contains(&**name));
        columns.extend(old.map(|name| AnswerColumns {
            name,
            parts: Vec::new(),
        }));
        Columns(columns)
    }

    /// The first row. A name that is taken gets a number.
    pub fn header(&self) -> String {
        let mut names: Vec<String> = FACTS.split(' ').map(str::to_owned).collect();
        for AnswerColumns { name, parts } in &self.0 {
            if parts.is_empty() {
                names.push(name.clone());
            }
            names.extend(parts.iter().map(|part| [name, ".", part].concat()));
        }
        let mut taken = BTreeSet::new();
        for name in &mut names {
            let mut numbered = (2..).map(|number| format!("{name} ({number})"));
            if taken.contains(name)
                && let Some(free) = numbered.find(|own| !taken.contains(own))
            {
                *name = free;
            }
            taken.insert(name.clone());
        }
        row_of(names.iter().map(|name| text_cell(name)))
    }

    /// A submission's row.
    pub fn row(&self, submission: &Submission) -> String {
        let facts = [
            submission.id.to_string(),
            text_cell(&submission.status),
            submission.is_spam.to_string(),
            text_cell(&submission.spam_reasons.join(BETWEEN)),
            format_moment(submission.submitted_at),
            text_cell(&submission.ip_address),
            text_cell(&submission.user_agent),
            text_cell(&submission.referer_url),
            text_cell(&submission.page_url),
        ];
        let answers = self.0.iter();
        let answers = answers.flat_map(|column| column.cells(submission.data.get(&column.name)));
        row_of(facts.into_iter().chain(answers))
    }
}

impl AnswerColumns {
    fn cells(&self, answer: Option<&Value>) -> Vec<String> {
        let members = answer.and_then(Value::as_object);
        let is_whole = |name: &String| self.parts.contains(&name.as_str());
        match members.filter(|own| !self.parts.is_empty() && own.keys().all(is_whole)) {
            Some(members) => {
                let parts = self.parts.iter();
                parts.map(|part| cell(members.get(*part))).collect()
            }
            // One column, or an answer from when the field was of another type.
            None => {
                let mut cells = vec![cell(answer)];
                cells.resize(self.parts.len().max(1), String::new());
                cells
            }
        }
    }
}

fn row_of(cells: impl Iterator<Item = String>) -> String {
    cells.collect::<Vec<_>>().join(",") + "\r\n"
}

/// The cell of a value. Numbers are what they are, even less than nothing.
fn cell(value: Option<&Value>) -> String {
    match value {
        None => String::new(),
        Some(Value::Number(number)) => number.to_string(),
        Some(other) => text_cell(&text_of(other)),
    }
}

/// A value as one text: items after each other, members with their names.
fn text_of(value: &Value) -> String {
    let texts: Vec<String> = match value {
        Value::Null => return String::new(),
        Value::String(text) => return text.clone(),
        Value::Array(items) => items.iter().map(text_of).collect(),
        Value::Object(members) => members
            .iter()
            .map(|(name, member)| [name, ": ", &text_of(member)].concat())
            .collect(),
        plain => return plain.to_string(),
    };
    texts.join(BETWEEN)
}

/// A cell that holds a text. What a spreadsheet would run as a formula gets an apostrophe before it (OWASP, "CSV
/// Injection").
fn text_cell(text: &str) -> String {
    let apostrophe = if is_formula(text) { "'" } else { "" };
    if text.contains(['"', ',', ';', '\r', '\n', '\t']) || text != text.trim() {
        ["\"", apostrophe, &text.replace('"', "\"\""), "\""].concat()
    } else {
        [apostrophe, text].concat()
    }
}

/// Whether a spreadsheet may take a cell for a formula: it begins with one of its signs, of either
/// width, after white space or nothing; or with a character that it drops before it looks.
fn is_formula(text: &str) -> bool {
    let invisible = |c: char| {
        c.is_whitespace()
            || c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
    };
    let signs = "=+-@\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}";
    text.starts_with(['\t', '\r', '\n', '\0'])
        || text
            .trim_start_matches(invisible)
            .starts_with(|c| signs.contains(c))
}
