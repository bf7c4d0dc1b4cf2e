//! The inline styles that hide an element from people.

use crate::logic::number::parse_number;

/// The minimum number of digits with which a negative distance moves an element off-screen.
const FAR_DIGITS: usize = 3;

/// Whether a style hides an element: by its display, visibility or opacity, by a size of zero, by clipping, or by a
/// negative distance of at least 100 in any unit.
pub fn hides(style: &str) -> bool {
    let style = style.to_ascii_lowercase();
    style.split(';').any(|rule| {
        let (name, value) = rule.split_once(':').unwrap_or_default();
        let value = value.split('!').next().unwrap_or_default().trim();
        match name.trim() {
            "display" => value == "none",
            "visibility" => value == "hidden",
            "opacity" | "width" | "height" | "max-width" | "max-height" => is_zero(value),
            "left" | "right" | "top" | "bottom" | "text-indent" => is_far(value),
            name if name.starts_with("margin") => value.split_ascii_whitespace().any(is_far),
            "transform" | "translate" | "inset" => value.split(['(', ',', ' ']).any(is_far),
            "clip" => value.starts_with("rect(0") || value.starts_with("rect(1px"),
            "clip-path" => matches!(value, "inset(50%)" | "inset(100%)" | "circle(0)"),
            _ => false,
        }
    })
}

fn is_far(value: &str) -> bool {
    let distance = value.trim().strip_prefix('-').unwrap_or_default();
    distance.bytes().take_while(u8::is_ascii_digit).count() >= FAR_DIGITS
}

/// Whether a number is zero, with or without a unit.
fn is_zero(value: &str) -> bool {
    let number = value.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%');
    let number = number.trim();
    parse_number(number.strip_prefix('+').unwrap_or(number)) == Some(0.0)
}
