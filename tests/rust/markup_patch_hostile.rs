//! Editing markup that means harm costs bounded time.

use std::time::Duration;

use cf_forms::forms::edit::{add_field, delete_field, update_field};
use cf_forms::markup::{Change, added, parse, patched};
use serde_json::{Value, json};

use crate::stopwatch::Stopwatch;

/// Unoptimised builds are some twenty times slower than releases.
const PATIENCE: Duration = Duration::from_secs(10);

fn deep(tag: &str, times: usize, inner: &str) -> String {
    let name = tag.split([' ', '>']).next().unwrap();
    let end = name.replacen('<', "</", 1) + ">";
    tag.repeat(times) + inner + &end.repeat(times)
}

fn inputs(count: usize) -> String {
    (0..count)
        .map(|n| format!("<p><label>L{n} <input name=f{n}></label></p>"))
        .collect()
}

fn radios(count: usize, around: impl Fn(usize) -> String) -> String {
    let choices: String = (0..count).map(around).collect();
    format!("<fieldset><legend>Which</legend>{choices}</fieldset>")
}

/// Documents, and the field that is edited in each.
fn documents() -> Vec<(&'static str, &'static str, String)> {
    let a = "<label>A <input name=a></label>";
    vec![
        ("nested div", "a", deep("<div>", 50_000, a)),
        (
            "nested div before fields",
            "a",
            deep("<div>", 20_000, a) + &inputs(5_000),
        ),
        (
            "an element in nested div behind fields",
            "a",
            inputs(5_000) + &deep("<div>", 20_000, a),
        ),
        ("ten thousand fields, the last", "f9998", inputs(9_999)),
        ("ten thousand fields, the first", "f0", inputs(9_999)),
        (
            "many ids that no element has",
            "a",
            format!(
                "{}{}",
                r#"<input type=radio name=a value=1 aria-describedby="a b c d e f g h" aria-errormessage="i j k l m n o p">"#.repeat(200),
                "<b id=z></b>".repeat(50_000)
            ),
        ),
        ("nested fieldsets", "a", deep("<fieldset>", 9_000, a)),
        ("nested tables", "a", deep("<table><tr><td>", 9_000, a)),
        ("nested lists", "a", deep("<ul><li>", 20_000, a)),
        (
            "a label of many pieces",
            "a",
            format!("<label>{}<input name=a></label>", "a<i></i>".repeat(50_000)),
        ),
        (
            "a text of many pieces",
            "a",
            format!("<p>{}<input name=a></p>", "a<i></i>".repeat(50_000)),
        ),
        (
            "help of many pieces",
            "a",
            format!("{a}<small>{}</small>", "a<i></i>".repeat(50_000)),
        ),
        (
            "help of many pieces by its id",
            "a",
            format!(
                "<label>A <input name=a aria-describedby=h></label><div id=h>{}</div>",
                "a<i></i>".repeat(50_000)
            ),
        ),
        (
            "a tag of many attributes",
            "a",
            format!("<label>A <input name=a {}></label>", "x ".repeat(100_000)),
        ),
        (
            "a tag of many different attributes",
            "a",
            format!(
                "<label>A <input name=a {}></label>",
                (0..50_000)
                    .map(|n| format!("data-x{n}=y "))
                    .collect::<String>()
            ),
        ),
        (
            "a tag of a long attribute",
            "a",
            format!(
                "<label>A <input name=a title='{}'></label>",
                "x".repeat(1_000_000)
            ),
        ),
        (
            "a megabyte of elements",
            "a",
            format!("{a}{}", "<b>x</b>".repeat(125_000)),
        ),
        (
            "a megabyte of text",
            "a",
            format!("{a}{}", "x ".repeat(500_000)),
        ),
        (
            "hidden inputs of its name",
            "a",
            format!(
                "{}<label><input type=checkbox name=a> A</label>",
                "<input type=hidden name=a value=0>".repeat(50_000)
            ),
        ),
        (
            "a set in nested div",
            "a",
            radios(200, |n| {
                deep(
                    "<div>",
                    100,
                    &format!("<label><input type=radio name=a value={n}> V{n}</label>"),
                )
            }),
        ),
        (
            "a set in deeply nested div",
            "a",
            deep(
                "<div>",
                20_000,
                &radios(200, |n| {
                    format!("<label><input type=radio name=a value={n} id=r{n}> V{n}</label>")
                }),
            ),
        ),
        (
            "a set with labels of many pieces",
            "a",
            radios(100, |n| {
                format!(
                    "<label><input type=radio name=a value={n}>{}</label>",
                    "v<i></i>".repeat(500)
                )
            }),
        ),
        (
            "a set with a long last choice",
            "a",
            radios(50, |n| {
                format!(
                    "<label title='{}'><input type=radio name=a value={n}>{n}</label>",
                    "x".repeat(if n == 49 { 1_000_000 } else { 1 })
                )
            }),
        ),
        (
            "a set before much text",
            "a",
            radios(100, |n| {
                format!("<input type=radio name=a value={n} id=r{n}><label for=r{n}>V{n}</label>")
            }) + &"x ".repeat(400_000),
        ),
        (
            "options",
            "a",
            format!(
                "<label>A <select name=a>{}</select></label>",
                (0..5_000)
                    .map(|n| format!("<option value={n}>V{n}"))
                    .collect::<String>()
            ),
        ),
        (
            "a datalist behind elements",
            "a",
            format!(
                "{}<label>A <input name=a list=l></label><datalist id=l>{}</datalist>",
                "<b>x</b>".repeat(100_000),
                "<option>x".repeat(100)
            ),
        ),
        (
            "buttons",
            "a",
            format!(
                "{a}{}<button>Go</button>",
                "<button type=button>x</button>".repeat(50_000)
            ),
        ),
        (
            "rules about it",
            "a",
            a.to_owned() + &"<div data-show-if=a>x</div>".repeat(50_000) + &inputs(10),
        ),
        (
            "exact rules about it",
            "a",
            format!(
                "{a}<div data-cf-conditions='[{}]'>{}</div>",
                vec![r#"{"field":"a","operator":"equals","value":"1"}"#; 900].join(","),
                inputs(40)
            ),
        ),
        (
            "line breaks",
            "a",
            "x<br>".repeat(40_000) + a + &"<br>".repeat(40_000),
        ),
        (
            "white space",
            "a",
            format!(
                "{}{a}{}",
                " \n".repeat(1_000_000),
                "<p> </p>".repeat(10_000)
            ),
        ),
        ("comments", "a", "<!-- x -->".repeat(200_000) + a),
        (
            "a wide table",
            "a",
            format!(
                "<table><tr><td>A</td><td><input name=a></td>{}</tr></table>",
                "<td>x</td>".repeat(100_000)
            ),
        ),
        (
            "a set in a row of many cells",
            "a",
            format!(
                "<table><tr>{}{}<td>x</table>",
                "<td>".repeat(100_000),
                (0..200)
                    .map(|n| format!("<td><input type=checkbox name=a[] value={n}>"))
                    .collect::<String>()
            ),
        ),
        (
            "unclosed everything",
            "a",
            "<div><p><b><table><tr><td>".repeat(5_000) + a,
        ),
    ]
}

/// The edits that are tried: `null` takes the field away.
fn edits(field: &Value) -> Vec<Value> {
    let attributes: serde_json::Map<String, Value> = (0..50)
        .map(|n| (format!("data-own{n}"), json!("x")))
        .collect();
    let mut reversed = field["options"].as_array().unwrap().clone();
    reversed.reverse();
    reversed.insert(0, json!({"value": "brand-new", "label": "Brand new"}));
    let many: Vec<String> = (0..5_000).map(|n| format!("new{n}")).collect();
    let mut edits = vec![
        json!({"label": "New", "required": true, "css_class": "x", "attributes": attributes}),
        json!({"description": "New help"}),
        json!({"name": "renamed"}),
        json!({"conditions": [{"field": "z", "operator": "is_empty"}]}),
        Value::Null,
    ];
    if field["options"]
        .as_array()
        .is_some_and(|options| !options.is_empty())
    {
        edits.push(json!({"options": reversed}));
        edits.push(json!({"options": many}));
    }
    edits
}

#[test]
fn hostile_markup_is_edited_in_bounded_time() {
    for (what, name, html) in documents() {
        let html = format!("<label>Z <input name=z></label>{html}");
        let Ok(parsed) = parse(&html) else {
            panic!("{what} is not read")
        };
        let schema = parsed.schema;
        let field = schema
            .field(name)
            .unwrap_or_else(|| panic!("{what} has no `{name}`"));
        let mut tries: Vec<(String, Duration, bool)> = Vec::new();
        for members in edits(&serde_json::to_value(field).unwrap()) {
            let start;
            let made = if members.is_null() {
                let (wanted, _) = delete_field(&schema, name, true).unwrap();
                start = Stopwatch::start();
                patched(&html, Change::Remove(field), &wanted).is_ok()
            } else {
                let Ok((wanted, after)) = update_field(&schema, name, &members) else {
                    continue;
                };
                start = Stopwatch::start();
                patched(&html, Change::Update(field, &after), &wanted).is_ok()
            };
            let members = members.to_string();
            tries.push((members.chars().take(30).collect(), start.elapsed(), made));
        }
        for position in [None, Some(0)] {
            let mut body = json!({"name": "new", "type": "text", "label": "New"});
            if let Some(position) = position {
                body["position"] = json!(position);
            }
            let Ok((_, new)) = add_field(&schema, &body) else {
                continue;
            };
            let start = Stopwatch::start();
            let made = added(&html, &new, position).is_ok();
            tries.push((format!("add {position:?}"), start.elapsed(), made));
        }
        for (edit, took, made) in tries {
            println!("{what}: {edit}: {took:?} {made}");
            assert!(took < PATIENCE, "{what}: {edit}: {took:?}");
        }
    }
}
