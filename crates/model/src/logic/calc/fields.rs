//! The calculations of a form: the calculated fields, and the fields that they read.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde_json::Value;

use super::decimal::{self, Rounding};
use super::eval::{Row, Source, evaluate, text_of};
use super::format;
use super::outcome::Outcome;
use super::syntax::Node;
use super::value::{Answer, Chosen};
use crate::field_kinds::AnswerShape;
use crate::logic::answer::{AnswerKind, Answers, is_on};
use crate::logic::calendar::parse_moment;
use crate::ordered::Gather;
use crate::{Field, FieldType, FormSchema};

/// The attribute with the expression of a calculated field.
pub const CALC: &str = "data-calc";

/// The attribute with the weights of options: the numbers that they count as in calculations.
pub const WEIGHTS: &str = "data-weights";

/// The attribute of a field whose expressions only the server evaluates.
pub const SERVER: &str = "data-server";

/// The attributes with expressions: for the value, and for the bounds.
pub const EXPRESSIONS: [&str; 3] = [CALC, "data-min", "data-max"];

/// The maximum number of digits of a result.
const MAX_DIGITS: u32 = 15;

/// Limit on the work of calculations in one submit: the nodes of all expressions, each counted once for every
/// possible row.
pub const MAX_WORK: usize = 200_000;

/// Whether fields of a type support the expression in an attribute.
pub fn takes(kind: FieldType, attribute: &str) -> bool {
    use FieldType::{Date, DatetimeLocal, Hidden, Number, Range, Text, Time};
    match attribute {
        "data-min" | "data-max" => matches!(kind, Number | Range | Date | Time | DatetimeLocal),
        _ => matches!(kind, Number | Text | Date | Hidden),
    }
}

impl Field {
    /// Whether an expression computes the field's value.
    pub fn is_calculated(&self) -> bool {
        self.attributes.contains_key(CALC) && takes(self.kind, CALC)
    }
}

/// Parses a field's expressions, and pairs each with its attribute. An `Err` says why an expression does not parse.
pub fn expressions(field: &Field) -> Vec<(&'static str, Result<Node, String>)> {
    let written = EXPRESSIONS
        .into_iter()
        .filter(|attribute| takes(field.kind, attribute));
    let written = written.filter_map(|name| Some((name, field.attributes.get(name)?)));
    written
        .map(|(name, text)| (name, Node::parse(text)))
        .collect()
}

/// The names of fields, and of parts of fields, that an expression reads.
pub fn names(tree: &Node) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    tree.walk(&mut |node| {
        if let Node::Name(name) = node {
            names.insert(name.as_str());
        }
    });
    names
}

/// Finds the field and the part that a name in an expression refers to. The part is the text after the last dot; it
/// is empty for the whole field.
pub fn find<T>(name: &str, mut field: impl FnMut(&str) -> Option<T>) -> Option<(T, &str)> {
    if let Some(found) = field(name) {
        return Some((found, ""));
    }
    let (base, part) = name.rsplit_once('.')?;
    Some((field(base)?, part))
}

/// The parsed expressions of a schema, and the fields that they read.
#[derive(Clone, Debug, Default)]
pub struct Calculations {
    fields: BTreeMap<String, Field>,
    trees: BTreeMap<String, Vec<(&'static str, Node)>>,
    /// The name of the repeating group of each field in a row, by the field's name.
    groups: BTreeMap<String, String>,
}

impl Calculations {
    /// Prepares the calculations of a schema. An expression that does not parse has no value.
    pub fn of(schema: &FormSchema) -> Calculations {
        let mut all = Calculations::default();
        let has_any = |field: &Field| {
            EXPRESSIONS
                .iter()
                .any(|name| field.attributes.contains_key(*name))
        };
        if !schema.fields.iter().any(has_any) {
            return all;
        }
        let positions = schema.fields.iter().enumerate();
        let positions = positions.map(|(position, field)| (field.name.as_str(), position));
        let positions: BTreeMap<&str, usize> = positions.rev().gather();
        for field in &schema.fields {
            let mut trees = Vec::new();
            for (attribute, tree) in expressions(field) {
                let Ok(tree) = tree else { continue };
                for name in names(&tree) {
                    let read = find(name, |name| schema.fields.get(*positions.get(name)?));
                    all.fields
                        .extend(read.map(|(read, _)| (read.name.clone(), read.clone())));
                }
                trees.push((attribute, tree));
            }
            if !trees.is_empty() || field.is_calculated() {
                all.fields.insert(field.name.clone(), field.clone());
                all.trees.insert(field.name.clone(), trees);
            }
        }
        let groups = schema.row_groups().into_iter();
        let groups = groups.map(|(name, group)| (name.to_owned(), group.name.clone()));
        all.groups = groups.gather();
        all
    }

    /// Whether the schema has no calculations.
    pub fn is_empty(&self) -> bool {
        self.trees.is_empty()
    }

    /// Evaluates the expressions of a field. `answers` must already contain the answers that these expressions read.
    pub fn settle(
        &self,
        name: &str,
        answers: &Answers,
        row: Option<&Row<'_>>,
        is_hidden: &dyn Fn(&str) -> bool,
        today: i64,
    ) -> Option<Calculated> {
        let (field, trees) = (self.fields.get(name)?, self.trees.get(name)?);
        let known = Known {
            all: self,
            answers,
            is_hidden,
            today,
        };
        let mut calculated = Calculated::default();
        if field.is_calculated() {
            calculated.value = Some(String::new());
        }
        for (attribute, tree) in trees {
            let value = evaluate(tree, &known, row);
            match *attribute {
                CALC => calculated.value = Some(result(field, &value)),
                "data-min" => calculated.min = text_of(&value),
                _ => calculated.max = text_of(&value),
            }
        }
        Some(calculated)
    }

    /// A field's expressions that the visitor's page contains; none if only the server evaluates them.
    fn trees_on_page(&self, name: &str) -> impl Iterator<Item = &(&'static str, Node)> {
        let field = self.fields.get(name);
        let is_on_page = field.is_some_and(|field| !field.attributes.contains_key(SERVER));
        self.trees
            .get(name)
            .filter(|_| is_on_page)
            .into_iter()
            .flatten()
    }

    /// The names of the fields that the expressions on the visitor's page read; `None` if the page has no
    /// expressions.
    pub fn read_on_page(&self) -> Option<BTreeSet<&str>> {
        let trees = self.trees.keys().flat_map(|name| self.trees_on_page(name));
        let mut trees = trees.map(|(_, tree)| tree).peekable();
        trees.peek()?;
        let read = trees.flat_map(names);
        let read = read.filter_map(|name| find(name, |name| self.fields.get(name)));
        Some(read.map(|(field, _)| field.name.as_str()).collect())
    }

    /// The facts about a field for the visitor's script: its expressions, and the type of its value in expressions.
    pub fn facts(&self, field: &Field, read: &BTreeSet<&str>) -> Vec<(&'static str, Value)> {
        let mut facts = Vec::new();
        let trees = self.trees_on_page(&field.name);
        for (attribute, tree) in trees {
            let key = match *attribute {
                CALC => "calc",
                "data-min" => "atLeast",
                _ => "atMost",
            };
            facts.push((key, tree.json()));
        }
        if field.is_calculated() {
            let places = format::decimals(field);
            facts.push(("places", Value::from(places)));
            facts.extend(format::facts(field));
        }
        if read.contains(field.name.as_str()) || field.is_calculated() {
            facts.push(("reads", Value::from(reads(field))));
            if field.shape() == AnswerShape::Parts {
                facts.push(("between", Value::from(field.kind.facts().separator)));
            }
            if reads(field) == "choice" {
                let values = field.options.iter().map(|option| option.value.clone());
                let options = chosen(field, &values.collect::<Vec<_>>()).into_iter();
                let weights = options.map(|option| {
                    let weight = decimal::text_of(option.weight, None);
                    let facts = vec![weight.into(), option.label.into()];
                    (option.value, Value::Array(facts))
                });
                facts.push(("weights", Value::Object(weights.gather())));
            }
        }
        facts
    }
}

/// The results of a field's expressions as text; a missing result is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calculated {
    /// The value; `None` for a field that is not calculated.
    pub value: Option<String>,
    /// The minimum answer.
    pub min: String,
    /// The maximum answer.
    pub max: String,
}

/// The answers of a form, as expressions read them.
struct Known<'k> {
    all: &'k Calculations,
    answers: &'k Answers,
    is_hidden: &'k dyn Fn(&str) -> bool,
    today: i64,
}

impl Source for Known<'_> {
    fn answer(&self, name: &str, row: Option<&Row<'_>>) -> Outcome<Answer> {
        let Some((field, part)) = find(name, |name| self.all.fields.get(name)) else {
            return Ok(Answer::Nothing);
        };
        let rows = |group: &str| {
            let rows = self.answers.get(group).filter(|_| !(self.is_hidden)(group));
            rows.map_or(0, Vec::len)
        };
        if field.is_repeat() {
            return Ok(Answer::Rows(rows(&field.name)));
        }
        let Some(group) = self.all.groups.get(&field.name) else {
            return Ok(self.answer_at(&field.name, field, part));
        };
        Ok(match row.and_then(|row| row.within(group)) {
            Some(row) => self.answer_at(&row.key(&field.name), field, part),
            None => {
                let keys = (0..rows(group)).map(|index| Row::of(group, index).key(&field.name));
                let values = keys.map(|key| self.answer_at(&key, field, part));
                Answer::List(Rc::new(values.collect()))
            }
        })
    }

    fn today(&self) -> i64 {
        self.today
    }
}

impl Known<'_> {
    /// The answer of a field, or of a part of the field. `key` is the field's name, or the name of its input in a
    /// row.
    fn answer_at(&self, key: &str, field: &Field, part: &str) -> Answer {
        let is_shown = !(self.is_hidden)(key);
        let texts = |key: &str| {
            let texts = self.answers.get(key).filter(|_| is_shown);
            texts.cloned().unwrap_or_default()
        };
        if !part.is_empty() {
            return single("text", texts(&format!("{key}[{part}]")).last());
        }
        let mut answer = texts(key);
        // The text of "Other" has a separate key beside the options.
        if answer.is_empty() || field.is_multiple() {
            answer.extend(texts(&other_key(key)));
        }
        answer_of(field, &answer)
    }
}

/// The key of the text of "Other" among the answers.
pub fn other_key(field: &str) -> String {
    format!("{field}[other]")
}

/// The type of a field's value in expressions: number, moment, box, choice or text.
fn reads(field: &Field) -> &'static str {
    use AnswerShape::{Choice, Date, DateTime, Number, Points, Time};
    match field.shape() {
        _ if AnswerKind::of(field) == AnswerKind::Toggle => "box",
        Choice => "choice",
        Number | Points => "number",
        Date | Time | DateTime => "moment",
        _ => "text",
    }
}

/// The answer of a field as expressions see it.
pub fn answer_of(field: &Field, texts: &[String]) -> Answer {
    match reads(field) {
        "box" => Answer::Bool(texts.iter().any(|text| is_on(text))),
        "choice" => Answer::Choice(Rc::new(chosen(field, texts))),
        reads if field.is_multiple() => Answer::List(Rc::new(
            texts.iter().map(|text| single(reads, Some(text))).collect(),
        )),
        _ if field.shape() == AnswerShape::Parts => {
            single("text", Some(&texts.join(field.kind.facts().separator)))
        }
        reads => single(reads, texts.last()),
    }
}

fn single(reads: &str, text: Option<&String>) -> Answer {
    let Some(text) = text.filter(|text| !text.is_empty()) else {
        return if reads == "moment" {
            Answer::NoMoment
        } else {
            Answer::Nothing
        };
    };
    let read = match reads {
        "number" => decimal::parse(text).map(Answer::Number),
        "moment" => parse_moment(text).map(Answer::Moment),
        _ => None,
    };
    read.unwrap_or_else(|| Answer::Text(text.clone()))
}

/// The chosen options with their weights. A free answer has the weight 0.
fn chosen(field: &Field, texts: &[String]) -> Vec<Chosen> {
    let table = field.attributes.get(WEIGHTS);
    let table = table.map(|table| serde_json::from_str::<Value>(table).unwrap_or_default());
    let chosen = texts.iter().map(|value| {
        let option = field.options.iter().find(|option| option.value == *value);
        let weight = match &table {
            _ if option.is_none() && !field.options.is_empty() => None,
            Some(table) => table
                .get(value)
                .and_then(|weight| decimal::parse(&weight.to_string())),
            None => decimal::parse(value),
        };
        Chosen {
            value: value.clone(),
            label: option.map_or(value, |option| &option.label).clone(),
            weight: weight.unwrap_or(0),
        }
    });
    chosen.collect()
}

/// The result of a calculated field as text; empty if there is no result.
fn result(field: &Field, value: &Outcome<Answer>) -> String {
    let Ok(value) = value else {
        return String::new();
    };
    let number = match (field.kind, value) {
        _ if value.is_nothing() => return String::new(),
        (FieldType::Date, value) => {
            let day = value.moment().ok().flatten().and_then(|moment| moment.day);
            return day.map(crate::dates::format_day).unwrap_or_default();
        }
        (FieldType::Number, value) => value.number(),
        (_, Answer::Number(number)) => Ok(*number),
        (_, value) => return value.text().unwrap_or_default(),
    };
    let places = format::decimals(field);
    let rounded = number.and_then(|number| decimal::rounded(number, places, Rounding::Half));
    let limit =
        decimal::ONE / 10_i128.pow(18 - MAX_DIGITS) * 10_i128.pow(18 - places.unsigned_abs());
    let rounded = rounded.ok().filter(|number| number.abs() < limit);
    rounded
        .map(|number| decimal::text_of(number, None))
        .unwrap_or_default()
}
