//! What the elements of all fields have in common.

use super::Page;
use crate::conditions;
use crate::html::escape;
use crate::html::text::{collapse, seen};
use crate::markers;
use crate::markers::without_marker;
use model::{Field, FieldType};

impl Page<'_> {
    pub(super) fn attribute(&mut self, name: &str, value: &str) {
        escape::attribute(&mut self.out, name, value);
    }

    pub(super) fn text(&mut self, text: &str) {
        escape::text(&mut self.out, text);
    }

    /// The classes of the element that carries the field's attributes.
    pub(super) fn class(&mut self, rendered: &str, field: &Field) {
        self.out.push_str(" class=\"");
        self.out.push_str(rendered);
        if !field.css_class.is_empty() {
            self.out.push(' ');
            escape::attribute_value(&mut self.out, &field.css_class);
        }
        self.out.push('"');
    }

    /// `data-show-if` or `data-hide-if` where the grammar can say the conditions.
    pub(super) fn conditions(&mut self, field: &Field) {
        let written = match field.conditions.as_slice() {
            [] => return,
            [condition] => conditions::write(condition),
            _ => None,
        };
        if let Some((name, text)) = written {
            self.attribute(name, &text);
        } else if let Ok(json) = serde_json::to_string(&field.conditions) {
            self.attribute("data-cf-conditions", &json);
        }
    }

    /// The id, or the author's where it cannot be one.
    pub(super) fn id_attributes(&mut self, field: &Field) {
        let id = self.id(field);
        self.attribute("id", &id);
        self.unusable_id(field);
    }

    /// The author's id alone, where nothing refers to the element.
    pub(super) fn own_id(&mut self, field: &Field) {
        if self.own_ids.contains(field.name.as_str()) {
            return self.id_attributes(field);
        }
        self.unusable_id(field);
    }

    pub(super) fn unusable_id(&mut self, field: &Field) {
        if let Some(id) = field.attributes.get("id")
            && !self.own_ids.contains(field.name.as_str())
        {
            self.attribute("data-cf-id", id);
        }
    }

    /// The author's attributes, but for those written otherwise.
    pub(super) fn own_attributes(&mut self, field: &Field, written: &[&str]) {
        for (name, value) in &field.attributes {
            if name != "id" && !written.contains(&name.as_str()) {
                self.attribute(name, value);
            }
        }
    }

    /// The type and name of a field whose element does not say them.
    pub(super) fn identity(&mut self, field: &Field) {
        self.attribute("data-cf-type", field.kind.as_str());
        self.attribute("data-cf-name", &field.name);
    }

    /// The label's exact text, where reading the shown one would give another.
    pub(super) fn exact_label(&mut self, field: &Field) {
        if without_marker(&seen(&field.label), field.required) != field.label
            || field.label.is_empty()
        {
            self.attribute("data-cf-label", &field.label);
        }
    }

    /// The members that have no place of their own in this field's HTML.
    pub(super) fn exact_description(&mut self, field: &Field) {
        if collapse(&field.description) != field.description {
            self.attribute("data-cf-description", &field.description);
        }
    }

    pub(super) fn hidden_texts(&mut self, field: &Field) {
        for (name, text) in [
            ("data-cf-placeholder", &field.placeholder),
            ("data-cf-default", &field.default_value),
        ] {
            if !text.is_empty() {
                self.attribute(name, text);
            }
        }
    }

    /// The options of a type that shows none.
    pub(super) fn hidden_options(&mut self, field: &Field) {
        if !markers::shows_options(field.kind)
            && !field.options.is_empty()
            && let Ok(json) = serde_json::to_string(&field.options)
        {
            self.attribute("data-cf-options", &json);
        }
    }

    /// The constraints that HTML does not know for this type.
    pub(super) fn hidden_constraints(&mut self, field: &Field) {
        if field.required {
            self.attribute("data-cf-required", "");
        }
        self.hidden_bounds(field);
        self.hidden_pattern(field);
        self.hidden_options(field);
    }

    pub(super) fn hidden_bounds(&mut self, field: &Field) {
        for (name, bound) in [
            ("data-cf-min", &field.validation.min),
            ("data-cf-max", &field.validation.max),
        ] {
            if let Some(bound) = bound {
                self.attribute(name, &bound.to_string());
            }
        }
    }

    pub(super) fn hidden_pattern(&mut self, field: &Field) {
        if let Some(pattern) = &field.validation.pattern {
            self.attribute("data-cf-pattern", pattern);
        }
    }

    /// Marks a control of a disabled fieldset that the schema does not call disabled.
    pub(super) fn enabled(&mut self, field: &Field, is_in_disabled: bool) {
        if is_in_disabled && !field.attributes.contains_key("disabled") {
            self.attribute("data-cf-enabled", "");
        }
    }

    pub(super) fn describedby(&mut self, field: &Field) {
        if !field.description.is_empty() {
            let id = format!("{}--description", self.made_id(field));
            self.attribute("aria-describedby", &id);
        }
    }

    pub(super) fn description(&mut self, field: &Field) {
        if field.description.is_empty() {
            return;
        }
        self.out.push_str("<p");
        self.attribute("class", markers::DESCRIPTION_CLASS);
        let id = format!("{}--description", self.made_id(field));
        self.attribute("id", &id);
        self.out.push('>');
        self.text(&field.description);
        self.out.push_str("</p>\n");
    }

    /// The text of a label or legend, with the mark of a required field.
    pub(super) fn label_text(&mut self, field: &Field) {
        if seen(&field.label).is_empty() {
            self.text(&markers::humanized(&field.name));
        } else if field.kind == FieldType::Consent && self.options.visitors.is_some() {
            self.linked_text(&field.label);
        } else {
            self.text(&field.label);
        }
        if field.required {
            self.out
                .push_str(" <span class=\"cf-required\" aria-hidden=\"true\">*</span>");
        }
    }

    /// A text whose `[words](address)` are links; only a web address or a path is one.
    fn linked_text(&mut self, text: &str) {
        let mut rest = text;
        while let Some((before, link)) = rest.split_once('[')
            && let Some((words, after)) = link.split_once("](")
            && let Some((address, after)) = after.split_once(')')
        {
            self.text(before);
            let is_web = address.starts_with("https://") || address.starts_with("http://");
            if (is_web || (address.starts_with('/') && !address.starts_with("//")))
                && !address.contains(['\\', ' '])
            {
                self.out.push_str("<a target=\"_blank\" rel=\"noopener\"");
                self.attribute("href", address);
                self.out.push('>');
                self.text(words);
                self.out.push_str("</a>");
            } else {
                self.text(words);
            }
            rest = after;
        }
        self.text(rest);
    }

    /// The class of a label, which is hidden from sight where the author gave none.
    pub(super) fn label_class(&mut self, label: &str) {
        let is_empty = seen(label).is_empty();
        self.attribute(
            "class",
            if is_empty {
                "cf-label cf-unseen"
            } else {
                markers::LABEL_CLASS
            },
        );
    }

    pub(super) fn label(&mut self, field: &Field, id: &str) {
        self.out.push_str("<label");
        self.label_class(&field.label);
        self.attribute("for", id);
        self.out.push('>');
        self.label_text(field);
        self.out.push_str("</label>\n");
    }

    /// A heading, paragraph or divider.
    pub(super) fn structure(&mut self, field: &Field) {
        let level = field.attributes.get("aria-level").map(String::as_str);
        let level = level.filter(|level| matches!(*level, "1" | "3" | "4" | "5" | "6"));
        let name = match field.kind {
            FieldType::Heading => format!("h{}", level.unwrap_or("2")),
            FieldType::Paragraph => "p".to_owned(),
            _ => "hr".to_owned(),
        };
        // What stands below a heading is a text of its own, for which schemas have no field.
        let has_text = self.options.visitors.is_some()
            && field.kind == FieldType::Heading
            && !field.description.is_empty();
        if has_text {
            self.out.push_str("<hgroup class=\"cf-field\"");
            self.conditions(field);
            self.out.push_str(">\n");
        }
        self.out.push('<');
        self.out.push_str(&name);
        self.class(markers::class_of(field.kind), field);
        self.identity(field);
        self.own_id(field);
        let is_written: &[&str] = match (field.kind, level) {
            (FieldType::Heading, Some(_)) => &["aria-level"],
            _ => &[],
        };
        self.own_attributes(field, is_written);
        if !has_text {
            self.conditions(field);
        }
        self.hidden_constraints(field);
        self.hidden_texts(field);
        if !field.description.is_empty() && !has_text {
            self.attribute("data-cf-description", &field.description);
        }
        let is_divider = field.kind == FieldType::Divider;
        if collapse(&field.label) != field.label || (is_divider && !field.label.is_empty()) {
            self.attribute("data-cf-label", &field.label);
        }
        self.out.push('>');
        if !is_divider {
            self.text(&field.label);
            self.out.push_str("</");
            self.out.push_str(&name);
            self.out.push('>');
        }
        self.out.push('\n');
        if has_text {
            self.out.push_str("<p class=\"cf-description\">");
            self.text(&field.description);
            self.out.push_str("</p>\n</hgroup>\n");
        }
    }
}
