//! Any valid schema: what the properties of markup are tested with.

use cf_forms::forms::FormSchema;
use cf_forms::forms::check::parse_schema;
use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Map, Value, json};

const TYPES: [&str; 27] = [
    "text",
    "email",
    "url",
    "tel",
    "number",
    "date",
    "time",
    "datetime-local",
    "password",
    "color",
    "range",
    "hidden",
    "textarea",
    "select",
    "radio",
    "checkbox",
    "file",
    "name",
    "address",
    "consent",
    "rating",
    "container",
    "fieldset",
    "heading",
    "paragraph",
    "divider",
    "submit",
];

/// Texts that HTML would swallow if they were not escaped.
fn text() -> impl Strategy<Value = String> {
    let piece = select(vec![
        "",
        "a",
        "Name",
        "\"",
        "'",
        "<",
        ">",
        "&",
        "&amp;",
        "&lt",
        "&#65;",
        "&copy",
        "</p>",
        "</textarea>",
        "</option>",
        "<script>",
        "<!--",
        "-->",
        "]]>",
        " ",
        "  ",
        "\n",
        "\n\n",
        "\t",
        "=",
        "|",
        "*",
        ":",
        "日本語",
        "שלום",
        "\u{202e}",
        "😀",
        "é",
        "e\u{301}",
        "\u{a0}",
        "\u{2028}",
        "\u{feff}",
        "\u{fffd}",
        "javascript:",
        "{{tag}}",
        "on",
        "1",
        "0",
        "-",
        "--",
        "_",
        "[]",
        "[b]",
        "%",
    ]);
    vec(piece, 0..5).prop_map(|pieces| pieces.concat())
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-z]{1,8}",
        1 => select(vec![
            "a[b]", "a[first]", "first name", "名前", "x\"y", "<b>", "a--b", "a-", "-", "submit",
            "heading-1", "paragraph-1", "fieldset-1", "__proto__", "a.b", "cf-a", "Name", "name",
            "a]", "[b", "&amp;", "field=x", "a:b", "a|b", "😀", "*", "_",
        ])
        .prop_map(str::to_owned),
    ]
}

fn attributes() -> impl Strategy<Value = Map<String, Value>> {
    let named = select(vec![
        "autocomplete",
        "inputmode",
        "data-x",
        "aria-label",
        "aria-hidden",
        "title",
        "id",
        "dir",
        "lang",
        "step",
        "min",
        "max",
        "minlength",
        "maxlength",
        "pattern",
        "multiple",
        "disabled",
        "readonly",
        "hidden",
        "size",
        "rows",
        "accept",
        "role",
        "aria-level",
        "data-title",
        "alt",
        "src",
        "width",
        "tabindex",
        "x:y",
        "_x",
        "aria-required",
        "value",
        "type",
        "placeholder",
    ]);
    let value = prop_oneof![
        3 => text(),
        1 => select(vec!["", "off", "same", "cf-x", "3", "group", "true", "month", "(?=a)b", "-1.50"])
            .prop_map(str::to_owned),
    ];
    vec((named, value), 0..4).prop_map(|pairs| {
        pairs
            .into_iter()
            .map(|(name, value)| (name.to_owned(), Value::from(value)))
            .collect()
    })
}

fn options() -> impl Strategy<Value = Vec<Value>> {
    let value = prop_oneof!["[a-c]{0,2}", text()];
    vec((value, text()), 0..5).prop_map(|options| {
        let mut values = std::collections::BTreeSet::new();
        options
            .into_iter()
            .map(|(value, label)| (value.replace('\n', ""), label))
            .filter(|(value, _)| values.insert(value.clone()))
            .map(|(value, label)| json!({"value": value, "label": label}))
            .collect()
    })
}

fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        (0..20_i64).prop_map(Value::from),
        (-5..5_i64).prop_map(Value::from),
        any::<f64>()
            .prop_filter("finite", |number| number.is_finite())
            .prop_map(Value::from),
        Just(json!(0.1)),
    ]
}

fn validation(kind: &'static str) -> impl Strategy<Value = Value> {
    let bound = match kind {
        "number" | "range" => number().boxed(),
        "rating" => (1..9_i64).prop_map(Value::from).boxed(),
        _ => (0..500_i64).prop_map(Value::from).boxed(),
    };
    let pattern = select(vec!["[0-9]{3}", "a|b", "\"<&>", "^x$", "[^\\s]+"]);
    (
        proptest::option::weighted(0.3, bound.clone()),
        proptest::option::weighted(0.3, bound),
        proptest::option::weighted(0.2, pattern),
    )
        .prop_map(|(min, max, pattern)| {
            let mut validation = Map::new();
            let is_crossed =
                matches!((&min, &max), (Some(min), Some(max)) if min.as_f64() > max.as_f64());
            let (min, max) = if is_crossed { (max, min) } else { (min, max) };
            validation.extend(min.map(|min| ("min".to_owned(), min)));
            validation.extend(max.map(|max| ("max".to_owned(), max)));
            validation.extend(pattern.map(|pattern| ("pattern".to_owned(), pattern.into())));
            Value::Object(validation)
        })
}

/// Conditions on fields that come before, so that they form no circle.
fn conditions(before: Vec<String>) -> BoxedStrategy<Vec<Value>> {
    if before.is_empty() {
        return Just(Vec::new()).boxed();
    }
    let operator = select(vec![
        "equals",
        "not_equals",
        "contains",
        "is_empty",
        "is_not_empty",
        "in",
        "not_in",
        "checked",
        "greater_than",
        "starts_with",
        "before",
        "=",
        "matches",
    ]);
    let rule = (select(before), operator, text(), number(), any::<bool>()).prop_map(
        |(field, operator, text, number, hides)| {
            let value = match operator {
                "in" | "not_in" => json!([text, "b", number, true]),
                "greater_than" => number,
                "before" => json!("2024-02-29"),
                "matches" => json!("a+"),
                _ => json!(text),
            };
            let action = if hides { "hide" } else { "show" };
            json!({"field": field, "operator": operator, "value": value, "action": action})
        },
    );
    let condition = rule.prop_recursive(3, 8, 3, |inner| {
        (vec(inner, 1..3), any::<bool>()).prop_map(|(members, is_any)| match is_any {
            true => json!({"any": members}),
            false => json!({"all": members, "action": "hide"}),
        })
    });
    prop_oneof![3 => Just(Vec::new()), 2 => vec(condition, 1..3)].boxed()
}

fn field(name: String, before: Vec<String>) -> impl Strategy<Value = Value> {
    let group = match before.is_empty() {
        true => Just(None).boxed(),
        false => proptest::option::weighted(0.4, select(before.clone())).boxed(),
    };
    select(TYPES.to_vec()).prop_flat_map(move |kind| {
        let default_value = prop_oneof![
            2 => Just(String::new()),
            1 => text(),
            1 => vec("[a-c]{0,2}", 1..3).prop_map(|values| values.join("\n")),
            1 => Just("on".to_owned()),
            1 => Just("3".to_owned()),
        ];
        let texts = (text(), text(), default_value, any::<bool>(), text(), text());
        let group = prop_oneof![4 => group.clone(), 1 => Just(Some("step one".to_owned()))];
        let rest = (
            options(),
            validation(kind),
            conditions(before.clone()),
            attributes(),
            group,
        );
        let name = name.clone();
        (texts, rest).prop_map(move |(texts, rest)| {
            let (label, placeholder, default_value, required, css_class, description) = texts;
            let (options, validation, conditions, attributes, group) = rest;
            json!({
                "name": name, "type": kind, "label": label, "placeholder": placeholder,
                "default_value": default_value, "required": required, "css_class": css_class,
                "description": description, "options": options, "validation": validation,
                "conditions": conditions, "attributes": attributes, "group": group,
            })
        })
    })
}

fn layout(names: Vec<String>) -> impl Strategy<Value = Value> {
    let kind = select(vec!["single", "multi-step", "conversational"]);
    let step_titles = vec(text(), 1..4);
    let chosen = prop_oneof![
        Just(names.clone()),
        subsequence(names.clone(), 0..=names.len())
    ];
    let steps = (step_titles, chosen, any::<bool>()).prop_map(|(titles, names, shuffles)| {
        let size = names.len().div_ceil(titles.len()).max(1);
        let mut parts: Vec<Vec<String>> = names.chunks(size).map(<[String]>::to_vec).collect();
        if shuffles {
            parts.reverse();
        }
        titles
            .iter()
            .enumerate()
            .map(|(index, title)| {
                let fields = parts.get(index).cloned().unwrap_or_default();
                json!({"id": format!("s{index}"), "title": title, "fields": fields})
            })
            .collect::<Value>()
    });
    let other = proptest::option::weighted(0.2, text());
    (kind, proptest::option::of(steps), other).prop_map(|(kind, steps, other)| {
        let mut layout = json!({"type": kind, "steps": steps});
        if let Some(other) = other {
            layout["theme"] = json!({"name": other, "ratio": 0.30000000000000004});
        }
        layout
    })
}

/// A schema that the checks accept, in their canonical form.
pub fn schema() -> impl Strategy<Value = FormSchema> {
    btree_set(name(), 0..7)
        .prop_map(|names| names.into_iter().collect::<Vec<String>>())
        .prop_shuffle()
        .prop_flat_map(|names| {
            let fields: Vec<_> = names
                .iter()
                .enumerate()
                .map(|(index, name)| field(name.clone(), names[..index].to_vec()))
                .collect();
            let settings = proptest::option::weighted(0.3, (text(), number()))
                .prop_map(|setting| match setting {
                    Some((text, number)) => json!({"note": text, "deep": {"n": [number, null]}}),
                    None => json!({}),
                });
            (fields, layout(names), settings)
        })
        .prop_map(|(fields, layout, settings)| {
            json!({"version": 1, "fields": fields, "layout": layout, "form_settings": settings})
        })
        .prop_filter_map("the checks refuse it", |mut body| {
            for _ in 0..4 {
                match parse_schema(&body) {
                    Ok(schema) => return Some(schema),
                    Err(faults) => faults.iter().for_each(|fault| drop_at(&mut body, &fault.path)),
                }
            }
            None
        })
}

/// Drops the member that a fault complains of, so that most of a schema is kept.
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
