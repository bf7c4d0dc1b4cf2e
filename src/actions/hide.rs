//! Removes secrets from reports.

use percent_encoding::utf8_percent_encode;
use serde_json::{Map, Value};

use super::contract::Report;
use super::http::SEGMENT;
use crate::action_types::secrets::{MASK, is_secret};
use crate::json::map_texts;
use crate::ordered;

/// Minimum length of a hidden word, in bytes; shorter words are too common.
const MIN_SECRET_BYTES: usize = 4;

/// Removes the secrets of the settings from a report, both plain and percent-encoded.
pub(super) fn hide(kind: &str, settings: &Map<String, Value>, report: Report) -> Report {
    let secrets = settings.iter().filter(|(key, _)| is_secret(kind, key));
    // In a header's line only the value is secret.
    let values = secrets
        .filter_map(|(_, value)| value.as_str())
        .flat_map(str::lines)
        .map(|line| line.split_once(": ").map_or(line, |(_, value)| value));
    let mut hidden: Vec<String> = values
        .flat_map(str::split_whitespace)
        .filter(|word| word.len() >= MIN_SECRET_BYTES)
        .flat_map(|word| [word.into(), utf8_percent_encode(word, &SEGMENT).to_string()])
        .collect();
    // The longest secret comes first, since a secret may be part of another.
    ordered::sort_by(&mut hidden, |one, other| other.len().cmp(&one.len()));
    let without = |text: &str| {
        let words = hidden.iter();
        words.fold(text.to_owned(), |text, word| text.replace(word, MASK))
    };
    Report {
        message: without(&report.message),
        output: map_texts(&report.output, &without),
        ..report
    }
}
