//! Edits of a field that is a set of radios or checkboxes.

use super::Patch;
use super::texts::Marker;
use crate::forms::{Field, FieldType};
use crate::markup::html::tag::Tag;

/// The most radios or checkboxes of a set that is edited in place.
const MAX_SET: usize = 200;

impl Patch<'_> {
    pub(super) fn update_set(&mut self, from: &Field, to: &Field) -> Option<()> {
        let controls = self.set_of(from)?;
        let is_else_same = from.kind == to.kind
            && from.options.len() == to.options.len()
            && controls.len() == from.options.len()
            && from.css_class == to.css_class
            && from.placeholder == to.placeholder
            && from.validation == to.validation
            && from.conditions == to.conditions
            && from.attributes == to.attributes;
        is_else_same.then_some(())?;
        if from.description != to.description {
            let help = controls.iter().find_map(|control| self.help_of(*control))?;
            self.set_text(help, &to.description, Marker::None)?;
        }
        if from.label != to.label {
            let legend = self.legend_of(&controls, &from.label)?;
            self.set_text(legend, &to.label, Marker::None)?;
        }
        let chosen: Vec<&str> = to.default_value.split('\n').collect();
        let options = from.options.iter().zip(&to.options);
        for (index, (control, (before, after))) in controls.iter().zip(options).enumerate() {
            self.update_name(*control, from, to);
            if before.value != after.value {
                self.set(*control, "value", Some(&after.value));
            }
            if before.label != after.label {
                let label = self.outline.label_of(*control)?;
                self.set_text(label, &after.label, Marker::None)?;
            }
            if from.default_value != to.default_value || before.value != after.value {
                let is_chosen =
                    !to.default_value.is_empty() && chosen.contains(&after.value.as_str());
                self.set(*control, "checked", is_chosen.then_some(""));
            }
            if from.required != to.required && (index == 0 || from.required) {
                self.set(*control, "required", to.required.then_some(""));
            }
        }
        Some(())
    }

    /// The inputs of a set, by their name.
    pub(super) fn set_of(&self, field: &Field) -> Option<Vec<usize>> {
        let kind = match field.kind {
            FieldType::Radio => "radio",
            _ => "checkbox",
        };
        let is_of_set = |(index, element): (usize, &super::outline::Element<'_>)| {
            let name = element.value("name")?;
            let is_named = name.strip_suffix("[]").unwrap_or(&name) == field.name;
            let is_kind = element.value("type")?.eq_ignore_ascii_case(kind);
            (element.name == Tag::Input && is_named && is_kind).then_some(index)
        };
        let elements = self.outline.elements.iter().enumerate();
        let controls: Vec<usize> = elements.filter_map(is_of_set).collect();
        (controls.len() <= MAX_SET).then_some(controls)
    }

    /// The innermost fieldset around all of the controls, if it holds no others.
    pub(super) fn fieldset_of(&self, controls: &[usize]) -> Option<usize> {
        let span_of = |index: &usize| Some(self.outline.elements.get(*index)?.span.clone());
        let first = span_of(controls.first()?)?;
        let last = span_of(controls.last()?)?;
        let mut elements = self.outline.elements.iter().enumerate();
        let (fieldset, element) = elements.rfind(|(_, e)| {
            e.name == Tag::Fieldset && e.span.start < first.start && e.span.end >= last.end
        })?;
        let others = self
            .outline
            .elements
            .iter()
            .enumerate()
            .any(|(index, other)| {
                matches!(other.name, Tag::Input | Tag::Select | Tag::Textarea)
                    && element.span.contains(&other.span.start)
                    && !controls.contains(&index)
            });
        (!others).then_some(fieldset)
    }

    /// The legend or label before a set that says its label.
    fn legend_of(&self, controls: &[usize], label: &str) -> Option<usize> {
        let first = *controls.first()?;
        let elements = self.outline.elements.get(..first)?.iter().enumerate();
        let says = |(_, element): &(usize, &super::outline::Element<'_>)| {
            matches!(element.name, Tag::Legend | Tag::Label)
                && self.outline.option_text(element) == label
        };
        elements.rev().find(says).map(|(index, _)| index)
    }
}
