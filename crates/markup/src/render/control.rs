//! Renders fields with one control.

use super::Page;
use crate::html::text::collapse;
use crate::markers;
use model::escape;
use model::field_kinds::{Bounds, Control, StandIn};
use model::logic::validate::REPEATED;
use model::one_control::{says_list_by_name, says_placeholder, selected, shows_list};
use model::{Field, FieldOption, FieldType, Validation};

impl Page<'_> {
    /// Renders a field with one control, its label and its description.
    pub(super) fn control(&mut self, field: &Field, is_in_disabled: bool) {
        let control = field.kind.facts().control;
        if control == Control::Hidden {
            self.input(field, is_in_disabled);
            self.line(">");
            self.datalist(field);
            return;
        }
        self.open_field(field);
        let id = self.id(field);
        if !field.kind.is_box() {
            self.label("label", field, Some(&id));
        }
        match control {
            Control::Textarea => {
                self.input(field, is_in_disabled);
                self.out.push('>');
                if field.default_value.starts_with('\n') {
                    self.out.push('\n'); // Browsers drop the first line feed.
                }
                self.text(&field.default_value);
                self.line("</textarea>");
            }
            Control::Select => {
                self.input(field, is_in_disabled);
                self.line(">");
                self.select_options(field);
                self.line("</select>");
                let other = field.attributes.get(Field::OTHER);
                if let Some(label) = other.filter(|_| self.options.visitors.is_some()) {
                    self.other_text(field, label);
                }
            }
            Control::Slider if self.options.visitors.is_some() => {
                self.open("div", &[("class", "cf-range")]);
                self.line("");
                self.input(field, is_in_disabled);
                self.line(">");
                self.element("output", &[("for", &id)], &field.default_value);
                self.line("\n</div>");
                self.datalist(field);
            }
            _ => self.plain_input(field, is_in_disabled),
        }
        if field.kind.is_box() {
            self.label("label", field, Some(&id));
        }
        self.description(field);
        self.line("</div>");
    }

    /// Writes an input with its suggestions. On a visitor's page, also writes the field's unit, the select for the
    /// country of a telephone number, and the input that repeats the answer, if the field has them.
    fn plain_input(&mut self, field: &Field, is_in_disabled: bool) {
        let unit = field.unit().filter(|_| self.options.visitors.is_some());
        if unit.is_some() {
            self.open("div", &[("class", "cf-range")]);
            self.line("");
        }
        let has_countries = field.is_phone() && self.options.visitors.is_some();
        if has_countries {
            self.line("<div class=\"cf-phone\">");
            self.countries(field);
        }
        self.input(field, is_in_disabled);
        self.line(if has_countries { ">\n</div>" } else { ">" });
        if let Some(unit) = unit {
            let id = self.part_id(field, "unit");
            self.element("span", &[("id", &id)], unit);
            self.line("\n</div>");
        }
        self.datalist(field);
        self.repeated(field);
    }

    /// On a visitor's page, writes a second input, in which the visitor repeats the answer.
    fn repeated(&mut self, field: &Field) {
        let label = field
            .repeat_label()
            .filter(|_| self.options.visitors.is_some());
        let Some(label) = label else { return };
        let id = self.part_id(field, "again");
        self.open("label", &[("class", markers::LABEL_CLASS), ("for", &id)]);
        match label {
            "" => self.label_text(field),
            label => self.marked_text(label, field),
        }
        self.close("label");
        let name = format!("{REPEATED}[{}]", field.name);
        let mut input = vec![
            ("type", field.kind.input_type()),
            ("class", markers::CONTROL_CLASS),
            ("id", &id),
            ("name", &name),
            ("autocomplete", "off"),
        ];
        input.extend(field.required.then_some(("required", "")));
        self.open("input", &input);
        self.line("");
    }

    pub(super) fn open_field(&mut self, field: &Field) {
        self.out.push_str("<div class=\"cf-field cf-field-");
        self.out.push_str(field.kind.as_str());
        self.out.push('"');
        self.conditions(field);
        self.line(">");
    }

    /// Writes the start tag of the control, without its `>`.
    fn input(&mut self, field: &Field, is_in_disabled: bool) {
        let kind = field.kind;
        match kind.facts().control {
            Control::Textarea => self.out.push_str("<textarea"),
            Control::Select => self.out.push_str("<select"),
            _ => self.input_type(field),
        }
        self.class(kind.class(), field);
        self.id_and_name(field);
        self.value(field);
        self.constraints(field);
        let lists = says_list_by_name(field);
        let skips: &[&str] = match kind {
            _ if kind.is_box() => &["value"],
            FieldType::Text if lists => &["type", "multiple"],
            FieldType::Text => &["type"],
            _ if lists => &["multiple"],
            _ => &[],
        };
        self.author_attributes(field, skips);
        self.entry_hints(field);
        if field.is_signature() && self.options.visitors.is_some() {
            self.attribute(markers::SIGNATURE, "");
            if !field.attributes.contains_key("accept") {
                self.attribute("accept", "image/*");
            }
        }
        if kind == FieldType::Hidden {
            self.conditions(field);
            self.attribute_if_any("data-cf-label", &field.label);
            self.attribute_if_any("data-cf-description", &field.description);
        } else {
            self.describedby(field);
            self.exact_label(field);
            self.exact_description(field);
        }
        self.hidden_options(field);
        if !field.options.is_empty() && kind.suggests_options() {
            let id = self.part_id(field, "list");
            self.attribute("list", &id);
        }
        self.enabled(field, is_in_disabled);
    }

    /// Writes the start of an input and its type. On a visitor's page, a field with a stand-in gets the stand-in's
    /// type.
    fn input_type(&mut self, field: &Field) {
        let kind = field.kind;
        self.out.push_str("<input");
        let Some(stand_in) = self.stand_in(field) else {
            let author_type = field.attributes.get("type");
            let author_type = author_type.filter(|_| kind == FieldType::Text);
            return self.attribute(
                "type",
                author_type.map_or(kind.input_type(), String::as_str),
            );
        };
        self.attribute("type", stand_in.input_type);
        self.attribute(markers::KIND, kind.as_str());
        if kind == FieldType::Range {
            self.attribute(markers::UNSET_RANGE, "");
        }
        // The bounds of a number are written with its constraints.
        let hints = stand_in.hints.iter().filter(|_| !kind.bounds_number());
        for (name, hint) in hints {
            if !field.attributes.contains_key(*name) {
                self.attribute(name, hint);
            }
        }
    }

    /// Writes the attributes for on-screen keyboards and autofill on a visitor's page.
    fn entry_hints(&mut self, field: &Field) {
        if self.options.visitors.is_none() {
            return;
        }
        for (name, hint) in field.entry_hints() {
            if !field.attributes.contains_key(*name) {
                self.attribute(name, hint);
            }
        }
    }

    /// The input that replaces the field's input on a visitor's page.
    fn stand_in(&self, field: &Field) -> Option<&'static StandIn> {
        self.options.visitors.as_ref()?;
        let stand_in = field.kind.facts().stand_in?;
        (!stand_in.only_unset || field.default_value.is_empty()).then_some(stand_in)
    }

    pub(super) fn name(&mut self, field: &Field) {
        let mut name = field.name.clone();
        let sends_list = field.kind.has_choices() || field.kind.takes_files();
        if field.kind.is_consent() {
            self.identity(field);
            name.push_str("[accepted]");
        } else if says_list_by_name(field) || (sends_list && field.is_multiple()) {
            name.push_str("[]");
        }
        self.attribute("name", &name);
    }

    fn value(&mut self, field: &Field) {
        let default = field.default_value.as_str();
        let kind = field.kind;
        match kind.facts().control {
            Control::Textarea => {}
            Control::Select => {
                if selected(field).1 != default {
                    self.attribute("data-cf-default", default);
                }
            }
            _ if kind.takes_files() => self.attribute_if_any("data-cf-default", default),
            _ if kind.is_box() => {
                let value = field.attributes.get("value").map(String::as_str);
                if let Some(value) = value {
                    self.attribute("value", value);
                }
                if !default.is_empty() {
                    self.attribute("checked", "");
                }
                if !default.is_empty() && default != value.unwrap_or("on") {
                    self.attribute("data-cf-default", default);
                }
            }
            _ => self.attribute_if_any("value", default),
        }
    }

    fn constraints(&mut self, field: &Field) {
        let kind = field.kind;
        let stand_in = self.stand_in(field);
        if kind.is_typed() {
            self.piped_attribute("placeholder", &field.placeholder);
        } else if !says_placeholder(field) {
            self.attribute_if_any("data-cf-placeholder", &field.placeholder);
        }
        if field.required {
            let name = match kind {
                FieldType::Hidden => "data-cf-required",
                _ if kind.is_preset() && stand_in.is_none() => "data-cf-required",
                _ => "required",
            };
            self.attribute(name, "");
        }
        let names = match kind.facts().bounds {
            Bounds::Number => ["min", "max"],
            Bounds::Length => ["minlength", "maxlength"],
            Bounds::None | Bounds::Count | Bounds::Bytes => ["data-cf-min", "data-cf-max"],
        };
        self.bounds(field, names);
        if kind == FieldType::Number && !field.attributes.contains_key("step") {
            // Without `step`, browsers would accept only integers.
            self.out.push_str(" data-cf-no-step step=\"any\"");
        }
        if let Some(stand_in) = stand_in.filter(|_| kind.bounds_number()) {
            let Validation { min, max, .. } = &field.validation;
            for ((name, usual), bound) in stand_in.hints.iter().zip([min, max]) {
                self.attribute_if_any(name, bound.as_ref().map_or(usual, |_| ""));
            }
        }
        let knows_pattern = kind.has_length() && kind != FieldType::Textarea;
        match &field.validation.pattern {
            Some(pattern) if knows_pattern && !field.attributes.contains_key("pattern") => {
                self.attribute("pattern", pattern);
            }
            _ => self.hidden_pattern(field),
        }
    }

    fn select_options(&mut self, field: &Field) {
        let placeholder = collapse(&field.placeholder);
        if !placeholder.is_empty() && !field.attributes.contains_key("multiple") {
            self.empty_option(markers::PLACEHOLDER_CLASS, &placeholder);
        }
        let (chosen, _) = selected(field);
        let size = field.attributes.get("size").map_or("", String::as_str);
        let is_list = shows_list(field.attributes.contains_key("multiple"), size);
        let begins_empty = field
            .options
            .first()
            .is_none_or(|first| first.value.is_empty());
        if !self.options.is_in_place
            && chosen.is_empty()
            && placeholder.is_empty()
            && !is_list
            && !begins_empty
        {
            // Without an empty option, browsers would preset the first option.
            self.empty_option(markers::CHOOSE_CLASS, &self.word("choose"));
        }
        for option in &field.options {
            let is_chosen = chosen.contains(&option.value.as_str());
            self.option(option, is_chosen, option.value.is_empty());
        }
    }

    /// Writes an additional option, which has no value and is not one of the field's options.
    pub(super) fn empty_option(&mut self, class: &str, text: &str) {
        self.out.push_str("<option value=\"\"");
        self.attribute("class", class);
        self.option_text(text);
        self.line("</option>");
    }

    pub(super) fn option(&mut self, option: &FieldOption, is_chosen: bool, is_marked: bool) {
        self.out.push_str("<option value=\"");
        escape::attribute_value(&mut self.out, &option.value);
        self.out.push('"');
        if collapse(&option.label) != option.label && self.filled(&option.label).is_none() {
            self.attribute("label", &option.label);
        }
        self.image(option);
        if is_marked {
            self.attribute("class", markers::OPTION_CLASS);
        }
        if is_chosen {
            self.attribute("selected", "");
        }
        self.option_text(&option.label);
        self.line("</option>");
    }

    /// Writes the address of an option's picture to an attribute that browsers ignore.
    pub(super) fn image(&mut self, option: &FieldOption) {
        self.attribute_if_any("data-cf-image", &option.image);
    }

    /// Writes the suggestions of an input.
    fn datalist(&mut self, field: &Field) {
        if field.options.is_empty() || !field.kind.suggests_options() {
            return;
        }
        let id = self.part_id(field, "list");
        self.open("datalist", &[("id", &id)]);
        self.line("");
        for option in &field.options {
            if option.label.is_empty() {
                self.out.push_str("<option");
                self.attribute("value", &option.value);
                self.attribute("label", "");
                self.image(option);
                self.line("></option>");
            } else {
                self.option(option, false, false);
            }
        }
        self.line("</datalist>");
    }

    pub(super) fn submit(&mut self, field: &Field) {
        self.open_field(field);
        self.out.push_str("<button type=\"submit\"");
        self.class(field.kind.class(), field);
        self.id_attributes(field, true);
        if field.default_value.is_empty() {
            self.attribute("data-cf-name", &field.name);
        } else {
            self.attribute("name", &field.name);
            self.attribute("value", &field.default_value);
        }
        self.author_attributes(field, &[]);
        self.describedby(field);
        self.exact_description(field);
        self.attribute_if_any("data-cf-placeholder", &field.placeholder);
        self.hidden_constraints(field);
        let shown = self.exact_shown(&field.label);
        self.out.push('>');
        match shown.as_str() {
            "" => self.text(&self.word("submit")),
            shown => self.piped(shown),
        }
        self.line("</button>");
        self.description(field);
        self.line("</div>");
    }
}
