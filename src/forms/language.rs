//! The language of a form, and its texts from the catalogues that the host provides.

use serde_json::{Map, Value};

use super::Form;
use crate::task::Context;
use model::messages::english_formats;

/// Fills in the texts of the form's language that the form does not set. A form in the visitor's language (`auto`)
/// stays unchanged, because the visitor's language is unknown here (see `front/audience.rs`).
pub fn fill_in_form_language(cx: &Context, form: &mut Form) {
    let tag = form.settings.get("language").and_then(Value::as_str);
    let Some(tag) = tag.map(str::to_owned) else {
        return;
    };
    let catalogues = &cx.shared().configuration().languages;
    match catalogue(catalogues, &tag) {
        Some(texts) => form.fill_in_texts(texts),
        None if is_english(&tag) => form.fill_in_texts(&english_formats()),
        None => {}
    }
}

/// Whether a tag is English or one of its regions.
pub fn is_english(tag: &str) -> bool {
    let primary = tag.split('-').next().unwrap_or_default();
    primary.eq_ignore_ascii_case("en")
}

/// The catalogue of a language tag, with a fallback to its shorter tags: `de-AT` falls back to `de`.
pub fn catalogue<'c>(
    catalogues: &'c Map<String, Value>,
    tag: &str,
) -> Option<&'c Map<String, Value>> {
    let mut tag = tag.to_ascii_lowercase();
    loop {
        if let Some(found) = catalogues.get(&tag).and_then(Value::as_object) {
            return Some(found);
        }
        let end = tag.rfind('-')?;
        tag.truncate(end);
    }
}

/// Whether a text can be a language tag (BCP 47).
pub fn is_tag(tag: &str) -> bool {
    (2..=35).contains(&tag.len()) && tag.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

/// The form's language; `None` if the form has none, or is in the visitor's language (`auto`), which is unknown here.
pub fn language(form: &Form) -> Option<&str> {
    let tag = form.settings.get("language").and_then(Value::as_str);
    tag.filter(|tag| is_tag(tag) && *tag != "auto")
}

/// The direction in which a language is written, as the value of `dir`.
pub fn direction(language: &str) -> &'static str {
    let primary = language.split('-').next().unwrap_or_default();
    match primary.to_ascii_lowercase().as_str() {
        "ar" | "arc" | "ckb" | "dv" | "fa" | "he" | "ps" | "sd" | "ug" | "ur" | "yi" => "rtl",
        _ => "ltr",
    }
}
