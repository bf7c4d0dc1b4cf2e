//! Validates repeating groups. Each row of [`SentRows`] is checked like a separate form.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::report::{AnswerCode, Bounds, Report, ReportedRow};
use super::{Check, Rules, checked, is_disabled};
use crate::Field;
use crate::logic::conditions::Settled;
use crate::logic::input::Input;
use crate::logic::piping::{self, PipeNames, Piped};
use crate::logic::rows::SentRows;
use crate::rows::{RowGroups, in_row, row_name};

/// The input and context for checking the rows of one group.
pub(super) struct Rows<'r> {
    pub(super) group: &'r Field,
    pub(super) settled: &'r Settled<'r>,
    pub(super) input: &'r Input,
    /// The texts that pipes show, outside of the rows.
    pub(super) piped: Option<&'r Piped>,
    pub(super) required: &'r BTreeSet<&'r str>,
    pub(super) emails: &'r BTreeSet<&'r str>,
}

/// A field in one row: the field, the key of its answer, and the field under the name of its input.
type Place<'r> = (&'r Field, String, Field);

impl Rules<'_> {
    /// Validates the rows of a group, adds their faults, and returns the list to store. `None` if there are too many
    /// rows.
    pub(super) fn rows(
        &self,
        rows: &Rows<'_>,
        report: &mut Report<'_>,
        files: &mut Vec<usize>,
    ) -> Option<Value> {
        let group = rows.group;
        let groups = self.schema.row_groups();
        let columns = self.schema.columns(&groups, &group.name);
        let sent = SentRows::of(group, &columns, rows.input);
        let (min, max) = group.row_limits();
        if sent.is_over {
            let bounds = Bounds::new(None, Some(max));
            report.add(group, None, AnswerCode::TooLarge, &bounds);
            return None;
        }
        let before = report.faults.len();
        let names = rows.piped.and_then(|_| PipeNames::of(self.schema));
        let mut list = Vec::with_capacity(sent.numbers.len());
        for (index, number) in sent.numbers.iter().enumerate() {
            let mut places = places_in(rows, &columns, &groups, (index, *number));
            if let Some(names) = &names {
                self.fill_row(rows, names, &columns, &mut places);
            }
            let mut row = Map::new();
            for (column, key, field) in &places {
                report.row = Some(ReportedRow {
                    index,
                    group: group.clone(),
                    column: column.name.clone(),
                });
                let name = column.name.as_str();
                let mut check = Check {
                    field,
                    shape: field.shape(),
                    required: field.required || rows.required.contains(name),
                    is_email: rows.emails.contains(name),
                    has_filled_pipes: names.is_some(),
                    calculated: rows.settled.calculated.get(key),
                    input: rows.input,
                    report,
                    files,
                };
                if let Some(value) = check.answer() {
                    row.insert(column.name.clone(), value);
                }
            }
            list.push(Value::Object(row));
        }
        report.row = None;
        if sent.blank > 0 && report.faults.len() == before {
            let bounds = Bounds::new(Some(min), None);
            report.add(group, None, AnswerCode::TooSmall, &bounds);
        }
        Some(Value::Array(list))
    }

    /// Replaces the pipes in the texts of a row's fields by answers of the same row.
    fn fill_row(
        &self,
        rows: &Rows<'_>,
        names: &PipeNames<'_>,
        columns: &[&Field],
        places: &mut [Place<'_>],
    ) {
        let mut piped = rows.piped.cloned().unwrap_or_default();
        for column in columns {
            piping::set_piped(&mut piped, column, None, self.messages);
        }
        for (column, key, field) in places.iter() {
            let calculated = rows.settled.calculated.get(key);
            let value = checked(field, rows.input, calculated, self.messages).0;
            piping::set_piped(&mut piped, column, value.as_ref(), self.messages);
        }
        for (_, _, field) in places {
            piping::fill_field(names, field, &piped);
        }
    }
}

/// The fields to check in one row. `row` has the row's index in the stored list, and the number that was sent.
fn places_in<'r>(
    rows: &Rows<'_>,
    columns: &[&'r Field],
    groups: &RowGroups<'_>,
    row: (usize, usize),
) -> Vec<Place<'r>> {
    let group = rows.group.name.as_str();
    let places = columns.iter().filter_map(|column| {
        let key = row_name(group, &row.0.to_string(), &column.name);
        let is_checked = !rows.settled.hidden_in_rows.contains(&key) && !is_disabled(column);
        let field = in_row(column, groups, group, &row.1.to_string());
        is_checked.then_some((*column, key, field))
    });
    places.collect()
}
