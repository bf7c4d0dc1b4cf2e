//! A new field, as rendered HTML.

use super::outline::Element;
use super::refusal::Reason;
use super::{Editor, rendered};
use crate::html::tag::Tag;
use model::{Field, FieldType};

/// No place of the markup takes a block of HTML.
const NO_PLACE: Reason = Reason::of("", "its place is within a line of text or a list of terms");

impl Editor<'_> {
    /// Writes a field before the one that has its position, or before the button that sends, or at the
    /// end of its step.
    pub(super) fn insert(&mut self, field: &Field, position: Option<usize>) -> Result<(), Reason> {
        let group = field.group.as_deref();
        let group = group.and_then(|group| self.element_of_group(group));
        let html = rendered(field, group.is_none());
        let mut fields = self.read.schema.fields.iter();
        let sends = fields.position(|known| {
            known.kind == FieldType::Submit && (group.is_none() || known.group == field.group)
        });
        let wanted = position.filter(|at| *at < self.read.places.len());
        let place = wanted.or(sends).and_then(|at| self.read.places.get(at));
        let Some(place) = place else {
            let holder = group.or(self.outline.named(0..usize::MAX, Tag::Form).pop());
            let end = holder.map_or(self.html.len(), |holder| holder.content_end);
            let is_at_end = end == self.html.len() && !self.html.is_empty();
            let line = if is_at_end { "\n" } else { "" };
            self.edits.replace(end..end, format!("{line}{html}\n"));
            return Ok(());
        };
        let mut span = self.outline.at(place.offset).ok_or(NO_PLACE)?.span();
        let label = self.read.texts.spans(place.label.clone(), true);
        let label = label.first().map_or(span.start, |label| label.start);
        span.start = span.start.min(label);
        let at = self.wrapper(&span).map_or(span.start, |own| own.start);
        let html = match self.outline.around(at..at).next().map(|own| own.name) {
            Some(Tag::Ul | Tag::Ol | Tag::Menu) => format!("<li>\n{html}\n</li>"),
            Some(Tag::Table | Tag::Tbody | Tag::Thead | Tag::Tfoot) => {
                format!("<tr><td>\n{html}\n</td></tr>")
            }
            Some(Tag::P | Tag::Tr | Tag::Dl | Tag::Label | Tag::Other | Tag::Small) => {
                return Err(NO_PLACE);
            }
            _ => html,
        };
        let before = self.outline.source(0..at);
        let space = before.get(before.trim_ascii_end().len()..);
        let space = space.filter(|space| space.contains('\n')).unwrap_or("\n");
        self.edits.replace(at..at, format!("{html}{space}"));
        Ok(())
    }

    /// The step, fieldset or container of a name.
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
        self.outline.elements.iter().find(is_step).copied()
    }
}
