//! A field goes, with its label and the smallest elements that held nothing else.

use std::ops::Range;

use super::refusal::Reason;
use super::update::is_set;
use super::{CONDITIONS, Editor};
use crate::forms::Field;
use crate::markup::html::tag::Tag;

impl Editor<'_> {
    pub(super) fn delete(&mut self, field: &Field) -> Result<(), Reason> {
        let element = self.element()?;
        let mut removed = Vec::new();
        if field.kind.holds_fields() {
            if let Some(around) = self.outline.elements.get(element) {
                removed.push(around.tag.clone());
                removed.push(around.content.end..around.end);
            }
            self.remove_text(self.place.label.clone(), &mut removed);
        } else {
            let choices = match is_set(field) {
                true => self.choices(field),
                false => Vec::new(),
            };
            for (offset, label) in choices {
                self.remove_element(self.outline.at(offset), &mut removed);
                self.remove_text(label, &mut removed);
            }
            self.remove_element(Some(element), &mut removed);
            self.remove_text(self.place.label.clone(), &mut removed);
            self.remove_text(self.place.help.clone(), &mut removed);
            self.remove_emptied(&mut removed);
        }
        for span in removed {
            self.edits.remove(span);
        }
        self.rename_in_conditions(&field.name, None);
        Ok(())
    }

    fn remove_element(&self, element: Option<usize>, removed: &mut Vec<Range<usize>>) {
        let element = element.and_then(|element| self.outline.elements.get(element));
        removed.extend(element.map(super::outline::Element::span));
    }

    /// Texts go with the label, legend or help that is there for them alone.
    fn remove_text(&self, place: Range<u32>, removed: &mut Vec<Range<usize>>) {
        removed.extend(self.read.texts.spans(place, true));
    }

    /// Takes along every element around what goes that holds nothing else.
    fn remove_emptied(&self, removed: &mut Vec<Range<usize>>) {
        let mut next = 0;
        while let Some(span) = removed.get(next).cloned() {
            next += 1;
            let around = self.outline.around(span).next();
            let Some(element) = around.filter(|around| self.is_emptied(*around, removed)) else {
                continue;
            };
            self.remove_element(Some(element), removed);
        }
    }

    /// Whether an element may go, and holds nothing that stays but other emptied elements.
    fn is_emptied(&self, element: usize, removed: &[Range<usize>]) -> bool {
        let Some(own) = self.outline.elements.get(element) else {
            return false;
        };
        let goes = |span: &Range<usize>| {
            let mut removed = removed.iter();
            removed.any(|gone| gone.start <= span.start && span.end <= gone.end)
        };
        let stays = matches!(own.name, Tag::Form | Tag::Body | Tag::Html | Tag::Td | Tag::Th)
            || ["data-step", "data-layout"]
                .iter()
                .any(|name| self.outline.attribute(element, name).is_some());
        let mut texts = self.outline.texts_in(&own.content).into_iter();
        let is_seen = |index: usize| {
            let within = self.outline.elements.get(index);
            within.is_some_and(|within| {
                let is_structure = within.name.is_block()
                    || within.name.is_table_part()
                    || matches!(within.name, Tag::P | Tag::Li | Tag::Br | Tag::Label | Tag::Legend)
                    || matches!(within.name, Tag::Other | Tag::Small | Tag::Table);
                !goes(&within.span()) && (!is_structure || self.has_conditions(index))
            })
        };
        let is_alone = texts.all(|text| goes(&text))
            && !self.outline.within(&own.content).any(is_seen);
        !stays && is_alone && !goes(&own.span())
    }

    fn has_conditions(&self, element: usize) -> bool {
        let mut names = CONDITIONS.iter();
        names.any(|name| self.outline.attribute(element, name).is_some())
    }
}
