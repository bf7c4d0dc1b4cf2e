//! Edits of fields that are no control: headings, texts, dividers, and what holds others.

use super::texts::Marker;
use super::{Patch, Why, why};
use crate::html::escape;
use model::slug::slug_of;
use model::{Field, FieldType};

/// What no answer is asked for with.
const ASKS_NOTHING: &str = "it asks for no answer";

impl Patch<'_> {
    pub(super) fn update_structure(&mut self, from: &Field, to: &Field) -> Result<(), Why> {
        let element = self.outline.at(self.place.offset as usize);
        let element = element.ok_or(why::NO_CONTROL)?;
        if from.kind != to.kind {
            return Err(why::OTHER_ELEMENT);
        }
        for (member, is_same) in [
            ("required", from.required == to.required),
            ("placeholder", from.placeholder == to.placeholder),
            ("validation", from.validation == to.validation),
            ("options", from.options == to.options),
            ("default_value", from.default_value == to.default_value),
        ] {
            if !is_same {
                return Err(Why(member, ASKS_NOTHING));
            }
        }
        self.update_help(from, to)?;
        if from.label != to.label {
            self.update_shown(element, from, to)?;
        }
        if from.name != to.name || self.is_named_by_legend(element, from, to) {
            self.set(element, "data-cf-name", Some(&to.name));
        }
        if from.css_class != to.css_class {
            self.update_class(element, to);
        }
        self.update_attributes(element, from, to);
        if from.conditions != to.conditions {
            self.write_conditions(element, &to.conditions);
        }
        Ok(())
    }

    /// The text of a heading or paragraph, or a fieldset's legend.
    fn update_shown(&mut self, element: usize, from: &Field, to: &Field) -> Result<(), Why> {
        let texts = self.texts_at(&self.place.label, false);
        let content = self.outline.elements.get(element).map(|e| e.content());
        match (to.kind, content) {
            (FieldType::Divider | FieldType::Container, _) => {
                Err(Why("label", "no text of the markup says it"))
            }
            (FieldType::Fieldset, Some(content)) if texts.is_empty() => {
                let mut legend = "<legend>".to_owned();
                escape::text(&mut legend, &to.label);
                self.edits.insert(content.start, legend + "</legend>");
                Ok(())
            }
            _ => self.set_text("label", &texts, &from.label, &to.label, Marker::None),
        }
    }

    /// Whether a fieldset has its name of a legend that becomes another.
    fn is_named_by_legend(&self, element: usize, from: &Field, to: &Field) -> bool {
        let is_named = ["data-cf-name", "name", "id"]
            .iter()
            .any(|name| self.outline.value(element, name).is_some());
        to.kind == FieldType::Fieldset && !is_named && slug_of(&from.label) != slug_of(&to.label)
    }
}
