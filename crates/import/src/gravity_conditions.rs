//! The conditions of Gravity Forms' fields and notifications.

use serde_json::{Value, json};

use super::gravity_fields::Names;
use super::{Report, counterpart, text, values};

const OPERATORS: [(&str, &str); 7] = [
    ("is", "equals"),
    ("isnot", "not_equals"),
    (">", "greater_than"),
    ("<", "less_than"),
    ("contains", "contains"),
    ("starts_with", "starts_with"),
    ("ends_with", "ends_with"),
];

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
        match (
            names.get(whole),
            counterpart(&OPERATORS, &text(rule, "operator")),
        ) {
            (Some(field), Some(operator)) => {
                rules.push(json!({"field": field.name, "operator": operator, "value": text(rule, "value")}));
            }
            _ => {
                let message = ["A condition on the field ", &id, " is left out."].concat();
                report.note("condition", place, &message);
            }
        }
    }
    if rules.is_empty() {
        return None;
    }
    let is_hide = text(logic, "actionType") == "hide";
    let is_any = text(logic, "logicType") == "any";
    Some(json!({
        "action": if is_hide { "hide" } else { "show" },
        "match": if is_any { "any" } else { "all" },
        "rules": rules,
    }))
}
