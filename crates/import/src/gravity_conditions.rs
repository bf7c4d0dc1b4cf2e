//! The conditions of Gravity Forms' fields and notifications.

use serde_json::{Value, json};

use super::gravity_fields::Names;
use super::{Report, text, values};

/// Conditions, of a field or an action; `None` where there are none that carry over.
pub fn conditions(
    logic: Option<&Value>,
    names: &Names,
    place: &str,
    report: &mut Report,
) -> Option<Value> {
    let logic = logic.filter(|logic| logic.is_object())?;
    let mut rules = Vec::new();
    for rule in values(logic.get("rules")) {
        let id = text(rule, "fieldId");
        let whole = id.split('.').next().unwrap_or_default();
        let operator = match text(rule, "operator").as_str() {
            "is" => "equals",
            "isnot" => "not_equals",
            ">" => "greater_than",
            "<" => "less_than",
            "contains" => "contains",
            "starts_with" => "starts_with",
            "ends_with" => "ends_with",
            _ => "",
        };
        match names.get(whole) {
            Some(field) if !operator.is_empty() => {
                rules.push(json!({"field": field.name, "operator": operator, "value": text(rule, "value")}));
            }
            _ => report.note(
                "condition",
                place,
                ["A condition on the field ", &id, " is left out."].concat(),
            ),
        }
    }
    if rules.is_empty() {
        return None;
    }
    let action = if text(logic, "actionType") == "hide" {
        "hide"
    } else {
        "show"
    };
    let matches = if text(logic, "logicType") == "any" {
        "any"
    } else {
        "all"
    };
    Some(json!({"action": action, "match": matches, "rules": rules}))
}
