//! Removes secrets from reports.

use percent_encoding::utf8_percent_encode;
use serde_json::{Map, Value};

use super::contract::Report;
use super::http::SEGMENT;
use super::secrets::{MASK, is_secret};
use crate::json::map_texts;
use crate::ordered;

/// The shortest word that is taken for a secret; shorter ones are too common.
const LEAST_BYTES: usize = 4;

/// Returns a report without the secrets of the settings, both plain and encoded as in an address.
pub(super) fn hide(kind: &str, settings: &Map<String, Value>, report: Report) -> Report {
    let secrets = settings.iter().filter(|(key, _)| is_secret(kind, key));
    // Of a header's line only the value is one.
    let values = secrets
        .filter_map(|(_, value)| value.as_str())
        .flat_map(str::lines)
        .map(|line| line.split_once(": ").map_or(line, |(_, value)| value));
    let mut hidden: Vec<String> = values
        .flat_map(str::split_whitespace)
        .filter(|word| word.len() >= LEAST_BYTES)
        .flat_map(|word| [word.into(), utf8_percent_encode(word, &SEGMENT).to_string()])
        .collect();
    // The longest first: a secret may be part of another.
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
