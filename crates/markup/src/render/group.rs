//! Fields of several controls, and fields that hold others.

use super::Page;
use crate::html::text::{collapse, seen};
use crate::markers;
use model::{Field, FieldType};

impl Page<'_> {
    /// The fieldset of a field of several controls, up to its legend.
    fn open_fieldset(&mut self, field: &Field, is_in_disabled: bool) {
        self.out.push_str("<fieldset");
        self.class(markers::OPTIONS_CLASSES, field);
        self.identity(field);
        if self.own_ids.contains_key(field.name.as_str()) {
            self.id_attributes(field);
        } else {
            self.unusable_id(field);
        }
        self.own_attributes(field, &[]);
        self.describedby(field);
        self.conditions(field);
        self.exact_label(field);
        self.exact_description(field);
        if !field.placeholder.is_empty() {
            self.attribute("data-cf-placeholder", &field.placeholder);
        }
        self.hidden_constraints(field);
        self.enabled(field, is_in_disabled);
    }

    fn legend(&mut self, field: &Field) {
        self.out.push_str(">\n<legend");
        self.label_class(&field.label);
        self.out.push('>');
        self.label_text(field);
        self.out.push_str("</legend>\n");
    }

    fn close_fieldset(&mut self, field: &Field) {
        self.description(field);
        self.out.push_str("</fieldset>\n");
    }

    /// Radios, checkboxes or a rating.
    pub(super) fn set(&mut self, field: &Field, is_in_disabled: bool) {
        self.open_fieldset(field, is_in_disabled);
        let points: Vec<(String, String)> = match field.kind {
            FieldType::Rating => {
                let max = field
                    .validation
                    .max
                    .as_ref()
                    .and_then(serde_json::Number::as_u64);
                let max = max
                    .unwrap_or(markers::DEFAULT_RATING)
                    .min(markers::MAX_RATING);
                (1..=max)
                    .map(|point| (point.to_string(), point.to_string()))
                    .collect()
            }
            _ => {
                let options = field.options.iter();
                options
                    .map(|option| (option.value.clone(), option.label.clone()))
                    .collect()
            }
        };
        let wanted: Vec<&str> = match field.kind {
            FieldType::Checkbox => field.default_values().collect(),
            _ => vec![field.default_value.as_str()],
        };
        let is_checked = |value: &str| !field.default_value.is_empty() && wanted.contains(&value);
        let said: Vec<&str> = points
            .iter()
            .map(|(value, _)| value.as_str())
            .filter(|value| is_checked(value))
            .collect();
        if said.join("\n") != field.default_value {
            self.attribute("data-cf-default", &field.default_value);
        }
        self.legend(field);
        for (index, (value, label)) in points.iter().enumerate() {
            self.choice(field, index, value, label, is_checked(value));
        }
        self.close_fieldset(field);
    }

    fn choice(&mut self, field: &Field, index: usize, value: &str, label: &str, is_checked: bool) {
        let id = format!("{}--{}", self.made_id(field), index + 1);
        let is_checkbox = field.kind == FieldType::Checkbox;
        self.out.push_str("<div class=\"cf-choice\">\n<input");
        self.attribute("type", if is_checkbox { "checkbox" } else { "radio" });
        self.attribute("class", markers::CONTROL_CLASS);
        self.attribute("id", &id);
        let name = match is_checkbox {
            true => format!("{}[]", field.name),
            false => field.name.clone(),
        };
        self.attribute("name", &name);
        self.attribute("value", value);
        if is_checked {
            self.attribute("checked", "");
        }
        if field.required && !is_checkbox {
            self.attribute("required", "");
        }
        let shown = seen(label);
        if shown != label || label.is_empty() {
            self.attribute("data-cf-label", label);
        }
        self.out.push_str(">\n<label");
        self.attribute("for", &id);
        self.out.push('>');
        match shown.is_empty() {
            true => self.text(&markers::humanized(value)),
            false => self.text(label),
        }
        self.out.push_str("</label>\n</div>\n");
    }

    /// A name or an address.
    pub(super) fn composite(&mut self, field: &Field, is_in_disabled: bool) {
        self.open_fieldset(field, is_in_disabled);
        if !field.default_value.is_empty() {
            self.attribute("data-cf-default", &field.default_value);
        }
        self.legend(field);
        for part in field.kind.parts() {
            let (label, token) = markers::part_texts(part.name);
            let id = format!("{}--{}", self.made_id(field), part.name);
            self.out.push_str("<div class=\"cf-part\">\n<label");
            self.attribute("for", &id);
            self.out.push('>');
            self.text(field.part_label(part.name).unwrap_or(label));
            self.out.push_str("</label>\n<input type=\"text\"");
            self.attribute("class", markers::CONTROL_CLASS);
            self.attribute("id", &id);
            self.attribute("name", &format!("{}[{}]", field.name, part.name));
            self.attribute("autocomplete", token);
            if field.required && part.needed {
                self.attribute("required", "");
            }
            self.out.push_str(">\n</div>\n");
        }
        self.close_fieldset(field);
    }

    /// The start of a fieldset or container that holds other fields.
    pub(super) fn open_group(&mut self, field: &Field) {
        let is_fieldset = field.kind == FieldType::Fieldset;
        self.out
            .push_str(if is_fieldset { "<fieldset" } else { "<div" });
        self.class(markers::class_of(field.kind), field);
        self.identity(field);
        if self.own_ids.contains_key(field.name.as_str()) {
            self.id_attributes(field);
        } else {
            self.unusable_id(field);
        }
        self.own_attributes(field, &[]);
        self.conditions(field);
        self.hidden_constraints(field);
        self.hidden_texts(field);
        if is_fieldset {
            self.describedby(field);
            self.exact_description(field);
        } else if !field.description.is_empty() {
            self.attribute("data-cf-description", &field.description);
        }
        let shows_label = is_fieldset && !field.label.is_empty();
        if collapse(&field.label) != field.label || (!shows_label && !field.label.is_empty()) {
            self.attribute("data-cf-label", &field.label);
        }
        self.out.push_str(">\n");
        if shows_label {
            self.out.push_str("<legend");
            self.attribute("class", "cf-legend");
            self.out.push('>');
            self.text(&field.label);
            self.out.push_str("</legend>\n");
        }
        if is_fieldset {
            self.description(field);
        }
    }
}
