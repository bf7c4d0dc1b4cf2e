//! The elements that hold one field and nothing else: what is hidden, copied or removed with it.

use std::ops::Range;

use super::{Patch, Why, is_set};
use crate::conditions;
use crate::html::tag::Tag;
use crate::html::text::TextRange;
use crate::html::tokens::find;
use model::{Condition, ConditionAction, Field};

/// What a visitor's page hides and shows by conditions.
pub(super) const CONDITIONS: [&str; 3] = ["data-show-if", "data-hide-if", "data-cf-conditions"];

impl Patch<'_> {
    /// Writes the field's conditions where they hide all of the field: on the element that had them, if it
    /// holds its controls, the text that names it and its help, else on the smallest that does.
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
        let says = |element: &usize| {
            let tag = self.outline.tag(*element);
            tag.is_some_and(|tag| {
                CONDITIONS
                    .iter()
                    .any(|n| find(&tag.attributes, n).is_some())
            })
        };
        let had = holders.iter().rfind(|holder| says(holder));
        let holder = had.or(holders.first()).copied();
        let within = controls.iter().filter(|c| !holders.contains(*c));
        for element in within.chain(&holders).copied().collect::<Vec<_>>() {
            if Some(element) != holder {
                self.write_conditions(element, &[]);
            }
        }
        match holder {
            Some(holder) => self.write_conditions(holder, &to.conditions),
            None if to.conditions.is_empty() => {}
            None => {
                let alone = "no element holds the field and its label alone";
                return Err(Why("conditions", alone));
            }
        }
        Ok(())
    }

    /// Writes conditions on an element as rendering does: one that `data-show-if` or `data-hide-if` can
    /// say in that, with the author's `:` or `=`, and others as JSON.
    pub(super) fn write_conditions(&mut self, element: usize, to: &[Condition]) {
        let said = match to {
            [] => None,
            [condition] => conditions::write(condition),
            _ => None,
        };
        let said = said.or_else(|| {
            let exact = serde_json::to_string(to).ok()?;
            (!to.is_empty()).then_some(("data-cf-conditions", exact))
        });
        for name in CONDITIONS {
            let Some((_, text)) = said.as_ref().filter(|(own, _)| *own == name) else {
                self.set(element, name, None);
                continue;
            };
            let written = self.outline.value(element, name);
            let has_colon = written.is_some_and(|written| {
                let parting = written.find([':', '=']);
                parting.is_some_and(|at| written.as_bytes().get(at) == Some(&b':'))
            });
            let with_colon = text.replacen('=', ":", 1);
            let action = match name {
                "data-hide-if" => ConditionAction::Hide,
                _ => ConditionAction::Show,
            };
            let is_same = || conditions::read(&with_colon, action).as_ref() == to.first();
            match has_colon && is_same() {
                true => self.set(element, name, Some(&with_colon)),
                false => self.set(element, name, Some(text)),
            }
        }
    }

    pub(super) fn cut(&mut self, element: usize) {
        if let Some(element) = self.outline.elements.get(element) {
            self.edits.replace(element.span(), String::new());
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
            .map_or(0, |e| e.span().start);
        let labels = &self.read.choice_labels;
        let place = labels.partition_point(|(of, _)| (*of as usize) < offset);
        let found = labels.get(place).filter(|(of, _)| *of as usize == offset);
        found.map_or(0..0, |(_, label)| label.clone())
    }

    /// The bytes from the first to the last part of a field.
    pub(super) fn whole(&self, controls: &[usize]) -> Range<usize> {
        let elements = controls
            .iter()
            .filter_map(|c| self.outline.elements.get(*c));
        let elements = elements.map(|element| element.span());
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
        let offsets = self.offsets_in(&element.span());
        let is_own = |offset: &u32| {
            let offset = *offset as usize;
            let control = controls.binary_search_by_key(&offset, |control| {
                elements.get(*control).map_or(0, |e| e.span().start)
            });
            offset == self.place.offset as usize || control.is_ok()
        };
        offsets.len() <= controls.len() + 1 && offsets.iter().all(is_own)
    }

    /// The bytes of the label or legend around those bytes.
    pub(super) fn label_around(&self, bytes: &Range<usize>) -> Option<Range<usize>> {
        let label = self
            .outline
            .around(bytes)
            .find(|holder| self.is(*holder, Tag::Label) || self.is(*holder, Tag::Legend))?;
        Some(self.outline.elements.get(label)?.span())
    }

    /// Those bytes with all of the elements of which they hold a part.
    pub(super) fn whole_elements(&self, bytes: Range<usize>) -> Range<usize> {
        let mut whole = bytes;
        for end in [whole.start..whole.start + 1, whole.end - 1..whole.end] {
            for holder in self.outline.around(&end) {
                let Some(element) = self.outline.elements.get(holder) else {
                    break;
                };
                let content = element.content();
                if content.start <= whole.start && whole.end <= content.end {
                    break;
                }
                whole.start = whole.start.min(element.span().start);
                whole.end = whole.end.max(element.span().end);
            }
        }
        whole
    }

    pub(super) fn is(&self, element: usize, tag: Tag) -> bool {
        let element = self.outline.elements.get(element);
        element.is_some_and(|element| element.name == tag)
    }
}
