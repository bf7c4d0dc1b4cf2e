//! Repeating groups: fieldsets with `data-repeat`, whose fields visitors answer once for each row. The answer is
//! stored as a list with an object for each row. `guests[0][who]` is the input of the field `who` in the first row of
//! the group `guests`.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::field_kinds::Control;
use crate::{Condition, ConditionGroup, Field, FormSchema};

/// The attribute of a repeating group: the text of the button that adds a row.
pub const REPEAT: &str = "data-repeat";

/// The largest maximum number of rows that a group can set.
pub const MAX_ROWS: usize = 100;

/// The maximum number of rows of a group that sets no maximum.
const DEFAULT_MAX_ROWS: usize = 20;

/// The maximum number of fields in a group: the fields of a row, times the maximum number of rows.
pub const MAX_ROW_FIELDS: usize = 10_000;

/// The deepest nesting of containers in a row.
const MAX_DEPTH: usize = 20;

/// The repeating group of each field in a row, by the field's name.
pub type RowGroups<'s> = BTreeMap<&'s str, &'s Field>;

impl Field {
    /// Whether the field is a repeating group.
    pub fn is_repeat(&self) -> bool {
        self.kind.facts().control == Control::Fieldset && self.attributes.contains_key(REPEAT)
    }

    /// The minimum and maximum number of rows of a repeating group.
    pub fn row_limits(&self) -> (usize, usize) {
        let (min, max) = self.validation.bounds();
        #[expect(clippy::cast_possible_truncation, reason = "saturates")]
        #[expect(clippy::cast_sign_loss, reason = "saturates at 0")]
        let count = |bound: f64| bound as usize;
        let max = max.map_or(DEFAULT_MAX_ROWS, count).clamp(1, MAX_ROWS);
        (min.map_or(0, |min| count(min.ceil())).min(max), max)
    }

    /// Whether a submission's data can have an answer under the field's name, unless the field is in a row.
    pub fn takes_answer(&self) -> bool {
        self.kind.captures_value() || self.is_repeat()
    }
}

impl FormSchema {
    /// Finds the repeating group of each field in a row. Fields outside of repeating groups are left out.
    pub fn row_groups(&self) -> RowGroups<'_> {
        let mut groups = RowGroups::new();
        if !self.fields.iter().any(Field::is_repeat) {
            return groups;
        }
        let mut holders: BTreeMap<&str, &Field> = BTreeMap::new();
        for field in &self.fields {
            holders.entry(&field.name).or_insert(field);
        }
        holders.retain(|_, field| field.kind.holds_fields());
        for field in &self.fields {
            let mut around = field;
            for _ in 0..MAX_DEPTH {
                let holder = around.group.as_deref();
                let Some(holder) = holder.and_then(|name| holders.get(name).copied()) else {
                    break;
                };
                if holder.is_repeat() {
                    groups.insert(&field.name, holder);
                    break;
                }
                around = holder;
            }
        }
        groups
    }

    /// The fields in a group's rows that take an answer, in the order of the schema.
    pub fn columns<'s>(&'s self, groups: &RowGroups<'_>, group: &str) -> Vec<&'s Field> {
        let is_column = |field: &&Field| {
            let of = groups.get(field.name.as_str());
            field.kind.captures_value() && of.is_some_and(|of| of.name == group)
        };
        self.fields.iter().filter(is_column).collect()
    }

    /// The values of a field in a submission's data. A field in rows has a value for each row.
    pub fn values_of<'v>(
        &self,
        groups: &RowGroups<'_>,
        name: &str,
        answer: &dyn Fn(&str) -> Option<&'v Value>,
    ) -> Vec<&'v Value> {
        match groups.get(name) {
            None => answer(name).into_iter().collect(),
            Some(group) => {
                let rows = answer(&group.name).and_then(Value::as_array);
                let rows = rows.into_iter().flatten();
                rows.filter_map(|row| row.get(name)).collect()
            }
        }
    }
}

/// The name of a field's input in a row.
pub fn row_name(group: &str, row: &str, column: &str) -> String {
    [group, "[", row, "][", column, "]"].concat()
}

/// Copies a field for one row. The copy has the name of its input in the row, and its conditions refer to the same
/// row.
pub fn in_row(field: &Field, groups: &RowGroups<'_>, group: &str, row: &str) -> Field {
    let mut clone = field.clone();
    clone.name = row_name(group, row, &field.name);
    clone.attributes.remove("id");
    clone.group = clone.group.map(|around| match groups.get(around.as_str()) {
        Some(_) => row_name(group, row, &around),
        None => [group, "[", row, "]"].concat(),
    });
    refer_to_row(&mut clone.conditions, groups, group, row);
    clone
}

fn refer_to_row(conditions: &mut [Condition], groups: &RowGroups<'_>, group: &str, row: &str) {
    for condition in conditions {
        match condition {
            Condition::Rule(rule) => {
                let of = groups.get(rule.field.as_str());
                if of.is_some_and(|of| of.name == group) {
                    rule.field = row_name(group, row, &rule.field);
                }
            }
            Condition::Group {
                group: ConditionGroup::Any(members) | ConditionGroup::All(members),
                ..
            } => refer_to_row(members, groups, group, row),
        }
    }
}
