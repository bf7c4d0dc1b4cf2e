//! Which fields of a form are hidden, and which conditions of an action hold.
//!
//! - A field is shown when all of its conditions hold and its container or fieldset (the field
//!   that its `group` names) is shown. Steps have no conditions: a step whose fields are all
//!   hidden has nothing to show.
//! - A hidden field reads as empty, so that its answer never decides about others. Fields are
//!   looked at in the order of their dependencies, each once: a chain of any length settles in
//!   time proportional to its rules.
//! - Fields that decide about each other (which saving refuses, but other plugins can store) have
//!   no order. Their conditions are passed over and they are shown: a stray answer can be
//!   repaired, a lost one cannot.
//! - A rule about a field that does not exist is passed over; so is a group without any rule
//!   left.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::answer::{AnswerKind, Answers, is_on, texts_of};
use super::compare;
use super::dependency::{Dependencies, container_of, positions_by_name};
use crate::ordered::Gather;
use crate::{Condition, ConditionAction, ConditionGroup, Field, FormSchema, Operator};

/// The conditions of a schema's fields, made ready to be evaluated often: once per revision of a
/// form.
#[derive(Clone, Debug, Default)]
pub struct Visibility {
    fields: Vec<Shown>,
    /// The first field of each name.
    positions: BTreeMap<String, usize>,
    /// All fields, deciding ones first.
    order: Vec<usize>,
}

/// When one field is shown.
#[derive(Clone, Debug, Default)]
struct Shown {
    name: String,
    kind: AnswerKind,
    conditions: Vec<Condition>,
    container: Option<usize>,
}

impl Visibility {
    /// Prepares the conditions of a schema.
    pub fn of(schema: &FormSchema) -> Visibility {
        let positions = positions_by_name(schema);
        let dependencies = Dependencies::of(schema);
        let shown = |field: &Field| Shown {
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
                let is_in_cycle = |own: &usize| members.binary_search(own).is_ok();
                field.container = field.container.filter(|own| !is_in_cycle(own));
            }
        }
        let positions = positions.into_iter();
        let positions = positions.map(|(name, position)| (name.to_owned(), position));
        Visibility {
            fields,
            positions: positions.gather(),
            order: dependencies.order,
        }
    }

    /// Whether any answers hide a field.
    pub fn may_hide(&self) -> bool {
        self.fields.iter().any(|field| !field.conditions.is_empty())
    }

    /// The names of the fields that these answers hide.
    pub fn hidden(&self, answers: &Answers) -> BTreeSet<&str> {
        let mut hidden = vec![false; self.fields.len()];
        for &position in &self.order {
            let Some(field) = self.fields.get(position) else {
                continue;
            };
            let is_hidden = |position: usize| hidden.get(position).copied().unwrap_or(false);
            let answer = |name: &str| {
                let position = *self.positions.get(name)?;
                let kind = self.fields.get(position)?.kind;
                let texts = answers.get(name).filter(|_| !is_hidden(position));
                Some((texts.map(Vec::as_slice).unwrap_or_default(), kind))
            };
            let is_shown = !field.container.is_some_and(is_hidden)
                && all_hold(&field.conditions, &|name, question| {
                    answer(name).map(|(texts, kind)| question(texts, kind))
                });
            if let Some(own) = hidden.get_mut(position) {
                *own = !is_shown;
            }
        }
        let fields = self.fields.iter().zip(hidden);
        fields
            .filter(|(_, hidden)| *hidden)
            .map(|(field, _)| field.name.as_str())
            .gather()
    }
}

/// Conditions in which a box's own value that reads as "off", such as `0`, asks whether the box is ticked.
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
                if let (Some(own), Value::String(text)) = (subject.and_then(off_value), &rule.value)
                    && text.trim() == own
                    && matches!(
                        rule.operator,
                        Operator::Equals | Operator::NotEquals | Operator::In | Operator::NotIn
                    )
                {
                    rule.value = Value::Bool(true);
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

/// The own value of a box, where that is a word for "off".
pub fn off_value(field: &Field) -> Option<&str> {
    let own = field.attributes.get("value")?.trim();
    let is_box = AnswerKind::of(field) == AnswerKind::Toggle;
    (is_box && !own.is_empty() && !is_on(own)).then_some(own)
}

/// Whether conditions hold for a submission's data, as those of an action. What the data does not
/// have reads as empty.
pub fn hold_for_data(conditions: &[Condition], data: &Map<String, Value>) -> bool {
    all_hold(conditions, &|name, question| {
        let value = data.get(name).unwrap_or(&Value::Null);
        Some(question(&texts_of(value), AnswerKind::of_value(value)))
    })
}

/// What a rule asks about its field's answer.
type Question<'q> = &'q dyn Fn(&[String], AnswerKind) -> bool;

/// Puts a question to the answer of the field of that name; None when there is no such field.
type Ask<'a> = &'a dyn Fn(&str, Question<'_>) -> Option<bool>;

fn all_hold(conditions: &[Condition], ask: Ask<'_>) -> bool {
    let mut verdicts = conditions.iter().filter_map(|own| verdict(own, ask));
    verdicts.all(|holds| holds)
}

/// Whether one condition holds; None when there is nothing to evaluate.
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
            let verdicts = members.iter().filter_map(|own| verdict(own, ask));
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
