//! Generator of valid schemas, for the property tests of markup.

use std::collections::BTreeSet;

use cf_forms::forms::FormSchema;
use cf_forms::forms::check::parse_schema;
use serde_json::{Map, Value, json};

use crate::choices::Choices;
use crate::markup_schema_words::{ATTRIBUTES, NAMES, OPERATORS, TEXTS, TYPES};

/// Generates a schema in the canonical form of the checks; `None` if too much of it was invalid.
pub fn schema(choices: &mut Choices<'_>) -> Option<FormSchema> {
    let mut names: Vec<String> = Vec::new();
    for _ in 0..choices.below(7) {
        let name = name(choices);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let fields: Vec<Value> = (0..names.len())
        .map(|index| field(choices, &names[index], &names[..index]))
        .collect();
    let layout = layout(choices, &names);
    let settings = match choices.is_one_of(3, 10) {
        true => json!({"note": text(choices), "deep": {"n": [number(choices), null]}}),
        false => json!({}),
    };
    let mut body =
        json!({"version": 1, "fields": fields, "layout": layout, "form_settings": settings});
    for _ in 0..4 {
        match parse_schema(&body) {
            Ok(schema) => return Some(schema),
            Err(faults) => faults
                .iter()
                .for_each(|fault| drop_at(&mut body, &fault.path)),
        }
    }
    None
}

fn text(choices: &mut Choices<'_>) -> String {
    choices.join(TEXTS, 5)
}

/// Generates up to `end - 1` letters of the alphabet.
fn letters(choices: &mut Choices<'_>, end: usize, alphabet: usize) -> String {
    (0..choices.below(end))
        .map(|_| char::from(b'a' + choices.below(alphabet) as u8))
        .collect()
}

fn name(choices: &mut Choices<'_>) -> String {
    match choices.is_one_of(1, 4) {
        true => (*choices.pick(NAMES)).to_owned(),
        false => letters(choices, 8, 26) + "n",
    }
}

fn attributes(choices: &mut Choices<'_>) -> Map<String, Value> {
    const VALUES: &[&str] = &[
        "", "off", "same", "cf-x", "3", "group", "true", "month", "(?=a)b", "-1.50",
    ];
    (0..choices.below(4))
        .map(|_| {
            let name = (*choices.pick(ATTRIBUTES)).to_owned();
            let value = match choices.is_one_of(1, 4) {
                true => (*choices.pick(VALUES)).to_owned(),
                false => text(choices),
            };
            (name, Value::from(value))
        })
        .collect()
}

fn options(choices: &mut Choices<'_>) -> Vec<Value> {
    let mut values = BTreeSet::new();
    let mut options = Vec::new();
    for _ in 0..choices.below(5) {
        let value = match choices.is_one_of(1, 2) {
            true => letters(choices, 3, 3),
            false => text(choices).replace('\n', ""),
        };
        let label = text(choices);
        if values.insert(value.clone()) {
            let mut option = json!({"value": value, "label": label});
            if value.len() % 3 == 1 {
                option["image"] = json!("/pictures/a%20b.jpg?x=1&y='");
            }
            options.push(option);
        }
    }
    options
}

fn number(choices: &mut Choices<'_>) -> Value {
    match choices.below(4) {
        0 => Value::from(choices.below(20)),
        1 => Value::from(i64::from(choices.byte() as i8) % 5),
        2 => json!(0.1),
        _ => {
            let bits = u64::from_be_bytes(std::array::from_fn(|_| choices.byte()));
            Some(f64::from_bits(bits))
                .filter(|number| number.is_finite())
                .map_or(json!(0), Value::from)
        }
    }
}

fn bound(choices: &mut Choices<'_>, kind: &str) -> Value {
    match kind {
        "number" | "range" => number(choices),
        "rating" => Value::from(1 + choices.below(8)),
        _ => Value::from(choices.below(250)),
    }
}

fn validation(choices: &mut Choices<'_>, kind: &str) -> Value {
    const PATTERNS: &[&str] = &["[0-9]{3}", "a|b", "\"<&>", "^x$", "[^\\s]+"];
    let mut validation = Map::new();
    for bounded in ["min", "max"] {
        if choices.is_one_of(3, 10) {
            validation.insert(bounded.to_owned(), bound(choices, kind));
        }
    }
    if let (Some(min), Some(max)) = (validation.get("min"), validation.get("max"))
        && min.as_f64() > max.as_f64()
    {
        let (min, max) = (max.clone(), min.clone());
        validation.extend([("min".to_owned(), min), ("max".to_owned(), max)]);
    }
    if choices.is_one_of(1, 5) {
        validation.insert("pattern".to_owned(), (*choices.pick(PATTERNS)).into());
    }
    Value::Object(validation)
}

/// Generates conditions on earlier fields, so that they form no cycle.
fn conditions(choices: &mut Choices<'_>, before: &[String]) -> Vec<Value> {
    if before.is_empty() || !choices.is_one_of(2, 5) {
        return Vec::new();
    }
    (0..=choices.below(2))
        .map(|_| condition(choices, before, 3))
        .collect()
}

fn condition(choices: &mut Choices<'_>, before: &[String], depth: usize) -> Value {
    if depth > 0 && choices.is_one_of(1, 3) {
        let members: Vec<Value> = (0..=choices.below(2))
            .map(|_| condition(choices, before, depth - 1))
            .collect();
        return match choices.is_one_of(1, 2) {
            true => json!({"any": members}),
            false => json!({"all": members, "action": "hide"}),
        };
    }
    let operator = *choices.pick(OPERATORS);
    let value = match operator {
        "in" | "not_in" => json!([text(choices), "b", number(choices), true]),
        "greater_than" => number(choices),
        "before" => json!("2024-02-29"),
        "matches" => json!("a+"),
        _ => json!(text(choices)),
    };
    let action = if choices.is_one_of(1, 2) {
        "hide"
    } else {
        "show"
    };
    json!({"field": choices.pick(before), "operator": operator, "value": value, "action": action})
}

fn default_value(choices: &mut Choices<'_>) -> String {
    match choices.below(6) {
        0 | 1 => String::new(),
        2 => text(choices),
        3 => "on".to_owned(),
        4 => "3".to_owned(),
        _ => {
            let first = letters(choices, 3, 3);
            match choices.is_one_of(1, 2) {
                true => first + "\n" + &letters(choices, 3, 3),
                false => first,
            }
        }
    }
}

fn field(choices: &mut Choices<'_>, name: &str, before: &[String]) -> Value {
    let kind = *choices.pick(TYPES);
    let group = match choices.below(10) {
        0..4 => Value::Null,
        4 | 5 => json!("step one"),
        _ if before.is_empty() => Value::Null,
        _ => json!(choices.pick(before)),
    };
    json!({
        "name": name, "type": kind, "label": text(choices), "placeholder": text(choices),
        "default_value": default_value(choices), "required": choices.is_one_of(1, 2),
        "css_class": text(choices), "description": text(choices), "options": options(choices),
        "validation": validation(choices, kind), "conditions": conditions(choices, before),
        "attributes": attributes(choices), "group": group,
    })
}

fn layout(choices: &mut Choices<'_>, names: &[String]) -> Value {
    let kind = *choices.pick(&["single", "multi-step", "conversational"]);
    let mut layout = json!({"type": kind});
    if choices.is_one_of(1, 2) {
        layout["steps"] = steps(choices, names);
    }
    if choices.is_one_of(1, 5) {
        layout["theme"] = json!({"name": text(choices), "ratio": 0.30000000000000004});
    }
    layout
}

fn steps(choices: &mut Choices<'_>, names: &[String]) -> Value {
    let count = 1 + choices.below(3);
    let takes_all = choices.is_one_of(1, 2);
    let chosen: Vec<&String> = names
        .iter()
        .filter(|_| takes_all || choices.is_one_of(1, 2))
        .collect();
    let mut parts: Vec<&[&String]> = chosen.chunks(chosen.len().div_ceil(count).max(1)).collect();
    if choices.is_one_of(1, 2) {
        parts.reverse();
    }
    (0..count)
        .map(|index| {
            let fields = parts.get(index).copied().unwrap_or_default();
            json!({"id": format!("s{index}"), "title": text(choices), "fields": fields})
        })
        .collect()
}

/// Removes the member that a fault names, so that the rest of the schema remains usable.
fn drop_at(body: &mut Value, path: &str) {
    let mut place = body;
    let mut parts = path
        .split(['.', '['])
        .filter(|part| !part.is_empty())
        .peekable();
    while let Some(part) = parts.next() {
        let part = part.trim_end_matches(']');
        let is_last = parts.peek().is_none();
        match place {
            Value::Object(members) if is_last => {
                members.remove(part);
                return;
            }
            Value::Object(members) => match members.get_mut(part) {
                Some(member) => place = member,
                None => return,
            },
            Value::Array(items) => match part.parse::<usize>() {
                Ok(index) if index < items.len() => {
                    if is_last {
                        items.remove(index);
                        return;
                    }
                    place = &mut items[index];
                }
                _ => return,
            },
            _ => return,
        }
    }
}

/// Writes random schemas, the same in each run, for the test in `tests/shim` that their rendered HTML is valid.
#[test]
fn random_schemas_are_written_for_the_validity_test() {
    let mut state: u32 = 1;
    let mut byte = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let mut lines = String::new();
    for _ in 0..400 {
        let bytes: Vec<u8> = (0..700).map(|_| byte()).collect();
        if let Some(schema) = schema(&mut Choices::of(&bytes)) {
            lines += &serde_json::to_string(&schema).unwrap();
            lines.push('\n');
        }
    }
    assert!(lines.lines().count() > 300, "{}", lines.lines().count());
    let file = concat!(env!("CARGO_TARGET_TMPDIR"), "/markup-schemas.jsonl");
    std::fs::write(file, lines).unwrap();
}
