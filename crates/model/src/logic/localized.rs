//! Numbers and days in the language of a form's texts.

use serde_json::{Map, Value};

use super::number::parse_number;

/// A number, a day, or a day with its time, in the language of the messages: with its `decimal_mark`, its
/// `group_mark` (from five digits on) and its `date_format`.
pub fn localized(text: &str, messages: &Map<String, Value>) -> String {
    if let Some((day, time)) = text.split_once('T') {
        return format!("{} {time}", localized(day, messages));
    }
    let text_of = |key: &str| messages.get(key).and_then(Value::as_str);
    if let (Some(format), Some((year, rest))) = (text_of("date_format"), text.split_once('-'))
        && let Some((month, day)) = rest.split_once('-')
        && [year, month, day]
            .iter()
            .all(|part| part.parse::<u32>().is_ok())
    {
        let dated = format.replace("{year}", year).replace("{month}", month);
        return dated.replace("{day}", day);
    }
    if text_of("decimal_mark").is_none() || parse_number(text).is_none() {
        return text.to_owned();
    }
    grouped(text, 5, messages)
}

/// A number with the marks of the messages, or else those of English; a group mark from `from` digits on.
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
