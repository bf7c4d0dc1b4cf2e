//! Elements that lay out a field and do nothing else: they may be copied and go with it.

use std::ops::Range;

use super::Patch;
use super::holders::CONDITIONS;
use super::outline::Element;
use crate::html::tokens::{self, StartTag, TokenSink};
use crate::markers;

/// The elements that lay out fields or mark words.
const ELEMENTS: &[&str] = &[
    "abbr", "b", "bdi", "br", "center", "dd", "div", "dl", "dt", "em", "fieldset", "font", "i",
    "label", "legend", "li", "mark", "nobr", "ol", "p", "section", "small", "span", "strong",
    "sub", "sup", "table", "tbody", "td", "th", "tr", "u", "ul", "wbr",
];

/// The attributes that say nothing but how an element looks or what a label names.
pub(super) const ATTRIBUTES: &[&str] = &[
    "align", "bgcolor", "class", "color", "colspan", "dir", "face", "for", "lang", "nowrap",
    "scope", "size", "valign", "width",
];

/// The further elements that are text and nothing else.
const TEXTS: &[&str] = &[
    "a",
    "address",
    "blockquote",
    "caption",
    "cite",
    "code",
    "data",
    "del",
    "dfn",
    "figcaption",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "ins",
    "kbd",
    "pre",
    "q",
    "s",
    "samp",
    "time",
    "var",
];

/// What a style that hides an element sets.
const HIDING_STYLES: &[&str] = &[
    "clip",
    "display",
    "left",
    "opacity",
    "position",
    "text-indent",
    "top",
    "transform",
    "visibility",
];

/// The classes with which known frameworks hide an element.
const HIDING_CLASSES: &[&str] = &[
    "d-none",
    "hidden",
    "invisible",
    "sr-only",
    "visually-hidden",
];

impl Patch<'_> {
    /// Whether those bytes hold neither a comment nor an element that does more than to lay out others,
    /// but for the places that are known. A script counts too, of which the outline knows nothing.
    pub(super) fn is_all_plain(
        &self,
        bytes: &Range<usize>,
        is_known: impl Fn(usize) -> bool,
    ) -> bool {
        let mut plain = Plain {
            start: bytes.start,
            is_known,
            is_all: true,
        };
        tokens::read(self.html.get(bytes.clone()).unwrap_or_default(), &mut plain);
        plain.is_all
    }

    /// Whether those bytes hold a text alone: no picture, script, control or comment.
    pub(super) fn is_all_text(&self, bytes: &Range<usize>) -> bool {
        let mut text = AllText(true);
        tokens::read(self.html.get(bytes.clone()).unwrap_or_default(), &mut text);
        text.0
    }

    /// Whether a control is kept from visitors, as spam traps are: by its own attributes, or by those of
    /// an element around it in those bytes.
    /// What a site's own class hides cannot be known.
    pub(super) fn is_kept_from_visitors(&self, control: usize, bytes: &Range<usize>) -> bool {
        let value = |name: &str| self.outline.value(control, name);
        let says = |name: &str, value_of: &str| {
            value(name).is_some_and(|own| own.trim().eq_ignore_ascii_case(value_of))
        };
        let is_hidden = says("autocomplete", "off")
            || value("tabindex").is_some_and(|index| index.trim().starts_with('-'))
            || self.hides(control);
        let span = self.outline.elements.get(control).map(Element::span);
        let is_within = |index: &usize| {
            let element = self.outline.elements.get(*index);
            element.is_some_and(|element| element.span().start >= bytes.start)
        };
        let span = span.unwrap_or_default();
        let holders = self.outline.around(&span);
        let mut holders = holders.take_while(is_within);
        is_hidden || holders.any(|holder| self.hides(holder))
    }

    /// Whether an element hides what it holds, as far as its own attributes say.
    pub(super) fn hides(&self, element: usize) -> bool {
        let value = |name: &str| self.outline.value(element, name);
        let class = value("class").unwrap_or_default();
        let mut classes = class.split_ascii_whitespace();
        let is_for_nobody = |said: &str| said.trim().eq_ignore_ascii_case("true");
        value("hidden").is_some()
            || value("aria-hidden").is_some_and(|said| is_for_nobody(&said))
            || value("style").is_some_and(|style| {
                let style = style.to_ascii_lowercase();
                HIDING_STYLES.iter().any(|hiding| style.contains(hiding))
            })
            || classes.any(|class| HIDING_CLASSES.contains(&class))
    }
}

/// Whether all elements that begin in a text lay out others and do nothing else.
struct Plain<Known> {
    /// Where the text begins in the document.
    start: usize,
    is_known: Known,
    is_all: bool,
}

impl<'a, Known: Fn(usize) -> bool> TokenSink<'a> for Plain<Known> {
    fn start_tag(&mut self, tag: &StartTag<'a, '_>) {
        let is_among = |names: &[&str], name: &str| {
            let mut names = names.iter();
            names.any(|known| known.eq_ignore_ascii_case(name))
        };
        self.is_all = self.is_all
            && ((self.is_known)(self.start + tag.span.start)
                || is_among(ELEMENTS, tag.name)
                    && tag.attributes.iter().all(|a| is_among(ATTRIBUTES, a.name)));
    }

    fn end_tag(&mut self, _name: &'a str, _span: Range<usize>) -> bool {
        false
    }

    fn text(&mut self, _raw: &'a str, _span: Range<usize>) {}

    fn comment(&mut self, span: Range<usize>) {
        self.is_all = self.is_all && (self.is_known)(self.start + span.start);
    }
}

/// Whether an element of that name is text, with what it lays out.
pub(super) fn is_text(name: &str) -> bool {
    let mut names = ELEMENTS.iter().chain(TEXTS);
    names.any(|known| known.eq_ignore_ascii_case(name))
}

/// Whether all elements that begin in a text are a part of it, and run no script.
struct AllText(bool);

impl<'a> TokenSink<'a> for AllText {
    fn start_tag(&mut self, tag: &StartTag<'a, '_>) {
        self.0 &= is_text(tag.name) && tag.attributes.handler().is_none();
    }

    fn end_tag(&mut self, _name: &'a str, _span: Range<usize>) -> bool {
        false
    }

    fn text(&mut self, _raw: &'a str, _span: Range<usize>) {}

    fn comment(&mut self, _span: Range<usize>) {
        self.0 = false;
    }
}

/// Whether an attribute is an event handler, of the browser or of a known framework, or data of the
/// author's.
pub(super) fn is_of_script(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let is_read = name.starts_with(markers::PREFIX) || CONDITIONS.contains(&name.as_str());
    let mut known = ["on", "data-", "@", "x-on:", "v-on:"].iter();
    !is_read && known.any(|known| name.starts_with(known))
}
