//! Reading conditions.

use serde_json::{Map, Value};

use super::super::condition::{
    Condition, ConditionAction, ConditionGroup, ConditionRule, Operator,
};
use super::super::fault::{At, FaultCode, Faults};
use super::field::{MAX_NAME_CHARS, MAX_TEXT_CHARS};
use super::validation::sentence;
use crate::logic::calendar::parse_moment;
use crate::logic::number::parse_number;
use crate::logic::pattern::Pattern;

/// How deep groups may nest.
pub const MAX_DEPTH: usize = 16;

/// The most rules of one field or action, in all of its groups.
pub const MAX_RULES: usize = 1_000;

/// Reads conditions: a list, of which all must hold, or `{action, match, rules}` (`match` is
/// `all`, the default, or `any`), which becomes such a list. One rule or group alone is a list of
/// one.
pub(in super::super) fn read_conditions(
    value: &Value,
    at: &At<'_>,
    faults: &mut Faults,
) -> Vec<Condition> {
    let mut reader = Reader { faults, rules: 0 };
    match value.as_object() {
        Some(members) if members.is_empty() => Vec::new(),
        Some(members) if members.contains_key("rules") => reader.read_object_form(members, at),
        Some(_) => reader.read_condition(value, at, 1).into_iter().collect(),
        None => reader.read_list(value, at, 1),
    }
}

struct Reader<'f> {
    faults: &'f mut Faults,
    rules: usize,
}

impl Reader<'_> {
    fn read_object_form(&mut self, members: &Map<String, Value>, at: &At<'_>) -> Vec<Condition> {
        self.refuse_others(members, &["action", "match", "rules"], at);
        let action = self.read_action(members, at);
        let any = match members.get("match").map(Value::as_str) {
            None | Some(Some("all")) => false,
            Some(Some("any")) => true,
            Some(_) => {
                let at = at.member("match");
                self.faults
                    .add(&at, FaultCode::NotInEnum, "This must be `all` or `any`.");
                false
            }
        };
        let rules = members.get("rules").unwrap_or(&Value::Null);
        let rules = self.read_list(rules, &at.member("rules"), 1);
        if rules.is_empty() || (action == ConditionAction::Show && !any) {
            return rules;
        }
        let group = if any {
            ConditionGroup::Any(rules)
        } else {
            ConditionGroup::All(rules)
        };
        vec![Condition::Group { group, action }]
    }

    fn read_list(&mut self, value: &Value, at: &At<'_>, depth: usize) -> Vec<Condition> {
        let list = self.faults.list(value, at, MAX_RULES).unwrap_or_default();
        list.iter()
            .enumerate()
            .filter_map(|(index, value)| self.read_condition(value, &at.item(index), depth))
            .collect()
    }

    fn read_condition(&mut self, value: &Value, at: &At<'_>, depth: usize) -> Option<Condition> {
        let members = self.faults.object(value, at)?;
        let any = members.get("any").map(|list| ("any", list));
        let Some((name, list)) = any.or_else(|| members.get("all").map(|list| ("all", list)))
        else {
            return self.read_rule(members, at).map(Condition::Rule);
        };
        self.refuse_others(members, &["action", name], at);
        let at_list = at.member(name);
        if depth >= MAX_DEPTH {
            self.faults.add(
                &at_list,
                FaultCode::TooManyItems,
                format!("Groups may nest {MAX_DEPTH} deep."),
            );
            return None;
        }
        if list.as_array().is_some_and(Vec::is_empty) {
            self.faults
                .add(&at_list, FaultCode::TooFewItems, "A group needs a rule.");
        }
        let members_of_group = self.read_list(list, &at_list, depth + 1);
        Some(Condition::Group {
            group: if name == "any" {
                ConditionGroup::Any(members_of_group)
            } else {
                ConditionGroup::All(members_of_group)
            },
            action: self.read_action(members, at),
        })
    }

    fn read_rule(&mut self, members: &Map<String, Value>, at: &At<'_>) -> Option<ConditionRule> {
        self.rules += 1;
        if self.rules > MAX_RULES {
            self.faults.add(
                at,
                FaultCode::TooManyItems,
                format!("There may be at most {MAX_RULES} rules."),
            );
            return None;
        }
        self.refuse_others(members, &["field", "operator", "value", "action"], at);
        let field = self.read_subject(members, at);
        let operator = self.read_operator(members, at);
        let action = self.read_action(members, at);
        let (field, operator) = (field?, operator?);
        let value = self.read_operand(operator, members.get("value"), &at.member("value"))?;
        Some(ConditionRule {
            field,
            operator,
            value,
            action,
        })
    }

    fn read_subject(&mut self, members: &Map<String, Value>, at: &At<'_>) -> Option<String> {
        let at = at.member("field");
        let Some(value) = members.get("field") else {
            let message = "A rule needs the name of a field, or `any` or `all` with a list.";
            self.faults.add(&at, FaultCode::PropertyRequired, message);
            return None;
        };
        self.faults.text(value, &at, MAX_NAME_CHARS)
    }

    fn read_operator(&mut self, members: &Map<String, Value>, at: &At<'_>) -> Option<Operator> {
        let at = at.member("operator");
        let Some(value) = members.get("operator") else {
            let message = "A rule needs an operator.";
            self.faults.add(&at, FaultCode::PropertyRequired, message);
            return None;
        };
        let Some(name) = value.as_str() else {
            self.faults
                .add(&at, FaultCode::InvalidType, "This must be a string.");
            return None;
        };
        let operator = Operator::parse(name);
        if operator.is_none() {
            let names = Operator::ALL.map(Operator::as_str).join(", ");
            let message = format!("This must be one of {names}.");
            self.faults.add(&at, FaultCode::NotInEnum, message);
        }
        operator
    }

    fn read_action(&mut self, members: &Map<String, Value>, at: &At<'_>) -> ConditionAction {
        match members.get("action").map(Value::as_str) {
            None | Some(Some("show")) => ConditionAction::Show,
            Some(Some("hide")) => ConditionAction::Hide,
            Some(_) => {
                let at = at.member("action");
                self.faults
                    .add(&at, FaultCode::NotInEnum, "This must be `show` or `hide`.");
                ConditionAction::Show
            }
        }
    }

    /// The value to compare with, of the kind that the operator needs.
    fn read_operand(
        &mut self,
        operator: Operator,
        value: Option<&Value>,
        at: &At<'_>,
    ) -> Option<Value> {
        if !operator.takes_value() {
            return Some(Value::Null);
        }
        let Some(value) = value.filter(|value| !value.is_null()) else {
            self.faults.add(
                at,
                FaultCode::PropertyRequired,
                "This operator needs a value to compare with.",
            );
            return None;
        };
        if operator.takes_list() {
            let single = [value.clone()];
            let list = match value {
                Value::Array(_) => self.faults.list(value, at, MAX_RULES)?,
                _ => &single,
            };
            let list: Option<Vec<Value>> = list
                .iter()
                .enumerate()
                .map(|(index, value)| self.read_scalar(value, &at.item(index)))
                .collect();
            return list.map(Value::Array);
        }
        let value = self.read_scalar(value, at)?;
        let problem = match (operator, value.as_str()) {
            (Operator::Matches, Some(pattern)) => Pattern::of(pattern)
                .err()
                .map(|error| sentence(&error.to_string())),
            (Operator::Before | Operator::After, text) => text
                .and_then(parse_moment)
                .is_none()
                .then(|| "This must be a date (YYYY-MM-DD), a time, or both.".to_owned()),
            (operator, Some(text)) if operator.compares_sizes() => (parse_number(text).is_none()
                && parse_moment(text).is_none())
            .then(|| "This must be a number or a date.".to_owned()),
            _ => None,
        };
        match problem {
            Some(problem) => {
                self.faults.add(at, FaultCode::InvalidPattern, problem);
                None
            }
            None => Some(value),
        }
    }

    fn read_scalar(&mut self, value: &Value, at: &At<'_>) -> Option<Value> {
        match value {
            Value::String(_) => self.faults.text(value, at, MAX_TEXT_CHARS).map(Value::from),
            Value::Number(_) | Value::Bool(_) => Some(value.clone()),
            _ => {
                self.faults.add(
                    at,
                    FaultCode::InvalidType,
                    "This must be a string, a number or a boolean.",
                );
                None
            }
        }
    }

    fn refuse_others(&mut self, members: &Map<String, Value>, known: &[&str], at: &At<'_>) {
        for name in members
            .keys()
            .filter(|name| !known.contains(&name.as_str()))
        {
            self.faults.add(
                &at.member(name),
                FaultCode::AdditionalProperty,
                format!("Only {} are known here.", known.join(", ")),
            );
        }
    }
}
