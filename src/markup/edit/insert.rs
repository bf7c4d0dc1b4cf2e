//! A new field, as rendered HTML.

use super::refusal::Reason;
use super::{Editor, rendered};
use crate::forms::{Field, FieldType, FormSchema};
use crate::markup::html::tag::Tag;

/// No place of the markup takes a block of HTML.
const NO_PLACE: Reason = Reason("", "its place is within a line of text or a list of terms");

impl Editor<'_> {
    /// Writes a field where it is to stand.
    pub(super) fn insert(&mut self, field: &Field, position: Option<usize>) -> Result<(), Reason> {
        let places = self.read.schema.fields.iter().zip(&self.read.places);
        let mut sending = places.filter(|(known, _)| {
            known.kind == FieldType::Submit && (field.group.is_none() || known.group == field.group)
        });
        let behind = position.and_then(|position| self.read.places.get(position));
        let sends = sending.next().map(|(_, place)| place);
        let group = field.group.as_deref().and_then(|group| self.element_of_group(group));
        let html = rendered(field);
        if let (Some(place), None) = (behind.or(sends), group.filter(|_| sends.is_none())) {
            let element = self.outline.at(place.offset as usize).ok_or(NO_PLACE)?;
            let label = self.read.texts.spans(place.label.clone(), true);
            let start = self.outline.elements.get(element).map_or(0, |e| e.tag.start);
            let start = label.first().map_or(start, |label| label.start.min(start));
            let end = self.outline.elements.get(element).map_or(start, |e| e.end);
            let wrapper = self.wrapper(start..end);
            let at = wrapper.and_then(|wrapper| self.outline.elements.get(wrapper));
            return self.insert_before(at.map_or(start, |wrapper| wrapper.tag.start), html);
        }
        let end = match group.and_then(|group| self.outline.elements.get(group)) {
            Some(group) => group.content.end,
            None => self.outline.form_end.unwrap_or(self.html.len()),
        };
        self.edits.insert(end, format!("{html}\n"));
        Ok(())
    }

    /// The step, fieldset or container of a name.
    fn element_of_group(&self, group: &str) -> Option<usize> {
        let fields = self.read.schema.fields.iter().zip(&self.read.places);
        let mut holders = fields.filter(|(field, _)| field.name == group && field.kind.holds_fields());
        if let Some((_, place)) = holders.next() {
            return self.outline.at(place.offset as usize);
        }
        let mut elements = 0..self.outline.elements.len();
        elements.find(|element| {
            let step = self.outline.attribute(*element, "data-step");
            step.is_some_and(|step| step.trim() == group)
        })
    }

    /// Writes HTML before what begins at an offset, in a row or item of its own in a table or list.
    fn insert_before(&mut self, at: usize, html: String) -> Result<(), Reason> {
        let around = self.outline.around(at..at).next();
        let around = around.and_then(|around| self.outline.elements.get(around));
        let html = match around.map(|around| around.name) {
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
        let space = before.get(before.trim_ascii_end().len()..).unwrap_or_default();
        let space = if space.contains('\n') { space } else { "\n" };
        self.edits.insert(at, format!("{html}{space}"));
        Ok(())
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
    let asked = position.map(|position| position.min(count));
    let place = (found.position as usize).min(count);
    // The button that sends may stay behind all fields.
    let is_behind = asked == Some(count);
    if asked.is_some_and(|asked| asked != place && !is_behind) {
        return Err(Reason("position", "the markup has no place for it there"));
    }
    let field = Field {
        position: found.position,
        group: field.group.clone().or_else(|| found.group.clone()),
        ..field.clone()
    };
    for step in schema.layout.steps.iter_mut().flatten() {
        if field.group.as_deref() == Some(step.id.as_str()) {
            let names = schema.fields.iter().take(place).map(|field| &field.name);
            let before: Vec<&String> = names.collect();
            let at = step.fields.iter().filter(|name| before.contains(name)).count();
            step.fields.insert(at, field.name.clone());
        }
    }
    schema.fields.insert(place, field);
    for (position, field) in (0..).zip(&mut schema.fields) {
        field.position = position;
    }
    Ok(schema)
}
