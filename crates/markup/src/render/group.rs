//! Renders fields with several controls, and fields that contain other fields.

use std::borrow::Cow;

use super::{Page, seen};
use crate::html::text::collapse;
use crate::markers;
use model::field_kinds::Control;
use model::{Field, FieldOption, FieldType, Part, ordered};

impl Page<'_> {
    /// Begins the fieldset of a field with several controls, and writes its legend; `shown` is the part of the default
    /// value that the controls contain.
    pub(super) fn open_fieldset(&mut self, field: &Field, is_in_disabled: bool, shown: &str) {
        self.out.push_str("<fieldset");
        self.class(markers::OPTIONS_CLASSES, field);
        self.identity(field);
        self.id_attributes(field, false);
        // A fieldset has no such attributes; the inputs of a date in parts get them where they apply.
        let omitted: &[&str] = if field.is_date_in_parts() {
            &["autocomplete", "max", "min", "readonly", "step"]
        } else {
            &[]
        };
        self.author_attributes(field, omitted);
        self.describedby(field);
        self.conditions(field);
        self.exact_label(field);
        self.exact_description(field);
        self.attribute_if_any("data-cf-placeholder", &field.placeholder);
        self.hidden_constraints(field);
        self.enabled(field, is_in_disabled);
        if field.default_value != shown {
            self.attribute("data-cf-default", &field.default_value);
        }
        self.line(">");
        self.label("legend", field, None);
    }

    pub(super) fn close_fieldset(&mut self, field: &Field) {
        self.description(field);
        self.line("</fieldset>");
    }

    /// Renders radios, checkboxes or a rating.
    pub(super) fn set(&mut self, field: &Field, is_in_disabled: bool) {
        let is_rating = field.kind == FieldType::Rating;
        let options = if is_rating {
            Cow::Owned(points(field))
        } else {
            Cow::Borrowed(field.options.as_slice())
        };
        let wanted: Vec<&str> = if field.kind.is_box() {
            field.default_values().collect()
        } else {
            vec![field.default_value.as_str()]
        };
        let is_checked = |value: &str| !field.default_value.is_empty() && wanted.contains(&value);
        let values = options.iter().map(|option| option.value.as_str());
        let checked: Vec<&str> = values.filter(|value| is_checked(value)).collect();
        self.open_fieldset(field, is_in_disabled, &checked.join("\n"));
        let look = if is_rating { look(field, &options) } else { "" };
        if !look.is_empty() {
            self.open("div", &[("class", look)]);
            self.line("");
        }
        self.open("div", &[("class", "cf-choices")]);
        self.line("");
        // On a visitor's page, the text input replaces the option for "Other".
        let other = field.attributes.get(Field::OTHER);
        let other = other.filter(|_| self.options.visitors.is_some());
        for (index, option) in options.iter().enumerate() {
            if Some(&option.label) != other {
                self.choice(field, index, option, is_checked(&option.value));
            }
        }
        if let Some(label) = other {
            self.other(field, options.len(), label);
        }
        self.line("</div>");
        if !look.is_empty() {
            self.ends(field, &options);
            self.line("</div>");
        }
        self.close_fieldset(field);
    }

    /// Writes the labels of the first and last points below a scale. Screen readers read them with the points.
    fn ends(&mut self, field: &Field, points: &[FieldOption]) {
        let name = |point: Option<&FieldOption>| named(field, &point?.value);
        let (first, last) = (name(points.first()), name(points.last()));
        if self.options.visitors.is_none() || (first.is_none() && last.is_none()) {
            return;
        }
        self.open("div", &[("class", "cf-ends"), ("aria-hidden", "true")]);
        for end in [first, last] {
            self.piped_element("span", &[], end.unwrap_or_default());
        }
        self.line("</div>");
    }

    /// Writes the input of a choice, without its `>`; returns the id.
    fn choice_input(&mut self, field: &Field, class: &str, index: usize) -> String {
        let id = self.part_id(field, &(index + 1).to_string());
        self.open("div", &[("class", class)]);
        self.out.push_str("\n<input");
        self.attribute("type", field.kind.input_type());
        self.attribute("class", markers::CONTROL_CLASS);
        self.attribute("id", &id);
        id
    }

    /// Writes the choice "Other" with its text input.
    fn other(&mut self, field: &Field, index: usize, label: &str) {
        let id = self.choice_input(field, "cf-choice cf-other", index);
        // The checkbox of "Other" needs no name, because only its text is sent; a radio needs one to be exclusive.
        if !field.kind.is_box() {
            self.attribute("name", &field.name);
            self.out.push_str(" value=\"\"");
        }
        self.line(">");
        self.piped_element("label", &[("for", &id)], label);
        self.line("");
        self.other_text(field, label);
        self.line("</div>");
    }

    /// Writes the text input of a choice's free answer.
    pub(super) fn other_text(&mut self, field: &Field, label: &str) {
        self.out.push_str("<input");
        for (name, value) in [
            ("type", "text"),
            ("class", markers::CONTROL_CLASS),
            ("maxlength", "1000"),
            ("name", &format!("{}[other]", field.name)),
        ] {
            self.attribute(name, value);
        }
        self.piped_attribute("aria-label", label);
        self.line(">");
    }

    fn choice(&mut self, field: &Field, index: usize, option: &FieldOption, is_checked: bool) {
        let id = self.choice_input(field, "cf-choice", index);
        let is_checkbox = field.kind.is_box();
        let brackets = if is_checkbox { "[]" } else { "" };
        self.attribute("name", &[&field.name, brackets].concat());
        self.attribute("value", &option.value);
        if is_checked {
            self.attribute("checked", "");
        }
        if field.required && !is_checkbox {
            self.attribute("required", "");
        }
        let shown = self.exact_shown(&option.label);
        self.image(option);
        self.line(">");
        self.open("label", &[("for", &id)]);
        if !option.image.is_empty() {
            self.out.push_str("<img alt=\"\" class=\"cf-picture\"");
            self.attribute("src", &option.image);
            self.out.push('>');
        }
        match option.label.trim().split_once('\n') {
            _ if shown.is_empty() => self.text(&markers::humanized(&option.value)),
            Some((name, more))
                if self.options.visitors.is_some()
                    && !seen(name).is_empty()
                    && !seen(more).is_empty() =>
            {
                self.piped(name);
                self.line("");
                self.piped_element("span", &[("class", "cf-more")], more);
            }
            _ => self.piped(&option.label),
        }
        if self.options.visitors.is_some()
            && field.kind == FieldType::Rating
            && let Some(name) = named(field, &option.value)
        {
            self.piped_element("span", &[("class", "cf-unseen")], &format!(" {name}"));
        }
        self.line("</label>\n</div>");
    }

    /// Renders submit buttons with different values.
    pub(super) fn buttons(&mut self, field: &Field, is_in_disabled: bool) {
        self.open_fieldset(field, is_in_disabled, "");
        for option in &field.options {
            self.out.push_str("<button type=\"submit\"");
            self.attribute("class", field.kind.class());
            self.attribute("name", &field.name);
            self.attribute("value", &option.value);
            let shown = self.exact_shown(&option.label);
            self.image(option);
            self.out.push('>');
            match shown.as_str() {
                "" => self.text(&markers::humanized(&option.value)),
                shown => self.piped(shown),
            }
            self.line("</button>");
        }
        self.close_fieldset(field);
    }

    /// Renders a name or an address.
    pub(super) fn composite(&mut self, field: &Field, is_in_disabled: bool) {
        self.open_fieldset(field, is_in_disabled, "");
        let requested = |part: &&Part| field.asks_for(part);
        for part in field.kind.parts().iter().filter(requested) {
            let token = markers::part_token(part.name);
            self.part(field, part, &[("autocomplete", token)]);
        }
        self.close_fieldset(field);
    }

    /// Writes the input of a part, with its label.
    fn part(&mut self, field: &Field, part: &Part, more: &[(&str, &str)]) {
        let label = self.word(&format!("part_{}", part.name));
        let id = self.part_id(field, part.name);
        self.open("div", &[("class", "cf-part")]);
        self.line("");
        let label = field.part_label(part.name).unwrap_or(&label);
        self.piped_element("label", &[("for", &id)], label);
        self.line("");
        let name = format!("{}[{}]", field.name, part.name);
        let mut input = vec![
            ("type", "text"),
            ("class", markers::CONTROL_CLASS),
            ("id", &id),
            ("name", &name),
        ];
        input.extend_from_slice(more);
        input.extend((field.required && field.needs(part)).then_some(("required", "")));
        self.open("input", &input);
        self.line("\n</div>");
    }

    /// Renders a date as day, month and year, in the order of the page's language.
    pub(super) fn date_parts(&mut self, field: &Field, is_in_disabled: bool) {
        self.open_fieldset(field, is_in_disabled, &field.default_value);
        self.open("div", &[("class", "cf-date")]);
        self.line("");
        let format = self.word("date_format");
        let place = |part: &Part| format.find(&format!("{{{}}}", part.name));
        let mut parts: Vec<&Part> = field.parts().iter().collect();
        ordered::sort_by(&mut parts, |one, other| place(one).cmp(&place(other)));
        let mut texts = field.default_value.split('-');
        let [year, month, day] = [(); 3].map(|()| texts.next().unwrap_or_default());
        let asks_birthday =
            field.attributes.get("autocomplete").map(String::as_str) == Some("bday");
        for part in parts {
            let (value, token) = match part.name {
                "day" => (day.trim_start_matches('0'), "bday-day"),
                "month" => (month.trim_start_matches('0'), "bday-month"),
                _ => (year, "bday-year"),
            };
            let mut more = vec![("inputmode", "numeric"), ("size", "4")];
            more.extend((!value.is_empty()).then_some(("value", value)));
            more.extend(asks_birthday.then_some(("autocomplete", token)));
            more.extend(
                field
                    .attributes
                    .contains_key("readonly")
                    .then_some(("readonly", "")),
            );
            self.part(field, part, &more);
        }
        self.line("</div>");
        self.close_fieldset(field);
    }

    /// Writes the start of a fieldset or container that contains other fields and may be a step.
    pub(super) fn open_group(&mut self, field: &Field, is_step: bool) {
        let is_fieldset = field.kind.facts().control == Control::Fieldset;
        self.out
            .push_str(if is_fieldset { "<fieldset" } else { "<div" });
        self.class(field.kind.class(), field);
        self.identity(field);
        self.id_attributes(field, false);
        self.author_attributes(field, &[]);
        self.conditions(field);
        if is_step {
            self.attribute("data-cf-step", &field.name);
        }
        if field.is_repeat() && self.options.visitors.is_some() {
            self.row_limits(field);
        } else {
            self.hidden_constraints(field);
        }
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
            self.piped_element("legend", &attributes, &field.label);
            self.line("");
        }
        if is_fieldset {
            self.description(field);
            self.heads(field);
        }
    }
}

/// The points of a rating: from 1, or from 0 if the bounds allow it.
fn points(field: &Field) -> Vec<FieldOption> {
    let bound = |bound: &Option<serde_json::Number>| bound.as_ref()?.as_u64();
    let min = bound(&field.validation.min).unwrap_or(1).min(1);
    let max = bound(&field.validation.max).unwrap_or(markers::DEFAULT_RATING);
    let points = (min..=max.min(markers::MAX_RATING)).map(|point| point.to_string());
    let option = |point: String| FieldOption {
        label: point.clone(),
        value: point,
        ..FieldOption::default()
    };
    points.map(option).collect()
}

/// The label of a rating's point, if the option with this value has one.
fn named<'f>(field: &'f Field, value: &str) -> Option<&'f str> {
    let mut options = field.options.iter();
    let option = options.find(|option| option.value == value)?;
    (!option.label.is_empty() && option.label != value).then_some(&option.label)
}

/// The classes of a rating. If the author chose no look, up to seven points from 1 are stars, and other ratings are a
/// scale.
fn look(field: &Field, points: &[FieldOption]) -> &'static str {
    let starts_at_one = points.first().is_some_and(|point| point.value == "1");
    if field.is_nps() {
        "cf-rating cf-scale"
    } else if field.variant().is_some() {
        "cf-rating"
    } else if points.len() <= 7 && starts_at_one {
        "cf-rating cf-stars"
    } else {
        "cf-rating cf-scale"
    }
}
