//! A new field, as rendered HTML.

use super::refusal::Reason;
use super::{Editor, rendered};
use crate::html::tag::Tag;
use model::{Field, FieldType, FormSchema};

/// No place of the markup takes a block of HTML.
const NO_PLACE: Reason = Reason("", "its place is within a line of text or a list of terms");

impl Editor<'_> {
    /// Writes a field before the one that has its position, or before the button that sends, or at the
    /// end of its step.
    pub(super) fn insert(&mut self, field: &Field, position: Option<usize>) -> Result<(), Reason> {
        let group = field
            .group
            .as_deref()
            .and_then(|group| self.element_of_group(group));
        let mut places = self.read.schema.fields.iter().zip(&self.read.places);
        let sends = places.find(|(known, _)| {
            known.kind == FieldType::Submit && (group.is_none() || known.group == field.group)
        });
        let wanted = position.and_then(|position| self.read.places.get(position));
        let html = rendered(field, group.is_none());
        let Some(place) = wanted.or_else(|| sends.map(|(_, place)| place)) else {
            let end = self.outline.form_end.unwrap_or(self.html.len());
            let end = group.map_or(end, |group| self.outline.content(group).end);
            let is_at_end = end == self.html.len() && !self.html.is_empty();
            let line = if is_at_end { "\n" } else { "" };
            self.edits.insert(end, format!("{line}{html}\n"));
            return Ok(());
        };
        let element = self.outline.at(place.offset as usize).ok_or(NO_PLACE)?;
        let label = self.read.texts.spans(place.label.clone(), true);
        let mut span = self.outline.span(element);
        span.start = label
            .first()
            .map_or(span.start, |label| label.start.min(span.start));
        let wrapper = self.wrapper(span.clone());
        let at = wrapper.map_or(span.start, |wrapper| self.outline.span(wrapper).start);
        // In a row or item of its own in a table or list.
        let around = self.outline.around(at..at).next();
        let html = match around.and_then(|around| self.outline.name(around)) {
            Some(Tag::Table | Tag::Tbody | Tag::Thead | Tag::Tfoot) => {
                format!("<tr><td>\n{html}\n</td></tr>")
            }
            Some(Tag::Ul | Tag::Ol | Tag::Menu) => format!("<li>\n{html}\n</li>"),
            Some(Tag::P | Tag::Tr | Tag::Dl | Tag::Label | Tag::Other | Tag::Small) => {
                return Err(NO_PLACE);
            }
            _ => html,
        };
        let before = self.html.get(..at).unwrap_or_default();
        let space = before
            .get(before.trim_ascii_end().len()..)
            .unwrap_or_default();
        let space = if space.contains('\n') { space } else { "\n" };
        self.edits.insert(at, format!("{html}{space}"));
        Ok(())
    }

    /// The step, fieldset or container of a name.
    fn element_of_group(&self, group: &str) -> Option<usize> {
        let mut fields = self.read.schema.fields.iter().zip(&self.read.places);
        let holder = fields.find(|(field, _)| field.name == group && field.kind.holds_fields());
        if let Some((_, place)) = holder {
            return self.outline.at(place.offset as usize);
        }
        let is_step = |element: &usize| {
            let step = self.outline.attribute(*element, "data-step");
            step.is_some_and(|step| step.trim() == group)
        };
        (0..self.outline.elements.len()).find(is_step)
    }
}

/// The schema with a field where it was found: of its members only the place and group that it was given
/// there may differ from what was asked.
pub(super) fn with_field(
    mut schema: FormSchema,
    field: &Field,
    found: &Field,
    position: Option<usize>,
) -> Result<FormSchema, Reason> {
    let count = schema.fields.len();
    let place = (found.position as usize).min(count);
    // The button that sends may stay behind all fields.
    if position.is_some_and(|wanted| wanted < count && wanted != place) {
        return Err(Reason("position", "the markup has no place for it there"));
    }
    let group = field.group.clone().or_else(|| found.group.clone());
    let names: Vec<&String> = schema
        .fields
        .iter()
        .take(place)
        .map(|field| &field.name)
        .collect();
    for step in schema.layout.steps.iter_mut().flatten() {
        if group.as_ref() == Some(&step.id) {
            let at = step
                .fields
                .iter()
                .filter(|name| names.contains(name))
                .count();
            step.fields.insert(at, field.name.clone());
        }
    }
    let field = Field {
        group,
        ..field.clone()
    };
    schema.fields.insert(place, field);
    for (position, field) in (0..).zip(&mut schema.fields) {
        field.position = position;
    }
    Ok(schema)
}
