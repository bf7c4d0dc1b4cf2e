//! The tokens of a document, borrowed from the input.

use std::borrow::Cow;
use std::ops::Range;

use super::entities::decode_attribute;
use super::tag::Tag;

pub(crate) use super::tokenizer::read;

/// An attribute as written: the name in its own case, the value with its references.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attribute<'a> {
    pub(crate) name: &'a str,
    pub(crate) raw_value: &'a str,
    /// Where the name begins, in bytes from the start of the document.
    pub(crate) start: usize,
    /// Where the attribute ends, with its closing quote.
    pub(crate) end: usize,
}

impl<'a> Attribute<'a> {
    /// The value with its references decoded.
    pub(crate) fn value(&self) -> Cow<'a, str> {
        decode_attribute(self.raw_value)
    }
}

/// The first attribute of that lower-case name; the standard ignores further ones.
pub(crate) fn find<'a, 's>(
    attributes: &'s [Attribute<'a>],
    name: &str,
) -> Option<&'s Attribute<'a>> {
    attributes
        .iter()
        .find(|attribute| attribute.name.eq_ignore_ascii_case(name))
}

/// A start tag.
#[derive(Clone, Debug)]
pub(crate) struct StartTag<'a, 't> {
    pub(crate) tag: Tag,
    pub(crate) name: &'a str,
    pub(crate) attributes: &'t [Attribute<'a>],
    /// The bytes of the tag.
    pub(crate) span: Range<usize>,
    /// Whether it is SVG or MathML, or HTML within them.
    pub(crate) is_foreign: bool,
}

impl<'a> StartTag<'a, '_> {
    /// The attribute of that lower-case name.
    pub(crate) fn attribute(&self, name: &str) -> Option<&Attribute<'a>> {
        find(self.attributes, name)
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
