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
        let spans = |text: &Range<u32>| self.read.texts.spans(text.clone(), true);
        let mut removed = spans(&self.place.label);
        let (span, content) = (self.outline.span(element), self.outline.content(element));
        if field.kind.holds_fields() {
            removed.extend([span.start..content.start, content.end..span.end]);
        } else {
            removed.push(span);
            removed.extend(spans(&self.place.help));
            let choices = is_set(field).then(|| self.choices(field));
            for (offset, label) in choices.unwrap_or_default() {
                let choice = self.outline.at(offset);
                removed.extend(choice.map(|choice| self.outline.span(choice)));
                removed.extend(spans(&label));
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
        let is_removed = |span: &Range<usize>| {
            let mut removed = removed.iter();
            removed.any(|other| other.start <= span.start && span.end <= other.end)
        };
        let stays = |index: usize| {
            let name = self.outline.name(index).unwrap_or(Tag::Other);
            let is_layout = name.is_block() || name.is_table_part() || name == Tag::Table;
            let is_text = matches!(
                name,
                Tag::P | Tag::Li | Tag::Br | Tag::Label | Tag::Legend | Tag::Other | Tag::Small
            );
            !is_layout && !is_text && !is_removed(&self.outline.span(index))
        };
        let content = self.outline.content(element);
        !matches!(self.outline.name(element), Some(Tag::Td | Tag::Th))
            && !self.is_outer(element)
            && !is_removed(&self.outline.span(element))
            && self.outline.texts_in(&content).iter().all(is_removed)
            && !self.outline.within(&content).any(stays)
    }
}
