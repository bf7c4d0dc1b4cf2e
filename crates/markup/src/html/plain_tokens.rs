//! A tokenizer that does not use lol_html, which would add 50 KB gzip. The importers use it to find the forms in pages.
//! A form that they find is parsed and sanitized like any author's markup.
//!
//! The tokenizer follows the section "Tokenization" of the HTML standard and builds no tree. Of the tree, it tracks only
//! the open raw-text element, and whether it is inside SVG or MathML. `tests/rust/plain_tokens.rs` compares the tokens with those of [`super::tokens`].

use std::ops::Range;

use super::attributes::{AttributePlace, Attributes};
use super::place;
use super::tag::Tag;
use super::tokens::{StartTag, TokenSink, tag_name};

/// Reads a document to its end in linear time, and tolerates any error in it.
pub fn read<'a>(html: &'a str, sink: &mut dyn TokenSink<'a>) {
    let mut reader = Reader {
        html,
        at: 0,
        text_start: 0,
        attributes: Vec::new(),
        foreign: None,
        html_within: None,
        sink,
    };
    while let Some(offset) = reader.rest().find('<') {
        reader.at += offset;
        if reader.token().is_none() {
            break;
        }
    }
    let is_in_tag = reader.begins_tag();
    reader.pass_text(if is_in_tag { reader.at } else { html.len() });
}

/// The elements of SVG and MathML whose content is HTML (HTML standard, "integration point").
const HOLDERS_OF_HTML: [&str; 8] = [
    "title",
    "desc",
    "foreignObject",
    "mi",
    "mo",
    "mn",
    "ms",
    "mtext",
];

struct Reader<'a, 's> {
    html: &'a str,
    at: usize,
    /// The start of the text that the sink has not received yet.
    text_start: usize,
    /// The attributes of the current tag, in a reused allocation.
    attributes: Vec<AttributePlace>,
    /// The name of the open `svg` or `math` element.
    foreign: Option<&'a str>,
    /// The name of the open element inside `foreign` whose content is HTML.
    html_within: Option<&'a str>,
    sink: &'s mut dyn TokenSink<'a>,
}

impl<'a> Reader<'a, '_> {
    fn slice(&self, span: Range<usize>) -> &'a str {
        self.html.get(span).unwrap_or_default()
    }

    fn rest(&self) -> &'a str {
        self.slice(self.at..self.html.len())
    }

    /// Whether a tag begins here.
    fn begins_tag(&self) -> bool {
        let name = self.rest().strip_prefix('<').unwrap_or_default();
        let name = name.strip_prefix('/').unwrap_or(name);
        name.starts_with(|c: char| c.is_ascii_alphabetic())
    }

    /// Passes the text up to an offset to the sink.
    fn pass_text(&mut self, end: usize) {
        let text = self.text_start..end;
        if !text.is_empty() {
            self.sink.text(self.slice(text.clone()), text);
        }
        self.text_start = end;
    }

    /// Passes the text before a token to the sink, and moves to `end`, the token's end. Returns the token's range.
    fn reached(&mut self, end: usize) -> Range<usize> {
        let span = self.at..end;
        self.pass_text(span.start);
        (self.at, self.text_start) = (end, end);
        span
    }

    /// Reads the markup that begins with `<`; `None` for a tag that does not end.
    fn token(&mut self) -> Option<()> {
        let rest = self.rest();
        if self.begins_tag() {
            let end = self.tag_end()?;
            let span = self.reached(end);
            if rest.starts_with("</") {
                self.end_tag(span);
            } else {
                self.start_tag(span);
            }
        } else if let Some(section) = rest
            .strip_prefix("<![CDATA[")
            .filter(|_| self.foreign.is_some() && self.html_within.is_none())
        {
            let length = section.find("]]>").map_or(section.len(), |end| end + 3);
            self.at += rest.len() - section.len() + length;
        } else if rest.starts_with("</>") {
            // Browsers drop `</>`.
            _ = self.reached(self.at + 3);
        } else if let Some(length) = comment_length(rest) {
            let span = self.reached(self.at + length);
            self.sink.comment(span);
        } else {
            self.at += 1;
        }
        Some(())
    }

    /// Reads the attributes of the tag that begins here, and returns the tag's end.
    fn tag_end(&mut self) -> Option<usize> {
        self.attributes.clear();
        let bytes = self.html.as_bytes();
        let is_end = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>');
        let skip = |from: usize, holds: &dyn Fn(u8) -> bool| {
            let rest = bytes.get(from..).unwrap_or_default();
            from + rest.iter().take_while(|byte| holds(**byte)).count()
        };
        let mut at = skip(self.at + 1, &|byte| byte == b'/');
        at = skip(at, &|byte| !is_end(byte));
        loop {
            at = skip(at, &|byte| byte.is_ascii_whitespace() || byte == b'/');
            if bytes.get(at)? == &b'>' {
                return Some(at + 1);
            }
            // A name may begin with an equals sign.
            let name = (at, skip(at + 1, &|byte| !is_end(byte) && byte != b'='));
            at = skip(name.1, &|byte| byte.is_ascii_whitespace());
            let mut value = (0, 0);
            if bytes.get(at)? == &b'=' {
                at = skip(at + 1, &|byte| byte.is_ascii_whitespace());
                let quote = *bytes.get(at)?;
                if matches!(quote, b'"' | b'\'') {
                    value = (at + 1, skip(at + 1, &|byte| byte != quote));
                    at = value.1 + 1;
                } else {
                    value = (
                        at,
                        skip(at, &|byte| !byte.is_ascii_whitespace() && byte != b'>'),
                    );
                    at = value.1;
                }
            }
            let placed = |(start, end)| (place(start), place(end));
            self.attributes.push(AttributePlace {
                name: placed(name),
                value: placed(value),
            });
        }
    }

    fn end_tag(&mut self, span: Range<usize>) {
        let name = tag_name(self.slice(span.start + 2..span.end));
        if self
            .foreign
            .is_some_and(|open| open.eq_ignore_ascii_case(name))
        {
            (self.foreign, self.html_within) = (None, None);
        }
        if self
            .html_within
            .is_some_and(|open| open.eq_ignore_ascii_case(name))
        {
            self.html_within = None;
        }
        self.sink.end_tag(name, span);
    }

    fn start_tag(&mut self, span: Range<usize>) {
        let name = tag_name(self.slice(span.start + 1..span.end));
        let tag = Tag::of(name);
        let is_self_closing = self.slice(span.clone()).ends_with("/>");
        let begins_foreign = matches!(tag, Tag::Svg | Tag::Math);
        let is_within = self.foreign.is_some() && self.html_within.is_none();
        let holds_html = HOLDERS_OF_HTML
            .iter()
            .any(|known| known.eq_ignore_ascii_case(name));
        let holds_html = is_within && holds_html;
        let is_foreign = begins_foreign || is_within && !holds_html;
        if holds_html && !is_self_closing {
            self.html_within = Some(name);
        }
        if begins_foreign && self.foreign.is_none() && !is_self_closing {
            self.foreign = Some(name);
        }
        self.sink.start_tag(&StartTag {
            tag,
            name,
            attributes: Attributes {
                html: self.html,
                places: &self.attributes,
            },
            span,
            is_foreign,
            is_self_closing,
        });
        if tag == Tag::Plaintext {
            self.at = self.html.len();
        } else if tag.holds_raw_text() && !is_foreign && !holds_html {
            self.at = self.raw_text_end(name);
        }
    }

    /// The end of an element's raw text: the start of its end tag.
    fn raw_text_end(&self, name: &str) -> usize {
        let text = self.rest();
        let is_end = |(at, _): &(usize, &str)| {
            let tag = text.get(at + 2..).unwrap_or_default();
            tag_name(tag).eq_ignore_ascii_case(name) && tag.len() > name.len()
        };
        let end = text.match_indices("</").find(is_end);
        end.map_or(self.html.len(), |(at, _)| self.at + at)
    }
}

/// The length of a comment or document type, or of markup that browsers read as a comment; `None` for other markup.
fn comment_length(rest: &str) -> Option<usize> {
    if let Some(comment) = rest.strip_prefix("<!--") {
        let before = rest.len() - comment.len();
        for short in [">", "->"] {
            if comment.starts_with(short) {
                return Some(before + short.len());
            }
        }
        let is_end = |(at, _): &(usize, &str)| {
            let inside = comment.get(..*at).unwrap_or_default();
            inside.ends_with("--") || inside.ends_with("--!")
        };
        let end = comment
            .match_indices('>')
            .find(is_end)
            .map(|(at, _)| at + 1);
        return Some(end.map_or(rest.len(), |end| before + end));
    }
    let begins = ["<!", "<?", "</"].iter().any(|mark| rest.starts_with(mark));
    let is_text = rest == "</";
    (begins && !is_text).then(|| rest.find('>').map_or(rest.len(), |end| end + 1))
}
