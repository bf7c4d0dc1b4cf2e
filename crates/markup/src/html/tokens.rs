//! The tokens of a document, borrowed from the input.

use std::ops::Range;

use super::tag::Tag;

pub(crate) use super::attributes::{Attribute, Attributes, find};
pub use super::tokenizer::read;

/// A start tag.
#[derive(Clone, Debug)]
pub struct StartTag<'a, 't> {
    /// Which of the known elements it is.
    pub tag: Tag,
    /// Its name as it is written.
    pub name: &'a str,
    pub(crate) attributes: Attributes<'a, 't>,
    /// The bytes of the tag.
    pub span: Range<usize>,
    /// Whether it is SVG or MathML, or HTML within them.
    pub is_foreign: bool,
}

impl<'a> StartTag<'a, '_> {
    /// The attribute of that lower-case name.
    #[inline(always)]
    pub(crate) fn attribute(&self, name: &str) -> Option<Attribute<'a>> {
        self.attributes.find(name)
    }
}

/// What receives the tokens of a document, in its order.
pub trait TokenSink<'a> {
    /// A start tag.
    fn start_tag(&mut self, tag: &StartTag<'a, '_>);
    /// An end tag; gives whether an element has ended with it.
    fn end_tag(&mut self, name: &'a str, span: Range<usize>) -> bool;
    /// Text with its references, as one piece.
    fn text(&mut self, raw: &'a str, span: Range<usize>);
    /// A comment, a document type or what browsers read as a comment.
    fn comment(&mut self, _span: Range<usize>) {}
    /// SVG or MathML is around what follows, or no longer.
    fn foreign(&mut self, _is_around: bool) {}
}
