//! Evaluates expressions.

use super::outcome::{Failure, Outcome};
use super::syntax::{Node, OF_ROWS};
use super::value::{Answer, equal, flatten};
use super::{call, dates};
use crate::rows::row_name;

/// The row of a repeating group in which an expression is evaluated.
#[derive(Clone, Copy, Debug)]
pub struct Row<'r> {
    group: &'r str,
    /// The row's number, from 0.
    pub index: usize,
    /// The row of another group around this row.
    outer: Option<&'r Row<'r>>,
}

impl<'r> Row<'r> {
    /// A row of a group.
    pub fn of(group: &'r str, index: usize) -> Row<'r> {
        Row {
            group,
            index,
            outer: None,
        }
    }

    /// The key of a field's answer in the row: the name of the field's input there.
    pub fn key(&self, column: &str) -> String {
        row_name(self.group, &self.index.to_string(), column)
    }

    /// Finds the row of a group: this row, or one around it.
    pub fn within(&self, group: &str) -> Option<&Row<'r>> {
        if self.group == group {
            return Some(self);
        }
        self.outer?.within(group)
    }
}

/// The answers and the current day that expressions read.
pub trait Source {
    /// The answer of a field or of a part of a field; in a row, the answer in the same row.
    fn answer(&self, name: &str, row: Option<&Row<'_>>) -> Outcome<Answer>;
    /// The current day, as days from 1970-01-01.
    fn today(&self) -> i64;
}

/// Evaluates a tree. `row` is the row for which the expression is evaluated; `None` outside of repeating groups.
pub fn evaluate(node: &Node, source: &dyn Source, row: Option<&Row<'_>>) -> Outcome<Answer> {
    let (function, arguments) = match node {
        Node::Number(number) => return Ok(Answer::Number(*number)),
        Node::Text(text) => return Ok(Answer::Text(text.clone())),
        Node::Bool(is_true) => return Ok(Answer::Bool(*is_true)),
        Node::Name(name) => return source.answer(name, row),
        Node::Call(function, arguments) => (*function, arguments.as_slice()),
    };
    let value = |index: usize| match arguments.get(index) {
        Some(node) => evaluate(node, source, row),
        None => Ok(Answer::Nothing),
    };
    match function {
        "or" => Ok(Answer::Bool(value(0)?.is_true()? || value(1)?.is_true()?)),
        "and" => Ok(Answer::Bool(value(0)?.is_true()? && value(1)?.is_true()?)),
        "if" if value(0)?.is_true()? => value(1),
        "if" => value(2),
        "switch" => {
            let subject = value(0)?;
            let mut index = 1;
            while index + 1 < arguments.len() {
                if equal(&subject, &value(index)?)? {
                    return value(index + 1);
                }
                index += 2;
            }
            value(index)
        }
        "tier" => {
            let subject = value(0)?;
            if subject.is_nothing() {
                return Ok(Answer::Nothing);
            }
            let subject = subject.number()?;
            let mut best: Option<(i128, usize)> = None;
            for index in (1..arguments.len()).step_by(2) {
                let threshold = value(index)?.number()?;
                if threshold <= subject && best.is_none_or(|(best, _)| threshold >= best) {
                    best = Some((threshold, index + 1));
                }
            }
            best.map_or(Ok(Answer::Nothing), |(_, index)| value(index))
        }
        "default" => match value(0) {
            Ok(found) if !found.is_nothing() => Ok(found),
            _ => value(1),
        },
        "row" => match row {
            Some(row) => Ok(call::count(row.index + 1)),
            None => Err(Failure::Type),
        },
        "today" => Ok(dates::day_of(source.today())),
        function if OF_ROWS.contains(&function) => of_list(function, arguments, source, row),
        function => {
            let values: Outcome<Vec<Answer>> = (0..arguments.len()).map(value).collect();
            call::call(function, &values?)
        }
    }
}

/// Evaluates a function of a list, such as `sum`. The list has a value for each row of a group, or the function's
/// arguments.
fn of_list(
    function: &str,
    arguments: &[Node],
    source: &dyn Source,
    row: Option<&Row<'_>>,
) -> Outcome<Answer> {
    let mut values = Vec::new();
    if let Some(Node::Name(name)) = arguments.first()
        && arguments.len() <= 2
        && let Answer::Rows(rows) = source.answer(name, row)?
    {
        for index in 0..rows {
            let here = Row {
                group: name,
                index,
                outer: row,
            };
            values.push(match arguments.get(1) {
                None => call::count(index + 1),
                Some(each) if function == "count" => {
                    match evaluate(each, source, Some(&here))?.is_true()? {
                        true => call::count(index + 1),
                        false => Answer::Nothing,
                    }
                }
                Some(each) => evaluate(each, source, Some(&here))?,
            });
        }
        if arguments.len() == 1 && function != "count" {
            return Err(Failure::Type);
        }
    } else {
        for argument in arguments {
            flatten(evaluate(argument, source, row)?, &mut values);
        }
    }
    values.retain(|value| !value.is_nothing());
    call::summed(function, &values)
}

/// A value as text; empty for a failure, and for a value that cannot be a text.
pub fn text_of(value: &Outcome<Answer>) -> String {
    let text = value.as_ref().ok().map(Answer::text);
    text.and_then(Result::ok).unwrap_or_default()
}
