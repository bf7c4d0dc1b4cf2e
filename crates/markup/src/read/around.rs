//! Finds the rendered fieldset, the conditions and the group that a field gets from the elements around its item.

use super::fields::Builder;
use super::items::{Item, ItemKind, Link};
use super::layout;
use crate::conditions;
use crate::html::entities::decode_attribute;
use crate::html::text::collapse;
use crate::warnings::WarningCode;
use model::Condition;
use model::check::{MAX_NAME_CHARS, MAX_RULES};

/// The maximum number of rules of all fields together: each field within an element gets a copy of its rules.
const MAX_RULES_OF_ALL: usize = 50 * MAX_RULES;

impl<'i> Builder<'i, '_> {
    /// The field of the rendered fieldset ([`ItemKind::Scope`]) around a control.
    pub(super) fn scope_of(&self, item: &Item) -> Option<usize> {
        let parent = item.parent.get()?;
        let is_scope = matches!(self.items.list.get(parent)?.kind, ItemKind::Scope(_));
        is_scope.then(|| self.field_of(parent))?
    }

    /// The field of an item that may contain other fields.
    fn field_of(&self, item: usize) -> Option<usize> {
        let known = &self.fields_of_items;
        let found = known.binary_search_by_key(&item, |(item, _)| *item).ok()?;
        known.get(found).map(|(_, field)| *field)
    }

    /// The fieldset or role group at an index, if it belongs to one set of choices.
    pub(super) fn set_owner(&self, group: Link) -> Option<&'i Item> {
        group
            .of(&self.items.list)
            .filter(|group| group.holds_one_set)
    }

    /// Adds the rules of the element `of`, after those of the elements around it.
    pub(super) fn add_conditions(&mut self, conditions: &mut Vec<Condition>, of: Link) {
        let source = of.of(&self.items.conditions);
        let Some(source) = source.filter(|_| self.rule_count <= MAX_RULES_OF_ALL) else {
            return;
        };
        self.add_conditions(conditions, source.outer);
        let count = conditions::count(&source.rules);
        self.rule_count += count + 1;
        let fits = conditions::count(conditions) + count <= MAX_RULES
            && self.rule_count <= MAX_RULES_OF_ALL;
        if fits {
            conditions.extend_from_slice(&source.rules);
        }
        if !fits || !source.is_whole {
            let message = "A condition is left out: it cannot be read, or there are too many.";
            let (code, offset) = (WarningCode::ConditionDropped, source.offset as usize);
            self.warnings.add(code, offset, message);
        }
    }

    /// The name of an item's group: the nearest stated name, or else that of the enclosing container or fieldset, or
    /// else the step's id.
    pub(super) fn group_of(&self, item: &Item) -> Option<String> {
        let mut around = item;
        loop {
            if let Some(group) = around.group.get() {
                let group = decode_attribute(self.items.groups.get(group)?);
                let fits = |group: &String| (1..=MAX_NAME_CHARS).contains(&group.chars().count());
                return Some(collapse(&group)).filter(fits);
            }
            let Some(parent) = around.parent.get() else {
                break;
            };
            if let Some(field) = self.field_of(parent) {
                return self.fields.get(field).map(|field| field.name.clone());
            }
            around = self.items.list.get(parent)?;
        }
        let step = around.step.of(&self.items.steps)?;
        layout::step_id(step).filter(|_| !step.is_rendered)
    }
}
