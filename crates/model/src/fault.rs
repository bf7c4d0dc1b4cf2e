//! What is wrong with a document that a client wrote: every fault at once, each with its place.

use std::cell::RefCell;
use std::fmt;

/// How many faults are reported; a document with more has one kind of fault very often.
pub const MAX_FAULTS: usize = 100;

/// How many characters of an unknown member's name a path repeats.
const MAX_NAME_CHARS: usize = 100;

/// Something wrong with one value of a request.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
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

wire_enum! {
    /// The detail codes of the platform's conventions that a document's faults have.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum FaultCode {
        InvalidType = "rest_invalid_type",
        NotInEnum = "rest_not_in_enum",
        OutOfBounds = "rest_out_of_bounds",
        TooShort = "rest_too_short",
        TooLong = "rest_too_long",
        InvalidPattern = "rest_invalid_pattern",
        TooFewItems = "rest_too_few_items",
        // Also for a structure that is nested too deep.
        TooManyItems = "rest_too_many_items",
        DuplicateItems = "rest_duplicate_items",
        PropertyRequired = "rest_property_required",
        AdditionalProperty = "rest_additional_properties_forbidden",
        // Wrong for another reason: a name that refers to nothing, a cycle, an unsafe attribute.
        InvalidParam = "rest_invalid_param",
    }
}

/// A place in a document. It borrows its way to the root, so that naming a place costs nothing
/// until there is a fault to report.
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
pub(crate) struct Faults(RefCell<Vec<Fault>>);

impl Faults {
    pub(crate) fn add(&self, at: &At<'_>, code: FaultCode, message: impl Into<String>) {
        let mut list = self.0.borrow_mut();
        if list.len() < MAX_FAULTS {
            list.push(Fault::new(at.to_string(), code.as_str(), message));
        }
    }

    /// The result, unless there were faults.
    pub(crate) fn unless_any<T>(self, result: T) -> Result<T, Vec<Fault>> {
        match self.0.into_inner() {
            list if list.is_empty() => Ok(result),
            list => Err(list),
        }
    }
}
