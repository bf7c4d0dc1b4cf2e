//! Adds the paragraphs and line breaks that Contact Form 7 creates from an author's lines ("autop"). Text between empty
//! lines becomes a `<p>`, and a line's end becomes a `<br>`. Blocks stay outside paragraphs. Elements with raw or
//! verbatim text (`<textarea>`, `<script>`, `<style>`, `<pre>`, `<template>`) stay unchanged.
//!
//! One difference from the plugin: a block in an inline element, such as a `<div>` in a `<label>`, gets no
//! paragraph around it. The plugin would end the label before the block.

use std::ops::Range;

use markup::plain_tokens;
use markup::tag::Tag;
use markup::tokens::{StartTag, TokenSink};

/// Begins the placeholder of an inline form-tag.
pub(super) const INLINE: char = '\u{fdd0}';

/// Begins the placeholder of a form-tag without visible content.
pub(super) const HIDDEN: char = '\u{fdd1}';

/// Whether a character belongs to a placeholder: [`INLINE`] or [`HIDDEN`], then the tag's number in such
/// characters. No document contains them (Unicode, "noncharacters").
pub(super) const fn is_placeholder(c: char) -> bool {
    matches!(c, '\u{fdd0}'..='\u{fdef}')
}

/// Maximum depth of nested elements; a deeper document is left unchanged.
const MAX_DEPTH: usize = 200;

/// An element's role in the creation of paragraphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A paragraph itself.
    Paragraph,
    /// An element that may contain paragraphs.
    Holder,
    /// An element that neither contains paragraphs nor belongs in one; the flag says whether its line ends become
    /// `<br>`.
    Apart(bool),
    /// An element that belongs in a paragraph; the flag says whether its line ends become `<br>`.
    Inline(bool),
    /// An element whose text stays unchanged.
    Verbatim,
    /// Any other element.
    Other,
}

fn kind_of(start: &StartTag<'_, '_>) -> Kind {
    use Kind::{Apart, Holder, Inline, Other, Paragraph, Verbatim};
    match start.tag {
        _ if start.is_foreign => Other,
        Tag::P => Paragraph,
        Tag::Pre | Tag::Template => Verbatim,
        Tag::Summary | Tag::Legend => Apart(true),
        tag if tag.is_heading() => Apart(true),
        Tag::Caption | Tag::Td | Tag::Th | Tag::Dd | Tag::Dt | Tag::Li | Tag::Form | Tag::Body => {
            Holder
        }
        Tag::Dl | Tag::Hgroup | Tag::Menu | Tag::Ol | Tag::Ul | Tag::Hr => Apart(false),
        Tag::Table | Tag::Head | Tag::Html | Tag::Style | Tag::Title => Apart(false),
        tag if tag.is_table_part() => Apart(false),
        tag if tag.is_block() => Holder,
        Tag::Script | Tag::Svg | Tag::Math => Other,
        Tag::Select | Tag::Optgroup | Tag::Option => Inline(false),
        tag if tag.holds_raw_text() => Inline(false),
        Tag::Other if start.name.contains('-') => Other,
        _ => Inline(true),
    }
}

/// Adds the plugin's paragraphs and line breaks to an author's HTML.
pub(super) fn with_paragraphs(html: &str) -> String {
    let mut writer = Writer {
        html,
        out: String::with_capacity(html.len() + html.len() / 4),
        ..Writer::default()
    };
    plain_tokens::read(html, &mut writer);
    writer.finish()
}

#[derive(Default)]
struct Writer<'a> {
    html: &'a str,
    /// The offset in `html` after the last token.
    written_to: usize,
    /// The text since the last tag, with a line feed for each `<br>`.
    text: String,
    out: String,
    open: Vec<(&'a str, Kind)>,
    /// The offset in `out` of the open `<p>`, if the writer added it.
    paragraph_start: Option<usize>,
    /// The offset in `out` of the last `<br>`, while nothing visible follows it.
    last_break: Option<usize>,
    is_too_deep: bool,
}

impl<'a> TokenSink<'a> for Writer<'a> {
    fn start_tag(&mut self, start: &StartTag<'a, '_>) {
        self.written_to = start.span.end;
        if self.is_too_deep {
            return;
        }
        if start.tag == Tag::Br {
            self.text.push('\n');
            return;
        }
        self.write_text();
        let kind = kind_of(start);
        match kind {
            Kind::Inline(_) => {
                let is_inside = |(_, kind): &(&str, Kind)| {
                    matches!(kind, Kind::Paragraph | Kind::Inline(_) | Kind::Verbatim)
                };
                let is_apart = matches!(self.parent(), Some(Kind::Apart(_)));
                if !is_apart && !self.open.iter().any(is_inside) {
                    self.begin_paragraph();
                }
            }
            Kind::Paragraph | Kind::Holder | Kind::Apart(_) | Kind::Verbatim => {
                self.end_paragraph()
            }
            Kind::Other => {}
        }
        if !start.tag.is_void() {
            self.open.push((start.name, kind));
            self.is_too_deep |= self.open.len() > MAX_DEPTH;
        }
        self.write(start.span.clone());
    }

    fn end_tag(&mut self, name: &'a str, span: Range<usize>) {
        self.written_to = span.end;
        if self.is_too_deep {
            return;
        }
        self.write_text();
        let is_paragraph = Tag::of(name) == Tag::P;
        let has_name = |(open_name, _): &(&str, Kind)| open_name.eq_ignore_ascii_case(name);
        let Some(place) = self.open.iter().rposition(has_name) else {
            // A `</p>` without a start tag is dropped, because browsers turn it into an empty paragraph.
            if !is_paragraph {
                self.write(span);
            }
            return;
        };
        let ended = self.open.split_off(place);
        let kind = ended.first().map(|(_, kind)| *kind);
        if !matches!(kind, Some(Kind::Inline(_) | Kind::Other)) {
            self.cut_break();
        }
        let ends_paragraph = ended.iter().any(|(_, kind)| *kind == Kind::Paragraph);
        if ends_paragraph && self.paragraph_start.take().is_some() && !is_paragraph {
            self.cut_break();
            self.out.push_str("</p>");
        }
        self.write(span);
    }

    fn text(&mut self, raw: &'a str, span: Range<usize>) {
        self.written_to = span.end;
        self.text.push_str(raw);
    }

    fn comment(&mut self, span: Range<usize>) {
        self.written_to = span.end;
        self.write_text();
        self.write(span);
    }
}

impl Writer<'_> {
    fn parent(&self) -> Option<Kind> {
        self.open.last().map(|(_, kind)| *kind)
    }

    fn write(&mut self, span: Range<usize>) {
        self.last_break = None;
        self.out.push_str(self.html.get(span).unwrap_or_default());
    }

    fn begin_paragraph(&mut self) {
        self.paragraph_start = Some(self.out.len());
        self.out.push_str("<p>");
        self.open.push(("p", Kind::Paragraph));
    }

    /// Ends the open paragraph, if there is one.
    fn end_paragraph(&mut self) {
        let is_paragraph = |(_, kind): &(&str, Kind)| *kind == Kind::Paragraph;
        let Some(place) = self.open.iter().rposition(is_paragraph) else {
            return;
        };
        self.cut_break();
        let paragraph_start = self.paragraph_start.take();
        if place + 1 == self.open.len() {
            self.open.truncate(place);
            self.out.push_str("</p>");
        } else if let Some(start) = paragraph_start {
            // Ending the paragraph here would also end its open inline elements. So the paragraph's start tag is
            // removed instead.
            self.open.remove(place);
            self.cut(start, "<p>");
        } else {
            self.open.truncate(place);
        }
    }

    /// Removes a `<br>` at the end of a block.
    fn cut_break(&mut self) {
        if let Some(start) = self.last_break.take() {
            self.cut(start, "<br>");
        }
    }

    /// Removes a tag from `out`.
    fn cut(&mut self, start: usize, tag: &str) {
        let rest = self.out.split_off(start + tag.len());
        self.out.truncate(start);
        self.out.push_str(&rest);
    }

    fn write_text(&mut self) {
        let text = std::mem::take(&mut self.text);
        let (makes_paragraphs, breaks) = match self.parent() {
            None | Some(Kind::Paragraph | Kind::Holder) => (true, false),
            Some(Kind::Apart(breaks) | Kind::Inline(breaks)) => (false, breaks),
            Some(Kind::Verbatim | Kind::Other) => (false, false),
        };
        let is_verbatim = self.open.iter().any(|(_, kind)| *kind == Kind::Verbatim);
        if is_verbatim || !(makes_paragraphs || breaks) {
            self.out.push_str(&text);
            return;
        }
        let is_space = |c: char| c.is_ascii_whitespace();
        let mut rest = text.as_str();
        while !rest.is_empty() {
            let (word, after) = rest.split_at(rest.find(is_space).unwrap_or(rest.len()));
            let end = after.find(|c| !is_space(c)).unwrap_or(after.len());
            let (space, next) = after.split_at(end);
            rest = next;
            let shown = word.trim_matches(|c| c != INLINE && is_placeholder(c));
            if !shown.is_empty() {
                if makes_paragraphs && self.parent() != Some(Kind::Paragraph) {
                    self.begin_paragraph();
                }
                self.last_break = None;
            }
            self.out.push_str(word);
            let lines = space.bytes().filter(|byte| *byte == b'\n').count();
            if makes_paragraphs && lines > 1 {
                self.end_paragraph();
            } else if lines > 0 && (breaks || self.parent() == Some(Kind::Paragraph)) {
                self.last_break = Some(self.out.len());
                self.out.push_str("<br>");
            }
            self.out.push_str(space);
        }
    }

    fn finish(mut self) -> String {
        if self.is_too_deep {
            return self.html.to_owned();
        }
        self.write_text();
        self.end_paragraph();
        // The rest of the HTML is an unfinished tag.
        self.write(self.written_to..self.html.len());
        self.out
    }
}
