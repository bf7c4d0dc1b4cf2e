//! Taking a field's elements away, each of them whole.

use std::ops::Range;

use super::outline::Outline;
use super::{Patch, Why, is_set};
use crate::forms::Field;
use crate::markup::html::edits::Edits;
use crate::markup::html::tag::Tag;
use crate::markup::html::text::TextRange;
use crate::ordered;

/// Bytes that go, in their order, none within or beside others.
#[derive(Default)]
struct Gone(Vec<Range<usize>>);

impl Gone {
    fn of(mut parts: Vec<Range<usize>>) -> Gone {
        ordered::sort_by(&mut parts, |one, other| one.start.cmp(&other.start));
        let mut gone: Vec<Range<usize>> = Vec::new();
        for part in parts {
            match gone.last_mut() {
                Some(last) if part.start <= last.end => last.end = last.end.max(part.end),
                _ => gone.push(part),
            }
        }
        Gone(gone)
    }

    fn add(&mut self, part: Range<usize>) {
        let mut parts = std::mem::take(&mut self.0);
        parts.push(part);
        *self = Gone::of(parts);
    }

    fn holds(&self, offset: usize) -> bool {
        let next = self.0.partition_point(|part| part.start <= offset);
        let before = next.checked_sub(1).and_then(|before| self.0.get(before));
        before.is_some_and(|part| part.contains(&offset))
    }

    /// Whether nothing but white space stays of those bytes of a document.
    fn empties(&self, html: &str, bytes: Range<usize>) -> bool {
        let first = self.0.partition_point(|part| part.end <= bytes.start);
        let mut at = bytes.start;
        for part in self.0.iter().skip(first) {
            if part.start >= bytes.end {
                break;
            }
            if !is_blank(html, at..part.start) {
                return false;
            }
            at = at.max(part.end);
        }
        is_blank(html, at..bytes.end)
    }
}

/// Whether those bytes, if there are any, are white space.
fn is_blank(html: &str, bytes: Range<usize>) -> bool {
    let text = html.get(bytes).unwrap_or_default();
    text.trim_ascii().is_empty()
}

impl Patch<'_> {
    /// Takes a field's elements away: its controls, its label and its help, or the fieldset that
    /// holds nothing else; and with them what held nothing else.
    pub(super) fn remove(&mut self, field: &Field) -> Result<(), Why> {
        let controls = match is_set(field) {
            true => self.set_of(field)?,
            false => vec![self.control()?],
        };
        let whole = self.whole(&controls);
        let fieldset = self
            .outline
            .around(&whole)
            .take_while(|holder| self.holds_only(*holder, &controls))
            .find(|holder| self.is(*holder, Tag::Fieldset));
        if let Some(fieldset) = fieldset {
            self.cut(fieldset);
            return Ok(());
        }
        let mut parts: Vec<Range<usize>> = Vec::new();
        for control in &controls {
            parts.extend(self.named_by(&self.label_of(*control, field)));
            parts.extend(self.outline.elements.get(*control).map(|e| e.span.clone()));
        }
        parts.extend(self.named_by(&self.place.label));
        parts.extend(self.texts_at(&self.place.help, true));
        let mut gone = Gone::of(parts.clone());
        for part in parts {
            self.empty_around(&part, &mut gone);
        }
        if !self.keeps_the_rest(&gone) {
            return Err(Why("", "parts of other elements would go with it"));
        }
        for part in gone.0 {
            self.edits.replace(part, String::new());
        }
        Ok(())
    }

    /// The label or legend that a text is of, or else the pieces of the text.
    fn named_by(&self, range: &TextRange) -> Vec<Range<usize>> {
        let texts = self.texts_at(range, false);
        let (Some(first), Some(last)) = (texts.first(), texts.last()) else {
            return texts;
        };
        match self.label_around(&(first.start..last.end)) {
            Some(label) => vec![label],
            None => texts,
        }
    }

    /// Adds the elements around a part that hold nothing else than what goes.
    fn empty_around(&self, part: &Range<usize>, gone: &mut Gone) {
        for holder in self.outline.around(part) {
            let Some(element) = self.outline.elements.get(holder) else {
                return;
            };
            if element.span == *part {
                continue;
            }
            match element.name {
                // What says something of its own, as a step does, stays.
                Tag::Form | Tag::Body | Tag::Html | Tag::Fieldset => return,
                Tag::Section | Tag::Table => return,
                // A cell keeps the others in their columns; it goes with its row.
                Tag::Td | Tag::Th => continue,
                _ => {}
            }
            let is_row = element.name == Tag::Tr;
            let is_empty = match is_row {
                true => self.holds_empty_cells(holder, gone),
                false => gone.empties(self.html, element.content()),
            };
            if !is_empty || self.is_of_layout(holder) {
                return;
            }
            gone.add(element.span.clone());
        }
    }

    /// Whether nothing stays of a row but cells that hold nothing.
    fn holds_empty_cells(&self, row: usize, gone: &Gone) -> bool {
        let mut whole = Gone(gone.0.clone());
        for cell in self.outline.within(row) {
            let Some(element) = self.outline.elements.get(cell) else {
                continue;
            };
            let is_cell = matches!(element.name, Tag::Td | Tag::Th);
            if is_cell && gone.empties(self.html, element.content()) {
                whole.add(element.span.clone());
            }
        }
        let Some(row) = self.outline.elements.get(row) else {
            return false;
        };
        whole.empties(self.html, row.content())
    }

    /// Whether an element is a step of the form, or all of its steps.
    fn is_of_layout(&self, element: usize) -> bool {
        let tag = self.outline.tag(element);
        tag.is_some_and(|tag| {
            let mut names = tag.attributes.iter().map(|a| a.name);
            names.any(|name| name.starts_with("data-step") || name.starts_with("data-layout"))
        })
    }

    /// Whether every element that does not go as a whole stays where it is in the tree.
    fn keeps_the_rest(&self, gone: &Gone) -> bool {
        let mut edits = Edits::default();
        for part in &gone.0 {
            edits.replace(part.clone(), String::new());
        }
        let left = edits.apply(self.html);
        let left = Outline::of(&left);
        let elements = &self.outline.elements;
        let stays = |index: &usize| {
            let element = elements.get(*index);
            element.is_some_and(|element| !gone.holds(element.span.start))
        };
        let kept: Vec<usize> = (0..elements.len()).filter(stays).collect();
        kept.len() == left.elements.len()
            && kept.iter().zip(&left.elements).all(|(index, other)| {
                let own = elements.get(*index);
                let around = own.and_then(|own| own.around);
                let around = around.and_then(|around| kept.binary_search(&(around as usize)).ok());
                own.is_some_and(|own| own.name == other.name)
                    && around == other.around.map(|around| around as usize)
            })
    }
}
