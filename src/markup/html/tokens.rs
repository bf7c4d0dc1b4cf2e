//! The tokens of a document, borrowed from the input.

use std::ops::Range;

use super::tag::Tag;

pub(crate) use super::attributes::{Attribute, Attributes, find};
pub(crate) use super::tokenizer::read;

/// A start tag.
#[derive(Clone, Debug)]
pub(crate) struct StartTag<'a, 't> {
    pub(crate) tag: Tag,
    pub(crate) name: &'a str,
    pub(crate) attributes: Attributes<'a, 't>,
    /// The bytes of the tag.
    pub(crate) span: Range<usize>,
    /// Whether it is SVG or MathML, or HTML within them.
    pub(crate) is_foreign: bool,
}

impl<'a> StartTag<'a, '_> {
    /// The attribute of that lower-case name.
    #[inline(always)]
    pub(crate) fn attribute(&self, name: &str) -> Option<Attribute<'a>> {
        self.attributes.find(name)
    }
}

/// What receives the tokens of a document, in its order.
pub(crate) trait TokenSink<'a> {
    fn start_tag(&mut self, tag: &StartTag<'a, '_>);
    /// Gives whether an element has ended with it.
    fn end_tag(&mut self, name: &'a str, span: Range<usize>) -> bool;
    /// Text with its references, as one piece.
    fn text(&mut self, raw: &'a str, span: Range<usize>);
    /// A comment, a document type or what browsers read as a comment.
    fn comment(&mut self, _span: Range<usize>) {}
    /// SVG or MathML is around what follows, or no longer.
    fn foreign(&mut self, _is_around: bool) {}
}
