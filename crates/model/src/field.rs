//! The field of a schema (specification, "Field").

use std::borrow::Cow;
use std::collections::BTreeMap;

/// The longest name of a field, in characters.
pub const MAX_NAME_CHARS: usize = 200;

/// The longest label, description, default value or other text of a field, in characters.
pub const MAX_TEXT_CHARS: usize = 10_000;

use serde::{Deserialize, Serialize};
use serde_json::Number;

use super::condition::Condition;
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
    /// Whether the type is one of the specification's "input fields": all but heading, divider and submit.
    pub const fn is_input(self) -> bool {
        !matches!(
            self,
            FieldType::Heading | FieldType::Divider | FieldType::Submit
        )
    }

    /// Whether visitors answer it: the input fields except paragraph, container and fieldset (contract, section
    /// 3).
    pub const fn captures_value(self) -> bool {
        self.is_input() && !self.holds_fields() && !matches!(self, FieldType::Paragraph)
    }

    /// Whether rendering wraps one field of the type in a fieldset.
    pub const fn is_scope(self) -> bool {
        use FieldType::{Checkbox, Radio, Rating, Submit};
        matches!(self, Radio | Checkbox | Rating | Submit) || !self.parts().is_empty()
    }

    /// Whether rendering shows help text for a field of the type.
    pub const fn shows_description(self) -> bool {
        use FieldType::{Container, Divider, Heading, Hidden, Paragraph};
        !matches!(self, Hidden | Container | Heading | Paragraph | Divider)
    }

    /// Whether other fields may name the field as their `group`.
    pub const fn holds_fields(self) -> bool {
        matches!(self, FieldType::Container | FieldType::Fieldset)
    }

    /// Whether `validation` bounds the length of the value and `pattern` applies to it: types with free text.
    pub const fn has_length(self) -> bool {
        matches!(
            self,
            FieldType::Text
                | FieldType::Email
                | FieldType::Url
                | FieldType::Tel
                | FieldType::Password
                | FieldType::Textarea
        )
    }

    /// The parts of a name or an address that visitors fill in; empty for other types. (A consent submits its
    /// answer as `name[accepted]`.)
    pub const fn parts(self) -> &'static [Part] {
        const fn part(name: &'static str, needed: bool) -> Part {
            Part { name, needed }
        }
        const NAME: [Part; 2] = [part("first", true), part("last", true)];
        const ADDRESS: [Part; 6] = [
            part("street", true),
            part("street2", false),
            part("city", true),
            part("state", false),
            part("postal_code", false),
            part("country", true),
        ];
        match self {
            FieldType::Name => &NAME,
            FieldType::Address => &ADDRESS,
            _ => &[],
        }
    }
}

/// A part of a composite field, sent as `name[part]` (contract, section 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The part's name, such as `postal_code`.
    pub name: &'static str,
    /// Whether an answer to a required field needs it.
    pub needed: bool,
}

/// One choice of a select, radio or checkbox field.
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

/// Constraints on a value. `min` and `max` bound the number of a number, range or rating, and the length of a text
/// in UTF-16 units. For a checkbox group or multiple select they bound the number of choices; for a file, `max`
/// bounds the bytes. Dates and times have their bounds in `attributes`, since the specification makes these two
/// numbers.
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
    /// The choices of select, radio and checkbox; the labels of a name's or address's parts.
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

/// Whether the engine reserves a name. Reserved are the inputs of every submit (`_cf_…`, the submission key) and
/// of the platform (`_wpnonce`, `_method`). `.` and `..` are reserved too, since they mean folders in the path of
/// a field's address.
pub fn is_reserved_name(name: &str) -> bool {
    matches!(
        name,
        "." | ".." | "_submission_key" | "_wpnonce" | "_method"
    ) || name.starts_with("_cf_")
}

impl Field {
    /// The attribute with the label of a choice's free answer.
    pub const OTHER: &'static str = "data-other";
    /// The attribute with the values that hidden controls of the field's name submit, one on each line.
    pub const HIDDEN: &'static str = "data-hidden";
    /// The attribute with the number of text controls with the field's name, if there are several.
    pub const INPUTS: &'static str = "data-inputs";

    /// The number of submit buttons with a value: the field's options, or the field itself if it has a value.
    pub fn button_count(&self) -> usize {
        match self.kind {
            FieldType::Submit if self.options.is_empty() => {
                usize::from(!self.default_value.is_empty())
            }
            FieldType::Submit => self.options.len(),
            _ => 0,
        }
    }

    /// The values that hidden controls of the field's name submit.
    pub fn hidden_values(&self) -> impl Iterator<Item = &str> {
        let hidden = self.attributes.get(Self::HIDDEN);
        hidden.into_iter().flat_map(|values| values.split('\n'))
    }

    /// The number of text controls with the field's name.
    pub fn input_count(&self) -> usize {
        let count = self.attributes.get(Self::INPUTS);
        count.and_then(|count| count.parse().ok()).unwrap_or(1)
    }

    /// Whether the field's value is a list: checkboxes with options, and inputs, selects and files with the
    /// attribute `multiple` (which for most inputs means a name with brackets).
    pub fn is_multiple(&self) -> bool {
        match self.kind {
            FieldType::Checkbox => !self.options.is_empty(),
            FieldType::Radio
            | FieldType::Consent
            | FieldType::Rating
            | FieldType::Name
            | FieldType::Address => false,
            kind => kind.captures_value() && self.attributes.contains_key("multiple"),
        }
    }

    /// Whether the field is a single box: a checkbox without options.
    pub fn is_switch(&self) -> bool {
        self.kind == FieldType::Checkbox && self.options.is_empty()
    }

    /// Whether the field's value is a date or a time, or a text of type month or week.
    pub fn is_moment(&self) -> bool {
        let text_type = self.attributes.get("type").map(String::as_str);
        match self.kind {
            FieldType::Date | FieldType::Time | FieldType::DatetimeLocal => true,
            FieldType::Text => matches!(text_type, Some("month" | "week")),
            _ => false,
        }
    }

    /// The form's label for a part of a name or address: that of the option with the part as its value, such as
    /// `postal_code`. `None` for an invisible one.
    pub fn part_label(&self, part: &str) -> Option<&str> {
        let option = self.options.iter().find(|option| option.value == part)?;
        (!is_unseen(&option.label)).then_some(&option.label)
    }

    /// The label where links are impossible: that of a consent without the addresses of its links.
    pub fn plain_label(&self) -> Cow<'_, str> {
        match self.kind {
            FieldType::Consent => without_links(&self.label),
            _ => Cow::Borrowed(&self.label),
        }
    }

    /// The first line of the label of an option, or of a button without options; `None` without such an option or a
    /// visible label.
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

    /// The default values, one by one.
    pub fn default_values(&self) -> impl Iterator<Item = &str> {
        self.default_value
            .split('\n')
            .filter(|value| !value.is_empty())
    }
}
