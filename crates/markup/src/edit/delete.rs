//! A field goes, with its label and the smallest elements that held nothing else.

use std::ops::Range;

use super::Editor;
use super::refusal::Reason;
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
            for (choice, label) in self.choices(&field.name) {
                removed.push(self.outline.span(choice));
                removed.extend(spans(&label));
            }
        }
        // Every element around what goes that holds nothing else.
        let mut next = 0;
        while let Some(span) = removed.get(next).cloned() {
            next += 1;
            let around = self.outline.around(span).next();
            let emptied = around.filter(|around| self.is_emptied(*around, &removed));
            removed.extend(emptied.map(|around| self.outline.span(around)));
        }
        removed.into_iter().for_each(|span| self.edits.remove(span));
        self.rename_in_conditions(&field.name, None);
        Ok(())
    }

    /// Whether an element may go, and holds nothing that stays but white space.
    fn is_emptied(&self, element: usize, removed: &[Range<usize>]) -> bool {
        let content = self.outline.content(element);
        let is_within =
            |span: &&Range<usize>| content.start <= span.start && span.end <= content.end;
        let mut inside: Vec<&Range<usize>> = removed.iter().filter(is_within).collect();
        inside.sort_by_key(|span| span.start);
        let end = content.end..content.end;
        let mut at = content.start;
        let stays = inside.into_iter().chain([&end]).any(|span| {
            let before = self.outline.source(&(at..span.start));
            at = at.max(span.end);
            !before.trim_ascii().is_empty()
        });
        // The cells of a table keep the others in their columns.
        let is_cell = matches!(self.outline.name(element), Some(Tag::Td | Tag::Th));
        !stays && !is_cell && !self.is_outer(element)
    }
}
