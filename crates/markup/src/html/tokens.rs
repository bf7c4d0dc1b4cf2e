//! The tokens of a document, as lol_html reads them, borrowed from the input.
//!
//! lol_html omits end tags that close none of its open elements, but the tree's rules need them. This module finds them
//! between the reported tokens; nothing else occurs there, except an unfinished tag at the end.

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;

use lol_html::errors::RewritingError;
use lol_html::html_content::{Element, SourceLocation};
use lol_html::{HtmlRewriter, MemorySettings, Settings, doc_comments, doc_text, doctype, element};

use super::attributes::{Attribute, AttributePlace, Attributes};
use super::place;
use super::tag::Tag;

/// Limit on lol_html's memory for open elements. Beyond that, reading continues with an empty stack in lol_html,
/// because the tree's rules have their own stack.
const MAX_TOKENIZER_BYTES: usize = 4 * 1024 * 1024;

/// A start tag.
#[derive(Clone, Debug)]
pub struct StartTag<'a, 't> {
    /// The element, if its name is known.
    pub tag: Tag,
    /// The name as written.
    pub name: &'a str,
    pub(crate) attributes: Attributes<'a, 't>,
    /// The bytes of the tag.
    pub span: Range<usize>,
    /// Whether the element belongs to SVG or MathML.
    pub is_foreign: bool,
    /// Whether the tag ends with a slash, which matters only in SVG and MathML.
    pub(crate) is_self_closing: bool,
}

impl<'a> StartTag<'a, '_> {
    /// The first attribute with this lower-case name; the standard ignores later ones.
    pub(crate) fn attribute(&self, name: &str) -> Option<Attribute<'a>> {
        self.attributes.get(name)
    }

    /// The value of an attribute as written; empty if there is none.
    pub(crate) fn raw_value(&self, name: &str) -> &'a str {
        self.attribute(name).map_or("", |found| found.raw_value())
    }

    /// The value of an attribute, character references decoded.
    pub fn value_of(&self, name: &str) -> Option<Cow<'a, str>> {
        Some(self.attribute(name)?.value())
    }
}

/// A receiver of a document's tokens, in order.
pub trait TokenSink<'a> {
    /// A start tag.
    fn start_tag(&mut self, tag: &StartTag<'a, '_>);
    /// An end tag.
    fn end_tag(&mut self, _name: &'a str, _span: Range<usize>) {}
    /// Text with its character references, as one piece.
    fn text(&mut self, _raw: &'a str, _span: Range<usize>) {}
    /// A comment, a document type, or other markup that browsers read as a comment.
    fn comment(&mut self, _span: Range<usize>) {}
}

/// A closure receives start tags only.
impl<'a, F: FnMut(&StartTag<'a, '_>)> TokenSink<'a> for F {
    fn start_tag(&mut self, tag: &StartTag<'a, '_>) {
        self(tag);
    }
}

/// The document can be read in two ways that differ in which parts are script (HTML standard; lol_html,
/// `ParsingAmbiguityError`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ambiguity;

/// Reads a document to its end in linear time, and tolerates any error in it.
pub fn read<'a>(html: &'a str, sink: &mut dyn TokenSink<'a>) {
    // Ambiguities are reported in strict mode only.
    _ = read_as(html, false, sink);
}

/// Reads a document; in strict mode only up to the first ambiguity.
pub(crate) fn read_as<'a>(
    html: &'a str,
    is_strict: bool,
    sink: &mut dyn TokenSink<'a>,
) -> Result<(), Ambiguity> {
    let reader = RefCell::new(Reader {
        html,
        base: 0,
        at: 0,
        text: 0..0,
        attributes: Vec::new(),
        repeated: String::new(),
        repeated_bytes: 0,
        sink,
    });
    loop {
        let base = reader.borrow().at;
        reader.borrow_mut().begin(base);
        let part = html.get(base..).unwrap_or_default();
        match tokenize(part, is_strict, &reader) {
            Err(RewritingError::ParsingAmbiguity(_)) => return Err(Ambiguity),
            Err(RewritingError::MemoryLimitExceeded(_)) if reader.borrow().at > base => {}
            _ => break,
        }
    }
    reader.into_inner().before(html.len());
    Ok(())
}

fn tokenize(
    html: &str,
    is_strict: bool,
    reader: &RefCell<Reader<'_, '_>>,
) -> Result<(), RewritingError> {
    let comment = |at: SourceLocation| {
        reader.borrow_mut().comment(at.bytes());
        Ok(())
    };
    let memory = MemorySettings::new().with_max_allowed_memory_usage(MAX_TOKENIZER_BYTES);
    let settings = Settings::new()
        .with_strict(is_strict)
        .with_adjust_charset_on_meta_tag(false)
        .with_memory_settings(memory)
        .append_element_content_handler(element!("*", |element| {
            reader.borrow_mut().start_tag(element);
            Ok(())
        }))
        .append_document_content_handler(doc_text!(|text| {
            reader.borrow_mut().text(text.source_location().bytes());
            Ok(())
        }))
        .append_document_content_handler(doc_comments!(|token| comment(token.source_location())))
        .append_document_content_handler(doctype!(|token| comment(token.source_location())));
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    let mut rest = html;
    for end in empty_value_ends(html) {
        let (part, after) = rest
            .split_at_checked(end - (html.len() - rest.len()))
            .unwrap_or((rest, ""));
        rewriter.write(part.as_bytes())?;
        rest = after;
        let repeated = reader.borrow().repeated.clone();
        if !repeated.is_empty() {
            rewriter.write(repeated.as_bytes())?;
            reader.borrow_mut().pass_over_repeated();
        }
    }
    rewriter.write(rest.as_bytes())?;
    rewriter.end()
}

/// The offsets after each `>` that follows `=`, where a tag may end with an attribute without value.
fn empty_value_ends(html: &str) -> impl Iterator<Item = usize> {
    html.match_indices('>').filter_map(|(at, _)| {
        let before = html.get(..at)?.trim_ascii_end();
        before.ends_with('=').then_some(at + 1)
    })
}

/// Elements whose content is raw text. `title` is missing here, because the `title` of SVG may contain tags.
const TEXT_ELEMENTS: [&str; 9] = [
    "iframe",
    "noembed",
    "noframes",
    "noscript",
    "plaintext",
    "script",
    "style",
    "textarea",
    "xmp",
];

/// Passes the tokens to the sink, and adds the end tags that lol_html does not report.
struct Reader<'a, 's> {
    html: &'a str,
    /// The start of the current part of the document.
    base: usize,
    /// The end of the last token.
    at: usize,
    /// Text that the sink has not received yet, because more of it may follow.
    text: Range<usize>,
    /// The attributes of the current tag, in a reused allocation.
    attributes: Vec<AttributePlace>,
    /// A repeated start tag that only lol_html sees. After `<textarea a=>`, lol_html would read tags in the content;
    /// after the same tag without attributes, it does not.
    repeated: String,
    /// The bytes of repeated tags so far, which lol_html's offsets include.
    repeated_bytes: usize,
    sink: &'s mut dyn TokenSink<'a>,
}

impl<'a> Reader<'a, '_> {
    fn slice(&self, span: Range<usize>) -> &'a str {
        self.html.get(span).unwrap_or_default()
    }

    /// Begins a part of the document.
    fn begin(&mut self, base: usize) {
        self.base = base;
        self.repeated.clear();
        self.repeated_bytes = 0;
    }

    fn pass_over_repeated(&mut self) {
        self.repeated_bytes += self.repeated.len();
        self.repeated.clear();
    }

    const fn placed(&self, span: Range<usize>) -> Range<usize> {
        let start = (span.start + self.base).saturating_sub(self.repeated_bytes);
        start..(span.end + self.base).saturating_sub(self.repeated_bytes)
    }

    /// Repeats the last start tag if lol_html would misread its content.
    fn repeat(&mut self, name: &str, span: &Range<usize>) {
        let Some(last) = self.attributes.last() else {
            return;
        };
        let behind = self.slice(last.name.1 as usize..span.end);
        let value = behind.trim_ascii_start().strip_prefix('=');
        let is_empty = value.is_some_and(|value| value.trim_ascii_start() == ">");
        if is_empty
            && TEXT_ELEMENTS
                .iter()
                .any(|known| known.eq_ignore_ascii_case(name))
        {
            self.repeated = ["<", name, ">"].concat();
        }
    }

    /// Passes the pending text, and the end tags before a token, to the sink.
    fn before(&mut self, start: usize) {
        let text = std::mem::take(&mut self.text);
        if !text.is_empty() {
            self.sink.text(self.slice(text.clone()), text);
        }
        while self.at < start {
            let gap = self.slice(self.at..start);
            let Some((name, length)) = end_tag(gap) else {
                // An unfinished tag at the end of the input is dropped.
                break;
            };
            let span = self.at..self.at + length;
            self.at = span.end;
            self.sink.end_tag(name, span);
        }
        self.at = self.at.max(start.min(self.html.len()));
    }

    /// Passes the text and end tags before a token to the sink, and returns the token's range in the document.
    fn reached(&mut self, span: Range<usize>) -> Range<usize> {
        let span = self.placed(span);
        self.before(span.start);
        self.at = span.end;
        span
    }

    fn start_tag(&mut self, element: &Element<'_, '_>) {
        if !self.repeated.is_empty() {
            return;
        }
        let span = self.reached(element.source_location().bytes());
        let name = tag_name(self.slice(span.start + 1..span.end));
        self.attributes.clear();
        for attribute in element.attributes() {
            let Some(name) = attribute.name_source_location() else {
                continue;
            };
            let placed = |location: SourceLocation| {
                let span = self.placed(location.bytes());
                (place(span.start), place(span.end))
            };
            let name = placed(name);
            let value = attribute.value_source_location().map_or((0, 0), placed);
            self.attributes.push(AttributePlace { name, value });
        }
        // The namespace of HTML ends with "xhtml", those of SVG and MathML do not.
        let is_foreign = !element.namespace_uri().ends_with("xhtml");
        if !is_foreign {
            self.repeat(name, &span);
        }
        self.sink.start_tag(&StartTag {
            tag: Tag::of(name),
            name,
            attributes: Attributes {
                html: self.html,
                places: &self.attributes,
            },
            span,
            is_foreign,
            is_self_closing: element.is_self_closing(),
        });
    }

    fn text(&mut self, span: Range<usize>) {
        let span = self.placed(span);
        if self.text.is_empty() || self.text.end != span.start {
            self.before(span.start);
            self.text = span.start..span.start;
        }
        self.text.end = span.end;
        self.at = span.end;
    }

    fn comment(&mut self, span: Range<usize>) {
        let span = self.reached(span);
        self.sink.comment(span);
    }
}

/// The name of the start tag at an offset.
pub(crate) fn tag_name_at(html: &str, offset: usize) -> &str {
    tag_name(html.get(offset + 1..).unwrap_or_default())
}

/// The name at the beginning of a tag's bytes.
pub(super) fn tag_name(tag: &str) -> &str {
    let ends = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>');
    let length = tag.bytes().position(ends).unwrap_or(tag.len());
    tag.get(..length).unwrap_or_default()
}

/// The name and length of the end tag at the start of `gap`. A `>` in a quoted attribute value, which an end tag should
/// not have, does not end it.
fn end_tag(gap: &str) -> Option<(&str, usize)> {
    let content = gap.strip_prefix("</")?;
    content.bytes().next().filter(u8::is_ascii_alphabetic)?;
    let (mut open_quote, mut follows_equals) = (None, false);
    for (at, byte) in gap.bytes().enumerate() {
        match byte {
            _ if open_quote == Some(byte) => open_quote = None,
            _ if open_quote.is_some() => {}
            b'>' => return Some((tag_name(content), at + 1)),
            b'"' | b'\'' if follows_equals => open_quote = Some(byte),
            _ => {}
        }
        follows_equals = byte == b'=' || (follows_equals && byte.is_ascii_whitespace());
    }
    None
}
