//! Reads the parts of a schema that need the names of all fields: steps, and references to fields.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::attributes::cut;
use super::fields::{Builder, Place};
use super::items::Step;
use crate::html::entities::{decode_attribute, without_controls};
use crate::html::text::{Texts, collapse};
use crate::warnings::{WarningCode, Warnings};
use model::check::{MAX_NAME_CHARS, MAX_STEPS};
use model::label_texts::without_colon;
use model::logic::dependency::{Dependencies, rules_of};
use model::ordered::Gather;
use model::{ConditionRule, Field, FormSchema, Layout, LayoutStep, LayoutType};

/// Drops fields named like a part of a name or address field, which sends `name[part]` itself.
pub(super) fn drop_taken_parts(builder: &mut Builder<'_, '_>) {
    let sent = |field: &Field| {
        let names = field
            .sent_parts()
            .map(|part| format!("{}[{part}]", field.name));
        names.collect::<Vec<_>>()
    };
    let taken: BTreeSet<String> = builder.fields.iter().flat_map(sent).gather();
    if taken.is_empty() {
        return;
    }
    let names = builder.fields.iter().map(|field| &field.name);
    let is_free: Vec<bool> = names.map(|name| !taken.contains(name)).collect();
    let fields = builder.fields.iter().zip(&builder.made).zip(&is_free);
    for ((field, made), _) in fields.filter(|(_, is_free)| !**is_free) {
        let message = format!(
            "`{}` is left out: another field sends this name.",
            field.name
        );
        let (code, offset) = (WarningCode::DuplicateName, made.place.offset as usize);
        builder.warnings.add(code, offset, message);
    }
    builder.keep_only(&is_free);
}

impl Builder<'_, '_> {
    /// Removes the fields whose flag in `wanted` is false.
    pub(super) fn keep_only(&mut self, wanted: &[bool]) {
        fn keep<T>(list: &mut Vec<T>, wanted: &[bool]) {
            let mut wanted = wanted.iter();
            list.retain(|_| wanted.next().copied().unwrap_or(true));
        }
        keep(&mut self.fields, wanted);
        keep(&mut self.made, wanted);
    }
}

/// Reads the layout; the fields must be known.
pub(super) fn read(builder: &Builder<'_, '_>) -> Layout {
    let items = builder.items;
    let steps = read_steps(builder);
    let written = items.layout.map(|layout| decode_attribute(layout));
    let written = written.and_then(|layout| LayoutType::parse(layout.trim()));
    let kind = match written {
        Some(LayoutType::MultiStep) if items.ignores_steps => LayoutType::Single,
        Some(kind) => kind,
        None if steps.is_empty() => LayoutType::Single,
        None => LayoutType::MultiStep,
    };
    let exact = items.exact_layout.map(|layout| decode_attribute(layout));
    let exact = exact.and_then(|layout| serde_json::from_str::<Layout>(&layout).ok());
    let (steps, other) = match exact {
        Some(exact) => (sound_steps(exact.steps, builder), exact.other),
        None => (steps, Default::default()),
    };
    let steps = Some(steps).filter(|steps| !steps.is_empty());
    Layout { kind, steps, other }
}

/// The id of a step, if a schema can hold it.
pub(crate) fn step_id(step: &Step<'_>) -> Option<String> {
    if let Some(number) = step.number.get() {
        return Some(format!("step-{number}"));
    }
    let id = collapse(&decode_attribute(step.id?));
    (id.chars().count() <= MAX_NAME_CHARS).then_some(id)
}

fn read_steps(builder: &Builder<'_, '_>) -> Vec<LayoutStep> {
    let texts = &builder.items.texts;
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut steps: Vec<LayoutStep> = Vec::new();
    let mut place_of_step: Vec<Option<usize>> = Vec::new();
    for step in &builder.items.steps {
        if step.is_rendered && step.id.is_none() {
            // The title only repeats the group of its fields.
            texts.claim(&step.title);
        }
        let id = step_id(step).filter(|id| places.len() < MAX_STEPS || places.contains_key(id));
        place_of_step.push(id.map(|id| {
            *places.entry(id.clone()).or_insert_with(|| {
                let title = title_of(step, texts);
                let fields = Vec::new();
                steps.push(LayoutStep { id, title, fields });
                steps.len() - 1
            })
        }));
    }
    for (field, made) in builder.fields.iter().zip(&builder.made) {
        let place = made.step.of(&place_of_step).copied().flatten();
        if let Some(step) = place.and_then(|place| steps.get_mut(place)) {
            step.fields.push(field.name.clone());
        }
    }
    steps
}

/// The title of a step: its `data-title`, or else the shown text. If both differ, the shown text is lost.
fn title_of(step: &Step<'_>, texts: &Texts<'_>) -> String {
    let shown = texts.glimpse(step.title.clone());
    let bare = Some(without_colon(&shown)).filter(|_| step.is_plain_text);
    let shown = bare.unwrap_or(&shown);
    let named = step.named.map(|title| collapse(&decode_attribute(title)));
    let title = named.unwrap_or_else(|| shown.to_owned());
    if title == shown {
        texts.claim(&step.title);
    }
    cut(title)
}

/// The steps of a JSON layout, without unknown fields and invalid ids.
fn sound_steps(steps: Option<Vec<LayoutStep>>, builder: &Builder<'_, '_>) -> Vec<LayoutStep> {
    let names = builder.fields.iter().map(|field| field.name.as_str());
    let mut free: BTreeSet<&str> = names.gather();
    let mut ids = BTreeSet::new();
    let sound = steps.into_iter().flatten().filter_map(|mut step| {
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

/// Drops conditions that name an unknown field.
pub(super) fn drop_unknown_subjects(
    schema: &mut FormSchema,
    places: &[Place],
    warnings: &mut Warnings,
) {
    let names = schema.fields.iter().map(|field| field.name.clone());
    let names: BTreeSet<String> = names.gather();
    for (field, place) in schema.fields.iter_mut().zip(places) {
        let before = field.conditions.len();
        let is_known = |rule: &ConditionRule| names.contains(&rule.field);
        field
            .conditions
            .retain(|condition| rules_of(condition).into_iter().all(is_known));
        if field.conditions.len() < before {
            let name = &field.name;
            let message = format!("A condition of `{name}` is left out: it names no field.");
            let (code, offset) = (WarningCode::ConditionDropped, place.offset as usize);
            warnings.add(code, offset, message);
        }
    }
}

/// Breaks cycles of conditions: each field of a cycle loses its conditions, or its group if it has no conditions.
pub(super) fn drop_cycles(schema: &mut FormSchema, places: &[Place], warnings: &mut Warnings) {
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
            let message = format!("The conditions of `{name}` are left out: they form a cycle.");
            warnings.add(WarningCode::ConditionDropped, offset, message);
        }
    }
}
