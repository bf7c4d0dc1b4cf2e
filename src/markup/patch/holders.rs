//! The elements that hold one field and nothing else: what is hidden, copied or removed with it.

use std::ops::Range;

use super::{Patch, Why, is_set};
use crate::forms::Field;
use crate::markup::html::tag::Tag;
use crate::markup::html::text::TextRange;

/// What a visitor's page hides and shows by conditions.
const CONDITIONS: [&str; 3] = ["data-show-if", "data-hide-if", "data-cf-conditions"];

impl Patch<'_> {
    /// Writes the field's conditions, as JSON, which says them all, where they hide all of the field:
    /// on the smallest element that holds its controls, the text that names it and its help.
    pub(super) fn update_conditions(
        &mut self,
        controls: &[usize],
        from: &Field,
        to: &Field,
    ) -> Result<(), Why> {
        if from.conditions == to.conditions {
            return Ok(());
        }
        let whole = self.whole(controls);
        let holders: Vec<usize> = self
            .outline
            .around(&whole)
            .take_while(|holder| self.holds_only(*holder, controls))
            .collect();
        let within = controls.iter().filter(|c| !holders.contains(*c));
        for element in within.chain(&holders).copied().collect::<Vec<_>>() {
            for name in CONDITIONS {
                self.set(element, name, None);
            }
        }
        if to.conditions.is_empty() {
            return Ok(());
        }
        let holder = *holders.first().ok_or(Why(
            "conditions",
            "no element holds the field and its label alone",
        ))?;
        let exact = serde_json::to_string(&to.conditions).unwrap_or_default();
        self.set(holder, "data-cf-conditions", Some(&exact));
        Ok(())
    }

    /// Takes a field's elements away: its controls, its label and its help, or the fieldset that holds
    /// nothing else.
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
            let label = self.label_of(*control, field);
            parts.extend(self.text_part(&label, false));
            parts.extend(self.outline.elements.get(*control).map(|e| e.span.clone()));
        }
        parts.extend(self.text_part(&self.place.label, false));
        parts.extend(self.text_part(&self.place.help, true));
        for part in parts {
            self.edits.replace(part, String::new());
        }
        Ok(())
    }

    pub(super) fn cut(&mut self, element: usize) {
        if let Some(element) = self.outline.elements.get(element) {
            self.edits.replace(element.span.clone(), String::new());
        }
    }

    /// Where the text stands that names a control of a field.
    pub(super) fn label_of(&self, control: usize, field: &Field) -> TextRange {
        if !is_set(field) {
            return self.place.label.clone();
        }
        let offset = self
            .outline
            .elements
            .get(control)
            .map_or(0, |e| e.span.start);
        let labels = &self.read.choice_labels;
        let place = labels.partition_point(|(of, _)| (*of as usize) < offset);
        let found = labels.get(place).filter(|(of, _)| *of as usize == offset);
        found.map_or(0..0, |(_, label)| label.clone())
    }

    /// The bytes from the first to the last part of a field.
    fn whole(&self, controls: &[usize]) -> Range<usize> {
        let elements = controls
            .iter()
            .filter_map(|c| self.outline.elements.get(*c));
        let elements = elements.map(|element| element.span.clone());
        let mut texts = self.texts_at(&self.place.label, false);
        texts.extend(self.texts_at(&self.place.help, true));
        let offset = self.place.offset as usize;
        elements.chain(texts).fold(offset..offset, |all, part| {
            all.start.min(part.start)..all.end.max(part.end)
        })
    }

    /// Whether an element holds no field but the one with these controls.
    pub(super) fn holds_only(&self, holder: usize, controls: &[usize]) -> bool {
        let is_of_form = |tag| !matches!(tag, Tag::Form | Tag::Body | Tag::Html);
        let elements = &self.outline.elements;
        let Some(element) = elements.get(holder).filter(|e| is_of_form(e.name)) else {
            return false;
        };
        let own = |offset: usize| {
            let own = controls.iter().filter_map(|c| elements.get(*c));
            offset == self.place.offset as usize || own.into_iter().any(|e| e.span.start == offset)
        };
        let fields = self.read.places.iter().map(|place| place.offset);
        let choices = self.read.choice_labels.iter().map(|(offset, _)| *offset);
        fields
            .chain(choices)
            .map(|offset| offset as usize)
            .all(|offset| !element.span.contains(&offset) || own(offset))
    }

    /// The bytes that go with a text: the label around it, or the innermost element that holds nothing
    /// else, or the text alone.
    pub(super) fn text_part(&self, range: &TextRange, with_choices: bool) -> Option<Range<usize>> {
        let texts = self.texts_at(range, with_choices);
        let text = texts.first()?.start..texts.last()?.end;
        let mut part = text.clone();
        for holder in self.outline.around(&text) {
            let element = self.outline.elements.get(holder)?;
            if matches!(element.name, Tag::Label | Tag::Legend) {
                return Some(element.span.clone());
            }
            let content = self.html.get(element.content()).unwrap_or_default();
            let is_all = content.trim_ascii().len()
                == self
                    .html
                    .get(part.clone())
                    .unwrap_or_default()
                    .trim_ascii()
                    .len();
            let is_cell = matches!(element.name, Tag::Td | Tag::Th | Tag::Li | Tag::Form);
            if is_all && !is_cell {
                part = element.span.clone();
            }
        }
        Some(part)
    }

    pub(super) fn is(&self, element: usize, tag: Tag) -> bool {
        let element = self.outline.elements.get(element);
        element.is_some_and(|element| element.name == tag)
    }
}
