//! Builds fields from radios and checkboxes.

use std::borrow::Cow;

use super::attributes::cut;
use super::fields::{Builder, Place, keep};
use super::items::{Item, ItemKind};
use super::labels::{LabelText, settle};
use super::options;
use super::{losses, recognize, unite};
use crate::html::text::collapse;
use crate::markers::without_marker;
use crate::warnings::WarningCode;
use model::{Field, FieldOption, FieldType};

impl Builder<'_, '_> {
    pub(super) fn add_choice(&mut self, item: &Item, kind: FieldType) {
        let Some((name, _)) = self.control_name(item) else {
            return;
        };
        if let Some(scope) = self.scope_of(item) {
            return self.add_to_set(scope, item);
        }
        let is_set = kind == FieldType::Radio || self.sets.is_choice(&self.items.name(item));
        if !is_set && self.sets.is_left_out(self.items, item, kind) {
            return self.leave_out(item, kind);
        }
        let known = self.field_named(&name);
        let before = known.and_then(|known| self.fields.get(known));
        let field = match (known, before.map(|field| field.kind)) {
            (Some(known), Some(FieldType::Radio | FieldType::Checkbox | FieldType::Select))
                if is_set =>
            {
                self.become_set(known, kind, item);
                known
            }
            (Some(known), Some(other)) if !is_set || !unite::is_text(other) => {
                return self.unite(known, item, kind, false);
            }
            _ => {
                let text = before.cloned();
                let (field, place) = if is_set {
                    self.set_field(name, kind, item)
                } else {
                    self.box_field(name, kind, item)
                };
                let field = self.push(known, field, item, place);
                if let Some(text) = text {
                    self.open(field, &text, item);
                }
                field
            }
        };
        if kind == FieldType::Radio && self.sets.has_other_radios(&self.items.name(item)) {
            self.become_set(field, FieldType::Checkbox, item);
        }
        if is_set {
            self.add_to_set(field, item);
        }
    }

    /// Turns a field into a set of choices that a radio or checkbox can join.
    fn become_set(&mut self, known: usize, kind: FieldType, item: &Item) {
        let Some(field) = self
            .fields
            .get_mut(known)
            .filter(|field| field.kind != kind && field.kind != FieldType::Checkbox)
        else {
            return;
        };
        unite::become_set(field, kind);
        let message = format!(
            "The controls `{}` are read as one set of choices.",
            field.name
        );
        self.warn(WarningCode::DuplicateName, item, message);
    }

    /// Builds the field of a single box, with its place.
    fn box_field(&mut self, name: String, kind: FieldType, item: &Item) -> (Field, Place) {
        let (mut field, exact, mut place) = self.common(name, kind, item);
        let value = exact.value.clone();
        if exact.is_checked {
            let shown = value.clone().unwrap_or_else(|| "on".to_owned());
            field.default_value = cut(exact.default_value.clone().unwrap_or(shown));
        }
        keep(&mut field, "value", value);
        self.take_label(item, &mut field, exact, &mut place);
        let linked = self.linked_label(&field, &place);
        if recognize::is_consent(self.items, item, &field, linked.is_some()) {
            field.kind = FieldType::Consent;
            if let Some(linked) = linked {
                field.label = linked;
                self.items.texts.linked(place.label.clone(), true);
            }
            let message = format!("The box `{}` is read as a consent.", field.name);
            self.warn(WarningCode::FieldRecognized, item, message);
        }
        (field, place)
    }

    /// Builds the field of the set of choices that begins with an item, with its place.
    fn set_field(&mut self, name: String, kind: FieldType, item: &Item) -> (Field, Place) {
        let (mut field, _, mut place) = self.common(name, kind, item);
        field.css_class = String::new();
        field.attributes.retain(|name, _| !is_of_one_choice(name));
        if self.sets.is_enabled(&self.items.name(item)) {
            field.attributes.remove("disabled");
        }
        let mut from = item.label_from;
        let mut owner = self.set_owner(item.parent);
        while let Some(around) = owner {
            from = from.max(around.mark);
            self.take_from_owner(&mut field, around, &mut place);
            owner = self.set_owner(around.parent);
        }
        if field.label.is_empty() {
            let found = self.labels.for_name(self.items, item);
            let found = found.or_else(|| self.label_before(item, from, &place.help));
            let found = found.unwrap_or_default();
            field.label = cut(found.text);
            place.label = found.place;
        } else if field.description.is_empty()
            && let Some(text) = self.unplaced_texts.last()
            && text.text.start >= from
        {
            // A paragraph between the legend and the choices describes the field.
            let before = self.unplaced_texts.len();
            let found = self.label_before(item, from, &place.help);
            if let Some(found) = found.filter(|_| self.unplaced_texts.len() < before) {
                field.description = cut(found.text);
                place.help = found.place;
            }
        }
        if field.required {
            field.label = without_marker(&field.label, true).to_owned();
        }
        if field.label.is_empty() {
            let message = format!("The choices `{}` have no common label.", field.name);
            self.warn(WarningCode::ControlWithoutLabel, item, message);
        }
        (field, place)
    }

    /// Takes the label, help and attributes of a set of choices from the fieldset or role group around it.
    fn take_from_owner(&mut self, field: &mut Field, owner: &Item, place: &mut Place) {
        let (around, exact, owner_place) = self.common(field.name.clone(), field.kind, owner);
        if field.css_class.is_empty() {
            field.css_class = around.css_class;
        }
        let is_required = around.attributes.get("aria-required");
        field.required |= around.required || is_required.is_some_and(|value| value == "true");
        if !around.description.is_empty() {
            field.description = around.description;
            place.help = owner_place.help;
        }
        for (name, value) in around.attributes {
            if !matches!(name.as_str(), "role" | "aria-required" | "disabled") {
                field.attributes.entry(name).or_insert(value);
            }
        }
        if owner.kind == ItemKind::Fieldset {
            field.conditions.splice(0..0, around.conditions);
        }
        if field.label.is_empty() {
            let found = LabelText::of(self.items, owner.text.clone())
                .unwrap_or_else(|| self.labels.shown(self.items, owner));
            let aria_label = exact.aria_label.map(|label| collapse(&label));
            let aria_label = aria_label.filter(|_| found.text.is_empty());
            field.label = cut(aria_label.unwrap_or(found.text));
            place.label = found.place;
        }
    }

    /// Adds a radio or checkbox to the field of its set.
    fn add_to_set(&mut self, index: usize, item: &Item) {
        match self.fields.get(index).map(|field| field.kind) {
            Some(FieldType::Radio | FieldType::Checkbox) => {}
            Some(FieldType::Rating) => return self.take_rating(index, item),
            _ => return,
        }
        let items = self.items;
        let has = |name| items.attribute(item, name).is_some();
        if self.sets.is_left_out(items, item, FieldType::Radio) {
            let label = self.labels.shown(items, item).text;
            let message = format!("The choice `{label}` cannot be chosen and is left out.");
            return self.warn(WarningCode::OptionDisabled, item, message);
        }
        let value = items.value(item, "value").unwrap_or(Cow::Borrowed("on"));
        let value = value.replace('\n', " ");
        let exact_label = items.value(item, "data-cf-label").map(Cow::into_owned);
        let mut found = self.labels.shown(items, item);
        let is_exact = exact_label.is_some();
        found.text = settle(found.text, exact_label, Some(&value), false);
        if found.text.is_empty() && !is_exact {
            let aria_label = items.value(item, "aria-label");
            found = LabelText::unplaced(aria_label.map(|label| collapse(&label)))
                .or_else(|| self.text_behind(item, true))
                .or_else(|| items.head_of(item))
                .or_else(|| self.title_of(item))
                .or_else(|| LabelText::unplaced(Some(value.clone())))
                .unwrap_or_default();
        }
        self.choice_labels.push((item.offset, found.place));
        let help = self.labels.description(items, item);
        let made = self.fields.get_mut(index).zip(self.made.get_mut(index));
        let Some((field, made)) = made else { return };
        let option = FieldOption {
            value: value.clone(),
            label: cut(found.text),
            image: options::image(items.value(item, "data-cf-image")),
        };
        let (values, warnings) = (&mut made.values, &mut self.warnings);
        let is_new = options::add_option(field, values, option, warnings, item.offset);
        if is_new {
            options::add_numbers(field, &value, |name| items.value(item, name));
        }
        if is_new && has("checked") && !made.has_exact_default {
            if field.kind == FieldType::Checkbox && !field.default_value.is_empty() {
                field.default_value.extend(["\n", &value]);
            } else {
                field.default_value = value;
            }
        }
        field.required |= has("required") || has("data-cf-required");
        if field.description.is_empty() {
            field.description = cut(help.text);
            made.place.help = help.place;
        } else if !help.text.is_empty() && help.text != field.description {
            let code = WarningCode::ContentDropped;
            self.warn(code, item, losses::message(code, &help.text));
        }
    }

    fn take_rating(&mut self, index: usize, item: &Item) {
        let value = self.items.value(item, "value");
        let label = self.labels.shown(self.items, item).text;
        if value.as_deref() != Some(&label) {
            let message = format!("The label `{label}` of a point is left out.");
            self.warn(WarningCode::ContentDropped, item, message);
        }
        let is_checked = self.items.attribute(item, "checked").is_some();
        let made = self.fields.get_mut(index).zip(self.made.get(index));
        if let Some((field, _)) = made.filter(|(_, made)| is_checked && !made.has_exact_default) {
            field.default_value = cut(value.unwrap_or_default());
        }
    }
}

/// Whether an attribute is about one choice, not about the set.
fn is_of_one_choice(name: &str) -> bool {
    matches!(
        name,
        "id" | "title" | "tabindex" | "accesskey" | "data-weight" | "data-seats"
    ) || matches!(name, "aria-label" | "aria-controls")
}
