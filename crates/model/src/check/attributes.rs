//! Reads a field's `attributes` and its unknown members, which count as attributes.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::attributes::{
    Home, MAX_ATTRIBUTE_VALUE_CHARS, Member, SERVICE_ID_PREFIX, home_of, is_script_address,
};
use super::super::collapse;
use super::super::fault::{At, FaultCode, Faults};
use super::super::field::Field;
use super::super::given::Given;
use super::validation;
use crate::FieldType;
use crate::field_variants::variants_by;
use crate::logic::number::number_of;
use crate::logic::pattern::Pattern;

/// The maximum number of attributes of one field.
const MAX_ATTRIBUTES: usize = 100;

/// Fills the field's attributes from `attributes` and from unknown members, which must be strings. An attribute that
/// corresponds to a member of fields fills that member; a member with another value is a fault.
pub(super) fn read_attributes(given: &Given<'_>, unknown: &[(&str, Given<'_>)], field: &mut Field) {
    let attributes = given.member("attributes");
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for (name, attribute) in attributes.iter().flat_map(Given::members) {
        let Some(text) = attribute_text(&attribute) else {
            continue;
        };
        if found.insert(name.to_ascii_lowercase(), text).is_some() {
            let message = "The name is repeated in another case.";
            attribute.fault(FaultCode::DuplicateItems, message);
        }
    }
    for (name, member) in unknown {
        if !member.value.is_string() {
            let message = "A field has no such member; as an HTML attribute it would be a string.";
            member.fault(FaultCode::AdditionalProperty, message);
        } else if let Some(text) = attribute_text(member) {
            found.insert(name.to_ascii_lowercase(), text);
        }
    }
    if found.len() > MAX_ATTRIBUTES {
        let message = format!("This may have at most {MAX_ATTRIBUTES} attributes.");
        given.fault_of("attributes", FaultCode::TooManyItems, message);
        return;
    }
    let at = given.at.member("attributes");
    for (name, value) in found {
        settle(name, value, field, &at, given.faults);
    }
    let at = given.at.member("validation");
    validation::check_order(&field.validation, &at, given.faults);
}

/// The text of an attribute: a string, the digits of a number, or an empty text for true. False means no
/// attribute.
fn attribute_text(given: &Given<'_>) -> Option<String> {
    match given.value {
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(is_set) => is_set.then(String::new),
        _ => given.text(MAX_ATTRIBUTE_VALUE_CHARS),
    }
}

/// Stores one attribute in the field's attributes or in the corresponding member.
fn settle(name: String, value: String, field: &mut Field, attributes: &At<'_>, faults: &Faults) {
    let at = attributes.member(&name);
    if is_script_address(&value) {
        let message = "Addresses that run script are not allowed.";
        return faults.add(&at, FaultCode::InvalidParam, message);
    }
    if name == "id" && value.starts_with(SERVICE_ID_PREFIX) {
        let message = "Ids that begin with `cf-` are reserved.";
        return faults.add(&at, FaultCode::InvalidParam, message);
    }
    let mut variants = variants_by(FieldType::Text, "type");
    if name == "type" && !variants.any(|variant| variant.mark.1 == value) {
        let message = "Set the field's type instead; a text may be `search`, `month` or `week`.";
        return faults.add(&at, FaultCode::NotInEnum, message);
    }
    match home_of(field.kind, &name) {
        Home::Nowhere(reason) => faults.add(&at, FaultCode::InvalidParam, reason),
        Home::Member(member) if member != Member::Pattern || Pattern::of(&value).is_ok() => {
            fill(member, value, field, &at, faults);
        }
        Home::Attributes | Home::Member(_) => {
            field.attributes.insert(name, value);
        }
    }
}

/// Fills an empty member; a member with another value is a fault.
fn fill(member: Member, value: String, field: &mut Field, at: &At<'_>, faults: &Faults) {
    fn text(member: &mut String, value: String) -> bool {
        if member.is_empty() {
            member.clone_from(&value);
        }
        *member == value
    }
    let validation = &mut field.validation;
    let agrees = match member {
        Member::Placeholder => text(&mut field.placeholder, value),
        Member::DefaultValue => text(&mut field.default_value, value),
        Member::CssClass => text(&mut field.css_class, collapse(&value)),
        Member::Min | Member::Max => {
            let Some(number) = number_of(&value) else {
                return faults.add(at, FaultCode::InvalidType, "This must be a number.");
            };
            let bound = match member {
                Member::Min => &mut validation.min,
                _ => &mut validation.max,
            };
            *bound.get_or_insert_with(|| number.clone()) == number
        }
        Member::Pattern if value.is_empty() => true,
        Member::Pattern => *validation.pattern.get_or_insert_with(|| value.clone()) == value,
    };
    if !agrees {
        let message = format!("`{}` has another value.", member.as_str());
        faults.add(at, FaultCode::InvalidParam, message);
    }
}
