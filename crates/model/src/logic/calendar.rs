//! Dates and times as HTML writes them (HTML standard, "Dates and times"), compared without a
//! time zone.

use std::cmp::Ordering;

use time::{Date, Weekday};

use crate::dates::{DAY_MS, days_of, parse_day, parse_time};

/// 0001-01-01, as days from 1970-01-01.
const FIRST_DAY: i64 = -719_162;

/// A date, a time, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The day as a number; 1970-01-01 is 0.
    pub day: Option<i64>,
    /// The time of the day, in milliseconds.
    pub time: Option<i64>,
}

/// Reads `YYYY-MM-DD`, `HH:MM`, `HH:MM:SS`, `HH:MM:SS.mmm`, or a date and a time with `T` or a space between.
/// `None` for anything else, including impossible dates.
pub fn parse_moment(text: &str) -> Option<Moment> {
    let (day, time) = match text.split_once(['T', ' ']) {
        Some((date, time)) => (Some(day(date)?), Some(parse_time(time)?)),
        None => match parse_time(text) {
            Some(time) => (None, Some(time)),
            None => (Some(day(text)?), None),
        },
    };
    Some(Moment { day, time })
}

impl Moment {
    /// Compares two moments by the parts that both have: days and times, only days, or only times. `None` if they
    /// share no part.
    pub fn compare(self, other: Moment) -> Option<Ordering> {
        match (self.day, other.day) {
            (Some(day), Some(other_day)) => Some(match (self.time, other.time) {
                (Some(time), Some(other_time)) => (day, time).cmp(&(other_day, other_time)),
                _ => day.cmp(&other_day),
            }),
            (None, None) => Some(self.time?.cmp(&other.time?)),
            _ => None,
        }
    }

    /// Milliseconds since 1970-01-01T00:00, or since midnight for a time alone.
    pub fn milliseconds(self) -> i64 {
        self.day.unwrap_or(0) * DAY_MS + self.time.unwrap_or(0)
    }
}

/// The first day of a month as HTML writes it: `YYYY-MM`.
pub fn parse_month(text: &str) -> Option<Moment> {
    let day = Some(day(&format!("{text}-01"))?);
    Some(Moment { day, time: None })
}

/// The Monday of a week as HTML writes it: `YYYY-Www`, by ISO 8601, where a week belongs to the year of its
/// Thursday.
pub fn parse_week(text: &str) -> Option<Moment> {
    let (year, week) = text.split_once("-W")?;
    let is_week = week.len() == 2 && week.bytes().all(|byte| byte.is_ascii_digit());
    let week = week.parse().ok().filter(|_| is_week)?;
    // HTML has no year 0, and writes years with four digits.
    let year = day(&format!("{year}-01-04")).and(year.parse().ok())?;
    let monday = Date::from_iso_week_date(year, week, Weekday::Monday).ok()?;
    let day = Some(days_of(monday));
    Some(Moment { day, time: None })
}

/// A day from the year 1 on (HTML knows no year 0).
fn day(text: &str) -> Option<i64> {
    parse_day(text).filter(|day| *day >= FIRST_DAY)
}
