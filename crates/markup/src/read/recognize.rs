//! Single controls that are unmistakably the parts of a name or an address, and boxes that are a consent:
//! only what already sends what the composite field sends, so that a form whose source is markup goes on to
//! be answered as its author wrote it. `home[street]` with `autocomplete="address-line1"` is the street of
//! the address `home`.

use super::fields::Builder;
use super::items::{Item, Items};
use super::names::{is_name, part_of};
use crate::markers;
use crate::warnings::WarningCode;
use model::is_unseen;
use model::logic::answer::is_on;
use model::{Field, FieldOption, FieldType, Part, ordered};

/// The least bytes of a label that asks for consent; about five words.
const MIN_CONSENT_BYTES: usize = 30;

/// Whether a box on its own is a consent: it must be ticked, has a sentence or a link for a label, and sends a
/// value that means yes.
pub(super) fn is_consent(items: &Items<'_>, item: &Item, field: &Field, is_linked: bool) -> bool {
    let class = items.value(item, "class").unwrap_or_default();
    let value = items.value(item, "value");
    field.required
        && (is_linked || field.label.len() >= MIN_CONSENT_BYTES)
        && !class.starts_with(markers::CONTROL_CLASS)
        && value.is_none_or(|value| is_on(&value))
}

/// Makes one field of each name and each address.
pub(super) fn composites(builder: &mut Builder<'_, '_>) {
    let has_conditions = |field: &Field| !field.conditions.is_empty();
    if builder.items.layout.is_some() || builder.fields.iter().any(has_conditions) {
        return;
    }
    let base_of = |index: usize| Some(builder.fields.get(index)?.name.split_once('[')?.0);
    let parts = 0..builder.fields.len();
    let mut parts: Vec<usize> = parts.filter(|part| base_of(*part).is_some()).collect();
    ordered::sort_by(&mut parts, |one, other| base_of(*one).cmp(&base_of(*other)));
    let wholes = parts.chunk_by(|one, other| base_of(*one) == base_of(*other));
    let wholes: Vec<Vec<usize>> = wholes.map(<[usize]>::to_vec).collect();
    let mut is_kept = vec![true; builder.fields.len()];
    for members in wholes {
        let parts = members.iter().filter_map(|part| builder.fields.get(*part));
        let whole = whole_of(&parts.collect::<Vec<_>>());
        let Some(mut whole) = whole.filter(|own| builder.field_named(&own.name).is_none()) else {
            continue;
        };
        // A fieldset around these alone is the whole.
        let is_in_group = |field: &&Field| field.group == whole.group;
        let is_alone = builder.fields.iter().filter(is_in_group).count() == members.len();
        let group = whole.group.as_deref().filter(|_| is_alone);
        let group = group.and_then(|group| builder.field_named(group));
        let mut place = members.first().copied().unwrap_or_default();
        if let Some(index) = group
            && let Some(owner) = builder.fields.get(index)
            && owner.kind == FieldType::Fieldset
        {
            place = index;
            whole.label.clone_from(&owner.label);
            whole.description.clone_from(&owner.description);
            whole.group.clone_from(&owner.group);
        }
        for index in members {
            if let Some(kept) = is_kept.get_mut(index) {
                *kept = index == place;
            }
        }
        let name = whole.name.clone();
        if let Some(field) = builder.fields.get_mut(place) {
            *field = whole;
        }
        let offset = builder.made.get(place).map_or(0, |made| made.place.offset);
        let message = format!("The parts of `{name}` are read as one field.");
        let code = WarningCode::FieldRecognized;
        builder.warnings.add(code, offset as usize, message);
    }
    builder.keep_only(&is_kept);
}

/// The name or address that the fields are all parts of.
fn whole_of(parts: &[&Field]) -> Option<Field> {
    let first = *parts.first()?;
    let (base, _) = first.name.split_once('[')?;
    let is_whole = |kind: &FieldType| {
        let known = kind.parts();
        let is_of = |field: &&Field| known.iter().any(|part| is_part(field, base, part.name));
        let fits = |part: &Part| match part_in(parts, base, part.name) {
            // Many forms require a postal code with the rest; the whole does not, as some countries have none.
            Some(field) if part.name == "postal_code" => first.required || !field.required,
            Some(field) => field.required == (first.required && part.needed),
            None => !part.needed,
        };
        parts.iter().all(is_of) && known.iter().all(fits)
    };
    let kind = [FieldType::Name, FieldType::Address]
        .into_iter()
        .find(is_whole)?;
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

fn part_in<'f>(parts: &[&'f Field], base: &str, part: &str) -> Option<&'f Field> {
    let mut parts = parts.iter().copied();
    parts.find(|field| part_of(&field.name, base) == Some(part))
}

/// The labels that differ from what the parts of a name or address are called anyway, by part.
fn part_labels(base: &str, kind: FieldType, parts: &[&Field]) -> Vec<FieldOption> {
    let labels = kind.parts().iter().filter_map(|part| {
        let label = &part_in(parts, base, part.name)?.label;
        let (default, _) = markers::part_texts(part.name);
        (label != default && !is_unseen(label)).then(|| FieldOption {
            value: part.name.to_owned(),
            label: label.clone(),
            ..FieldOption::default()
        })
    });
    labels.collect()
}

/// Whether a field is that part and says nothing that the composite field could not.
fn is_part(field: &Field, base: &str, part: &str) -> bool {
    let (_, token) = markers::part_texts(part);
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
