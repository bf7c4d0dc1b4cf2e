//! Checks the relations between a schema's fields: names are unique, conditions and steps refer to existing fields,
//! and dependencies have no cycles.

use std::collections::BTreeMap;

use super::super::fault::{At, FaultCode, Faults, shortened};
use super::super::field::Field;
use super::super::schema::FormSchema;
use super::calculations::{check_calculations, check_work};
use super::rows::check_rows;
use crate::logic::calc::fields::expressions;
use crate::logic::dependency::{Dependencies, positions_by_name, rules_of};

/// Checks a whole schema. Its `fields` must still be in the order of the request, so that the paths of faults are
/// right.
pub(super) fn check_schema(schema: &FormSchema, faults: &Faults) {
    let at = At::Root.member("fields");
    let positions = positions_by_name(schema);
    let groups = schema.row_groups();
    for (index, field) in schema.fields.iter().enumerate() {
        let at = at.item(index);
        // An invalid name is empty here, and was already reported.
        if !field.name.is_empty() && positions.get(field.name.as_str()) != Some(&index) {
            let message = format!("Another field already uses the name “{}”.", field.name);
            faults.add(&at.member("name"), FaultCode::DuplicateItems, message);
        }
        check_parts(field, schema, &positions, &at, faults);
        check_subjects(field, &positions, &at, faults);
        check_calculations(field, schema, &positions, &at, faults);
        check_rows(field, schema, &positions, &groups, &at, faults);
    }
    check_work(schema, faults);
    check_steps(schema, &positions, faults);
    let dependencies = Dependencies::of(schema);
    for members in &dependencies.cycles {
        if let Some(&first) = members.first() {
            report_cycle(&dependencies, members, schema, &at.item(first), faults);
        }
    }
}

/// Checks one field of a schema, with paths relative to the field. Faults that concern only other fields are not
/// reported.
pub(in super::super) fn check_references(schema: &FormSchema, index: usize, faults: &Faults) {
    let Some(field) = schema.fields.get(index) else {
        return;
    };
    let positions = positions_by_name(schema);
    check_parts(field, schema, &positions, &At::Root, faults);
    check_subjects(field, &positions, &At::Root, faults);
    check_calculations(field, schema, &positions, &At::Root, faults);
    let groups = schema.row_groups();
    check_rows(field, schema, &positions, &groups, &At::Root, faults);
    let dependencies = Dependencies::of(schema);
    for members in &dependencies.cycles {
        if members.binary_search(&index).is_ok() {
            report_cycle(&dependencies, members, schema, &At::Root, faults);
        }
    }
}

/// Checks that a field does not have the name under which a composite field sends one of its parts (`name[part]`).
fn check_parts(
    field: &Field,
    schema: &FormSchema,
    positions: &BTreeMap<&str, usize>,
    at: &At<'_>,
    faults: &Faults,
) {
    let Some((base, part)) = field.name.split_once('[') else {
        return;
    };
    let position = positions.get(base);
    let composite = position.and_then(|position| schema.fields.get(*position));
    let taken = composite.is_some_and(|composite| {
        let mut parts = composite.sent_parts();
        parts.any(|known| part.strip_suffix(']') == Some(known))
    });
    if taken {
        let message = format!("The field `{base}` sends this name.");
        faults.add(&at.member("name"), FaultCode::DuplicateItems, message);
    }
}

fn check_subjects(field: &Field, positions: &BTreeMap<&str, usize>, at: &At<'_>, faults: &Faults) {
    let conditions_at = at.member("conditions");
    for (index, condition) in field.conditions.iter().enumerate() {
        for rule in rules_of(condition) {
            if !positions.contains_key(rule.field.as_str()) {
                let message = format!("The field “{}” doesn’t exist.", shortened(&rule.field));
                faults.add(&conditions_at.item(index), FaultCode::InvalidParam, message);
            }
        }
    }
}

fn check_steps(schema: &FormSchema, positions: &BTreeMap<&str, usize>, faults: &Faults) {
    let layout_at = At::Root.member("layout");
    let steps_at = layout_at.member("steps");
    let mut step_by_field: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, step) in schema.layout.steps.iter().flatten().enumerate() {
        let step_at = steps_at.item(index);
        let fields_at = step_at.member("fields");
        for (place, name) in step.fields.iter().enumerate() {
            let at = fields_at.item(place);
            if !positions.contains_key(name.as_str()) {
                let message = format!("The field “{}” doesn’t exist.", shortened(name));
                faults.add(&at, FaultCode::InvalidParam, message);
            } else if step_by_field.insert(name, index).is_some() {
                let message = format!("The field `{name}` is listed already.");
                faults.add(&at, FaultCode::DuplicateItems, message);
            }
        }
    }
}

fn report_cycle(
    dependencies: &Dependencies,
    members: &[usize],
    schema: &FormSchema,
    at: &At<'_>,
    faults: &Faults,
) {
    let names = dependencies.name_cycle(members, schema);
    let first = members.first().and_then(|first| schema.fields.get(*first));
    let first = first.filter(|first| first.conditions.is_empty());
    if let Some((attribute, _)) = first.and_then(|first| expressions(first).into_iter().next()) {
        let message = format!("These calculations depend on each other: {names}.");
        let at = at.member("attributes");
        return faults.add(&at.member(attribute), FaultCode::InvalidParam, message);
    }
    let mut fields = members
        .iter()
        .filter_map(|member| schema.fields.get(*member));
    let (path, noun) = if fields.any(|field| !field.conditions.is_empty()) {
        ("conditions", "conditions")
    } else {
        ("group", "groups")
    };
    let message = format!("These {noun} depend on each other: {names}.");
    faults.add(&at.member(path), FaultCode::InvalidParam, message);
}
