//! The dependencies between fields: the order in which fields are evaluated, and the cycles that no order can
//! satisfy.

use std::collections::BTreeMap;

use super::calc::fields::{expressions, find, names};
use crate::ordered;
use crate::{Condition, ConditionGroup, ConditionRule, Field, FormSchema};

/// The rules of a condition, at any depth.
pub fn rules_of(condition: &Condition) -> Vec<&ConditionRule> {
    let mut rules = Vec::new();
    let mut open = vec![condition];
    while let Some(condition) = open.pop() {
        match condition {
            Condition::Rule(rule) => rules.push(rule),
            Condition::Group {
                group: ConditionGroup::Any(members) | ConditionGroup::All(members),
                ..
            } => open.extend(members.iter().rev()),
        }
    }
    rules
}

/// The positions of a schema's fields by name. If two fields share a name, the first counts.
pub fn positions_by_name(schema: &FormSchema) -> BTreeMap<&str, usize> {
    let mut positions = BTreeMap::new();
    for (position, field) in schema.fields.iter().enumerate() {
        positions.entry(field.name.as_str()).or_insert(position);
    }
    positions
}

/// The container or fieldset that holds a field.
pub fn container_of(
    field: &Field,
    schema: &FormSchema,
    positions: &BTreeMap<&str, usize>,
) -> Option<usize> {
    let position = *positions.get(field.group.as_deref()?)?;
    let holder = schema.fields.get(position)?;
    holder.kind.holds_fields().then_some(position)
}

/// The dependencies of a schema's fields. A field depends on the fields in its conditions and expressions, and on its
/// container.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dependencies {
    /// The positions of all fields. Each field comes after the fields that it depends on.
    pub order: Vec<usize>,
    /// Each cycle of fields that depend on each other, by position, ascending.
    pub cycles: Vec<Vec<usize>>,
    /// The positions of the fields that each field depends on.
    pub deciders: Vec<Vec<usize>>,
}

impl Dependencies {
    /// Finds the dependencies of a schema's fields, in time proportional to the number of fields and rules.
    pub fn of(schema: &FormSchema) -> Dependencies {
        let deciders = deciders(schema);
        let (order, cycles) = strongly_connected(&deciders);
        Dependencies {
            order,
            cycles,
            deciders,
        }
    }

    /// The names along a cycle of fields, with the first name repeated at the end: `a → b → a`. A long cycle is
    /// abbreviated.
    pub fn name_cycle(&self, members: &[usize], schema: &FormSchema) -> String {
        let mut walked: Vec<usize> = Vec::new();
        let mut current = members.first().copied();
        while let Some(position) = current {
            let start = walked.iter().position(|seen| *seen == position);
            walked.push(position);
            if let Some(start) = start {
                walked.drain(..start);
                break;
            }
            let mut deciders = self.deciders.get(position).into_iter().flatten().copied();
            current = deciders.find(|next| members.binary_search(next).is_ok());
        }
        let fields = walked
            .iter()
            .filter_map(|position| schema.fields.get(*position));
        let mut names: Vec<&str> = fields.map(|field| field.name.as_str()).collect();
        if names.len() > MAX_SHOWN_NAMES {
            names.splice(MAX_SHOWN_NAMES - 2..names.len() - 1, ["…"]);
        }
        names.join(" → ")
    }
}

/// The maximum number of names of a cycle that are shown.
const MAX_SHOWN_NAMES: usize = 12;

/// The fields that each field depends on. References to unknown fields are ignored.
fn deciders(schema: &FormSchema) -> Vec<Vec<usize>> {
    let positions = positions_by_name(schema);
    let deciders = |field: &Field| {
        let rules = field.conditions.iter().flat_map(rules_of);
        let subjects = rules.filter_map(|rule| positions.get(rule.field.as_str()).copied());
        let container = container_of(field, schema, &positions);
        let mut deciders: Vec<usize> = subjects.chain(container).collect();
        for (_, tree) in expressions(field) {
            for name in tree.iter().flat_map(names) {
                let read = find(name, |name| positions.get(name).copied());
                deciders.extend(read.map(|(position, _)| position));
            }
        }
        deciders
    };
    schema.fields.iter().map(deciders).collect()
}

/// All nodes in topological order, each after its targets, and the cycles: the strongly connected components with an
/// edge inside (Kosaraju's algorithm).
fn strongly_connected(edges: &[Vec<usize>]) -> (Vec<usize>, Vec<Vec<usize>>) {
    let mut reversed = vec![Vec::new(); edges.len()];
    for (from, leads_to) in edges.iter().enumerate() {
        for to in leads_to {
            if let Some(sources) = reversed.get_mut(*to) {
                sources.push(from);
            }
        }
    }
    let mut is_seen = vec![false; edges.len()];
    let mut last_first = Vec::with_capacity(edges.len());
    for start in 0..edges.len() {
        visit(&reversed, start, &mut is_seen, &mut last_first);
    }
    is_seen.fill(false);
    let (mut order, mut cycles) = (Vec::with_capacity(edges.len()), Vec::new());
    for start in last_first.into_iter().rev() {
        let mut members = Vec::new();
        visit(edges, start, &mut is_seen, &mut members);
        if members.is_empty() {
            continue;
        }
        ordered::sort_by(&mut members, Ord::cmp);
        order.extend(&members);
        let leads_to_itself = edges
            .get(start)
            .is_some_and(|targets| targets.contains(&start));
        if members.len() > 1 || leads_to_itself {
            cycles.push(members);
        }
    }
    ordered::sort_by(&mut cycles, Ord::cmp);
    (order, cycles)
}

/// Adds a node and all unseen nodes that it leads to, each after its targets. The walk is iterative: a chain of
/// 10,000 fields must not overflow the stack.
fn visit(edges: &[Vec<usize>], start: usize, is_seen: &mut [bool], visited: &mut Vec<usize>) {
    let mut next = Some(start);
    let mut path = Vec::new();
    loop {
        if let Some(node) = next
            && let Some(seen @ false) = is_seen.get_mut(node)
        {
            *seen = true;
            path.push((node, edges.get(node).into_iter().flatten()));
        }
        let Some((node, leads_to)) = path.last_mut() else {
            return;
        };
        next = leads_to.next().copied();
        if next.is_none() {
            visited.push(*node);
            path.pop();
        }
    }
}
