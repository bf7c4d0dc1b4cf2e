//! The values of expressions.

use std::cmp::Ordering;
use std::rc::Rc;

use super::decimal::{self, ONE};
use super::outcome::{Failure, Outcome};
use crate::dates::format_day;
use crate::logic::answer::is_on;
use crate::logic::calendar::{Moment, parse_moment};

/// An option that was chosen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chosen {
    /// The value.
    pub value: String,
    /// The label; for a free answer, its text.
    pub label: String,
    /// The number that the option counts as in calculations, in units of 10⁻¹⁸.
    pub weight: i128,
}

/// The value of an expression or a part of one.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// No answer.
    Nothing,
    /// A missing answer to a date or time field.
    NoMoment,
    /// A number, in units of 10⁻¹⁸.
    Number(i128),
    /// A text.
    Text(String),
    /// Yes or no.
    Bool(bool),
    /// A day, a time, or both.
    Moment(Moment),
    /// The options that were chosen.
    Choice(Rc<Vec<Chosen>>),
    /// The values of a field in all rows of a group, or of a field with several inputs.
    List(Rc<Vec<Answer>>),
    /// A repeating group, by its number of rows.
    Rows(usize),
}

/// Appends a value to a list, or each member of a value with several members.
pub fn flatten(value: Answer, into: &mut Vec<Answer>) {
    match value {
        Answer::List(members) => members.iter().for_each(|one| flatten(one.clone(), into)),
        Answer::Choice(chosen) => {
            let each = chosen
                .iter()
                .map(|one| Answer::Choice(Rc::new(vec![one.clone()])));
            into.extend(each);
        }
        value => into.push(value),
    }
}

impl Answer {
    /// Whether there is no answer.
    pub fn is_nothing(&self) -> bool {
        match self {
            Answer::Nothing | Answer::NoMoment => true,
            Answer::Text(text) => text.is_empty(),
            Answer::Choice(chosen) => chosen.is_empty(),
            Answer::List(members) => members.iter().all(Answer::is_nothing),
            Answer::Rows(rows) => *rows == 0,
            Answer::Number(_) | Answer::Bool(_) | Answer::Moment(_) => false,
        }
    }

    /// The value as a condition: whether it counts as true.
    pub fn is_true(&self) -> Outcome<bool> {
        match self {
            Answer::Bool(is_true) => Ok(*is_true),
            Answer::Number(number) => Ok(*number != 0),
            Answer::Text(text) => Ok(is_on(text)),
            Answer::List(_) => Err(Failure::Type),
            other => Ok(!other.is_nothing()),
        }
    }

    /// The value as a number, in units of 10⁻¹⁸. A missing answer is 0.
    pub fn number(&self) -> Outcome<i128> {
        match self {
            Answer::Nothing | Answer::NoMoment => Ok(0),
            Answer::Number(number) => Ok(*number),
            Answer::Text(text) if text.is_empty() => Ok(0),
            Answer::Text(text) => decimal::parse(text).ok_or(Failure::Type),
            Answer::Bool(is_true) => Ok(if *is_true { ONE } else { 0 }),
            Answer::Choice(chosen) => {
                let mut sum = 0;
                for one in chosen.iter() {
                    sum = decimal::in_range(sum + one.weight)?;
                }
                Ok(sum)
            }
            Answer::Moment(_) | Answer::List(_) | Answer::Rows(_) => Err(Failure::Type),
        }
    }

    /// The value as text.
    pub fn text(&self) -> Outcome<String> {
        Ok(match self {
            Answer::Nothing | Answer::NoMoment => String::new(),
            Answer::Number(number) => decimal::text_of(*number, None),
            Answer::Text(text) => text.clone(),
            Answer::Bool(is_true) => is_true.to_string(),
            Answer::Moment(moment) => moment_text(*moment),
            Answer::Choice(chosen) => listed(chosen, |one| &one.value),
            Answer::List(_) | Answer::Rows(_) => return Err(Failure::Type),
        })
    }

    /// The value as a moment, which may also be written as a text. `None` for a missing answer.
    pub fn moment(&self) -> Outcome<Option<Moment>> {
        match self {
            Answer::Moment(moment) => Ok(Some(*moment)),
            Answer::Text(text) if !text.is_empty() => {
                parse_moment(text).map(Some).ok_or(Failure::Type)
            }
            other if other.is_nothing() => Ok(None),
            _ => Err(Failure::Type),
        }
    }
}

/// Joins the texts of chosen options by `, `.
pub fn listed(chosen: &[Chosen], of: fn(&Chosen) -> &String) -> String {
    let texts: Vec<&str> = chosen.iter().map(|one| of(one).as_str()).collect();
    texts.join(", ")
}

/// Writes a moment in HTML's format.
fn moment_text(moment: Moment) -> String {
    let day = moment.day.map(format_day);
    let time = moment.time.map(|time| {
        let (minutes, rest) = (time / 60_000, time % 60_000);
        let mut text = format!("{:02}:{:02}", minutes / 60, minutes % 60);
        if rest > 0 {
            text += &format!(":{:02}", rest / 1_000);
        }
        if rest % 1_000 > 0 {
            text += &format!(".{:03}", rest % 1_000);
        }
        text
    });
    let parts: Vec<String> = day.into_iter().chain(time).collect();
    parts.join("T")
}

/// Whether two values are equal. Two missing answers are equal.
pub fn equal(a: &Answer, b: &Answer) -> Outcome<bool> {
    if a.is_nothing() || b.is_nothing() {
        return Ok(a.is_nothing() && b.is_nothing());
    }
    match (a, b) {
        (Answer::Choice(_), Answer::Number(number)) => Ok(a.number()? == *number),
        (Answer::Number(number), Answer::Choice(_)) => Ok(b.number()? == *number),
        _ => {
            let (left, right) = (a.text()?, b.text()?);
            let number = |value: &Answer| match value {
                Answer::Choice(_) => None,
                value => value.number().ok(),
            };
            Ok(left == right || number(a).is_some_and(|one| number(b) == Some(one)))
        }
    }
}

/// Compares two values; `None` if one is missing.
pub fn order(a: &Answer, b: &Answer) -> Outcome<Option<Ordering>> {
    if a.is_nothing() || b.is_nothing() {
        return Ok(None);
    }
    if let (Ok(one), Ok(other)) = (a.number(), b.number()) {
        return Ok(Some(one.cmp(&other)));
    }
    match (a.moment()?, b.moment()?) {
        (Some(one), Some(other)) => one.compare(other).map(Some).ok_or(Failure::Type),
        _ => Err(Failure::Type),
    }
}
