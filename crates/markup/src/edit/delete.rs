//! A field goes, with its label and the smallest elements that held nothing else.

use std::ops::Range;

use super::Editor;
use super::outline::Element;
use super::refusal::Reason;
use crate::html::tag::Tag;
use model::Field;

impl Editor<'_> {
    pub(super) fn delete(&mut self, field: &Field) -> Result<(), Reason> {
        let element = self.element()?;
        let spans = |text: &Range<u32>| self.read.texts.spans(text.clone(), true);
        let mut removed = spans(&self.place.label);
        if field.kind.holds_fields() {
            removed.push(element.start..element.content_start);
            removed.push(element.content_end..element.end);
        } else {
            removed.push(element.span());
            removed.extend(spans(&self.place.help));
            for (choice, label) in self.choices(&field.name) {
                removed.push(choice.span());
                removed.extend(label);
            }
        }
        // Every element around what goes that holds nothing else.
        let mut next = 0;
        while let Some(span) = removed.get(next).cloned() {
            next += 1;
            if let Some(around) = self.outline.around(span).next()
                && self.is_emptied(&around, &removed)
            {
                removed.push(around.span());
            }
        }
        for span in removed {
            self.edits.replace(span, String::new());
        }
        self.rename_in_conditions(&field.name, None);
        Ok(())
    }

    /// Whether an element may go, and holds nothing that stays but white space.
    fn is_emptied(&self, element: &Element, removed: &[Range<usize>]) -> bool {
        let content = element.content();
        let is_within =
            |span: &&Range<usize>| content.start <= span.start && span.end <= content.end;
        let mut inside: Vec<&Range<usize>> = removed.iter().filter(is_within).collect();
        inside.sort_by_key(|span| span.start);
        let end = content.end..content.end;
        let mut at = content.start;
        let stays = inside.into_iter().chain([&end]).any(|span| {
            let before = self.outline.source(at..span.start);
            at = at.max(span.end);
            !before.trim_ascii().is_empty()
        });
        // The cells of a table keep the others in their columns.
        !stays && !matches!(element.name, Tag::Td | Tag::Th) && !self.is_outer(element)
    }
}
