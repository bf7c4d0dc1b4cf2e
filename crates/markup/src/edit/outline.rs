//! Where the elements of a document stand in its bytes.

use std::borrow::Cow;
use std::ops::Range;

use crate::html::entities::decode_text;
use crate::html::kept_tags::KeptTags;
use crate::html::tag::Tag;
use crate::html::tokens::{self, StartTag};
use crate::html::tree::{Tree, TreeSink};

/// An element, in bytes of the document.
pub(super) struct Element {
    pub(super) tag: Range<usize>,
    /// Where what is between its tags ends.
    content_end: usize,
    end: usize,
    /// The element around it, in [`Outline::elements`].
    around: Option<usize>,
    name: Tag,
}

/// The elements and texts of a document, in the order in which they begin.
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
            elements: Vec::new(),
            texts: Vec::new(),
            tags: KeptTags::of(html),
            open: None,
            at: 0,
        });
        tokens::read(html, &mut tree);
        tree.finish()
    }

    /// The element whose start tag begins there.
    pub(super) fn at(&self, offset: usize) -> Option<usize> {
        let elements = &self.elements;
        elements.binary_search_by_key(&offset, |e| e.tag.start).ok()
    }

    pub(super) fn name(&self, element: usize) -> Option<Tag> {
        self.elements.get(element).map(|e| e.name)
    }

    /// The bytes of an element, with its tags.
    pub(super) fn span(&self, element: usize) -> Range<usize> {
        let element = self.elements.get(element);
        element.map_or(0..0, |e| e.tag.start..e.end)
    }

    /// The bytes between the tags of an element.
    pub(super) fn content(&self, element: usize) -> Range<usize> {
        let element = self.elements.get(element);
        element.map_or(0..0, |e| e.tag.end..e.content_end)
    }

    /// The value of an element's attribute.
    pub(super) fn attribute(&self, element: usize, name: &str) -> Option<Cow<'a, str>> {
        let offset = u32::try_from(self.elements.get(element)?.tag.start).ok()?;
        Some(self.tags.attribute(offset, name)?.value())
    }

    /// The attributes of an element, by their names.
    pub(super) fn attributes(&self, element: usize) -> Vec<(&'a str, Cow<'a, str>)> {
        let offset = u32::try_from(self.span(element).start).unwrap_or(u32::MAX);
        let attributes = self.tags.attributes(offset);
        attributes.map(|a| (a.name, a.value())).collect()
    }

    /// The elements around some bytes, innermost first.
    pub(super) fn around(&self, bytes: Range<usize>) -> impl Iterator<Item = usize> {
        let next = self
            .elements
            .partition_point(|e| e.tag.start <= bytes.start);
        let parent = |index: &usize| self.elements.get(*index)?.around;
        std::iter::successors(next.checked_sub(1), parent).filter(move |index| {
            let content = self.content(*index);
            content.start <= bytes.start && bytes.end <= content.end
        })
    }

    /// All elements.
    pub(super) fn all(&self) -> Range<usize> {
        0..self.elements.len()
    }

    /// The elements of a name that begin in some bytes.
    pub(super) fn named(&self, bytes: Range<usize>, name: Tag) -> Vec<usize> {
        let is_one = |index: &usize| {
            let element = self.elements.get(*index);
            element.is_some_and(|e| e.name == name && bytes.contains(&e.tag.start))
        };
        self.all().filter(is_one).collect()
    }

    /// The texts that stand in some bytes, but for white space.
    pub(super) fn texts_in(&self, bytes: &Range<usize>) -> Vec<Range<usize>> {
        let first = self.texts.partition_point(|text| text.start < bytes.start);
        let texts = self.texts.iter().skip(first);
        let texts = texts.take_while(|text| text.end <= bytes.end).cloned();
        let texts = texts.filter(|text| !self.shown(text).trim().is_empty());
        texts.collect()
    }

    /// What a rendered option, or the label around a rendered choice, shows.
    pub(super) fn text_of_choice(&self, choice: usize) -> String {
        let label = self.elements.get(choice).and_then(|choice| choice.around);
        let is_option = self.name(choice) == Some(Tag::Option);
        let holder = label.filter(|_| !is_option).unwrap_or(choice);
        let texts = self.texts_in(&self.content(holder));
        texts.iter().map(|text| self.shown(text)).collect()
    }

    /// Some bytes of the document.
    pub(super) fn source(&self, bytes: &Range<usize>) -> &'a str {
        self.html.get(bytes.clone()).unwrap_or_default()
    }

    /// A text with its references decoded.
    pub(super) fn shown(&self, text: &Range<usize>) -> Cow<'a, str> {
        decode_text(self.source(text))
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
            tag: tag.span.clone(),
            content_end: self.at,
            end: self.at,
            around,
            name: tag.tag,
        });
        (index, around)
    }

    fn close(&mut self, _tag: Tag, (index, around): Self::Node, end_tag: Option<Range<usize>>) {
        self.open = around;
        let end = end_tag.unwrap_or(self.at..self.at);
        self.at = self.at.max(end.end);
        if let Some(element) = self.elements.get_mut(index) {
            element.content_end = end.start.max(element.tag.end);
            element.end = end.end.max(element.content_end);
        }
    }

    fn text(&mut self, _raw: &'a str, span: Range<usize>) {
        self.at = span.end;
        self.texts.push(span);
    }
}
