//! The tokens of a document, by lol_html, borrowed from the input.
//!
//! lol_html finds the start tags and their attributes. Of end tags it reports neither those of
//! elements that were closed by implication nor those at the end of the input; but whatever lies
//! between two start tags is text, end tags and comments, so these are read from there, which is
//! also faster than having every text reported.

use std::cell::RefCell;
use std::ops::Range;

use lol_html::html_content::Element;
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
        raw_text: None,
        is_in_foreign: false,
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
        Err(_) => Err(feed.read),
    }
}

struct Feed<'a, 's> {
    html: &'a str,
    sink: &'s mut dyn TokenSink<'a>,
    /// Everything before this offset has been handed on.
    read: usize,
    /// The name of the element whose content is not markup, right after its start tag.
    raw_text: Option<&'a str>,
    /// Whether the last start tag was SVG or MathML, which know character data sections.
    is_in_foreign: bool,
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
        let tag = Tag::of(name);
        let is_foreign = element.namespace_uri() != "http://www.w3.org/1999/xhtml";
        self.sink.start_tag(&StartTag {
            tag,
            name,
            attributes: &self.attributes,
            is_foreign,
            span: span.clone(),
        });
        self.is_in_foreign = is_foreign;
        self.raw_text = Some(name).filter(|_| holds_raw_text(tag) && !is_foreign);
        self.read = span.end;
    }

    /// Hands on the text, end tags and comments up to the offset.
    fn reach(&mut self, offset: usize) {
        if let Some(name) = self.raw_text.take() {
            self.read_raw_text(name, offset);
        }
        let mut text_start = self.read;
        let mut searched = self.read;
        while let Some(found) = self.find(b'<', searched, offset) {
            let next = self.html.as_bytes().get(found + 1).copied();
            let end = match next {
                Some(b'!' | b'?') => self.comment_end(found, offset),
                Some(b'/') => match self.html.as_bytes().get(found + 2) {
                    Some(letter) if letter.is_ascii_alphabetic() => {
                        let name = tag_name(self.html, found + 2);
                        tag_end(self.html, found + 2 + name.len())
                    }
                    Some(_) => self.comment_end(found, offset),
                    None => Some(found),
                },
                // A start tag that the input ends within.
                Some(letter) if letter.is_ascii_alphabetic() => None,
                _ => Some(found),
            };
            match end {
                // A `<` that begins nothing.
                Some(end) if end == found => searched = found + 1,
                Some(end) => {
                    self.text(text_start, found);
                    self.end_tag_or_comment(found, end);
                    text_start = end;
                    searched = end;
                }
                // The input ends within a tag, which is then none.
                None => {
                    self.text(text_start, found);
                    text_start = offset;
                    break;
                }
            }
        }
        self.text(text_start, offset);
        self.read = offset;
    }

    /// The content of an element like script or textarea, up to its end tag.
    fn read_raw_text(&mut self, name: &str, offset: usize) {
        let start = self.read;
        let mut searched = start;
        while let Some(found) = self.find(b'<', searched, offset) {
            let is_end = !name.eq_ignore_ascii_case("plaintext")
                && self.html.as_bytes().get(found + 1) == Some(&b'/')
                && tag_name(self.html, found + 2).eq_ignore_ascii_case(name);
            if is_end {
                self.text(start, found);
                self.read = found;
                return;
            }
            searched = found + 1;
        }
        self.text(start, offset);
        self.read = offset;
    }

    fn find(&self, byte: u8, from: usize, to: usize) -> Option<usize> {
        let found = memchr::memchr(byte, self.html.as_bytes().get(from..to)?)?;
        Some(from + found)
    }

    fn text(&mut self, start: usize, end: usize) {
        let raw = self.html.get(start..end).unwrap_or_default();
        if !raw.is_empty() {
            self.sink.text(raw, start..end);
        }
    }

    fn end_tag_or_comment(&mut self, start: usize, end: usize) {
        let name = match self.html.as_bytes().get(start + 1) {
            Some(b'/') => tag_name(self.html, start + 2),
            _ => "",
        };
        if name.starts_with(|first: char| first.is_ascii_alphabetic()) {
            self.is_in_foreign &= !matches!(Tag::of(name), Tag::Svg | Tag::Math);
            self.sink.end_tag(name, start..end);
        } else {
            self.sink.comment(start..end);
        }
    }

    /// Where a comment, or what browsers read as one, ends.
    fn comment_end(&self, start: usize, offset: usize) -> Option<usize> {
        let rest = self.html.get(start..offset)?;
        if self.is_in_foreign && rest.starts_with("<![CDATA[") {
            return Some(rest.find("]]>").map_or(offset, |end| start + end + 3));
        }
        let Some(content) = rest.strip_prefix("<!--") else {
            let end = self.find(b'>', start, offset);
            return Some(end.map_or(offset, |end| end + 1));
        };
        for empty in [">", "->"] {
            if content.starts_with(empty) {
                return Some(start + 4 + empty.len());
            }
        }
        let mut searched = start + 4;
        while let Some(found) = self.find(b'>', searched, offset) {
            let before = self.html.get(start + 4..found).unwrap_or_default();
            if before.ends_with("--") || before.ends_with("--!") {
                return Some(found + 1);
            }
            searched = found + 1;
        }
        Some(offset)
    }
}

/// Elements whose content the tokenizer reads as text alone.
const fn holds_raw_text(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::Iframe
            | Tag::Noembed
            | Tag::Noframes
            | Tag::Noscript
            | Tag::Plaintext
            | Tag::Script
            | Tag::Style
            | Tag::Textarea
            | Tag::Title
            | Tag::Xmp
    )
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
            ("<", "[<]"),
            ("a</", "[a</]"),
            (
                "a<!-->b<!--->c<!-- <p> --!>d<!x>e<!--f",
                "[a]![b]![c]![d]![e]!",
            ),
            ("<title><b></TITLE ><b>", "<title>[<b>]</TITLE><b>"),
            ("<plaintext></plaintext>", "<plaintext>[</plaintext>]"),
            ("<div><a title=\"</form>", "<div>"),
            ("<svg><![CDATA[</b>]]></svg>x", "<svg>!</svg>[x]"),
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
