//! Reports answers whose values or seats earlier submissions have taken.

use super::report::{AnswerCode, AnswerFault, Bounds, Report, ReportedRow};
use super::{CleanData, Rules};
use crate::logic::holds::{Hold, holds};
use crate::rows::in_row;

impl Rules<'_> {
    /// The holds of validated answers.
    pub fn holds(&self, data: &CleanData) -> Vec<Hold> {
        holds(self.schema, &data.answers)
    }

    /// Adds the faults of answers whose holds do not fit. `taken` has, for each hold, the count that other
    /// submissions occupy.
    pub fn check_holds(&self, holds: &[Hold], taken: &[i64], faults: &mut Vec<AnswerFault>) {
        let place = |name: &str| {
            self.schema
                .fields
                .iter()
                .position(|field| field.name == name)
        };
        let groups = self.schema.row_groups();
        let mut before: Vec<&Hold> = Vec::new();
        for (hold, taken) in holds.iter().zip(taken) {
            let same = before.iter().filter(|other| other.is_same(hold));
            let count: i64 = same.map(|other| other.count).sum();
            before.push(hold);
            let Some(field) = self.schema.field(&hold.field) else {
                continue;
            };
            if hold.excess(taken + count).is_none() {
                continue;
            }
            let (code, bounds) = if hold.is_seat {
                let left = hold
                    .excess(*taken)
                    .unwrap_or_else(|| hold.limit.unwrap_or(0) - taken);
                (AnswerCode::SoldOut, Bounds::of_left(left))
            } else {
                (AnswerCode::NotUnique, Bounds::default())
            };
            let group = groups.get(field.name.as_str()).zip(hold.row);
            let in_row =
                group.map(|(group, row)| in_row(field, &groups, &group.name, &row.to_string()));
            let mut report = Report {
                messages: self.messages,
                faults: Vec::new(),
                row: group.map(|(group, index)| ReportedRow {
                    index,
                    group: (*group).clone(),
                    column: field.name.clone(),
                }),
            };
            report.add(in_row.as_ref().unwrap_or(field), None, code, &bounds);
            let at = place(&hold.field);
            let index = faults.iter().position(|fault| place(&fault.field) > at);
            let index = index.unwrap_or(faults.len());
            let known = |fault: &AnswerFault| {
                fault.field == hold.field && fault.row == hold.row && fault.code == code.as_str()
            };
            if !faults.iter().any(known) {
                faults.splice(index..index, report.faults);
            }
        }
    }
}
