//! Converts properties of JSON Schema to kinds of fields, choices and rules.

use crate::forms::builder::{Builder, USUAL_FILE_BYTES};
use crate::forms::item::Item;
use crate::forms::rules::{group, rule};
use crate::values::{is_on, member, text, text_or_number, values};
use serde_json::Value;

/// Looks up a name in a property's UI schema: `ui:name`, or else `name` in `ui:options`.
pub fn hint<'u>(ui: &'u Value, name: &str) -> &'u Value {
    let direct = member(ui, &["ui:", name].concat());
    if direct.is_null() {
        member(member(ui, "ui:options"), name)
    } else {
        direct
    }
}

/// Sorts the names by the order in the UI schema, where `*` represents all unlisted names.
pub fn ordered<'n>(names: &[&'n str], order: &'n Value) -> Vec<&'n str> {
    let listed: Vec<&str> = values(order)
        .into_iter()
        .filter_map(Value::as_str)
        .collect();
    let others: Vec<&'n str> = names
        .iter()
        .copied()
        .filter(|name| !listed.contains(name))
        .collect();
    let mut all = Vec::new();
    for name in &listed {
        if *name == "*" {
            all.extend(others.iter().copied());
        } else if names.contains(name) && !all.contains(name) {
            all.push(name);
        }
    }
    let rest: Vec<&'n str> = others
        .into_iter()
        .filter(|name| !all.contains(name))
        .collect();
    all.extend(rest);
    all
}

pub fn is_listed(list: &Value, name: &str) -> bool {
    values(list)
        .into_iter()
        .any(|item| item.as_str() == Some(name))
}

/// The first type of a schema that is not `null`. Without `type`, `properties` imply an object and `items` an array.
pub fn type_of(schema: &Value) -> &str {
    let kinds = match member(schema, "type") {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        kind => vec![kind.as_str().unwrap_or_default()],
    };
    let kind = kinds
        .into_iter()
        .find(|kind| *kind != "null")
        .unwrap_or_default();
    match kind {
        "" if schema.get("properties").is_some() => "object",
        "" if schema.get("items").is_some() => "array",
        kind => kind,
    }
}

/// A string, number or boolean as text.
pub fn word(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(on) => Some(on.to_string()),
        _ => None,
    }
}

/// The rule for a schema that tests a field with `const` or `enum`.
pub fn tested(form: &mut Builder<'_>, id: &str, test: &Value) -> Option<Value> {
    let item = form.find(id)?;
    let wanted = match test.get("const") {
        Some(one) => vec![one],
        None => values(member(test, "enum")),
    };
    let wanted: Option<Vec<String>> = wanted.into_iter().map(word).collect();
    let wanted = wanted.filter(|wanted| !wanted.is_empty())?;
    let rules = wanted.iter().map(|value| {
        let is_on = value == "true";
        match item.kind {
            "consent" => rule(
                &item.name,
                if is_on { "checked" } else { "not_checked" },
                "",
            ),
            _ if item.is_list() => rule(&item.name, "contains", item.value_of(value)),
            _ => rule(&item.name, "equals", item.value_of(value)),
        }
    });
    group("any", rules.collect())
}

/// Sets the kind and the bounds of a field with a single value.
pub fn kinds(form: &mut Builder<'_>, mut item: Item, schema: &Value, ui: &Value) -> Item {
    let widget = hint(ui, "widget").as_str().unwrap_or_default();
    let number = |name: &str| text_or_number(schema, name);
    if schema.get("enum").is_some()
        || schema.get("oneOf").is_some()
        || schema.get("anyOf").is_some()
    {
        item.kind = if widget == "radio" { "radio" } else { "select" };
        choices(&mut item, schema, ui);
        if !item.choices.is_empty() {
            return item;
        }
        item.kind = "text";
    }
    match type_of(schema) {
        "boolean" if matches!(widget, "radio" | "select") => {
            item.kind = "radio";
            item.choice("true", "true", "Yes");
            item.choice("false", "false", "No");
        }
        "boolean" => item.kind = "consent",
        kind @ ("integer" | "number") => {
            let step = number("multipleOf");
            if matches!(widget, "range" | "radio") {
                item.range(&number("minimum"), &number("maximum"), &step);
            } else {
                item.kind = "number";
                item.bound("min", &number("minimum"));
                item.bound("max", &number("maximum"));
                let usual = if kind == "integer" { "1" } else { "any" };
                item.attribute("step", if step.is_empty() { usual } else { &step });
            }
        }
        _ => typed(&mut item, schema, widget),
    }
    if widget == "hidden" {
        item.kind = "hidden";
    }
    if is_on(schema, "readOnly") {
        form.note("unknown_setting", &item.name, "");
    }
    item
}

/// Sets the kind and the bounds of a field for strings, such as a text, a date or a file.
fn typed(item: &mut Item, schema: &Value, widget: &str) {
    item.kind = match (widget, text(schema, "format")) {
        ("hidden", _) => "hidden",
        ("password", _) => "password",
        ("textarea", _) => "textarea",
        ("file", _) | (_, "data-url") => "file",
        (_, "email") => "email",
        (_, "uri" | "url") => "url",
        (_, "date") => "date",
        (_, "time") => "time",
        _ => "text",
    };
    if item.kind == "file" {
        item.bound_number("max", USUAL_FILE_BYTES);
    } else if matches!(
        item.kind,
        "text" | "textarea" | "password" | "email" | "url"
    ) {
        item.bound("min", &text_or_number(schema, "minLength"));
        item.longest(&text_or_number(schema, "maxLength"));
        item.pattern(text(schema, "pattern"));
    }
}

/// Adds the choices: the values of `enum` with their names, or the constants of `oneOf` and `anyOf` with their titles.
pub fn choices(item: &mut Item, schema: &Value, ui: &Value) {
    let names = match hint(ui, "enumNames") {
        Value::Null => member(schema, "enumNames"),
        names => names,
    };
    let names: Vec<&Value> = values(names);
    for (index, value) in values(member(schema, "enum")).into_iter().enumerate() {
        if let Some(value) = word(value) {
            let name = names.get(index).and_then(|name| name.as_str());
            item.choice("", &value, name.unwrap_or(&value));
        }
    }
    for list in ["oneOf", "anyOf"] {
        for one in values(member(schema, list)) {
            let alone = values(member(one, "enum")).first().copied();
            if let Some(value) = one.get("const").or(alone).and_then(word) {
                let title = text(one, "title");
                item.choice("", &value, if title.is_empty() { &value } else { title });
            }
        }
    }
}
