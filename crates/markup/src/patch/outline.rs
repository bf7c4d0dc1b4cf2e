//! Where the elements of a document stand in its bytes.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use crate::html::edits::KeptTag;
use crate::html::entities::decode_text;
use crate::html::growth;
use crate::html::tag::Tag;
use crate::html::text::collapse;
use crate::html::tokens::{self, StartTag, TokenSink, find};
use crate::html::tree::{Tree, TreeSink};

/// An element, in bytes of the document. Its attributes are read again when they are asked for.
#[derive(Debug)]
pub(super) struct Element {
    start: u32,
    /// Where its start tag ends.
    tag_end: u32,
    /// Where what is between its tags ends.
    content_end: u32,
    end: u32,
    /// The element around it, in [`Outline::elements`]; [`NONE`] if there is none.
    around: u32,
    pub(super) name: Tag,
}

/// No element: a document has fewer.
const NONE: u32 = u32::MAX;

impl Element {
    /// The bytes of the element, with its tags.
    pub(super) const fn span(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The bytes between its tags.
    pub(super) const fn content(&self) -> Range<usize> {
        self.tag_end as usize..self.content_end as usize
    }

    /// The element around it.
    pub(super) const fn around(&self) -> Option<usize> {
        match self.around {
            NONE => None,
            around => Some(around as usize),
        }
    }

    /// Whether it is a control or button.
    pub(super) const fn is_control(&self) -> bool {
        matches!(
            self.name,
            Tag::Input | Tag::Select | Tag::Textarea | Tag::Button
        )
    }

    /// Whether it lies around those bytes.
    pub(super) const fn holds(&self, bytes: &Range<usize>) -> bool {
        self.start as usize <= bytes.start && bytes.end <= self.end as usize
    }
}

/// A place in a document, which is not longer than `MAX_MARKUP_BYTES` when it is read.
fn place(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

/// The elements and texts of a document, in the order in which they begin.
pub(super) struct Outline<'a> {
    pub(super) html: &'a str,
    pub(super) elements: Vec<Element>,
    texts: Vec<Range<u32>>,
    /// Where the last form ends, before its end tag.
    pub(super) form_end: Option<usize>,
    /// The innermost open element.
    open: u32,
    /// Where the last tag or text ended.
    at: usize,
    /// The start tag that was read last: edits ask for one many times.
    known: RefCell<Option<(usize, Rc<KeptTag<'a>>)>>,
    /// The first element of each id, once one is asked for.
    ids: OnceCell<BTreeMap<Cow<'a, str>, usize>>,
}

impl<'a> Outline<'a> {
    pub(super) fn of(html: &'a str) -> Outline<'a> {
        let mut tree = Tree::new(Outline {
            html,
            elements: Vec::new(),
            texts: Vec::new(),
            form_end: None,
            open: NONE,
            at: 0,
            known: RefCell::default(),
            ids: OnceCell::new(),
        });
        tokens::read(html, &mut tree);
        tree.finish()
    }

    /// The control or button whose start tag begins there.
    pub(super) fn control_at(&self, offset: usize) -> Option<usize> {
        let place = self.at(offset)?;
        self.elements.get(place)?.is_control().then_some(place)
    }

    /// The element whose start tag begins there.
    pub(super) fn at(&self, offset: usize) -> Option<usize> {
        let place = self.at_or_behind(offset);
        let element = self.elements.get(place)?;
        (element.span().start == offset).then_some(place)
    }

    /// The first element whose start tag begins there or behind.
    pub(super) fn at_or_behind(&self, offset: usize) -> usize {
        self.elements
            .partition_point(|e| (e.start as usize) < offset)
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
            let around = element.around();
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
            .partition_point(|e| e.span().start <= bytes.start);
        let mut outer = next.checked_sub(1);
        std::iter::from_fn(move || {
            let index = outer?;
            outer = self.elements.get(index)?.around();
            Some(index)
        })
        .filter(|index| self.elements.get(*index).is_some_and(|e| e.holds(bytes)))
    }

    /// The start tag of an element.
    pub(super) fn tag(&self, index: usize) -> Option<Rc<KeptTag<'a>>> {
        let known = self.known.borrow().clone();
        if let Some((_, tag)) = known.filter(|(of, _)| *of == index) {
            return Some(tag);
        }
        let element = self.elements.get(index)?;
        let (start, end) = (element.start as usize, element.tag_end as usize);
        let mut only = Only(None);
        tokens::read(self.html.get(start..end)?, &mut only);
        let mut tag = only.0?;
        tag.span = start..end;
        for attribute in &mut tag.attributes {
            attribute.start += start;
            attribute.end += start;
        }
        let tag = Rc::new(tag);
        self.known.replace(Some((index, Rc::clone(&tag))));
        Some(tag)
    }

    /// The decoded value of an element's attribute.
    pub(super) fn value(&self, index: usize, name: &str) -> Option<Cow<'a, str>> {
        find(&self.tag(index)?.attributes, name).map(|attribute| attribute.value())
    }

    /// The first element of that id. They are gathered once: there may be as many questions as ids.
    pub(super) fn with_id(&self, id: &str) -> Option<usize> {
        let ids = self.ids.get_or_init(|| {
            let mut ids = BTreeMap::new();
            for index in 0..self.elements.len() {
                if let Some(id) = self.value(index, "id") {
                    ids.entry(id).or_insert(index);
                }
            }
            ids
        });
        ids.get(id).copied()
    }

    /// The elements within another.
    pub(super) fn within(&self, index: usize) -> Range<usize> {
        let end = self.elements.get(index).map_or(0, |e| e.span().end);
        index + 1..self.elements.partition_point(|e| e.span().start < end)
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
        self.seen_in(bytes).collect()
    }

    /// Whether there is nothing to read in those bytes.
    pub(super) fn is_blank(&self, bytes: &Range<usize>) -> bool {
        self.seen_in(bytes).next().is_none()
    }

    fn seen_in(&self, bytes: &Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let (start, end) = (bytes.start, bytes.end);
        let first = self
            .texts
            .partition_point(|text| (text.start as usize) < start);
        let texts = self.texts.iter().skip(first);
        texts
            .map(|text| text.start as usize..text.end as usize)
            .take_while(move |text| text.end <= end)
            .filter(|text| !self.decoded(text).trim_ascii().is_empty())
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
    /// The element, and the one around.
    type Node = (usize, u32);

    fn open(&mut self, tag: &StartTag<'a, '_>) -> Self::Node {
        let index = self.elements.len();
        let around = self.open;
        self.at = tag.span.end;
        let end = place(tag.span.end);
        let element = Element {
            start: place(tag.span.start),
            tag_end: end,
            content_end: end,
            end,
            around,
            name: tag.tag,
        };
        growth::push(&mut self.elements, element, self.at, self.html.len());
        self.open = place(index);
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
            element.content_end = place(end.start).max(element.tag_end);
            element.end = place(end.end).max(element.content_end);
        }
    }

    fn text(&mut self, _raw: &'a str, span: Range<usize>) {
        self.at = span.end;
        let text = place(span.start)..place(span.end);
        growth::push(&mut self.texts, text, self.at, self.html.len());
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
