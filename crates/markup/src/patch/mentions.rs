//! What in a document names an element by its id, besides `aria-describedby`.

use std::collections::BTreeSet;
use std::ops::Range;

use super::plain::is_of_script;
use crate::html::tokens::{self, StartTag, TokenSink};

/// The attributes that name elements by their ids alone.
const REFERENCES: &[&str] = &[
    "aria-activedescendant",
    "aria-controls",
    "aria-details",
    "aria-errormessage",
    "aria-flowto",
    "aria-labelledby",
    "aria-owns",
    "commandfor",
    "for",
    "form",
    "headers",
    "list",
    "popovertarget",
];

/// Whether an attribute, a link, a script or a style names one of these ids.
pub(super) fn names_any(html: &str, ids: &BTreeSet<String>) -> bool {
    let mut mentions = Mentions { ids, is_any: false };
    tokens::read(html, &mut mentions);
    mentions.is_any
}

struct Mentions<'i> {
    ids: &'i BTreeSet<String>,
    is_any: bool,
}

impl Mentions<'_> {
    /// Whether a text has an id of those behind one of these signs.
    fn has_behind(&self, text: &str, signs: &[char]) -> bool {
        let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
        self.ids.iter().any(|id| {
            let mut places = text.match_indices(&**id);
            places.any(|(at, id)| {
                let before = text.get(..at).unwrap_or_default();
                let behind = text.get(at + id.len()..).unwrap_or_default();
                before.ends_with(signs) && !behind.starts_with(goes_on)
            })
        })
    }
}

impl<'a> TokenSink<'a> for Mentions<'_> {
    fn start_tag(&mut self, tag: &StartTag<'a, '_>) {
        for attribute in tag.attributes.iter() {
            let value = attribute.value();
            let mut references = REFERENCES.iter();
            let is_named = match attribute.name {
                name if references.any(|known| known.eq_ignore_ascii_case(name)) => {
                    let mut ids = value.split_ascii_whitespace();
                    ids.any(|id| self.ids.contains(id))
                }
                name if is_of_script(name) => {
                    self.ids.contains(&*value) || self.has_behind(&value, &['#', '\'', '"', '`'])
                }
                _ => self.has_behind(&value, &['#']),
            };
            self.is_any |= is_named;
        }
    }

    fn end_tag(&mut self, _name: &'a str, _span: Range<usize>) -> bool {
        false
    }

    fn text(&mut self, raw: &'a str, _span: Range<usize>) {
        self.is_any |= self.has_behind(raw, &['#', '\'', '"', '`']);
    }
}
