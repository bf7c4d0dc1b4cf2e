//! Dates and times as HTML writes them (HTML standard, "Dates and times"), compared without a
//! time zone.

use std::cmp::Ordering;

use crate::dates::{DAY_MS, civil_from_days, parse_day, parse_time};

/// 0001-01-01, as days from 1970-01-01.
const FIRST_DAY: i64 = -719_162;

/// A date, a time, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The day, as a number that grows by one a day; 1970-01-01 is 0.
    pub day: Option<i64>,
    /// The time of the day, in milliseconds.
    pub time: Option<i64>,
}

/// Reads `YYYY-MM-DD`, `HH:MM`, `HH:MM:SS`, `HH:MM:SS.mmm`, or a date and a time with `T` or a
/// space between. None for anything else, days that no calendar has included.
pub fn parse_moment(text: &str) -> Option<Moment> {
    if let Some((date, time)) = text.split_once(['T', ' ']) {
        return Some(Moment {
            day: Some(day(date)?),
            time: Some(parse_time(time)?),
        });
    }
    if let Some(time) = parse_time(text) {
        return Some(Moment {
            day: None,
            time: Some(time),
        });
    }
    Some(Moment {
        day: Some(day(text)?),
        time: None,
    })
}

impl Moment {
    /// How two moments compare by what both of them have: their days and times, only their days,
    /// or only their times. None when they share nothing.
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
    let day = day(&format!("{text}-01"))?;
    Some(Moment {
        day: Some(day),
        time: None,
    })
}

/// The Monday of a week as HTML writes it: `YYYY-Www`, by ISO 8601, where a week is of the year that
/// has its Thursday.
pub fn parse_week(text: &str) -> Option<Moment> {
    let (year, week) = text.split_once("-W")?;
    let is_week = week.len() == 2 && week.bytes().all(|byte| byte.is_ascii_digit());
    let week: i64 = week.parse().ok().filter(|week| is_week && *week > 0)?;
    // The 4th of January is always in the first week; 1970-01-01 was a Thursday.
    let monday_of = |day: i64| day - (day + 3).rem_euclid(7);
    let first = monday_of(day(&format!("{year}-01-04"))?);
    let monday = first + 7 * (week - 1);
    let thursday = civil_from_days(monday + 3);
    (thursday.0 == civil_from_days(first + 3).0).then_some(Moment {
        day: Some(monday),
        time: None,
    })
}

/// A day from the year 1 on (HTML knows no year 0).
fn day(text: &str) -> Option<i64> {
    parse_day(text).filter(|day| *day >= FIRST_DAY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_days_of_the_calendar_are_dates() {
        assert_eq!(day("1970-01-01"), Some(0));
        assert_eq!(day("2000-02-29"), Some(11_016));
        assert_eq!(day("2024-12-31"), Some(20_088));
        assert_eq!(day("0001-01-01"), Some(-719_162));
        for text in [
            "2023-02-29",
            "1900-02-29",
            "2024-13-01",
            "2024-00-01",
            "2024-01-00",
            "2024-04-31",
            "0000-01-01",
            "24-01-01",
            "2024-1-1",
            "2024-01-01Z",
            "2024/01/01",
            "",
            "-",
            "+024-01-01",
        ] {
            assert_eq!(day(text), None, "{text}");
        }
    }

    #[test]
    fn times_have_hours_minutes_and_perhaps_more() {
        let time = |text: &str| parse_moment(text).map(Moment::milliseconds);
        assert_eq!(time("00:00"), Some(0));
        assert_eq!(time("23:59:59.999"), Some(86_399_999));
        assert_eq!(time("10:30:15.5"), Some(37_815_500));
        for text in [
            "24:00",
            "1:00",
            "10:60",
            "10:00:60",
            "10:00:00.",
            "10",
            "10:00:00:00",
        ] {
            assert_eq!(time(text), None, "{text}");
        }
    }

    #[test]
    fn months_and_weeks_are_those_of_the_calendar() {
        let month = |text: &str| parse_month(text).and_then(|moment| moment.day);
        assert_eq!(month("1970-01"), Some(0));
        assert_eq!(month("1970-12"), Some(334));
        for text in [
            "1970-13",
            "1970-00",
            "1970-1",
            "1970",
            "0000-01",
            "1970-01-01",
            "",
        ] {
            assert_eq!(month(text), None, "{text}");
        }
        let week = |text: &str| parse_week(text).and_then(|moment| moment.day);
        assert_eq!(week("1970-W01"), Some(-3));
        assert_eq!(week("2020-W53"), day("2020-12-28"));
        assert_eq!(week("2021-W01"), day("2021-01-04"));
        assert_eq!(week("2024-W01"), day("2024-01-01"));
        // 2021 has 52 weeks.
        for text in [
            "2021-W53", "2020-W54", "2020-W00", "2020-W5", "2020-w05", "2020-05", "2020W05",
            "2020-W+5", "-W05", "",
        ] {
            assert_eq!(week(text), None, "{text}");
        }
    }

    #[test]
    fn moments_compare_by_what_they_share() {
        let compare = |a: &str, b: &str| parse_moment(a).unwrap().compare(parse_moment(b).unwrap());
        assert_eq!(compare("2024-05-01", "2024-05-02"), Some(Ordering::Less));
        assert_eq!(
            compare("2024-05-01T10:00", "2024-05-01"),
            Some(Ordering::Equal)
        );
        assert_eq!(
            compare("2024-05-01 10:00", "2024-05-01T09:59:59"),
            Some(Ordering::Greater)
        );
        assert_eq!(compare("09:00", "10:00"), Some(Ordering::Less));
        assert_eq!(compare("09:00", "2024-05-01"), None);
    }
}
