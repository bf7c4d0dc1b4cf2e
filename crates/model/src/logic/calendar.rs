//! Reads dates and times in HTML's formats (HTML standard, "Dates and times"), and compares dates and times without a
//! time zone.

use std::cmp::Ordering;

use time::{Date, Weekday};

use crate::dates::{DAY_MS, days_of, parse_day, parse_time};

/// The day 0001-01-01, as a number of days from 1970-01-01.
const FIRST_DAY: i64 = -719_162;

/// A date, a time, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The day, as a number of days from 1970-01-01.
    pub day: Option<i64>,
    /// The time of the day, in milliseconds.
    pub time: Option<i64>,
}

/// Reads a date `YYYY-MM-DD`, a time `HH:MM` or `HH:MM:SS` with an optional fraction of a second, or a date and a time
/// with `T` or a space in between. `None` for any other text and for impossible dates.
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
    /// Compares two moments by the parts that both have: days and times, only days, or only times. `None` if only one
    /// moment has a day.
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

    /// The milliseconds since 1970-01-01T00:00, or since midnight for a time without a day.
    pub fn milliseconds(self) -> i64 {
        self.day.unwrap_or(0) * DAY_MS + self.time.unwrap_or(0)
    }
}

/// Reads a month in HTML's format `YYYY-MM`, and returns the first day of the month.
pub fn parse_month(text: &str) -> Option<Moment> {
    let day = Some(day(&format!("{text}-01"))?);
    Some(Moment { day, time: None })
}

/// Reads a week in HTML's format `YYYY-Www`, and returns the Monday of the week. By ISO 8601, a week belongs to the
/// year of the week's Thursday.
pub fn parse_week(text: &str) -> Option<Moment> {
    let (year, week) = text.split_once("-W")?;
    let is_week = week.len() == 2 && week.bytes().all(|byte| byte.is_ascii_digit());
    let week = week.parse().ok().filter(|_| is_week)?;
    // Parsing any day of the year checks that the year has four digits and is not 0, since HTML has no year 0.
    let year = day(&format!("{year}-01-04")).and(year.parse().ok())?;
    let monday = Date::from_iso_week_date(year, week, Weekday::Monday).ok()?;
    let day = Some(days_of(monday));
    Some(Moment { day, time: None })
}

/// Reads a day in the year 1 or later. HTML has no year 0.
fn day(text: &str) -> Option<i64> {
    parse_day(text).filter(|day| *day >= FIRST_DAY)
}
