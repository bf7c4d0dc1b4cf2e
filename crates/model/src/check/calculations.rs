//! Checks the expressions of fields, and the values of attributes: formats, weights, seats, countries and others.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::super::fault::{At, FaultCode, Faults};
use super::super::field::Field;
use super::super::schema::FormSchema;
use crate::field_kinds::{AnswerShape, Control};
use crate::field_variants::{DATE_PARTS, MAX_RANKED, RANK, SIGNATURE, variants_by};
use crate::logic::calc::fields::{
    CALC, EXPRESSIONS, MAX_WORK, SERVER, WEIGHTS, expressions, find, takes,
};
use crate::logic::calc::format::{DECIMALS, FORMAT, is_format, stated};
use crate::logic::calc::syntax::{Node, OF_ROWS};
use crate::logic::holds::{self, SEATS, SEATS_BY, SEATS_LEFT, UNIQUE, seats_of};
use crate::logic::phone::{COUNTRIES, PHONE, calling_code, countries};
use crate::logic::prefill;
use crate::ordered::Gather;
use crate::rows::REPEAT;

/// The message about a country without a calling code.
const UNKNOWN_COUNTRY: &str = "This is an unknown country; use codes such as DE and US.";

/// Checks the expressions of a field, and the values of attributes that have an effect on the field.
pub(super) fn check_calculations(
    field: &Field,
    schema: &FormSchema,
    positions: &BTreeMap<&str, usize>,
    at: &At<'_>,
    faults: &Faults,
) {
    let at = at.member("attributes");
    for (attribute, tree) in expressions(field) {
        let why = match &tree {
            Err(why) => Some(why.clone()),
            Ok(tree) => unreadable(tree, schema, positions),
        };
        if let Some(why) = why {
            let message = format!("This can’t be calculated: {why}.");
            faults.add(&at.member(attribute), FaultCode::InvalidPattern, message);
        }
    }
    let has_effect = |attribute| !has_no_effect(field, attribute);
    let values = field.attributes.iter().filter(|(name, _)| has_effect(name));
    for (name, value) in values {
        let message = match name.as_str() {
            DECIMALS if stated(field).is_none() => "This must be a whole number from 0 to 6.",
            FORMAT if !is_format(value) => {
                "This must be one of these formats: number, percent, currency and three letters, or unit and a text. Examples: “currency EUR”, “unit kg”."
            }
            WEIGHTS if !is_table(value) => "This must be an object of numbers.",
            SEATS if seats_of(value).is_none() => "This must be an object of whole numbers from 0.",
            SEATS_BY if !positions.contains_key(value.as_str()) => "The field doesn’t exist.",
            PHONE if !value.is_empty() && calling_code(value).is_none() => UNKNOWN_COUNTRY,
            COUNTRIES if countries(field).any(|one| calling_code(one).is_none()) => UNKNOWN_COUNTRY,
            RANK if field.options.len() > MAX_RANKED => "A ranking has at most 20 options.",
            _ => continue,
        };
        faults.add(&at.member(name), FaultCode::InvalidPattern, message);
    }
}

/// Checks that the calculations of a schema together stay within [`MAX_WORK`], the limit for one submit. The work is
/// the number of nodes in the trees of all expressions. The expressions of a field in a repeating group count once for
/// every possible row.
pub(super) fn check_work(schema: &FormSchema, faults: &Faults) {
    let groups = schema.row_groups();
    let repeated = schema.fields.iter().filter(|field| field.is_repeat());
    let rows = repeated.map(|group| (group.name.as_str(), group.row_limits().1));
    let rows: BTreeMap<&str, usize> = rows.gather();
    let mut work = 0;
    for (index, field) in schema.fields.iter().enumerate() {
        let group = groups.get(field.name.as_str());
        let times = group.map_or(1, |group| group.row_limits().1);
        for (attribute, tree) in expressions(field) {
            let nodes = tree.as_ref().map_or(0, |tree| size(tree, &rows) * times);
            if work <= MAX_WORK && work + nodes > MAX_WORK {
                let at = At::Root.member("fields");
                let at = at.item(index);
                let at = at.member("attributes");
                let message = "All calculations of the form together are too large.";
                faults.add(&at.member(attribute), FaultCode::TooManyItems, message);
            }
            work += nodes;
        }
    }
}

/// The name in a function's first argument, if this argument may be a repeating group.
fn group_of<'n>(function: &str, arguments: &'n [Node]) -> Option<&'n str> {
    match arguments {
        [Node::Name(name)] if function == "is_empty" || OF_ROWS.contains(&function) => Some(name),
        [Node::Name(name), _] if OF_ROWS.contains(&function) => Some(name),
        _ => None,
    }
}

/// The number of nodes in a tree. A function that reads a repeating group counts once for every possible row, together
/// with the nodes of the function's arguments.
fn size(tree: &Node, rows: &BTreeMap<&str, usize>) -> usize {
    let Node::Call(function, arguments) = tree else {
        return 1;
    };
    let group = group_of(function, arguments);
    let times = group
        .and_then(|group| rows.get(group))
        .copied()
        .unwrap_or(1);
    let within = arguments.iter().map(|argument| size(argument, rows));
    let within: usize = within.sum();
    (1 + within).saturating_mul(times).min(MAX_WORK + 1)
}

/// The reason why an expression cannot be evaluated: the first name in the expression that is unknown, is a group of
/// rows, or has no value.
fn unreadable(
    tree: &Node,
    schema: &FormSchema,
    positions: &BTreeMap<&str, usize>,
) -> Option<String> {
    let field = |name: &str| schema.fields.get(*positions.get(name)?);
    match tree {
        Node::Name(name) => {
            let known = find(name, field).filter(|(field, part)| {
                part.is_empty() || field.kind.parts().iter().any(|known| known.name == *part)
            });
            match known {
                None => Some(format!("unknown field {name}")),
                Some((field, _)) if field.is_repeat() => Some(format!("{name} is a group of rows")),
                Some((field, _)) => {
                    let has_value = field.kind.captures_value() && field.kind.stores_in_full();
                    (!has_value).then(|| format!("{name} has no value"))
                }
            }
        }
        Node::Call(function, arguments) => {
            let group = group_of(function, arguments).and_then(field);
            let skipped = usize::from(group.is_some_and(Field::is_repeat));
            let mut arguments = arguments.iter().skip(skipped);
            arguments.find_map(|argument| unreadable(argument, schema, positions))
        }
        _ => None,
    }
}

/// Whether a text is a JSON object of numbers.
fn is_table(text: &str) -> bool {
    let table: Value = serde_json::from_str(text).unwrap_or_default();
    table
        .as_object()
        .is_some_and(|table| table.values().all(Value::is_number))
}

/// Whether a known attribute has no effect on a field.
fn has_no_effect(field: &Field, attribute: &str) -> bool {
    let kind = field.kind;
    !match attribute {
        prefill::ATTRIBUTE => prefill::takes_prefill(kind),
        CALC | FORMAT | DECIMALS | "data-min" | "data-max" => takes(kind, attribute),
        SERVER => EXPRESSIONS.iter().any(|name| takes(kind, name)),
        WEIGHTS => kind.has_choices(),
        DATE_PARTS => kind.facts().shape == AnswerShape::Date,
        SIGNATURE => kind.takes_files(),
        Field::UNIT => kind.takes_unit(),
        Field::REQUESTED => !kind.parts().is_empty(),
        Field::TWICE => kind.may_repeat(),
        UNIQUE | SEATS | SEATS_BY | SEATS_LEFT => holds::takes(field, attribute),
        PHONE => variants_by(kind, PHONE).next().is_some(),
        COUNTRIES => field.is_phone(),
        RANK => field.is_ranking(),
        REPEAT => kind.facts().control == Control::Fieldset,
        _ => true,
    }
}

/// Warnings about attributes that have no effect on a field, and about weights of options that do not exist.
pub(super) fn idle(field: &Field) -> Vec<String> {
    let (name, kind) = (field.name.escape_default(), field.kind.as_str());
    let names = field
        .attributes
        .keys()
        .filter(|name| has_no_effect(field, name));
    let mut idle: Vec<String> = names
        .map(|attribute| format!("{attribute} means nothing for the {kind} \"{name}\""))
        .collect();
    let has_options = field.kind.has_choices() && !field.options.is_empty();
    let table = field.attributes.get(WEIGHTS).filter(|_| has_options);
    let table = table.and_then(|table| serde_json::from_str::<Value>(table).ok());
    let options = table
        .iter()
        .filter_map(Value::as_object)
        .flat_map(Map::keys);
    for option in options {
        if !field.options.iter().any(|known| known.value == *option) {
            let option = option.escape_default();
            idle.push(format!("{WEIGHTS} of \"{name}\" names no option: {option}"));
        }
    }
    idle
}
