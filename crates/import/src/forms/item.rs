//! A field under construction.

use model::logic::number::parse_number;
use serde_json::{Map, Value};

use crate::values::{one_line, put, put_text, shortened, texts};

/// The longest value or label of a choice, in characters.
const MAX_CHOICE_CHARS: usize = 1_000;

/// The maximum number of choices of a field.
const MAX_CHOICES: usize = 5_000;

/// The labels of text fields that ask for a person's name.
const NAMES: [&str; 3] = ["name", "full name", "your name"];

/// A choice of a field.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// The name by which the other product's rules refer to the choice.
    pub key: String,
    pub value: String,
    pub label: String,
    pub image: String,
}

/// A field under construction.
#[derive(Clone, Debug, Default)]
pub struct Item {
    /// The id of the field in the other product.
    pub id: String,
    pub name: String,
    pub kind: &'static str,
    pub label: String,
    pub choices: Vec<Choice>,
    /// The name of the group that contains the field; empty outside of groups.
    pub group: String,
    pub conditions: Option<Value>,
    members: Map<String, Value>,
    bounds: Map<String, Value>,
    attributes: Map<String, Value>,
    classes: Vec<String>,
}

impl Item {
    /// Sets a property of the field, unless the text is empty.
    pub fn set(&mut self, member: &str, text: &str) {
        put_text(&mut self.members, member, text.trim());
    }

    /// Sets `autocomplete` for a text field whose label asks for a person's name.
    pub fn complete_name(&mut self) {
        if self.kind == "text" && NAMES.contains(&self.label.to_ascii_lowercase().as_str()) {
            self.attribute("autocomplete", "name");
        }
    }

    pub fn require(&mut self, is_required: bool) {
        // Visitors cannot fill in fields of these kinds.
        if is_required && !matches!(self.kind, "hidden" | "paragraph" | "heading" | "fieldset") {
            put(&mut self.members, "required", Value::Bool(true));
        }
    }

    /// Sets `min` or `max` of the validation, if the text is a number.
    pub fn bound(&mut self, which: &str, text: &str) {
        if let Some(number) = parse_number(text.trim()) {
            self.bound_number(which, number);
        }
    }

    pub fn bound_number(&mut self, which: &str, number: f64) {
        if number.is_finite() && number.abs() < 1e15 {
            put(&mut self.bounds, which, number_value(number));
        }
    }

    /// Sets `max` of the validation, such as the maximum length of the answer; zero means no limit.
    pub fn longest(&mut self, text: &str) {
        if let Some(most) = parse_number(text.trim()).filter(|most| *most >= 1.0) {
            self.bound_number("max", most.trunc());
        }
    }

    /// Sets the maximum size of a file: a number of units with `unit` bytes each.
    pub fn most_bytes(&mut self, text: &str, unit: f64) {
        let size = parse_number(text.trim()).filter(|size| *size > 0.0 && *size * unit < 1e12);
        if let Some(size) = size {
            self.bound_number("max", (size * unit).trunc());
        }
    }

    /// Sets the pattern that the whole value must match, without its anchors.
    pub fn pattern(&mut self, pattern: &str) {
        let bare = pattern.strip_prefix('^').unwrap_or(pattern);
        let bare = match bare.strip_suffix('$') {
            Some(bare) if !bare.ends_with('\\') => bare,
            _ => bare,
        };
        put_text(&mut self.bounds, "pattern", bare);
    }

    pub fn attribute(&mut self, name: &str, text: &str) {
        put_text(&mut self.attributes, name, text.trim());
    }

    /// Sets an attribute without a value.
    pub fn flag(&mut self, name: &str, is_on: bool) {
        if is_on {
            put(&mut self.attributes, name, Value::from(""));
        }
    }

    pub fn has_flag(&self, name: &str) -> bool {
        self.attributes.contains_key(name)
    }

    pub fn class(&mut self, classes: &str) {
        for class in classes.split_whitespace() {
            if !self.classes.iter().any(|known| known == class) {
                self.classes.push(class.to_owned());
            }
        }
    }

    /// Replaces one class with another.
    pub fn swap_class(&mut self, from: &str, to: &str) {
        self.classes.retain(|class| class != from);
        self.class(to);
    }

    /// Adds the class for a width in percent.
    pub fn width(&mut self, percent: f64) {
        self.class(match percent {
            width if (45.0..=55.0).contains(&width) => "cf-half",
            width if (30.0..=36.0).contains(&width) => "cf-third",
            width if (60.0..=70.0).contains(&width) => "cf-two-thirds",
            _ => "",
        });
    }

    /// Adds a choice; if its value is empty, the label becomes the value.
    pub fn choice(&mut self, key: &str, value: &str, label: &str) {
        let label = one_line(label);
        let value = one_line(value);
        let value = if value.is_empty() { &label } else { &value };
        let value = shortened(value, MAX_CHOICE_CHARS).to_owned();
        let is_new = self.choices.len() < MAX_CHOICES && !value.is_empty();
        if is_new {
            let label = if label.is_empty() {
                value.as_str()
            } else {
                label.as_str()
            };
            self.choices.push(Choice {
                key: if key.is_empty() {
                    value.clone()
                } else {
                    key.to_owned()
                },
                label: shortened(label, MAX_CHOICE_CHARS).to_owned(),
                value,
                image: String::new(),
            });
        }
    }

    pub fn image(&mut self, address: &str) {
        if let Some(choice) = self.choices.last_mut() {
            choice.image = address.trim().to_owned();
        }
    }

    /// The value of the choice with this key, value or label; the name itself if there is none.
    pub fn value_of<'t>(&'t self, name: &'t str) -> &'t str {
        let by = |is_it: &dyn Fn(&Choice) -> bool| self.choices.iter().find(|choice| is_it(choice));
        let found = by(&|choice| choice.key == name)
            .or_else(|| by(&|choice| choice.value == name))
            .or_else(|| by(&|choice| choice.label == name));
        found.map_or(name, |choice| choice.value.as_str())
    }

    /// Whether visitors may select several choices.
    pub fn is_list(&self) -> bool {
        self.kind == "checkbox" && !self.choices.is_empty() || self.has_flag("multiple")
    }

    /// Shows a rating as a scale from `least` to `most`.
    pub fn scale(&mut self, least: f64, most: f64) {
        self.class("cf-scale");
        self.bound_number("min", least);
        self.bound_number("max", most);
    }

    /// Sets the range of a number; turns it into a rating if it has at most eleven integer points.
    pub fn range(&mut self, least: &str, most: &str, step: &str) {
        let (from, to) = (parse_number(least), parse_number(most));
        let step_size = if step.is_empty() {
            Some(1.0)
        } else {
            parse_number(step)
        };
        match (from, to, step_size) {
            (Some(from), Some(to), Some(1.0))
                if from >= 0.0 && to > from && to - from <= 10.0 && from.fract() == 0.0 =>
            {
                self.kind = "rating";
                self.scale(from, to);
            }
            _ => {
                self.kind = "number";
                self.bound("min", least);
                self.bound("max", most);
                self.attribute("step", step);
            }
        }
    }

    /// Sets the labels of a scale's first and last point.
    pub fn ends(&mut self, first: &str, last: &str) {
        let point = |name: &str| self.bounds.get(name).map(Value::to_string);
        let (least, most) = (point("min"), point("max"));
        let least = least.unwrap_or_else(|| "1".to_owned());
        for (point, label) in [(least, first), (most.unwrap_or_default(), last)] {
            if !label.trim().is_empty() && !point.is_empty() {
                self.choice("", &point, label);
            }
        }
    }

    /// Sets the accepted file extensions, as `.a,.b`; MIME types stay unchanged.
    pub fn accept<'e>(&mut self, extensions: impl Iterator<Item = &'e str>) {
        let dotted = |extension: &str| match extension.trim().trim_start_matches(['.', '*']) {
            "" => String::new(),
            word if word.contains('/') => extension.trim().to_owned(),
            word => [".", word.trim_start_matches('.')].concat(),
        };
        let all: Vec<String> = extensions
            .map(dotted)
            .filter(|word| !word.is_empty())
            .collect();
        self.attribute("accept", &all.join(","));
    }

    /// The field as JSON for the schema.
    pub fn into_value(self) -> Value {
        let mut made = texts(&[("name", &self.name), ("type", self.kind)]);
        put_text(&mut made, "label", &self.label);
        made.extend(self.members);
        put_text(&mut made, "css_class", &self.classes.join(" "));
        put_text(&mut made, "group", &self.group);
        let option = |choice: Choice| {
            let mut option = texts(&[("value", &choice.value), ("label", &choice.label)]);
            put_text(&mut option, "image", &choice.image);
            Value::Object(option)
        };
        if !self.choices.is_empty() {
            let options = self.choices.into_iter().map(option).collect();
            put(&mut made, "options", Value::Array(options));
        }
        for (name, members) in [("validation", self.bounds), ("attributes", self.attributes)] {
            if !members.is_empty() {
                put(&mut made, name, Value::Object(members));
            }
        }
        if let Some(conditions) = self.conditions {
            put(&mut made, "conditions", conditions);
        }
        Value::Object(made)
    }
}

/// A number as JSON; a whole number has no decimal point.
pub fn number_value(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 9e15 {
        #[expect(clippy::cast_possible_truncation, reason = "whole and in range")]
        return Value::from(number as i64);
    }
    Value::from(number)
}
