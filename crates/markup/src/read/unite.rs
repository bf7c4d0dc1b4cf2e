//! Merges several controls of one name into one field that accepts the answers of all. The field has all options. It
//! accepts a free answer if choices share their name with a text control, and a list if several values arrive.

use super::attributes::cut;
use super::fields::Builder;
use super::items::Item;
use super::options::{self, OptionsOwner};
use crate::warnings::{WarningCode, Warnings};
use model::attributes::MAX_ATTRIBUTE_VALUE_CHARS;
use model::check::MAX_TEXT_CHARS;
use model::unite::{join_default, label_of_other, unite_bounds, unite_common};
use model::{Field, FieldType};

/// Whether a control of this type accepts a free answer if choices share its name.
pub(super) fn is_text(kind: FieldType) -> bool {
    is_simple(kind) && !kind.has_choices() && !kind.takes_files() && kind.is_seen()
}

/// Whether the answer of a field is the value of one control with the field's name.
fn is_simple(kind: FieldType) -> bool {
    kind.captures_value() && kind.members().is_empty() && kind != FieldType::Rating
}

impl Builder<'_, '_> {
    /// Merges a control into the field of its name, or warns that it is left out. Radios and checkboxes that join a set
    /// of choices do not come here.
    pub(super) fn unite(&mut self, index: usize, item: &Item, kind: FieldType, is_list: bool) {
        let Some(known) = self.fields.get(index) else {
            return;
        };
        let (before, name) = (known.kind, known.name.clone());
        let is_odd = before.takes_files() != kind.takes_files();
        if !is_simple(before) || !is_simple(kind) || is_odd {
            let message = format!("A field `{name}` exists already; this control is left out.");
            return self.warn(WarningCode::DuplicateName, item, message);
        }
        let (mut added, exact, mut place) = self.common(name, kind, item);
        if kind == FieldType::Select {
            let owner = OptionsOwner::Select(item.offset);
            let chosen = options::read(&mut added, owner, self.items, &mut self.warnings);
            added.default_value = chosen.values.join("\n");
        } else {
            let text = match kind {
                FieldType::Textarea => self.items.texts.verbatim(item.text.clone()),
                _ => exact.value.clone().unwrap_or_default(),
            };
            added.default_value = cut(text.trim_start_matches('\n').to_owned());
        }
        if kind.is_seen() && !(is_list && before == kind) {
            self.take_label(item, &mut added, exact, &mut place);
        }
        if before.has_choices() && !kind.has_choices() {
            self.open(index, &added, item);
        } else if before.has_choices() {
            self.unite_options(index, added, item);
        } else {
            self.unite_texts(index, added, item, is_list);
        }
    }

    /// Lets a choice accept a free answer, from the text control with its name.
    pub(super) fn open(&mut self, index: usize, text: &Field, item: &Item) {
        let Some(field) = self.fields.get_mut(index) else {
            return;
        };
        unite_common(field, text);
        let count = self.sets.texts(&field.name);
        let label = text.label.chars().take(MAX_ATTRIBUTE_VALUE_CHARS);
        let label: String = label.collect();
        let other = field.attributes.entry(Field::OTHER.to_owned());
        other.or_insert_with(|| match label.as_str() {
            "" => "Other".to_owned(),
            _ => label,
        });
        if count > 1 {
            let count = count.to_string();
            field.attributes.insert(Field::INPUTS.to_owned(), count);
        }
        self.opened.push(index);
        let name = &field.name;
        let message = format!("The text `{name}` is read as a free answer to the choice.");
        self.warn(WarningCode::DuplicateName, item, message);
    }

    /// Merges a further select, or choices of another kind.
    fn unite_options(&mut self, index: usize, added: Field, item: &Item) {
        let known = self.fields.get_mut(index).zip(self.made.get_mut(index));
        let Some((field, made)) = known else { return };
        unite_common(field, &added);
        become_set(field, added.kind);
        join(field, &added, item, &mut self.warnings);
        let (values, warnings) = (&mut made.values, &mut self.warnings);
        options::unite(field, values, added.options, warnings, item.offset);
        let message = format!(
            "The controls `{}` are read as one field, which has all their options.",
            field.name
        );
        self.warn(WarningCode::DuplicateName, item, message);
    }

    /// Merges a further text control, file or hidden control: the answers become a list.
    fn unite_texts(&mut self, index: usize, added: Field, item: &Item, is_list: bool) {
        let Some(field) = self.fields.get_mut(index) else {
            return;
        };
        let was_list = is_list && field.kind == added.kind;
        let before = (field.validation.clone(), field.kind);
        unite_common(field, &added);
        unite_bounds(field, &added);
        let is_narrowed = before != (field.validation.clone(), field.kind);
        field.attributes.entry("multiple".to_owned()).or_default();
        join(field, &added, item, &mut self.warnings);
        let name = &field.name;
        let mut message =
            format!("The controls `{name}` are read as one field with several answers.");
        if is_narrowed {
            message.push_str(" Constraints of only some of them are left out.");
        }
        if !was_list || is_narrowed {
            self.warn(WarningCode::DuplicateName, item, message);
        }
    }

    /// Labels each free answer with the label of its option, if there is one.
    pub(super) fn name_free_answers(&mut self) {
        for index in std::mem::take(&mut self.opened) {
            if let Some(field) = self.fields.get_mut(index)
                && let Some(label) = label_of_other(field)
            {
                field.attributes.insert(Field::OTHER.to_owned(), label);
            }
        }
    }
}

/// Lets a choice of one kind accept the options of another kind.
pub(super) fn become_set(field: &mut Field, kind: FieldType) {
    if field.kind != kind {
        field.kind = FieldType::Checkbox;
        field.attributes.remove("multiple");
        field.attributes.remove("size");
    } else if kind == FieldType::Select {
        field.attributes.entry("multiple".to_owned()).or_default();
    }
}

/// Adds the default value of a further control to the field's default values.
fn join(field: &mut Field, added: &Field, item: &Item, warnings: &mut Warnings) {
    if !join_default(field, &added.default_value) {
        let name = &field.name;
        let limit = format!("it has more than {MAX_TEXT_CHARS} characters.");
        let message = format!("The default value of `{name}` is cut: {limit}");
        warnings.add(WarningCode::TextCut, item.offset as usize, message);
    }
}
