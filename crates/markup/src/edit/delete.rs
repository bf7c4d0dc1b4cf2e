//! A field goes, with its label and the smallest elements that held nothing else.

use std::ops::Range;

use super::Editor;
use super::refusal::Reason;
use super::update::is_set;
use crate::html::tag::Tag;
use model::Field;

impl Editor<'_> {
    pub(super) fn delete(&mut self, field: &Field) -> Result<(), Reason> {
        let element = self.element()?;
        let mut removed = self.read.texts.spans(self.place.label.clone(), true);
        let (span, content) = (self.outline.span(element), self.outline.content(element));
        if field.kind.holds_fields() {
            removed.extend([span.start..content.start, content.end..span.end]);
        } else {
            removed.push(span);
            removed.extend(self.read.texts.spans(self.place.help.clone(), true));
            let choices = if is_set(field) {
                self.choices(field)
            } else {
                Vec::new()
            };
            for (offset, label) in choices {
                removed.extend(
                    self.outline
                        .at(offset)
                        .map(|choice| self.outline.span(choice)),
                );
                removed.extend(self.read.texts.spans(label, true));
            }
        }
        // Every element around what goes that holds nothing else.
        let mut next = 0;
        while let Some(span) = removed.get(next).cloned() {
            next += 1;
            let around = self.outline.around(span).next();
            if let Some(around) = around.filter(|around| self.is_emptied(*around, &removed)) {
                removed.push(self.outline.span(around));
            }
        }
        removed.into_iter().for_each(|span| self.edits.remove(span));
        self.rename_in_conditions(&field.name, None);
        Ok(())
    }

    /// Whether an element may go, and holds nothing that stays but other emptied elements.
    fn is_emptied(&self, element: usize, removed: &[Range<usize>]) -> bool {
        let goes = |span: &Range<usize>| {
            let mut removed = removed.iter();
            removed.any(|gone| gone.start <= span.start && span.end <= gone.end)
        };
        let is_seen = |index: usize| {
            let name = self.outline.name(index).unwrap_or(Tag::Other);
            let is_structure = name.is_block()
                || name.is_table_part()
                || matches!(name, Tag::P | Tag::Li | Tag::Br | Tag::Label | Tag::Legend)
                || matches!(name, Tag::Other | Tag::Small | Tag::Table);
            !is_structure && !goes(&self.outline.span(index))
        };
        let stays = matches!(self.outline.name(element), Some(Tag::Td | Tag::Th));
        let content = self.outline.content(element);
        !stays
            && !self.is_outer(element)
            && !goes(&self.outline.span(element))
            && self.outline.texts_in(&content).iter().all(goes)
            && !self.outline.within(&content).any(is_seen)
    }
}
