//! Finds the rows of repeating groups that a visitor sent.
//!
//! Row numbers have at most four digits and no leading zero. Rows are ordered by number, and numbers may have gaps. A
//! row is blank if all of its answers are empty or default values; blank rows are ignored. If fewer than the minimum
//! number of rows remain, blank rows are added, so that missing answers in them are reported.

use std::collections::BTreeSet;

use super::answer::AnswerKind;
use super::answer::is_on;
use super::input::Input;
use crate::ordered::Gather;
use crate::rows::{RowGroups, row_name};
use crate::{Field, FormSchema};

/// The highest number of a sent row.
const MAX_NUMBER: usize = 9_999;

/// The rows of one group that a visitor sent.
#[derive(Clone, Debug)]
pub struct SentRows {
    /// The sent numbers of the rows that count, with the added blank rows at the end.
    pub numbers: Vec<usize>,
    /// The number of added blank rows at the end.
    pub blank: usize,
    /// Whether the visitor sent more rows than the group allows. `numbers` leaves the excess rows out.
    pub is_over: bool,
}

impl SentRows {
    /// Finds the rows of a group in an input. `columns` are the group's fields.
    pub fn of(group: &Field, columns: &[&Field], input: &Input) -> SentRows {
        let (min, max) = group.row_limits();
        let (mut numbers, mut blank) = (Vec::new(), Vec::new());
        for number in input.row_numbers(&group.name) {
            let is_touched = columns
                .iter()
                .any(|column| is_touched(column, &group.name, number, input));
            if is_touched {
                numbers.push(number);
            } else {
                blank.push(number);
            }
        }
        let is_over = numbers.len() > max;
        numbers.truncate(max);
        let missing = min.saturating_sub(numbers.len());
        let next = numbers
            .iter()
            .chain(&blank)
            .max()
            .map_or(0, |last| last + 1);
        let put_back = blank.into_iter().chain(next..);
        numbers.extend(put_back.take(missing));
        SentRows {
            numbers,
            blank: missing,
            is_over,
        }
    }
}

/// Whether a visitor has answered a field in a row. A field that has only default values does not count as answered.
fn is_touched(column: &Field, group: &str, number: usize, input: &Input) -> bool {
    if column.is_calculated() || column.attributes.contains_key("disabled") {
        return false;
    }
    let name = row_name(group, &number.to_string(), &column.name);
    let is_toggle = AnswerKind::of(column) == AnswerKind::Toggle;
    let preset: BTreeSet<&str> = if column.is_date_in_parts() {
        let parts = column.default_value.split('-');
        parts
            .flat_map(|part| [part, part.trim_start_matches('0')])
            .collect()
    } else {
        column
            .default_values()
            .chain([column.default_value.as_str()])
            .collect()
    };
    let is_preset = |text: &str| {
        if is_toggle {
            !is_on(text) || !column.default_value.is_empty()
        } else {
            text.is_empty() || preset.contains(text)
        }
    };
    let parts = column.sent_parts().chain(["other"]);
    let parts = parts.map(|part| format!("{name}[{part}]"));
    let mut texts = std::iter::once(name.clone())
        .chain(parts)
        .flat_map(|name| input.all(&name).unwrap_or_default());
    texts.any(|text| !is_preset(text.trim()))
}

impl Input {
    /// The numbers of a group's rows among the sent names, ascending.
    pub fn row_numbers(&self, group: &str) -> BTreeSet<usize> {
        let prefix = [group, "["].concat();
        let names = self.names_from(&prefix);
        let numbers = names.filter_map(|name| {
            let (number, rest) = name.strip_prefix(&prefix)?.split_once(']')?;
            let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
            let is_plain = is_number && (number == "0" || !number.starts_with('0'));
            let number: usize = number.parse().ok()?;
            (is_plain && rest.starts_with('[') && number <= MAX_NUMBER).then_some(number)
        });
        numbers.gather()
    }

    /// Copies the input without the answers in a row.
    pub fn without_row(&self, group: &str, number: usize) -> Input {
        let row = format!("{group}[{number}][");
        let mut input = self.clone();
        input.remove_names_from(&row);
        input
    }
}

/// The repeating groups of a schema, each with its fields and its rows in an input.
pub fn sent_rows<'s>(
    schema: &'s FormSchema,
    groups: &RowGroups<'_>,
    input: &Input,
) -> Vec<(&'s Field, Vec<&'s Field>, SentRows)> {
    let repeated = schema.fields.iter().filter(|field| field.is_repeat());
    let sent = repeated.map(|group| {
        let columns = schema.columns(groups, &group.name);
        let rows = SentRows::of(group, &columns, input);
        (group, columns, rows)
    });
    sent.collect()
}
