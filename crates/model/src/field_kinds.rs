//! The facts of the field types, each declared once. Reading, rendering, validation, exports and the OpenAPI document
//! use this table. So do the typed client (`client/field-kinds.ts`), the admin's palette and inspector, and the table
//! of `docs/schemas.md`. To add a type, name it in [`FieldType`] and add a row to `field_kinds!`; the compiler
//! demands both. Variants of types are in [`crate::field_variants`].

use serde_json::Value;

use crate::ordered::Gather;
use crate::{FieldType, markers};

wire_enum! {
    /// A group of field types in the admin's palette.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[allow(missing_docs, reason = "the names say it")]
    pub enum PaletteGroup {
        Contact = "contact",
        Text = "text",
        Choices = "choices",
        Dates = "dates",
        Files = "files",
        Layout = "layout",
    }
}

wire_enum! {
    /// The HTML control of a field.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Control {
        /// An `<input>` whose `type` is the field type's name.
        Input = "input",
        /// An `<input type="range">`, with its current value next to it on visitors' pages.
        Slider = "slider",
        /// An `<input type="hidden">`.
        Hidden = "hidden",
        /// A `<textarea>`.
        Textarea = "textarea",
        /// A `<select>`.
        Select = "select",
        /// One checkbox, whose label may contain links.
        Box = "box",
        /// One checkbox, or a fieldset with a checkbox for each option.
        Boxes = "boxes",
        /// A fieldset with a radio button for each option.
        Radios = "radios",
        /// A fieldset with a text input for each part.
        Parts = "parts",
        /// A submit button, or a fieldset with a button for each option.
        Button = "button",
        /// A `<div>` around other fields.
        Container = "container",
        /// A `<fieldset>` around other fields.
        Fieldset = "fieldset",
        /// A heading.
        Heading = "heading",
        /// A paragraph.
        Paragraph = "paragraph",
        /// A horizontal line.
        Divider = "divider",
    }
}

wire_enum! {
    /// The shape of an answer.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum AnswerShape {
        /// No answer.
        None = "none",
        /// A trimmed text of one line.
        Line = "line",
        /// A trimmed text of several lines.
        Lines = "lines",
        /// The text exactly as it was sent.
        Verbatim = "verbatim",
        /// A text of which only a mask is stored.
        Secret = "secret",
        /// An email address.
        Email = "email",
        /// A web address.
        Url = "url",
        /// A telephone number in E.164.
        Phone = "phone",
        /// A number.
        Number = "number",
        /// An integer: the chosen point of a rating.
        Points = "points",
        /// A date.
        Date = "date",
        /// A time.
        Time = "time",
        /// A date and a time.
        DateTime = "date-time",
        /// A month of a year.
        Month = "month",
        /// A week of a year.
        Week = "week",
        /// A colour.
        Color = "color",
        /// The value of an option, or a list of values. For a checkbox without options: whether it is ticked.
        Choice = "choice",
        /// Files.
        Files = "files",
        /// An object of parts.
        Parts = "parts",
        /// An object: whether consent was given, and the text that was shown.
        Consent = "consent",
        /// The value of the pressed button.
        Button = "button",
        /// A list of rows. Each row is an object with the answers of its fields.
        Rows = "rows",
    }
}

wire_enum! {
    /// The meaning of a field's `options`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum OptionsUse {
        /// None.
        None = "none",
        /// The answers to choose from.
        Choices = "choices",
        /// Suggestions for an input (`datalist`).
        Suggestions = "suggestions",
        /// The labels of a name's or address's parts.
        Parts = "parts",
        /// The labels of a rating's points.
        Points = "points",
        /// The buttons.
        Buttons = "buttons",
    }
}

wire_enum! {
    /// The quantity that `validation.min` and `validation.max` bound.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Bounds {
        /// No quantity.
        None = "none",
        /// The length of the text.
        Length = "length",
        /// The number.
        Number = "number",
        /// The number of choices.
        Count = "count",
        /// The size of each file in bytes.
        Bytes = "bytes",
    }
}

/// A part of a composite field, sent as `name[part]` (contract, section 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The part's name, such as `postal_code`.
    pub name: &'static str,
    /// Whether an answer to a required field needs the part.
    pub needed: bool,
}

/// A replacement for an input on visitors' pages, until the visitor's script restores the original. Browsers would
/// show a value in an unanswered original, or reject a web address without a scheme.
#[derive(Debug)]
pub struct StandIn {
    /// Type of the input.
    pub input_type: &'static str,
    /// Attributes with their default values. Attributes that the author sets are kept.
    pub hints: &'static [(&'static str, &'static str)],
    /// Whether the input is replaced only in a field without a default value.
    pub only_unset: bool,
}

/// The facts of a field type.
#[derive(Debug)]
pub struct FieldKind {
    /// Group of the palette.
    pub group: PaletteGroup,
    /// HTML control.
    pub control: Control,
    /// Shape of the answer.
    pub shape: AnswerShape,
    /// Meaning of `options`.
    pub options: OptionsUse,
    /// Meaning of `validation.min` and `validation.max`.
    pub bounds: Bounds,
    /// Parts that visitors fill in.
    pub parts: &'static [Part],
    /// Text between the parts of an answer.
    pub separator: &'static str,
    /// Whether HTML's attribute `multiple` works on the control.
    pub has_multiple: bool,
    /// Replacement on visitors' pages.
    pub stand_in: Option<&'static StandIn>,
}

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

/// The parts of a date whose day, month and year have separate inputs.
pub(crate) const DATE: [Part; 3] = [part("day", true), part("month", true), part("year", true)];

const URL: StandIn = StandIn {
    input_type: "text",
    hints: &markers::URL_HINTS,
    only_unset: false,
};

const RANGE: StandIn = StandIn {
    input_type: "number",
    hints: &[("min", "0"), ("max", "100")],
    only_unset: true,
};

const COLOR: StandIn = StandIn {
    input_type: "text",
    hints: &markers::COLOR_HINTS,
    only_unset: true,
};

/// Declares the facts of each type, in the order of the palette.
macro_rules! field_kinds {
    ($($kind:ident: $group:ident, $control:ident, $shape:ident, $options:ident, $bounds:ident
        $(, $fact:ident = $value:expr)*;)*) => {
        impl FieldType {
            /// Every type, in the order of the palette.
            pub const PALETTE: [FieldType; FieldType::ALL.len()] = [$(FieldType::$kind),*];

            /// The facts of the type.
            pub const fn facts(self) -> &'static FieldKind {
                match self {
                    $(FieldType::$kind => const {
                        #[allow(unused_mut, reason = "most rows have only the common facts")]
                        let mut kind = FieldKind {
                            group: PaletteGroup::$group,
                            control: Control::$control,
                            shape: AnswerShape::$shape,
                            options: OptionsUse::$options,
                            bounds: Bounds::$bounds,
                            parts: &[],
                            separator: "",
                            has_multiple: false,
                            stand_in: None,
                        };
                        $(kind.$fact = $value;)*
                        &{ kind }
                    },)*
                }
            }
        }
    };
}

field_kinds! {
    // type:       group,   control,   answer,   options,     bounds, further facts
    Name:          Contact, Parts,     Parts,    Parts,       None,   parts = &NAME, separator = " ";
    Email:         Contact, Input,     Email,    Suggestions, Length, has_multiple = true;
    Tel:           Contact, Input,     Line,     Suggestions, Length;
    Address:       Contact, Parts,     Parts,    Parts,       None,   parts = &ADDRESS, separator = ", ";
    Text:          Text,    Input,     Line,     Suggestions, Length;
    Textarea:      Text,    Textarea,  Lines,    None,        Length;
    Number:        Text,    Input,     Number,   Suggestions, Number;
    Url:           Text,    Input,     Url,      Suggestions, Length, stand_in = Some(&URL);
    Radio:         Choices, Radios,    Choice,   Choices,     Count;
    Checkbox:      Choices, Boxes,     Choice,   Choices,     Count;
    Select:        Choices, Select,    Choice,   Choices,     Count,  has_multiple = true;
    Consent:       Choices, Box,       Consent,  None,        None;
    Rating:        Choices, Radios,    Points,   Points,      Number;
    Range:         Choices, Slider,    Number,   Suggestions, Number, stand_in = Some(&RANGE);
    Date:          Dates,   Input,     Date,     Suggestions, None;
    Time:          Dates,   Input,     Time,     Suggestions, None;
    DatetimeLocal: Dates,   Input,     DateTime, Suggestions, None;
    File:          Files,   Input,     Files,    None,        Bytes,  has_multiple = true;
    Color:         Files,   Input,     Color,    Suggestions, None,   stand_in = Some(&COLOR);
    Password:      Files,   Input,     Secret,   None,        Length;
    Hidden:        Files,   Hidden,    Verbatim, None,        None;
    Heading:       Layout,  Heading,   None,     None,        None;
    Paragraph:     Layout,  Paragraph, None,     None,        None;
    Divider:       Layout,  Divider,   None,     None,        None;
    Fieldset:      Layout,  Fieldset,  None,     None,        None;
    Container:     Layout,  Container, None,     None,        None;
    Submit:        Layout,  Button,    Button,   Buttons,     None;
}

impl FieldType {
    /// Default attributes by which browsers choose a keyboard and offer autofill. Attributes that the author sets are
    /// kept.
    pub fn entry_hints(self) -> &'static [(&'static str, &'static str)] {
        match self {
            FieldType::Email => &[("autocomplete", "email"), ("inputmode", "email")],
            FieldType::Tel => &[("autocomplete", "tel"), ("inputmode", "tel")],
            FieldType::Url => &[("autocomplete", "url")],
            FieldType::Number => &[("inputmode", "decimal")],
            FieldType::Password => &[("autocomplete", "new-password")],
            _ => &[],
        }
    }
}

impl Control {
    /// The classes that rendering adds, before the author's classes, to the element with the field's attributes.
    pub const fn class(self) -> &'static str {
        match self {
            Control::Input | Control::Slider | Control::Hidden => markers::CONTROL_CLASS,
            Control::Textarea | Control::Select => markers::CONTROL_CLASS,
            Control::Box | Control::Boxes => markers::CONTROL_CLASS,
            Control::Radios | Control::Parts => markers::OPTIONS_CLASSES,
            Control::Button => "cf-submit",
            Control::Container | Control::Fieldset => "cf-group",
            Control::Heading => "cf-heading",
            Control::Paragraph => "cf-paragraph",
            Control::Divider => "cf-divider",
        }
    }
}

/// Builds a JSON object from a few members.
pub(crate) fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    let members = members.into_iter();
    Value::Object(
        members
            .map(|(name, value)| (name.to_owned(), value))
            .gather(),
    )
}

/// The facts of every type, in the order of the palette, for the OpenAPI document.
pub fn kinds_json() -> Value {
    let kinds = FieldType::PALETTE.iter().map(|kind| {
        let facts = kind.facts();
        object([
            ("type", kind.as_str().into()),
            ("group", facts.group.as_str().into()),
            ("control", facts.control.as_str().into()),
            ("answer", facts.shape.as_str().into()),
            ("parts", kind.sent_parts().collect()),
            ("options", facts.options.as_str().into()),
            ("bounds", facts.bounds.as_str().into()),
            ("typed", kind.is_typed().into()),
        ])
    });
    kinds.collect()
}
