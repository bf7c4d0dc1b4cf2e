//! Conditions in attributes: the two published grammars of `data-show-if` and `data-hide-if`.
//!
//! | written | means |
//! |---|---|
//! | `field=value`, `field:value` | equals |
//! | `field=v1\|v2`, `field:v1\|v2` | is one of these |
//! | `field=*`, `field:*`, `field` | is not empty |
//! | `field:`, `field=` | is empty |
//!
//! Conditions that these grammars cannot represent are in `data-cf-conditions`, as the same JSON as in the schema.

use serde_json::Value;

use crate::check::{MAX_RULES, MAX_TEXT_CHARS, parse_conditions};
use crate::{Condition, ConditionAction, ConditionGroup, ConditionRule, Operator};

/// Reads `data-cf-conditions`; returns `None` for conditions that the API would reject.
pub fn read_exact(text: &str) -> Option<Vec<Condition>> {
    let value: Value = serde_json::from_str(text).ok()?;
    parse_conditions(&value).ok()
}

/// Counts the rules in all groups.
pub fn count(conditions: &[Condition]) -> usize {
    conditions
        .iter()
        .map(|condition| match condition {
            Condition::Rule(_) => 1,
            Condition::Group { group, .. } => {
                let (ConditionGroup::Any(members) | ConditionGroup::All(members)) = group;
                count(members)
            }
        })
        .sum()
}

/// The name of the field that `data-show-if` or `data-hide-if` refers to.
pub fn subject(text: &str) -> &str {
    let field = text.split([':', '=']).next().unwrap_or_default().trim();
    field.strip_suffix("[]").unwrap_or(field)
}

/// Reads `data-show-if` or `data-hide-if`; returns `None` if the field's name is missing, or if the text exceeds a
/// condition's limits.
pub fn read(text: &str, action: ConditionAction) -> Option<Condition> {
    let text = text.trim();
    let (field, value) = match text.find([':', '=']) {
        Some(at) => (text.get(..at)?, text.get(at + 1..)?),
        None => (text, "*"),
    };
    let field = subject(field);
    if field.is_empty()
        || value.chars().count() > MAX_TEXT_CHARS
        || value.matches('|').count() >= MAX_RULES
    {
        return None;
    }
    let (operator, value) = match value {
        "*" => (Operator::IsNotEmpty, Value::Null),
        "" => (Operator::IsEmpty, Value::Null),
        _ if value.contains('|') => (
            Operator::In,
            value.split('|').map(Value::from).collect::<Value>(),
        ),
        _ => (Operator::Equals, Value::from(value)),
    };
    Some(Condition::Rule(ConditionRule {
        field: field.to_owned(),
        operator,
        value,
        action,
    }))
}

/// The attribute's name and text for one condition; `None` if the grammars cannot represent it.
pub fn write(condition: &Condition) -> Option<(&'static str, String)> {
    let Condition::Rule(rule) = condition else {
        return None;
    };
    let value = match (rule.operator, &rule.value) {
        (Operator::IsNotEmpty, Value::Null) => "*".to_owned(),
        (Operator::IsEmpty, Value::Null) => String::new(),
        (Operator::Equals, Value::String(value)) => value.clone(),
        (Operator::In, Value::Array(values)) => {
            let values: Option<Vec<&str>> = values.iter().map(Value::as_str).collect();
            values?.join("|")
        }
        _ => return None,
    };
    let name = match rule.action {
        ConditionAction::Show => "data-show-if",
        ConditionAction::Hide => "data-hide-if",
    };
    let text = format!("{}={value}", rule.field);
    (read(&text, rule.action).as_ref() == Some(condition)).then_some((name, text))
}
