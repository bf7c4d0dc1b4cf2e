//! Days and times in calculations.

use time::{Date, Month};

use super::decimal::{self, ONE};
use super::outcome::{Failure, Outcome};
use super::value::Answer;
use crate::dates::{DAY_MS, HOUR_MS, date_of, days_of};
use crate::logic::calendar::Moment;

/// The first day of the year 1 and the last day of the year 9999, as days from 1970-01-01.
const DAYS: (i64, i64) = (-719_162, 2_932_896);

/// Converts a day, counted from 1970-01-01, to a value.
pub fn day_of(day: i64) -> Answer {
    Answer::Moment(Moment {
        day: Some(day),
        time: None,
    })
}

/// Converts a whole number to a value.
fn number(number: i64) -> Answer {
    Answer::Number(i128::from(number) * ONE)
}

/// Reads a value as a whole number of days, months or years.
fn whole(value: &Answer) -> Outcome<i64> {
    let number = decimal::whole(value.number()?, (-10_000_000, 10_000_000))?;
    i64::try_from(number).map_err(|_| Failure::Range)
}

/// Moves a moment by a number of days.
fn later(moment: Moment, days: i64) -> Outcome<Answer> {
    let day = moment.day.ok_or(Failure::Type)? + days;
    if day < DAYS.0 || day > DAYS.1 {
        return Err(Failure::Date);
    }
    Ok(Answer::Moment(Moment {
        day: Some(day),
        ..moment
    }))
}

/// Adds or subtracts two values. A day plus a number is a day; the difference of two days is a number of days.
pub fn sum(a: &Answer, b: &Answer, is_minus: bool) -> Outcome<Answer> {
    if matches!(a, Answer::NoMoment) || matches!(b, Answer::NoMoment) {
        return Ok(Answer::NoMoment);
    }
    match (a, b) {
        (Answer::Moment(from), Answer::Moment(_)) | (Answer::Moment(from), Answer::Text(_))
            if is_minus && b.moment().is_ok_and(|to| to.is_some()) =>
        {
            let (left, right) = (*from, b.moment()?.unwrap_or(*from));
            if left.day.is_none() || right.day.is_none() {
                return Err(Failure::Type);
            }
            let difference = left.milliseconds() - right.milliseconds();
            decimal::over(i128::from(difference) * ONE, i128::from(DAY_MS) * ONE)
                .map(Answer::Number)
        }
        (Answer::Moment(moment), days) => {
            let days = whole(days)?;
            later(*moment, if is_minus { -days } else { days })
        }
        (days, Answer::Moment(moment)) if !is_minus => later(*moment, whole(days)?),
        _ => {
            let (a, b) = (a.number()?, b.number()?);
            decimal::in_range(if is_minus { a - b } else { a + b }).map(Answer::Number)
        }
    }
}

/// Reads a value as a date; `None` for a missing answer. A time without a day is a failure.
fn date(value: &Answer) -> Outcome<Option<Date>> {
    match value.moment()? {
        None => Ok(None),
        Some(moment) => {
            let day = moment.day.ok_or(Failure::Type)?;
            date_of(day).map(Some).ok_or(Failure::Date)
        }
    }
}

/// The number of whole months between two dates; negative if `to` is earlier.
fn months(from: Date, to: Date) -> i64 {
    if from > to {
        return -months(to, from);
    }
    let count = |date: Date| i64::from(date.year()) * 12 + i64::from(u8::from(date.month()));
    count(to) - count(from) - i64::from(to.day() < from.day())
}

/// Makes a day from a year, a month and a day of the month. A day that does not exist is a failure.
fn made(values: &[Answer]) -> Outcome<Answer> {
    let mut parts = [0; 3];
    for (part, value) in parts.iter_mut().zip(values) {
        if value.is_nothing() {
            return Ok(Answer::NoMoment);
        }
        *part = whole(value)?;
    }
    let [year, month, day] = parts;
    let month = u8::try_from(month)
        .ok()
        .and_then(|month| Month::try_from(month).ok());
    let date = month.zip(u8::try_from(day).ok()).and_then(|(month, day)| {
        let year = i32::try_from(year)
            .ok()
            .filter(|year| (1..=9_999).contains(year))?;
        Date::from_calendar_date(year, month, day).ok()
    });
    date.map(|date| day_of(days_of(date))).ok_or(Failure::Date)
}

/// Moves a day by a number of months. If the resulting month is too short for the day, the result is the month's last
/// day.
fn add_months(value: &Answer, count: i64) -> Outcome<Answer> {
    let (Some(moment), Some(date)) = (value.moment()?, date(value)?) else {
        return Ok(Answer::NoMoment);
    };
    let month = i64::from(date.year()) * 12 + i64::from(u8::from(date.month())) - 1 + count;
    let year = i32::try_from(month.div_euclid(12))
        .ok()
        .filter(|year| (1..=9_999).contains(year));
    let month = u8::try_from(month.rem_euclid(12) + 1).ok();
    let month = month.and_then(|month| Month::try_from(month).ok());
    let (year, month) = year.zip(month).ok_or(Failure::Date)?;
    let day = date.day().min(month.length(year));
    let date = Date::from_calendar_date(year, month, day).map_err(|_| Failure::Date)?;
    Ok(Answer::Moment(Moment {
        day: Some(days_of(date)),
        ..moment
    }))
}

/// The hours from one moment to another. A time without a day that is earlier than the first counts as on the next
/// day.
fn hours(a: &Answer, b: &Answer) -> Outcome<Answer> {
    let (Some(from), Some(to)) = (a.moment()?, b.moment()?) else {
        return Ok(Answer::Nothing);
    };
    if from.day.is_some() != to.day.is_some() {
        return Err(Failure::Type);
    }
    let mut difference = to.milliseconds() - from.milliseconds();
    if from.day.is_none() && difference < 0 {
        difference += DAY_MS;
    }
    decimal::over(i128::from(difference) * ONE, i128::from(HOUR_MS) * ONE).map(Answer::Number)
}

/// Computes a function of days and times from the values of its arguments.
pub fn call(function: &str, values: &[Answer]) -> Outcome<Answer> {
    let nothing = Answer::Nothing;
    let a = values.first().unwrap_or(&nothing);
    let b = values.get(1).unwrap_or(&nothing);
    match function {
        "date" => return made(values),
        "add_months" => return add_months(a, whole(b)?),
        "hours" => return hours(a, b),
        _ => {}
    }
    let Some(first) = date(a)? else {
        return Ok(Answer::Nothing);
    };
    Ok(number(match function {
        "year" => i64::from(first.year()),
        "month" => i64::from(u8::from(first.month())),
        "day" => i64::from(first.day()),
        "weekday" => i64::from(first.weekday().number_from_monday()),
        function => {
            let Some(second) = date(b)? else {
                return Ok(Answer::Nothing);
            };
            match function {
                "days" => days_of(second) - days_of(first),
                "months" => months(first, second),
                "years" => months(first, second) / 12,
                _ => return Err(Failure::Type),
            }
        }
    }))
}
