//! The attributes of tags that are kept beyond their visit.

use std::ops::Range;

use super::place;
use super::tokens::{Attribute, StartTag};

/// An attribute by its places in the document: there may be many of them.
#[derive(Debug)]
struct Kept {
    name: Range<u32>,
    value: Range<u32>,
}

impl Kept {
    fn read<'a>(&self, html: &'a str) -> Attribute<'a> {
        let slice = |span: &Range<u32>| html.get(span.start as usize..span.end as usize);
        Attribute {
            name: slice(&self.name).unwrap_or_default(),
            raw_value: slice(&self.value).unwrap_or_default(),
            value_start: self.value.start as usize,
            start: self.name.start as usize,
        }
    }
}

/// The start tags of a document that were kept, by where they begin.
#[derive(Debug, Default)]
pub(crate) struct KeptTags<'a> {
    html: &'a str,
    /// Where each tag begins, and its first attribute.
    tags: Vec<(u32, u32)>,
    attributes: Vec<Kept>,
}

impl<'a> KeptTags<'a> {
    pub(crate) const fn of(html: &'a str) -> KeptTags<'a> {
        KeptTags {
            html,
            tags: Vec::new(),
            attributes: Vec::new(),
        }
    }

    /// Keeps a tag, which stands behind all that are kept.
    pub(crate) fn keep(&mut self, tag: &StartTag<'a, '_>) {
        let offset = place(tag.span.start);
        if self.tags.last().is_some_and(|(last, _)| *last >= offset) {
            return;
        }
        self.tags.push((offset, place(self.attributes.len())));
        let span = |start: usize, text: &str| place(start)..place(start + text.len());
        self.attributes
            .extend(tag.attributes.iter().map(|own| Kept {
                name: span(own.start, own.name),
                value: span(own.value_start, own.raw_value),
            }));
    }

    /// All attributes of the kept tag that begins at an offset.
    pub(crate) fn attributes(&self, offset: u32) -> impl Iterator<Item = Attribute<'a>> {
        let found = self.tags.binary_search_by_key(&offset, |(at, _)| *at);
        let found = found.unwrap_or(self.tags.len());
        let start = |tag: usize| self.tags.get(tag).map(|(_, start)| *start as usize);
        let end = start(found + 1).unwrap_or(self.attributes.len());
        let own = start(found).and_then(|start| self.attributes.get(start..end));
        let html = self.html;
        own.unwrap_or_default()
            .iter()
            .map(move |kept| kept.read(html))
    }

    /// The first attribute of that lower-case name of the kept tag that begins at an offset.
    pub(crate) fn attribute(&self, offset: u32, name: &str) -> Option<Attribute<'a>> {
        self.attributes(offset).find(|attribute| attribute.is(name))
    }
}
