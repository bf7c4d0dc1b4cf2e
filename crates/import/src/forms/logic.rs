//! Converts expressions to rules.

use serde_json::Value;

use crate::values::put;

use super::builder::{Builder, rule_about};
use super::expressions::{Expr, parse};
use super::item::Item;
use super::maps;
use super::rules::{conditions, group, negated, rule};

/// Converts an expression to a rule. Unsupported parts of a conjunction are omitted and reported.
pub fn rule_of(
    form: &mut Builder<'_>,
    format: &str,
    expression: &str,
    place: &str,
) -> Option<Value> {
    if expression.trim().is_empty() {
        return None;
    }
    let Some(parsed) = parse(expression) else {
        form.note("condition", place, expression.trim());
        return None;
    };
    let parts = match parsed {
        Expr::All(parts) => parts,
        other => vec![other],
    };
    let made: Vec<Option<Value>> = parts.iter().map(|part| read(form, format, part)).collect();
    if made.iter().any(Option::is_none) {
        form.note("condition", place, expression.trim());
    }
    group("all", made.into_iter().flatten().collect())
}

/// Creates conditions from rules that must all be met.
pub fn all_of(rules: Vec<Value>) -> Option<Value> {
    if rules.len() == 1
        && let Some(Value::Array(any)) = rules.first().and_then(|rule| rule.get("any"))
    {
        return conditions("show", "any", any.clone());
    }
    let flat = rules.into_iter().flat_map(|rule| match rule.get("all") {
        Some(Value::Array(inner)) => inner.clone(),
        _ => vec![rule],
    });
    let mut once: Vec<Value> = Vec::new();
    for rule in flat {
        if !once.contains(&rule) {
            once.push(rule);
        }
    }
    conditions("show", "all", once)
}

fn read(form: &Builder<'_>, format: &str, expr: &Expr) -> Option<Value> {
    let several = |parts: &[Expr]| -> Option<Vec<Value>> {
        parts.iter().map(|part| read(form, format, part)).collect()
    };
    match expr {
        Expr::All(parts) => group("all", several(parts)?),
        Expr::Any(parts) => group("any", several(parts)?),
        Expr::Not(part) => negated(&read(form, format, part)?),
        Expr::Op(operator, left, right) => compared(form, format, operator, left, right.as_deref()),
        Expr::Call(name, given) if name == "selected" => match given.as_slice() {
            [Expr::Field(field), Expr::Text(value)] => {
                let item = form.find(field)?;
                let operator = if item.is_list() { "contains" } else { "equals" };
                Some(rule(&item.name, operator, item.value_of(value)))
            }
            _ => None,
        },
        Expr::Call(name, given) if name == "regex" => match given.as_slice() {
            [Expr::Field(field), Expr::Text(pattern)] => Some(rule(
                &form.find(field)?.name,
                "matches",
                pattern.trim_start_matches('^').trim_end_matches('$'),
            )),
            _ => None,
        },
        _ => None,
    }
}

fn compared(
    form: &Builder<'_>,
    format: &str,
    operator: &str,
    left: &Expr,
    right: Option<&Expr>,
) -> Option<Value> {
    let Expr::Field(field) = left else {
        return None;
    };
    let item = form.find(field)?;
    let value = match right {
        Some(Expr::List(items)) => return listed(item, operator, items),
        Some(Expr::Text(text)) if matches!(operator, "anyof" | "allof" | "noneof") => {
            return listed(item, operator, std::slice::from_ref(text));
        }
        Some(Expr::Text(text)) => text.as_str(),
        None => "",
        Some(_) => return None,
    };
    let operator = match operator {
        "!=" if format == "surveyjs" => "<>",
        "equal" => "=",
        "notequal" => "<>",
        other => other,
    };
    Some(rule_about(item, maps::operator(format, operator)?, value))
}

/// Creates a rule whose value is a list, for `in` and `not_in`.
fn one_of(item: &Item, operator: &str, values: &[&str]) -> Value {
    let mut made = rule(&item.name, operator, "");
    if let Some(members) = made.as_object_mut() {
        put(members, "value", Value::from(values));
    }
    made
}

/// Converts the comparison of a field with a list of values.
fn listed(item: &Item, operator: &str, values: &[String]) -> Option<Value> {
    let each = |operator: &str| {
        values
            .iter()
            .map(|value| rule(&item.name, operator, item.value_of(value)))
            .collect()
    };
    let in_one = !item.is_list();
    let all: Vec<&str> = values.iter().map(|value| item.value_of(value)).collect();
    match operator {
        "anyof" if in_one => Some(one_of(item, "in", &all)),
        "noneof" if in_one => Some(one_of(item, "not_in", &all)),
        "anyof" => group(
            "any",
            each(if item.is_list() { "contains" } else { "equals" }),
        ),
        "noneof" => group(
            "all",
            each(if item.is_list() {
                "not_contains"
            } else {
                "not_equals"
            }),
        ),
        "allof" => group("all", each("contains")),
        _ => None,
    }
}
