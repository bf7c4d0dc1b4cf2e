//! Reading one field.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::super::fault::{At, FaultCode, Faults};
use super::super::field::{Field, FieldOption, FieldType, is_reserved_name};
use super::super::front_settings::is_picture;
use super::super::read::collapsed;
use super::{attributes, conditions, validation};

/// The longest name of a field, in characters.
pub const MAX_NAME_CHARS: usize = 100;

/// The longest label, description, default value or other text of a field, in characters.
pub const MAX_TEXT_CHARS: usize = 10_000;

/// The most options of one field.
pub const MAX_OPTIONS: usize = 5_000;

/// The longest value or label of an option, in characters.
const MAX_OPTION_CHARS: usize = 1_000;

/// Reads a field. Members that are null are as good as absent, as everywhere on the platform.
/// None when it is no object, or has no name or type to speak of.
pub(super) fn read_field(value: &Value, at: &At<'_>, faults: &mut Faults) -> Option<Field> {
    let members = faults.object(value, at)?;
    let name = read_name(members, at, faults);
    let kind = read_type(members, at, faults);
    let mut field = Field {
        name: name.unwrap_or_default(),
        kind: kind.unwrap_or_default(),
        ..Field::default()
    };
    for (member, value) in members.iter().filter(|(_, value)| !value.is_null()) {
        let at = at.member(member);
        match member.as_str() {
            "label" => field.label = text(value, &at, faults),
            "placeholder" => field.placeholder = text(value, &at, faults),
            "default_value" => field.default_value = text(value, &at, faults),
            "css_class" => {
                let classes = faults.line(value, &at, MAX_TEXT_CHARS);
                field.css_class = classes.unwrap_or_default();
            }
            "description" => field.description = text(value, &at, faults),
            "required" => field.required = faults.boolean(value, &at).unwrap_or_default(),
            "options" => field.options = read_options(value, &at, faults),
            "validation" => {
                field.validation = validation::read_validation(value, &at, faults);
            }
            "conditions" => field.conditions = conditions::read_conditions(value, &at, faults),
            "position" => {
                let position = faults.count(value, &at, u64::from(u32::MAX));
                field.position = position.and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
            }
            "group" => {
                let group = faults.line(value, &at, MAX_NAME_CHARS);
                field.group = group.filter(|group| !group.is_empty());
            }
            // The attributes may fill members that come later.
            _ => {}
        }
    }
    attributes::read_attributes(members, &mut field, at, faults);
    kind.is_some().then_some(field)
}

fn read_name(members: &Map<String, Value>, at: &At<'_>, faults: &mut Faults) -> Option<String> {
    let at = at.member("name");
    let Some(value) = members.get("name").filter(|value| !value.is_null()) else {
        faults.add(&at, FaultCode::PropertyRequired, "A field needs a name.");
        return None;
    };
    let name = faults.text(value, &at, MAX_NAME_CHARS)?;
    if name.is_empty() {
        faults.add(&at, FaultCode::TooShort, "A name may not be empty.");
    } else if name != collapsed(&name) {
        faults.add(
            &at,
            FaultCode::InvalidPattern,
            "A name may have single spaces between its words, and no other white space.",
        );
    } else if is_reserved_name(&name) {
        faults.add(&at, FaultCode::InvalidPattern, "That name is reserved.");
    } else if name.ends_with("[]") {
        faults.add(
            &at,
            FaultCode::InvalidPattern,
            "Leave out the brackets at the end; fields with several values send them themselves.",
        );
    } else {
        return Some(name);
    }
    None
}

/// The type; `text` when it is not said (specification, "Field").
fn read_type(members: &Map<String, Value>, at: &At<'_>, faults: &mut Faults) -> Option<FieldType> {
    let at = at.member("type");
    let Some(value) = members.get("type").filter(|value| !value.is_null()) else {
        return Some(FieldType::default());
    };
    let Some(name) = value.as_str() else {
        faults.add(&at, FaultCode::InvalidType, "This must be a string.");
        return None;
    };
    let kind = FieldType::parse(name);
    if kind.is_none() {
        faults.add(
            &at,
            FaultCode::NotInEnum,
            format!(
                "This must be one of {}.",
                FieldType::ALL.map(FieldType::as_str).join(", ")
            ),
        );
    }
    kind
}

fn read_options(value: &Value, at: &At<'_>, faults: &mut Faults) -> Vec<FieldOption> {
    let list = faults.list(value, at, MAX_OPTIONS).unwrap_or_default();
    let mut options = Vec::with_capacity(list.len());
    let mut values = BTreeSet::new();
    for (index, value) in list.iter().enumerate() {
        let at = at.item(index);
        let Some(option) = read_option(value, &at, faults) else {
            continue;
        };
        if !values.insert(option.value.clone()) {
            faults.add(
                &at,
                FaultCode::DuplicateItems,
                "Another option has the same value.",
            );
        }
        options.push(option);
    }
    options
}

/// Reads `{value, label}`; the label is the value when absent. A plain string is both.
fn read_option(value: &Value, at: &At<'_>, faults: &mut Faults) -> Option<FieldOption> {
    if value.is_string() {
        return Some(FieldOption {
            value: option_value(value, at, faults)?,
            label: faults.text(value, at, MAX_OPTION_CHARS)?,
            image: String::new(),
        });
    }
    let members = faults.object(value, at)?;
    let value_at = at.member("value");
    let Some(value) = members.get("value").filter(|value| !value.is_null()) else {
        faults.add(
            &value_at,
            FaultCode::PropertyRequired,
            "An option needs a value.",
        );
        return None;
    };
    let own_value = option_value(value, &value_at, faults);
    let label = members.get("label").filter(|value| !value.is_null());
    let label = label.unwrap_or(value);
    let label = faults.text(label, &at.member("label"), MAX_OPTION_CHARS);
    let mut image = String::new();
    for (member, value) in members {
        let at = at.member(member);
        if member == "image" {
            image = read_image(value, &at, faults);
        } else if member != "value" && member != "label" {
            faults.add(
                &at,
                FaultCode::AdditionalProperty,
                "An option has a value, a label and an image.",
            );
        }
    }
    Some(FieldOption {
        value: own_value?,
        label: label?,
        image,
    })
}

fn read_image(value: &Value, at: &At<'_>, faults: &mut Faults) -> String {
    if value.is_null() {
        return String::new();
    }
    let address = faults.text(value, at, MAX_OPTION_CHARS).unwrap_or_default();
    if !address.is_empty() && !is_picture(&address) {
        let message = "A picture is an https address or a path of the site.";
        faults.add(at, FaultCode::InvalidPattern, message);
    }
    address
}

/// The value of an option: one line, since the default values of a field are separated by line
/// feeds.
fn option_value(value: &Value, at: &At<'_>, faults: &mut Faults) -> Option<String> {
    let text = faults.text(value, at, MAX_OPTION_CHARS)?;
    if text.contains('\n') {
        faults.add(
            at,
            FaultCode::InvalidPattern,
            "This may not contain a line break.",
        );
        return None;
    }
    Some(text)
}

fn text(value: &Value, at: &At<'_>, faults: &mut Faults) -> String {
    faults.text(value, at, MAX_TEXT_CHARS).unwrap_or_default()
}
