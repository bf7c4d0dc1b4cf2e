//! Sanitizes an author's HTML (contract, section 4). [`sanitize`] removes parts that could run script or deceive, for
//! authors without the capability `unfiltered_html`. [`without_reserved`] removes the attributes that only the engine
//! may write, from every author's HTML, since the visitor's script follows them.
//!
//! Allowed markup stays, all other markup is removed. Tags that need no change keep their bytes. `<` in text and in
//! attribute values becomes `&lt;`: no parser can then find a tag that was not one before.

use std::ops::Range;

use model::allowed_html::{
    ATTRIBUTES, DROPPED, ELEMENTS, EMPTY, is_image_address, is_safe_address,
};
use model::file_types::without_programs;

use super::escape::escaped;
use super::html::attributes::Attribute;
use super::html::edits::Edits;
use super::html::tokens::{self, Ambiguity, StartTag, TokenSink};
use super::markers::{AUTHOR_DATA, RESERVED, TRAP, TRAPS_OF_FORMS};
use super::warnings::{Warning, WarningCode, Warnings};

/// The number of a name's characters that are compared; the names of [`AUTHOR_DATA`] are shorter.
const MAX_NAME_CHARS: usize = 40;

/// Removes the parts of HTML that could run script; also returns warnings that name them. Clean HTML is returned
/// unchanged, except for `<` in text. Takes time linear in the input.
///
/// # Errors
///
/// [`Ambiguity`] if the HTML does not determine which parts a browser reads as script.
pub fn sanitize(html: &str) -> Result<(String, Vec<Warning>), Ambiguity> {
    let mut cleaner = Cleaner {
        source: html,
        out: String::with_capacity(html.len()),
        warnings: Warnings::default(),
        dropped: None,
        trap: "",
        is_in_textarea: false,
    };
    tokens::read_as(html, true, &mut cleaner)?;
    if cleaner.is_in_textarea {
        cleaner.out.push_str("</textarea>");
    }
    Ok((cleaner.out, cleaner.warnings.in_order()))
}

/// Removes the engine's reserved attributes ([`RESERVED`]) from HTML; also returns warnings that name them. Every other
/// tag keeps its bytes.
pub fn without_reserved(html: &str) -> (String, Vec<Warning>) {
    let (mut edits, mut warnings) = (Edits::default(), Warnings::default());
    let is_clear = tokens::read_as(html, true, &mut |tag: &StartTag<'_, '_>| {
        remove_reserved(html, tag, &mut edits, &mut warnings);
    });
    if is_clear.is_ok() {
        return (edits.apply(html), warnings.in_order());
    }
    // In ambiguous HTML, parsers disagree on the tags, so every reserved name is changed, wherever it is.
    let (mut edits, mut warnings) = (Edits::default(), Warnings::default());
    for (at, _) in html.match_indices(['d', 'D']) {
        let rest = html.get(at..).unwrap_or_default();
        let prefix = rest.get(..RESERVED.len()).unwrap_or_default();
        if !prefix.eq_ignore_ascii_case(RESERVED) {
            continue;
        }
        let is_in_name = |c: &char| !c.is_ascii_whitespace() && !matches!(c, '/' | '>' | '=');
        let name = rest.chars().take(MAX_NAME_CHARS).take_while(is_in_name);
        let name: String = name.collect();
        if is_reserved(&name.to_ascii_lowercase()) {
            edits.replace(at..at + "data".len(), "x".to_owned());
            warnings.add(WarningCode::AttributeRemoved, at, removal_message(&name));
        }
    }
    (edits.apply(html), warnings.in_order())
}

fn remove_reserved(html: &str, tag: &StartTag<'_, '_>, edits: &mut Edits, warnings: &mut Warnings) {
    let is_reserved_attribute = |attribute: &Attribute<'_>| is_reserved(&attribute.lower_name());
    let (removed, kept): (Vec<_>, Vec<_>) = tag.attributes.iter().partition(is_reserved_attribute);
    for attribute in &removed {
        warn_of_attribute(warnings, attribute);
    }
    if !removed.is_empty() {
        let mut written = String::with_capacity(tag.span.len());
        write_tag(&mut written, html, tag, &kept, |_| None);
        edits.replace(tag.span.clone(), written);
    }
}

/// Whether only the engine may write an attribute with this lower-case name.
fn is_reserved(name: &str) -> bool {
    name.starts_with(RESERVED) && !AUTHOR_DATA.contains(&name)
}

fn removal_message(attribute: &str) -> String {
    format!("The attribute `{attribute}` is removed.")
}

fn warn_of_attribute(warnings: &mut Warnings, attribute: &Attribute<'_>) {
    let place = attribute.place.name.0 as usize;
    let message = removal_message(attribute.name());
    warnings.add(WarningCode::AttributeRemoved, place, message);
}

/// Writes a start tag with some of its attributes; `accept` returns a replacement for an `accept` attribute.
fn write_tag(
    out: &mut String,
    html: &str,
    tag: &StartTag<'_, '_>,
    kept: &[Attribute<'_>],
    accept: fn(&Attribute<'_>) -> Option<String>,
) {
    out.push('<');
    out.push_str(tag.name);
    for attribute in kept {
        match accept(attribute) {
            Some(accept) => out.push_str(&format!(" accept=\"{}\"", escaped(&accept))),
            None => {
                out.push(' ');
                out.push_str(&written(html, attribute).replace('<', "&lt;"));
            }
        }
    }
    out.push_str(if tag.is_foreign && tag.is_self_closing {
        " />"
    } else {
        ">"
    });
}

/// The bytes of an attribute, quotes included; the name alone if it has no value.
fn written<'a>(html: &'a str, attribute: &Attribute<'a>) -> &'a str {
    if attribute.raw_value().is_empty() {
        return attribute.name();
    }
    let place = attribute.place;
    let quote = html.as_bytes().get(place.value.0 as usize - 1);
    let is_quoted = matches!(quote, Some(b'"' | b'\''));
    let end = place.value.1 as usize + usize::from(is_quoted);
    let written = html.get(place.name.0 as usize..end);
    written.unwrap_or_default()
}

/// Writes the allowed HTML. Input that is not a token, such as an unfinished tag at the end, is never written.
struct Cleaner<'a> {
    source: &'a str,
    out: String,
    warnings: Warnings,
    /// The element whose content is being dropped, and how many elements of its name are open.
    dropped: Option<(&'static str, u32)>,
    /// The name of the spam trap that a removed form tag declares.
    trap: &'a str,
    is_in_textarea: bool,
}

impl<'a> Cleaner<'a> {
    fn open_allowed(&mut self, tag: &StartTag<'a, '_>, name: &str) {
        self.is_in_textarea = name == "textarea";
        let attributes = tag.attributes.iter();
        let (kept, removed): (Vec<_>, Vec<Attribute<'a>>) =
            attributes.partition(|attribute| is_allowed(name, attribute));
        for attribute in &removed {
            warn_of_attribute(&mut self.warnings, attribute);
        }
        let is_rewritten = |attribute: &Attribute<'a>| {
            attribute.raw_value().contains('<') || accept_of(attribute).is_some()
        };
        let is_trap = !self.trap.is_empty() && tag.raw_value("name") == self.trap;
        let is_unmarked = is_trap && tag.attribute(TRAP).is_none();
        if removed.is_empty() && !is_unmarked && !kept.iter().any(is_rewritten) {
            let bytes = self.source.get(tag.span.clone()).unwrap_or_default();
            self.out.push_str(bytes);
            return;
        }
        for attribute in &kept {
            if let Some(accept) = accept_of(attribute) {
                let place = attribute.place.name.0 as usize;
                let message = format!(
                    "Types of files that can run as programs were removed: `accept` is now `{accept}`."
                );
                (self.warnings).add(WarningCode::AttributeRemoved, place, message);
            }
        }
        write_tag(&mut self.out, self.source, tag, &kept, accept_of);
        if is_unmarked {
            self.out.pop();
            self.out.push_str(&format!(" {TRAP}>"));
        }
    }

    fn warn_of_element(&mut self, name: &str, offset: usize) {
        let message = format!("The element `{name}` is removed.");
        let code = WarningCode::ElementRemoved;
        self.warnings.add(code, offset, message);
    }
}

impl<'a> TokenSink<'a> for Cleaner<'a> {
    fn start_tag(&mut self, tag: &StartTag<'a, '_>) {
        let name = tag.name.to_ascii_lowercase();
        if let Some((dropped, depth)) = &mut self.dropped {
            if *dropped == name {
                *depth += 1;
            }
            return;
        }
        if let Some(dropped) = DROPPED.iter().find(|dropped| **dropped == name) {
            self.warn_of_element(&name, tag.span.start);
            let is_empty = tag.is_foreign && tag.is_self_closing;
            if !is_empty && !EMPTY.contains(dropped) {
                self.dropped = Some((dropped, 1));
            }
        } else if !tag.is_foreign && ELEMENTS.contains(&name.as_str()) {
            self.open_allowed(tag, &name);
        } else {
            let traps = TRAPS_OF_FORMS.iter().map(|name| tag.raw_value(name));
            self.trap = traps.fold(
                self.trap,
                |known, name| if name.is_empty() { known } else { name },
            );
            self.warn_of_element(&name, tag.span.start);
        }
    }

    fn end_tag(&mut self, name: &'a str, _span: Range<usize>) {
        let lower = name.to_ascii_lowercase();
        if let Some((dropped, depth)) = &mut self.dropped {
            if *dropped == lower {
                *depth -= 1;
                if *depth == 0 {
                    self.dropped = None;
                }
            }
            return;
        }
        if lower == "textarea" {
            self.is_in_textarea = false;
        }
        if ELEMENTS.contains(&lower.as_str()) {
            self.out.push_str(&format!("</{name}>"));
        }
    }

    fn text(&mut self, raw: &'a str, _span: Range<usize>) {
        if self.dropped.is_none() {
            self.out.push_str(&raw.replace('<', "&lt;"));
        }
    }

    fn comment(&mut self, span: Range<usize>) {
        let bytes = self.source.get(span.clone()).unwrap_or_default();
        let content = bytes.strip_prefix("<!--");
        let content = content.and_then(|rest| rest.strip_suffix("-->"));
        let is_plain = content.is_some_and(|content| {
            !content.contains(['<', '>', '`']) && !content.contains("--") && !content.ends_with('-')
        });
        if self.dropped.is_some() {
            return;
        }
        if is_plain {
            self.out.push_str(bytes);
        } else {
            self.warn_of_element("comment", span.start);
        }
    }
}

/// The allowed part of an `accept` that admits programs, scripts, HTML or SVG; `None` for any other attribute.
fn accept_of(attribute: &Attribute<'_>) -> Option<String> {
    let is_accept = attribute.name().eq_ignore_ascii_case("accept");
    is_accept.then(|| without_programs(&attribute.value()))?
}

fn is_allowed(element: &str, attribute: &Attribute<'_>) -> bool {
    let name = attribute.name().to_ascii_lowercase();
    match name.as_str() {
        "href" => is_safe_address(&attribute.value()),
        "src" if is_safe_address(&attribute.value()) => true,
        "src" => matches!(element, "img" | "input") && is_image_address(&attribute.value()),
        reserved if is_reserved(reserved) => false,
        known if ATTRIBUTES.contains(&known) => true,
        other => {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
            let rest = other.strip_prefix("aria-").or(other.strip_prefix("data-"));
            rest.is_some_and(|rest| !rest.is_empty() && rest.chars().all(is_plain))
        }
    }
}
