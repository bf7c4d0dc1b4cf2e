//! Where the parts of a form stand in its markup.

use std::borrow::Cow;
use std::ops::Range;

use crate::markup::html::edits::KeptTag;
use crate::markup::html::entities::decode_text;
use crate::markup::html::tag::Tag;
use crate::markup::html::text::collapse;
use crate::markup::html::tokens::{self, StartTag, find};
use crate::markup::html::tree::{Tree, TreeSink};

/// An element.
#[derive(Debug)]
pub(super) struct Element<'a> {
    pub(super) name: Tag,
    pub(super) tag: KeptTag<'a>,
    /// The bytes of the element, with its tags.
    pub(super) span: Range<usize>,
    /// The bytes between its tags.
    pub(super) content: Range<usize>,
    /// Its texts, in [`Outline::runs`].
    pub(super) runs: Range<usize>,
    /// The label or select around it, in [`Outline::elements`].
    pub(super) around: Option<usize>,
}

impl<'a> Element<'a> {
    /// The decoded value of an attribute.
    pub(super) fn value(&self, name: &str) -> Option<Cow<'a, str>> {
        find(&self.tag.attributes, name).map(|attribute| attribute.value())
    }
}

/// A text between two tags.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) span: Range<usize>,
    /// Whether it lies in a control, so that it labels nothing.
    pub(super) is_in_control: bool,
}

/// The elements of a document that an edit of a field may change, in the order of their start tags:
/// controls, options, labels, legends, fieldsets, and all with an `id`.
pub(super) struct Outline<'a> {
    pub(super) html: &'a str,
    pub(super) elements: Vec<Element<'a>>,
    pub(super) runs: Vec<Run>,
    /// Where the last form ends, before its end tag.
    pub(super) form_end: Option<usize>,
    /// The label and the select around what comes next.
    label: Option<usize>,
    select: Option<usize>,
    is_in_control: bool,
    /// Where the last tag or text ended.
    at: usize,
}

/// What is kept for an open element.
pub(super) struct Node {
    element: Option<usize>,
    label: Option<usize>,
    select: Option<usize>,
    is_in_control: bool,
}

impl<'a> Outline<'a> {
    pub(super) fn of(html: &'a str) -> Outline<'a> {
        let mut tree = Tree::new(Outline {
            html,
            elements: Vec::new(),
            runs: Vec::new(),
            form_end: None,
            label: None,
            select: None,
            is_in_control: false,
            at: 0,
        });
        tokens::read(html, &mut tree);
        tree.finish()
    }

    /// The control whose start tag begins there.
    pub(super) fn control_at(&self, offset: usize) -> Option<usize> {
        let place = self
            .elements
            .partition_point(|element| element.tag.span.start < offset);
        let element = self.elements.get(place)?;
        (element.tag.span.start == offset && is_control(element.name)).then_some(place)
    }

    /// The label element of a control: the innermost one around it, or the first for its id.
    pub(super) fn label_of(&self, control: usize) -> Option<usize> {
        let control = self.elements.get(control)?;
        let id = control.value("id");
        let points_here = |element: &Element<'_>| id.is_some() && element.value("for") == id;
        let around = control.around.filter(|around| {
            self.elements
                .get(*around)
                .is_some_and(|label| label.value("for").is_none() || points_here(label))
        });
        around.or_else(|| {
            self.elements
                .iter()
                .position(|element| element.name == Tag::Label && points_here(element))
        })
    }

    /// The element of that id.
    pub(super) fn with_id(&self, id: &str) -> Option<usize> {
        self.elements
            .iter()
            .position(|element| element.value("id").is_some_and(|own| own == id))
    }

    /// The options of a select, or of a datalist.
    pub(super) fn options_of(&self, owner: usize) -> Vec<usize> {
        let is_option = |(_, element): &(usize, &Element<'_>)| {
            element.name == Tag::Option && element.around == Some(owner)
        };
        let options = self.elements.iter().enumerate().filter(is_option);
        options.map(|(index, _)| index).collect()
    }

    /// The text of an option.
    pub(super) fn option_text(&self, element: &Element<'_>) -> String {
        let runs = self.runs.get(element.runs.clone()).unwrap_or_default();
        let texts = runs.iter().map(|run| self.decoded(run));
        collapse(&texts.collect::<String>())
    }

    pub(super) fn decoded(&self, run: &Run) -> Cow<'a, str> {
        decode_text(self.html.get(run.span.clone()).unwrap_or_default())
    }
}

const fn is_control(tag: Tag) -> bool {
    matches!(tag, Tag::Input | Tag::Select | Tag::Textarea)
}

impl<'a> TreeSink<'a> for Outline<'a> {
    type Node = Node;

    fn open(&mut self, tag: &StartTag<'a, '_>) -> Node {
        let mut node = Node {
            element: None,
            label: self.label,
            select: self.select,
            is_in_control: self.is_in_control,
        };
        self.at = tag.span.end;
        let is_listed = is_control(tag.tag)
            || matches!(
                tag.tag,
                Tag::Option | Tag::Label | Tag::Legend | Tag::Fieldset | Tag::Datalist
            );
        if !is_listed && tag.attribute("id").is_none() {
            return node;
        }
        let index = self.elements.len();
        node.element = Some(index);
        self.elements.push(Element {
            name: tag.tag,
            tag: KeptTag::of(tag),
            span: tag.span.clone(),
            content: tag.span.end..tag.span.end,
            runs: self.runs.len()..self.runs.len(),
            around: match tag.tag {
                Tag::Option => self.select,
                _ => self.label,
            },
        });
        match tag.tag {
            Tag::Label => self.label = Some(index),
            Tag::Select | Tag::Datalist => {
                self.select = Some(index);
                self.is_in_control = true;
            }
            Tag::Textarea => self.is_in_control = true,
            _ => {}
        }
        node
    }

    fn close(&mut self, tag: Tag, node: Node, end_tag: Option<Range<usize>>) {
        self.label = node.label;
        self.select = node.select;
        self.is_in_control = node.is_in_control;
        let end = end_tag.unwrap_or(self.at..self.at);
        self.at = self.at.max(end.end);
        if tag == Tag::Form {
            self.form_end = Some(end.start);
        }
        let runs = self.runs.len();
        if let Some(element) = node.element.and_then(|index| self.elements.get_mut(index)) {
            element.content.end = end.start.max(element.content.start);
            element.span.end = end.end.max(element.content.end);
            element.runs.end = runs;
        }
    }

    fn text(&mut self, _raw: &'a str, span: Range<usize>) {
        self.at = span.end;
        self.runs.push(Run {
            span,
            is_in_control: self.is_in_control,
        });
    }
}
