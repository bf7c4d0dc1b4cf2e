//! Single controls that are unmistakably the parts of a name or an address, and boxes that are a
//! consent.
//!
//! Only controls that already send what the composite field sends are recognised, so a form whose
//! source is markup goes on to be answered as its author wrote it: `home[street]` with
//! `autocomplete="address-line1"` is the street of the address `home`. Nothing is recognised in
//! rendered markup, which says what each field is.

use std::collections::BTreeMap;

use super::fields::Builder;
use super::items::{Item, Items};
use super::names::{is_name, part_of};
use crate::markers;
use crate::warnings::WarningCode;
use model::is_unseen;
use model::logic::answer::is_on;
use model::{Field, FieldOption, FieldType};

/// The least bytes of a label that asks for consent; about five words.
const MIN_CONSENT_BYTES: usize = 30;

/// Whether a box on its own is a consent: it must be ticked, says a sentence, and sends a value
/// that means yes.
pub(super) fn is_consent(items: &Items<'_>, item: &Item, field: &Field) -> bool {
    let text = |name| items.attribute(item, name).map(|found| found.value());
    let is_rendered = text("class").is_some_and(|class| class.starts_with(markers::CONTROL_CLASS));
    says_consent(field) && !is_rendered && text("value").is_none_or(|value| is_on(&value))
}

/// Whether a box says what a consent does: it must be ticked, and has a sentence for a label.
const fn says_consent(field: &Field) -> bool {
    field.required && field.label.len() >= MIN_CONSENT_BYTES
}

/// Makes one field of each name and each address.
pub(super) fn composites(builder: &mut Builder<'_>) {
    if builder.items.layout.is_some() {
        return;
    }
    let mut bases: BTreeMap<String, usize> = BTreeMap::new();
    let mut members: Vec<Vec<usize>> = Vec::new();
    for (index, field) in builder.fields.iter().enumerate() {
        if let Some((base, _)) = field.name.split_once('[') {
            let place = *bases.entry(base.to_owned()).or_insert(members.len());
            match members.get_mut(place) {
                Some(members) => members.push(index),
                None => members.push(vec![index]),
            }
        }
    }
    let has_conditions = |field: &Field| !field.conditions.is_empty();
    if members.is_empty() || builder.fields.iter().any(has_conditions) {
        return;
    }
    let mut in_group: BTreeMap<String, usize> = BTreeMap::new();
    for group in builder
        .fields
        .iter()
        .filter_map(|field| field.group.clone())
    {
        *in_group.entry(group).or_default() += 1;
    }
    let mut is_kept = vec![true; builder.fields.len()];
    for (base, place) in bases {
        let members = members.get(place).cloned().unwrap_or_default();
        let parts: Vec<&Field> = members
            .iter()
            .filter_map(|index| builder.fields.get(*index))
            .collect();
        let is_free = builder.field_named(&base).is_none();
        let Some(mut whole) = whole_of(&base, &parts).filter(|_| is_free) else {
            continue;
        };
        // A fieldset around these alone is the whole.
        let mut fields = builder.fields.iter();
        let around = fields.position(|field| {
            field.kind == FieldType::Fieldset
                && whole.group.as_ref() == Some(&field.name)
                && in_group.get(&field.name) == Some(&members.len())
        });
        if let Some(owner) = around.and_then(|index| builder.fields.get(index)) {
            whole = Field {
                label: owner.label.clone(),
                description: owner.description.clone(),
                conditions: owner.conditions.clone(),
                group: owner.group.clone(),
                ..whole
            };
        }
        let Some(place) = around.or(members.first().copied()) else {
            continue;
        };
        for index in members {
            if let Some(kept) = is_kept.get_mut(index) {
                *kept = index == place;
            }
        }
        if let Some(field) = builder.fields.get_mut(place) {
            *field = whole;
        }
        let offset = builder.made.get(place).map_or(0, |made| made.place.offset);
        let message = format!("The parts of `{base}` are read as one field.");
        let code = WarningCode::FieldRecognized;
        builder.items.warnings.add(code, offset as usize, message);
    }
    builder.keep_only(&is_kept);
}

/// The name or address that the fields are all parts of.
fn whole_of(base: &str, parts: &[&Field]) -> Option<Field> {
    let first = *parts.first()?;
    let kind = [FieldType::Name, FieldType::Address]
        .into_iter()
        .find(|kind| {
            let is_of = |field: &Field, part: &str| is_part(field, base, part);
            let mut known = kind.parts().iter();
            parts
                .iter()
                .all(|field| kind.parts().iter().any(|part| is_of(field, part.name)))
                && known.all(
                    |part| match parts.iter().find(|field| is_of(field, part.name)) {
                        Some(field) => field.required == (first.required && part.needed),
                        None => !part.needed,
                    },
                )
        })?;
    let is_alike = |field: &&Field| field.group == first.group;
    (is_name(base) && parts.iter().all(is_alike)).then(|| Field {
        name: base.to_owned(),
        kind,
        required: first.required,
        group: first.group.clone(),
        options: part_labels(base, kind, parts),
        ..Field::default()
    })
}

/// The labels that differ from what the parts of a name or address are called anyway, by part.
fn part_labels(base: &str, kind: FieldType, parts: &[&Field]) -> Vec<FieldOption> {
    let known = kind.parts().iter();
    known
        .filter_map(|part| {
            let field = parts
                .iter()
                .find(|field| part_of(&field.name, base) == Some(part.name))?;
            let (default, _) = markers::part_texts(part.name);
            (field.label != default && !is_unseen(&field.label)).then(|| FieldOption {
                value: part.name.to_owned(),
                label: field.label.clone(),
                ..FieldOption::default()
            })
        })
        .collect()
}

/// Whether a field is that part and says nothing that the composite field could not.
fn is_part(field: &Field, base: &str, part: &str) -> bool {
    let (_, token) = markers::part_texts(part);
    let says_token = field.attributes.get("autocomplete").is_some_and(|tokens| {
        tokens.split_ascii_whitespace().last().is_some_and(|last| {
            last.eq_ignore_ascii_case(token)
                || (part == "street" && last.eq_ignore_ascii_case("street-address"))
                || (part == "country" && last.eq_ignore_ascii_case("country"))
        })
    });
    says_token
        && part_of(&field.name, base) == Some(part)
        && field.kind == FieldType::Text
        && field.default_value.is_empty()
        && (field.placeholder.is_empty() || field.placeholder == field.label)
        && field.description.is_empty()
        && field.options.is_empty()
        && field.validation == Default::default()
        && field
            .attributes
            .keys()
            .all(|name| matches!(name.as_str(), "id" | "autocomplete"))
}
