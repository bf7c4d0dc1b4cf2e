//! Formats calculated values for people. `data-format` is `number`, `percent`, `currency EUR` or `unit kg`.

use serde_json::{Map, Value};

use super::decimal::{self, ONE, Rounding};
use crate::Field;
use crate::logic::localized::grouped;

/// The attribute with the format.
pub const FORMAT: &str = "data-format";

/// The attribute with the number of decimal places.
pub const DECIMALS: &str = "data-decimals";

/// The maximum number of decimal places.
const MAX_DECIMALS: i32 = 6;

/// The currencies (ISO 4217) whose smallest unit is not a hundredth, with their decimal places.
const PLACES: [(&str, i32); 3] = [
    (
        "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
        0,
    ),
    ("BHD IQD JOD KWD LYD OMR TND", 3),
    ("CLF UYW", 4),
];

/// The currencies that are shown by a sign. Other currencies are shown by their code.
const SIGNS: [(&str, &str); 9] = [
    ("EUR", "€"),
    ("USD", "$"),
    ("GBP", "£"),
    ("JPY", "¥"),
    ("INR", "₹"),
    ("KRW", "₩"),
    ("ILS", "₪"),
    ("VND", "₫"),
    ("PHP", "₱"),
];

/// The format of a field: the kind of format, and the currency or unit.
fn format_of(field: &Field) -> (&str, &str) {
    let format = field.attributes.get(FORMAT).map_or("", String::as_str);
    format.split_once(' ').unwrap_or((format, ""))
}

/// Whether a text is a valid format.
pub fn is_format(text: &str) -> bool {
    match text.split_once(' ') {
        None => matches!(text, "" | "number" | "percent"),
        Some(("currency", code)) => code.len() == 3 && code.bytes().all(|c| c.is_ascii_uppercase()),
        Some((kind, unit)) => kind == "unit" && !unit.trim().is_empty(),
    }
}

/// The number of decimal places that a field sets.
pub fn stated(field: &Field) -> Option<i32> {
    let places = field.attributes.get(DECIMALS)?.trim().parse().ok();
    places.filter(|places| (0..=MAX_DECIMALS).contains(places))
}

/// The number of decimal places to which a field's value is rounded.
pub fn decimals(field: &Field) -> i32 {
    stated(field).unwrap_or_else(|| match format_of(field) {
        ("currency", code) => {
            let known = PLACES.iter().find(|(codes, _)| codes.contains(code));
            known.map_or(2, |(_, places)| *places)
        }
        _ => MAX_DECIMALS,
    })
}

/// The facts about a format for the visitor's script: the kind, the unit or currency, and whether all decimal places
/// are shown. A currency is a sign, such as `€`, or a code, such as `CHF`.
pub fn facts(field: &Field) -> Option<(&'static str, Value)> {
    let (kind, unit) = format_of(field);
    let sign = sign_of(unit).filter(|_| kind == "currency");
    let unit = sign.unwrap_or(unit);
    let is_fixed = stated(field).is_some() || kind == "currency";
    let facts = vec![kind.into(), unit.into(), is_fixed.into()];
    has_format(field).then_some(("format", Value::Array(facts)))
}

/// Whether a field sets the format of its value.
fn has_format(field: &Field) -> bool {
    field.is_calculated()
        && [FORMAT, DECIMALS]
            .iter()
            .any(|name| field.attributes.contains_key(*name))
}

fn sign_of(code: &str) -> Option<&'static str> {
    let sign = SIGNS.iter().find(|(known, _)| *known == code);
    sign.map(|(_, sign)| *sign)
}

/// Writes a calculated value in the format of its field and the language of the texts. `None` for a field without a
/// format, and for a value that is not a number.
pub fn written(field: &Field, value: &str, texts: &Map<String, Value>) -> Option<String> {
    let number = decimal::parse(value).filter(|_| has_format(field))?;
    let (kind, unit) = format_of(field);
    let is_percent = kind == "percent";
    let number = if is_percent {
        decimal::times(number, 100 * ONE).ok()?
    } else {
        number
    };
    let places = (stated(field).is_some() || kind == "currency").then(|| decimals(field));
    let places = places.map(|places| {
        if is_percent {
            (places - 2).max(0)
        } else {
            places
        }
    });
    let number = match places {
        Some(places) => decimal::rounded(number, places, Rounding::Half).ok()?,
        None => number,
    };
    let digits = decimal::text_of(number.abs(), places);
    let amount = grouped(&digits, if kind == "currency" { 4 } else { 5 }, texts);
    let text_of = |key: &str, usual| texts.get(key).and_then(Value::as_str).unwrap_or(usual);
    let shown = match kind {
        "percent" => text_of("percent_format", "{amount}%").replace("{amount}", &amount),
        "currency" => {
            let mut format = text_of("currency_format", "{sign}{amount}").to_owned();
            let sign = sign_of(unit).unwrap_or_else(|| {
                format = format.replace("}{", "}\u{a0}{");
                unit
            });
            format.replace("{sign}", sign).replace("{amount}", &amount)
        }
        "unit" => [&amount, unit].join("\u{a0}"),
        _ => amount,
    };
    let is_negative = number < 0;
    Some(if is_negative {
        ["-", &shown].concat()
    } else {
        shown
    })
}
