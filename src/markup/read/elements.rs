//! What attributes say about an element's part in a form.

use crate::forms::FieldType;
use crate::markup::html::tokens::{Attribute, StartTag};
use crate::markup::markers;

/// The attributes that any element may carry, found in one pass over them.
#[derive(Default)]
pub(super) struct Notable<'a> {
    pub(super) id: Option<Attribute<'a>>,
    pub(super) class: Option<Attribute<'a>>,
    pub(super) kind: Option<Attribute<'a>>,
    pub(super) step: Option<Attribute<'a>>,
    pub(super) layout: Option<Attribute<'a>>,
    pub(super) exact_layout: Option<&'a str>,
    pub(super) settings: Option<&'a str>,
    role: Option<Attribute<'a>>,
    pub(super) has_conditions: bool,
    pub(super) is_hidden: bool,
}

impl<'a> Notable<'a> {
    pub(super) fn of(tag: &StartTag<'a, '_>) -> Notable<'a> {
        let mut notable = Notable::default();
        for attribute in tag.attributes {
            notable.take(*attribute);
        }
        notable
    }

    fn take(&mut self, attribute: Attribute<'a>) {
        let name = attribute.name;
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        match name.len() {
            2 if is("id") => {
                self.id.get_or_insert(attribute);
            }
            4 if is("role") => {
                self.role.get_or_insert(attribute);
            }
            5 if is("class") => {
                self.class.get_or_insert(attribute);
            }
            6 if is("hidden") => self.is_hidden = true,
            11 if is("aria-hidden") => {
                self.is_hidden |= attribute.raw_value.eq_ignore_ascii_case("true");
            }
            9 if is("data-step") => {
                self.step.get_or_insert(attribute);
            }
            11 if is("data-layout") => {
                self.layout.get_or_insert(attribute);
            }
            12 if is("data-show-if") || is("data-hide-if") => self.has_conditions = true,
            12 if is("data-cf-type") => {
                self.kind.get_or_insert(attribute);
            }
            14 if is("data-cf-layout") => {
                self.exact_layout.get_or_insert(attribute.raw_value);
            }
            16 if is("data-cf-settings") => {
                self.settings.get_or_insert(attribute.raw_value);
            }
            18 if is("data-cf-conditions") => self.has_conditions = true,
            _ => {}
        }
    }

    pub(super) fn is_role_group(&self) -> bool {
        self.role.is_some_and(|role| {
            role.raw_value.eq_ignore_ascii_case("group")
                || role.raw_value.eq_ignore_ascii_case("radiogroup")
        })
    }

    /// Whether it is a section that rendering made.
    pub(super) fn is_rendered_step(&self) -> bool {
        self.class
            .is_some_and(|class| class.raw_value == markers::STEP_CLASS)
    }
}

/// The type of field of an input's `type`; none for buttons that do not submit. Browsers take
/// unknown types as text.
pub(super) fn input_kind(written: &str) -> Option<FieldType> {
    const KINDS: [(&str, FieldType); 17] = [
        ("text", FieldType::Text),
        ("hidden", FieldType::Hidden),
        ("email", FieldType::Email),
        ("radio", FieldType::Radio),
        ("checkbox", FieldType::Checkbox),
        ("tel", FieldType::Tel),
        ("number", FieldType::Number),
        ("submit", FieldType::Submit),
        ("image", FieldType::Submit),
        ("url", FieldType::Url),
        ("date", FieldType::Date),
        ("time", FieldType::Time),
        ("datetime-local", FieldType::DatetimeLocal),
        ("password", FieldType::Password),
        ("color", FieldType::Color),
        ("range", FieldType::Range),
        ("file", FieldType::File),
    ];
    if written.eq_ignore_ascii_case("button") || written.eq_ignore_ascii_case("reset") {
        return None;
    }
    let kind = KINDS
        .iter()
        .find(|(name, _)| written.eq_ignore_ascii_case(name));
    Some(kind.map_or(FieldType::Text, |(_, kind)| *kind))
}

/// Whether a class says that an element helps with the control beside it.
pub(super) fn help_class(class: &str) -> bool {
    const NAMES: [&str; 20] = [
        "help",
        "helper",
        "help-text",
        "help_text",
        "helptext",
        "help-block",
        "helper-text",
        "form-text",
        "form-help",
        "form-hint",
        "field-help",
        "field-hint",
        "field-description",
        "field__help",
        "field__hint",
        "input-help",
        "description",
        "govuk-hint",
        "hint",
        "mdc-text-field-helper-text",
    ];
    class
        .split_ascii_whitespace()
        .any(|name| NAMES.iter().any(|known| name.eq_ignore_ascii_case(known)))
}
