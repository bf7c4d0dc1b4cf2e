//! The language of a form's page.

use serde_json::Value;

use crate::forms::Form;

/// Whether a text can be a language tag (BCP 47).
pub fn is_tag(tag: &str) -> bool {
    (2..=35).contains(&tag.len()) && tag.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

/// The form's language, if it has one.
pub fn language(form: &Form) -> Option<&str> {
    let tag = form.settings.get("language").and_then(Value::as_str);
    tag.filter(|tag| is_tag(tag))
}

/// The direction in which a language is written, as the value of `dir`.
pub fn direction(language: &str) -> &'static str {
    let primary = language.split('-').next().unwrap_or_default();
    match primary.to_ascii_lowercase().as_str() {
        "ar" | "arc" | "ckb" | "dv" | "fa" | "he" | "ps" | "sd" | "ug" | "ur" | "yi" => "rtl",
        _ => "ltr",
    }
}
