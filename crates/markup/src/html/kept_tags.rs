//! Reading tags again.

use std::borrow::Cow;
use std::cell::RefCell;

use super::attributes::{Attribute, Attributes, Room, read, read_one, tag_name};

/// Reads the attributes of tags again, of which nothing but the place was kept: that takes no
/// memory for each attribute of a document, and little time, since one who asks for an attribute
/// of a tag mostly asks for others of it.
#[derive(Debug)]
pub(crate) struct KeptTags<'a> {
    html: &'a str,
    last: RefCell<LastTag<'a>>,
}

/// The tag that was read last.
#[derive(Debug)]
struct LastTag<'a> {
    open: Option<u32>,
    attributes: Room<'a>,
}

impl<'a> KeptTags<'a> {
    pub(crate) fn of(html: &'a str) -> KeptTags<'a> {
        KeptTags {
            html,
            last: RefCell::new(LastTag {
                open: None,
                attributes: Room::default(),
            }),
        }
    }

    /// The length of the document.
    pub(crate) const fn length(&self) -> usize {
        self.html.len()
    }

    /// The attribute of that lower-case name of the start tag at an offset.
    pub(crate) fn attribute(&self, open: u32, name: &str) -> Option<Attribute<'a>> {
        let mut last = self.last.borrow_mut();
        last.go_to(self.html, open);
        last.attributes.attributes(self.html).find(name)
    }

    /// All attributes of the start tag at an offset.
    pub(crate) fn attributes(&mut self, open: u32) -> Attributes<'a, '_> {
        let last = self.last.get_mut();
        last.go_to(self.html, open);
        last.attributes.attributes(self.html)
    }

    /// The value as written of the attribute that begins at an offset.
    pub(crate) fn written_at(&self, start: u32) -> Cow<'a, str> {
        let attribute = self.attribute_at(start);
        Cow::Borrowed(attribute.map_or("", |attribute| attribute.raw_value))
    }

    /// The attribute that begins at an offset.
    pub(crate) fn attribute_at(&self, start: u32) -> Option<Attribute<'a>> {
        read_one(self.html, start as usize).map(|(attribute, _)| attribute)
    }
}

impl<'a> LastTag<'a> {
    fn go_to(&mut self, html: &'a str, open: u32) {
        if self.open == Some(open) {
            return;
        }
        self.open = Some(open);
        self.attributes.clear();
        let name = open as usize + 1;
        if let Some(length) = tag_name(html, name).map(str::len) {
            read(html, name + length, &mut self.attributes);
        }
    }
}
