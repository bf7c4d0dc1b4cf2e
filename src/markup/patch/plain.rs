//! Elements that lay out a field and do nothing else: they may be copied and go with it.

use std::ops::Range;

use super::Patch;
use super::outline::Element;
use crate::markup::html::tokens::{self, StartTag, TokenSink};

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

    /// Whether a control is kept from visitors, as spam traps are: by its own attributes or by those of
    /// an element around it in those bytes. What a site's own class hides cannot be known.
    pub(super) fn is_kept_from_visitors(&self, control: usize, bytes: &Range<usize>) -> bool {
        let span = self
            .outline
            .elements
            .get(control)
            .map_or(0..0, Element::span);
        let is_within = |index: &usize| {
            let element = self.outline.elements.get(*index);
            element.is_some_and(|element| element.span().start >= bytes.start)
        };
        let says = |index: usize, name: &str, value: &str| {
            let own = self.outline.value(index, name);
            own.is_some_and(|own| own.trim().eq_ignore_ascii_case(value))
        };
        let index = self.outline.value(control, "tabindex");
        let is_trap = index.is_some_and(|index| index.trim().starts_with('-'))
            || says(control, "autocomplete", "off");
        let mut holders = self.outline.around(&span).take_while(is_within);
        is_trap
            || holders.any(|holder| {
                let style = self.outline.value(holder, "style").unwrap_or_default();
                let style = style.to_ascii_lowercase();
                let class = self.outline.value(holder, "class").unwrap_or_default();
                let mut classes = class.split_ascii_whitespace();
                self.outline.value(holder, "hidden").is_some()
                    || says(holder, "aria-hidden", "true")
                    || HIDING_STYLES.iter().any(|hiding| style.contains(hiding))
                    || classes.any(|class| HIDING_CLASSES.contains(&class))
            })
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
