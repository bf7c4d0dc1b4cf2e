//! Builds this engine's conditions from rules.

use serde_json::{Map, Value};

use crate::values::{member, put, text, texts, values};

/// A rule about a field's answer.
pub fn rule(field: &str, operator: &str, value: &str) -> Value {
    let mut rule = texts(&[("field", field), ("operator", operator)]);
    if !matches!(
        operator,
        "is_empty" | "is_not_empty" | "checked" | "not_checked"
    ) {
        put(&mut rule, "value", Value::from(value));
    }
    Value::Object(rule)
}

/// Combines rules: a single rule stays, several become a group of `any` or `all`.
pub fn group(mode: &str, mut rules: Vec<Value>) -> Option<Value> {
    match rules.len() {
        0 => None,
        1 => rules.pop(),
        _ => {
            let mut group = Map::new();
            put(&mut group, mode, Value::Array(rules));
            Some(Value::Object(group))
        }
    }
}

/// Conditions that `show` or `hide`; `None` without rules.
pub fn conditions(action: &str, mode: &str, rules: Vec<Value>) -> Option<Value> {
    if rules.is_empty() {
        return None;
    }
    let mut made = texts(&[("action", action), ("match", mode)]);
    put(&mut made, "rules", Value::Array(rules));
    Some(Value::Object(made))
}

/// The rule under which conditions show something; `None` if it cannot be expressed.
pub fn met(conditions: &Value) -> Option<Value> {
    let rules = values(member(conditions, "rules")).into_iter();
    let made = group(text(conditions, "match"), rules.cloned().collect())?;
    if text(conditions, "action") == "hide" {
        return negated(&made);
    }
    Some(made)
}

/// Conditions of groups of rules: all rules of at least one group must be met.
pub fn any_of_all(action: &str, mut groups: Vec<Vec<Value>>) -> Option<Value> {
    groups.retain(|group| !group.is_empty());
    if groups.len() < 2 {
        return conditions(action, "all", groups.pop().unwrap_or_default());
    }
    let are_single = groups.iter().all(|group| group.len() == 1);
    let wrapped = |rules: Vec<Value>| {
        let mut group = Map::new();
        put(&mut group, "all", Value::Array(rules));
        Value::Object(group)
    };
    let rules = if are_single {
        groups.into_iter().flatten().collect()
    } else {
        groups.into_iter().map(wrapped).collect()
    };
    conditions(action, "any", rules)
}

/// The opposite of an operator, if it has one.
pub fn opposite(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "equals" => "not_equals",
        "not_equals" => "equals",
        "contains" => "not_contains",
        "not_contains" => "contains",
        "is_empty" => "is_not_empty",
        "is_not_empty" => "is_empty",
        "greater_than" => "less_or_equal",
        "less_or_equal" => "greater_than",
        "less_than" => "greater_or_equal",
        "greater_or_equal" => "less_than",
        "in" => "not_in",
        "not_in" => "in",
        "checked" => "not_checked",
        "not_checked" => "checked",
        _ => return None,
    })
}

/// The negation of a rule or group of rules; `None` if it cannot be expressed.
pub fn negated(rule: &Value) -> Option<Value> {
    for (mode, other) in [("any", "all"), ("all", "any")] {
        if let Some(Value::Array(rules)) = rule.get(mode) {
            let rules: Option<Vec<Value>> = rules.iter().map(negated).collect();
            return group(other, rules?);
        }
    }
    let operator = opposite(rule.get("operator")?.as_str()?)?;
    let mut negated = rule.as_object()?.clone();
    put(&mut negated, "operator", Value::from(operator));
    Some(Value::Object(negated))
}
