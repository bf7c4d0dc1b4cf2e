//! Putting a new field into the author's HTML, in bytes of its own.
//!
//! A field without a position goes last of those that ask for an answer: before what follows the last
//! of them, be it a text or the button that sends. With a `group` it is the last in the step, fieldset
//! or container of that name.

use std::ops::Range;

use super::place::Span;
use super::spots::Spot;
use super::why::{self, NotPatched, Why};
use super::{Patch, Patched};
use crate::html::edits::Edits;
use crate::html::tag::Tag;
use crate::read::parse;
use crate::render::{RenderOptions, render};
use model::{Field, FormSchema};

/// No place of the markup takes a block of HTML.
const NO_PLACE: Why = Why(
    "",
    "its place is within a line of text, a row of a table or a list of terms",
);

/// How many of the fields before a new one are looked at for one that it is made like.
const MAX_NEIGHBOURS: usize = 5;

/// Bytes to be written into the markup.
struct Written {
    at: usize,
    text: String,
    /// The element around.
    around: Option<usize>,
}

impl Patch<'_> {
    /// Puts a field into the first of its places that takes it.
    pub(super) fn add(
        &mut self,
        field: &Field,
        position: Option<usize>,
    ) -> Result<Patched, NotPatched> {
        let position = position.map(|position| self.before_buttons(field, position));
        let mut refused = None;
        for (spot, has_group) in self.spots(field, position) {
            let alike = match has_group {
                true => None,
                false => self.written_alike(spot, field),
            };
            if let Some(Ok(patched)) = alike.map(|written| self.with(&written, field, position)) {
                return Ok(patched);
            }
            let added = match self.written(spot, field, has_group) {
                Some(written) => self.with(&written, field, position),
                None => Err(NotPatched::of(field, NO_PLACE)),
            };
            match added {
                Ok(patched) => return Ok(patched),
                Err(why) => _ = refused.get_or_insert(why),
            }
        }
        Err(refused.unwrap_or_else(|| NotPatched::of(field, NO_PLACE)))
    }

    /// What is written to have the field in a place; nothing where no block may stand.
    fn written(&mut self, spot: Spot, field: &Field, has_group: bool) -> Option<Written> {
        let html = self.html;
        let own = rendered(field, has_group);
        let (span, is_before) = match spot {
            Spot::Before(index) => (self.with_buttons_before(index)?, true),
            Spot::Behind(index) => (self.with_line(index)?, false),
            Spot::InRows(index) => (self.row_of(index)?, false),
            Spot::Within(element) => {
                let content = self.outline.elements.get(element)?.content();
                let bytes = html.get(content.clone())?;
                let at = content.start + bytes.trim_ascii_end().len();
                let text = format!("\n{own}");
                return self.takes_block(element).then_some(Written {
                    at,
                    text,
                    around: Some(element),
                });
            }
            Spot::End => {
                let at = self.outline.form_end.unwrap_or(html.len());
                let around = self.outline.around(&(at..at)).find(|element| {
                    let element = self.outline.elements.get(*element);
                    element.is_some_and(|element| element.span().end > at)
                });
                let text = format!("{own}\n");
                return Some(Written { at, text, around });
            }
        };
        let around = span.around;
        let kind = around.and_then(|around| self.outline.elements.get(around));
        let own = match kind.map(|element| element.name) {
            // Among columns only one that is as they are.
            Some(Tag::Div) if matches!(spot, Spot::InRows(_)) => return None,
            Some(Tag::Ul | Tag::Ol | Tag::Menu) => format!("<li>\n{own}\n</li>"),
            Some(Tag::Table | Tag::Tbody | Tag::Thead | Tag::Tfoot) => {
                let cells = self.cells_in(&span.bytes)?;
                match cells {
                    1 => format!("<tr><td>\n{own}\n</td></tr>"),
                    cells => format!("<tr><td colspan=\"{cells}\">\n{own}\n</td></tr>"),
                }
            }
            _ if around.is_none_or(|around| self.takes_block(around)) => own,
            _ => return None,
        };
        self.beside(&span, is_before, own)
    }

    /// What is written to have a field beside another, looking as that one does.
    fn written_alike(&mut self, spot: Spot, field: &Field) -> Option<Written> {
        let (index, span, is_before) = match spot {
            Spot::Before(index) => (index, self.with_buttons_before(index)?, true),
            Spot::Behind(index) => (index, self.with_line(index)?, false),
            Spot::InRows(index) => (index, self.row_of(index)?, false),
            Spot::Within(_) | Spot::End => return None,
        };
        // The nearest before its place, else the one behind.
        let first = match is_before {
            true => index.checked_sub(1),
            false => Some(index),
        };
        let before = first.into_iter().flat_map(|first| (0..=first).rev());
        let behind = is_before.then_some(index);
        let mut beside = before.take(MAX_NEIGHBOURS).chain(behind);
        beside.find_map(|index| {
            let known = match spot {
                Spot::InRows(_) => self.row_of(index)?,
                _ => self.span_of(index)?,
            };
            if known.around != span.around {
                return None;
            }
            let own = self.made_alike(index, &known.bytes, field)?;
            self.beside(&span, is_before, own)
        })
    }

    /// A field's HTML before or behind another field.
    fn beside(&self, span: &Span, is_before: bool, own: String) -> Option<Written> {
        let around = span.around;
        let before = self.html.get(..span.bytes.start)?;
        let space = before.get(before.trim_ascii_end().len()..)?;
        let space = match space.contains('\n') {
            true => space,
            false => "\n",
        };
        Some(match is_before {
            true => Written {
                at: span.bytes.start,
                text: format!("{own}{space}"),
                around,
            },
            false => Written {
                at: span.bytes.end,
                text: format!("{space}{own}"),
                around,
            },
        })
    }

    /// How many cells the row has that is those bytes.
    fn cells_in(&self, bytes: &Range<usize>) -> Option<usize> {
        let row = self.outline.at(bytes.start)?;
        let is_cell = |index: &usize| {
            let element = self.outline.elements.get(*index);
            let is_own = element.and_then(|e| e.around()) == Some(row);
            is_own && element.is_some_and(|e| matches!(e.name, Tag::Td | Tag::Th))
        };
        let cells = self.outline.within(row).filter(is_cell).count();
        (self.is(row, Tag::Tr) && cells > 0).then_some(cells)
    }

    /// The markup with the field, if that reads as the field asked for, and every other as it was.
    fn with(
        &self,
        written: &Written,
        field: &Field,
        position: Option<usize>,
    ) -> Result<Patched, NotPatched> {
        let mut edits = Edits::default();
        edits.insert(written.at, written.text.clone());
        let markup = edits.apply(self.html);
        if !self.keeps_the_tree(written, &markup) {
            return Err(NotPatched::of(field, NO_PLACE));
        }
        let found = parse(&markup).map_err(|_| NotPatched::of(field, why::NOT_READ))?;
        let wanted = self.wanted(&found.schema, field, position);
        match why::difference(&wanted, &found.schema, field, None) {
            Some(difference) => Err(difference),
            None => Ok(Patched {
                markup,
                schema: wanted,
            }),
        }
    }

    /// What the markup is to read as: the field is where it was put, in the group that it asks for or,
    /// where it asks for none, in that of its place.
    fn wanted(&self, found: &FormSchema, field: &Field, position: Option<usize>) -> FormSchema {
        let mut wanted = self.read.schema.clone();
        let is_it = |known: &Field| known.name == field.name;
        let place = found.fields.iter().position(is_it);
        let place = place.unwrap_or(wanted.fields.len());
        let place = position.map_or(place, |position| position.min(wanted.fields.len()));
        let mut field = field.clone();
        let read = found.fields.get(place);
        if field.group.is_none() {
            field.group = read.and_then(|read| read.group.clone());
        }
        // One that looks as those beside it.
        if let Some(read) = read.filter(|_| field.css_class.is_empty()) {
            field.css_class.clone_from(&read.css_class);
        }
        let name = field.name.clone();
        wanted.fields.insert(place.min(wanted.fields.len()), field);
        for (position, field) in (0..).zip(&mut wanted.fields) {
            field.position = position;
        }
        let found_steps = found.layout.steps.iter().flatten();
        for (step, found) in wanted.layout.steps.iter_mut().flatten().zip(found_steps) {
            if let Some(place) = found.fields.iter().position(|member| *member == name) {
                step.fields
                    .insert(place.min(step.fields.len()), name.clone());
            }
        }
        wanted
    }

    /// Whether a browser sees what is written where it is meant to stand, and all else where it was.
    fn keeps_the_tree(&self, written: &Written, markup: &str) -> bool {
        let changed = super::outline::Outline::of(markup);
        let own = written.at..written.at + written.text.len();
        let is_kept = |index: &usize| {
            let element = changed.elements.get(*index);
            element.is_some_and(|element| !own.contains(&element.span().start))
        };
        let kept: Vec<usize> = (0..changed.elements.len()).filter(is_kept).collect();
        let first = changed.elements.get(changed.at_or_behind(own.start));
        let around = first.and_then(|element| element.around());
        // What does not begin with its first tag stands in a comment that does not end.
        let start = own.start + (written.text.len() - written.text.trim_ascii_start().len());
        let is_seen = first.is_some_and(|element| element.span().start == start);
        let all: Vec<usize> = (0..self.outline.elements.len()).collect();
        is_seen && around == written.around && changed.is_same_tree(&kept, &self.outline, &all)
    }
}

/// A field's HTML, with the element that says its group or without.
pub(super) fn rendered(field: &Field, has_group: bool) -> String {
    let mut field = field.clone();
    if !has_group {
        field.group = None;
    }
    let page = render(&FormSchema::of(vec![field]), &RenderOptions::default());
    // Without the element around the fields, which speaks for the whole form.
    let inner = page.split_once('\n');
    let inner = inner.and_then(|(_, rest)| rest.strip_suffix("</div>\n"));
    inner.unwrap_or_default().trim_ascii_end().to_owned()
}
