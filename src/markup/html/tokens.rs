//! The tokens of a document, by lol_html, borrowed from the input.
//!
//! lol_html reports start tags, text and comments with their places. It reports no end tags of
//! elements that were closed by implication, and none at the end of the input; but whatever lies
//! between two reported tokens is end tags, so they are read from there.

use std::cell::RefCell;
use std::ops::Range;

use lol_html::html_content::{Element, TextChunk};
use lol_html::{HtmlRewriter, Settings};

use super::entities::decode_attribute;
use super::tag::Tag;

/// How much memory lol_html may take for its own stack of open elements, in bytes: about 100,000
/// levels. What is nested deeper is not read.
const TOKENIZER_BYTES: usize = 24 * 1024 * 1024;

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
    pub(crate) fn value(&self) -> std::borrow::Cow<'a, str> {
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
    /// Whether it is SVG or MathML.
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
    fn end_tag(&mut self, name: &'a str, span: Range<usize>);
    /// Text with its references, as one piece.
    fn text(&mut self, raw: &'a str, span: Range<usize>);
    /// A comment, a document type or what browsers read as a comment.
    fn comment(&mut self, _span: Range<usize>) {}
}

/// Reads a document to its end. Gives the offset at which reading stopped early because the
/// elements are nested too deep.
pub(crate) fn read<'a>(html: &'a str, sink: &mut dyn TokenSink<'a>) -> Result<(), usize> {
    let feed = RefCell::new(Feed {
        html,
        sink,
        read: 0,
        text: 0..0,
        attributes: Vec::new(),
    });
    let mut settings = Settings::new();
    settings = settings
        .with_strict(false)
        .with_memory_settings(
            lol_html::MemorySettings::new().with_max_allowed_memory_usage(TOKENIZER_BYTES),
        )
        .append_element_content_handler(lol_html::element!("*", |element| {
            feed.borrow_mut().element(element);
            Ok(())
        }))
        .append_document_content_handler(lol_html::doc_text!(|chunk| {
            feed.borrow_mut().text(chunk);
            Ok(())
        }))
        .append_document_content_handler(lol_html::doc_comments!(|comment| {
            feed.borrow_mut().comment(comment.source_location().bytes());
            Ok(())
        }))
        .append_document_content_handler(lol_html::doctype!(|doctype| {
            feed.borrow_mut().comment(doctype.source_location().bytes());
            Ok(())
        }));
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    let whole = rewriter
        .write(html.as_bytes())
        .and_then(|()| rewriter.end());
    let mut feed = feed.into_inner();
    match whole {
        Ok(()) => {
            feed.reach(html.len());
            Ok(())
        }
        Err(_) => {
            feed.flush_text();
            Err(feed.read)
        }
    }
}

struct Feed<'a, 's> {
    html: &'a str,
    sink: &'s mut dyn TokenSink<'a>,
    /// Everything before this offset has been handed on, or lies in `text`.
    read: usize,
    /// Text not handed on yet: lol_html may give it in pieces.
    text: Range<usize>,
    /// The attributes of the current tag, kept for its allocation.
    attributes: Vec<Attribute<'a>>,
}

impl<'a> Feed<'a, '_> {
    fn element(&mut self, element: &Element<'_, '_>) {
        let span = element.source_location().bytes();
        self.reach(span.start);
        self.attributes.clear();
        for attribute in element.attributes() {
            let Some(name) = attribute.name_source_location() else {
                continue;
            };
            let name = name.bytes();
            let value = attribute
                .value_source_location()
                .map_or(name.end..name.end, |value| value.bytes());
            let quote = self.html.as_bytes().get(value.end);
            let is_quoted = value.start > name.end
                && matches!(
                    self.html.as_bytes().get(value.start - 1),
                    Some(b'"' | b'\'')
                );
            self.attributes.push(Attribute {
                name: self.html.get(name.clone()).unwrap_or_default(),
                raw_value: self.html.get(value.clone()).unwrap_or_default(),
                start: name.start,
                end: value.end + usize::from(is_quoted && matches!(quote, Some(b'"' | b'\''))),
            });
        }
        let name = tag_name(self.html, span.start + 1);
        self.sink.start_tag(&StartTag {
            tag: Tag::of(name),
            name,
            attributes: &self.attributes,
            is_foreign: element.namespace_uri() != "http://www.w3.org/1999/xhtml",
            span: span.clone(),
        });
        self.read = span.end;
    }

    fn text(&mut self, chunk: &TextChunk<'_>) {
        let span = chunk.source_location().bytes();
        if span.is_empty() {
            return;
        }
        if span.start == self.read && !self.text.is_empty() {
            self.text.end = span.end;
        } else {
            self.reach(span.start);
            self.text = span.clone();
        }
        self.read = span.end;
    }

    fn comment(&mut self, span: Range<usize>) {
        self.reach(span.start);
        self.sink.comment(span.clone());
        self.read = span.end;
    }

    fn flush_text(&mut self) {
        let text = std::mem::replace(&mut self.text, 0..0);
        if !text.is_empty() {
            self.sink
                .text(self.html.get(text.clone()).unwrap_or_default(), text);
        }
    }

    /// Hands on the text read so far and the end tags up to the offset.
    fn reach(&mut self, offset: usize) {
        self.flush_text();
        while self.read < offset {
            let rest = self.html.get(self.read..offset).unwrap_or_default();
            let Some(found) = memchr::memchr(b'<', rest.as_bytes()) else {
                break;
            };
            let start = self.read + found;
            let after = rest.as_bytes().get(found + 1).copied().unwrap_or_default();
            if after.is_ascii_alphabetic() {
                break; // A start tag that the input ends within: nothing follows it.
            }
            let name = match after {
                b'/' => tag_name(self.html, start + 2),
                _ => "",
            };
            if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
                self.read = start + 1;
                continue;
            }
            let Some(end) = tag_end(self.html, start + 2 + name.len()) else {
                break; // An end tag that the input ends within is none.
            };
            self.sink.end_tag(name, start..end);
            self.read = end;
        }
        self.read = offset;
    }
}

/// The tag name that begins at the offset.
fn tag_name(html: &str, start: usize) -> &str {
    let rest = html.get(start..).unwrap_or_default();
    let length = rest
        .bytes()
        .position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>'))
        .unwrap_or(rest.len());
    rest.get(..length).unwrap_or_default()
}

/// The offset behind the `>` that ends the tag whose name ends at `from`. A `>` within a quoted
/// attribute value does not end it, in end tags too.
fn tag_end(html: &str, from: usize) -> Option<usize> {
    let mut quote = None;
    let mut follows_equals = false;
    for (index, byte) in html.as_bytes().get(from..)?.iter().enumerate() {
        match (quote, byte) {
            (Some(open), byte) if *byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'>') => return Some(from + index + 1),
            (None, b'"' | b'\'') if follows_equals => quote = Some(*byte),
            _ => {}
        }
        follows_equals = match byte {
            b'=' => quote.is_none(),
            _ => follows_equals && byte.is_ascii_whitespace(),
        };
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Log(String);

    impl<'a> TokenSink<'a> for Log {
        fn start_tag(&mut self, tag: &StartTag<'a, '_>) {
            self.0 += &format!("<{}", tag.name);
            for attribute in tag.attributes {
                self.0 += &format!(" {}={}", attribute.name, attribute.value());
            }
            self.0 += ">";
        }
        fn end_tag(&mut self, name: &'a str, _span: Range<usize>) {
            self.0 += &format!("</{name}>");
        }
        fn text(&mut self, raw: &'a str, _span: Range<usize>) {
            self.0 += &format!("[{raw}]");
        }
        fn comment(&mut self, _span: Range<usize>) {
            self.0 += "!";
        }
    }

    fn tokens(html: &str) -> String {
        let mut log = Log::default();
        read(html, &mut log).unwrap();
        log.0
    }

    #[test]
    fn every_token_is_given_in_its_place() {
        for (html, expected) in [
            ("a<b>c</b>d", "[a]<b>[c]</b>[d]"),
            ("</p></br><p></DIV ></p", "</p></br><p></DIV>"),
            ("</a title='>\">'>x", "</a>[x]"),
            ("</a title=x'>x", "</a>[x]"),
            ("<p><i x=1 y='2' z Q=\"&lt;\">", "<p><i x=1 y=2 z= Q=<>"),
            ("<!-- </x> --></y><!DOCTYPE html><?php ?>", "!</y>!!"),
            (
                "<textarea></b>\n&lt;</textarea>",
                "<textarea>[</b>\n&lt;]</textarea>",
            ),
            ("<script>'</p>'</script>", "<script>['</p>']</script>"),
            ("a < b </ c></3>", "[a < b ]!!"),
            ("<div><a title=\"</form>", "<div>"),
            ("<svg><![CDATA[</b>]]></svg>x", "<svg>[</b>]</svg>[x]"),
            (
                "<option>A<option>B</select>",
                "<option>[A]<option>[B]</select>",
            ),
            ("é<é>ü</é>", "[é<é>ü]!"),
        ] {
            assert_eq!(tokens(html), expected, "{html}");
        }
    }

    #[test]
    fn hostile_input_is_read_in_bounded_time() {
        for html in [
            "<div>".repeat(200_000),
            "<".repeat(1_000_000),
            format!("<input {}>", "a=b ".repeat(100_000)),
            "<b></i>".repeat(200_000),
            "\0".repeat(1_000_000),
        ] {
            let _ = read(&html, &mut Log::default());
        }
    }
}
