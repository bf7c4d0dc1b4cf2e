//! Calculations: the cases of `tests/cases/fields`.

use std::rc::Rc;

use cf_forms::forms::FormSchema;
use cf_forms::forms::check::{parse_schema, unchecked};
use cf_forms::forms::edit::{EditError, delete_field, update_field};
use cf_forms::forms::messages::messages_over_defaults;
use cf_forms::logic::calc::decimal;
use cf_forms::logic::calc::eval::{Row, Source, evaluate};
use cf_forms::logic::calc::outcome::{Failure, Outcome};
use cf_forms::logic::calc::syntax::Node;
use cf_forms::logic::calc::value::{Answer, Chosen};
use cf_forms::logic::calendar::parse_moment;
use cf_forms::logic::conditions::Visibility;
use cf_forms::logic::piping;
use cf_forms::logic::template::{Context, Escape, Variables, expand};
use cf_forms::logic::validate::{Rules, answers_in, piped_input};
use cf_forms::markup::{RenderOptions, parse, render};
use cf_forms::submissions::Submission;
use cf_forms::submissions::export::Columns;
use serde_json::{Map, Value, json};

use crate::cases::{Case, case_file, cases_of, schema_of};
use crate::field_extensions::{input_of, texts_in};

/// The current day in the cases: 2026-11-28.
const TODAY: i64 = 20_785;

/// Returns the answers of a case.
struct Written(Map<String, Value>);

fn answer_of(value: &Value) -> Answer {
    if let Some(chosen) = value.get("choice").and_then(Value::as_array) {
        let at = |key: &str, index: usize| value.get(key).and_then(|list| list.get(index)).cloned();
        let chosen = chosen.iter().enumerate().map(|(index, one)| {
            let one = one.as_str().unwrap();
            let weight = at("weights", index).map(|weight| weight.to_string());
            let weight =
                weight.map_or_else(|| decimal::parse(one), |weight| decimal::parse(&weight));
            let label = at("labels", index).and_then(|label| label.as_str().map(str::to_owned));
            Chosen {
                value: one.to_owned(),
                label: label.unwrap_or_else(|| one.to_owned()),
                weight: weight.unwrap_or(0),
            }
        });
        return Answer::Choice(Rc::new(chosen.collect()));
    }
    if let Some(moment) = value.get("moment") {
        return Answer::Moment(parse_moment(moment.as_str().unwrap()).unwrap());
    }
    match value {
        _ if value.get("no").is_some() => Answer::NoMoment,
        Value::Null => Answer::Nothing,
        Value::Bool(on) => Answer::Bool(*on),
        Value::String(text) => Answer::Text(text.clone()),
        Value::Number(number) => Answer::Number(decimal::parse(&number.to_string()).unwrap()),
        other => panic!("{other}"),
    }
}

impl Source for Written {
    fn answer(&self, name: &str, row: Option<&Row<'_>>) -> Outcome<Answer> {
        if let Some(value) = self.0.get(name) {
            return Ok(match value.get("rows") {
                Some(rows) => Answer::Rows(rows.as_array().unwrap().len()),
                None => answer_of(value),
            });
        }
        let mut groups = self
            .0
            .values()
            .filter_map(|value| value.get("rows")?.as_array());
        let group = groups.find(|rows| rows.iter().any(|row| row.get(name).is_some()));
        let group = group.unwrap_or_else(|| panic!("{name}"));
        let column = |row: &Value| answer_of(&row[name]);
        Ok(match row {
            Some(row) => column(&group[row.index]),
            None => Answer::List(Rc::new(group.iter().map(column).collect())),
        })
    }

    fn today(&self) -> i64 {
        TODAY
    }
}

#[test]
fn expressions_have_the_values_of_the_cases() {
    let file = case_file("fields/expressions.json");
    for case in file["cases"].as_array().unwrap() {
        let (name, expected) = (&case["name"], &case["expect"]);
        let mut answers = file["answers"].as_object().unwrap().clone();
        answers.extend(case["answers"].as_object().cloned().unwrap_or_default());
        let got = match Node::parse(case["expression"].as_str().unwrap()) {
            Err(why) => {
                let (what, at) = why.rsplit_once(" at ").unwrap();
                json!({"syntax": what, "at": at.parse::<u64>().unwrap()})
            }
            Ok(tree) => match evaluate(&tree, &Written(answers), None) {
                Err(Failure::Type) => json!({"error": "type"}),
                Err(Failure::Division) => json!({"error": "division"}),
                Err(Failure::Range) => json!({"error": "range"}),
                Err(Failure::Date) => json!({"error": "date"}),
                Ok(value) if value.is_nothing() => json!({"empty": true}),
                Ok(value) => json!({"value": value.text().unwrap()}),
            },
        };
        assert_eq!(&got, expected, "{name}");
    }
}

fn validated(case: &Case) -> Value {
    let (schema, input) = (schema_of(case), input_of(case));
    let rules = Rules {
        schema: &schema,
        visibility: &Visibility::of(&schema),
        messages: &messages_over_defaults(&Map::new()),
        required_fields: &[],
        email_fields: &[],
        has_pipes: true,
        today: TODAY,
    };
    match rules.validate(&input) {
        Ok(clean) => json!({"data": clean.answers.to_map()}),
        Err(faults) => json!({"errors": faults}),
    }
}

#[test]
fn calculated_fields_match_the_cases() {
    for case in cases_of("fields/calculations.json") {
        let got = validated(&case);
        for (member, expected) in case.expect.as_object().unwrap() {
            if member == "data" {
                assert_eq!(&got["data"], expected, "{}: {got}", case.name);
            }
            for (index, fault) in expected.as_array().into_iter().flatten().enumerate() {
                if member == "errors" {
                    assert_eq!(
                        got["errors"][index]["code"], fault["code"],
                        "{}: {got}",
                        case.name
                    );
                    assert_eq!(
                        got["errors"][index]["field"], fault["field"],
                        "{}: {got}",
                        case.name
                    );
                }
            }
        }
    }
}

#[test]
fn calculated_values_are_written_in_their_format() {
    for case in cases_of("fields/formats.json") {
        let (mut schema, input) = (schema_of(&case), input_of(&case));
        let texts = texts_in(case.input["language"].as_str());
        for (template, expected) in case.expect["texts"].as_object().unwrap() {
            let heading =
                json!({"fields": [{"name": "shown", "type": "heading", "label": template}]});
            schema.fields.extend(parse_schema(&heading).unwrap().fields);
            let visibility = Visibility::of(&schema);
            let settled = visibility.settle(&mut answers_in(&schema, &input), TODAY);
            let piped = piped_input(&schema, &settled, &input, &texts);
            let shown = piping::filled(&schema, &piped).unwrap();
            assert_eq!(
                json!(shown.fields.last().unwrap().label),
                *expected,
                "{}",
                case.name
            );
        }
        if let Some(data) = case.expect.get("data") {
            assert_eq!(validated(&case)["data"]["x"], data["x"], "{}", case.name);
        }
    }
}

fn faults_of(fields: Value) -> Vec<(String, String)> {
    let faults = parse_schema(&json!({"fields": fields})).unwrap_err();
    faults
        .into_iter()
        .map(|fault| (fault.path, fault.message))
        .collect()
}

#[test]
fn invalid_calculations_are_rejected() {
    let calc = |expression: &str| {
        json!([{"name": "n", "type": "number"}, {"name": "h", "type": "heading"},
        {"name": "p", "type": "password"}, {"name": "g", "type": "fieldset"},
        {"name": "x", "type": "number", "attributes": {"data-calc": expression}}])
    };
    for (expression, why) in [
        ("n *", "unexpected end at 3"),
        ("sqr(n)", "unknown function at 0"),
        ("h", "h has no value"),
        ("len(p)", "p has no value"),
        ("g + 1", "g has no value"),
        ("m + 1", "unknown field m"),
        ("n.first", "unknown field n.first"),
    ] {
        let faults = faults_of(calc(expression));
        assert_eq!(faults.len(), 1, "{expression}: {faults:?}");
        assert!(
            faults[0].0.ends_with("fields[4].attributes.data-calc"),
            "{faults:?}"
        );
        assert!(faults[0].1.contains(why), "{expression}: {faults:?}");
    }
    let bad = |name: &str, value: &str| json!([{"name": "n", "type": "number", "attributes": {"data-calc": "1", name: value}}]);
    for (name, value) in [
        ("data-decimals", "7"),
        ("data-format", "currency eur"),
        ("data-format", "euro"),
    ] {
        assert!(faults_of(bad(name, value))[0].0.ends_with(name));
    }
    let table = |name: &str, value: &str| json!([{"name": "c", "type": "radio", "options": ["a"], "attributes": {name: value}}]);
    for (name, value) in [("data-weights", "{\"a\":\"1\"}"), ("data-weights", "[1]")] {
        assert!(faults_of(table(name, value))[0].0.ends_with(name));
    }
}

#[test]
fn cycles_of_calculations_and_conditions_are_rejected() {
    let calc = |name: &str, of: &str| json!({"name": name, "type": "number", "attributes": {"data-calc": of}});
    let faults = faults_of(json!([calc("a", "b + 1"), calc("b", "a + 1")]));
    assert!(
        faults[0].0.ends_with("fields[0].attributes.data-calc"),
        "{faults:?}"
    );
    assert!(faults[0].1.contains("a → b → a"), "{faults:?}");
    let rule = json!([{"field": "x", "operator": "greater_than", "value": 1}]);
    let faults =
        faults_of(json!([{"name": "n", "type": "number", "conditions": rule}, calc("x", "n")]));
    assert!(faults[0].0.ends_with("fields[0].conditions"), "{faults:?}");
    assert!(faults[0].1.contains("n → x → n"), "{faults:?}");
}

#[test]
fn attributes_without_effect_are_reported() {
    let schema = parse_schema(&json!({"fields": [
        {"name": "h", "type": "heading", "attributes": {"data-calc": "1"}},
        {"name": "c", "type": "radio", "options": ["a"], "attributes": {"data-weights": "{\"a\":5,\"b\":2}"}},
        {"name": "r", "type": "range", "attributes": {"data-min": "1", "data-server": ""}},
        {"name": "o", "type": "color", "attributes": {"data-server": ""}},
    ]})).unwrap();
    assert_eq!(
        unchecked(&schema),
        [
            "data-calc means nothing for the heading \"h\"",
            "data-weights of \"c\" names no option: b",
            "data-server means nothing for the color \"o\"",
        ]
    );
}

#[test]
fn expressions_follow_a_rename_and_keep_their_field_in_use() {
    let schema = parse_schema(&json!({"fields": [
        {"name": "qty", "type": "number"},
        {"name": "who", "type": "name"},
        {"name": "x", "type": "number", "attributes": {"data-calc": "qty*2 + len(who.first & 'qty') + [qty]"}},
        {"name": "d", "type": "number", "attributes": {"data-min": "QTY + 1".to_lowercase()}},
    ]})).unwrap();
    let calc = |schema: &FormSchema| schema.field("x").unwrap().attributes["data-calc"].clone();
    let (changed, _) = update_field(&schema, "qty", &json!({"name": "how many"})).unwrap();
    assert_eq!(
        calc(&changed),
        "[how many]*2 + len(who.first & 'qty') + [how many]"
    );
    let (changed, _) = update_field(&schema, "who", &json!({"name": "person"})).unwrap();
    assert_eq!(calc(&changed), "qty*2 + len(person.first & 'qty') + [qty]");
    match delete_field(&schema, "qty", false).unwrap_err() {
        EditError::InUse { users, .. } => assert_eq!(users, ["x", "d"]),
        other => panic!("{other}"),
    }
    let (forced, _) = delete_field(&schema, "qty", true).unwrap();
    assert_eq!(calc(&forced), "''*2 + len(who.first & 'qty') + ''");
}

#[test]
fn the_documented_examples_store_the_documented_values() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/calculations.md");
    let text = std::fs::read_to_string(path).unwrap();
    let (_, examples) = text.split_once("\n## Examples\n").unwrap();
    let mut count = 0;
    for example in examples.split("\n### ").skip(1) {
        let (schema, rest) = example
            .split_once("```json\n")
            .unwrap()
            .1
            .split_once("\n```")
            .unwrap();
        let mut quoted = rest.split('`').skip(1).step_by(2);
        let (pairs, stored) = (quoted.next().unwrap(), quoted.next().unwrap());
        let pairs = pairs.split('&').map(|pair| pair.split_once('=').unwrap());
        let pairs: Vec<(&str, &str)> = pairs.collect();
        let case = Case {
            name: example.lines().next().unwrap().to_owned(),
            schema: serde_json::from_str(schema).unwrap(),
            input: json!({"pairs": pairs}),
            expect: Value::Null,
        };
        let stored: Value = serde_json::from_str(stored).unwrap();
        assert_eq!(validated(&case)["data"], stored, "{}", case.name);
        count += 1;
    }
    assert_eq!(count, 20);
}

#[test]
fn mails_format_values_and_tables_do_not() {
    let file = case_file("fields/rendered.json");
    for case in file["cases"].as_array().unwrap() {
        let schema = parse_schema(&case["schema"]).unwrap();
        let data = case["data"].as_object().unwrap();
        let texts = texts_in(None);
        let variables = Variables {
            schema: Some(&schema),
            data,
            escape: Escape::NONE,
            form_id: 1,
            form_title: "",
            submission_id: "",
            timestamp: "",
            ip_address: "",
            user_agent: "",
            referrer_url: "",
            texts: &texts,
            file_links: &[],
        };
        for (key, template) in [("all", "[all]"), ("all_label", "[all:label]")] {
            if let Some(expected) = case["expect"].get(key) {
                let got = expand(template, &variables, Context::Text);
                assert_eq!(&json!(got), expected, "{}", case["name"]);
            }
        }
        if let Some(csv) = case["expect"].get("csv") {
            let submission = Submission {
                data: serde_json::from_value(case["data"].clone()).unwrap(),
                ..Submission::default()
            };
            let columns = Columns::new(&schema, Vec::new());
            let row = columns.row(&submission);
            let cells: Vec<&str> = csv["cells"]
                .as_array()
                .unwrap()
                .iter()
                .filter_map(Value::as_str)
                .collect();
            let row = row.replace('"', "");
            assert!(
                row.trim_end().ends_with(&cells.join(",")),
                "{}: {row}",
                case["name"]
            );
        }
    }
}

#[test]
fn authors_html_matches_the_cases() {
    let file = case_file("fields/recognition.json");
    for case in file["cases"].as_array().unwrap() {
        let parsed = parse(case["html"].as_str().unwrap()).unwrap();
        let expected = parse_schema(&json!({"fields": case["expect"]["fields"]})).unwrap();
        assert_eq!(parsed.schema.fields, expected.fields, "{}", case["name"]);
    }
}

#[test]
fn a_rendered_calculation_is_parsed_unchanged() {
    for file in ["calculations", "formats", "rendered"] {
        for case in case_file(&format!("fields/{file}.json"))["cases"]
            .as_array()
            .unwrap()
        {
            let schema = parse_schema(&case["schema"]).unwrap();
            let read = parse(&render(&schema, &RenderOptions::default())).unwrap();
            assert_eq!(read.schema, schema, "{}", case["name"]);
        }
    }
}
