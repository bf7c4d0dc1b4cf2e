//! Converts jumps to conditions: a question is shown when a path reaches it.

use serde_json::Value;

use super::builder::Builder;
use super::rules::{conditions, group, negated, rule};

/// The target of a jump to the end.
pub const END: usize = usize::MAX;

/// A jump over fields, by indexes in the form's items.
#[derive(Clone, Debug)]
pub struct Jump {
    /// The last field before the jump.
    pub from: usize,
    /// The first field after the jump.
    pub to: usize,
    /// The rule under which the jump happens; `None` for an unconditional jump.
    pub when: Option<Value>,
}

/// Sets the conditions of fields that jumps skip. A conditional jump hides them. After an unconditional jump, they are
/// shown only if another jump leads to them.
pub fn apply(form: &mut Builder<'_>, jumps: &[Jump]) {
    for position in 0..form.items.len() {
        let mut rules: Vec<Value> = Vec::new();
        for jump in jumps
            .iter()
            .filter(|jump| jump.from < position && position < jump.to)
        {
            let made = match &jump.when {
                Some(when) => negated_in(form, when),
                None => group("any", landings(jumps, jump.from, position)),
            };
            rules.extend(made.filter(|rule| !rules.contains(rule)));
        }
        if let Some(item) = form.items.get_mut(position)
            && item.group.is_empty()
            && item.kind != "hidden"
            && let Some(made) = conditions("show", "all", rules)
        {
            item.conditions = Some(made);
        }
    }
}

/// The rules of the jumps that skip the field at `from` and land after it, at `position` or earlier.
fn landings(jumps: &[Jump], from: usize, position: usize) -> Vec<Value> {
    let lands = |jump: &&Jump| jump.from < from && from < jump.to && jump.to <= position;
    jumps
        .iter()
        .filter(lands)
        .filter_map(|jump| jump.when.clone())
        .collect()
}

/// The negation of a rule; for a yes-or-no question, a rule about the other answer.
fn negated_in(form: &Builder<'_>, when: &Value) -> Option<Value> {
    let text = |name: &str| when.get(name).and_then(Value::as_str);
    if let (Some(field), Some("equals"), Some(value)) =
        (text("field"), text("operator"), text("value"))
    {
        let item = form.items.iter().find(|item| item.name == field)?;
        let values: Vec<&str> = item
            .choices
            .iter()
            .map(|choice| choice.value.as_str())
            .collect();
        if values == ["yes", "no"] {
            return Some(rule(
                field,
                "equals",
                if value == "yes" { "no" } else { "yes" },
            ));
        }
    }
    negated(when)
}
