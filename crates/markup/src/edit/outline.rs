//! Lists the elements of a document with their byte ranges.

use std::borrow::Cow;
use std::iter::successors;
use std::ops::Range;

use crate::html::attributes::{Attributes, KeptTags};
use crate::html::tag::Tag;
use crate::html::tokens::StartTag;
use crate::html::tree::{self, TreeSink};

/// An element, with byte ranges in the document.
#[derive(Clone)]
pub(crate) struct Element {
    pub(crate) tag: Tag,
    /// The bytes of the element, tags included.
    pub(crate) span: Range<usize>,
    /// The bytes between the tags.
    pub(crate) content: Range<usize>,
    /// The index of the start tag's attributes in [`Outline::tags`].
    attributes: u32,
    /// The index of the parent element in [`Outline::elements`].
    around: Option<usize>,
}

/// The elements of a document, in source order.
#[derive(Default)]
pub(crate) struct Outline<'a> {
    pub(crate) html: &'a str,
    pub(crate) elements: Vec<Element>,
    tags: KeptTags<'a>,
    /// The index of the innermost open element in [`Outline::elements`].
    open: Option<usize>,
    /// The end of the last tag or text.
    at: usize,
}

impl<'a> Outline<'a> {
    pub(crate) fn of(html: &'a str) -> Outline<'a> {
        let mut outline = Outline {
            html,
            tags: KeptTags::of(html),
            ..Outline::default()
        };
        tree::read(html, &mut outline);
        outline
    }

    /// The elements that begin in a range of bytes.
    pub(crate) fn within(&self, bytes: Range<usize>) -> &[Element] {
        let elements = &self.elements;
        let place = |offset| elements.partition_point(|known| known.span.start < offset);
        let within = elements.get(place(bytes.start)..place(bytes.end));
        within.unwrap_or_default()
    }

    /// The elements of a tag that begin in a range of bytes.
    pub(crate) fn named(&self, bytes: Range<usize>, tag: Tag) -> Vec<Element> {
        let within = self.within(bytes).iter();
        within.filter(|known| known.tag == tag).cloned().collect()
    }

    /// The element whose start tag begins at an offset.
    pub(crate) fn at(&self, offset: u32) -> Option<Element> {
        let start = offset as usize;
        self.within(start..start + 1).first().cloned()
    }

    pub(crate) fn attributes(&self, element: &Element) -> Attributes<'a, '_> {
        self.tags.attributes(element.attributes)
    }

    /// The value of an element's attribute.
    pub(crate) fn attribute(&self, element: &Element, name: &str) -> Option<Cow<'a, str>> {
        Some(self.attributes(element).get(name)?.value())
    }

    /// An element and its ancestors, innermost first.
    pub(crate) fn with_around<'o>(
        &'o self,
        element: &'o Element,
    ) -> impl Iterator<Item = &'o Element> {
        successors(Some(element), |element| self.elements.get(element.around?))
    }

    /// The elements around a range of bytes, innermost first.
    pub(crate) fn around(&self, bytes: Range<usize>) -> impl Iterator<Item = &Element> {
        let last = self.within(0..bytes.start + 1).last();
        let around = last.into_iter().flat_map(|last| self.with_around(last));
        let holds = move |all: &Range<usize>| all.start <= bytes.start && bytes.end <= all.end;
        around.filter(move |element| holds(&element.content))
    }

    /// The HTML of a range of bytes.
    pub(crate) fn source(&self, bytes: &Range<usize>) -> &'a str {
        self.html.get(bytes.clone()).unwrap_or_default()
    }
}

impl<'a> TreeSink<'a> for Outline<'a> {
    fn open(&mut self, tag: &StartTag<'a, '_>) {
        let index = self.elements.len();
        self.at = tag.span.end;
        self.elements.push(Element {
            tag: tag.tag,
            span: tag.span.clone(),
            content: self.at..self.at,
            attributes: self.tags.keep(tag),
            around: self.open.replace(index),
        });
    }

    fn close(&mut self, _tag: Tag, end_tag: Option<Range<usize>>) {
        let end = end_tag.unwrap_or(self.at..self.at);
        self.at = self.at.max(end.end);
        let innermost = self.open.and_then(|open| self.elements.get_mut(open));
        if let Some(element) = innermost {
            self.open = element.around;
            element.content.end = end.start.max(element.content.start);
            element.span.end = end.end.max(element.content.end);
        }
    }

    fn text(&mut self, _raw: &'a str, span: Range<usize>) {
        self.at = span.end;
    }
}
