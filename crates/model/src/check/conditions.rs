//! Reads conditions from a client's JSON.

use serde_json::Value;

use super::super::condition::{
    Condition, ConditionAction, ConditionGroup, ConditionRule, Operator,
};
use super::super::fault::FaultCode;
use super::super::field::{MAX_NAME_CHARS, MAX_TEXT_CHARS};
use super::super::given::Given;
use super::validation::sentence;
use crate::logic::calendar::parse_moment;
use crate::logic::number::parse_number;
use crate::logic::pattern::Pattern;

/// The deepest nesting of groups.
pub const MAX_DEPTH: usize = 16;

/// The maximum number of rules of one field or action, in all of its groups.
pub const MAX_RULES: usize = 1_000;

/// Reads conditions into a list whose members must all hold. A client may send that list, a single rule or group, or
/// `{action, match, rules}`, where `match` is `all` (the default) or `any`.
pub(in super::super) fn read_conditions(given: &Given<'_>) -> Vec<Condition> {
    let mut reader = Reader { rules: 0 };
    match given.value.as_object() {
        Some(members) if members.is_empty() => Vec::new(),
        Some(members) if members.contains_key("rules") => reader.read_object_form(given),
        Some(_) => reader.read_condition(given, 1).into_iter().collect(),
        None => reader.read_list(given, 1),
    }
}

struct Reader {
    /// The number of rules so far.
    rules: usize,
}

impl Reader {
    fn read_object_form(&mut self, given: &Given<'_>) -> Vec<Condition> {
        given.reject_unknown(&["action", "match", "rules"]);
        let action = read_action(given);
        let is_any = given.member("match");
        let is_any = is_any.and_then(|word| word.choice([("all", false), ("any", true)]));
        let is_any = is_any.unwrap_or_default();
        let rules = given.needed("rules", "This must be an array.");
        // The rules may become members of a group.
        let rules = rules.map(|rules| self.read_list(&rules, 2));
        let rules = rules.unwrap_or_default();
        if rules.is_empty() || (action == ConditionAction::Show && !is_any) {
            return rules;
        }
        let group = group(is_any, rules);
        vec![Condition::Group { group, action }]
    }

    fn read_list(&mut self, given: &Given<'_>, depth: usize) -> Vec<Condition> {
        let items = given.items(MAX_RULES);
        items
            .filter_map(|item| self.read_condition(&item, depth))
            .collect()
    }

    fn read_condition(&mut self, given: &Given<'_>, depth: usize) -> Option<Condition> {
        given.object()?;
        let (any, all) = (given.member("any"), given.member("all"));
        let is_any = any.is_some();
        let Some(list) = any.or(all) else {
            return self.read_rule(given).map(Condition::Rule);
        };
        given.reject_unknown(&["action", if is_any { "any" } else { "all" }]);
        if depth > MAX_DEPTH {
            let message = format!("Groups may nest {MAX_DEPTH} deep.");
            list.fault(FaultCode::TooManyItems, message);
            return None;
        }
        if list.value.as_array().is_some_and(Vec::is_empty) {
            list.fault(FaultCode::TooFewItems, "A group needs a rule.");
        }
        Some(Condition::Group {
            group: group(is_any, self.read_list(&list, depth + 1)),
            action: read_action(given),
        })
    }

    fn read_rule(&mut self, given: &Given<'_>) -> Option<ConditionRule> {
        self.rules += 1;
        if self.rules > MAX_RULES {
            let message = format!("There may be at most {MAX_RULES} rules.");
            given.fault(FaultCode::TooManyItems, message);
            return None;
        }
        given.reject_unknown(&["field", "operator", "value", "action"]);
        let message = "A rule needs the name of a field, or `any` or `all` with a list.";
        let field = given.needed("field", message);
        let field = field.and_then(|name| name.text(MAX_NAME_CHARS));
        let operator = given.needed("operator", "A rule needs an operator.");
        let operators = Operator::ALL.map(Operator::as_str);
        let operator = operator.and_then(|word| word.word(Operator::read, &operators));
        let action = read_action(given);
        let (field, operator) = (field?, operator?);
        Some(ConditionRule {
            field,
            operator,
            value: read_operand(operator, given)?,
            action,
        })
    }
}

fn group(is_any: bool, members: Vec<Condition>) -> ConditionGroup {
    if is_any {
        ConditionGroup::Any(members)
    } else {
        ConditionGroup::All(members)
    }
}

fn read_action(given: &Given<'_>) -> ConditionAction {
    let words = [
        ("show", ConditionAction::Show),
        ("hide", ConditionAction::Hide),
    ];
    let action = given.member("action").and_then(|word| word.choice(words));
    action.unwrap_or_default()
}

/// Reads the value to compare with, which must have the type that the operator needs.
fn read_operand(operator: Operator, rule: &Given<'_>) -> Option<Value> {
    if !operator.takes_value() {
        return Some(Value::Null);
    }
    let operand = rule.needed("value", "This operator needs a value to compare with.")?;
    if operator.takes_list() {
        return Some(if operand.value.is_array() {
            let items = operand.items(MAX_RULES);
            items.filter_map(|item| read_scalar(&item)).collect()
        } else {
            Value::Array(vec![read_scalar(&operand)?])
        });
    }
    let value = read_scalar(&operand)?;
    let text = value.as_str();
    let is_moment = || text.and_then(parse_moment).is_some();
    let is_number = || text.is_none_or(|text| parse_number(text).is_some());
    let fault = match operator {
        Operator::Matches => {
            let pattern = text.map(Pattern::of);
            let error = pattern.and_then(Result::err);
            error.map(|error| sentence(&error))
        }
        Operator::Before | Operator::After if !is_moment() => {
            Some("This must be a date (YYYY-MM-DD), a time, or both.".to_owned())
        }
        _ if operator.compares_sizes() && !is_number() && !is_moment() => {
            Some("This must be a number or a date.".to_owned())
        }
        _ => None,
    };
    match fault {
        Some(fault) => operand.fault(FaultCode::InvalidPattern, fault),
        None => return Some(value),
    }
    None
}

fn read_scalar(given: &Given<'_>) -> Option<Value> {
    match given.value {
        Value::String(_) => given.text(MAX_TEXT_CHARS).map(Value::from),
        Value::Number(_) | Value::Bool(_) => Some(given.value.clone()),
        _ => {
            let message = "This must be a string, a number or a boolean.";
            given.found(None, FaultCode::InvalidType, message)
        }
    }
}
