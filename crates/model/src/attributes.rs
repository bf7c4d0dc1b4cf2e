//! Which HTML attributes a field's `attributes` may hold.
//!
//! A fact about a field is written in one place. What a member of the field says (its name, its
//! placeholder, its greatest length) is not kept as an attribute too, so that a schema survives
//! being rendered and read again. What could run script, or submit elsewhere, is refused
//! (contract, section 3).

use super::entities::unescape;
use super::field::FieldType;
use super::markers::RESERVED;

/// The longest attribute name, in characters.
pub const MAX_ATTRIBUTE_NAME_CHARS: usize = 100;

/// The longest attribute value, in characters.
pub const MAX_ATTRIBUTE_VALUE_CHARS: usize = 10_000;

/// The beginning of the ids that rendering makes, which an author may not take.
pub const SERVICE_ID_PREFIX: &str = "cf-";

wire_enum! {
    /// The member of a field that says what an attribute would say, by its path within the field.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Member {
        /// `placeholder`.
        Placeholder = "placeholder",
        /// `value`.
        DefaultValue = "default_value",
        /// `class`.
        CssClass = "css_class",
        /// `min` and `minlength`, where the field has such a bound.
        Min = "validation.min",
        /// `max` and `maxlength`, where the field has such a bound.
        Max = "validation.max",
        /// `pattern`. One that the linear-time engine cannot compile stays an attribute, for
        /// browsers to enforce.
        Pattern = "validation.pattern",
    }
}

/// Where a field keeps the fact that an attribute states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// The field's `attributes`.
    Attributes,
    /// A member of the field.
    Member(Member),
    /// Nowhere; with the reason.
    Nowhere(&'static str),
}

/// Where the attribute of that name (in lower case) belongs for a field of that type.
pub fn home_of(kind: FieldType, name: &str) -> Home {
    if !is_attribute_name(name) {
        return Home::Nowhere("This is not the name of an attribute.");
    }
    if name.starts_with("on") {
        return Home::Nowhere("Event handlers are not allowed.");
    }
    if name.starts_with(RESERVED) {
        return Home::Nowhere("Names that begin with `data-cf` are kept for the service.");
    }
    match name {
        "style" | "srcdoc" | "formaction" => Home::Nowhere("This attribute is not allowed."),
        // What browsers make of a text beyond the types of the specification.
        "type" if matches!(kind, FieldType::Text) => Home::Attributes,
        // What a ticked box sends.
        "value" if matches!(kind, FieldType::Checkbox | FieldType::Consent) => Home::Attributes,
        "name" | "type" | "required" => {
            Home::Nowhere("The field's member of the same name says this.")
        }
        "checked" | "selected" => Home::Nowhere("The field's `default_value` says this."),
        "for" | "form" | "list" | "aria-describedby" | "aria-labelledby" => {
            Home::Nowhere("The service writes this attribute itself.")
        }
        "data-show-if" | "data-hide-if" => Home::Nowhere("The field's `conditions` say this."),
        "data-layout" | "data-step" => Home::Nowhere("The schema's `layout` says this."),
        "placeholder" => Home::Member(Member::Placeholder),
        "value" => Home::Member(Member::DefaultValue),
        "class" => Home::Member(Member::CssClass),
        "min" if bounds_a_number(kind) => Home::Member(Member::Min),
        "max" if bounds_a_number(kind) => Home::Member(Member::Max),
        "minlength" if kind.has_length() => Home::Member(Member::Min),
        "maxlength" if kind.has_length() => Home::Member(Member::Max),
        "pattern" if kind.has_length() => Home::Member(Member::Pattern),
        _ => Home::Attributes,
    }
}

const fn bounds_a_number(kind: FieldType) -> bool {
    use FieldType::{Number, Range, Rating};
    matches!(kind, Number | Range | Rating)
}

/// Whether HTML can carry the name as it is: a letter or `_`, then letters, digits and `_.:-`,
/// in lower case.
fn is_attribute_name(name: &str) -> bool {
    let is_first = |c: char| c.is_ascii_lowercase() || c == '_';
    let is_next = |c: char| is_first(c) || c.is_ascii_digit() || ".:-".contains(c);
    name.len() <= MAX_ATTRIBUTE_NAME_CHARS
        && name.starts_with(is_first)
        && name.chars().all(is_next)
}

/// Whether an attribute's value is an address that runs script when followed, also when it hides
/// behind white space, control characters or character references.
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
