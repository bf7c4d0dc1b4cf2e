//! The rules for a field's `attributes`: which HTML attributes they may hold.
//!
//! Every fact about a field is stored in one place. A fact with its own member (name, placeholder, maximum length) is
//! not also stored as an attribute. Thus rendering a schema and reading the HTML again gives the same schema.
//! Attributes that could run script or submit elsewhere are rejected (contract, section 3).

use super::entities::unescape;
use super::field::FieldType;
use super::field_variants::variants_by;
use super::markers::RESERVED;

/// The longest attribute name, in characters.
pub const MAX_ATTRIBUTE_NAME_CHARS: usize = 100;

/// The longest attribute value, in characters.
pub const MAX_ATTRIBUTE_VALUE_CHARS: usize = 10_000;

/// The reserved prefix of the ids that rendering generates.
pub const SERVICE_ID_PREFIX: &str = "cf-";

wire_enum! {
    /// The member of a field that replaces an attribute, by its path within the field.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Member {
        /// `placeholder`.
        Placeholder = "placeholder",
        /// `value`.
        DefaultValue = "default_value",
        /// `class`.
        CssClass = "css_class",
        /// `min` and `minlength`, if the field has such a bound.
        Min = "validation.min",
        /// `max` and `maxlength`, if the field has such a bound.
        Max = "validation.max",
        /// `pattern`. A pattern that the linear-time engine cannot compile stays an attribute, for browsers to
        /// enforce.
        Pattern = "validation.pattern",
    }
}

/// The place where a field stores an HTML attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// The field's `attributes`.
    Attributes,
    /// A member of the field.
    Member(Member),
    /// No place, with the reason why the attribute is rejected.
    Nowhere(&'static str),
}

/// Finds the place where fields of a type store an attribute. `name` is in lower case.
pub fn home_of(kind: FieldType, name: &str) -> Home {
    if !is_attribute_name(name) {
        return Home::Nowhere("This is not the name of an attribute.");
    }
    if name.starts_with("on") {
        return Home::Nowhere("Event handlers are not allowed.");
    }
    if name.starts_with(RESERVED) {
        return Home::Nowhere("Names that begin with `data-cf` are reserved.");
    }
    match name {
        "style" | "srcdoc" | "formaction" => Home::Nowhere("This attribute is not allowed."),
        // Some input types, such as `search`, are variants of `text` and have no field type.
        "type" if variants_by(kind, "type").next().is_some() => Home::Attributes,
        // The value that a ticked box submits.
        "value" if kind.is_box() => Home::Attributes,
        "name" | "type" | "required" => {
            Home::Nowhere("Set the field's member of the same name instead.")
        }
        "checked" | "selected" => Home::Nowhere("Set the field's `default_value` instead."),
        "for" | "form" | "list" | "aria-describedby" | "aria-labelledby" => {
            Home::Nowhere("The service writes this attribute itself.")
        }
        "data-show-if" | "data-hide-if" => Home::Nowhere("Set the field's `conditions` instead."),
        "data-layout" | "data-step" => Home::Nowhere("Set the schema's `layout` instead."),
        "placeholder" => Home::Member(Member::Placeholder),
        "value" => Home::Member(Member::DefaultValue),
        "class" => Home::Member(Member::CssClass),
        "min" if kind.bounds_number() => Home::Member(Member::Min),
        "max" if kind.bounds_number() => Home::Member(Member::Max),
        "minlength" if kind.has_length() => Home::Member(Member::Min),
        "maxlength" if kind.has_length() => Home::Member(Member::Max),
        "pattern" if kind.has_length() => Home::Member(Member::Pattern),
        _ => Home::Attributes,
    }
}

/// Whether HTML keeps an attribute's name unchanged: a letter or `_`, then letters, digits and `_.:-`, in lower case.
fn is_attribute_name(name: &str) -> bool {
    let is_first = |c: char| c.is_ascii_lowercase() || c == '_';
    let is_next = |c: char| is_first(c) || c.is_ascii_digit() || ".:-".contains(c);
    name.len() <= MAX_ATTRIBUTE_NAME_CHARS
        && name.starts_with(is_first)
        && name.chars().all(is_next)
}

/// Whether an attribute's value is an address that runs script when followed, even if white space, control
/// characters or character references disguise it.
pub fn is_script_address(value: &str) -> bool {
    let visible: String = unescape(value)
        .chars()
        .filter(|c| !c.is_whitespace() && !c.is_control() && !is_invisible(*c))
        .take(64)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    let schemes = ["javascript:", "vbscript:", "data:text/html"];
    schemes.iter().any(|scheme| visible.starts_with(scheme))
}

const fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}'
    )
}
