//! Where the elements of a document stand in its bytes.

use std::borrow::Cow;
use std::ops::Range;

use crate::markup::html::entities::decode_text;
use crate::markup::html::kept_tags::KeptTags;
use crate::markup::html::tag::Tag;
use crate::markup::html::tokens::{self, StartTag};
use crate::markup::html::tree::{Tree, TreeSink};

/// An element, in bytes of the document.
#[derive(Clone, Debug)]
pub(super) struct Element {
    /// Its start tag.
    pub(super) tag: Range<usize>,
    /// What is between its tags.
    pub(super) content: Range<usize>,
    pub(super) end: usize,
    /// The element around it, in [`Outline::elements`].
    pub(super) around: Option<usize>,
    pub(super) name: Tag,
}

impl Element {
    /// The bytes of the element, with its tags.
    pub(super) const fn span(&self) -> Range<usize> {
        self.tag.start..self.end
    }
}

/// The elements and texts of a document, in the order in which they begin.
pub(super) struct Outline<'a> {
    html: &'a str,
    pub(super) elements: Vec<Element>,
    pub(super) texts: Vec<Range<usize>>,
    tags: KeptTags<'a>,
    /// Where the last form ends, before its end tag.
    pub(super) form_end: Option<usize>,
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
            form_end: None,
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

    /// The value of an element's attribute.
    pub(super) fn attribute(&self, element: usize, name: &str) -> Option<Cow<'a, str>> {
        let offset = u32::try_from(self.elements.get(element)?.tag.start).ok()?;
        Some(self.tags.attribute(offset, name)?.value())
    }

    /// The attributes of an element, by their names.
    pub(super) fn attributes(&self, element: usize) -> Vec<(&'a str, Cow<'a, str>)> {
        let offset = self.elements.get(element).map_or(0, |e| e.tag.start);
        let attributes = self.tags.attributes(u32::try_from(offset).unwrap_or(u32::MAX));
        attributes.map(|a| (a.name, a.value())).collect()
    }

    /// The elements around some bytes, innermost first.
    pub(super) fn around(&self, bytes: Range<usize>) -> impl Iterator<Item = usize> {
        let next = self.elements.partition_point(|e| e.tag.start <= bytes.start);
        let mut outer = next.checked_sub(1);
        std::iter::from_fn(move || {
            let index = outer?;
            outer = self.elements.get(index)?.around;
            Some(index)
        })
        .filter(move |index| {
            let element = self.elements.get(*index);
            element.is_some_and(|e| e.tag.end <= bytes.start && bytes.end <= e.content.end)
        })
    }

    /// The elements that begin in some bytes.
    pub(super) fn within(&self, bytes: &Range<usize>) -> Range<usize> {
        let before = |end: usize| self.elements.partition_point(|e| e.tag.start < end);
        before(bytes.start)..before(bytes.end)
    }

    /// The options of a select.
    pub(super) fn options_of(&self, select: usize) -> Vec<usize> {
        let content = self.elements.get(select).map_or(0..0, |e| e.content.clone());
        let is_option = |index: &usize| self.is(*index, Tag::Option);
        self.within(&content).filter(is_option).collect()
    }

    pub(super) fn is(&self, element: usize, name: Tag) -> bool {
        self.elements.get(element).is_some_and(|e| e.name == name)
    }

    /// The texts that stand in some bytes, but for white space.
    pub(super) fn texts_in(&self, bytes: &Range<usize>) -> Vec<Range<usize>> {
        let first = self.texts.partition_point(|text| text.start < bytes.start);
        let texts = self.texts.iter().skip(first);
        texts
            .take_while(|text| text.end <= bytes.end)
            .filter(|text| !self.shown(text).trim().is_empty())
            .cloned()
            .collect()
    }

    /// Some bytes of the document.
    pub(super) fn source(&self, bytes: &Range<usize>) -> &'a str {
        self.html.get(bytes.clone()).unwrap_or_default()
    }

    /// A text as a browser shows it.
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
            content: self.at..self.at,
            end: self.at,
            around,
            name: tag.tag,
        });
        (index, around)
    }

    fn close(&mut self, tag: Tag, (index, around): Self::Node, end_tag: Option<Range<usize>>) {
        self.open = around;
        let end = end_tag.unwrap_or(self.at..self.at);
        self.at = self.at.max(end.end);
        if tag == Tag::Form {
            self.form_end = Some(end.start);
        }
        if let Some(element) = self.elements.get_mut(index) {
            element.content.end = end.start.max(element.content.start);
            element.end = end.end.max(element.content.end);
        }
    }

    fn text(&mut self, _raw: &'a str, span: Range<usize>) {
        self.at = span.end;
        self.texts.push(span);
    }
}
