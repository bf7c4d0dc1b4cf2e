//! Warnings about markup that reading or sanitizing could not keep.

use serde::Serialize;

use crate::ordered;

/// The kinds of warnings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WarningCode {
    /// A control without a name, which browsers do not submit either.
    ControlWithoutName,
    /// A control whose name is too long for a field, or contains control characters.
    NameInvalid,
    /// A second control with the name of a field that takes only one value.
    DuplicateName,
    /// Two options of one field with the same value; the first stays.
    DuplicateOption,
    /// A button that does not submit.
    ButtonIgnored,
    /// Several submit buttons, without a record of which one was pressed.
    ButtonNotStored,
    /// A group of a select's options; the options stay, without the group.
    OptionGroupFlattened,
    /// An option that cannot be selected.
    OptionDisabled,
    /// An attribute that could run script or submit elsewhere.
    UnsafeAttribute,
    /// An attribute that a field cannot hold.
    AttributeDropped,
    /// An inline style that hides a control; visitors' pages ignore inline styles, so the control is shown.
    NotHidden,
    /// A bound that is not a number.
    BoundInvalid,
    /// A pattern that the server cannot enforce; browsers still enforce it.
    PatternNotEnforced,
    /// A condition that cannot be read, refers to no field, or completes a cycle.
    ConditionDropped,
    /// A text that is too long for a field; it is cut.
    TextCut,
    /// A control without any label.
    ControlWithoutLabel,
    /// Text that belongs to no field.
    ContentDropped,
    /// An element that no field can hold: a script, a frame, a picture.
    ElementDropped,
    /// The address of a link; its text stays if it is part of a label or description.
    LinkDropped,
    /// A control that only robots fill in: it is not a field, and a submission that fills it in is spam.
    SpamTrap,
    /// Controls read as a name, an address or a consent.
    FieldRecognized,
    /// Content outside the form element, reported once.
    OutsideForm,
    /// More than one form; they are read as one.
    SeveralForms,
    /// A control whose form is outside the markup.
    FormNotFound,
    /// An edit that could not be made in the markup. From then on the form's source is its schema.
    MarkupNotPatched,
    /// An element that authors without `unfiltered_html` may not use.
    ElementRemoved,
    /// An attribute that authors without `unfiltered_html` may not use.
    AttributeRemoved,
}

/// One warning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct Warning {
    /// The kind.
    #[cfg_attr(feature = "typescript", tsify(type = "string"))]
    pub code: WarningCode,
    /// One sentence for people.
    pub message: String,
    /// The position, in bytes from the start of the markup.
    pub offset: usize,
}

/// The maximum number of warnings that are reported.
pub const MAX_WARNINGS: usize = 200;

/// Collects warnings, at most [`MAX_WARNINGS`].
#[derive(Debug, Default)]
pub struct Warnings {
    list: Vec<Warning>,
}

impl Warnings {
    /// Adds a warning about an offset.
    pub fn add(&mut self, code: WarningCode, offset: usize, message: impl Into<String>) {
        if self.list.len() < MAX_WARNINGS {
            self.list.push(Warning {
                code,
                message: message.into(),
                offset,
            });
        }
    }

    /// Whether further warnings are ignored.
    pub fn is_full(&self) -> bool {
        self.list.len() >= MAX_WARNINGS
    }

    /// The warnings, sorted by offset.
    pub fn in_order(mut self) -> Vec<Warning> {
        ordered::sort_by(&mut self.list, |one, other| one.offset.cmp(&other.offset));
        self.list
    }
}
