//! The attributes of start tags, as they are written: of a tag that is read, and of those that are kept.

use std::borrow::Cow;
use std::ops::Range;

use super::entities::decode_attribute;
use super::place;
use super::tokens::StartTag;

/// An attribute: the name in its own case, the value with its references.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attribute<'a> {
    pub(crate) name: &'a str,
    pub(crate) raw_value: &'a str,
    /// Where the value begins; 0 where there is none.
    pub(crate) value_start: usize,
    /// Where the name begins, in bytes from the start of the document.
    pub(crate) start: usize,
}

impl<'a> Attribute<'a> {
    /// The name in lower case.
    pub(crate) fn lower_name(&self) -> Cow<'a, str> {
        if self.name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(self.name.to_ascii_lowercase())
        } else {
            Cow::Borrowed(self.name)
        }
    }

    /// The value with its references decoded.
    pub(crate) fn value(&self) -> Cow<'a, str> {
        decode_attribute(self.raw_value)
    }
}

/// Where the name and the value of an attribute stand in the document: there may be many of them.
#[derive(Clone, Debug)]
pub(crate) struct AttributePlace {
    pub(crate) name: Range<u32>,
    pub(crate) value: Range<u32>,
}

/// The attributes of a start tag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attributes<'a, 't> {
    pub(crate) html: &'a str,
    pub(crate) places: &'t [AttributePlace],
}

impl<'a> Attributes<'a, '_> {
    pub(crate) fn iter(self) -> impl Iterator<Item = Attribute<'a>> {
        self.places.iter().map(move |place| self.at(place))
    }

    /// The first attribute of that lower-case name; the standard ignores further ones.
    pub(crate) fn get(self, name: &str) -> Option<Attribute<'a>> {
        let is_own = |place: &&AttributePlace| {
            place.name.len() == name.len() && self.slice(&place.name).eq_ignore_ascii_case(name)
        };
        self.places.iter().find(is_own).map(|place| self.at(place))
    }

    fn at(self, place: &AttributePlace) -> Attribute<'a> {
        Attribute {
            name: self.slice(&place.name),
            raw_value: self.slice(&place.value),
            value_start: place.value.start as usize,
            start: place.name.start as usize,
        }
    }

    fn slice(self, span: &Range<u32>) -> &'a str {
        let bytes = span.start as usize..span.end as usize;
        self.html.get(bytes).unwrap_or_default()
    }
}

/// The attributes of a document's start tags that are kept beyond their visit.
#[derive(Debug, Default)]
pub(crate) struct KeptTags<'a> {
    html: &'a str,
    /// Where those of each tag begin.
    starts: Vec<u32>,
    places: Vec<AttributePlace>,
}

impl<'a> KeptTags<'a> {
    pub(crate) fn of(html: &'a str) -> KeptTags<'a> {
        KeptTags {
            html,
            ..KeptTags::default()
        }
    }

    /// Keeps the attributes of a tag, and gives the number by which they are asked for.
    pub(crate) fn keep(&mut self, tag: &StartTag<'a, '_>) -> u32 {
        self.starts.push(place(self.places.len()));
        self.places.extend_from_slice(tag.attributes.places);
        place(self.starts.len() - 1)
    }

    /// The attributes of a kept tag.
    pub(crate) fn attributes(&self, tag: u32) -> Attributes<'a, '_> {
        let start = |tag: usize| self.starts.get(tag).map(|start| *start as usize);
        let own = start(tag as usize).unwrap_or(self.places.len());
        let end = start(tag as usize + 1).unwrap_or(self.places.len());
        Attributes {
            html: self.html,
            places: self.places.get(own..end).unwrap_or_default(),
        }
    }
}
