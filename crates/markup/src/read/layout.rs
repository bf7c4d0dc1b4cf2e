//! Steps, form settings, and what refers to fields: the end of reading, when all names are known.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::attributes::cut;
use super::fields::{Builder, Place, Read};
use super::items::{Items, Link, Step, index};
use super::{losses, recognize};
use crate::html::entities::{decode_attribute, without_controls};
use crate::html::text::collapse;
use crate::html::tokens::Attribute;
use crate::markers::COLONS;
use crate::warnings::{WarningCode, Warnings};
use model::check::{MAX_NAME_CHARS, MAX_STEPS};
use model::logic::dependency::Dependencies;
use model::ordered::Gather;
use model::{
    Condition, ConditionGroup, Field, FieldType, FormSchema, Layout, LayoutStep, LayoutType,
};

/// Makes the schema of the fields.
pub(super) fn finish(mut builder: Builder<'_>) -> Read<'_> {
    recognize::composites(&mut builder);
    drop_taken_parts(&mut builder);
    let layout = read_layout(&builder);
    let mut schema = FormSchema::of(Vec::new());
    schema.layout = layout;
    if let Some(settings) = builder.items.settings {
        schema.form_settings =
            serde_json::from_str(&decode_attribute(settings)).unwrap_or_default();
    }
    schema.fields = std::mem::take(&mut builder.fields);
    for (position, field) in schema.fields.iter_mut().enumerate() {
        field.position = super::items::index(position);
    }
    losses::report(&mut builder.items);
    let places: Vec<Place> = builder.made.into_iter().map(|made| made.place).collect();
    let Items {
        mut warnings,
        texts,
        found_steps,
        step_buttons,
        ..
    } = builder.items;
    drop_unknown_subjects(&mut schema, &places, &mut warnings);
    drop_cycles(&mut schema, &places, &mut warnings);
    Read {
        schema,
        warnings,
        places,
        choice_labels: builder.choice_labels,
        texts,
        found_steps,
        step_buttons,
    }
}

/// A name or address sends `name[part]`, so no other field can be named that.
fn drop_taken_parts(builder: &mut Builder<'_>) {
    let sent = |field: &Field| {
        let accepted = (field.kind == FieldType::Consent).then_some("accepted");
        let parts = field.kind.parts().iter().map(|part| part.name);
        let parts = parts.chain(accepted);
        let names = parts.map(|part| format!("{}[{part}]", field.name));
        names.collect::<Vec<_>>()
    };
    let taken: BTreeSet<String> = builder.fields.iter().flat_map(sent).gather();
    if taken.is_empty() {
        return;
    }
    let mut is_free = Vec::with_capacity(builder.fields.len());
    for (field, made) in builder.fields.iter().zip(&builder.made) {
        is_free.push(!taken.contains(&field.name));
        if taken.contains(&field.name) {
            let name = &field.name;
            let message = format!("`{name}` is left out: another field sends this name.");
            let (code, offset) = (WarningCode::DuplicateName, made.place.offset as usize);
            builder.items.warnings.add(code, offset, message);
        }
    }
    builder.keep_only(&is_free);
}

impl Builder<'_> {
    /// Leaves the fields out that are not wanted.
    pub(super) fn keep_only(&mut self, wanted: &[bool]) {
        fn keep<T>(list: &mut Vec<T>, wanted: &[bool]) {
            let mut wanted = wanted.iter();
            list.retain(|_| wanted.next().copied().unwrap_or(true));
        }
        keep(&mut self.fields, wanted);
        keep(&mut self.made, wanted);
    }
}

fn read_layout(builder: &Builder<'_>) -> Layout {
    let items = &builder.items;
    let steps = read_steps(builder);
    let written = items.layout.map(|layout| decode_attribute(layout));
    let kind = match written.as_deref().map(str::trim) {
        Some("multi-step") => LayoutType::MultiStep,
        Some("conversational") => LayoutType::Conversational,
        Some("single") => LayoutType::Single,
        _ if !steps.is_empty() => LayoutType::MultiStep,
        _ => LayoutType::Single,
    };
    let exact = items.exact_layout.map(|layout| decode_attribute(layout));
    let exact = exact.and_then(|layout| serde_json::from_str::<Layout>(&layout).ok());
    let (steps, other) = match exact {
        Some(exact) => (
            exact.steps.map(|steps| sound_steps(steps, builder)),
            exact.other,
        ),
        None => (Some(steps), Default::default()),
    };
    let steps = steps.filter(|steps| !steps.is_empty());
    Layout { kind, steps, other }
}

/// The id of a step, if it has one that a schema can hold.
pub(super) fn step_id(step: &Step<'_>) -> Option<String> {
    if let Some(number) = step.number.get() {
        return Some(format!("step-{number}"));
    }
    let id = collapse(&decode_attribute(step.id?));
    (id.chars().count() <= MAX_NAME_CHARS).then_some(id)
}

fn attribute_of<'a>(items: &Items<'a>, step: &Step<'_>, name: &str) -> Option<Attribute<'a>> {
    items.tags.attribute(step.offset.get()?, name)
}

fn read_steps(builder: &Builder<'_>) -> Vec<LayoutStep> {
    let items = &builder.items;
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut steps: Vec<LayoutStep> = Vec::new();
    let mut place_of_step: Vec<Link> = Vec::with_capacity(items.steps.len());
    for step in &items.steps {
        if step.is_rendered && step.id.is_none() {
            // Its title says no more than the group of its fields.
            items.texts.claim(&step.title);
        }
        let id = step_id(step).filter(|id| places.len() < MAX_STEPS || places.contains_key(id));
        let place = id.map(|id| {
            *places.entry(id.clone()).or_insert_with(|| {
                let named = attribute_of(items, step, "data-title");
                let named = named.map(|title| collapse(&title.value()));
                let mut shown = items.texts.glimpse(step.title.clone());
                if step.is_plain_text {
                    let bare = shown.trim_end_matches(COLONS).trim_end().len();
                    shown.truncate(bare);
                }
                let is_read = named.as_ref().is_none_or(|named| *named == shown);
                if is_read {
                    items.texts.rendered(step.title.clone());
                }
                steps.push(LayoutStep {
                    id,
                    title: cut(named.unwrap_or(shown)),
                    fields: Vec::new(),
                });
                steps.len() - 1
            })
        });
        place_of_step.push(place.map(index).into());
    }
    for (field, made) in builder.fields.iter().zip(&builder.made) {
        let step = made.step.get();
        let place = step.and_then(|step| place_of_step.get(step as usize)?.get());
        if let Some(step) = place.and_then(|place| steps.get_mut(place as usize)) {
            step.fields.push(field.name.clone());
        }
    }
    steps
}

/// Steps written as JSON, without what refers to nothing.
fn sound_steps(steps: Vec<LayoutStep>, builder: &Builder<'_>) -> Vec<LayoutStep> {
    let names = builder.fields.iter().map(|field| field.name.as_str());
    let mut free: BTreeSet<&str> = names.gather();
    let mut ids = BTreeSet::new();
    let sound = steps.into_iter().filter_map(|mut step| {
        step.id = without_controls(Cow::Owned(step.id)).into_owned();
        step.title = cut(without_controls(Cow::Owned(step.title)));
        let is_sound = !step.id.is_empty()
            && step.id.chars().count() <= MAX_NAME_CHARS
            && !step.id.contains(char::is_control)
            && ids.insert(step.id.clone());
        step.fields
            .retain(|name| is_sound && free.remove(name.as_str()));
        is_sound.then_some(step)
    });
    sound.take(MAX_STEPS).collect()
}

fn drop_unknown_subjects(schema: &mut FormSchema, places: &[Place], warnings: &mut Warnings) {
    let mut fields = schema.fields.iter();
    if fields.all(|field| field.conditions.is_empty()) {
        return;
    }
    let names = schema.fields.iter().map(|field| field.name.clone());
    let names: BTreeSet<String> = names.gather();
    for (field, place) in schema.fields.iter_mut().zip(places) {
        let before = field.conditions.len();
        let is_known = |condition: &Condition| names_fields(condition, &names);
        field.conditions.retain(is_known);
        if field.conditions.len() < before {
            let name = &field.name;
            let message = format!("A condition of `{name}` is left out: it names no field.");
            let (code, offset) = (WarningCode::ConditionDropped, place.offset as usize);
            warnings.add(code, offset, message);
        }
    }
}

fn names_fields(condition: &Condition, names: &BTreeSet<String>) -> bool {
    match condition {
        Condition::Rule(rule) => names.contains(&rule.field),
        Condition::Group { group, .. } => {
            let (ConditionGroup::Any(members) | ConditionGroup::All(members)) = group;
            members.iter().all(|member| names_fields(member, names))
        }
    }
}

/// Whoever lies in a circle loses the conditions that close it, or else the group.
fn drop_cycles(schema: &mut FormSchema, places: &[Place], warnings: &mut Warnings) {
    let stand_alone = |field: &Field| field.conditions.is_empty() && field.group.is_none();
    if schema.fields.iter().all(stand_alone) {
        return;
    }
    loop {
        let cycles = Dependencies::of(schema).cycles;
        if cycles.is_empty() {
            return;
        }
        for member in cycles.into_iter().flatten() {
            let Some(field) = schema.fields.get_mut(member) else {
                continue;
            };
            if field.conditions.is_empty() {
                field.group = None;
            }
            field.conditions.clear();
            let offset = places.get(member).map_or(0, |place| place.offset as usize);
            let name = &field.name;
            let message = format!("The conditions of `{name}` are left out: they form a circle.");
            warnings.add(WarningCode::ConditionDropped, offset, message);
        }
    }
}
