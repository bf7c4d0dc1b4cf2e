//! Reads days and moments in ISO 8601, and writes them in UTC. A time zone can be given only as an offset, such as
//! `+02:00`.

use time::{Date, Month};

/// The length of a day, in milliseconds.
pub const DAY_MS: i64 = 86_400_000;

/// The length of an hour, in milliseconds.
pub const HOUR_MS: i64 = 3_600_000;

/// The Julian day number of 1970-01-01.
const EPOCH: i32 = 2_440_588;

/// The days from 1970-01-01 to a date.
pub(crate) fn days_of(date: Date) -> i64 {
    i64::from(date.to_julian_day() - EPOCH)
}

fn number(text: &str, digits: usize) -> Option<i64> {
    let plain = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    if plain { text.parse().ok() } else { None }
}

/// The days from 1970-01-01 to `YYYY-MM-DD`, if that day exists.
pub fn parse_day(text: &str) -> Option<i64> {
    let mut parts = text.splitn(3, '-');
    let year = number(parts.next()?, 4)?;
    let month = u8::try_from(number(parts.next()?, 2)?).ok()?;
    let day = u8::try_from(number(parts.next()?, 2)?).ok()?;
    let month = Month::try_from(month).ok()?;
    let date = Date::from_calendar_date(i32::try_from(year).ok()?, month, day);
    date.ok().map(days_of)
}

/// The milliseconds from midnight to `HH:MM` or `HH:MM:SS`. The seconds may have a fraction of up to nine digits.
pub fn parse_time(text: &str) -> Option<i64> {
    let mut parts = text.splitn(3, ':');
    let hour = number(parts.next()?, 2).filter(|hour| *hour < 24)?;
    let minute = number(parts.next()?, 2).filter(|minute| *minute < 60)?;
    let (second, fraction) = match parts.next() {
        None => (0, 0),
        Some(seconds) => {
            let (whole, fraction) = seconds.split_once('.').unwrap_or((seconds, "0"));
            let digits = fraction.len();
            if digits == 0 || digits > 9 || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            let padded = format!("{fraction:0<3}");
            (
                number(whole, 2).filter(|second| *second < 60)?,
                number(padded.get(..3)?, 3)?,
            )
        }
    };
    Some(((hour * 60 + minute) * 60 + second) * 1000 + fraction)
}

/// Parses an ISO 8601 moment into milliseconds since 1970-01-01 UTC. A moment without an offset is in UTC; a date
/// alone means the start of that day.
pub fn parse_moment(text: &str) -> Option<i64> {
    let Some((day, rest)) = text.split_once(['T', 't', ' ']) else {
        return parse_day(text).map(|days| days * DAY_MS);
    };
    let days = parse_day(day)?;
    let (time, offset) = match rest.strip_suffix(['Z', 'z']) {
        Some(time) => (time, 0),
        None => match rest.rfind(['+', '-']) {
            Some(at) => {
                let (time, offset) = rest.split_at_checked(at)?;
                (time, parse_offset(offset)?)
            }
            None => (rest, 0),
        },
    };
    Some(days * DAY_MS + parse_time(time)? - offset)
}

fn parse_offset(text: &str) -> Option<i64> {
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let minutes = match digits.len() {
        2 => number(&digits, 2)? * 60,
        4 => number(digits.get(..2)?, 2)? * 60 + number(digits.get(2..)?, 2)?,
        _ => return None,
    };
    Some(sign * minutes * 60_000)
}

/// Converts a number of days from 1970-01-01 to a date; `None` if the date is out of range.
pub(crate) fn date_of(days: i64) -> Option<Date> {
    let julian = i32::try_from(days + i64::from(EPOCH)).ok()?;
    Date::from_julian_day(julian).ok()
}

/// Writes a number of days from 1970-01-01 as `YYYY-MM-DD`. A day out of range becomes the earliest supported date.
pub fn format_day(days: i64) -> String {
    let date = date_of(days).unwrap_or(Date::MIN);
    let (year, month, day) = date.to_calendar_date();
    format!("{year:04}-{:02}-{day:02}", u8::from(month))
}

/// The UTC day of a moment in milliseconds, as `YYYY-MM-DD`.
pub fn day_of(milliseconds: i64) -> String {
    format_day(milliseconds.div_euclid(DAY_MS))
}

/// A moment in milliseconds as ISO 8601 UTC, such as `2026-01-02T03:04:05.678Z`.
pub fn format_moment(milliseconds: i64) -> String {
    let time = milliseconds.rem_euclid(DAY_MS);
    let (seconds, fraction) = (time / 1000, time % 1000);
    format!(
        "{}T{:02}:{:02}:{:02}.{fraction:03}Z",
        day_of(milliseconds),
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60,
    )
}

/// Serializes a moment as [`format_moment`] writes it.
pub fn serialize_moment<S: serde::Serializer>(
    milliseconds: &i64,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&format_moment(*milliseconds))
}

/// Serializes a moment as [`format_moment`] writes it; `None` becomes an empty string.
pub fn serialize_optional_moment<S: serde::Serializer>(
    milliseconds: &Option<i64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&milliseconds.map(format_moment).unwrap_or_default())
}

/// Parses an HTTP date into milliseconds since 1970-01-01 UTC. Only the preferred form is supported (RFC 9110,
/// section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
pub fn parse_http_date(text: &str) -> Option<i64> {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let (_, rest) = text.split_once(", ")?;
    let mut parts = rest.split(' ');
    let day = parts.next()?;
    let name = parts.next()?;
    let month = MONTHS.iter().position(|known| *known == name)? + 1;
    let year = parts.next()?;
    let days = parse_day(&format!("{year}-{month:02}-{day}"))?;
    let time = parse_time(parts.next()?)?;
    (parts.next() == Some("GMT")).then_some(days * DAY_MS + time)
}
