//! Repeating groups: the cases of `tests/cases/fields`, and rejected schemas.

use std::rc::Rc;

use cf_forms::analytics::answers;
use cf_forms::forms::FormSchema;
use cf_forms::forms::check::{parse_schema, unchecked};
use cf_forms::logic::conditions::{Visibility, answers_to, hold_for_data};
use cf_forms::logic::input::Input;
use cf_forms::logic::piping;
use cf_forms::logic::validate::{answers_in, piped_input};
use cf_forms::markup::{Filling, RenderOptions, fill, parse, render};
use cf_forms::submissions::export::Columns;
use cf_forms::submissions::{Data, Labels, Submission};
use serde_json::{Map, Value, json};

use crate::cases::{cases_of, schema_of};
use crate::dates_and_signatures::{assert_expected, input_with_files, outcome};
use crate::field_extensions::texts_in;
use crate::front_fixture::{make_form, post, text_of};
use crate::host::Host;

/// The current day in the cases: 2026-11-28.
const TODAY: i64 = 20_785;

fn input_of(case: &crate::cases::Case) -> Input {
    match case.input["json"].as_object() {
        Some(body) => Input::of_json(body),
        None => input_with_files(case, &Value::Null),
    }
}

#[test]
fn rows_are_checked_as_expected() {
    for case in cases_of("fields/repeat.json") {
        let (schema, input) = (schema_of(&case), input_of(&case));
        assert_expected(&case.name, &outcome(&schema, &input), &case.expect);
        if let Some(hidden) = case.expect.get("hidden") {
            let visibility = Visibility::of(&schema);
            let settled = visibility.settle(&mut answers_in(&schema, &input), TODAY);
            assert_eq!(&json!(settled.hidden), hidden, "{}", case.name);
        }
    }
}

#[test]
fn rendered_groups_are_parsed_unchanged() {
    for case in cases_of("fields/repeat.json") {
        let schema = schema_of(&case);
        let read = parse(&render(&schema, &RenderOptions::default())).unwrap();
        assert_eq!(read.schema, schema, "{}", case.name);
    }
}

fn schema_with(fields: Value) -> FormSchema {
    parse_schema(&json!({"fields": fields})).unwrap()
}

fn guests() -> FormSchema {
    schema_with(json!([
        {"name": "guests", "type": "fieldset", "label": "Guests", "validation": {"min": 1, "max": 3},
         "attributes": {"data-repeat": "Add a guest"}},
        {"name": "who", "label": "Name", "group": "guests", "required": true},
        {"name": "menu", "type": "select", "label": "Menu for [who|this guest]", "group": "guests",
         "options": [{"value": "f", "label": "Fish"}, {"value": "v", "label": "Veg"}]},
        {"name": "wishes", "label": "Wishes", "group": "guests",
         "conditions": [{"field": "menu", "operator": "equals", "value": "v"}]},
        {"name": "age", "type": "number", "group": "guests"},
        {"name": "child", "type": "number", "group": "guests", "attributes": {"data-calc": "if(age < 18, 1, 0)", "readonly": ""}},
        {"name": "children", "type": "number", "attributes": {"data-calc": "sum(guests, child)", "readonly": ""}},
        {"name": "ages", "type": "number", "attributes": {"data-calc": "avg(age)", "readonly": ""}},
    ]))
}

fn sent(pairs: &[(&str, &str)]) -> Input {
    let pairs = pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Input::of_pairs(pairs.collect(), Vec::new())
}

#[test]
fn rules_expressions_and_texts_in_a_row_refer_to_that_row() {
    let input = sent(&[
        ("guests[3][who]", "Ada"),
        ("guests[3][menu]", "f"),
        ("guests[3][wishes]", "gone"),
        ("guests[3][age]", "36"),
        ("guests[5][who]", "Bob"),
        ("guests[5][menu]", "v"),
        ("guests[5][wishes]", "salt"),
        ("guests[5][age]", "10"),
    ]);
    let got = outcome(&guests(), &input);
    let expected = json!({
        "guests": [
            {"who": "Ada", "menu": "f", "age": 36, "child": 0},
            {"who": "Bob", "menu": "v", "wishes": "salt", "age": 10, "child": 1},
        ],
        "children": 1,
        "ages": 23,
    });
    assert_eq!(got["data"], expected, "{got}");
    let schema = guests();
    let settled_by = Visibility::of(&schema);
    let settled = settled_by.settle(&mut answers_in(&schema, &input), TODAY);
    let piped = piped_input(&schema, &settled, &input, &texts_in(None));
    let shown = piping::filled(&schema, &piped).unwrap();
    assert_eq!(shown.field("menu").unwrap().label, "Menu for Ada, Bob");
    assert_eq!(piped["guests[5][who]"], "Bob");
}

#[test]
fn a_fault_names_the_row_and_the_input() {
    let input = sent(&[
        ("guests[3][who]", "Ada"),
        ("guests[7][who]", ""),
        ("guests[7][menu]", "meat"),
        ("guests[7][age]", "x"),
    ]);
    let faults = outcome(&guests(), &input)["errors"].clone();
    let of = |index: usize, member: &str| faults[index][member].clone();
    assert_eq!(of(0, "input"), "guests[7][who]");
    assert_eq!(of(0, "row"), 1);
    assert_eq!(of(0, "message"), "Name (Guests 2): this field is required.");
    assert_eq!(
        of(1, "message"),
        "Menu for this guest (Guests 2): choose one of the listed options."
    );
    assert_eq!(of(2, "message"), "age (Guests 2): enter a number.");
}

#[test]
fn schemas_with_invalid_groups_are_rejected() {
    let at = |fields: Value| {
        let faults = parse_schema(&json!({"fields": fields})).unwrap_err();
        let faults = faults
            .into_iter()
            .map(|fault| format!("{}: {}", fault.path, fault.message));
        faults.collect::<Vec<_>>()
    };
    let group = |more: Value| {
        let mut group = json!({"name": "g", "type": "fieldset", "attributes": {"data-repeat": ""}});
        group
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        group
    };
    for (fields, expected) in [
        (
            json!([group(json!({"validation": {"max": 1000}}))]),
            "fields[0].attributes.data-repeat: A repeating group has at most 100 rows.",
        ),
        (
            json!([group(json!({})), {"name": "h", "type": "fieldset", "group": "g", "attributes": {"data-repeat": ""}}]),
            "fields[1].attributes.data-repeat: A repeating group can’t be in another one.",
        ),
        (
            json!([group(json!({})), {"name": "f", "type": "file", "group": "g"}]),
            "fields[1].group: Files can’t be in a repeating group.",
        ),
        (
            json!([group(json!({})), {"name": "g[0][a]"}]),
            "fields[1].name: The rows of the group `g` send this name.",
        ),
        (
            json!([group(json!({})), {"name": "a", "type": "number", "group": "g"}, {"name": "x", "type": "number", "attributes": {"data-calc": "g + 1"}}]),
            "fields[2].attributes.data-calc: This can’t be calculated: g is a group of rows.",
        ),
    ] {
        let faults = at(fields);
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(faults[0].ends_with(expected), "{faults:?}");
    }
    for expression in [
        "sum(g, a * 2)",
        "count(g)",
        "count(g, a > 1)",
        "sum(a)",
        "if(is_empty(g), 1, 2)",
    ] {
        let schema = schema_with(
            json!([group(json!({})), {"name": "a", "type": "number", "group": "g"},
            {"name": "x", "type": "number", "attributes": {"data-calc": expression}}]),
        );
        assert_eq!(unchecked(&schema), [""; 0], "{expression}");
    }
    let idle = schema_with(json!([{"name": "t", "attributes": {"data-repeat": ""}}]));
    assert_eq!(
        unchecked(&idle),
        ["data-repeat means nothing for the text \"t\""]
    );
}

fn page(schema: &FormSchema, rows: &[(&str, &[usize])]) -> String {
    let rows = rows
        .iter()
        .map(|(group, numbers)| ((*group).to_owned(), numbers.to_vec()));
    let options = RenderOptions {
        instance: "1".to_owned(),
        visitors: Some(Rc::default()),
        rows: rows.collect(),
        ..RenderOptions::default()
    };
    render(schema, &options)
}

#[test]
fn a_page_has_a_row_a_template_and_buttons() {
    let html = page(&guests(), &[]);
    let mut rest = html.as_str();
    for part in [
        "data-cf-rows=\"guests\"",
        "data-cf-min=\"1\"",
        "data-cf-max=\"3\"",
        "<fieldset class=\"cf-row\"",
        "<legend>Guests 1</legend>",
        "name=\"guests[0][who]\"",
        "id=\"cf-1--guests--0--who\"",
        "<bdi data-cf-pipe=\"guests[0][who]\" data-cf-else=\"this guest\">this guest</bdi>",
        "\"field\":\"guests[0][menu]\"",
        "data-cf-calc=\"guests[0][child]\"",
        "<button type=\"submit\" name=\"_cf_add\" value=\"guests\" formnovalidate",
        ">Add a guest</button>",
        "<template>",
        "name=\"guests[{row}][who]\"",
        "id=\"cf-1--guests--{row}--who\"",
        "name=\"_cf_remove\" value=\"guests.{row}\"",
        "</template>",
    ] {
        let part = if part.starts_with("\"field") {
            part.replace('"', "&quot;")
        } else {
            part.to_owned()
        };
        let at = rest.find(&part).unwrap_or_else(|| panic!("{part}: {html}"));
        rest = &rest[at + part.len()..];
    }
    assert!(!html.contains("value=\"guests.0\""), "{html}");
    let html = page(&guests(), &[("guests", &[4, 7, 9])]);
    for part in [
        "name=\"guests[7][who]\"",
        "<legend>Guests 3</legend>",
        "name=\"_cf_remove\" value=\"guests.9\"",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
    assert!(!html.contains("_cf_add"), "{html}");
    let values = [("guests[7][who]".to_owned(), vec!["Bob".to_owned()])];
    let faults = [("guests[7][menu]".to_owned(), "Choose.".to_owned())];
    let filling = Filling {
        values: &values,
        faults: &faults,
        instance: "1",
        prefill: None,
    };
    let filled = fill(&html, &filling);
    assert!(filled.contains("value=\"Bob\""), "{filled}");
    assert_eq!(filled.matches("aria-invalid").count(), 1, "{filled}");
}

#[test]
fn conditions_labels_sums_and_columns_use_stored_rows() {
    let schema = guests();
    let data = json!({"guests": [{"who": "Ada", "menu": "f", "age": 36}, {"who": "Bob", "menu": "v", "age": 10}]});
    let data = data.as_object().unwrap();
    let holds = |field: &str, operator: &str, value: Value| {
        let rule = json!([{"field": field, "operator": operator, "value": value}]);
        let conditions = cf_forms::forms::check::parse_conditions(&rule).unwrap();
        hold_for_data(&conditions, &schema, data)
    };
    assert!(holds("menu", "equals", json!("v")));
    assert!(!holds("menu", "equals", json!("x")));
    assert!(holds("age", "less_than", json!(18)));
    assert!(holds("who", "contains", json!("d")));
    assert!(holds("guests", "is_not_empty", Value::Null));
    assert_eq!(answers_to(&schema, data)["guests[1][who]"], ["Bob"]);
    let stored = Data(
        data.iter()
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect(),
    );
    assert!(
        Labels::of(&schema, &stored)
            .0
            .contains(&("menu".to_owned(), "Fish, Veg".to_owned()))
    );
    let mut counted = Vec::new();
    for (metric, key, count) in answers::counts(&schema, &stored, false) {
        let metric = metric.into_owned();
        counted.push(cf_forms::analytics::Counted { metric, key, count });
    }
    let sums = answers::answer_sums(&schema, &counted);
    let of = |name: &str| sums.iter().find(|sum| sum["name"] == name).unwrap().clone();
    assert_eq!(of("age")["sum"], 46);
    assert_eq!(of("menu")["options"][1]["count"], 1);
    let submission = Submission {
        data: stored,
        ..Submission::default()
    };
    let columns = Columns::new(&schema, Vec::new());
    assert!(
        columns
            .header()
            .contains("guests.1.who,guests.1.menu,guests.1.wishes"),
        "{}",
        columns.header()
    );
    let chosen = columns
        .only(&["guests.2.who", "guests.1.age"], &schema)
        .unwrap();
    assert_eq!(chosen.row(&submission), "Bob,36\r\n");
    assert_eq!(chosen.sheet_row(&submission), "[\"Bob\",36]\n");
}

#[test]
fn hostile_row_numbers_and_counts_stay_within_limits() {
    let schema = schema_with(json!([
        {"name": "g", "type": "fieldset", "attributes": {"data-repeat": ""}},
        {"name": "a", "group": "g"},
    ]));
    let rows = (0..20_000).map(|row| (format!("g[{row}][a]"), "x".to_owned()));
    let got = outcome(&schema, &Input::of_pairs(rows.collect(), Vec::new()));
    assert_eq!(got["errors"][0]["code"], "too_large", "{got}");
    let many: Vec<Value> = (0..20_000).map(|_| json!({"a": "x"})).collect();
    let body: Map<String, Value> = json!({"g": many}).as_object().unwrap().clone();
    assert_eq!(
        outcome(&schema, &Input::of_json(&body))["errors"][0]["code"],
        "too_large"
    );
    for name in [
        "g[00][a]",
        "g[99999][a]",
        "g[+1][a]",
        "g[1",
        "g[1]",
        "g[][a]",
        "g[1]a]",
    ] {
        let got = outcome(&schema, &sent(&[(name, "x")]));
        assert_eq!(got["data"], json!({"g": []}), "{name}: {got}");
    }
    let wide: Vec<Value> = (0..101)
        .map(|index| json!({"name": format!("c{index}"), "group": "g"}))
        .collect();
    let mut fields = vec![
        json!({"name": "g", "type": "fieldset", "validation": {"max": 100}, "attributes": {"data-repeat": ""}}),
    ];
    fields.extend(wide);
    let faults = parse_schema(&json!({"fields": fields})).unwrap_err();
    assert!(faults[0].message.contains("10000 fields"), "{faults:?}");
}

#[test]
fn the_sum_ignores_a_row_removed_without_script() {
    let mut host = Host::new();
    let (id, slug) = make_form(&mut host, "", json!({}));
    let fields = json!({"fields": [
        {"name": "items", "type": "fieldset", "attributes": {"data-repeat": ""}},
        {"name": "price", "type": "number", "group": "items"},
        {"name": "total", "type": "number", "attributes": {"data-calc": "sum(items, price)"}},
    ]});
    let (status, answer) = host.send("PUT", &format!("/forms/{id}/schema"), Some(fields));
    assert_eq!(status, 200, "{answer}");
    let prices = [("items[0][price]", "22.5"), ("items[1][price]", "20")];
    for (removed, total) in [("items.0", "20"), ("items.1", "22.5")] {
        let pairs = [prices[0], prices[1], ("_cf_remove", removed)];
        let request = post(&host, &slug, &pairs);
        let html = text_of(&host.visit(request));
        let shown = format!(">{total}</output>");
        assert!(html.contains(&shown), "{removed}: {html}");
    }
}
