//! Changes the fields of a schema one at a time (specification, "Fields"; contract, section 3). The
//! functions that add, change or delete a field take a schema, and return the changed schema or an error.

use std::collections::BTreeSet;

use serde_json::Value;
use thiserror::Error;

use super::check::{MAX_FIELDS, check_references, parse_field};
use super::condition::{Condition, ConditionGroup};
use super::fault::{Fault, Faults};
use super::field::Field;
use super::schema::{FormSchema, LayoutStep};
use crate::logic::calc::renames;
use crate::logic::dependency::rules_of;
use crate::logic::pipe_renames;
use crate::ordered::Gather;
use crate::values;

/// The reason why a field cannot be changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EditError {
    /// No field has the name.
    #[error("there is no field `{0}`")]
    NotFound(String),
    /// Another field already has the name.
    #[error("there is already a field `{0}`")]
    Duplicate(String),
    /// Other fields, or titles of steps, refer to the field.
    #[error("the field `{name}` is used by `{}`", users.join("`, `"))]
    InUse {
        /// The name of the field.
        name: String,
        /// The names of the fields whose conditions, expressions, number of seats or texts refer to the field, and
        /// the ids of the steps whose titles refer to it.
        users: Vec<String>,
    },
    /// The schema has the maximum number of fields.
    #[error("a schema may have at most {MAX_FIELDS} fields")]
    TooMany,
    /// The field is not valid; paths are relative to the field.
    #[error("the field is not valid")]
    Invalid(Vec<Fault>),
}

/// The changed schema, with the field that was added, changed or removed.
pub type Edited = Result<(FormSchema, Field), EditError>;

/// Adds a field at its `position`, or last. If its `group` is a step or within a step, the step lists the field.
pub fn add_field(schema: &FormSchema, body: &Value) -> Edited {
    let field = parse_field(body).map_err(EditError::Invalid)?;
    if schema.field(&field.name).is_some() {
        return Err(EditError::Duplicate(field.name));
    }
    if schema.fields.len() >= MAX_FIELDS {
        return Err(EditError::TooMany);
    }
    let place = requested_position(body, &field).unwrap_or(usize::MAX);
    let mut changed = schema.clone();
    enter_step(&mut changed, &field, place);
    finish(changed, field, place)
}

/// Changes those members of a field that are in `patch`. A new `name` also changes the conditions, expressions, steps
/// and groups that refer to the field. A new `position` moves the field, and so does a new `group` that is a step or
/// within a step.
pub fn update_field(schema: &FormSchema, name: &str, patch: &Value) -> Edited {
    let index = position_of(schema, name)?;
    let mut changed = schema.clone();
    let old = changed.fields.remove(index);
    let field = parse_field(&overlaid(&old, patch)).map_err(EditError::Invalid)?;
    if changed.field(&field.name).is_some() {
        return Err(EditError::Duplicate(field.name));
    }
    let place = requested_position(patch, &field).unwrap_or(index);
    if field.name != name {
        rename_references(&mut changed, name, &field);
        renames::refer_to(&mut changed, schema, name, Some(&field.name));
    }
    if field.group != old.group {
        enter_step(&mut changed, &field, place);
    }
    finish(changed, field, place)
}

/// Removes a field, also from the steps that list it. The fields inside a removed container move to the container's
/// group. Without `force`, a field cannot be removed while conditions, expressions or the number of seats of other
/// fields refer to it. With `force`, rules about the field are removed too. Other fields no longer take their number of
/// seats from it (`data-seats-by`), and expressions get an empty text in its place.
pub fn delete_field(schema: &FormSchema, name: &str, force: bool) -> Edited {
    let index = position_of(schema, name)?;
    let mut changed = schema.clone();
    let removed = changed.fields.remove(index);
    let users = users_of(schema, name);
    if !users.is_empty() && !force {
        return Err(EditError::InUse {
            name: name.to_owned(),
            users,
        });
    }
    for field in &mut changed.fields {
        refer_to(&mut field.conditions, name, None);
        if removed.kind.holds_fields() && field.group.as_deref() == Some(name) {
            field.group.clone_from(&removed.group);
        }
    }
    for step in changed.layout.steps.iter_mut().flatten() {
        step.fields.retain(|member| member != name);
    }
    renames::refer_to(&mut changed, schema, name, None);
    changed.number();
    Ok((changed, removed))
}

/// [`update_field`] for a schema whose texts have pipes ([`crate::logic::piping`]). A new name also renames the field
/// in these pipes.
pub fn update_piped_field(schema: &FormSchema, name: &str, patch: &Value) -> Edited {
    let (mut changed, field) = update_field(schema, name, patch)?;
    if field.name != name {
        pipe_renames::refer_to(&mut changed, schema, name, Some(&field.name));
    }
    let field = changed.field(&field.name).cloned().unwrap_or(field);
    Ok((changed, field))
}

/// [`delete_field`] for a schema whose texts have pipes. Without `force`, a field that a pipe shows cannot be removed
/// either. With `force`, the pipes are replaced by their fallback words.
pub fn delete_piped_field(schema: &FormSchema, name: &str, force: bool) -> Edited {
    position_of(schema, name)?;
    let mut users = if force {
        Vec::new()
    } else {
        users_of(schema, name)
    };
    let texts = if force {
        Vec::new()
    } else {
        pipe_renames::users_of(schema, name)
    };
    for user in texts {
        if !users.contains(&user) {
            users.push(user);
        }
    }
    if !users.is_empty() {
        let name = name.to_owned();
        return Err(EditError::InUse { name, users });
    }
    let (mut changed, removed) = delete_field(schema, name, force)?;
    pipe_renames::refer_to(&mut changed, schema, name, None);
    Ok((changed, removed))
}

/// The names of the other fields whose conditions, expressions or number of seats refer to a field.
fn users_of(schema: &FormSchema, name: &str) -> Vec<String> {
    let refers = |field: &&Field| {
        let mut rules = field.conditions.iter().flat_map(rules_of);
        rules.any(|rule| rule.field == name) || renames::refers(field, name, schema)
    };
    let others = schema.fields.iter().filter(|field| field.name != name);
    let users = others.filter(refers);
    users.map(|field| field.name.clone()).collect()
}

fn position_of(schema: &FormSchema, name: &str) -> Result<usize, EditError> {
    let position = schema.fields.iter().position(|field| field.name == name);
    position.ok_or_else(|| EditError::NotFound(name.to_owned()))
}

/// The position that a request sets for the field.
pub fn requested_position(body: &Value, field: &Field) -> Option<usize> {
    let is_set = body.get("position").is_some_and(|value| !value.is_null());
    is_set.then(|| usize::try_from(field.position).unwrap_or(usize::MAX))
}

/// Moves a field into the step of its group, after those fields of the step that precede it in the schema. If the
/// group is neither a step nor in one, the steps stay unchanged.
fn enter_step(schema: &mut FormSchema, field: &Field, place: usize) {
    let Some(group) = &field.group else { return };
    let steps = schema.layout.steps.as_deref_mut().unwrap_or_default();
    let holds = |step: &LayoutStep| step.id == *group || step.fields.contains(group);
    let Some(entered) = steps.iter().position(holds) else {
        return;
    };
    for step in steps.iter_mut() {
        step.fields.retain(|member| *member != field.name);
    }
    let Some(step) = steps.get_mut(entered) else {
        return;
    };
    let before = schema.fields.iter().take(place);
    let before: BTreeSet<&str> = before.map(|field| field.name.as_str()).gather();
    let is_before = |member: &String| before.contains(member.as_str());
    let last = step.fields.iter().rposition(is_before);
    let index = last.map_or(0, |last| last + 1);
    step.fields.insert(index, field.name.clone());
}

/// Inserts a field at its position, and checks its references.
fn finish(mut schema: FormSchema, field: Field, place: usize) -> Edited {
    let place = place.min(schema.fields.len());
    schema.fields.insert(place, field);
    schema.number();
    let faults = Faults::default();
    check_references(&schema, place, &faults);
    faults.unless_any(()).map_err(EditError::Invalid)?;
    let field = schema.fields.get(place).cloned().unwrap_or_default();
    Ok((schema, field))
}

/// A field as JSON, overridden by the members of a patch.
fn overlaid(field: &Field, patch: &Value) -> Value {
    match (values::value(field), patch) {
        (Value::Object(mut members), Value::Object(changes)) => {
            members.extend(changes.clone());
            Value::Object(members)
        }
        _ => patch.clone(),
    }
}

fn rename_references(schema: &mut FormSchema, from: &str, renamed: &Field) {
    let to = renamed.name.as_str();
    for field in &mut schema.fields {
        refer_to(&mut field.conditions, from, Some(to));
        if renamed.kind.holds_fields() && field.group.as_deref() == Some(from) {
            field.group = Some(to.to_owned());
        }
    }
    let steps = schema.layout.steps.iter_mut().flatten();
    for name in steps.flat_map(|step| &mut step.fields) {
        if name == from {
            to.clone_into(name);
        }
    }
}

/// Makes rules about the field `from` refer to `to`. If `to` is `None`, removes these rules, and the groups that
/// become empty.
pub fn refer_to(conditions: &mut Vec<Condition>, from: &str, to: Option<&str>) {
    conditions.retain_mut(|condition| match condition {
        Condition::Rule(rule) if rule.field == from => {
            if let Some(to) = to {
                to.clone_into(&mut rule.field);
            }
            to.is_some()
        }
        Condition::Rule(_) => true,
        Condition::Group {
            group: ConditionGroup::Any(members) | ConditionGroup::All(members),
            ..
        } => {
            refer_to(members, from, to);
            to.is_some() || !members.is_empty()
        }
    });
}
