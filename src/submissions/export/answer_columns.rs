//! The columns of an answer in a table.

use serde_json::Value;

use crate::forms::{Field, FormSchema};

/// The columns of an answer: one column, or one for each part of a composite answer (contract, section 4).
pub(super) struct AnswerColumns {
    pub(super) name: String,
    pub(super) parts: Vec<&'static str>,
    /// The columns of the rows, for a repeating group.
    pub(super) rows: Option<RowColumns>,
}

/// The columns of a repeating group: one for each field of the first ten rows, then one with all further rows.
pub(super) struct RowColumns {
    /// The number of rows with separate columns.
    pub(super) rows: usize,
    pub(super) has_more: bool,
    /// The fields of a row, with the parts of composite answers.
    pub(super) fields: Vec<AnswerColumns>,
}

/// Limit on the rows of a repeating group that have separate columns.
pub(super) const MAX_ROWS: usize = 10;

impl RowColumns {
    /// The number of columns of one row.
    pub(super) fn width(&self) -> usize {
        let widths = self.fields.iter().map(AnswerColumns::width);
        widths.sum()
    }
}

impl AnswerColumns {
    /// The number of columns.
    pub(super) fn width(&self) -> usize {
        match &self.rows {
            Some(rows) => rows.rows * rows.width() + usize::from(rows.has_more),
            None => self.parts.len().max(1),
        }
    }

    /// Adds the headings of the columns, each beginning with `name`.
    pub(super) fn add_headings(&self, name: &str, names: &mut Vec<String>) {
        if let Some(rows) = &self.rows {
            for number in 1..=rows.rows {
                for field in &rows.fields {
                    field.add_headings(&format!("{name}.{number}.{}", field.name), names);
                }
            }
            names.extend(rows.has_more.then(|| [name, ".more"].concat()));
        } else if self.parts.is_empty() {
            names.push(name.to_owned());
        } else {
            let parts = self.parts.iter();
            names.extend(parts.map(|part| [name, ".", part].concat()));
        }
    }

    /// Adds the titles of the columns, each beginning with the text `before`.
    pub(super) fn add_titles(&self, before: &str, schema: &FormSchema, titles: &mut Vec<String>) {
        let field = schema.field(&self.name);
        let label = field.map(Field::plain_label);
        let label = label.filter(|label| !label.trim().is_empty());
        let label = [before, label.as_deref().unwrap_or(&self.name)].concat();
        if let Some(rows) = &self.rows {
            for number in 1..=rows.rows {
                for field in &rows.fields {
                    field.add_titles(&format!("{label} {number}: "), schema, titles);
                }
            }
            titles.extend(rows.has_more.then(|| label + " …"));
        } else if self.parts.is_empty() {
            titles.push(label);
        } else {
            for part in &self.parts {
                let part = field
                    .and_then(|field| field.part_label(part))
                    .unwrap_or(part);
                titles.push([&label, " (", part, ")"].concat());
            }
        }
    }

    /// Calls `take` with the value of each column.
    pub(super) fn each(&self, answer: Option<&Value>, take: &mut dyn FnMut(Option<&Value>)) {
        let members = answer.and_then(Value::as_object);
        let is_whole = |name: &String| self.parts.contains(&name.as_str());
        match members.filter(|members| !self.parts.is_empty() && members.keys().all(is_whole)) {
            Some(members) => {
                for part in &self.parts {
                    take(members.get(*part));
                }
            }
            // The answer has one column, or the field had another type when the answer was stored.
            None => {
                take(answer);
                for _ in 1..self.parts.len() {
                    take(None);
                }
            }
        }
    }
}
