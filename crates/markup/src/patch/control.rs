//! Edits of a field that is one control.

use std::collections::BTreeSet;

use super::texts::Marker;
use super::{Patch, Why, tag, why};
use crate::html::escape;
use crate::html::tag::Tag;
use crate::html::text::collapse;
use crate::markers::{self, without_marker};
use crate::read::says_consent;
use model::ordered::Gather;
use model::{Field, FieldType, Validation};

impl Patch<'_> {
    pub(super) fn update_control(
        &mut self,
        control: usize,
        from: &Field,
        to: &Field,
    ) -> Result<(), Why> {
        if from.kind == FieldType::Submit {
            is_said_of_buttons(from, to)?;
        }
        self.update_name(control, from, to);
        self.update_kind(control, from, to)?;
        // A box says that it is a consent where its words alone do not.
        if to.kind == FieldType::Consent && !says_consent(to) {
            self.set(control, "data-cf-type", Some("consent"));
        }
        self.update_label(control, from, to)?;
        match self.texts_at(&self.place.help, true).is_empty() {
            true => self.add_help(control, from, to),
            false => self.update_help(from, to)?,
        }
        if from.placeholder != to.placeholder {
            let is_attribute = self.outline.value(control, "placeholder").is_some();
            match self.tag_of(control) == Tag::Select && !is_attribute {
                true => self.update_asking_option(control, from, to)?,
                false => {
                    let placeholder = Some(&*to.placeholder).filter(|text| !text.is_empty());
                    self.set(control, "placeholder", placeholder);
                }
            }
        }
        if from.required != to.required {
            self.set(control, "required", to.required.then_some(""));
        }
        if from.css_class != to.css_class {
            self.update_class(control, to);
        }
        if from.options != to.options {
            self.update_options(control, from, to)?;
        }
        if from.default_value != to.default_value || from.options != to.options {
            self.update_default(control, from, to);
        }
        self.update_validation(control, &from.validation, to);
        self.update_attributes(control, from, to);
        self.update_conditions(&[control], from, to)
    }

    pub(super) fn set(&mut self, element: usize, name: &str, value: Option<&str>) {
        if let Some(tag) = self.outline.tag(element) {
            tag::set(&mut self.edits, self.html, &tag, name, value);
        }
    }

    fn tag_of(&self, element: usize) -> Tag {
        let element = self.outline.elements.get(element);
        element.map_or(Tag::Other, |element| element.name)
    }

    /// A name keeps the brackets that make it a list.
    pub(super) fn update_name(&mut self, control: usize, from: &Field, to: &Field) {
        if from.name == to.name {
            return;
        }
        let written = self.outline.value(control, "name");
        let is_list = written.is_some_and(|written| written.ends_with("[]"));
        let name = match is_list {
            true => format!("{}[]", to.name),
            false => to.name.clone(),
        };
        self.set(control, "name", Some(&name));
    }

    /// Inputs become other inputs; other elements stay what they are.
    fn update_kind(&mut self, control: usize, from: &Field, to: &Field) -> Result<(), Why> {
        if from.kind == to.kind {
            return Ok(());
        }
        match (from.kind, to.kind) {
            (FieldType::Checkbox, FieldType::Consent) => return Ok(()),
            (FieldType::Consent, FieldType::Checkbox) => {
                self.set(control, "data-cf-type", None);
                return Ok(());
            }
            _ => {}
        }
        let is_input = self.tag_of(control) == Tag::Input;
        let stays_input = !matches!(
            to.kind,
            FieldType::Select | FieldType::Textarea | FieldType::Submit
        );
        if !is_input || !stays_input {
            return Err(why::OTHER_ELEMENT);
        }
        self.set(control, "type", Some(to.kind.as_str()));
        Ok(())
    }

    /// The text that names the control; for want of one, what a button is called, or `aria-label`.
    fn update_label(&mut self, control: usize, from: &Field, to: &Field) -> Result<(), Why> {
        let marker = Marker::of(from, to);
        let texts = self.texts_at(&self.place.label, false);
        if self.is_named_by_placeholder(control, from) {
            // Who changes what is seen changes the placeholder.
            let shown = collapse(&to.placeholder);
            let said = |text| without_marker(text, to.required);
            if said(&shown) != said(&to.label) {
                self.set(control, "aria-label", Some(&to.label));
            }
            return Ok(());
        }
        if from.label == to.label && (marker != Marker::Goes || texts.is_empty()) {
            return Ok(());
        }
        if !texts.is_empty() {
            return self.set_text("label", &texts, &from.label, &to.label, marker);
        }
        let attribute = match (to.kind, self.tag_of(control)) {
            (FieldType::Submit, Tag::Button) => {
                return Err(Why("label", "the button holds no text"));
            }
            (FieldType::Submit, _) if self.outline.value(control, "alt").is_some() => "alt",
            (FieldType::Submit, _) => "value",
            _ if self.outline.value(control, "aria-labelledby").is_some() => {
                return Err(Why("label", "several elements say it"));
            }
            _ => "aria-label",
        };
        self.set(control, attribute, Some(&to.label));
        Ok(())
    }

    /// Whether nothing names a control but its placeholder.
    fn is_named_by_placeholder(&self, control: usize, field: &Field) -> bool {
        let said = collapse(&field.placeholder);
        !field.label.is_empty()
            && without_marker(&said, field.required) == field.label
            && self.tag_of(control) != Tag::Select
            && self.texts_at(&self.place.label, false).is_empty()
            && ["aria-label", "aria-labelledby", "data-cf-label"]
                .iter()
                .all(|name| self.outline.value(control, name).is_none())
    }

    /// What a field is to be when its label changes and nothing but its placeholder names it: the
    /// placeholder, which is what is seen, changes with it.
    pub(super) fn with_placeholder(&self, from: &Field, to: &Field) -> Option<Field> {
        let control = self.control().ok()?;
        let follows = from.label != to.label
            && from.placeholder == to.placeholder
            && !to.label.is_empty()
            && self.is_named_by_placeholder(control, from);
        let marker = from.placeholder.trim_ascii().strip_prefix(&*from.label)?;
        follows.then(|| Field {
            placeholder: format!("{}{marker}", to.label),
            ..to.clone()
        })
    }

    /// The text that helps with the field, where there is some.
    pub(super) fn update_help(&mut self, from: &Field, to: &Field) -> Result<(), Why> {
        if from.description == to.description {
            return Ok(());
        }
        let texts = self.texts_at(&self.place.help, true);
        if texts.is_empty() {
            return Err(Why("description", "there is no help text to change"));
        }
        if to.description.is_empty() && !self.keeps_emptied && self.take_help(&texts, from) {
            return Ok(());
        }
        let (from, to) = (&from.description, &to.description);
        self.set_text("description", &texts, from, to, Marker::None)
    }

    /// The author's classes stand behind those that rendering put there.
    pub(super) fn update_class(&mut self, control: usize, to: &Field) {
        let written = self.outline.value(control, "class");
        let rendered = markers::class_of(to.kind);
        let is_rendered = written.is_some_and(|written| {
            written
                .strip_prefix(rendered)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        });
        let class = match is_rendered {
            true => format!("{rendered} {}", to.css_class),
            false => to.css_class.clone(),
        };
        self.set(
            control,
            "class",
            Some(class.trim_end()).filter(|class| !class.is_empty()),
        );
    }

    fn update_default(&mut self, control: usize, from: &Field, to: &Field) {
        let Some(element) = self.outline.elements.get(control) else {
            return;
        };
        match (element.name, to.kind) {
            (Tag::Textarea, _) => {
                let content = element.content();
                let old = self.html.get(content.clone()).unwrap_or_default();
                // Browsers drop the first line break; it stays where there is one.
                let kept = ["\r\n", "\n"].iter().find(|first| old.starts_with(**first));
                let mut written = String::new();
                if kept.is_none() && to.default_value.starts_with('\n') {
                    written.push('\n');
                }
                escape::text(&mut written, &to.default_value);
                let start = content.start + kept.map_or(0, |first| first.len());
                self.edits.replace(start..content.end, written);
            }
            (Tag::Select, _) => self.select_options(control, to),
            (_, FieldType::Checkbox | FieldType::Consent) => {
                let is_checked = !to.default_value.is_empty();
                self.set(control, "checked", is_checked.then_some(""));
            }
            _ if from.default_value != to.default_value => {
                let value = Some(&*to.default_value).filter(|value| !value.is_empty());
                self.set(control, "value", value);
            }
            _ => {}
        }
    }

    fn update_validation(&mut self, control: usize, from: &Validation, to: &Field) {
        let (min, max) = match to.kind.has_length() {
            true => ("minlength", "maxlength"),
            false => ("min", "max"),
        };
        let bounds = [
            (min, &from.min, &to.validation.min),
            (max, &from.max, &to.validation.max),
        ];
        for (name, from, to) in bounds {
            if from != to {
                let bound = to.as_ref().map(ToString::to_string);
                self.set(control, name, bound.as_deref());
            }
        }
        if from.pattern != to.validation.pattern {
            self.set(control, "pattern", to.validation.pattern.as_deref());
        }
    }

    pub(super) fn update_attributes(&mut self, control: usize, from: &Field, to: &Field) {
        let names: BTreeSet<&String> = from.attributes.keys().chain(to.attributes.keys()).gather();
        for name in names {
            let (before, after) = (from.attributes.get(name), to.attributes.get(name));
            if before != after {
                self.set(control, name, after.map(String::as_str));
            }
        }
    }
}

/// Buttons have a text and a value, and neither of what asks a visitor for an answer.
fn is_said_of_buttons(from: &Field, to: &Field) -> Result<(), Why> {
    for (member, is_same) in [
        ("required", from.required == to.required),
        ("placeholder", from.placeholder == to.placeholder),
        ("validation", from.validation == to.validation),
        ("options", from.options == to.options),
    ] {
        if !is_same {
            return Err(Why(member, "a button has none"));
        }
    }
    Ok(())
}
