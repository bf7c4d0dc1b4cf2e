//! The audience of a form: the language of its texts, and the sites that may show it.

use serde_json::{Map, Value};

use crate::forms::Form;
use crate::forms::language::{catalogue, fill_in_form_language, is_english, is_tag};
use crate::http::Request;
use crate::logic::number::parse_number;
use crate::ordered;
use crate::task::Context;
use model::front_settings::is_origin;
use model::messages::word;

/// Fills in the texts of the form's language that the form does not set. The language `auto` means the visitor's
/// language.
pub fn apply_language(cx: &Context, form: &mut Form, request: &Request) {
    if form.settings.get("language").and_then(Value::as_str) != Some("auto") {
        return fill_in_form_language(cx, form);
    }
    let tags = accepted(request.header("accept-language").unwrap_or_default());
    match first_catalogue(&cx.shared().configuration().languages, tags) {
        Some((texts, tag)) => {
            form.fill_in_texts(texts);
            form.settings.insert("language".to_owned(), tag.into());
        }
        None => drop(form.settings.remove("language")),
    }
}

/// The texts of responses that show no form, in the visitor's language or else in English.
pub struct VisitorTexts<'c> {
    /// The tag of the language.
    pub language: String,
    texts: Option<&'c Map<String, Value>>,
}

impl<'c> VisitorTexts<'c> {
    /// Chooses the language by the header `Accept-Language`.
    pub fn of(cx: &'c Context, accept_language: &str) -> VisitorTexts<'c> {
        let catalogues = &cx.shared().configuration().languages;
        let found = first_catalogue(catalogues, accepted(accept_language));
        let (texts, language) = found.unzip();
        VisitorTexts {
            language: language.unwrap_or_else(|| "en".to_owned()),
            texts,
        }
    }

    /// The text of a key.
    pub fn word(&self, key: &str) -> &'c str {
        let text = self.texts.and_then(|texts| texts.get(key)?.as_str());
        text.unwrap_or_else(|| word(key))
    }
}

/// Finds the catalogue of the first tag that has one, and the tag. English needs no catalogue, so English ends the
/// search.
fn first_catalogue(
    catalogues: &Map<String, Value>,
    tags: Vec<String>,
) -> Option<(&Map<String, Value>, String)> {
    for tag in tags {
        if let Some(texts) = catalogue(catalogues, &tag) {
            return Some((texts, tag));
        }
        if is_english(&tag) {
            return None;
        }
    }
    None
}

/// Parses `Accept-Language`: the language tags, the most preferred first.
fn accepted(header: &str) -> Vec<String> {
    let mut ranges: Vec<(f64, &str)> = header
        .split(',')
        .take(20)
        .filter_map(|range| {
            let (tag, quality) = range.split_once(';').unwrap_or((range, "q=1"));
            let quality = quality.trim().strip_prefix("q=")?;
            let quality = parse_number(quality.trim_end_matches('.'))?;
            is_tag(tag.trim()).then_some((quality, tag.trim()))
        })
        .collect();
    ordered::sort_by(&mut ranges, |(one, _), (other, _)| other.total_cmp(one));
    ranges.into_iter().map(|(_, tag)| tag.to_owned()).collect()
}

/// The sites that may show and send the form; empty for any site.
pub fn origins(form: &Form) -> Vec<&str> {
    let list = form.settings.get("allowed_origins");
    let list = list.and_then(Value::as_array);
    let origins = list.into_iter().flatten().filter_map(Value::as_str);
    origins.filter(|origin| is_origin(origin)).collect()
}

/// The sources of `frame-ancestors` for the form: this site, and the sites that the form names.
pub fn framed_by(form: &Form) -> String {
    [&["'self'"], origins(form).as_slice()].concat().join(" ")
}

/// Whether a request may send the form: its page is on this site or an allowed site, or every site is allowed. A
/// request without `Origin` does not come from another site's page, so it is allowed.
pub fn may_send(cx: &Context, form: &Form, request: &Request) -> bool {
    let Some(origin) = request.header("origin") else {
        return true;
    };
    let allowed = origins(form);
    let base = cx.base_url();
    let rest = base.strip_prefix(origin);
    let is_same_site = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    allowed.is_empty() || is_same_site || allowed.contains(&origin)
}
