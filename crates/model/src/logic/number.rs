//! Reads numbers in HTML's format.

use serde_json::{Number, Value};

/// Reads a valid floating-point number (HTML standard, "Floating-point numbers"): `-1.5e3`, but not `+1`, `1.`, `0x1`
/// or `Infinity`. `None` for any other text, and beyond the range of a double.
pub fn parse_number(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let well_formed = are_digits(whole)
        && fraction.map_or(!whole.is_empty(), |digits| {
            !digits.is_empty() && are_digits(digits)
        })
        && exponent.is_none_or(|exponent| {
            let digits = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
            !digits.is_empty() && are_digits(digits)
        });
    if !well_formed {
        return None;
    }
    // The text is converted to JSON's syntax, because the module contains a JSON parser anyway. The standard
    // library's parser would add tables of 10 KB.
    let sign = if unsigned.len() < text.len() { "-" } else { "" };
    let bare = unsigned.trim_start_matches('0');
    let zero = if bare.starts_with(|first: char| first.is_ascii_digit()) {
        ""
    } else {
        "0"
    };
    // Parsing as `f64` would add code that prints other values in error messages, so the text is parsed as a `Value`.
    let number: Value = serde_json::from_str(&[sign, zero, bare].concat()).ok()?;
    number.as_f64().filter(|number| number.is_finite())
}

/// The JSON number of a double. A whole number has no fraction (5, not 5.0). `None` for infinity and NaN.
pub fn json_number(number: f64) -> Option<Number> {
    /// The limit up to which a double represents every integer (2^53).
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.fract() == 0.0 && number.abs() <= EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "whole and in range")]
        return Some(Number::from(number as i64));
    }
    Number::from_f64(number)
}

/// The JSON number of a text; an integer of up to 64 bits keeps every digit.
pub fn number_of(text: &str) -> Option<Number> {
    let number = parse_number(text)?;
    match text.parse::<i64>() {
        Ok(integer) => Some(Number::from(integer)),
        Err(_) => json_number(number),
    }
}

/// Whether a number is stored as the visitor typed it. A number with leading zeros is an identifier, and a double
/// cannot hold more than 15 significant digits exactly.
pub fn is_kept_as_text(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let mantissa = unsigned.split(['e', 'E']).next().unwrap_or_default();
    let whole = mantissa.split('.').next().unwrap_or_default();
    let digits = mantissa.bytes().filter(u8::is_ascii_digit);
    (whole.len() > 1 && whole.starts_with('0'))
        || digits.skip_while(|digit| *digit == b'0').count() > 15
}

/// Whether a value is a whole number of steps away from `base` (HTML standard, "step mismatch"). A tolerance allows
/// for binary fractions: 0.3 is three steps of 0.1.
pub fn is_on_step(value: f64, base: f64, step: f64) -> bool {
    let steps = (value - base) / step;
    if !steps.is_finite() {
        return true;
    }
    let tolerance = (steps.abs() * 4.0 * f64::EPSILON).max(1e-9);
    (steps - steps.round()).abs() <= tolerance
}
