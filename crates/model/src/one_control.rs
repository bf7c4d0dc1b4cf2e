//! Rules for the HTML of a field with one control: the facts that the HTML can represent, and the behaviour of
//! browsers.

use crate::field_kinds::Control;
use crate::{Field, FieldType, collapse};

/// Whether a field with several values gets a name with brackets, because `multiple` does not work on its control.
pub fn says_list_by_name(field: &Field) -> bool {
    let knows_multiple = field.kind.facts().has_multiple || field.kind.is_box();
    let multiple = field.attributes.get("multiple");
    !knows_multiple && multiple.is_some_and(String::is_empty)
}

/// Whether an option of the select shows the placeholder unchanged.
pub fn says_placeholder(field: &Field) -> bool {
    field.kind.facts().control == Control::Select
        && !field.attributes.contains_key("multiple")
        && collapse(&field.placeholder) == field.placeholder
}

/// The values of the initially selected options, and the `default_value` that consists of exactly these.
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

/// Whether a select with these attributes shows several options at once. Browsers then select none by default.
pub fn shows_list(has_multiple: bool, size: &str) -> bool {
    has_multiple || !matches!(size.trim(), "" | "0" | "1")
}

/// The field type for an input's `type`; `None` for buttons that do not submit. Browsers treat unknown types as
/// text.
pub fn input_kind(written: &str) -> Option<FieldType> {
    let is = |name: &str| written.eq_ignore_ascii_case(name);
    match written {
        "" => Some(FieldType::Text),
        _ if is("button") || is("reset") => None,
        _ if is("image") => Some(FieldType::Submit),
        _ => {
            let mut kinds = FieldType::ALL.into_iter();
            let known = kinds.find(|kind| is(kind.input_type()));
            Some(known.unwrap_or_default())
        }
    }
}
