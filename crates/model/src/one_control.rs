//! What the HTML of a field of one control can say by itself.

use crate::{Field, FieldType, collapse};

/// Whether the name of a field with several values ends in brackets instead of the control
/// having the attribute `multiple`, which it does not know.
pub fn says_list_by_name(field: &Field) -> bool {
    use FieldType::{Checkbox, Consent, Email, File, Select};
    let knows_multiple = matches!(field.kind, Email | File | Select | Checkbox | Consent);
    let multiple = field.attributes.get("multiple");
    !knows_multiple && multiple.is_some_and(String::is_empty)
}

/// Whether an option of the select shows the placeholder just as it is.
pub fn says_placeholder(field: &Field) -> bool {
    field.kind == FieldType::Select
        && !field.attributes.contains_key("multiple")
        && collapse(&field.placeholder) == field.placeholder
}

/// The values of the options chosen at first, and what they make as `default_value`.
pub fn selected(field: &Field) -> (Vec<&str>, String) {
    let default = field.default_value.as_str();
    let wanted: Vec<&str> = if field.attributes.contains_key("multiple") {
        default.split('\n').collect()
    } else {
        vec![default]
    };
    let chosen: Vec<&str> = field
        .options
        .iter()
        .map(|option| option.value.as_str())
        .filter(|value| !default.is_empty() && wanted.contains(value))
        .collect();
    let chosen_value = chosen.join("\n");
    (chosen, chosen_value)
}
