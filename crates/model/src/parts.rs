//! Recognises the parts of one name or one address: `home[street]` with `autocomplete="address-line1"` is the
//! street of the address `home`.

use crate::messages::part_label;
use crate::{Field, FieldOption, FieldType, Part, is_unseen, markers};

/// Returns the part in a name after its base: `city` for the name `home[city]` and the base `home`.
pub fn part_of<'n>(name: &'n str, base: &str) -> Option<&'n str> {
    let part = name.strip_prefix(base)?.strip_prefix('[')?;
    part.strip_suffix(']')
}

/// Returns the composite field, a name or an address, whose parts the fields are; `None` if they are not the parts of
/// one field.
pub fn whole_of(parts: &[&Field]) -> Option<Field> {
    let first = *parts.first()?;
    let (base, _) = first.name.split_once('[')?;
    let is_whole = |kind: &FieldType| {
        let known = kind.parts();
        let is_of = |field: &&Field| known.iter().any(|part| is_part(field, base, part.name));
        let fits = |part: &Part| match part_in(parts, base, part.name) {
            // Many forms require a postal code like the other parts. A composite field never requires it, as some
            // countries have none.
            Some(field) if part.name == "postal_code" => first.required || !field.required,
            Some(field) => field.required == (first.required && part.needed),
            None => !part.needed,
        };
        parts.iter().all(is_of) && known.iter().all(fits)
    };
    let mut composites = FieldType::ALL
        .into_iter()
        .filter(|kind| !kind.parts().is_empty());
    let kind = composites.find(is_whole)?;
    let is_alike = |field: &&Field| field.group == first.group;
    parts.iter().all(is_alike).then(|| Field {
        name: base.to_owned(),
        kind,
        required: first.required,
        group: first.group.clone(),
        options: part_labels(base, kind, parts),
        ..Field::default()
    })
}

fn part_in<'f>(parts: &[&'f Field], base: &str, part: &str) -> Option<&'f Field> {
    let mut parts = parts.iter().copied();
    parts.find(|field| part_of(&field.name, base) == Some(part))
}

/// The labels of parts that differ from the parts' default labels.
fn part_labels(base: &str, kind: FieldType, parts: &[&Field]) -> Vec<FieldOption> {
    let labels = kind.parts().iter().filter_map(|part| {
        let label = &part_in(parts, base, part.name)?.label;
        (label != part_label(part.name) && !is_unseen(label)).then(|| FieldOption {
            value: part.name.to_owned(),
            label: label.clone(),
            ..FieldOption::default()
        })
    });
    labels.collect()
}

/// Whether a field is the part, and has no property, except classes, that the composite field cannot represent.
fn is_part(field: &Field, base: &str, part: &str) -> bool {
    let token = markers::part_token(part);
    let says_token = field.attributes.get("autocomplete").is_some_and(|tokens| {
        let last = tokens.split_ascii_whitespace().last().unwrap_or_default();
        let is = |token: &str| last.eq_ignore_ascii_case(token);
        is(token) || (part == "street" && is("street-address")) || (part == "country" && is(part))
    });
    let is_of_part = |name: &String| matches!(name.as_str(), "id" | "autocomplete");
    says_token
        && part_of(&field.name, base) == Some(part)
        && field.kind == FieldType::Text
        && (field.placeholder.is_empty() || field.placeholder == field.label)
        && field.default_value.is_empty()
        && field.description.is_empty()
        && field.options.is_empty()
        && field.validation == Default::default()
        && field.attributes.keys().all(is_of_part)
}
