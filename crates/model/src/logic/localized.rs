//! Writes numbers and days in the language of a form's texts.

use serde_json::{Map, Value};

use super::number::parse_number;

/// Writes a number, a day, or a day with its time in the language of the messages: with the language's
/// `decimal_mark`, `group_mark` (from five digits on) and `date_format`. Any other text stays unchanged.
pub fn localized(text: &str, messages: &Map<String, Value>) -> String {
    let text_of = |key: &str| messages.get(key).and_then(Value::as_str);
    let (date, time) = text.split_once('T').unwrap_or((text, ""));
    if let Some((year, rest)) = date.split_once('-')
        && let Some((month, day)) = rest.split_once('-')
        && [year, month, day]
            .iter()
            .all(|part| part.parse::<u32>().is_ok())
    {
        let format = text_of("date_format").unwrap_or("{year}-{month}-{day}");
        let dated = format.replace("{year}", year).replace("{month}", month);
        let dated = dated.replace("{day}", day);
        return match time {
            "" => dated,
            time => [&dated, " ", time].concat(),
        };
    }
    if text_of("decimal_mark").is_none() || parse_number(text).is_none() {
        return text.to_owned();
    }
    grouped(text, 5, messages)
}

/// English names of the months.
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A bound or a day in a sentence: like [`localized`], but in English with the name of the month, since readers of
/// English disagree about the order of the numbers. Months and weeks become readable too.
pub fn localized_bound(text: &str, messages: &Map<String, Value>) -> String {
    let (date, time) = text.split_once('T').unwrap_or((text, ""));
    match dated(date, messages) {
        Some(date) if time.is_empty() => date,
        Some(date) => format!("{date} {time}"),
        None => localized(text, messages),
    }
}

/// A day, month or week of HTML in a sentence; `None` if [`localized`] writes it.
fn dated(date: &str, messages: &Map<String, Value>) -> Option<String> {
    let (year, rest) = date.split_once('-')?;
    year.parse::<u32>().ok()?;
    let (month, day) = rest.split_once('-').unwrap_or((rest, ""));
    let format = messages.get("date_format").and_then(Value::as_str);
    let Some(format) = format.filter(|format| !format.starts_with("{year}-")) else {
        if let Some(week) = month.strip_prefix('W') {
            return Some(format!("week {}, {year}", week.trim_start_matches('0')));
        }
        let month = MONTHS.get(month.parse::<usize>().ok()?.checked_sub(1)?)?;
        let written = format!("{} {month} {year}", day.trim_start_matches('0'));
        return Some(written.trim_start().to_owned());
    };
    month.parse::<u32>().ok().filter(|_| day.is_empty())?;
    let (before, after) = format.split_once("{day}")?;
    let after = after.find('{').and_then(|start| after.get(start..));
    let of_month = [before, after.unwrap_or_default()].concat();
    Some(of_month.replace("{year}", year).replace("{month}", month))
}

/// Writes a number with the marks of the messages, or else with the marks of English. Numbers with at least `from`
/// digits get group marks.
pub fn grouped(text: &str, from: usize, messages: &Map<String, Value>) -> String {
    let mark = |key: &str, usual| messages.get(key).and_then(Value::as_str).unwrap_or(usual);
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = whole.trim_start_matches('-');
    let mut grouped = whole.strip_suffix(digits).unwrap_or_default().to_owned();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && digits.len() >= from && (digits.len() - index).is_multiple_of(3) {
            grouped.push_str(mark("group_mark", ","));
        }
        grouped.push(digit);
    }
    if fraction.is_empty() {
        return grouped;
    }
    grouped.push_str(mark("decimal_mark", "."));
    grouped + fraction
}
