//! Reads dates and times in the formats of other products.

use model::dates::{DAY_MS, parse_day, parse_moment};

use crate::clock::Clock;

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// The order of day and month in a date that ends with the year.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    #[default]
    DayFirst,
    MonthFirst,
}

impl Order {
    /// The order in a pattern such as `DD.MM.YYYY`; `None` for other patterns.
    pub fn of_pattern(pattern: &str) -> Option<Order> {
        let pattern = pattern.to_ascii_lowercase();
        let (day, month) = (pattern.find('d')?, pattern.find('m')?);
        Some(if day < month {
            Order::DayFirst
        } else {
            Order::MonthFirst
        })
    }

    /// Detects the order from the dates of a column.
    pub fn of_column<'t>(texts: impl Iterator<Item = &'t str>) -> Order {
        let mut dates = Dates::default();
        for text in texts {
            dates.see(text);
        }
        dates.order()
    }
}

/// Detects the order of day and month from a column's dates: a number over 12 is a day.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dates {
    known: Option<Order>,
    has_slash: bool,
}

impl Dates {
    /// Adds a date of the column.
    pub fn see(&mut self, text: &str) {
        if self.known.is_some() {
            return;
        }
        let mut parts = numbers(text);
        self.known = match (parts.next(), parts.next()) {
            (Some(13..32), Some(_)) => Some(Order::DayFirst),
            (Some(..13), Some(13..32)) => Some(Order::MonthFirst),
            _ => None,
        };
        self.has_slash |= text.contains('/');
    }

    /// The detected order. If every date is ambiguous, dates with slashes count as month first, other dates as day
    /// first.
    pub fn order(self) -> Order {
        self.known.unwrap_or(if self.has_slash {
            Order::MonthFirst
        } else {
            Order::DayFirst
        })
    }
}

fn numbers(text: &str) -> impl Iterator<Item = u32> {
    let parts = text.split(|c: char| !c.is_ascii_digit());
    parts
        .filter(|part| !part.is_empty() && part.len() < 5)
        .filter_map(|part| part.parse().ok())
}

/// Reads a date and returns it as `YYYY-MM-DD`.
pub fn day(text: &str, order: Order) -> Option<String> {
    let text = text.trim();
    let words: Vec<&str> = text
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let named = words.iter().find_map(|word| {
        let start = word.get(..3)?.to_ascii_lowercase();
        MONTHS.iter().position(|month| *month == start)
    });
    let parts: Vec<u32> = numbers(text).take(3).collect();
    let (year, month, day) = match (named, parts.as_slice()) {
        (Some(month), [day, year, ..]) => (*year, u32::try_from(month).ok()? + 1, *day),
        (None, [year, month, day]) if *year > 31 => (*year, *month, *day),
        (None, [day, month, year]) if order == Order::DayFirst => (*year, *month, *day),
        (None, [month, day, year]) => (*year, *month, *day),
        _ => return None,
    };
    let year = if year < 100 { year + 2000 } else { year };
    let made = format!("{year:04}-{month:02}-{day:02}");
    parse_day(&made).map(|_| made)
}

/// Reads a time such as `10:30 am` or `3:05:09 PM`, and returns it as `HH:MM`.
pub fn time(text: &str) -> Option<String> {
    clock_time(text).map(|(hour, minute, _)| format!("{hour:02}:{minute:02}"))
}

fn clock_time(text: &str) -> Option<(u32, u32, u32)> {
    let (at, _) = text.match_indices(':').next()?;
    let (before, after) = text.split_at_checked(at)?;
    let start = before
        .rfind(|c: char| !c.is_ascii_digit())
        .map_or(0, |at| at + 1);
    let mut hour: u32 = before.get(start..)?.parse().ok()?;
    let rest = after.get(1..)?;
    let mut parts = rest.split(':');
    let digits = |part: &str| -> Option<u32> {
        let end = part
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(part.len());
        part.get(..end)?.parse().ok()
    };
    let minute = digits(parts.next()?)?;
    let second = parts.next().and_then(digits).unwrap_or(0);
    let lower = rest.to_ascii_lowercase();
    if lower.contains("pm") || lower.contains("p.m") {
        hour = hour % 12 + 12;
    } else if lower.contains("am") || lower.contains("a.m") {
        hour %= 12;
    }
    (hour < 24 && minute < 60 && second < 60).then_some((hour, minute, second))
}

/// Reads date and time; returns the UTC time in milliseconds, and whether the text names its zone.
pub fn moment(text: &str, order: Order, clock: &Clock<'_>) -> Option<(i64, bool)> {
    let text = text.trim();
    let has_zone = text.ends_with(['Z', 'z'])
        || text.rfind(['+', '-']).is_some_and(|at| at > 10) && text.contains(':');
    if let Some(read) = parse_moment(text) {
        return Some(if has_zone {
            (read, true)
        } else {
            (clock.utc(read), false)
        });
    }
    let day = parse_day(&day(text, order)?)?;
    let (hour, minute, second) = clock_time(text).unwrap_or_default();
    let of_day = i64::from(hour * 3600 + minute * 60 + second) * 1000;
    let local = day * DAY_MS + of_day;
    Some(match named_offset(text) {
        Some(offset) => (local - offset, true),
        None => (clock.utc(local), false),
    })
}

/// The offset of `GMT+2` or `UTC-05:30`, in milliseconds.
fn named_offset(text: &str) -> Option<i64> {
    let at = ["GMT", "UTC"]
        .into_iter()
        .find_map(|name| text.split_once(name))?
        .1
        .trim();
    if at.is_empty() {
        return Some(0);
    }
    let sign = if at.starts_with('-') { -1 } else { 1 };
    let mut parts = numbers(at);
    let (first, second) = (parts.next()?, parts.next().unwrap_or(0));
    let (hours, minutes) = if first > 99 {
        (first / 100, first % 100)
    } else {
        (first, second)
    };
    Some(sign * i64::from(hours * 60 + minutes) * 60_000)
}
