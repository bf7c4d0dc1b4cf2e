//! Decides which fields of a form are hidden, and whether the conditions of an action hold.
//!
//! - A field is shown when all of its conditions hold and its container or fieldset (the field that its `group`
//!   names) is shown. Steps have no conditions: a step with only hidden fields is empty.
//! - A hidden field counts as empty, so that its answer has no effect. Fields are evaluated in the order of their
//!   dependencies, each once, so that even a long chain takes linear time.
//! - Fields in a cycle have no order (saving rejects them, but other plugins can store them). Their conditions are
//!   ignored and they are shown: an unwanted answer can be deleted, a lost one cannot be recovered.
//! - In a form, a rule about an unknown field is ignored, and so is a group that has only such rules. For an action
//!   or an ending, such a rule reads the submission's data, in which the answer may be missing.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::answer::{AnswerKind, Answers, answers_of, is_on, texts_of, trimmed};
use super::calc::eval::Row;
use super::calc::fields::{Calculated, Calculations};
use super::compare;
use super::dependency::{Dependencies, container_of, positions_by_name};
use crate::ordered::Gather;
use crate::{Condition, ConditionAction, ConditionGroup, Field, FormSchema, Operator};

/// The conditions of a schema's fields, prepared once per revision of a form for repeated evaluation.
#[derive(Clone, Debug, Default)]
pub struct Visibility {
    fields: Vec<Shown>,
    /// The first field of each name.
    positions: BTreeMap<String, usize>,
    /// All fields, in the order of evaluation.
    order: Vec<usize>,
    /// The calculations of the schema.
    pub calculations: Calculations,
    /// Whether fields are in rows.
    has_rows: bool,
}

/// The results of conditions and calculations for a form's answers.
#[derive(Clone, Debug, Default)]
pub struct Settled<'v> {
    /// The names of the hidden fields.
    pub hidden: BTreeSet<&'v str>,
    /// The hidden fields of rows, by [`row_name`](crate::rows::row_name) with the row's number from 0.
    pub hidden_in_rows: BTreeSet<String>,
    /// The results of expressions by the names of their fields. A field in a row has the key of its input, as in
    /// `hidden_in_rows`.
    pub calculated: BTreeMap<String, Calculated>,
}

/// The conditions under which one field is shown.
#[derive(Clone, Debug, Default)]
struct Shown {
    name: String,
    kind: AnswerKind,
    conditions: Vec<Condition>,
    container: Option<usize>,
    /// The position of the repeating group that the field is in.
    rows: Option<usize>,
}

impl Visibility {
    /// Prepares the conditions of a schema.
    pub fn of(schema: &FormSchema) -> Visibility {
        let positions = positions_by_name(schema);
        let dependencies = Dependencies::of(schema);
        let groups = schema.row_groups();
        let shown = |field: &Field| Shown {
            rows: groups
                .get(field.name.as_str())
                .and_then(|group| positions.get(group.name.as_str()).copied()),
            name: field.name.clone(),
            kind: AnswerKind::of(field),
            conditions: with_ticked(&field.conditions, schema, &positions),
            container: container_of(field, schema, &positions),
        };
        let mut fields: Vec<Shown> = schema.fields.iter().map(shown).collect();
        for members in &dependencies.cycles {
            for &member in members {
                let Some(field) = fields.get_mut(member) else {
                    continue;
                };
                field.conditions.clear();
                let is_in_cycle = |member: &usize| members.binary_search(member).is_ok();
                field.container = field.container.filter(|member| !is_in_cycle(member));
            }
        }
        let by_name = positions.iter();
        let by_name = by_name.map(|(name, position)| ((*name).to_owned(), *position));
        Visibility {
            fields,
            positions: by_name.gather(),
            order: dependencies.order,
            calculations: Calculations::of(schema),
            has_rows: !groups.is_empty(),
        }
    }

    /// Whether answers must be settled: the schema has conditions, calculations or rows.
    pub fn is_needed(&self) -> bool {
        !self.calculations.is_empty()
            || self.has_rows
            || self.fields.iter().any(|field| !field.conditions.is_empty())
    }

    /// Finds the fields that the answers hide, and evaluates the calculations. Calculated values are added to the
    /// answers. `today` is in days from 1970-01-01.
    pub fn settle(&self, answers: &mut Answers, today: i64) -> Settled<'_> {
        let mut settled = Settled::default();
        for &position in &self.order {
            let Some(field) = self.fields.get(position) else {
                continue;
            };
            let Some(group) = field.rows.and_then(|group| self.fields.get(group)) else {
                self.settle_field(field, None, answers, today, &mut settled);
                continue;
            };
            if settled.hidden.contains(group.name.as_str()) {
                settled.hidden.insert(&field.name);
                continue;
            }
            let count = answers.get(&group.name).map_or(0, Vec::len);
            let mut all = Vec::new();
            for index in 0..count {
                let row = Row::of(&group.name, index);
                self.settle_field(field, Some(&row), answers, today, &mut settled);
                let key = row.key(&field.name);
                let is_shown = !settled.hidden_in_rows.contains(&key);
                let texts = answers.get(&key).filter(|_| is_shown);
                all.extend(texts.cloned().unwrap_or_default());
            }
            answers.insert(field.name.clone(), all);
        }
        settled
    }

    /// Evaluates one field, or the field in one row.
    fn settle_field<'v>(
        &'v self,
        field: &'v Shown,
        row: Option<&Row<'_>>,
        answers: &mut Answers,
        today: i64,
        settled: &mut Settled<'v>,
    ) {
        let key_of = |other: &Shown| match row {
            Some(row) if other.rows.is_some() && other.rows == field.rows => row.key(&other.name),
            _ => other.name.clone(),
        };
        let is_hidden =
            |key: &str| settled.hidden.contains(key) || settled.hidden_in_rows.contains(key);
        let container = field
            .container
            .and_then(|container| self.fields.get(container));
        let is_shown = !container.is_some_and(|container| is_hidden(&key_of(container)))
            && all_hold(&field.conditions, &|name, question| {
                let subject = self.fields.get(*self.positions.get(name)?)?;
                let key = key_of(subject);
                let texts = answers.get(&key).filter(|_| !is_hidden(&key));
                let texts = texts.map(Vec::as_slice).unwrap_or_default();
                Some(question(texts, subject.kind))
            });
        let key = key_of(field);
        if !is_shown {
            match row {
                Some(_) => settled.hidden_in_rows.insert(key),
                None => settled.hidden.insert(&field.name),
            };
            return;
        }
        let result = self
            .calculations
            .settle(&field.name, answers, row, &is_hidden, today);
        if let Some(result) = result {
            if let Some(value) = &result.value {
                answers.remove(&key);
                answers.extend(trimmed(value).map(|text| (key.clone(), vec![text])));
            }
            settled.calculated.insert(key, result);
        }
    }
}

/// Adapts rules about a checkbox whose value means "off", such as `0`. A rule that compares with this value asks
/// whether the box is ticked, so its value becomes `true`.
fn with_ticked(
    conditions: &[Condition],
    schema: &FormSchema,
    positions: &BTreeMap<&str, usize>,
) -> Vec<Condition> {
    let mut conditions = conditions.to_vec();
    for condition in &mut conditions {
        match condition {
            Condition::Rule(rule) => {
                let subject = positions.get(rule.field.as_str());
                let subject = subject.and_then(|position| schema.fields.get(*position));
                if let Some(box_value) = subject.and_then(off_value)
                    && matches!(
                        rule.operator,
                        Operator::Equals | Operator::NotEquals | Operator::In | Operator::NotIn
                    )
                {
                    let values = match &mut rule.value {
                        Value::Array(values) => values.as_mut_slice(),
                        value => std::slice::from_mut(value),
                    };
                    for value in values {
                        if !value.is_boolean() && compare::text_of(value) == box_value {
                            *value = Value::Bool(true);
                        }
                    }
                }
            }
            Condition::Group { group, .. } => {
                let (ConditionGroup::Any(members) | ConditionGroup::All(members)) = group;
                *members = with_ticked(members, schema, positions);
            }
        }
    }
    conditions
}

/// The `value` attribute of a checkbox, if conditions would read it as "off", such as `0` or `no`.
pub fn off_value(field: &Field) -> Option<&str> {
    let value = field.attributes.get("value")?.trim();
    let is_box = AnswerKind::of(field) == AnswerKind::Toggle;
    (is_box && !value.is_empty() && !is_on(value)).then_some(value)
}

/// Whether conditions, such as those of an action, hold for a submission's data. Missing answers count as empty. A
/// rule may refer to a field by a former name.
pub fn hold_for_data(
    conditions: &[Condition],
    schema: &FormSchema,
    data: &Map<String, Value>,
) -> bool {
    if conditions.is_empty() {
        return true;
    }
    let (positions, former) = (positions_by_name(schema), schema.former_names());
    let groups = schema.row_groups();
    all_hold(
        &with_ticked(conditions, schema, &positions),
        &|name, question| {
            let name = former.get(name).copied().unwrap_or(name);
            let values = schema.values_of(&groups, name, &|name| data.get(name));
            let position = positions.get(name).copied();
            let field = position.and_then(|position| schema.fields.get(position));
            let texts_of = |value: &&Value| match field {
                Some(field) => texts_to(field, value),
                None => texts_of(value),
            };
            let texts: Vec<String> = values.iter().flat_map(texts_of).collect();
            let stored = values.first().map(|value| AnswerKind::of_value(value));
            // An answer from before a change of the field is interpreted by its stored form.
            let kind = match (stored.unwrap_or_default(), field) {
                (AnswerKind::Text, Some(field)) => AnswerKind::of(field),
                (kind, _) => kind,
            };
            Some(question(&texts, kind))
        },
    )
}

/// The answers in a submission's data, or in the values of an editor's preview, as conditions see them.
pub fn answers_to(schema: &FormSchema, data: &Map<String, Value>) -> Answers {
    let mut answers = answers_of(data);
    let mut add = |field: &Field, key: &str, value: &Value| {
        answers.insert(key.to_owned(), texts_to(field, value));
        for (part, text) in value.as_object().into_iter().flatten() {
            answers.insert(format!("{key}[{part}]"), texts_of(text));
        }
    };
    for field in &schema.fields {
        if let Some(value) = data.get(&field.name).filter(|_| !field.is_repeat()) {
            add(field, &field.name, value);
        }
    }
    for (name, group) in schema.row_groups() {
        let Some(column) = schema.field(name) else {
            continue;
        };
        let rows = data.get(&group.name).and_then(Value::as_array);
        for (index, row) in rows.into_iter().flatten().enumerate() {
            if let Some(value) = row.get(name) {
                add(column, &Row::of(&group.name, index).key(name), value);
            }
        }
    }
    for group in schema.fields.iter().filter(|field| field.is_repeat()) {
        let rows = data.get(&group.name).and_then(Value::as_array);
        let rows = (1..=rows.map_or(0, Vec::len)).map(|row| row.to_string());
        answers.insert(group.name.clone(), rows.collect());
    }
    answers
}

/// The texts of an answer to a field. A ticked box has its value as its text, unless the value means "off".
fn texts_to(field: &Field, value: &Value) -> Vec<String> {
    let is_box_value = |text: &str| value == text;
    if AnswerKind::of(field) != AnswerKind::Toggle {
        return texts_of(value);
    }
    match value {
        Value::Bool(true) => vec![ticked_text(field).to_owned()],
        _ if off_value(field).is_some_and(is_box_value) => vec![ticked_text(field).to_owned()],
        value => texts_of(value),
    }
}

/// The text of a ticked box, as conditions see it: the box's value, or `true` if the value means "off".
pub(super) fn ticked_text(field: &Field) -> &str {
    let text = field.attributes.get("value").map_or("on", String::as_str);
    if is_on(text) { text } else { "true" }
}

/// A test of a field's answer.
type Question<'q> = &'q dyn Fn(&[String], AnswerKind) -> bool;

/// Applies a test to the answer of a field; `None` for an unknown field.
type Ask<'a> = &'a dyn Fn(&str, Question<'_>) -> Option<bool>;

fn all_hold(conditions: &[Condition], ask: Ask<'_>) -> bool {
    let mut verdicts = conditions
        .iter()
        .filter_map(|condition| verdict(condition, ask));
    verdicts.all(|holds| holds)
}

/// Whether one condition holds; `None` if there is nothing to evaluate.
fn verdict(condition: &Condition, ask: Ask<'_>) -> Option<bool> {
    let (holds, action) = match condition {
        Condition::Rule(rule) => {
            let holds = ask(&rule.field, &|texts, kind| {
                compare::holds(rule.operator, texts, kind, &rule.value)
            });
            (holds?, rule.action)
        }
        Condition::Group { group, action } => {
            let (members, any) = match group {
                ConditionGroup::Any(members) => (members, true),
                ConditionGroup::All(members) => (members, false),
            };
            let verdicts = members.iter().filter_map(|member| verdict(member, ask));
            let mut verdicts = verdicts.peekable();
            verdicts.peek()?;
            let holds = if any {
                verdicts.any(|holds| holds)
            } else {
                verdicts.all(|holds| holds)
            };
            (holds, *action)
        }
    };
    Some(holds == (action == ConditionAction::Show))
}
