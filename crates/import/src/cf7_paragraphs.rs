//! The paragraphs and line breaks that Contact Form 7 makes of an author's lines ("autop"): text between
//! empty lines becomes a `<p>`, a line's end a `<br>`. Blocks stand in no paragraph, and what holds text
//! alone or as it is written (`<textarea>`, `<script>`, `<style>`, `<pre>`, `<template>`) stays as it is.
//!
//! In one thing it is kinder than the plugin: where a block stands in an inline element, such as a
//! `<div>` in a `<label>`, there is no paragraph around that, rather than an end of the label before the
//! block.

use std::ops::Range;

use markup::tag::Tag;
use markup::tokens::{self, StartTag, TokenSink};

/// Begins the stand-in of a form-tag that is a part of a line.
pub(super) const INLINE: char = '\u{fdd0}';

/// Begins the stand-in of a form-tag that shows nothing.
pub(super) const HIDDEN: char = '\u{fdd1}';

/// Whether a character belongs to a stand-in: [`INLINE`] or [`HIDDEN`], then the number of the tag
/// in such characters. No document has such (Unicode, "noncharacters").
pub(super) const fn is_stand_in(c: char) -> bool {
    matches!(c, '\u{fdd0}'..='\u{fdef}')
}

/// The deepest nesting that is followed; a deeper document is no form.
const MAX_DEPTH: usize = 200;

/// How an element relates to paragraphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A paragraph itself.
    Paragraph,
    /// An element that may hold paragraphs.
    Holder,
    /// Neither holds paragraphs nor stands in one; whether its lines break.
    Apart(bool),
    /// Stands within a paragraph; whether its lines break.
    Inline(bool),
    /// Keeps its text as it is.
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
        own if own.is_heading() => Apart(true),
        Tag::Caption | Tag::Td | Tag::Th | Tag::Dd | Tag::Dt | Tag::Li | Tag::Form | Tag::Body => {
            Holder
        }
        Tag::Dl | Tag::Hgroup | Tag::Menu | Tag::Ol | Tag::Ul | Tag::Hr => Apart(false),
        Tag::Table | Tag::Head | Tag::Html | Tag::Style | Tag::Title => Apart(false),
        own if own.is_table_part() => Apart(false),
        own if own.is_block() => Holder,
        Tag::Script | Tag::Svg | Tag::Math => Other,
        Tag::Select | Tag::Optgroup | Tag::Option => Inline(false),
        own if own.holds_raw_text() => Inline(false),
        Tag::Other if start.name.contains('-') => Other,
        _ => Inline(true),
    }
}

/// An author's HTML with the plugin's paragraphs and line breaks.
pub(super) fn with_paragraphs(html: &str) -> String {
    let mut writer = Writer {
        html,
        out: String::with_capacity(html.len() + html.len() / 4),
        ..Writer::default()
    };
    tokens::read(html, &mut writer);
    writer.finish()
}

#[derive(Default)]
struct Writer<'a> {
    html: &'a str,
    /// Up to where the HTML was written.
    written_to: usize,
    /// The text since the last tag but for `<br>`, which is a line's end.
    text: String,
    out: String,
    open: Vec<(&'a str, Kind)>,
    /// Where in `out` the open paragraph begins, if the author has not written it.
    own: Option<usize>,
    /// Where in `out` a line break is that nothing has followed yet.
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
                let is_inside = |(_, own): &(&str, Kind)| {
                    matches!(own, Kind::Paragraph | Kind::Inline(_) | Kind::Verbatim)
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
        let is_it = |(own, _): &(&str, Kind)| own.eq_ignore_ascii_case(name);
        let Some(place) = self.open.iter().rposition(is_it) else {
            // Browsers make an empty paragraph of an end without a start.
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
        if ends_paragraph && self.own.take().is_some() && !is_paragraph {
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
        self.own = Some(self.out.len());
        self.out.push_str("<p>");
        self.open.push(("p", Kind::Paragraph));
    }

    /// Ends the paragraph that is open, if one is.
    fn end_paragraph(&mut self) {
        let is_paragraph = |(_, kind): &(&str, Kind)| *kind == Kind::Paragraph;
        let Some(place) = self.open.iter().rposition(is_paragraph) else {
            return;
        };
        self.cut_break();
        let own = self.own.take();
        if place + 1 == self.open.len() {
            self.open.truncate(place);
            self.out.push_str("</p>");
        } else if let Some(start) = own {
            // Inline elements are open within it: it would end them.
            self.open.remove(place);
            self.cut(start, "<p>");
        } else {
            self.open.truncate(place);
        }
    }

    /// Takes a line break away that is the last of its block.
    fn cut_break(&mut self) {
        if let Some(start) = self.last_break.take() {
            self.cut(start, "<br>");
        }
    }

    /// Takes a tag away that was written; what follows it moves up once.
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
            let shown = word.trim_matches(|c| c != INLINE && is_stand_in(c));
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
        // A tag that does not end.
        self.write(self.written_to..self.html.len());
        self.out
    }
}
