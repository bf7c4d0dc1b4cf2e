//! Where the elements of a document stand in its bytes.

use std::borrow::Cow;
use std::ops::Range;

use crate::html::entities::decode_text;
use crate::html::kept_tags::KeptTags;
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

/// The elements and texts of a document, in the order in which they begin.
#[derive(Default)]
pub(super) struct Outline<'a> {
    html: &'a str,
    pub(super) elements: Vec<Element>,
    texts: Vec<Range<usize>>,
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

    /// The element whose start tag begins there.
    pub(super) fn at(&self, offset: u32) -> Option<Element> {
        let elements = &self.elements;
        let found = elements.binary_search_by_key(&(offset as usize), |own| own.start);
        elements.get(found.ok()?).copied()
    }

    /// The value of an element's attribute.
    pub(super) fn attribute(&self, element: &Element, name: &str) -> Option<Cow<'a, str>> {
        let offset = u32::try_from(element.start).ok()?;
        Some(self.tags.attribute(offset, name)?.value())
    }

    /// The attributes of an element, by their names.
    pub(super) fn attributes(&self, element: &Element) -> Vec<(&'a str, Cow<'a, str>)> {
        let offset = u32::try_from(element.start).unwrap_or(u32::MAX);
        let attributes = self.tags.attributes(offset);
        attributes.map(|a| (a.name, a.value())).collect()
    }

    /// The elements around some bytes, innermost first.
    pub(super) fn around(&self, bytes: Range<usize>) -> Vec<Element> {
        let elements = &self.elements;
        let next = elements.partition_point(|own| own.start <= bytes.start);
        let mut around = Vec::new();
        let mut at = next.checked_sub(1);
        while let Some(own) = at.and_then(|at| elements.get(at)) {
            if own.content_start <= bytes.start && bytes.end <= own.content_end {
                around.push(*own);
            }
            at = own.around;
        }
        around
    }

    /// The elements of a name that begin in some bytes.
    pub(super) fn named(&self, bytes: Range<usize>, name: Tag) -> Vec<Element> {
        let is_one = |own: &&Element| own.name == name && bytes.contains(&own.start);
        self.elements.iter().filter(is_one).copied().collect()
    }

    /// The texts that stand in some bytes, but for white space.
    pub(super) fn texts_in(&self, bytes: Range<usize>) -> Vec<Range<usize>> {
        let first = self.texts.partition_point(|text| text.start < bytes.start);
        let texts = self.texts.iter().skip(first);
        let texts = texts.take_while(|text| text.end <= bytes.end).cloned();
        let texts = texts.filter(|text| !self.shown(text).trim().is_empty());
        texts.collect()
    }

    /// What a rendered option, or the label behind a rendered choice, shows.
    pub(super) fn text_of_choice(&self, choice: &Element) -> String {
        let around = choice.around.and_then(|around| self.elements.get(around));
        let label = around.filter(|_| choice.name != Tag::Option);
        let texts = self.texts_in(label.unwrap_or(choice).content());
        texts.iter().map(|text| self.shown(text)).collect()
    }

    /// Some bytes of the document.
    pub(super) fn source(&self, bytes: Range<usize>) -> &'a str {
        self.html.get(bytes).unwrap_or_default()
    }

    /// A text with its references decoded.
    pub(super) fn shown(&self, text: &Range<usize>) -> Cow<'a, str> {
        decode_text(self.source(text.clone()))
    }
}

impl<'a> TreeSink<'a> for Outline<'a> {
    /// The element, and the one around.
    type Node = (usize, Option<usize>);

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
        (index, around)
    }

    fn close(&mut self, _tag: Tag, (index, around): Self::Node, end_tag: Option<Range<usize>>) {
        self.open = around;
        let end = end_tag.unwrap_or(self.at..self.at);
        self.at = self.at.max(end.end);
        if let Some(element) = self.elements.get_mut(index) {
            element.content_end = end.start.max(element.content_start);
            element.end = end.end.max(element.content_end);
        }
    }

    fn text(&mut self, _raw: &'a str, span: Range<usize>) {
        self.at = span.end;
        self.texts.push(span);
    }
}
