//! Where the elements of a document stand in its bytes.

use std::borrow::Cow;
use std::iter::successors;
use std::ops::Range;

use crate::html::entities::decode_text;
use crate::html::kept_tags::KeptTags;
use crate::html::place;
use crate::html::tag::Tag;
use crate::html::tokens::{self, StartTag};
use crate::html::tree::{Tree, TreeSink};

/// An element, in bytes of the document.
#[derive(Clone, Copy)]
pub(super) struct Element {
    pub(super) name: Tag,
    pub(super) start: usize,
    pub(super) content_start: usize,
    pub(super) content_end: usize,
    pub(super) end: usize,
    /// The element around it, in [`Outline::elements`].
    around: Option<usize>,
}

impl Element {
    /// Its bytes, with its tags.
    pub(super) const fn span(&self) -> Range<usize> {
        self.start..self.end
    }

    /// The bytes between its tags.
    pub(super) const fn content(&self) -> Range<usize> {
        self.content_start..self.content_end
    }
}

/// The elements of a document, in the order in which they begin.
#[derive(Default)]
pub(super) struct Outline<'a> {
    html: &'a str,
    pub(super) elements: Vec<Element>,
    tags: KeptTags<'a>,
    open: Option<usize>,
    /// Where the last tag or text ended.
    at: usize,
}

impl<'a> Outline<'a> {
    pub(super) fn of(html: &'a str) -> Outline<'a> {
        let mut tree = Tree::new(Outline {
            html,
            tags: KeptTags::of(html),
            ..Outline::default()
        });
        tokens::read(html, &mut tree);
        tree.finish()
    }

    /// The elements that begin there or later.
    fn from(&self, offset: usize) -> impl Iterator<Item = &Element> {
        let before = self.elements.partition_point(|own| own.start < offset);
        self.elements.iter().skip(before)
    }

    /// The element whose start tag begins there.
    pub(super) fn at(&self, offset: u32) -> Option<Element> {
        let first = self.from(offset as usize).next().copied();
        first.filter(|own| place(own.start) == offset)
    }

    /// The value of an element's attribute.
    pub(super) fn attribute(&self, element: &Element, name: &str) -> Option<Cow<'a, str>> {
        Some(self.tags.attribute(place(element.start), name)?.value())
    }

    /// The attributes of an element, by their names.
    pub(super) fn attributes(&self, element: &Element) -> Vec<(&'a str, Cow<'a, str>)> {
        let attributes = self.tags.attributes(place(element.start));
        attributes.map(|own| (own.name, own.value())).collect()
    }

    /// An element and those around it, innermost first.
    pub(super) fn with_around(&self, element: Element) -> impl Iterator<Item = Element> {
        successors(Some(element), |own| self.elements.get(own.around?).copied())
    }

    /// The elements around some bytes, innermost first.
    pub(super) fn around(&self, bytes: Range<usize>) -> impl Iterator<Item = Element> {
        let elements = &self.elements;
        let next = elements.partition_point(|own| own.start <= bytes.start);
        let last = next.checked_sub(1).and_then(|last| elements.get(last));
        let around = last.into_iter().flat_map(|last| self.with_around(*last));
        around.filter(move |own| own.content_start <= bytes.start && bytes.end <= own.content_end)
    }

    /// The elements of a name that begin in some bytes.
    pub(super) fn named(&self, bytes: Range<usize>, name: Tag) -> Vec<Element> {
        let within = self.from(bytes.start);
        let within = within.take_while(|own| own.start < bytes.end);
        within.filter(|own| own.name == name).copied().collect()
    }

    /// What a rendered option, or the label behind a rendered choice, shows.
    pub(super) fn text_of_choice(&self, choice: &Element) -> Cow<'a, str> {
        let mut elements = self.from(choice.start);
        let shows = elements.find(|own| matches!(own.name, Tag::Option | Tag::Label));
        // Behind its picture.
        let source = self.source(shows.unwrap_or(choice).content());
        decode_text(source.rsplit_once('>').map_or(source, |(_, text)| text))
    }

    /// Some bytes of the document.
    pub(super) fn source(&self, bytes: Range<usize>) -> &'a str {
        self.html.get(bytes).unwrap_or_default()
    }

    /// A text with its references decoded.
    pub(super) fn shown(&self, text: Range<usize>) -> Cow<'a, str> {
        decode_text(self.source(text))
    }
}

impl<'a> TreeSink<'a> for Outline<'a> {
    type Node = usize;

    fn open(&mut self, tag: &StartTag<'a, '_>) -> Self::Node {
        let index = self.elements.len();
        let around = self.open.replace(index);
        self.at = tag.span.end;
        self.tags.keep(tag);
        self.elements.push(Element {
            name: tag.tag,
            start: tag.span.start,
            content_start: self.at,
            content_end: self.at,
            end: self.at,
            around,
        });
        index
    }

    fn close(&mut self, _tag: Tag, index: usize, end_tag: Option<Range<usize>>) {
        let end = end_tag.unwrap_or(self.at..self.at);
        self.at = self.at.max(end.end);
        if let Some(element) = self.elements.get_mut(index) {
            self.open = element.around;
            element.content_end = end.start.max(element.content_start);
            element.end = end.end.max(element.content_end);
        }
    }

    fn text(&mut self, _raw: &'a str, span: Range<usize>) {
        self.at = span.end;
    }
}
