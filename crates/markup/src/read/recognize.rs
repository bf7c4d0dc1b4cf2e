//! Recognizes single controls that are clearly parts of a name, an address or a date, and boxes that are a consent. The
//! controls must already send the same data as the composite field, so that a form with markup as its source keeps its
//! answers. `home[street]` with `autocomplete="address-line1"` is the street of the address `home`.

use super::fields::Builder;
use super::items::{Item, Items};
use crate::markers;
use crate::warnings::WarningCode;
use model::check::is_name;
use model::field_kinds::Control;
use model::field_variants::DATE_PARTS;
use model::logic::answer::is_on;
use model::parts::{part_of, whole_of};
use model::{Field, Part, ordered};

/// The minimum length of a label that asks for consent, in bytes; about five words.
const MIN_CONSENT_BYTES: usize = 30;

/// Whether a single box is a consent. Its value must mean yes, and its label must contain a link. For a required box, a
/// label as long as a sentence suffices.
pub(super) fn is_consent(items: &Items<'_>, item: &Item, field: &Field, is_linked: bool) -> bool {
    let class = items.value(item, "class").unwrap_or_default();
    let value = items.value(item, "value");
    (is_linked || field.required && field.label.len() >= MIN_CONSENT_BYTES)
        && !class.starts_with(markers::CONTROL_CLASS)
        && value.is_none_or(|value| is_on(&value))
}

/// Makes one field of each fieldset with `data-parts` that contains only the day, the month and the year of a date.
pub(super) fn dates_in_parts(builder: &mut Builder<'_, '_>) {
    let mut is_kept = vec![true; builder.fields.len()];
    for place in 0..builder.fields.len() {
        let behind = builder.fields.get(place..).unwrap_or_default();
        let Some((date, members)) = date_of(behind) else {
            continue;
        };
        if builder.field_named(&date.name).is_none() {
            is_kept
                .iter_mut()
                .skip(place + 1)
                .take(members)
                .for_each(|kept| *kept = false);
            if let Some(owner) = builder.fields.get_mut(place) {
                *owner = date;
            }
        }
    }
    builder.keep_only(&is_kept);
}

/// The date field for a fieldset (the first of `fields`) and the parts after it, with the number of parts.
fn date_of(fields: &[Field]) -> Option<(Field, usize)> {
    let (owner, behind) = fields.split_first()?;
    if owner.kind.facts().control != Control::Fieldset || !owner.attributes.contains_key(DATE_PARTS)
    {
        return None;
    }
    let mut date = owner.as_date();
    let is_member = |field: &&Field| field.group.as_ref() == Some(&owner.name);
    let wanted = date.parts();
    let members: Vec<&Field> = behind
        .iter()
        .take_while(is_member)
        .take(wanted.len() + 1)
        .collect();
    let (base, _) = members.first()?.name.split_once('[')?;
    let has = |part: &Part| {
        let mut names = members.iter().map(|field| part_of(&field.name, base));
        names.any(|name| name == Some(part.name))
    };
    date.name = base.to_owned();
    date.required |= members.iter().any(|field| field.required);
    let is_whole = members.len() == wanted.len() && wanted.iter().all(has);
    (is_whole && is_name(base)).then_some((date, members.len()))
}

/// Merges the parts of each name and each address into one field.
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
        let is_free = |name: &str| is_name(name) && builder.field_named(name).is_none();
        let Some(mut whole) = whole.filter(|whole| is_free(&whole.name)) else {
            continue;
        };
        // A fieldset around only these parts becomes the composite field.
        let is_in_group = |field: &&Field| field.group == whole.group;
        let is_alone = builder.fields.iter().filter(is_in_group).count() == members.len();
        let group = whole.group.as_deref().filter(|_| is_alone);
        let group = group.and_then(|group| builder.field_named(group));
        let mut place = members.first().copied().unwrap_or_default();
        if let Some(index) = group
            && let Some(owner) = builder.fields.get(index)
            && owner.kind.facts().control == Control::Fieldset
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
