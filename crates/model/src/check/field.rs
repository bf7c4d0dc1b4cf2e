//! Reads one field.

use std::collections::BTreeSet;

use super::super::collapse;
use super::super::fault::FaultCode;
use super::super::field::{
    Field, FieldOption, FieldType, MAX_NAME_CHARS, MAX_TEXT_CHARS, is_reserved_name,
};
use super::super::given::Given;
use super::super::web_addresses::is_picture;
use super::{attributes, conditions, validation};

/// Whether a field from HTML can keep this name: rendering it and reading the HTML again must give the same name.
pub fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.chars().count() <= MAX_NAME_CHARS
        && !name.ends_with("[]")
        && collapse(name) == name
        && !name.contains('\u{fffd}')
        && !is_reserved_name(name)
}

/// The maximum number of options of one field.
pub const MAX_OPTIONS: usize = 5_000;

/// The longest value or label of an option, in characters.
const MAX_OPTION_CHARS: usize = 1_000;

/// Reads a field; returns `None` for a value that is not an object or has an unknown `type`.
pub(super) fn read_field(given: &Given<'_>) -> Option<Field> {
    given.object()?;
    let name = read_name(given);
    let types = FieldType::ALL.map(FieldType::as_str);
    // The default type is `text` (specification, "Field").
    let kind = match given.member("type") {
        Some(kind) => kind.word(FieldType::parse, &types),
        None => Some(FieldType::default()),
    };
    let mut field = Field {
        name: name.unwrap_or_default(),
        kind: kind.unwrap_or_default(),
        ..Field::default()
    };
    let mut unknown = Vec::new();
    for (member, value) in given.members() {
        let text = || value.text(MAX_TEXT_CHARS).unwrap_or_default();
        match member {
            "label" => field.label = text(),
            "placeholder" => field.placeholder = text(),
            "default_value" => field.default_value = text(),
            "css_class" => field.css_class = value.line(MAX_TEXT_CHARS).unwrap_or_default(),
            "description" => field.description = text(),
            "required" => field.required = value.boolean().unwrap_or_default(),
            "options" => field.options = read_options(&value),
            "validation" => field.validation = validation::read_validation(&value),
            "conditions" => field.conditions = conditions::read_conditions(&value),
            "position" => {
                let position = value.count(u64::from(u32::MAX)).map(u32::try_from);
                field.position = position.and_then(Result::ok).unwrap_or(0);
            }
            "group" => {
                let group = value.line(MAX_NAME_CHARS);
                field.group = group.filter(|group| !group.is_empty());
            }
            // The attributes may fill members, so they are read last.
            "name" | "type" | "attributes" => {}
            _ => unknown.push((member, value)),
        }
    }
    attributes::read_attributes(given, &unknown, &mut field);
    kind.is_some().then_some(field)
}

fn read_name(given: &Given<'_>) -> Option<String> {
    let member = given.needed("name", "Enter a field name.")?;
    let name = member.text(MAX_NAME_CHARS)?;
    let message = if name.is_empty() {
        member.fault(FaultCode::TooShort, "A name may not be empty.");
        return None;
    } else if name != collapse(&name) {
        "A name may have single spaces between its words, and no other white space."
    } else if is_reserved_name(&name) {
        "This name is reserved. Choose another one."
    } else if name.ends_with("[]") {
        "Leave out the brackets at the end; fields with several values send them themselves."
    } else {
        return Some(name);
    };
    member.fault(FaultCode::InvalidPattern, message);
    None
}

fn read_options(given: &Given<'_>) -> Vec<FieldOption> {
    let mut values = BTreeSet::new();
    let mut options = Vec::new();
    for item in given.items(MAX_OPTIONS) {
        let Some(option) = read_option(&item) else {
            continue;
        };
        if !values.insert(option.value.clone()) {
            let message = "Two options have the same value.";
            item.fault(FaultCode::DuplicateItems, message);
        }
        options.push(option);
    }
    options
}

/// Reads `{value, label, image}`; the label defaults to the value. A plain string is both value and label.
fn read_option(given: &Given<'_>) -> Option<FieldOption> {
    if given.value.is_string() {
        return Some(FieldOption {
            value: option_value(given)?,
            label: given.text(MAX_OPTION_CHARS)?,
            image: String::new(),
        });
    }
    given.object()?;
    let member = given.needed("value", "An option needs a value.")?;
    let value = option_value(&member);
    let label = given
        .member("label")
        .unwrap_or(member)
        .text(MAX_OPTION_CHARS);
    let image = given.member("image").map(|picture| {
        let address = picture.text(MAX_OPTION_CHARS).unwrap_or_default();
        if !address.is_empty() && !is_picture(&address) {
            let message = "Enter an https URL or a path on this site.";
            picture.fault(FaultCode::InvalidPattern, message);
        }
        address
    });
    given.reject_unknown(&["value", "label", "image"]);
    Some(FieldOption {
        value: value?,
        label: label?,
        image: image.unwrap_or_default(),
    })
}

/// The value of an option: one line, since line feeds separate the default values of a field.
fn option_value(given: &Given<'_>) -> Option<String> {
    let text = given.text(MAX_OPTION_CHARS)?;
    let line = Some(text).filter(|text| !text.contains('\n'));
    let message = "This may not contain a line break.";
    given.found(line, FaultCode::InvalidPattern, message)
}
