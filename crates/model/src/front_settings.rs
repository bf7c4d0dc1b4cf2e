//! The settings of what visitors see: language, theme, endings, who may embed the form.

use serde_json::{Value, json};

use crate::check::read_conditions;
use crate::fault::{At, FaultCode, Faults};
use crate::logic::number::parse_number;
use crate::settings::is_redirect_target;

/// The presets of the style (host-shim/front/theme.css).
pub const THEMES: [&str; 4] = ["calm", "paper", "bold", "contrast"];

/// The colours and lengths of the style that a form may set, without `--cf-`.
const COLOURS: [&str; 13] = [
    "accent",
    "on-accent",
    "text",
    "muted",
    "backdrop",
    "surface",
    "control",
    "tint",
    "line",
    "soft-line",
    "error",
    "success",
    "star",
];
/// The lengths.
const LENGTHS: [&str; 4] = ["radius", "stroke", "gap", "width"];
/// The lists of font families.
const FONTS: [&str; 2] = ["font", "heading-font"];

/// The most endings, and the most origins.
const MAX_ENTRIES: usize = 20;

/// The longest text of an ending, in characters.
const MAX_CHARS: usize = 10_000;

/// What is said of an address that visitors cannot be sent to.
pub(crate) const NO_TARGET: &str = "This must be a path or an http or https address.";

/// What a setting of the visitor's side holds.
#[derive(Clone, Copy)]
pub(crate) enum FrontKind {
    Text,
    /// A line of which this is true, else this is said.
    Line(fn(&str) -> bool, &'static str),
    ThemeValues,
    Origins,
    Button,
    Endings,
}

/// The kind of such a setting.
pub(crate) fn front_kind(key: &str) -> Option<FrontKind> {
    Some(match key {
        "success_title" => FrontKind::Text,
        "success_button" => FrontKind::Button,
        "endings" => FrontKind::Endings,
        "language" => FrontKind::Line(
            is_language,
            "This must be a language tag, such as `de`, or `auto`.",
        ),
        "theme" => FrontKind::Line(
            |theme| theme.is_empty() || THEMES.contains(&theme),
            "This must be `calm`, `paper`, `bold` or `contrast`.",
        ),
        "theme_values" => FrontKind::ThemeValues,
        "logo" | "cover" => FrontKind::Line(
            |address| address.is_empty() || is_picture(address),
            "This must be a path of the site or an https address.",
        ),
        "allowed_origins" => FrontKind::Origins,
        _ => return None,
    })
}

/// Checks such a setting.
pub(crate) fn check_front(
    kind: FrontKind,
    value: &Value,
    at: &At<'_>,
    faults: &mut Faults,
) -> Option<Value> {
    match kind {
        FrontKind::Text => faults.text(value, at, MAX_CHARS).map(Value::from),
        FrontKind::Line(fits, message) => checked(value, at, faults, fits, message),
        FrontKind::ThemeValues => {
            let values = faults.object(value, at)?;
            for (name, value) in values {
                let at = at.member(name);
                let mut names = COLOURS.iter().chain(&LENGTHS).chain(&FONTS);
                if !names.any(|known| known == name) {
                    let message = "There is no such value of a theme.";
                    faults.add(&at, FaultCode::AdditionalProperty, message);
                    continue;
                }
                let message = "This must be a colour such as `#1d5c46`, a length such as `0.5rem`, or font families such as `Georgia, serif`.";
                let fits = |text: &str| is_theme_value(name, text);
                checked(value, &at, faults, fits, message);
            }
            Some(json!(values))
        }
        FrontKind::Origins => {
            let list = faults.list(value, at, MAX_ENTRIES)?;
            for (index, origin) in list.iter().enumerate() {
                let message = "This must be an origin, such as https://example.org.";
                checked(origin, &at.item(index), faults, is_origin, message);
            }
            Some(json!(list))
        }
        FrontKind::Button => {
            check_button(value, at, faults);
            Some(value.clone())
        }
        FrontKind::Endings => {
            let list = faults.list(value, at, MAX_ENTRIES)?.iter().enumerate();
            let read = list.map(|(index, ending)| check_ending(ending, &at.item(index), faults));
            Some(read.collect())
        }
    }
}

fn check_ending(ending: &Value, at: &At<'_>, faults: &mut Faults) -> Value {
    let Some(members) = faults.object(ending, at) else {
        return Value::Null;
    };
    let mut read = members.clone();
    let conditions = members.get("conditions").cloned().unwrap_or(json!([]));
    let conditions = read_conditions(&conditions, &at.member("conditions"), faults);
    read.insert("conditions".to_owned(), json!(conditions));
    for (name, value) in members {
        let at = at.member(name);
        match name.as_str() {
            "conditions" => {}
            "title" | "text" | "html" => _ = faults.text(value, &at, MAX_CHARS),
            "redirect_url" => _ = checked(value, &at, faults, is_redirect_target, NO_TARGET),
            "button" => check_button(value, &at, faults),
            _ => {
                let message = "An ending has no such member.";
                faults.add(&at, FaultCode::AdditionalProperty, message);
            }
        }
    }
    Value::Object(read)
}

fn check_button(value: &Value, at: &At<'_>, faults: &mut Faults) {
    let Some(members) = faults.object(value, at) else {
        return;
    };
    for name in ["label", "url"] {
        let value = members.get(name).cloned().unwrap_or(json!(""));
        let text = faults
            .text(&value, &at.member(name), MAX_CHARS)
            .unwrap_or_default();
        if name == "url" && !is_redirect_target(text.trim()) {
            faults.add(&at.member(name), FaultCode::InvalidPattern, NO_TARGET);
        }
    }
}

fn checked(
    value: &Value,
    at: &At<'_>,
    faults: &mut Faults,
    fits: impl Fn(&str) -> bool,
    message: &str,
) -> Option<Value> {
    let text = faults.text(value, at, MAX_CHARS)?;
    if !fits(text.trim()) {
        faults.add(at, FaultCode::InvalidPattern, message);
    }
    Some(Value::from(text.trim()))
}

/// Whether a text is a language tag, `auto` or empty.
fn is_language(tag: &str) -> bool {
    let is_tag = |c: char| c.is_ascii_alphanumeric() || c == '-';
    tag.is_empty() || ((2..=35).contains(&tag.len()) && tag.chars().all(is_tag))
}

/// Whether pages may show a picture from there.
pub fn is_picture(address: &str) -> bool {
    let is_path = address.starts_with('/') && !address.starts_with("//");
    let is_plain = |c: char| !c.is_control() && !matches!(c, ' ' | '\\' | '"' | '<' | '>');
    (is_path || address.starts_with("https://")) && address.chars().all(is_plain)
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

/// Whether a value of the theme may be this text.
pub fn is_theme_value(name: &str, text: &str) -> bool {
    if COLOURS.contains(&name) {
        return is_colour(text);
    }
    // Without quotes or escapes no text leaves its declaration.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, ' ' | ',' | '-' | '_');
    let is_font = || !text.is_empty() && text.len() <= 200 && text.chars().all(is_plain);
    is_length(name, text) || (FONTS.contains(&name) && is_font())
}

/// Whether a text is one colour, or one for light and one for dark pages: `#abc`, `#aabbcc`, or
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

/// Whether a text is a length that a name of [`LENGTHS`] may have.
fn is_length(name: &str, text: &str) -> bool {
    if !LENGTHS.contains(&name) {
        return false;
    }
    let number = ["rem", "em", "px"]
        .iter()
        .find_map(|unit| text.strip_suffix(unit));
    number.is_some_and(|number| {
        number.len() <= 6 && parse_number(number).is_some_and(|n| (0.0..=2_000.0).contains(&n))
    })
}

/// Red, green and blue of `#abc` or `#aabbcc`, from 0 to 1.
fn channels(colour: &str) -> Option<[f64; 3]> {
    let digits = colour.strip_prefix('#')?;
    let wide: String = match digits.len() {
        3 => digits.chars().flat_map(|digit| [digit, digit]).collect(),
        6 => digits.to_owned(),
        _ => return None,
    };
    let number = u32::from_str_radix(&wide, 16).ok()?;
    let channel = |shift: u32| f64::from((number >> shift) & 255) / 255.0;
    Some([channel(16), channel(8), channel(0)])
}

/// The contrast of two colours, from 1 to 21 (WCAG 2.2); `None` where either is not one colour.
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

/// The pairs of a form's own colours that are hard to read on each other: below 4.5 to 1.
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
