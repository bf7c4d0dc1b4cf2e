//! The field of a schema (specification, "Field").

use std::borrow::Cow;
use std::collections::BTreeMap;

/// The longest name of a field, in characters.
pub const MAX_NAME_CHARS: usize = 200;

/// The maximum number of files of one field.
pub const MAX_FILES: usize = 20;

/// The longest label, description, default value or other text of a field, in characters.
pub const MAX_TEXT_CHARS: usize = 10_000;

use serde::{Deserialize, Serialize};
use serde_json::Number;

use super::condition::Condition;
use super::field_kinds::{AnswerShape, Bounds, Control, OptionsUse, Part};
use crate::is_unseen;
use crate::links::without_links;

wire_enum! {
    /// The kinds of field of the specification, by their wire names.
    #[derive(
        Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash,
    )]
    #[allow(missing_docs, reason = "the variants are the specification's names")]
    #[cfg_attr(feature = "typescript", derive(tsify::Tsify), serde(rename_all = "kebab-case"))]
    pub enum FieldType {
        #[default]
        Text = "text",
        Email = "email",
        Url = "url",
        Tel = "tel",
        Number = "number",
        Date = "date",
        Time = "time",
        DatetimeLocal = "datetime-local",
        Password = "password",
        Color = "color",
        Range = "range",
        Hidden = "hidden",
        Textarea = "textarea",
        Select = "select",
        Radio = "radio",
        Checkbox = "checkbox",
        File = "file",
        Name = "name",
        Address = "address",
        Consent = "consent",
        Rating = "rating",
        Container = "container",
        Fieldset = "fieldset",
        Heading = "heading",
        Paragraph = "paragraph",
        Divider = "divider",
        Submit = "submit",
    }
}

impl FieldType {
    /// Whether visitors answer fields of the type (contract, section 3). Submit buttons do not count here: the
    /// pressed one is an answer only if a form has several.
    pub const fn captures_value(self) -> bool {
        !matches!(self.facts().shape, AnswerShape::None | AnswerShape::Button)
    }

    /// Whether the answer itself is stored. Passwords are stored as a mask, and files as records.
    pub const fn stores_in_full(self) -> bool {
        !matches!(self.facts().shape, AnswerShape::Secret | AnswerShape::Files)
    }

    /// Whether answers are files.
    pub const fn takes_files(self) -> bool {
        matches!(self.facts().shape, AnswerShape::Files)
    }

    /// Whether the field is a submit button.
    pub const fn is_button(self) -> bool {
        matches!(self.facts().shape, AnswerShape::Button)
    }

    /// Whether the field asks for consent.
    pub const fn is_consent(self) -> bool {
        matches!(self.facts().shape, AnswerShape::Consent)
    }

    /// Whether visitors choose from the field's options.
    pub const fn has_choices(self) -> bool {
        matches!(self.facts().options, OptionsUse::Choices)
    }

    /// Whether visitors tick the field's options: radios and checkboxes.
    pub const fn ticks_options(self) -> bool {
        self.has_choices() && self.is_scope()
    }

    /// Whether an input can suggest the options (`datalist`).
    pub const fn suggests_options(self) -> bool {
        matches!(self.facts().options, OptionsUse::Suggestions)
    }

    /// Whether rendering writes the options as elements. Those of other types are in `data-cf-options`.
    pub const fn shows_options(self) -> bool {
        use OptionsUse::{Buttons, Choices, Suggestions};
        matches!(self.facts().options, Suggestions | Choices | Buttons)
    }

    /// Whether rendering may wrap a field of the type in a fieldset of its own.
    pub const fn is_scope(self) -> bool {
        use Control::{Boxes, Button, Parts, Radios};
        matches!(self.facts().control, Radios | Boxes | Parts | Button)
    }

    /// Whether the control of a field without options is a single checkbox.
    pub const fn is_box(self) -> bool {
        matches!(self.facts().control, Control::Box | Control::Boxes)
    }

    /// Whether visitors see the control.
    pub const fn is_seen(self) -> bool {
        !matches!(self.facts().control, Control::Hidden)
    }

    /// Whether rendering shows help text for a field of the type.
    pub const fn shows_description(self) -> bool {
        use Control::{Container, Divider, Heading, Hidden, Paragraph};
        let control = self.facts().control;
        !matches!(control, Hidden | Container | Heading | Paragraph | Divider)
    }

    /// Whether other fields may name the field as their `group`.
    pub const fn holds_fields(self) -> bool {
        matches!(self.facts().control, Control::Container | Control::Fieldset)
    }

    /// Whether the type takes free text. Then `validation` bounds the length, and `pattern` applies.
    pub const fn has_length(self) -> bool {
        matches!(self.facts().bounds, Bounds::Length)
    }

    /// Whether `validation` bounds a numeric value.
    pub const fn bounds_number(self) -> bool {
        matches!(self.facts().bounds, Bounds::Number)
    }

    /// Whether visitors type the value, so that the control shows a placeholder.
    pub const fn is_typed(self) -> bool {
        self.has_length() || self.bounds_number() && matches!(self.facts().control, Control::Input)
    }

    /// Whether browsers show a value in a field that has no default value.
    pub const fn is_preset(self) -> bool {
        matches!(self.facts().stand_in, Some(stand_in) if stand_in.only_unset)
    }

    /// Whether visitors can clear the answer only by a button that the page adds: a rating, a range or a colour.
    pub const fn is_clearable(self) -> bool {
        self.is_preset() || matches!(self.facts().shape, AnswerShape::Points)
    }

    /// The `type` of the field's inputs; empty for a control without inputs.
    pub const fn input_type(self) -> &'static str {
        match self.facts().control {
            Control::Input | Control::Slider | Control::Hidden => self.as_str(),
            Control::Box | Control::Boxes => "checkbox",
            Control::Radios => "radio",
            Control::Parts => "text",
            Control::Button => "submit",
            Control::Textarea | Control::Select | Control::Container | Control::Fieldset => "",
            Control::Heading | Control::Paragraph | Control::Divider => "",
        }
    }

    /// The classes that rendering adds, before the author's classes, to the element with the field's attributes.
    pub const fn class(self) -> &'static str {
        self.facts().control.class()
    }

    /// The parts of a name or an address that visitors fill in; empty for other types.
    pub const fn parts(self) -> &'static [Part] {
        self.facts().parts
    }

    /// The parts that are sent as `name[part]`: the parts that visitors fill in, and a consent's checkbox.
    pub fn sent_parts(self) -> impl Iterator<Item = &'static str> {
        let parts = self.parts().iter().map(|part| part.name);
        parts.chain(self.is_consent().then_some("accepted"))
    }

    /// The names of a stored answer's members; empty for an answer that is not an object.
    pub fn members(self) -> Vec<&'static str> {
        let text = self.is_consent().then_some("text");
        self.sent_parts().chain(text).collect()
    }
}

/// One option of a field: a choice, a suggestion, a button, or the label of a part or of a rating's point.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct FieldOption {
    /// The submitted value.
    pub value: String,
    /// The visible text.
    pub label: String,
    /// The address of a picture; empty for none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub image: String,
}

/// Constraints on a value. `min` and `max` bound the value of a number, range or rating, and the length of a text in
/// UTF-16 units. For a checkbox group or multiple select they bound the number of choices, for a repeating group the
/// number of rows, and for a file its bytes. Dates and times have their bounds in `attributes`, because the
/// specification allows only numbers in `min` and `max`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct Validation {
    /// The minimum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", tsify(optional, type = "number"))]
    pub min: Option<Number>,
    /// The maximum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", tsify(optional, type = "number"))]
    pub max: Option<Number>,
    /// A pattern that the whole value must match (HTML, the `pattern` attribute).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
}

impl Validation {
    /// The minimum and the maximum.
    pub fn bounds(&self) -> (Option<f64>, Option<f64>) {
        let bound = |number: &Option<Number>| number.as_ref().and_then(Number::as_f64);
        (bound(&self.min), bound(&self.max))
    }
}

/// One field of a schema, with every default of the specification filled in.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct Field {
    /// The input's name, unique within the schema.
    pub name: String,
    /// The kind of field.
    #[serde(rename = "type", default)]
    pub kind: FieldType,
    /// Human-readable label.
    #[serde(default)]
    pub label: String,
    /// Placeholder text.
    #[serde(default)]
    pub placeholder: String,
    /// Pre-filled value; several values are joined by line feeds.
    #[serde(default)]
    pub default_value: String,
    /// Whether an answer is required while the field is shown.
    #[serde(default)]
    pub required: bool,
    /// CSS classes, separated by spaces.
    #[serde(default)]
    pub css_class: String,
    /// Help text shown below the field.
    #[serde(default)]
    pub description: String,
    /// The choices, suggestions or buttons, or the labels of parts or of a rating's points.
    #[serde(default)]
    pub options: Vec<FieldOption>,
    /// Constraints on the value.
    #[serde(default)]
    pub validation: Validation,
    /// Conditions that must all hold for the field to be shown.
    #[serde(default)]
    pub conditions: Vec<Condition>,
    /// Further HTML attributes, by name.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", tsify(type = "Record<string, string>"))]
    pub attributes: BTreeMap<String, String>,
    /// Display order, from 0.
    #[serde(default)]
    pub position: u32,
    /// The step, container or fieldset that holds the field.
    #[serde(default)]
    pub group: Option<String>,
}

/// Whether a name is reserved. The names of inputs that the engine (`_cf_…`, the submission key) or the platform
/// (`_wpnonce`, `_method`) adds to submits are reserved. So are `.` and `..`, which mean folders in a URL's path.
pub fn is_reserved_name(name: &str) -> bool {
    matches!(
        name,
        "." | ".." | "_submission_key" | "_wpnonce" | "_method"
    ) || name.starts_with("_cf_")
}

impl Field {
    /// The attribute with the maximum number of files.
    pub const FILE_LIMIT: &'static str = "data-max-files";
    /// The attribute with the label of a choice's "Other" option, at which visitors type their own answer.
    pub const OTHER: &'static str = "data-other";
    /// The attribute with the values of hidden controls that share the field's name, one on each line.
    pub const HIDDEN: &'static str = "data-hidden";
    /// The attribute with the number of text controls that share the field's name, if there are several.
    pub const INPUTS: &'static str = "data-inputs";

    /// The number of submit buttons with a value: one for each option. Without options, 1 if the field has a default
    /// value.
    pub fn button_count(&self) -> usize {
        match self.options.len() {
            _ if !self.kind.is_button() => 0,
            0 => usize::from(!self.default_value.is_empty()),
            count => count,
        }
    }

    /// The values of hidden controls that share the field's name.
    pub fn hidden_values(&self) -> impl Iterator<Item = &str> {
        let hidden = self.attributes.get(Self::HIDDEN);
        hidden.into_iter().flat_map(|values| values.split('\n'))
    }

    /// The number of text controls that share the field's name.
    pub fn input_count(&self) -> usize {
        let count = self.attributes.get(Self::INPUTS);
        count.and_then(|count| count.parse().ok()).unwrap_or(1)
    }

    /// Whether the field's value is a list. That applies to checkboxes with options, and to inputs, selects and files
    /// with the attribute `multiple`. For most inputs, that attribute is rendered as a name with brackets.
    pub fn is_multiple(&self) -> bool {
        match self.kind.facts().control {
            Control::Boxes => !self.options.is_empty(),
            Control::Radios | Control::Box | Control::Parts => false,
            _ => self.kind.captures_value() && self.attributes.contains_key("multiple"),
        }
    }

    /// The maximum number of files: 1 without `multiple`, or else the value of [`Field::FILE_LIMIT`]. If that is
    /// missing or out of range, the maximum is [`MAX_FILES`].
    pub fn max_files(&self) -> usize {
        let limit = self.attributes.get(Field::FILE_LIMIT);
        let limit = limit.and_then(|limit| limit.trim().parse().ok());
        match limit.filter(|limit| (1..=MAX_FILES).contains(limit)) {
            _ if !self.is_multiple() => 1,
            limit => limit.unwrap_or(MAX_FILES),
        }
    }

    /// Whether the field is a checkbox without options. A consent is not a switch.
    pub fn is_switch(&self) -> bool {
        matches!(self.kind.facts().control, Control::Boxes) && self.options.is_empty()
    }

    /// Whether the field's value is a date or a time, or a text of type month or week.
    pub fn is_moment(&self) -> bool {
        use AnswerShape::{Date, DateTime, Month, Time, Week};
        matches!(self.shape(), Date | Time | DateTime | Month | Week)
    }

    /// The form's label for a part of a name or address: the label of the option whose value is the part's name, such
    /// as `postal_code`. `None` without a visible label.
    pub fn part_label(&self, part: &str) -> Option<&str> {
        let option = self.options.iter().find(|option| option.value == part)?;
        (!is_unseen(&option.label)).then_some(&option.label)
    }

    /// The label as plain text. In the label of a consent, each link is replaced by its text.
    pub fn plain_label(&self) -> Cow<'_, str> {
        if self.kind.is_consent() {
            without_links(&self.label)
        } else {
            Cow::Borrowed(&self.label)
        }
    }

    /// The first line of an option's label, or of the label of a button without options. `None` if no option has the
    /// value, or the label is invisible.
    pub fn option_label(&self, value: &str) -> Option<&str> {
        // The options of a name or an address are the labels of its parts.
        let mut options = self.options.iter().filter(|_| self.kind.parts().is_empty());
        let option = options.find(|option| option.value == value);
        let is_button = self.button_count() == 1 && self.default_value == value;
        let button = is_button.then_some(&self.label);
        let label = option
            .map(|option| &option.label)
            .or(button)?
            .lines()
            .map(str::trim)
            .find(|line| !line.is_empty())?;
        (!is_unseen(label)).then_some(label)
    }

    /// The default values, which line feeds separate in `default_value`.
    pub fn default_values(&self) -> impl Iterator<Item = &str> {
        self.default_value
            .split('\n')
            .filter(|value| !value.is_empty())
    }
}
