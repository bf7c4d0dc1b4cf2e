//! Writes the parts that the elements of all fields share.

use super::{Page, seen};
use crate::conditions;
use crate::html::text::collapse;
use crate::markers;
use crate::markers::without_marker;
use model::Field;
use model::escape;
use model::field_kinds::Control;
use model::links::{Piece, is_safe_address, pieces, with_safe_links};
use serde::Serialize;

impl Page<'_> {
    pub(super) fn attribute(&mut self, name: &str, value: &str) {
        escape::attribute(&mut self.out, name, value);
    }

    pub(super) fn text(&mut self, text: &str) {
        escape::text(&mut self.out, text);
    }

    /// Writes an attribute, unless its value is empty.
    pub(super) fn attribute_if_any(&mut self, name: &str, value: &str) {
        if !value.is_empty() {
            self.attribute(name, value);
        }
    }

    /// Writes a complete start tag.
    pub(super) fn open(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.out.push('<');
        self.out.push_str(name);
        for (name, value) in attributes {
            self.attribute(name, value);
        }
        self.out.push('>');
    }

    /// Writes an element with a text.
    pub(super) fn element(&mut self, name: &str, attributes: &[(&str, &str)], text: &str) {
        self.open(name, attributes);
        self.text(text);
        self.close(name);
    }

    pub(super) fn close(&mut self, name: &str) {
        self.out.push_str("</");
        self.out.push_str(name);
        self.out.push('>');
    }

    /// Writes the end of a line: `end` and a line feed.
    pub(super) fn line(&mut self, end: &str) {
        self.out.push_str(end);
        self.out.push('\n');
    }

    /// Writes the classes of the element that carries the field's attributes.
    pub(super) fn class(&mut self, rendered: &str, field: &Field) {
        self.out.push_str(" class=\"");
        self.out.push_str(rendered);
        if !field.css_class.is_empty() {
            self.out.push(' ');
            escape::attribute_value(&mut self.out, &field.css_class);
        }
        self.out.push('"');
    }

    /// Writes `data-show-if` or `data-hide-if` if their grammar can represent the conditions. Visitors' pages get JSON,
    /// the only form that their script reads.
    pub(super) fn conditions(&mut self, field: &Field) {
        let written = match field.conditions.as_slice() {
            [] => return,
            [condition] if self.options.visitors.is_none() => conditions::write(condition),
            _ => None,
        };
        match written {
            Some((name, text)) => self.attribute(name, &text),
            None => self.json("data-cf-conditions", &field.conditions),
        }
    }

    /// Writes a value as JSON into an attribute.
    pub(super) fn json(&mut self, name: &str, value: &impl Serialize) {
        if let Ok(json) = serde_json::to_string(value) {
            self.attribute(name, &json);
        }
    }

    /// Writes an id if the author's id is usable, or if another element refers to this element. An author's unusable id
    /// is kept in `data-cf-id`.
    pub(super) fn id_attributes(&mut self, field: &Field, is_referred: bool) {
        let is_usable = self.usable_ids.contains(field.name.as_str());
        if is_usable || is_referred {
            let id = self.id(field);
            self.attribute("id", &id);
        }
        if let Some(id) = field.attributes.get("id").filter(|_| !is_usable) {
            self.attribute("data-cf-id", id);
        }
    }

    /// Writes the author's attributes, except those that are written elsewhere.
    pub(super) fn author_attributes(&mut self, field: &Field, written: &[&str]) {
        let is_page = self.options.visitors.is_some();
        for (name, value) in &field.attributes {
            let is_other = name == "id"
                || name.starts_with(markers::RESERVED)
                || (is_page && markers::OFF_PAGES.contains(&name.as_str()));
            if !is_other && !written.contains(&name.as_str()) {
                self.attribute(name, value);
            }
        }
    }

    /// Writes the type and name of a field whose element does not show them.
    pub(super) fn identity(&mut self, field: &Field) {
        let is_ranking = field.is_ranking() && self.options.visitors.is_some();
        let kind = if is_ranking {
            "ranking"
        } else {
            field.kind.as_str()
        };
        self.attribute("data-cf-type", kind);
        self.attribute("data-cf-name", &field.name);
    }

    /// Writes the exact label if reading the shown text would give another one.
    pub(super) fn exact_label(&mut self, field: &Field) {
        let shown = seen(&field.label);
        let shown = if field.kind.is_consent() {
            with_safe_links(&shown)
        } else {
            shown.as_str().into()
        };
        if without_marker(&shown, field.required) != field.label || field.label.is_empty() {
            self.attribute("data-cf-label", &field.label);
        }
    }

    /// Writes the exact label of a button or choice if the shown text differs; returns the shown text.
    pub(super) fn exact_shown(&mut self, label: &str) -> String {
        let shown = seen(label);
        if shown != label || label.is_empty() {
            self.attribute("data-cf-label", label);
        }
        shown
    }

    /// Writes the exact description if the shown text differs.
    pub(super) fn exact_description(&mut self, field: &Field) {
        if collapse(&field.description) != field.description {
            self.attribute("data-cf-description", &field.description);
        }
    }

    pub(super) fn hidden_texts(&mut self, field: &Field) {
        self.attribute_if_any("data-cf-placeholder", &field.placeholder);
        self.attribute_if_any("data-cf-default", &field.default_value);
    }

    /// Writes the options of a type that does not show them.
    pub(super) fn hidden_options(&mut self, field: &Field) {
        if !field.kind.shows_options() && !field.options.is_empty() {
            self.json("data-cf-options", &field.options);
        }
    }

    /// Writes the constraints that HTML does not have for this type.
    pub(super) fn hidden_constraints(&mut self, field: &Field) {
        if field.required {
            self.attribute("data-cf-required", "");
        }
        self.bounds(field, ["data-cf-min", "data-cf-max"]);
        self.hidden_pattern(field);
        self.hidden_options(field);
    }

    /// Writes the bounds as the attributes `names`. A bound that is not a valid length goes to an attribute that
    /// browsers ignore.
    pub(super) fn bounds(&mut self, field: &Field, names: [&str; 2]) {
        let bounds = [&field.validation.min, &field.validation.max];
        for (name, bound) in names.into_iter().zip(bounds) {
            let Some(bound) = bound else { continue };
            let count = bound.as_u64().map(u32::try_from);
            let name = match name {
                _ if matches!(count, Some(Ok(_))) => name,
                "minlength" => "data-cf-min",
                "maxlength" => "data-cf-max",
                name => name,
            };
            self.attribute(name, &bound.to_string());
        }
    }

    pub(super) fn hidden_pattern(&mut self, field: &Field) {
        if let Some(pattern) = &field.validation.pattern {
            self.attribute("data-cf-pattern", pattern);
        }
    }

    /// Marks a control that the schema does not disable, although the fieldset around it is disabled.
    pub(super) fn enabled(&mut self, field: &Field, is_in_disabled: bool) {
        if is_in_disabled && !field.attributes.contains_key("disabled") {
            self.attribute("data-cf-enabled", "");
        }
    }

    pub(super) fn describedby(&mut self, field: &Field) {
        let has_unit = field.unit().is_some() && self.options.visitors.is_some();
        let parts = [
            ("unit", has_unit),
            ("description", !field.description.is_empty()),
        ];
        let ids = parts.iter().filter(|(_, is_there)| *is_there);
        let ids: Vec<String> = ids.map(|(part, _)| self.part_id(field, part)).collect();
        self.attribute_if_any("aria-describedby", &ids.join(" "));
    }

    pub(super) fn description(&mut self, field: &Field) {
        if self.asks && !field.conditions.is_empty() {
            // Without script the question is always visible, so a text says when to answer it.
            let only_if = self.word("only_if");
            let class = format!("{} cf-only", markers::DESCRIPTION_CLASS);
            self.element("p", &[("class", &class)], &only_if);
            self.line("");
        }
        if field.description.is_empty() {
            return;
        }
        let id = self.part_id(field, "description");
        let attributes = [("class", markers::DESCRIPTION_CLASS), ("id", &id)];
        self.piped_element("p", &attributes, &field.description);
        self.line("");
    }

    /// Writes the text of a label or legend, with the mark of a required field.
    pub(super) fn label_text(&mut self, field: &Field) {
        if seen(&field.label).is_empty() {
            // The name of an input in a row ends with the column's name.
            let in_row = self.expanded.ids.contains_key(&field.name);
            let column = field.name.split_once("][").filter(|_| in_row);
            self.text(&markers::humanized(
                column.map_or(&field.name, |(_, name)| name),
            ));
        } else if field.kind.is_consent() {
            self.linked_text(&field.label);
        } else {
            self.piped(&field.label);
        }
        self.required_mark(field);
    }

    /// Writes another label of the field, with the mark of a required or optional field.
    pub(super) fn marked_text(&mut self, label: &str, field: &Field) {
        self.text(label);
        self.required_mark(field);
    }

    /// Writes the mark of a required field, or of an optional one in a form that asks one question at a time.
    fn required_mark(&mut self, field: &Field) {
        if field.required {
            self.out
                .push_str(" <span class=\"cf-required\" aria-hidden=\"true\">*</span>");
        } else if self.asks {
            self.out.push(' ');
            let optional = self.word("optional");
            self.element("span", &[("class", "cf-optional")], &optional);
        }
    }

    /// Writes a text with links for `[text](address)`, if the address is safe ([`is_safe_address`]).
    fn linked_text(&mut self, text: &str) {
        for piece in pieces(text) {
            match piece {
                Piece::Link(words, address) if is_safe_address(address) => {
                    let link = [("target", "_blank"), ("rel", "noopener"), ("href", address)];
                    self.piped_element("a", &link, words);
                }
                Piece::Text(words) | Piece::Link(words, _) => self.piped(words),
            }
        }
    }

    /// Writes a label or legend; without a text from the author it is visually hidden.
    pub(super) fn label(&mut self, name: &str, field: &Field, id: Option<&str>) {
        let class = match seen(&field.label).as_str() {
            "" => "cf-label cf-unseen",
            _ => markers::LABEL_CLASS,
        };
        let mut attributes = vec![("class", class)];
        attributes.extend(id.map(|id| ("for", id)));
        self.open(name, &attributes);
        self.label_text(field);
        self.close(name);
        self.line("");
    }

    /// Renders a heading, paragraph or divider.
    pub(super) fn structure(&mut self, field: &Field) {
        let level = field.attributes.get("aria-level").map(String::as_str);
        let level = level.filter(|level| matches!(*level, "1" | "3" | "4" | "5" | "6"));
        let control = field.kind.facts().control;
        let name = match control {
            Control::Heading => format!("h{}", level.unwrap_or("2")),
            Control::Paragraph => "p".to_owned(),
            _ => "hr".to_owned(),
        };
        let is_heading = control == Control::Heading;
        // Schemas have no field for the text below a heading, so only visitors' pages show it.
        let has_text =
            self.options.visitors.is_some() && is_heading && !field.description.is_empty();
        if has_text {
            self.out.push_str("<hgroup class=\"cf-field\"");
            self.conditions(field);
            self.line(">");
        }
        self.out.push('<');
        self.out.push_str(&name);
        self.class(field.kind.class(), field);
        self.identity(field);
        self.id_attributes(field, false);
        let is_written = level.filter(|_| is_heading).map(|_| "aria-level");
        self.author_attributes(field, is_written.as_slice());
        if !has_text {
            self.conditions(field);
        }
        self.hidden_constraints(field);
        self.hidden_texts(field);
        if !has_text {
            self.attribute_if_any("data-cf-description", &field.description);
        }
        let is_divider = control == Control::Divider;
        if collapse(&field.label) != field.label || (is_divider && !field.label.is_empty()) {
            self.attribute("data-cf-label", &field.label);
        }
        self.out.push('>');
        if !is_divider {
            self.piped(&field.label);
            self.close(&name);
        }
        self.line("");
        if has_text {
            let class = ("class", markers::DESCRIPTION_CLASS);
            self.piped_element("p", &[class], &field.description);
            self.line("\n</hgroup>");
        }
    }
}
