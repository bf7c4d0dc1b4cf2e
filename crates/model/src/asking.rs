//! Attributes that change how a page asks for an answer: the parts of an address, a repeated input, a unit.

use crate::field_kinds::{AnswerShape, Control, Part};
use crate::{Field, FieldType};

impl FieldType {
    /// Whether a page may ask visitors to type the answer twice.
    pub const fn may_repeat(self) -> bool {
        matches!(self.facts().shape, AnswerShape::Email | AnswerShape::Secret)
    }

    /// Whether answers are numbers that may have a unit.
    pub const fn takes_unit(self) -> bool {
        let is_slider = matches!(self.facts().control, Control::Slider);
        matches!(self.facts().shape, AnswerShape::Number) && !is_slider
    }
}

impl Field {
    /// The attribute with the unit of a number, such as `kg`.
    pub const UNIT: &'static str = "data-unit";
    /// The attribute with the names of the requested parts of a name or address. Without it, all are requested.
    pub const REQUESTED: &'static str = "data-requested";
    /// The attribute with the label of an email's or password's second input, in which visitors repeat their answer.
    pub const TWICE: &'static str = "data-twice";

    /// The unit of a number that is not calculated. For a calculated number, the format contains the unit.
    pub fn unit(&self) -> Option<&str> {
        let unit = self.attributes.get(Field::UNIT)?.trim();
        let has_unit = self.kind.takes_unit() && !self.is_calculated() && !unit.is_empty();
        has_unit.then_some(unit)
    }

    /// Whether the form asks for a part of a name or address.
    pub fn asks_for(&self, part: &Part) -> bool {
        let listed = self.attributes.get(Field::REQUESTED);
        listed.is_none_or(|names| {
            let mut names = names.split_ascii_whitespace().peekable();
            names.peek().is_none() || names.any(|name| name == part.name)
        })
    }

    /// Whether an answer to a required name or address is incomplete without a part. If the form requests no part
    /// that is [`Part::needed`], every requested part is needed.
    pub fn needs(&self, part: &Part) -> bool {
        let completes = |part: &Part| part.needed && self.asks_for(part);
        let is_needed = completes(part) || !self.parts().iter().any(completes);
        is_needed && self.asks_for(part)
    }

    /// The label of the input in which visitors repeat their answer. An empty label stands for the field's label.
    pub fn repeat_label(&self) -> Option<&str> {
        let label = self.attributes.get(Field::TWICE);
        let label = label.filter(|_| self.kind.may_repeat() && !self.is_multiple());
        label.map(|label| label.trim())
    }
}
