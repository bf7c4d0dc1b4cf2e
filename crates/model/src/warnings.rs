//! What reading or cleaning markup could not keep.

use serde::Serialize;

use crate::ordered;

/// The kinds of loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WarningCode {
    /// A control without a name, which browsers do not submit either.
    ControlWithoutName,
    /// A control's name is longer than a field's may be, or holds control characters.
    NameInvalid,
    /// A second control of a name that takes one value.
    DuplicateName,
    /// Two options of one field with the same value; the first stays.
    DuplicateOption,
    /// A button that submits nothing.
    ButtonIgnored,
    /// Which of several buttons that send the form was pressed: it is no answer.
    ButtonNotStored,
    /// The groups of a select's options.
    OptionGroupFlattened,
    /// An option that cannot be chosen.
    OptionDisabled,
    /// An attribute that could run script or submit elsewhere.
    UnsafeAttribute,
    /// An attribute that a field cannot hold.
    AttributeDropped,
    /// A style that was to hide a control, as traps for machines are hidden.
    NotHidden,
    /// A bound that is not a number.
    BoundInvalid,
    /// A pattern that the server cannot enforce; browsers still do.
    PatternNotEnforced,
    /// A condition that cannot be read, names no field, or closes a circle.
    ConditionDropped,
    /// A text that is longer than a field's may be.
    TextCut,
    /// No label was found by any route.
    ControlWithoutLabel,
    /// Text that belongs to no field.
    ContentDropped,
    /// An element that no field can hold: a script, a frame, a picture.
    ElementDropped,
    /// The address of a link; its text stays where it is part of a label or description.
    LinkDropped,
    /// A control that robots fill in and people do not see: no field, and a post with it is spam.
    SpamTrap,
    /// Controls read as a name, an address or a consent.
    FieldRecognized,
    /// Content outside the form element, reported once.
    OutsideForm,
    /// More than one form; they are read as one.
    SeveralForms,
    /// A control of a form outside the markup.
    FormNotFound,
    /// An edit that the markup could not say in place: the schema is the source now.
    MarkupNotPatched,
    /// An element that authors without `unfiltered_html` may not use.
    ElementRemoved,
    /// An attribute that authors without `unfiltered_html` may not use.
    AttributeRemoved,
}

/// One loss.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct Warning {
    /// What kind.
    #[cfg_attr(feature = "typescript", tsify(type = "string"))]
    pub code: WarningCode,
    /// One sentence for people.
    pub message: String,
    /// Where, in bytes from the start of the markup.
    pub offset: usize,
}

/// How many warnings are reported.
pub const MAX_WARNINGS: usize = 200;

/// Gathers warnings, the first [`MAX_WARNINGS`] of them.
#[derive(Debug, Default)]
pub struct Warnings {
    list: Vec<Warning>,
}

impl Warnings {
    /// Adds a warning about what stands at a place.
    pub fn add(&mut self, code: WarningCode, offset: usize, message: impl Into<String>) {
        if self.list.len() < MAX_WARNINGS {
            self.list.push(Warning {
                code,
                message: message.into(),
                offset,
            });
        }
    }

    /// Whether no more warnings are taken.
    pub fn is_full(&self) -> bool {
        self.list.len() >= MAX_WARNINGS
    }

    /// The warnings in the order of their places.
    pub fn in_order(mut self) -> Vec<Warning> {
        ordered::sort_by(&mut self.list, |one, other| one.offset.cmp(&other.offset));
        self.list
    }
}
