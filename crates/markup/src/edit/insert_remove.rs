//! Inserts a field as rendered HTML, or removes a field with its label and the elements that are then empty.

use std::ops::Range;

use super::outline::Element;
use super::{Editor, NO_ELEMENT, Reason, rendered};
use crate::html::tag::Tag;
use model::Field;

/// The reason why no field can be inserted inside a line of text, in a definition list, or between the rows of a table.
const NO_PLACE: Reason = Reason(String::new(), "HTML allows no block at its place");

impl Editor<'_> {
    /// Inserts a field before the field at `position`, or else before the submit button of its group or form. Without a
    /// button, the field goes to the end of the group or form.
    pub(super) fn insert(&mut self, field: &Field, position: Option<usize>) -> Result<(), Reason> {
        let group = field.group.as_deref();
        let group = group.and_then(|group| self.element_of_group(group));
        let html = rendered(field, group.is_none());
        let mut fields = self.read.schema.fields.iter();
        let button = fields.position(|known| {
            known.kind.is_button() && (group.is_none() || known.group == field.group)
        });
        let wanted = position.filter(|at| *at < self.read.places.len());
        let place = wanted.or(button).and_then(|at| self.read.places.get(at));
        let Some(place) = place else {
            let all = self.outline.html.len();
            let holder = group.or(self.outline.named(0..all, Tag::Form).pop());
            let end = holder.map_or(all, |holder| holder.content.end);
            let line = if end == all && all > 0 { "\n" } else { "" };
            self.edits.replace(end..end, format!("{line}{html}\n"));
            return Ok(());
        };
        let mut span = self.outline.at(place.offset).ok_or(NO_PLACE)?.span;
        let label = self.read.texts.spans(place.label.clone(), true);
        let label = label.first().map_or(span.start, |label| label.start);
        span.start = span.start.min(label);
        let at = self.wrapper(&span).map_or(span.start, |all| all.span.start);
        let around = self.outline.around(at..at).next();
        let html = match around.map(|element| element.tag) {
            Some(Tag::Ul | Tag::Ol | Tag::Menu) => format!("<li>\n{html}\n</li>"),
            Some(Tag::P | Tag::Dl | Tag::Label | Tag::Other | Tag::Small) => return Err(NO_PLACE),
            Some(Tag::Td | Tag::Th) | None => html,
            Some(part) if part.is_of_table() => return Err(NO_PLACE),
            Some(_) => html,
        };
        let before = self.outline.source(&(0..at));
        let space = before.get(before.trim_ascii_end().len()..);
        let space = space.filter(|space| space.contains('\n')).unwrap_or("\n");
        self.edits.replace(at..at, format!("{html}{space}"));
        Ok(())
    }

    /// The step, fieldset or container with this name.
    fn element_of_group(&self, group: &str) -> Option<Element> {
        let mut fields = self.read.schema.fields.iter().zip(&self.read.places);
        let holder = fields.find(|(field, _)| field.name == group && field.kind.holds_fields());
        if let Some((_, place)) = holder {
            return self.outline.at(place.offset);
        }
        let is_step = |element: &&Element| {
            let step = self.outline.attribute(element, "data-step");
            step.is_some_and(|step| step.trim() == group)
        };
        self.outline.elements.iter().find(is_step).cloned()
    }

    pub(super) fn delete(&mut self, field: &Field) -> Result<(), Reason> {
        let element = self.outline.at(self.place.offset).ok_or(NO_ELEMENT)?;
        let spans = |text: &Range<u32>| self.read.texts.spans(text.clone(), true);
        let mut removed = spans(&self.place.label);
        if field.kind.holds_fields() {
            removed.push(element.span.start..element.content.start);
            removed.push(element.content.end..element.span.end);
        } else {
            removed.push(element.span.clone());
            removed.extend(spans(&self.place.help));
            for (choice, label) in self.choices(&field.name, &element) {
                removed.push(choice.span);
                removed.extend(label);
            }
        }
        // The document, with a space for each removed byte.
        let mut left = self.outline.html.as_bytes().to_vec();
        let mut next = 0;
        while let Some(span) = removed.get(next).cloned() {
            next += 1;
            if let Some(bytes) = left.get_mut(span.clone()) {
                bytes.fill(b' ');
            }
            // An element that is then empty is removed too. Table cells stay, so that the other cells keep their
            // columns.
            if let Some(around) = self.outline.around(span).next()
                && let Some(content) = left.get(around.content.clone())
                && content.trim_ascii().is_empty()
                && !matches!(around.tag, Tag::Td | Tag::Th)
                && !self.is_outer(around)
            {
                removed.push(around.span.clone());
            }
        }
        for span in removed {
            self.edits.replace(span, String::new());
        }
        self.rename_in_conditions(&field.name, None);
        Ok(())
    }
}
