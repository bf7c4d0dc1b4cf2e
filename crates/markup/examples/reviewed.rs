use markup::{RenderOptions, parse, render};
use serde_json::{Map, Value, json};
use std::fs;
fn without_defaults(field: &Value) -> Value {
    let mut short = Map::new();
    for (member, value) in field.as_object().unwrap() {
        let is_default = match member.as_str() {
            "position" => true,
            "required" => value == &json!(false),
            _ => {
                value.is_null()
                    || value == &json!("")
                    || value.as_array().is_some_and(Vec::is_empty)
                    || value.as_object().is_some_and(Map::is_empty)
            }
        };
        if !is_default {
            let value = match member.as_str() {
                "options" => value
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|o| json!([o["value"], o["label"]]))
                    .collect(),
                _ => value.clone(),
            };
            short.insert(member.clone(), value);
        }
    }
    Value::Object(short)
}
fn read(html: &str) -> Value {
    let parsed = parse(html).unwrap();
    let schema = serde_json::to_value(&parsed.schema).unwrap();
    let fields: Vec<Value> = schema["fields"]
        .as_array()
        .unwrap()
        .iter()
        .map(without_defaults)
        .collect();
    let codes: Vec<&str> = parsed.warnings.iter().map(|w| w.code.as_str()).collect();
    let mut result = json!({"fields": fields});
    if schema["layout"] != json!({"type": "single"}) {
        result["layout"] = schema["layout"].clone();
    }
    if !codes.is_empty() {
        result["warnings"] = json!(codes);
    }
    result
}
fn main() {
    let arg = std::env::args().nth(1).unwrap_or_default();
    if arg == "-" {
        let mut s = String::new();
        std::io::Read::read_to_string(&mut std::io::stdin(), &mut s).unwrap();
        for line in s.lines() {
            println!("{line}\n   {}", serde_json::to_string(&read(line)).unwrap());
        }
        return;
    }
    let mut names: Vec<_> = fs::read_dir("tests/cases/markup")
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "html"))
        .collect();
    names.sort();
    let mut bad = 0;
    for path in &names {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let html = fs::read_to_string(path).unwrap();
        let found = read(&html);
        if arg == "--write" && std::env::args().skip(2).any(|a| a == name) {
            fs::write(
                format!("/tmp/markup/{name}.found.json"),
                serde_json::to_string_pretty(&found).unwrap(),
            )
            .unwrap();
        }
        let expected: Value =
            serde_json::from_str(&fs::read_to_string(path.with_extension("json")).unwrap())
                .unwrap();
        let schema = parse(&html).unwrap().schema;
        let again = parse(&render(&schema, &RenderOptions::default()))
            .unwrap()
            .schema;
        if again != schema {
            println!("!! {name} changes when rendered");
        }
        if found != expected {
            bad += 1;
            println!("== {name}");
            let list = |v: &Value| v["fields"].as_array().cloned().unwrap_or_default();
            let (e, f) = (list(&expected), list(&found));
            let key = |v: &Value| v["name"].as_str().unwrap_or("").to_owned();
            for x in &e {
                match f.iter().find(|y| key(y) == key(x)) {
                    None => println!("  - {x}"),
                    Some(y) if y != x => println!("  - {x}\n  + {y}"),
                    _ => {}
                }
            }
            for y in &f {
                if !e.iter().any(|x| key(x) == key(y)) {
                    println!("  + {y}");
                }
            }
            for m in ["layout", "warnings"] {
                if expected[m] != found[m] {
                    println!("  {m}\n  - {}\n  + {}", expected[m], found[m]);
                }
            }
        }
    }
    println!("{} forms, {} differ", names.len(), bad);
}
