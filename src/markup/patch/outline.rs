//! Where the elements of a document stand in its bytes.

use std::borrow::Cow;
use std::ops::Range;

use crate::markup::html::edits::KeptTag;
use crate::markup::html::entities::decode_text;
use crate::markup::html::tag::Tag;
use crate::markup::html::text::collapse;
use crate::markup::html::tokens::{self, StartTag, TokenSink, find};
use crate::markup::html::tree::{Tree, TreeSink};

/// An element. Its attributes are read again when they are asked for.
#[derive(Debug)]
pub(super) struct Element {
    pub(super) name: Tag,
    /// Where its start tag ends.
    tag_end: usize,
    /// The bytes of the element, with its tags.
    pub(super) span: Range<usize>,
    /// Where what is between its tags ends.
    content_end: usize,
    /// The element around it, in [`Outline::elements`].
    pub(super) around: Option<u32>,
}

impl Element {
    /// The bytes between its tags.
    pub(super) const fn content(&self) -> Range<usize> {
        self.tag_end..self.content_end
    }

    /// Whether it lies around those bytes.
    pub(super) const fn holds(&self, bytes: &Range<usize>) -> bool {
        self.span.start <= bytes.start && bytes.end <= self.span.end
    }
}

/// The elements and texts of a document, in the order in which they begin.
pub(super) struct Outline<'a> {
    pub(super) html: &'a str,
    pub(super) elements: Vec<Element>,
    texts: Vec<Range<usize>>,
    /// Where the last form ends, before its end tag.
    pub(super) form_end: Option<usize>,
    /// The innermost open element.
    open: Option<u32>,
    /// Where the last tag or text ended.
    at: usize,
}

impl<'a> Outline<'a> {
    pub(super) fn of(html: &'a str) -> Outline<'a> {
        let mut tree = Tree::new(Outline {
            html,
            elements: Vec::new(),
            texts: Vec::new(),
            form_end: None,
            open: None,
            at: 0,
        });
        tokens::read(html, &mut tree);
        tree.finish()
    }

    /// The control or button whose start tag begins there.
    pub(super) fn control_at(&self, offset: usize) -> Option<usize> {
        let place = self.at(offset)?;
        let is_control = matches!(
            self.elements.get(place)?.name,
            Tag::Input | Tag::Select | Tag::Textarea | Tag::Button
        );
        is_control.then_some(place)
    }

    /// The element whose start tag begins there.
    pub(super) fn at(&self, offset: usize) -> Option<usize> {
        let place = self.at_or_behind(offset);
        let element = self.elements.get(place)?;
        (element.span.start == offset).then_some(place)
    }

    /// The first element whose start tag begins there or behind.
    pub(super) fn at_or_behind(&self, offset: usize) -> usize {
        self.elements.partition_point(|e| e.span.start < offset)
    }

    /// Whether some elements lie in each other as some of another document do.
    pub(super) fn is_same_tree(
        &self,
        own: &[usize],
        other: &Outline<'_>,
        others: &[usize],
    ) -> bool {
        let around = |outline: &Outline<'_>, among: &[usize], index: usize| {
            let element = outline.elements.get(index)?;
            let around = element.around.map(|around| around as usize);
            let around = around.and_then(|around| among.binary_search(&around).ok());
            Some((element.name, around))
        };
        own.len() == others.len()
            && own
                .iter()
                .zip(others)
                .all(|(index, of)| around(self, own, *index) == around(other, others, *of))
    }

    /// The elements around those bytes, innermost first.
    pub(super) fn around(&self, bytes: &Range<usize>) -> impl Iterator<Item = usize> {
        let next = self
            .elements
            .partition_point(|e| e.span.start <= bytes.start);
        let mut outer = next.checked_sub(1);
        std::iter::from_fn(move || {
            let index = outer?;
            outer = self.elements.get(index)?.around.map(|index| index as usize);
            Some(index)
        })
        .filter(|index| self.elements.get(*index).is_some_and(|e| e.holds(bytes)))
    }

    /// The start tag of an element.
    pub(super) fn tag(&self, index: usize) -> Option<KeptTag<'a>> {
        let element = self.elements.get(index)?;
        let start = element.span.start;
        let mut only = Only(None);
        tokens::read(self.html.get(start..element.tag_end)?, &mut only);
        let mut tag = only.0?;
        tag.span = start..element.tag_end;
        for attribute in &mut tag.attributes {
            attribute.start += start;
            attribute.end += start;
        }
        Some(tag)
    }

    /// The decoded value of an element's attribute.
    pub(super) fn value(&self, index: usize, name: &str) -> Option<Cow<'a, str>> {
        find(&self.tag(index)?.attributes, name).map(|attribute| attribute.value())
    }

    /// The element of that id.
    pub(super) fn with_id(&self, id: &str) -> Option<usize> {
        (0..self.elements.len()).find(|index| self.value(*index, "id").is_some_and(|own| own == id))
    }

    /// The elements within another.
    pub(super) fn within(&self, index: usize) -> Range<usize> {
        let end = self.elements.get(index).map_or(0, |e| e.span.end);
        index + 1..self.elements.partition_point(|e| e.span.start < end)
    }

    /// The options of a select, or of a datalist.
    pub(super) fn options_of(&self, owner: usize) -> Vec<usize> {
        let is_option = |index: &usize| {
            let element = self.elements.get(*index);
            element.is_some_and(|element| element.name == Tag::Option)
        };
        self.within(owner).filter(is_option).collect()
    }

    /// The texts that stand in those bytes, but for white space.
    pub(super) fn texts_in(&self, bytes: &Range<usize>) -> Vec<Range<usize>> {
        let first = self.texts.partition_point(|text| text.start < bytes.start);
        let texts = self.texts.iter().skip(first);
        texts
            .take_while(|text| text.end <= bytes.end)
            .filter(|text| !self.decoded(text).trim_ascii().is_empty())
            .cloned()
            .collect()
    }

    /// The text of an option.
    pub(super) fn text_of(&self, index: usize) -> String {
        let content = self.elements.get(index).map_or(0..0, Element::content);
        let texts = self.texts_in(&content);
        collapse(
            &texts
                .iter()
                .map(|text| self.decoded(text))
                .collect::<String>(),
        )
    }

    pub(super) fn decoded(&self, text: &Range<usize>) -> Cow<'a, str> {
        decode_text(self.html.get(text.clone()).unwrap_or_default())
    }
}

impl<'a> TreeSink<'a> for Outline<'a> {
    /// The element around.
    type Node = (usize, Option<u32>);

    fn open(&mut self, tag: &StartTag<'a, '_>) -> Self::Node {
        let index = self.elements.len();
        let around = self.open;
        self.at = tag.span.end;
        self.elements.push(Element {
            name: tag.tag,
            tag_end: tag.span.end,
            span: tag.span.clone(),
            content_end: tag.span.end,
            around,
        });
        self.open = u32::try_from(index).ok();
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
            element.content_end = end.start.max(element.tag_end);
            element.span.end = end.end.max(element.content_end);
        }
    }

    fn text(&mut self, _raw: &'a str, span: Range<usize>) {
        self.at = span.end;
        self.texts.push(span);
    }
}

/// The one start tag of a text.
struct Only<'a>(Option<KeptTag<'a>>);

impl<'a> TokenSink<'a> for Only<'a> {
    fn start_tag(&mut self, tag: &StartTag<'a, '_>) {
        self.0 = Some(KeptTag::of(tag));
    }

    fn end_tag(&mut self, _name: &'a str, _span: Range<usize>) -> bool {
        false
    }

    fn text(&mut self, _raw: &'a str, _span: Range<usize>) {}
}
