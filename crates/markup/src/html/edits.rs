//! Changing places of a document and leaving every other byte alone.

use std::ops::Range;

use super::escape;
use super::tokens::{Attribute, StartTag};
use model::ordered;

/// Replacements of a document's bytes.
#[derive(Debug, Default)]
pub(crate) struct Edits {
    list: Vec<(Range<usize>, String)>,
}

impl Edits {
    pub(crate) fn replace(&mut self, span: Range<usize>, text: String) {
        self.list.push((span, text));
    }

    pub(crate) fn insert(&mut self, at: usize, text: String) {
        self.list.push((at..at, text));
    }

    /// The document with the replacements made. Where two overlap, the first one counts.
    pub(crate) fn apply(self, source: &str) -> String {
        self.apply_within(source, 0..source.len())
    }

    /// A part of the document with the replacements in it made; there are no others.
    pub(crate) fn apply_within(mut self, source: &str, part: Range<usize>) -> String {
        ordered::sort_by(&mut self.list, |(one, _), (other, _)| {
            one.start.cmp(&other.start)
        });
        let added: usize = self.list.iter().map(|(_, text)| text.len()).sum();
        let mut out = String::with_capacity(part.len() + added);
        let mut copied = part.start;
        for (span, text) in &self.list {
            if span.start < copied {
                continue;
            }
            out.push_str(source.get(copied..span.start).unwrap_or_default());
            out.push_str(text);
            copied = span.end;
        }
        out.push_str(source.get(copied..part.end).unwrap_or_default());
        out
    }
}

/// A start tag with some attributes set (`Some`) or taken away (`None`); the others stay as they
/// were written.
pub(crate) fn rewritten<'a>(
    source: &str,
    name: &str,
    attributes: impl Iterator<Item = Attribute<'a>>,
    changes: &[(&str, Option<&str>)],
) -> String {
    let mut tag = format!("<{name}");
    for attribute in attributes {
        let is_changed = changes
            .iter()
            .any(|(changed, _)| attribute.name.eq_ignore_ascii_case(changed));
        if !is_changed {
            tag.push(' ');
            // Behind a `=` alone what follows would become the value.
            let written = match attribute.ends_with_equals(source) {
                true => Some(attribute.name),
                false => source.get(attribute.start..attribute.end),
            };
            tag.push_str(written.unwrap_or_default());
        }
    }
    for (name, value) in changes {
        match value {
            Some("") if *name == "value" => tag.push_str(" value=\"\""),
            Some(value) => escape::attribute(&mut tag, name, value),
            None => {}
        }
    }
    tag.push('>');
    tag
}

/// A start tag kept beyond its visit.
#[derive(Clone, Debug)]
pub(crate) struct KeptTag<'a> {
    pub(crate) name: &'a str,
    pub(crate) attributes: Vec<Attribute<'a>>,
    pub(crate) span: Range<usize>,
}

impl<'a> KeptTag<'a> {
    pub(crate) fn of(tag: &StartTag<'a, '_>) -> KeptTag<'a> {
        KeptTag {
            name: tag.name,
            attributes: tag.attributes.iter().collect(),
            span: tag.span.clone(),
        }
    }
}
