//! Taking a field's elements away, each of them whole.

use std::ops::Range;

use super::gone::Gone;
use super::outline::{Element, Outline};
use super::why::{self, NotPatched, Why};
use super::{Patch, Patched, is_set};
use crate::forms::edit::delete_field;
use crate::forms::{Field, FieldType, FormSchema};
use crate::markup::html::edits::Edits;
use crate::markup::html::tag::Tag;
use crate::markup::html::text::TextRange;
use crate::markup::read::Place;

/// Where elements are cut in half.
const NO_WHOLE: Why = Why("", "parts of other elements would go with it");

impl Patch<'_> {
    /// The markup without a field: without its controls, its label, its help, and what held nothing else.
    /// A fieldset that holds nothing more than its legend goes with its last field; where the rest would
    /// be read otherwise without them, the larger elements stay.
    pub(super) fn removed(
        &mut self,
        field: &Field,
        wanted: &FormSchema,
    ) -> Result<Patched, NotPatched> {
        let refused = |why| NotPatched::of(field, why);
        let parts = self.parts_of(field).map_err(refused)?;
        let mut outcome = Err(refused(NO_WHOLE));
        for is_thorough in [true, false] {
            let mut gone = Gone::of(parts.clone());
            for part in &parts {
                self.empty_around(part, &mut gone, is_thorough);
            }
            if is_thorough {
                self.take_line_breaks(&mut gone);
            }
            if !self.keeps_the_rest(&gone) {
                continue;
            }
            let wanted = self.without_emptied(wanted, field, &gone);
            for part in gone.0 {
                self.edits.replace(part, String::new());
            }
            self.refer(&field.name, None);
            outcome = self.reading_as(&wanted, field);
            if outcome.is_ok() {
                break;
            }
        }
        outcome
    }

    /// The bytes that are a field's own.
    fn parts_of(&self, field: &Field) -> Result<Vec<Range<usize>>, Why> {
        let element = self.outline.at(self.place.offset as usize);
        let element = element.and_then(|element| self.outline.elements.get(element));
        let element = element.ok_or(why::NO_CONTROL)?;
        let controls = match field.kind {
            FieldType::Fieldset | FieldType::Container => {
                // What it holds stays.
                let content = element.content();
                let mut parts = vec![
                    element.span.start..content.start,
                    content.end..element.span.end,
                ];
                parts.extend(self.named_by(&self.place.label));
                return Ok(parts);
            }
            FieldType::Heading | FieldType::Paragraph | FieldType::Divider => {
                return Ok(vec![element.span.clone()]);
            }
            _ if is_set(field) => self.set_of(field)?,
            _ if element.name == Tag::Fieldset => return Ok(vec![element.span.clone()]),
            _ => vec![self.control()?],
        };
        let whole = self.whole(&controls);
        let mut holders = self.outline.around(&whole);
        let fieldset = holders
            .by_ref()
            .take_while(|holder| self.holds_only(*holder, &controls))
            .find(|holder| self.is(*holder, Tag::Fieldset));
        if let Some(fieldset) = fieldset.and_then(|index| self.outline.elements.get(index)) {
            return Ok(vec![fieldset.span.clone()]);
        }
        let mut parts: Vec<Range<usize>> = Vec::new();
        for control in &controls {
            parts.extend(self.named_by(&self.label_of(*control, field)));
            parts.extend(self.outline.elements.get(*control).map(|e| e.span.clone()));
        }
        parts.extend(self.named_by(&self.place.label));
        parts.extend(self.texts_at(&self.place.help, true));
        parts.extend(self.unticked(field));
        Ok(parts)
    }

    /// The hidden inputs that say what is sent when no box is ticked.
    fn unticked(&self, field: &Field) -> Vec<Range<usize>> {
        if field.kind != FieldType::Checkbox && field.kind != FieldType::Consent {
            return Vec::new();
        }
        let is_one = |(index, element): &(usize, &Element)| {
            let value = |name| self.outline.value(*index, name);
            element.name == Tag::Input
                && value("type").is_some_and(|kind| kind.eq_ignore_ascii_case("hidden"))
                && value("name").is_some_and(|name| name == field.name)
        };
        let elements = self.outline.elements.iter().enumerate();
        let hidden = elements.filter(is_one);
        hidden.map(|(_, element)| element.span.clone()).collect()
    }

    /// What is wanted, without the fieldsets that go with the field.
    fn without_emptied(&self, wanted: &FormSchema, field: &Field, gone: &Gone) -> FormSchema {
        let fields = self.read.schema.fields.iter().zip(&self.read.places);
        let goes = |(known, place): &(&Field, &Place)| {
            let is_emptied = known.kind == FieldType::Fieldset && known.name != field.name;
            let around = self.outline.at(place.offset as usize);
            let around = around.and_then(|around| self.outline.elements.get(around));
            is_emptied
                && around.is_some_and(|e| gone.holds(e.span.start) && gone.holds(e.content().end))
        };
        let mut wanted = wanted.clone();
        for (emptied, _) in fields.filter(goes) {
            if let Ok((without, _)) = delete_field(&wanted, &emptied.name, false) {
                wanted = without;
            }
        }
        wanted
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
    fn empty_around(&self, part: &Range<usize>, gone: &mut Gone, is_thorough: bool) {
        for holder in self.outline.around(part) {
            let Some(element) = self.outline.elements.get(holder) else {
                return;
            };
            if element.span == *part {
                continue;
            }
            match element.name {
                Tag::Form | Tag::Body | Tag::Html => return,
                // They may say something of their own, as a step does.
                Tag::Fieldset | Tag::Section | Tag::Table if !is_thorough => return,
                // A cell keeps the others in their columns; it goes with its row.
                Tag::Td | Tag::Th => continue,
                _ => {}
            }
            let is_empty = match element.name {
                Tag::Tr => self.is_empty_but(holder, gone, &[Tag::Td, Tag::Th]),
                Tag::Fieldset => self.is_empty_but(holder, gone, &[Tag::Legend]),
                _ => gone.empties(self.html, element.content()),
            };
            if !is_empty || self.is_of_layout(holder) {
                return;
            }
            gone.add(element.span.clone());
        }
    }

    /// Whether nothing stays of a row but cells that hold nothing, or of a fieldset but its legend.
    fn is_empty_but(&self, holder: usize, gone: &Gone, tags: &[Tag]) -> bool {
        let mut whole = gone.0.clone();
        for within in self.outline.within(holder) {
            let Some(element) = self.outline.elements.get(within) else {
                continue;
            };
            let is_one = tags.contains(&element.name);
            let is_legend = element.name == Tag::Legend;
            if is_one && (is_legend || gone.empties(self.html, element.content())) {
                whole.push(element.span.clone());
            }
        }
        let Some(holder) = self.outline.elements.get(holder) else {
            return false;
        };
        Gone::of(whole).empties(self.html, holder.content())
    }

    /// Whether an element is a step of the form, or all of its steps.
    pub(super) fn is_of_layout(&self, element: usize) -> bool {
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
        let all: Vec<usize> = (0..left.elements.len()).collect();
        self.outline.is_same_tree(&kept, &left, &all)
    }
}
