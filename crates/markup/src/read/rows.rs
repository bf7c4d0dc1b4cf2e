//! Reads the rows of repeating groups: in a fieldset `g` with `data-repeat`, `g[0][a]` is the field `a`. Further rows have
//! the same fields.

use std::collections::{BTreeMap, BTreeSet};

use super::fields::Builder;
use model::check::is_name;
use model::logic::dependency::rules_of;
use model::ordered::Gather;
use model::{Condition, ConditionGroup, Field};

/// Gives the fields of the first row their names in the schema, and drops the fields of further rows.
pub(super) fn unite(builder: &mut Builder<'_, '_>) {
    let groups = builder.fields.iter().filter(|field| field.is_repeat());
    let groups: BTreeSet<String> = groups.map(|field| field.name.clone()).gather();
    if groups.is_empty() {
        return;
    }
    let names = builder.fields.iter().map(|field| field.name.clone());
    let mut taken: BTreeSet<String> = names.gather();
    let mut renamed: BTreeMap<String, String> = BTreeMap::new();
    let mut is_kept = Vec::with_capacity(builder.fields.len());
    for field in &builder.fields {
        let column = name_in_row(field, &groups);
        is_kept.push(column.as_ref().is_none_or(|column| !taken.contains(column)));
        if let Some(column) = column {
            taken.insert(column.clone());
            renamed.insert(field.name.clone(), column);
        }
    }
    for field in &mut builder.fields {
        if let Some(column) = renamed.get(&field.name) {
            field.name.clone_from(column);
        }
        if field.conditions.iter().any(|one| !rules_of(one).is_empty()) {
            rename_in(&mut field.conditions, &renamed);
        }
    }
    builder.keep_only(&is_kept);
    let names = builder.fields.iter().enumerate();
    builder.names = names
        .map(|(index, field)| (field.name.clone(), index))
        .gather();
}

/// The name that a field of a row has in the schema: `who` for `guests[0][who]`.
fn name_in_row(field: &Field, groups: &BTreeSet<String>) -> Option<String> {
    let (group, rest) = field.name.split_once('[')?;
    let (number, rest) = rest.split_once("][")?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let (column, part) = rest.split_once(']')?;
    let is_column = groups.contains(group) && is_number && is_name(column);
    is_column.then(|| [column, part].concat())
}

fn rename_in(conditions: &mut [Condition], renamed: &BTreeMap<String, String>) {
    for condition in conditions {
        match condition {
            Condition::Rule(rule) => {
                if let Some(column) = renamed.get(&rule.field) {
                    rule.field.clone_from(column);
                }
            }
            Condition::Group {
                group: ConditionGroup::Any(members) | ConditionGroup::All(members),
                ..
            } => rename_in(members, renamed),
        }
    }
}
