//! Reading the `attributes` of a field, and its members that are none of the specification's.

use std::collections::BTreeMap;

use serde_json::{Map, Number, Value};

use super::super::attributes::{
    Home, MAX_ATTRIBUTE_VALUE_CHARS, Member, SERVICE_ID_PREFIX, home_of, is_script_address,
};
use super::super::fault::{At, FaultCode, Faults};
use super::super::field::Field;
use super::super::read::collapsed;
use super::validation;
use crate::logic::number::number_of;
use crate::logic::pattern::Pattern;

/// The most attributes of one field.
const MAX_ATTRIBUTES: usize = 100;

/// The members of the specification's table.
const FIELD_MEMBERS: [&str; 14] = [
    "name",
    "type",
    "label",
    "placeholder",
    "default_value",
    "required",
    "css_class",
    "description",
    "options",
    "validation",
    "conditions",
    "attributes",
    "position",
    "group",
];

/// Fills the field's attributes from its `attributes` and from its unknown members, which must be
/// strings. What a member of the field speaks for goes there, unless that member says otherwise.
pub(super) fn read_attributes(
    members: &Map<String, Value>,
    field: &mut Field,
    at: &At<'_>,
    faults: &mut Faults,
) {
    let attributes_at = at.member("attributes");
    let attributes = members.get("attributes").filter(|value| !value.is_null());
    let attributes = attributes.and_then(|value| faults.object(value, &attributes_at));
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for (name, value) in attributes.into_iter().flatten() {
        let at = attributes_at.member(name);
        let Some(text) = attribute_text(value, &at, faults) else {
            continue;
        };
        if found.insert(name.to_ascii_lowercase(), text).is_some() {
            faults.add(
                &at,
                FaultCode::DuplicateItems,
                "The same name is there in other letters.",
            );
        }
    }
    for (name, value) in members {
        if FIELD_MEMBERS.contains(&name.as_str()) || value.is_null() {
            continue;
        }
        let at = at.member(name);
        if value.is_string() {
            if let Some(text) = attribute_text(value, &at, faults) {
                found.insert(name.to_ascii_lowercase(), text);
            }
        } else {
            faults.add(
                &at,
                FaultCode::AdditionalProperty,
                "A field has no such member; as an HTML attribute it would be a string.",
            );
        }
    }
    if found.len() > MAX_ATTRIBUTES {
        faults.add(
            &attributes_at,
            FaultCode::TooManyItems,
            format!("This may have at most {MAX_ATTRIBUTES} attributes."),
        );
        return;
    }
    for (name, value) in found {
        settle(name, value, field, &attributes_at, faults);
    }
    validation::check_order(&field.validation, &at.member("validation"), faults);
}

/// The text of an attribute: a string, the digits of a number, or nothing for true. False is an
/// attribute that is not there.
fn attribute_text(value: &Value, at: &At<'_>, faults: &mut Faults) -> Option<String> {
    match value {
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(true) => Some(String::new()),
        Value::Bool(false) | Value::Null => None,
        _ => faults.text(value, at, MAX_ATTRIBUTE_VALUE_CHARS),
    }
}

/// Puts one attribute where it belongs.
fn settle(
    name: String,
    value: String,
    field: &mut Field,
    attributes_at: &At<'_>,
    faults: &mut Faults,
) {
    let at = attributes_at.member(&name);
    if is_script_address(&value) {
        faults.add(
            &at,
            FaultCode::InvalidParam,
            "Addresses that run script are not allowed.",
        );
        return;
    }
    if name == "id" && value.starts_with(SERVICE_ID_PREFIX) {
        let message = "Ids that begin with `cf-` are kept for the service.";
        faults.add(&at, FaultCode::InvalidParam, message);
        return;
    }
    if name == "type" && !matches!(value.as_str(), "search" | "month" | "week") {
        let message = "The field's type says this; a text may be `search`, `month` or `week`.";
        faults.add(&at, FaultCode::NotInEnum, message);
        return;
    }
    match home_of(field.kind, &name) {
        Home::Nowhere(reason) => faults.add(&at, FaultCode::InvalidParam, reason),
        Home::Attributes => {
            field.attributes.insert(name, value);
        }
        Home::Member(Member::Pattern) if Pattern::of(&value).is_err() => {
            field.attributes.insert(name, value);
        }
        Home::Member(member) => {
            if fill(member, value, field, &at, faults) == Some(false) {
                faults.add(
                    &at,
                    FaultCode::InvalidParam,
                    format!("`{}` says otherwise.", member.path()),
                );
            }
        }
    }
}

/// Fills a member that is still empty. Whether the member then says what the attribute says; None
/// when the attribute says nothing sensible.
fn fill(
    member: Member,
    value: String,
    field: &mut Field,
    at: &At<'_>,
    faults: &mut Faults,
) -> Option<bool> {
    fn text(member: &mut String, value: String) -> bool {
        if member.is_empty() {
            *member = value;
            return true;
        }
        *member == value
    }
    let mut bound = |member: &mut Option<Number>, value: &str| {
        let number = number_of(value).map_or(Value::Null, Value::Number);
        let number = validation::read_bound(&number, at, faults)?;
        Some(*member.get_or_insert(number.clone()) == number)
    };
    match member {
        Member::Placeholder => Some(text(&mut field.placeholder, value)),
        Member::DefaultValue => Some(text(&mut field.default_value, value)),
        Member::CssClass => Some(text(&mut field.css_class, collapsed(&value))),
        Member::Min => bound(&mut field.validation.min, &value),
        Member::Max => bound(&mut field.validation.max, &value),
        Member::Pattern if value.is_empty() => Some(true),
        Member::Pattern => Some(
            *field
                .validation
                .pattern
                .get_or_insert_with(|| value.clone())
                == value,
        ),
    }
}
