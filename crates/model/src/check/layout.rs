//! Reading the layout of a schema.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::super::fault::{At, FaultCode, Faults};
use super::super::schema::{Layout, LayoutStep, LayoutType};
use super::MAX_FIELDS;
use super::field::{MAX_NAME_CHARS, MAX_TEXT_CHARS};

/// The most steps of a layout.
pub const MAX_STEPS: usize = 1_000;

/// Reads a layout; `type` is `single` when absent, and no steps are as good as none. Further
/// members are kept as they are.
pub(super) fn read_layout(value: &Value, at: &At<'_>, faults: &mut Faults) -> Layout {
    let mut layout = Layout::default();
    let Some(members) = faults.object(value, at) else {
        return layout;
    };
    for (member, value) in members.iter().filter(|(_, value)| !value.is_null()) {
        let at = at.member(member);
        match member.as_str() {
            "type" => layout.kind = read_type(value, &at, faults),
            "steps" => {
                let steps = read_steps(value, &at, faults);
                layout.steps = Some(steps).filter(|steps| !steps.is_empty());
            }
            _ => {
                layout.other.insert(member.clone(), value.clone());
            }
        }
    }
    layout
}

fn read_type(value: &Value, at: &At<'_>, faults: &mut Faults) -> LayoutType {
    let Some(name) = value.as_str() else {
        faults.add(at, FaultCode::InvalidType, "This must be a string.");
        return LayoutType::default();
    };
    match name {
        "single" => LayoutType::Single,
        "multi-step" => LayoutType::MultiStep,
        "conversational" => LayoutType::Conversational,
        _ => {
            faults.add(
                at,
                FaultCode::NotInEnum,
                "This must be single, multi-step or conversational.",
            );
            LayoutType::default()
        }
    }
}

fn read_steps(value: &Value, at: &At<'_>, faults: &mut Faults) -> Vec<LayoutStep> {
    let list = faults.list(value, at, MAX_STEPS).unwrap_or_default();
    let mut ids = BTreeSet::new();
    let mut steps = Vec::with_capacity(list.len());
    for (index, value) in list.iter().enumerate() {
        let at = at.item(index);
        let Some(members) = faults.object(value, &at) else {
            continue;
        };
        let step = read_step(members, &at, faults);
        if !ids.insert(step.id.clone()) {
            faults.add(
                &at.member("id"),
                FaultCode::DuplicateItems,
                "Another step has the same id.",
            );
        }
        steps.push(step);
    }
    steps
}

fn read_step(members: &Map<String, Value>, at: &At<'_>, faults: &mut Faults) -> LayoutStep {
    let mut step = LayoutStep::default();
    for (member, value) in members.iter().filter(|(_, value)| !value.is_null()) {
        let at = at.member(member);
        match member.as_str() {
            "id" => step.id = faults.line(value, &at, MAX_NAME_CHARS).unwrap_or_default(),
            "title" => step.title = faults.text(value, &at, MAX_TEXT_CHARS).unwrap_or_default(),
            "fields" => {
                let names = faults.list(value, &at, MAX_FIELDS).unwrap_or_default();
                step.fields = names
                    .iter()
                    .enumerate()
                    .filter_map(|(index, name)| faults.text(name, &at.item(index), MAX_NAME_CHARS))
                    .collect();
            }
            _ => faults.add(
                &at,
                FaultCode::AdditionalProperty,
                "A step has an id, a title and fields.",
            ),
        }
    }
    if step.id.is_empty() {
        faults.add(
            &at.member("id"),
            FaultCode::PropertyRequired,
            "A step needs an id.",
        );
    }
    step
}
