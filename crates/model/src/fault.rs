//! The faults of a client's document. All faults are reported together, each with its path.

use std::cell::RefCell;
use std::fmt;

/// The maximum number of faults that are reported for one document.
pub const MAX_FAULTS: usize = 100;

/// The longest member name in a path, in characters; a longer name is shortened.
const MAX_NAME_CHARS: usize = 100;

/// A fault of one value in a request.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct Fault {
    /// The path: a parameter's name, or a place inside the parameter, such as `fields[2].validation.pattern`.
    pub path: String,
    /// A detail code that follows the platform's conventions, such as `rest_invalid_type`.
    pub code: &'static str,
    /// The message for people, which states the expected value. It never repeats the received value.
    pub message: String,
}

impl Fault {
    /// Creates a fault at a path.
    pub fn new(path: impl Into<String>, code: &'static str, message: impl Into<String>) -> Fault {
        Fault {
            path: path.into(),
            code,
            message: message.into(),
        }
    }
}

wire_enum! {
    /// The detail codes for a document's faults, by the conventions of the platform's REST API.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum FaultCode {
        InvalidType = "rest_invalid_type",
        NotInEnum = "rest_not_in_enum",
        OutOfBounds = "rest_out_of_bounds",
        TooShort = "rest_too_short",
        TooLong = "rest_too_long",
        InvalidPattern = "rest_invalid_pattern",
        TooFewItems = "rest_too_few_items",
        // Also for a structure that is nested too deeply.
        TooManyItems = "rest_too_many_items",
        DuplicateItems = "rest_duplicate_items",
        PropertyRequired = "rest_property_required",
        AdditionalProperty = "rest_additional_properties_forbidden",
        // Other faults: an unknown name, a cycle, an unsafe attribute.
        InvalidParam = "rest_invalid_param",
    }
}

/// A place in a document, as a chain of borrowed parents. The path's text is built only when a fault is reported.
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

/// A name from a client's document, shortened for a path or a message.
pub(crate) fn shortened(name: &str) -> String {
    match name.char_indices().nth(MAX_NAME_CHARS) {
        Some((end, _)) => format!("{}…", name.get(..end).unwrap_or_default()),
        None => name.to_owned(),
    }
}

/// Collects the faults of one document, at most [`MAX_FAULTS`].
#[derive(Debug, Default)]
pub(crate) struct Faults(RefCell<Vec<Fault>>);

impl Faults {
    pub(crate) fn add(&self, at: &At<'_>, code: FaultCode, message: impl Into<String>) {
        let mut list = self.0.borrow_mut();
        if list.len() < MAX_FAULTS {
            list.push(Fault::new(at.to_string(), code.as_str(), message));
        }
    }

    /// The result, or the faults if there are any.
    pub(crate) fn unless_any<T>(self, result: T) -> Result<T, Vec<Fault>> {
        match self.0.into_inner() {
            list if list.is_empty() => Ok(result),
            list => Err(list),
        }
    }
}
