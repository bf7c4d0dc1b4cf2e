//! What reading or cleaning markup could not keep.

use serde::{Serialize, Serializer};

use model::ordered;

/// Declares the kinds of loss: each with its code on the wire.
macro_rules! warning_codes {
    ($($(#[$doc:meta])* $name:ident $code:literal;)*) => {
        /// The kinds of loss.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum WarningCode {
            $($(#[$doc])* $name,)*
        }

        impl Serialize for WarningCode {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(match self {
                    $(WarningCode::$name => $code,)*
                })
            }
        }
    };
}

warning_codes! {
    /// A control without a name, which browsers do not submit either.
    ControlWithoutName "control_without_name";
    /// A control's name is longer than a field's may be, or holds control characters.
    NameInvalid "name_invalid";
    /// A second control of a name that takes one value.
    DuplicateName "duplicate_name";
    /// Two options of one field with the same value; the first stays.
    DuplicateOption "duplicate_option";
    /// A button that submits nothing.
    ButtonIgnored "button_ignored";
    /// Which of several buttons that send the form was pressed: it is no answer.
    ButtonNotStored "button_not_stored";
    /// The groups of a select's options.
    OptionGroupFlattened "option_group_flattened";
    /// An option that cannot be chosen.
    OptionDisabled "option_disabled";
    /// An attribute that could run script or submit elsewhere.
    UnsafeAttribute "unsafe_attribute";
    /// An attribute that a field cannot hold.
    AttributeDropped "attribute_dropped";
    /// A style that was to hide a control, as traps for machines are hidden.
    NotHidden "not_hidden";
    /// A bound that is not a number.
    BoundInvalid "bound_invalid";
    /// A pattern that the server cannot enforce; browsers still do.
    PatternNotEnforced "pattern_not_enforced";
    /// A condition that cannot be read, names no field, or closes a circle.
    ConditionDropped "condition_dropped";
    /// A text that is longer than a field's may be.
    TextCut "text_cut";
    /// No label was found by any route.
    ControlWithoutLabel "control_without_label";
    /// Text that belongs to no field.
    ContentDropped "content_dropped";
    /// An element that no field can hold: a script, a frame, a picture.
    ElementDropped "element_dropped";
    /// The address of a link; its text stays where it is part of a label or description.
    LinkDropped "link_dropped";
    /// Controls read as a name, an address or a consent.
    FieldRecognized "field_recognized";
    /// Content outside the form element, told once.
    OutsideForm "outside_form";
    /// More than one form; they are read as one.
    SeveralForms "several_forms";
    /// A control of a form outside the markup.
    FormNotFound "form_not_found";
    /// An edit that the markup could not say in place: the schema is the source now.
    MarkupNotPatched "markup_not_patched";
    /// An element that authors without `unfiltered_html` may not use.
    ElementRemoved "element_removed";
    /// An attribute that authors without `unfiltered_html` may not use.
    AttributeRemoved "attribute_removed";
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

/// How many warnings are told.
pub(crate) const MAX_WARNINGS: usize = 200;

/// Gathers warnings, the first [`MAX_WARNINGS`] of them.
#[derive(Debug, Default)]
pub(crate) struct Warnings {
    list: Vec<Warning>,
}

impl Warnings {
    pub(crate) fn add(&mut self, code: WarningCode, offset: usize, message: impl Into<String>) {
        if self.list.len() < MAX_WARNINGS {
            self.list.push(Warning {
                code,
                message: message.into(),
                offset,
            });
        }
    }

    /// Whether no more will be told.
    pub(crate) fn is_full(&self) -> bool {
        self.list.len() >= MAX_WARNINGS
    }

    /// The warnings in the order of their places.
    pub(crate) fn in_order(mut self) -> Vec<Warning> {
        ordered::sort_by(&mut self.list, |one, other| one.offset.cmp(&other.offset));
        self.list
    }
}
