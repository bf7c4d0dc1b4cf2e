//! A range of days in the format in which counters store them.

use crate::dates::{self, DAY_MS};

/// A range of UTC days as `YYYY-MM-DD`, or the running total of all time. The range includes both of its ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first day; empty for the running total.
    pub from: String,
    /// The last day; empty for the running total.
    pub to: String,
}

impl Span {
    /// The running total of all time.
    pub fn all_time() -> Span {
        Span {
            from: String::new(),
            to: String::new(),
        }
    }

    /// The days between two bounds, both inclusive. A missing bound is open; without both, the span is the running
    /// total. `None` if the first day is after the last.
    pub fn between(from: Option<&str>, to: Option<&str>) -> Option<Span> {
        if from.is_none() && to.is_none() {
            return Some(Span::all_time());
        }
        let span = Span {
            from: from.unwrap_or("0000-01-01").to_owned(),
            to: to.unwrap_or("9999-12-31").to_owned(),
        };
        (span.from <= span.to).then_some(span)
    }

    /// The last `days` days, up to and including the UTC day of `now`, a moment in milliseconds.
    pub fn last_days(days: i64, now: i64) -> Span {
        let today = now.div_euclid(DAY_MS);
        Span {
            from: dates::format_day(today - days + 1),
            to: dates::format_day(today),
        }
    }

    /// The number of days; 0 for the running total.
    pub fn length(&self) -> i64 {
        match (dates::parse_day(&self.from), dates::parse_day(&self.to)) {
            (Some(from), Some(to)) => to - from + 1,
            _ => 0,
        }
    }

    /// The days in order; none for the running total.
    pub fn days(&self) -> impl Iterator<Item = String> + use<> {
        let first = dates::parse_day(&self.from).unwrap_or(0);
        (first..first + self.length()).map(dates::format_day)
    }
}
