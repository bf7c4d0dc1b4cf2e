//! Secrets in action settings: encrypted where they are stored, masked where they are read.

use percent_encoding::utf8_percent_encode;
use serde_json::{Map, Value};

use super::contract::Report;
use super::http::SEGMENT;
use super::types::built_in;

/// What stands for a secret where it is read. Written back, it keeps what is stored.
pub const MASK: &str = "••••••••";

/// The keys of a type's secret settings.
fn secret_keys(kind: &str) -> impl Iterator<Item = &'static str> {
    let settings = built_in(kind).into_iter().flat_map(|own| &own.settings);
    settings
        .filter(|setting| setting.secret)
        .map(|setting| setting.key.as_str())
}

/// A report without the secrets of the settings, as they are and as an address has them.
pub(super) fn hide(kind: &str, settings: &Map<String, Value>, report: Report) -> Report {
    let secrets = secret_keys(kind).filter_map(|key| settings.get(key)?.as_str());
    // Of a header's line only the value is one.
    let values = secrets
        .flat_map(str::lines)
        .map(|line| line.split_once(": ").map_or(line, |(_, value)| value));
    let words = values.flat_map(str::split_whitespace);
    let mut hidden: Vec<String> = words
        .filter(|word| word.len() >= 4)
        .flat_map(|word| {
            [
                word.to_owned(),
                utf8_percent_encode(word, &SEGMENT).to_string(),
            ]
        })
        .collect();
    // The longest first: a secret may be part of another.
    hidden.sort_by_key(|word| std::cmp::Reverse(word.len()));
    Report {
        message: without(&hidden, &report.message),
        output: without_in(&hidden, report.output),
        ..report
    }
}

fn without(hidden: &[String], text: &str) -> String {
    hidden
        .iter()
        .fold(text.to_owned(), |text, word| text.replace(word, MASK))
}

fn without_in(hidden: &[String], value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(without(hidden, &text)),
        Value::Array(items) => items
            .into_iter()
            .map(|item| without_in(hidden, item))
            .collect(),
        Value::Object(members) => {
            let members = members.into_iter();
            Value::Object(
                members
                    .map(|(name, own)| (name, without_in(hidden, own)))
                    .collect(),
            )
        }
        other => other,
    }
}
