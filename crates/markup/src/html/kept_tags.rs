//! The attributes of tags that are kept beyond their visit.

use super::place;
use super::tokens::{Attribute, StartTag};

/// An attribute in twelve bytes of its document: there may be many of them.
#[derive(Debug)]
struct Kept {
    name: u32,
    value: u32,
    /// The length of the value, and above that of the name.
    lengths: u32,
}

impl Kept {
    const fn name_length(&self) -> usize {
        (self.lengths >> VALUE_BITS) as usize
    }

    fn read<'a>(&self, html: &'a str) -> Attribute<'a> {
        let slice = |start: u32, length: usize| {
            let start = start as usize;
            html.get(start..start + length).unwrap_or_default()
        };
        let value_length = self.lengths & ((1 << VALUE_BITS) - 1);
        Attribute {
            name: slice(self.name, self.name_length()),
            raw_value: slice(self.value, value_length as usize),
            value_start: self.value as usize,
            start: self.name as usize,
        }
    }
}

/// How many bits tell the length of a value; see `MAX_MARKUP_BYTES`.
const VALUE_BITS: u32 = 24;

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
        for attribute in tag.attributes {
            // No attribute that counts has so long a name.
            let (Ok(name), Ok(value)) = (
                u8::try_from(attribute.name.len()),
                u32::try_from(attribute.raw_value.len()),
            ) else {
                continue;
            };
            self.attributes.push(Kept {
                name: place(attribute.start),
                value: place(attribute.value_start),
                lengths: u32::from(name) << VALUE_BITS | value,
            });
        }
    }

    /// All attributes of the kept tag that begins at an offset.
    pub(crate) fn attributes(&self, offset: u32) -> impl Iterator<Item = Attribute<'a>> {
        let html = self.html;
        self.of_tag(offset).iter().map(move |kept| kept.read(html))
    }

    fn of_tag(&self, offset: u32) -> &[Kept] {
        let found = self.tags.binary_search_by_key(&offset, |(at, _)| *at);
        let start = found.ok().and_then(|found| self.tags.get(found));
        let end = found.ok().and_then(|found| self.tags.get(found + 1));
        let end = end.map_or(self.attributes.len(), |(_, end)| *end as usize);
        let own = start.and_then(|(_, start)| self.attributes.get(*start as usize..end));
        own.unwrap_or_default()
    }

    /// The first attribute of that lower-case name of the kept tag that begins at an offset.
    pub(crate) fn attribute(&self, offset: u32, name: &str) -> Option<Attribute<'a>> {
        let own = self.of_tag(offset).iter();
        let mut attributes = own
            .filter(|kept| kept.name_length() == name.len())
            .map(|kept| kept.read(self.html));
        attributes.find(|attribute| attribute.is(name))
    }
}
