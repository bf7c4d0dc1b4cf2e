//! Submissions as CSV (RFC 4180): which columns, and what a cell holds.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::dates::format_moment;
use crate::forms::{FieldType, FormSchema};
use crate::ordered::Gather;
use crate::submissions::Submission;

/// What every submission has, before its answers.
const FACTS: [&str; 9] = [
    "id",
    "status",
    "is_spam",
    "spam_reasons",
    "submitted_at",
    "ip_address",
    "user_agent",
    "referer_url",
    "page_url",
];

/// What stands between the items of a list that shares a cell.
const BETWEEN: &str = "; ";

/// An answer's columns: one, or one for each part of a composite field.
struct AnswerColumns {
    name: String,
    parts: &'static [&'static str],
}

/// The columns of a table: facts, the answers in the order of the schema, then the answers to
/// fields that the schema has no more, the oldest first.
pub struct Columns(Vec<AnswerColumns>);

impl Columns {
    /// The columns for a schema and the names that answers have ever had.
    pub fn new(schema: &FormSchema, ever: Vec<String>) -> Columns {
        let mut columns: Vec<AnswerColumns> = schema
            .answer_fields()
            .map(|field| AnswerColumns {
                name: field.name.clone(),
                parts: parts(field.kind),
            })
            .collect();
        let named: BTreeSet<String> = columns.iter().map(|column| column.name.clone()).gather();
        let old = ever.into_iter().filter(|name| !named.contains(name));
        columns.extend(old.map(|name| AnswerColumns { name, parts: &[] }));
        Columns(columns)
    }

    /// Writes the first row. A name that is taken gets a number.
    pub fn write_header(&self, out: &mut String) {
        let mut taken: BTreeSet<String> = BTreeSet::new();
        let answers = self.0.iter().flat_map(|column| {
            let whole = column.parts.is_empty().then(|| column.name.clone());
            let parts = column.parts.iter();
            whole
                .into_iter()
                .chain(parts.map(|part| [&column.name, ".", part].concat()))
        });
        for name in FACTS.into_iter().map(str::to_owned).chain(answers) {
            let free = (2..)
                .map(|number| format!("{name} ({number})"))
                .find(|numbered| !taken.contains(numbered));
            let own = match free {
                Some(numbered) if taken.contains(&name) => numbered,
                _ => name,
            };
            write_text(out, &own);
            taken.insert(own);
        }
        end_row(out);
    }

    /// Writes a submission's row.
    pub fn write_row(&self, out: &mut String, submission: &Submission) {
        out.push_str(&submission.id.to_string());
        out.push(',');
        write_text(out, &submission.status);
        out.push_str(if submission.is_spam {
            "true,"
        } else {
            "false,"
        });
        write_text(out, &submission.spam_reasons.join(BETWEEN));
        out.push_str(&format_moment(submission.submitted_at));
        out.push(',');
        write_text(out, &submission.ip_address);
        write_text(out, &submission.user_agent);
        write_text(out, &submission.referer_url);
        write_text(out, &submission.page_url);
        for column in &self.0 {
            column.write(out, submission.data.get(&column.name));
        }
        end_row(out);
    }
}

impl AnswerColumns {
    fn write(&self, out: &mut String, answer: Option<&Value>) {
        if self.parts.is_empty() {
            return write_value(out, answer);
        }
        let members = answer.and_then(Value::as_object).filter(|members| {
            let known = |name: &String| self.parts.contains(&name.as_str());
            members.keys().all(known)
        });
        match members {
            Some(members) => {
                for part in self.parts {
                    write_value(out, members.get(*part));
                }
            }
            // An answer from when the field was of another type.
            None => {
                write_value(out, answer);
                for _ in self.parts.iter().skip(1) {
                    out.push(',');
                }
            }
        }
    }
}

/// The parts of a composite answer, as it is stored (contract, section 4).
fn parts(kind: FieldType) -> &'static [&'static str] {
    match kind {
        FieldType::Name => &["first", "last"],
        FieldType::Address => &[
            "street",
            "street2",
            "city",
            "state",
            "postal_code",
            "country",
        ],
        FieldType::Consent => &["accepted", "text"],
        _ => &[],
    }
}

fn write_value(out: &mut String, value: Option<&Value>) {
    match value {
        None | Some(Value::Null) => out.push(','),
        // Numbers are what they are, even less than nothing.
        Some(Value::Number(number)) => {
            out.push_str(&number.to_string());
            out.push(',');
        }
        Some(other) => write_text(out, &text_of(other)),
    }
}

/// A value as one text: items after each other, members with their names.
fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(text_of).collect();
            items.join(BETWEEN)
        }
        Value::Object(members) => {
            let members = members.iter();
            let members: Vec<String> = members
                .map(|(name, member)| [name, ": ", &text_of(member)].concat())
                .collect();
            members.join(BETWEEN)
        }
        Value::Null => String::new(),
        plain => plain.to_string(),
    }
}

/// Writes a cell that holds a text, and the comma after it. What a spreadsheet would run as a formula
/// gets an apostrophe before it (OWASP, "CSV Injection").
fn write_text(out: &mut String, text: &str) {
    let quoted = text.contains(['"', ',', ';', '\r', '\n', '\t']) || text != text.trim();
    if quoted {
        out.push('"');
    }
    if is_formula(text) {
        out.push('\'');
    }
    if text.contains('"') {
        out.push_str(&text.replace('"', "\"\""));
    } else {
        out.push_str(text);
    }
    out.push_str(if quoted { "\"," } else { "," });
}

/// Whether a spreadsheet may take a cell for a formula: it begins with one of its signs, of either
/// width, after white space or nothing; or with a character that it drops before it looks.
fn is_formula(text: &str) -> bool {
    let invisible = |c: char| {
        c.is_whitespace()
            || c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
    };
    let drops = text.starts_with(['\t', '\r', '\n', '\0']);
    drops
        || text.trim_start_matches(invisible).starts_with([
            '=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}',
        ])
}

/// Turns the comma after the last cell into the row's end.
fn end_row(out: &mut String) {
    out.pop();
    out.push_str("\r\n");
}
