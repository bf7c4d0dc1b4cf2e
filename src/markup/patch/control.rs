//! Edits of a field that is one control.

use std::collections::BTreeSet;

use super::texts::Marker;
use super::{Patch, tag};
use crate::forms::{Field, FieldType, Validation};
use crate::markup::html::escape;
use crate::markup::html::tag::Tag;
use crate::markup::markers;

impl Patch<'_> {
    pub(super) fn update_control(
        &mut self,
        control: usize,
        from: &Field,
        to: &Field,
    ) -> Option<()> {
        self.update_name(control, from, to);
        self.update_kind(control, from, to)?;
        self.update_label(control, from, to)?;
        if from.description != to.description {
            let help = self.help_of(control)?;
            self.set_text(help, &to.description, Marker::None)?;
        }
        if from.placeholder != to.placeholder {
            let is_text = self.outline.elements.get(control)?.name != Tag::Select;
            is_text.then_some(())?;
            self.set(
                control,
                "placeholder",
                Some(&*to.placeholder).filter(|text| !text.is_empty()),
            );
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
            self.update_default(control, from, to)?;
        }
        self.update_validation(control, &from.validation, to);
        self.update_attributes(control, from, to);
        self.update_conditions(control, from, to);
        Some(())
    }

    pub(super) fn set(&mut self, element: usize, name: &str, value: Option<&str>) {
        if let Some(element) = self.outline.elements.get(element) {
            tag::set(&mut self.edits, self.html, &element.tag, name, value);
        }
    }

    /// A name keeps the brackets that make it a list.
    pub(super) fn update_name(&mut self, control: usize, from: &Field, to: &Field) {
        if from.name == to.name {
            return;
        }
        let written = self
            .outline
            .elements
            .get(control)
            .and_then(|c| c.value("name"));
        let is_list = written.is_some_and(|written| written.ends_with("[]"));
        let name = match is_list {
            true => format!("{}[]", to.name),
            false => to.name.clone(),
        };
        self.set(control, "name", Some(&name));
    }

    /// Inputs become other inputs; other elements stay what they are.
    fn update_kind(&mut self, control: usize, from: &Field, to: &Field) -> Option<()> {
        if from.kind == to.kind {
            return Some(());
        }
        let is_input = self.outline.elements.get(control)?.name == Tag::Input;
        let stays_input = !matches!(
            to.kind,
            FieldType::Select | FieldType::Textarea | FieldType::Submit
        );
        (is_input && stays_input).then(|| self.set(control, "type", Some(to.kind.as_str())))
    }

    /// The text of the label element, or for want of one, `aria-label`.
    fn update_label(&mut self, control: usize, from: &Field, to: &Field) -> Option<()> {
        let marker = match (from.required, to.required) {
            (true, true) => Marker::Stays,
            (true, false) => Marker::Goes,
            _ => Marker::None,
        };
        if from.label == to.label && marker != Marker::Goes {
            return Some(());
        }
        match self.outline.label_of(control) {
            Some(label) if self.says(label, &from.label) => self.set_text(label, &to.label, marker),
            _ if from.label == to.label => Some(()),
            Some(_) => None,
            None => {
                self.set(control, "aria-label", Some(&to.label));
                Some(())
            }
        }
    }

    /// The author's classes stand behind those that rendering put there.
    fn update_class(&mut self, control: usize, to: &Field) {
        let written = self
            .outline
            .elements
            .get(control)
            .and_then(|c| c.value("class"));
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

    fn update_default(&mut self, control: usize, from: &Field, to: &Field) -> Option<()> {
        let element = self.outline.elements.get(control)?;
        match (element.name, to.kind) {
            (Tag::Textarea, _) => {
                let content = element.content.clone();
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
        Some(())
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
        let names: BTreeSet<&String> = from.attributes.keys().chain(to.attributes.keys()).collect();
        for name in names {
            let (before, after) = (from.attributes.get(name), to.attributes.get(name));
            if before != after {
                self.set(control, name, after.map(String::as_str));
            }
        }
    }

    /// The control's own conditions, as JSON, which says them all.
    fn update_conditions(&mut self, control: usize, from: &Field, to: &Field) {
        if from.conditions == to.conditions {
            return;
        }
        for plain in ["data-show-if", "data-hide-if"] {
            self.set(control, plain, None);
        }
        let exact = serde_json::to_string(&to.conditions).ok();
        let exact = exact.filter(|_| !to.conditions.is_empty());
        self.set(control, "data-cf-conditions", exact.as_deref());
    }

    /// The element with the help text of a control.
    pub(super) fn help_of(&self, control: usize) -> Option<usize> {
        let ids = self
            .outline
            .elements
            .get(control)?
            .value("aria-describedby")?;
        let mut ids = ids
            .split_ascii_whitespace()
            .filter(|id| !id.ends_with("--error"));
        let help = self.outline.with_id(ids.next()?)?;
        ids.next().is_none().then_some(help)
    }
}
