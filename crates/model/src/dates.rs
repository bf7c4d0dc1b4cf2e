//! Days and moments: ISO 8601 in, ISO 8601 UTC out. Time zones other than offsets do not occur.

/// Milliseconds of a day.
pub const DAY_MS: i64 = 86_400_000;

/// Days from 1970-01-01 of a civil date (proleptic Gregorian).
pub fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let shifted = if month <= 2 { year - 1 } else { year };
    let era = shifted.div_euclid(400);
    let year_of_era = shifted.rem_euclid(400);
    let day_of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// The civil date (year, month, day) of days from 1970-01-01.
pub fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

fn number(text: &str, digits: usize) -> Option<i64> {
    let plain = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    if plain { text.parse().ok() } else { None }
}

/// The days from 1970-01-01 of `YYYY-MM-DD`, for a day that exists.
pub fn parse_day(text: &str) -> Option<i64> {
    let mut parts = text.splitn(3, '-');
    let year = number(parts.next()?, 4)?;
    let month = number(parts.next()?, 2)?;
    let day = number(parts.next()?, 2)?;
    let exists = (1..=12).contains(&month) && (1..=days_in_month(year, month)).contains(&day);
    exists.then(|| days_from_civil(year, month, day))
}

/// The milliseconds from midnight of `HH:MM`, `HH:MM:SS` or `HH:MM:SS.fff`.
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

/// The milliseconds UTC of an ISO 8601 moment. Without an offset it is UTC; a day alone is its
/// first moment.
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

/// A UTC day as `YYYY-MM-DD`.
pub fn format_day(days: i64) -> String {
    let (year, month, day) = civil_from_days(days);
    format!("{year:04}-{month:02}-{day:02}")
}

/// The UTC day of a moment, as `YYYY-MM-DD`.
pub fn day_of(milliseconds: i64) -> String {
    format_day(milliseconds.div_euclid(DAY_MS))
}

/// A moment as ISO 8601 UTC, such as `2026-01-02T03:04:05.678Z`.
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

/// Writes a moment as [`format_moment`] does.
pub fn serialize_moment<S: serde::Serializer>(
    milliseconds: &i64,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&format_moment(*milliseconds))
}

/// The milliseconds UTC of an HTTP date in its preferred form, such as
/// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
pub fn parse_http_date(text: &str) -> Option<i64> {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let (_, rest) = text.split_once(", ")?;
    let mut parts = rest.split(' ');
    let day = parts.next()?;
    let name = parts.next()?;
    let month = MONTHS.iter().position(|own| *own == name)? + 1;
    let year = parts.next()?;
    let days = parse_day(&format!("{year}-{month:02}-{day}"))?;
    let time = parse_time(parts.next()?)?;
    (parts.next() == Some("GMT")).then_some(days * DAY_MS + time)
}
