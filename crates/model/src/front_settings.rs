//! The settings for visitors' pages: language, theme, endings, embedding.

use serde_json::Value;

use super::fault::FaultCode;
use super::given::Given;
use super::setting_kinds::{MAX_TEXT_CHARS, read_fitting};
pub use super::web_addresses::is_picture;
use super::web_addresses::{NO_TARGET, is_redirect_target};
use crate::check::read_conditions;
use crate::logic::number::parse_number;

/// The names of the themes, which are presets of the style (`visitor/styles/theme.css`).
pub const THEMES: [&str; 4] = ["calm", "paper", "bold", "contrast"];

/// The maximum number of endings, and of origins.
const MAX_ENTRIES: usize = 20;

/// Reads a form's theme values, such as colours and fonts.
pub(crate) fn read_theme_values(given: &Given<'_>) -> Option<Value> {
    let mut values = given.object()?.clone();
    // A null member counts as absent.
    values.retain(|_, value| !value.is_null());
    for (name, value) in given.members() {
        if theme_value(name).is_none() {
            let message = "This is not a value of a theme.";
            value.fault(FaultCode::AdditionalProperty, message);
        } else {
            let message = "This must be a colour such as `#1d5c46`, a length such as `0.5rem`, or font families such as `Georgia, serif`.";
            read_fitting(&value, |text| is_theme_value(name, text), message);
        }
    }
    Some(Value::Object(values))
}

/// Reads the origins whose pages may embed the form.
pub(crate) fn read_origins(given: &Given<'_>) -> Option<Value> {
    for origin in given.items(MAX_ENTRIES) {
        let message = "Enter a site address without a path, like https://example.org.";
        read_fitting(&origin, is_origin, message);
    }
    Some(given.value.clone())
}

/// Reads the endings of a form.
pub(crate) fn read_endings(given: &Given<'_>) -> Option<Value> {
    Some(given.items(MAX_ENTRIES).map(read_ending).collect())
}

fn read_ending(given: Given<'_>) -> Value {
    let mut ending = given.object().cloned().unwrap_or_default();
    given.reject_unknown(&[
        "conditions",
        "title",
        "text",
        "html",
        "redirect_url",
        "button",
    ]);
    // A null member counts as absent.
    ending.retain(|_, value| !value.is_null());
    for (name, member) in given.members() {
        match name {
            "title" | "text" | "html" => _ = member.text(MAX_TEXT_CHARS),
            "redirect_url" => _ = read_fitting(&member, is_redirect_target, NO_TARGET),
            "button" => {
                if let Some(button) = read_button(&member) {
                    ending.insert("button".to_owned(), button);
                }
            }
            _ => {}
        }
    }
    let conditions = given.member("conditions");
    let conditions = conditions.map(|list| read_conditions(&list));
    ending.insert(
        "conditions".to_owned(),
        json!(conditions.unwrap_or_default()),
    );
    Value::Object(ending)
}

/// Reads the button of an ending.
pub(crate) fn read_button(given: &Given<'_>) -> Option<Value> {
    let mut button = given.object()?.clone();
    // A null member counts as absent.
    button.retain(|_, value| !value.is_null());
    if let Some(label) = given.member("label") {
        label.text(MAX_TEXT_CHARS);
    }
    if let Some(url) = given.member("url") {
        read_fitting(&url, is_redirect_target, NO_TARGET);
    }
    Some(Value::Object(button))
}

/// Whether a text has the form of a language tag, or is empty. `auto` passes too.
pub(crate) fn is_language(tag: &str) -> bool {
    let is_tag = |c: char| c.is_ascii_alphanumeric() || c == '-';
    tag.is_empty() || ((2..=35).contains(&tag.len()) && tag.chars().all(is_tag))
}

/// Whether a text is an origin: a scheme and a host, without a path.
pub fn is_origin(origin: &str) -> bool {
    let host = origin
        .strip_prefix("https://")
        .or_else(|| origin.strip_prefix("http://"));
    let fits = |c: char| {
        c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '-' | ':' | '[' | ']')
    };
    host.is_some_and(|host| !host.is_empty() && host.chars().all(fits))
}

/// The kind of a theme value.
enum ThemeValue {
    Colour,
    Length,
    Font,
}

/// The kind of a theme value, by the name of its CSS property without `--cf-`; `None` if forms may not set the
/// property.
fn theme_value(name: &str) -> Option<ThemeValue> {
    Some(match name {
        "accent" | "on-accent" | "text" | "muted" | "backdrop" | "surface" => ThemeValue::Colour,
        "control" | "tint" | "line" | "soft-line" => ThemeValue::Colour,
        "error" | "success" | "star" => ThemeValue::Colour,
        "radius" | "stroke" | "gap" | "width" => ThemeValue::Length,
        "font" | "heading-font" => ThemeValue::Font,
        _ => return None,
    })
}

/// Whether a text is a valid value for the theme value with a name.
pub fn is_theme_value(name: &str, text: &str) -> bool {
    // Without quotes or escapes, a text cannot leave its CSS declaration.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, ' ' | ',' | '-' | '_');
    match theme_value(name) {
        Some(ThemeValue::Colour) => is_colour(text),
        Some(ThemeValue::Length) => is_length(text),
        Some(ThemeValue::Font) => (1..=200).contains(&text.len()) && text.chars().all(is_plain),
        None => false,
    }
}

/// Whether a text is a colour, `#abc` or `#aabbcc`, or a pair of colours for light and dark pages,
/// `light-dark(#…, #…)`.
fn is_colour(text: &str) -> bool {
    let inner = text
        .strip_prefix("light-dark(")
        .and_then(|rest| rest.strip_suffix(')'));
    match inner.and_then(|inner| inner.split_once(',')) {
        Some((light, dark)) => channels(light.trim()).is_some() && channels(dark.trim()).is_some(),
        None => channels(text).is_some(),
    }
}

/// Whether a text is a length from 0 to 2,000 in `rem`, `em` or `px`.
fn is_length(text: &str) -> bool {
    let mut units = ["rem", "em", "px"].iter();
    let number = units.find_map(|unit| text.strip_suffix(unit));
    let number = number.filter(|number| number.len() <= 6);
    let number = number.and_then(parse_number);
    number.is_some_and(|number| (0.0..=2_000.0).contains(&number))
}

/// Red, green and blue of `#abc` or `#aabbcc`, from 0 to 1.
fn channels(colour: &str) -> Option<[f64; 3]> {
    let digits = colour.strip_prefix('#')?;
    // Parsing would also accept a sign.
    if digits.starts_with('+') {
        return None;
    }
    let wide: String = match digits.len() {
        3 => digits.chars().flat_map(|digit| [digit, digit]).collect(),
        6 => digits.to_owned(),
        _ => return None,
    };
    let number = u32::from_str_radix(&wide, 16).ok()?;
    let channel = |shift: u32| f64::from((number >> shift) & 255) / 255.0;
    Some([channel(16), channel(8), channel(0)])
}

/// The contrast of two colours, from 1 to 21 (WCAG 2.2); `None` unless both are single colours.
fn contrast(one: &str, other: &str) -> Option<f64> {
    let luminance = |colour: &str| {
        let linear = |c: f64| {
            if c <= 0.04045 {
                c / 12.92
            } else {
                ((c + 0.055) / 1.055).powf(2.4)
            }
        };
        let [red, green, blue] = channels(colour)?.map(linear);
        Some(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    };
    let (one, other) = (luminance(one)?, luminance(other)?);
    Some((one.max(other) + 0.05) / (one.min(other) + 0.05))
}

/// Warnings about pairs of a form's colours whose contrast is below 4.5 to 1.
pub fn faint_pairs(theme_values: Option<&Value>) -> Vec<String> {
    let colour = |name: &str| theme_values?.get(name)?.as_str();
    let pairs = [
        ("on-accent", "accent"),
        ("text", "surface"),
        ("muted", "surface"),
        ("error", "surface"),
        ("text", "control"),
    ];
    let faint = pairs.iter().filter_map(|(ink, paper)| {
        let ratio = contrast(colour(ink)?, colour(paper)?)?;
        (ratio < 4.5).then(|| {
            format!("theme_values: {ink} on {paper} has a contrast of {ratio:.1}, below 4.5")
        })
    });
    faint.collect()
}
