//! Which fields decide about which: the order in which conditions are evaluated, and the cycles
//! that no order can satisfy.

use std::collections::BTreeMap;

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

/// The positions of a schema's fields by name. Of two fields of one name the first counts.
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
    let holds = schema
        .fields
        .get(position)
        .is_some_and(|holder| holder.kind.holds_fields());
    holds.then_some(position)
}

/// The order of a schema's fields in which each follows the fields that decide about it: the
/// subjects of its conditions and its container.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dependencies {
    /// The positions of all fields, deciding ones first.
    pub order: Vec<usize>,
    /// Each set of fields that decide about each other, by position, ascending.
    pub cycles: Vec<Vec<usize>>,
    /// For each field the positions of the fields that decide about it.
    pub deciders: Vec<Vec<usize>>,
}

impl Dependencies {
    /// The dependencies of a schema's fields, in time proportional to the fields and rules.
    pub fn of(schema: &FormSchema) -> Dependencies {
        let deciders = deciders(schema);
        let (order, cycles) = strongly_connected(&deciders);
        Dependencies {
            order,
            cycles,
            deciders,
        }
    }

    /// The names along one cycle among fields that decide about each other, the first repeated
    /// at the end: `a → b → a`. A long one is told in part.
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
            current = self.deciders.get(position).and_then(|out| {
                out.iter()
                    .copied()
                    .find(|next| members.binary_search(next).is_ok())
            });
        }
        let mut names: Vec<&str> = walked
            .iter()
            .filter_map(|position| schema.fields.get(*position))
            .map(|field| field.name.as_str())
            .collect();
        if names.len() > NAMES_TOLD {
            names.splice(NAMES_TOLD - 2..names.len() - 1, ["…"]);
        }
        names.join(" → ")
    }
}

/// How many names of a cycle are told.
const NAMES_TOLD: usize = 12;

/// The deciders of each field. Names that refer to nothing are left out.
fn deciders(schema: &FormSchema) -> Vec<Vec<usize>> {
    let positions = positions_by_name(schema);
    schema
        .fields
        .iter()
        .map(|field| {
            let subjects = field
                .conditions
                .iter()
                .flat_map(rules_of)
                .filter_map(|rule| positions.get(rule.field.as_str()).copied());
            subjects
                .chain(container_of(field, schema, &positions))
                .collect()
        })
        .collect()
}

/// Tarjan's algorithm with its own stack, since a chain of 10,000 fields must not overflow the
/// machine's. Components come out with what they depend on first.
fn strongly_connected(edges: &[Vec<usize>]) -> (Vec<usize>, Vec<Vec<usize>>) {
    let mut order = Vec::with_capacity(edges.len());
    let mut cycles = Vec::new();
    let mut nodes = vec![Node::default(); edges.len()];
    let mut open: Vec<usize> = Vec::new();
    let mut count = 0;
    for root in 0..edges.len() {
        let mut path = vec![root];
        while let Some(&current) = path.last() {
            let Some(node) = nodes.get_mut(current) else {
                break;
            };
            if node.number == 0 {
                count += 1;
                node.number = count;
                node.lowest = count;
                node.open = true;
                open.push(current);
            }
            let next = edges.get(current).and_then(|out| out.get(node.next_edge));
            if let Some(&next) = next {
                node.next_edge += 1;
                let target = nodes.get(next).cloned().unwrap_or_default();
                if target.number == 0 {
                    path.push(next);
                } else if target.open {
                    lower(&mut nodes, current, target.number);
                }
                continue;
            }
            path.pop();
            let (number, lowest) = (node.number, node.lowest);
            if let Some(&parent) = path.last() {
                lower(&mut nodes, parent, lowest);
            }
            if number == lowest {
                let members = close(current, &mut open, &mut nodes);
                let decides_itself = edges.get(current).is_some_and(|out| out.contains(&current));
                order.extend(&members);
                if members.len() > 1 || decides_itself {
                    cycles.push(members);
                }
            }
        }
    }
    (order, cycles)
}

#[derive(Clone, Debug, Default)]
struct Node {
    number: usize,
    lowest: usize,
    open: bool,
    next_edge: usize,
}

fn lower(nodes: &mut [Node], position: usize, number: usize) {
    if let Some(node) = nodes.get_mut(position) {
        node.lowest = node.lowest.min(number);
    }
}

/// Takes a finished component off the stack.
fn close(root: usize, open: &mut Vec<usize>, nodes: &mut [Node]) -> Vec<usize> {
    let start = open.iter().rposition(|member| *member == root).unwrap_or(0);
    let mut members = open.split_off(start);
    for &member in &members {
        if let Some(node) = nodes.get_mut(member) {
            node.open = false;
        }
    }
    ordered::sort_by(&mut members, Ord::cmp);
    members
}
