//! Fields of several controls, and fields that hold others.

use super::{Page, seen};
use crate::html::text::collapse;
use crate::markers;
use model::{Field, FieldType};

impl Page<'_> {
    /// The fieldset of a field of several controls, up to its legend.
    fn open_fieldset(&mut self, field: &Field, is_in_disabled: bool) {
        self.out.push_str("<fieldset");
        self.class(markers::OPTIONS_CLASSES, field);
        self.identity(field);
        self.id_attributes(field, false);
        self.own_attributes(field, &[]);
        self.describedby(field);
        self.conditions(field);
        self.exact_label(field);
        self.exact_description(field);
        self.attribute_if_any("data-cf-placeholder", &field.placeholder);
        self.hidden_constraints(field);
        self.enabled(field, is_in_disabled);
    }

    fn close_fieldset(&mut self, field: &Field) {
        self.description(field);
        self.line("</fieldset>");
    }

    /// Renders radios, checkboxes or a rating.
    pub(super) fn set(&mut self, field: &Field, is_in_disabled: bool) {
        self.open_fieldset(field, is_in_disabled);
        let points: Vec<(String, String)> = match field.kind {
            FieldType::Rating => points(field),
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
        let checked_values: Vec<&str> = points
            .iter()
            .map(|(value, _)| value.as_str())
            .filter(|value| is_checked(value))
            .collect();
        if checked_values.join("\n") != field.default_value {
            self.attribute("data-cf-default", &field.default_value);
        }
        self.line(">");
        self.label("legend", field, None);
        let look = match field.kind {
            FieldType::Rating => look(field, &points),
            _ => "",
        };
        if !look.is_empty() {
            self.open("div", &[("class", look)]);
            self.line("");
        }
        self.open("div", &[("class", "cf-choices")]);
        self.line("");
        // On a visitor's page the text itself stands for the option that leads to it.
        let other = field.attributes.get(Field::OTHER);
        let other = other.filter(|_| self.options.visitors.is_some());
        for (index, (value, label)) in points.iter().enumerate() {
            if Some(label) == other {
                continue;
            }
            self.choice(field, index, value, label, is_checked(value));
        }
        if self.options.visitors.is_some() {
            self.other(field, points.len());
        }
        self.line("</div>");
        if !look.is_empty() {
            self.ends(field, &points);
            self.line("</div>");
        }
        self.close_fieldset(field);
    }

    /// Writes the meanings of the first and the last point of a scale, below it; readers hear them with it.
    fn ends(&mut self, field: &Field, points: &[(String, String)]) {
        let name =
            |point: Option<&(String, String)>| point.and_then(|(value, _)| named(field, value));
        let (first, last) = (name(points.first()), name(points.last()));
        if self.options.visitors.is_none() || (first.is_none() && last.is_none()) {
            return;
        }
        self.open("div", &[("class", "cf-ends"), ("aria-hidden", "true")]);
        for end in [first, last] {
            self.element("span", &[], end.unwrap_or_default());
        }
        self.line("</div>");
    }

    /// Writes the choice "Other", with a text for it.
    fn other(&mut self, field: &Field, index: usize) {
        let Some(label) = field.attributes.get(Field::OTHER) else {
            return;
        };
        let id = format!("{}--{}", self.made_id(field), index + 1);
        self.out
            .push_str("<div class=\"cf-choice cf-other\">\n<input");
        let is_checkbox = field.kind == FieldType::Checkbox;
        self.attribute("type", if is_checkbox { "checkbox" } else { "radio" });
        self.attribute("class", markers::CONTROL_CLASS);
        self.attribute("id", &id);
        // Whether a box is ticked says its text; of radios only one is chosen.
        if !is_checkbox {
            self.attribute("name", &field.name);
            self.out.push_str(" value=\"\"");
        }
        self.line(">");
        self.element("label", &[("for", &id)], label);
        self.line("");
        self.other_text(field, label);
        self.line("</div>");
    }

    /// Writes the text input of a choice's free answer.
    pub(super) fn other_text(&mut self, field: &Field, label: &str) {
        let text = [
            ("type", "text"),
            ("class", markers::CONTROL_CLASS),
            ("maxlength", "1000"),
            ("name", &format!("{}[other]", field.name)),
            ("aria-label", label),
        ];
        self.open("input", &text);
        self.line("");
    }

    fn choice(&mut self, field: &Field, index: usize, value: &str, label: &str, is_checked: bool) {
        let id = format!("{}--{}", self.made_id(field), index + 1);
        let is_checkbox = field.kind == FieldType::Checkbox;
        self.out.push_str("<div class=\"cf-choice\">\n<input");
        self.attribute("type", if is_checkbox { "checkbox" } else { "radio" });
        self.attribute("class", markers::CONTROL_CLASS);
        self.attribute("id", &id);
        let name = if is_checkbox {
            format!("{}[]", field.name)
        } else {
            field.name.clone()
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
        // The options of a rating name points, and are not in its order.
        let option = field.options.get(index);
        let pictured =
            option.filter(|option| field.kind != FieldType::Rating && !option.image.is_empty());
        if let Some(option) = pictured {
            self.image(option);
        }
        self.line(">");
        self.open("label", &[("for", &id)]);
        if let Some(option) = pictured {
            self.out.push_str("<img alt=\"\" class=\"cf-picture\"");
            self.attribute("src", &option.image);
            self.out.push('>');
        }
        match label.trim().split_once('\n') {
            _ if shown.is_empty() => self.text(&markers::humanized(value)),
            Some((name, more))
                if self.options.visitors.is_some()
                    && !seen(name).is_empty()
                    && !seen(more).is_empty() =>
            {
                self.text(name);
                self.line("");
                self.element("span", &[("class", "cf-more")], more);
            }
            _ => self.text(label),
        }
        if self.options.visitors.is_some()
            && field.kind == FieldType::Rating
            && let Some(name) = named(field, value)
        {
            self.element("span", &[("class", "cf-unseen")], &format!(" {name}"));
        }
        self.line("</label>\n</div>");
    }

    /// Renders buttons that send the form with different values.
    pub(super) fn buttons(&mut self, field: &Field, is_in_disabled: bool) {
        self.open_fieldset(field, is_in_disabled);
        self.attribute_if_any("data-cf-default", &field.default_value);
        self.line(">");
        self.label("legend", field, None);
        for option in &field.options {
            self.out.push_str("<button type=\"submit\"");
            self.attribute("class", markers::class_of(FieldType::Submit));
            self.attribute("name", &field.name);
            self.attribute("value", &option.value);
            let shown = seen(&option.label);
            if shown != option.label || option.label.is_empty() {
                self.attribute("data-cf-label", &option.label);
            }
            self.image(option);
            self.out.push('>');
            if shown.is_empty() {
                self.text(&markers::humanized(&option.value));
            } else {
                self.text(&shown);
            }
            self.line("</button>");
        }
        self.close_fieldset(field);
    }

    /// Renders a name or an address.
    pub(super) fn composite(&mut self, field: &Field, is_in_disabled: bool) {
        self.open_fieldset(field, is_in_disabled);
        self.attribute_if_any("data-cf-default", &field.default_value);
        self.line(">");
        self.label("legend", field, None);
        for part in field.kind.parts() {
            let (_, token) = markers::part_texts(part.name);
            let label = self.word(&format!("part_{}", part.name));
            let id = format!("{}--{}", self.made_id(field), part.name);
            self.open("div", &[("class", "cf-part")]);
            self.line("");
            let label = field.part_label(part.name).unwrap_or(&label);
            self.element("label", &[("for", &id)], label);
            self.line("");
            let name = format!("{}[{}]", field.name, part.name);
            let mut input = vec![
                ("type", "text"),
                ("class", markers::CONTROL_CLASS),
                ("id", &id),
                ("name", &name),
                ("autocomplete", token),
            ];
            input.extend((field.required && part.needed).then_some(("required", "")));
            self.open("input", &input);
            self.line("\n</div>");
        }
        self.close_fieldset(field);
    }

    /// Writes the start of a fieldset or container that holds other fields, and may be a step.
    pub(super) fn open_group(&mut self, field: &Field, is_step: bool) {
        let is_fieldset = field.kind == FieldType::Fieldset;
        self.out
            .push_str(if is_fieldset { "<fieldset" } else { "<div" });
        self.class(markers::class_of(field.kind), field);
        self.identity(field);
        self.id_attributes(field, false);
        self.own_attributes(field, &[]);
        self.conditions(field);
        if is_step {
            self.attribute("data-cf-step", &field.name);
        }
        self.hidden_constraints(field);
        self.hidden_texts(field);
        if is_fieldset {
            self.describedby(field);
            self.exact_description(field);
        } else {
            self.attribute_if_any("data-cf-description", &field.description);
        }
        let shows_label = is_fieldset && !field.label.is_empty();
        if collapse(&field.label) != field.label || (!shows_label && !field.label.is_empty()) {
            self.attribute("data-cf-label", &field.label);
        }
        self.line(">");
        if shows_label {
            let mut attributes = vec![("class", "cf-legend")];
            attributes.extend(is_step.then_some(("data-cf-step-title", "")));
            self.element("legend", &attributes, &field.label);
            self.line("");
        }
        if is_fieldset {
            self.description(field);
        }
    }
}

/// The points of a rating: from 1, or 0 where it says so.
fn points(field: &Field) -> Vec<(String, String)> {
    let bound = |bound: &Option<serde_json::Number>| bound.as_ref()?.as_u64();
    let min = bound(&field.validation.min).unwrap_or(1).min(1);
    let max = bound(&field.validation.max).unwrap_or(markers::DEFAULT_RATING);
    let points = (min..=max.min(markers::MAX_RATING)).map(|point| point.to_string());
    points.map(|point| (point.clone(), point)).collect()
}

/// The label of a point of a rating, by the option with that value.
fn named<'f>(field: &'f Field, value: &str) -> Option<&'f str> {
    let mut options = field.options.iter();
    let option = options.find(|option| option.value == value)?;
    (!option.label.is_empty() && option.label != value).then_some(&option.label)
}

/// The look of a rating that names none itself: stars where they are few, else a scale.
fn look(field: &Field, points: &[(String, String)]) -> &'static str {
    let looks = [
        "cf-stars",
        "cf-hearts",
        "cf-numbers",
        "cf-scale",
        "cf-buttons",
    ];
    let own = field.css_class.split_whitespace();
    let starts_at_one = points.first().is_some_and(|(value, _)| value == "1");
    if own.into_iter().any(|class| looks.contains(&class)) {
        "cf-rating"
    } else if points.len() <= 7 && starts_at_one {
        "cf-rating cf-stars"
    } else {
        "cf-rating cf-scale"
    }
}
