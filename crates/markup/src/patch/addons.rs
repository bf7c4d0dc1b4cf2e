//! The add-ons of a control: a unit, the start of an address, a picture that readers are not told of,
//! beside it in an element that holds no other field.

use std::ops::Range;

use super::Patch;
use super::belongings::MARK_ATTRIBUTES;
use super::gone::Gone;
use super::plain::ATTRIBUTES;
use crate::html::entities::decode_text;
use crate::html::text::collapse;
use crate::html::tokens::{self, StartTag, TokenSink};

/// The most bytes that are read on one side of a control, and the most signs and words of a text there.
const MAX_BYTES: usize = 8_000;
const MAX_SIGNS: usize = 40;
const MAX_WORDS: usize = 4;

/// The most signs of a unit, as `kg`.
const MAX_UNIT: usize = 5;

/// The elements that hold the text of an add-on.
const ELEMENTS: &[&str] = &[
    "abbr", "b", "div", "em", "font", "i", "small", "span", "strong", "sub", "sup", "u",
];

/// The attributes of a picture that goes.
const OF_PICTURE: &[&str] = &[
    "alt",
    "aria-hidden",
    "class",
    "decoding",
    "height",
    "loading",
    "sizes",
    "src",
    "srcset",
    "width",
];

/// The words of classes that say what an element is.
const CLASSES: &[&str] = &[
    "addon",
    "add-on",
    "affix",
    "append",
    "input-group",
    "prefix",
    "prepend",
    "suffix",
];

impl Patch<'_> {
    /// Whether nothing stays of the content of an element but add-ons of the control in it.
    pub(super) fn holds_addons_only(&self, gone: &Gone, content: Range<usize>) -> bool {
        let control = self.place.offset as usize;
        let fields = self.offsets_in(&content);
        if !content.contains(&control) || !fields.iter().all(|at| gone.holds(*at as usize)) {
            return false;
        }
        let label = self.texts_at(&self.place.label, false);
        let is_named_outside =
            !label.is_empty() && !label.iter().any(|text| content.contains(&text.start));
        gone.rest(content).all(|rest| {
            let is_behind = rest.start > control;
            self.addons(&rest)
                .is_some_and(|addons| addons.is_one(is_named_outside, is_behind))
        })
    }

    /// What some bytes say, if they hold nothing but plain elements and hidden pictures.
    fn addons(&self, bytes: &Range<usize>) -> Option<Addons> {
        let html = self.html.get(bytes.clone())?;
        let mut addons = Addons {
            is_plain: html.len() <= MAX_BYTES,
            ..Addons::default()
        };
        if addons.is_plain {
            tokens::read(html, &mut addons);
        }
        addons.is_plain.then_some(addons)
    }
}

/// What stands on one side of a control.
#[derive(Default)]
struct Addons {
    text: String,
    /// Whether all of the text stands in elements whose class says that they are add-ons.
    has_unnamed: bool,
    is_plain: bool,
    /// For each open element whether its class, or that of one around it, says so.
    open: Vec<bool>,
    /// How many pictures that are drawn here are open.
    drawn: usize,
}

impl Addons {
    fn is_one(&self, is_named_outside: bool, is_behind: bool) -> bool {
        let text = collapse(&self.text);
        let signs = text.chars().count();
        let words = text.split_whitespace().count();
        let ends = text.ends_with(['.', '!', '?', ':', ';', '\u{2026}', '\u{3002}']);
        let says_sentence = ends || text.contains(". ") || words > MAX_WORDS || signs > MAX_SIGNS;
        let is_address = words == 1 && text.contains(['/', '@']);
        let is_unit = is_behind && words == 1 && signs <= MAX_UNIT;
        let has_no_letter = !text.chars().any(char::is_alphabetic);
        let is_told =
            !self.has_unnamed || is_named_outside || is_address || is_unit || has_no_letter;
        text.is_empty() || (!says_sentence && is_told)
    }
}

impl<'a> TokenSink<'a> for Addons {
    fn start_tag(&mut self, tag: &StartTag<'a, '_>) {
        let is_among = |names: &[&str], name: &str| {
            let mut names = names.iter();
            names.any(|known| known.eq_ignore_ascii_case(name))
        };
        let value = |name| tag.attributes.find(name).map(|attribute| attribute.value());
        let is_hidden = || value("aria-hidden").is_some_and(|value| value.trim() == "true");
        let is_drawing = tag.name.eq_ignore_ascii_case("svg");
        if is_drawing || self.drawn > 0 {
            // What other drawings refer to stays.
            let does_more = tag.attributes.iter().any(|attribute| {
                let name = attribute.name.to_ascii_lowercase();
                name == "id" || name.starts_with("on")
            });
            let runs = is_among(&["script", "style", "foreignobject"], tag.name);
            self.is_plain &= !does_more && !runs && (self.drawn > 0 || is_hidden());
            self.drawn += usize::from(is_drawing);
            return;
        }
        if tag.name.eq_ignore_ascii_case("img") {
            let is_unsaid = value("alt").is_some_and(|alt| alt.trim().is_empty()) || is_hidden();
            let mut attributes = tag.attributes.iter();
            self.is_plain &= is_unsaid && attributes.all(|a| is_among(OF_PICTURE, a.name));
            return;
        }
        self.is_plain &= is_among(ELEMENTS, tag.name)
            && tag.attributes.iter().all(|attribute| {
                is_among(ATTRIBUTES, attribute.name) || is_among(MARK_ATTRIBUTES, attribute.name)
            });
        let class = value("class").unwrap_or_default().to_ascii_lowercase();
        let says = CLASSES.iter().any(|word| class.contains(word));
        let is_within = self.open.last().copied().unwrap_or_default();
        self.open.push(says || is_within);
    }

    fn end_tag(&mut self, name: &'a str, _span: Range<usize>) -> bool {
        match name.eq_ignore_ascii_case("svg") {
            true => self.drawn = self.drawn.saturating_sub(1),
            false if self.drawn == 0 => _ = self.open.pop(),
            false => {}
        }
        false
    }

    fn text(&mut self, raw: &'a str, _span: Range<usize>) {
        if self.drawn > 0 {
            return;
        }
        let text = decode_text(raw);
        let is_named = self.open.last().copied().unwrap_or_default();
        self.has_unnamed |= !is_named && !text.trim().is_empty();
        self.text.push_str(&text);
    }

    fn comment(&mut self, _span: Range<usize>) {
        self.is_plain = false;
    }
}
