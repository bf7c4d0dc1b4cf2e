//! What is wrong with a document that a client wrote: every fault at once, each with its place.

use std::fmt;

/// How many faults are told; a document with more has one kind of fault very often.
pub const MAX_FAULTS: usize = 100;

/// How many characters of an unknown member's name a path repeats.
const MAX_NAME_CHARS: usize = 100;

/// Something wrong with one value of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where: a parameter, or a path into one such as `fields[2].validation.pattern`.
    pub path: String,
    /// One of the detail codes of the platform's conventions, such as `rest_invalid_type`.
    pub code: &'static str,
    /// What was expected, for people. Never echoes the value.
    pub message: String,
}

impl Fault {
    /// A fault at a place.
    pub fn new(path: impl Into<String>, code: &'static str, message: impl Into<String>) -> Fault {
        Fault {
            path: path.into(),
            code,
            message: message.into(),
        }
    }
}

/// The detail codes of the platform's conventions that a document's faults have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FaultCode {
    /// The JSON type is not the expected one.
    InvalidType,
    /// Not one of the allowed values.
    NotInEnum,
    /// A number beyond its bounds.
    OutOfBounds,
    /// A text with too few characters.
    TooShort,
    /// A text with too many characters.
    TooLong,
    /// A text of the wrong form.
    InvalidPattern,
    /// A list with too few items.
    TooFewItems,
    /// A list with too many items, or a structure nested too deep.
    TooManyItems,
    /// Something that must be unique is not.
    DuplicateItems,
    /// A required member is missing.
    PropertyRequired,
    /// A member that does not exist here.
    AdditionalProperty,
    /// A value that is wrong for another reason: a name that refers to nothing, a cycle, an
    /// unsafe attribute.
    InvalidParam,
}

impl FaultCode {
    /// The code on the wire.
    const fn as_str(self) -> &'static str {
        match self {
            FaultCode::InvalidType => "rest_invalid_type",
            FaultCode::NotInEnum => "rest_not_in_enum",
            FaultCode::OutOfBounds => "rest_out_of_bounds",
            FaultCode::TooShort => "rest_too_short",
            FaultCode::TooLong => "rest_too_long",
            FaultCode::InvalidPattern => "rest_invalid_pattern",
            FaultCode::TooFewItems => "rest_too_few_items",
            FaultCode::TooManyItems => "rest_too_many_items",
            FaultCode::DuplicateItems => "rest_duplicate_items",
            FaultCode::PropertyRequired => "rest_property_required",
            FaultCode::AdditionalProperty => "rest_additional_properties_forbidden",
            FaultCode::InvalidParam => "rest_invalid_param",
        }
    }
}

/// A place in a document. It borrows its way to the root, so that naming a place costs nothing
/// until there is a fault to tell.
#[derive(Clone, Copy, Debug)]
pub(crate) enum At<'a> {
    Root,
    Member(&'a At<'a>, &'a str),
    Item(&'a At<'a>, usize),
}

impl<'a> At<'a> {
    pub(crate) const fn member(&'a self, name: &'a str) -> At<'a> {
        At::Member(self, name)
    }

    pub(crate) const fn item(&'a self, index: usize) -> At<'a> {
        At::Item(self, index)
    }
}

impl fmt::Display for At<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            At::Root => Ok(()),
            At::Member(At::Root, name) => out.write_str(&shortened(name)),
            At::Member(parent, name) => write!(out, "{parent}.{}", shortened(name)),
            At::Item(parent, index) => write!(out, "{parent}[{index}]"),
        }
    }
}

/// A name of the client's, short enough for a message.
pub(crate) fn shortened(name: &str) -> String {
    match name.char_indices().nth(MAX_NAME_CHARS) {
        Some((end, _)) => format!("{}…", name.get(..end).unwrap_or_default()),
        None => name.to_owned(),
    }
}

/// Gathers the faults of one document, the first [`MAX_FAULTS`] of them.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    list: Vec<Fault>,
}

impl Faults {
    pub(crate) fn add(&mut self, at: &At<'_>, code: FaultCode, message: impl Into<String>) {
        if self.list.len() < MAX_FAULTS {
            self.list
                .push(Fault::new(at.to_string(), code.as_str(), message));
        }
    }

    /// The result, unless there were faults.
    pub(crate) fn unless_any<T>(self, result: T) -> Result<T, Vec<Fault>> {
        if self.list.is_empty() {
            Ok(result)
        } else {
            Err(self.list)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_reads_as_a_path() {
        let fields = At::Root.member("fields");
        let field = fields.item(2);
        let validation = field.member("validation");
        assert_eq!(
            validation.member("pattern").to_string(),
            "fields[2].validation.pattern"
        );
        assert_eq!(At::Root.to_string(), "");
    }

    #[test]
    fn a_place_and_the_list_of_faults_stay_short() {
        let long = "é".repeat(10_000);
        let mut faults = Faults::default();
        for _ in 0..1_000 {
            faults.add(
                &At::Root.member(&long),
                FaultCode::AdditionalProperty,
                "unknown",
            );
        }
        let list = faults.unless_any(()).unwrap_err();
        assert_eq!(list.len(), MAX_FAULTS);
        assert_eq!(list[0].path.chars().count(), MAX_NAME_CHARS + 1);
    }
}
