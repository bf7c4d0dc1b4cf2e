//! The attributes of tags that are kept beyond their visit.

use super::tokens::{Attribute, StartTag, find};

/// The start tags of a document that were kept, by where they begin.
#[derive(Debug, Default)]
pub(crate) struct KeptTags<'a> {
    /// Where each tag begins, and its first attribute.
    tags: Vec<(u32, usize)>,
    attributes: Vec<Attribute<'a>>,
}

impl<'a> KeptTags<'a> {
    /// Keeps a tag, which stands behind all that are kept.
    pub(crate) fn keep(&mut self, tag: &StartTag<'a, '_>) {
        // No document is too long for it, see `MAX_MARKUP_BYTES`.
        let offset = u32::try_from(tag.span.start).unwrap_or(u32::MAX);
        if self.tags.last().is_none_or(|(last, _)| *last < offset) {
            self.tags.push((offset, self.attributes.len()));
            self.attributes.extend_from_slice(tag.attributes);
        }
    }

    /// All attributes of the kept tag that begins at an offset.
    pub(crate) fn attributes(&self, offset: u32) -> &[Attribute<'a>] {
        let Ok(found) = self.tags.binary_search_by_key(&offset, |(at, _)| *at) else {
            return &[];
        };
        let start = self.tags.get(found).map_or(0, |(_, start)| *start);
        let end = self.tags.get(found + 1);
        let end = end.map_or(self.attributes.len(), |(_, end)| *end);
        self.attributes.get(start..end).unwrap_or_default()
    }

    /// The first attribute of that lower-case name of the kept tag that begins at an offset.
    pub(crate) fn attribute(&self, offset: u32, name: &str) -> Option<Attribute<'a>> {
        find(self.attributes(offset), name)
    }
}
