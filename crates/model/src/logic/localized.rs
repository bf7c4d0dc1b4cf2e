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
    let Some(mark) = text_of("decimal_mark").filter(|_| parse_number(text).is_some()) else {
        return text.to_owned();
    };
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = whole.trim_start_matches('-');
    let mut grouped = whole.strip_suffix(digits).unwrap_or_default().to_owned();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && digits.len() > 4 && (digits.len() - index).is_multiple_of(3) {
            grouped.push_str(text_of("group_mark").unwrap_or_default());
        }
        grouped.push(digit);
    }
    if fraction.is_empty() {
        return grouped;
    }
    format!("{grouped}{mark}{fraction}")
}
