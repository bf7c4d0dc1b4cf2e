//! The attributes of start tags, as written: of the current tag, and of tags that are kept for later.

use std::borrow::Cow;

use super::entities::decode_attribute;
use super::place;
use super::tokens::StartTag;

/// The positions of an attribute's name and value. Offsets keep the size small, because a document may have many
/// attributes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AttributePlace {
    pub(crate) name: (u32, u32),
    pub(crate) value: (u32, u32),
}

/// An attribute of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attribute<'a> {
    html: &'a str,
    pub(crate) place: AttributePlace,
}

impl<'a> Attribute<'a> {
    /// The name as written.
    pub(crate) fn name(&self) -> &'a str {
        self.slice(self.place.name)
    }

    /// The value as written, with its character references; empty for an attribute without a value.
    pub(crate) fn raw_value(&self) -> &'a str {
        self.slice(self.place.value)
    }

    /// The name in lower case.
    pub(crate) fn lower_name(&self) -> Cow<'a, str> {
        let name = self.name();
        if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(name.to_ascii_lowercase())
        } else {
            Cow::Borrowed(name)
        }
    }

    /// The value with its character references decoded.
    pub(crate) fn value(&self) -> Cow<'a, str> {
        decode_attribute(self.raw_value())
    }

    fn slice(&self, (start, end): (u32, u32)) -> &'a str {
        self.html
            .get(start as usize..end as usize)
            .unwrap_or_default()
    }
}

/// The attributes of a start tag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attributes<'a, 't> {
    pub(crate) html: &'a str,
    pub(crate) places: &'t [AttributePlace],
}

impl<'a> Attributes<'a, '_> {
    pub(crate) fn iter(self) -> impl Iterator<Item = Attribute<'a>> {
        let html = self.html;
        self.places.iter().map(move |place| Attribute {
            html,
            place: *place,
        })
    }

    /// The first attribute with this lower-case name; the standard ignores later ones.
    pub(crate) fn get(self, name: &str) -> Option<Attribute<'a>> {
        self.iter().find(|attribute| {
            let (start, end) = attribute.place.name;
            (end - start) as usize == name.len() && attribute.name().eq_ignore_ascii_case(name)
        })
    }
}

/// The attributes of start tags that are needed after the tags were read.
#[derive(Debug, Default)]
pub(crate) struct KeptTags<'a> {
    html: &'a str,
    /// The index of each tag's first attribute.
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

    /// Keeps the attributes of a tag, and returns its index for [`KeptTags::attributes`].
    pub(crate) fn keep(&mut self, tag: &StartTag<'a, '_>) -> u32 {
        self.starts.push(place(self.places.len()));
        self.places.extend_from_slice(tag.attributes.places);
        place(self.starts.len() - 1)
    }

    /// The attributes of a kept tag.
    pub(crate) fn attributes(&self, tag: u32) -> Attributes<'a, '_> {
        let start = |tag: usize| self.starts.get(tag).map(|start| *start as usize);
        let first = start(tag as usize).unwrap_or(self.places.len());
        let end = start(tag as usize + 1).unwrap_or(self.places.len());
        Attributes {
            html: self.html,
            places: self.places.get(first..end).unwrap_or_default(),
        }
    }
}
