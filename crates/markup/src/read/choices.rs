//! Fields of radios and checkboxes.

use std::borrow::Cow;

use super::attributes::cut;
use super::fields::{Builder, keep};
use super::items::{Item, ItemKind};
use super::labels::{LabelText, settle};
use super::options;
use super::sets::written_name;
use super::{losses, recognize};
use crate::html::text::{TextRange, collapse};
use crate::markers::{self, without_marker};
use crate::warnings::WarningCode;
use model::{Field, FieldOption, FieldType};

/// Attributes that say something about one choice, and nothing about the set.
const OF_ONE_CHOICE: &[&str] = &[
    "id",
    "aria-label",
    "aria-controls",
    "title",
    "tabindex",
    "accesskey",
];

impl Builder<'_> {
    pub(super) fn add_choice(&mut self, item: &Item) {
        let Some((name, _)) = self.control_name(item) else {
            return;
        };
        let ItemKind::Control(kind) = item.kind else {
            return;
        };
        let written = written_name(&self.items, item);
        let is_set = kind == FieldType::Radio || self.sets.is_choice(&written);
        if let Some(scope) = self.scope_of(item) {
            return self.add_to_set(scope, item);
        }
        let known = self.field_named(&name);
        let known_kind = known.and_then(|known| Some(self.fields.get(known)?.kind));
        let field = match known {
            Some(known) if known_kind == Some(kind) && is_set => known,
            Some(known) if known_kind != Some(FieldType::Hidden) => {
                return self.merge(known, item, kind, false);
            }
            _ => {
                if known.is_some() {
                    // A hidden input before a checkbox says what is sent when it is not ticked.
                    let message = format!("The hidden value of `{name}` is left out.");
                    self.warn(WarningCode::DuplicateName, item, message);
                }
                let (field, label, help) = self.choice_field(name.into_owned(), kind, is_set, item);
                self.push_at(known, field, item, label, help)
            }
        };
        if is_set {
            self.add_to_set(field, item);
        }
    }

    /// The field that a box begins, and where its label and help stand.
    fn choice_field(
        &mut self,
        name: String,
        kind: FieldType,
        is_set: bool,
        item: &Item,
    ) -> (Field, TextRange, TextRange) {
        let (mut field, exact) = self.common(name, kind, item);
        let mut help = exact.help.clone();
        if !is_set {
            let value = exact.value.clone();
            if exact.is_checked {
                let shown = value.clone().unwrap_or_else(|| "on".to_owned());
                field.default_value = cut(exact.default_value.clone().unwrap_or(shown));
            }
            keep(&mut field, "value", value);
            let label = self.take_label(item, &mut field, exact);
            if recognize::is_consent(&self.items, item, &field) {
                field.kind = FieldType::Consent;
                let message = format!("The box `{}` is read as a consent.", field.name);
                self.warn(WarningCode::FieldRecognized, item, message);
            }
            return (field, label, help);
        }
        field.css_class = String::new();
        field
            .attributes
            .retain(|name, _| !OF_ONE_CHOICE.contains(&name.as_str()));
        let is_disabled = field.attributes.contains_key("disabled") && !item.is_disabled;
        if is_disabled && self.sets.is_enabled(&written_name(&self.items, item)) {
            field.attributes.remove("disabled");
        }
        let mut label = 0..0;
        let mut from = item.label_from;
        let mut owner = self.set_owner(item.parent).cloned();
        while let Some(around) = owner {
            from = from.max(around.mark);
            self.take_from_owner(&mut field, &around, &mut label, &mut help);
            owner = self.set_owner(around.parent).cloned();
        }
        if self.sets.is_column(&written_name(&self.items, item)) {
            let found = self.items.head_text(item).unwrap_or_default();
            field.label = cut(found.text);
            label = found.place;
        } else if let Some(before) = self.text_before(item, from, &help) {
            if field.label.is_empty() {
                let found = self.take_text(before).unwrap_or_default();
                field.label = cut(found.text);
                label = found.place;
            } else if field.description.is_empty() && before.is_field && before.place.start >= from
            {
                let found = self.take_text(before).unwrap_or_default();
                field.description = cut(found.text);
                help = found.place;
            }
        }
        if field.required {
            field.label = without_marker(&field.label, true).to_owned();
        }
        if field.label.is_empty() {
            let message = format!("The choices `{}` have no common label.", field.name);
            self.warn(WarningCode::ControlWithoutLabel, item, message);
        }
        (field, label, help)
    }

    /// What a fieldset or role group around a set of choices says about it; also says where its
    /// label and help stand.
    fn take_from_owner(
        &mut self,
        field: &mut Field,
        owner: &Item,
        label: &mut TextRange,
        help: &mut TextRange,
    ) {
        let (around, exact) = self.common(field.name.clone(), field.kind, owner);
        if field.css_class.is_empty() {
            field.css_class = around.css_class;
        }
        let is_required = around.attributes.get("aria-required");
        field.required |= around.required || is_required.is_some_and(|value| value == "true");
        if !around.description.is_empty() {
            field.description = around.description;
            *help = exact.help;
        }
        for (name, value) in around.attributes {
            if !matches!(name.as_str(), "role" | "aria-required" | "disabled") {
                field.attributes.entry(name).or_insert(value);
            }
        }
        if owner.kind == ItemKind::Fieldset {
            let mut conditions = around.conditions;
            conditions.append(&mut field.conditions);
            field.conditions = conditions;
        }
        if field.label.is_empty() {
            let found = LabelText::of(&self.items, owner.text.clone())
                .unwrap_or_else(|| self.labels.shown(&self.items, owner));
            let aria_label = exact.aria_label.map(|label| collapse(&label));
            let aria_label = aria_label.filter(|_| found.text.is_empty());
            field.label = cut(aria_label.unwrap_or(found.text));
            *label = found.place;
        }
    }

    /// Adds a radio or checkbox to the field that it is a choice of.
    fn add_to_set(&mut self, field_index: usize, item: &Item) {
        match self.fields.get(field_index).map(|field| field.kind) {
            Some(FieldType::Radio | FieldType::Checkbox) => {}
            Some(FieldType::Rating) => return self.take_rating(field_index, item),
            _ => return,
        }
        let is_disabled = self.items.attribute(item, "disabled").is_some();
        if is_disabled && self.sets.is_enabled(&written_name(&self.items, item)) {
            let label = self.labels.shown(&self.items, item).text;
            let message = format!("The choice `{label}` cannot be chosen and is left out.");
            return self.warn(WarningCode::OptionDisabled, item, message);
        }
        let attribute = |name| self.items.attribute(item, name);
        let text_of = |name| Some(attribute(name)?.value());
        let value = text_of("value").unwrap_or(Cow::Borrowed("on"));
        let value = value.replace('\n', " ");
        let is_checked = attribute("checked").is_some();
        let is_required =
            attribute("required").is_some() || attribute("data-cf-required").is_some();
        let exact_label = text_of("data-cf-label").map(Cow::into_owned);
        let substitute = || markers::humanized(&value);
        let mut found = self.labels.shown(&self.items, item);
        let is_exact = exact_label.is_some();
        found.text = settle(found.text, exact_label, substitute, false);
        if found.text.is_empty() && !is_exact {
            let aria_label = text_of("aria-label").map(|label| collapse(&label));
            found = LabelText::unplaced(aria_label)
                .or_else(|| self.text_after(item))
                .or_else(|| self.text_of_cell(item))
                .or_else(|| self.title_of(item))
                .or_else(|| LabelText::unplaced(Some(value.clone())))
                .unwrap_or_default();
        }
        self.choice_labels.push((item.offset, found.place));
        let help = self.labels.description(&self.items, item);
        let image = options::image(text_of("data-cf-image"));
        let offset = item.offset as usize;
        let Some(field) = self.fields.get_mut(field_index) else {
            return;
        };
        let option = FieldOption {
            value: value.clone(),
            label: cut(found.text),
            image,
        };
        let Some(made) = self.made.get_mut(field_index) else {
            return;
        };
        let is_new = options::add_option(field, &mut made.values, option, &mut self.items, offset);
        if is_new && is_checked && !made.has_exact_default {
            let is_single = field.kind == FieldType::Radio;
            field.default_value = if is_single || field.default_value.is_empty() {
                value
            } else {
                format!("{}\n{value}", field.default_value)
            };
        }
        field.required |= is_required;
        if field.description.is_empty() {
            field.description = cut(help.text);
            made.place.help = help.place;
        } else if !help.text.is_empty() && help.text != field.description {
            let code = WarningCode::ContentDropped;
            let message = losses::message(code, &help.text);
            self.items.warnings.add(code, offset, message);
        }
    }

    /// What a choice with no text beside it is called in a table: as its row, where the column asks for it,
    /// else as its column.
    fn text_of_cell(&self, item: &Item) -> Option<LabelText> {
        if self.sets.is_column(&written_name(&self.items, item)) {
            let (from, end) = (item.label_from, item.mark.saturating_sub(1));
            LabelText::of(&self.items, self.items.texts.line_before(from, end))
        } else {
            self.items.head_text(item)
        }
    }

    fn take_rating(&mut self, index: usize, item: &Item) {
        let is_checked = self.items.attribute(item, "checked").is_some();
        let value = self.items.attribute(item, "value");
        let value = value.map(|value| value.value().into_owned());
        let label = self.labels.shown(&self.items, item).text;
        if value.as_ref() != Some(&label) {
            let message = format!("The label `{label}` of a point is left out.");
            self.warn(WarningCode::ContentDropped, item, message);
        }
        let is_exact = self.made.get(index).is_some_and(|m| m.has_exact_default);
        if let Some(field) = self.fields.get_mut(index)
            && is_checked
            && !is_exact
        {
            field.default_value = cut(value.unwrap_or_default());
        }
    }
}
