//! Matrices, rankings and telephone numbers with a country: the cases of `tests/cases/fields`.

use std::collections::BTreeMap;
use std::rc::Rc;

use cf_forms::analytics::{Counted, answers};
use cf_forms::forms::FormSchema;
use cf_forms::forms::check::{parse_schema, unchecked};
use cf_forms::logic::conditions::Visibility;
use cf_forms::logic::input::Input;
use cf_forms::logic::piping;
use cf_forms::logic::validate::{Rules, answers_in, piped_input};
use cf_forms::markup::{RenderOptions, for_visitors, parse, render, with_variants};
use cf_forms::submissions::Data;
use serde_json::{Value, json};

use crate::cases::{Case, case_file, cases_of, schema_of};
use crate::field_extensions::{input_of, texts_in};

const FILES: [&str; 3] = [
    "fields/matrix.json",
    "fields/phone.json",
    "fields/ranking.json",
];

fn input_in(case: &Case) -> Input {
    match case.input["json"].as_object() {
        Some(body) => Input::of_json(body),
        None => input_of(case),
    }
}

/// Validates a case; returns its data or its faults, and the hidden fields.
fn validated(schema: &FormSchema, input: &Input) -> Value {
    let visibility = Visibility::of(schema);
    let rules = Rules {
        schema,
        visibility: &visibility,
        messages: &texts_in(None),
        required_fields: &[],
        email_fields: &[],
        has_pipes: true,
        today: 0,
    };
    let hidden = visibility
        .settle(&mut answers_in(schema, input), 0)
        .hidden
        .into_iter()
        .collect::<Vec<_>>();
    match rules.validate(input) {
        Ok(clean) => json!({"data": clean.answers.to_map(), "hidden": hidden}),
        Err(faults) => json!({"errors": faults, "hidden": hidden}),
    }
}

#[test]
fn answers_are_stored_or_rejected_as_expected() {
    for case in FILES.into_iter().flat_map(cases_of) {
        let (schema, input) = (schema_of(&case), input_in(&case));
        let got = validated(&schema, &input);
        for (member, expected) in case.expect.as_object().unwrap() {
            match member.as_str() {
                "texts" => {}
                "errors" => {
                    let faults = expected.as_array().unwrap();
                    let found = got["errors"].as_array().map(Vec::len);
                    assert_eq!(found, Some(faults.len()), "{}: {got}", case.name);
                    for (index, fault) in faults.iter().enumerate() {
                        let found = &got["errors"][index];
                        for key in ["field", "code"] {
                            assert_eq!(found[key], fault[key], "{}: {got}", case.name);
                        }
                        for bound in [&fault["min"], &fault["max"]] {
                            let bound = bound.as_str().unwrap_or_default();
                            let message = found["message"].as_str().unwrap();
                            assert!(message.contains(bound), "{}: {got}", case.name);
                        }
                    }
                }
                member => assert_eq!(&got[member], expected, "{}: {got}", case.name),
            }
        }
    }
}

#[test]
fn texts_show_answers_as_expected() {
    for case in FILES.into_iter().flat_map(cases_of) {
        let texts = texts_in(None);
        for (template, expected) in case.expect["texts"].as_object().into_iter().flatten() {
            let (mut schema, input) = (schema_of(&case), input_in(&case));
            let heading =
                json!({"fields": [{"name": "shown here", "type": "heading", "label": template}]});
            schema.fields.extend(parse_schema(&heading).unwrap().fields);
            let visibility = Visibility::of(&schema);
            let settled = visibility.settle(&mut answers_in(&schema, &input), 0);
            let piped = piped_input(&schema, &settled, &input, &texts);
            let shown = piping::filled(&schema, &piped).unwrap();
            let shown = &shown.fields.last().unwrap().label;
            assert_eq!(json!(shown), *expected, "{}", case.name);
        }
    }
}

#[test]
fn a_rendered_variant_is_parsed_unchanged() {
    let files = FILES
        .into_iter()
        .chain(["fields/html.json", "fields/rendered.json"]);
    for case in files.flat_map(|file| case_file(file)["cases"].as_array().unwrap().clone()) {
        let schema = parse_schema(&case["schema"]).unwrap();
        let read = parse(&render(&schema, &RenderOptions::default())).unwrap();
        assert_eq!(read.schema, schema, "{}", case["name"]);
    }
}

fn visitors() -> RenderOptions {
    RenderOptions {
        instance: "1".to_owned(),
        visitors: Some(Rc::new(BTreeMap::new())),
        ..RenderOptions::default()
    }
}

/// Returns the page of a schema, and the page of the same form as an author's HTML.
fn pages(schema: &FormSchema) -> [String; 2] {
    let written = render(schema, &RenderOptions::default());
    let marked = with_variants(for_visitors(&written, "Choose…"), &visitors());
    [render(schema, &visitors()), marked]
}

#[test]
fn pages_have_the_expected_parts() {
    let file = case_file("fields/html.json");
    // The other cases need the page of a stored form (tests/shim/field-variants.test.ts).
    let is_variant = |case: &&Value| {
        let schema = case["schema"].to_string();
        schema.contains("data-rank") || schema.contains("data-phone")
    };
    for case in file["cases"].as_array().unwrap().iter().filter(is_variant) {
        let schema = parse_schema(&case["schema"]).unwrap();
        let texts = |key: &str| {
            let texts = case["expect"][key].as_array().unwrap().iter();
            texts
                .map(|text| text.as_str().unwrap().to_owned())
                .collect::<Vec<_>>()
        };
        for page in pages(&schema) {
            let mut rest = page.as_str();
            for part in texts("contains") {
                let at = rest.find(&part);
                let at = at.unwrap_or_else(|| panic!("{}: {part} is not in {rest}", case["name"]));
                rest = &rest[at..];
            }
            for part in texts("contains_not") {
                assert!(!page.contains(&part), "{}: {part} in {page}", case["name"]);
            }
        }
    }
}

fn schema_with(fields: Value) -> FormSchema {
    parse_schema(&json!({"fields": fields})).unwrap()
}

#[test]
fn a_matrix_has_header_cells_if_its_rows_have_the_same_options() {
    let row = |name: &str, options: Value| json!({"name": name, "type": "radio", "group": "m", "options": options});
    let matrix = json!({"name": "m", "type": "fieldset", "label": "M", "css_class": "cf-matrix"});
    let same = schema_with(json!([
        matrix,
        row("a", json!(["x", "y"])),
        row("b", json!(["x", "y"]))
    ]));
    for page in pages(&same) {
        let heads =
            "<div class=\"cf-heads\" aria-hidden=\"true\"><span>x</span><span>y</span></div>";
        let (before, after) = page.split_once(heads).unwrap_or_else(|| panic!("{page}"));
        assert!(
            before.contains("<legend") && !before.contains("type=\"radio\""),
            "{page}"
        );
        assert!(after.contains("type=\"radio\""), "{page}");
    }
    let different = schema_with(json!([
        matrix,
        row("a", json!(["x", "y"])),
        row("b", json!(["x"]))
    ]));
    let text = schema_with(json!([matrix, row("a", json!(["x"])), {"name": "t", "group": "m"}]));
    let empty = schema_with(json!([matrix]));
    for schema in [different, text, empty] {
        assert!(!pages(&schema).concat().contains("cf-heads"));
    }
}

#[test]
fn without_script_a_page_has_the_labels_of_countries_and_places() {
    let fields = "<label>Phone <input type=\"tel\" name=\"p\" data-phone=\"AT\"></label>\
        <fieldset data-rank><legend>Best</legend><label><input type=\"checkbox\" name=\"r[]\" value=\"a\"> A</label>\
        <label><input type=\"checkbox\" name=\"r[]\" value=\"b\"> B</label></fieldset><p>End</p>";
    let page = with_variants(for_visitors(fields, ""), &visitors());
    let (before, label) = page.split_once("<label").unwrap();
    assert!(
        before.contains("<option value=\"AT\" selected>Austria"),
        "{page}"
    );
    assert!(label.contains("autocomplete=\"tel-national\""), "{page}");
    assert!(page.contains("id=\"cf-1--r--2\" name=\"r[]\""), "{page}");
    assert!(
        page.ends_with("<p>End</p>") && !page.contains("checkbox\" name"),
        "{page}"
    );
    assert_eq!(with_variants(page.clone(), &visitors()), page);
}

#[test]
fn schemas_with_invalid_countries_or_rankings_are_rejected() {
    let faults = |field: Value| {
        let faults = parse_schema(&json!({"fields": [field]})).unwrap_err();
        assert_eq!(faults.len(), 1, "{faults:?}");
        (faults[0].path.clone(), faults[0].message.clone())
    };
    let tel = |name: &str, value: &str| json!({"name": "t", "type": "tel", "attributes": {"data-phone": "", name: value}});
    for (name, value) in [
        ("data-phone", "UK"),
        ("data-phone", "de"),
        ("data-countries", "DE XX"),
    ] {
        let (path, message) = faults(tel(name, value));
        assert!(
            path.ends_with(&format!("fields[0].attributes.{name}")),
            "{path}"
        );
        assert!(message.contains("unknown country"), "{message}");
    }
    let options: Vec<String> = (0..21).map(|option| option.to_string()).collect();
    let ranking = json!({"name": "r", "type": "checkbox", "options": options, "attributes": {"data-rank": ""}});
    assert!(
        faults(ranking)
            .0
            .ends_with("fields[0].attributes.data-rank")
    );
}

#[test]
fn attributes_without_effect_are_reported() {
    let file = case_file("fields/schema-checks.json");
    for case in file["cases"].as_array().unwrap() {
        match parse_schema(&case["schema"]) {
            Ok(schema) => {
                assert_eq!(
                    json!(unchecked(&schema)),
                    case["expect"]["warnings"],
                    "{}",
                    case["name"]
                );
            }
            Err(faults) => {
                let expected = case["expect"]["faults"].as_array().unwrap();
                assert_eq!(faults.len(), expected.len(), "{}", case["name"]);
                for (fault, expected) in faults.iter().zip(expected) {
                    assert!(
                        fault.path.ends_with(expected["at"].as_str().unwrap()),
                        "{}",
                        case["name"]
                    );
                }
            }
        }
    }
    let idle = schema_with(json!([
        {"name": "t", "type": "tel", "attributes": {"data-countries": "DE"}},
        {"name": "r", "type": "radio", "options": ["a"], "attributes": {"data-rank": ""}},
        {"name": "c", "type": "checkbox", "attributes": {"data-rank": ""}},
    ]));
    assert_eq!(
        unchecked(&idle),
        [
            "data-countries means nothing for the tel \"t\"",
            "data-rank means nothing for the radio \"r\"",
            "data-rank means nothing for the checkbox \"c\"",
        ]
    );
}

/// Returns a telephone number as it is stored.
fn stored(phone: &str, text: &str) -> Value {
    let schema =
        schema_with(json!([{"name": "p", "type": "tel", "attributes": {"data-phone": phone}}]));
    let pairs = vec![("p".to_owned(), text.to_owned())];
    validated(&schema, &Input::of_pairs(pairs, Vec::new()))["data"]["p"].clone()
}

#[test]
fn telephone_numbers_may_be_spelled_in_several_ways() {
    for (country, text, expected) in [
        ("DE", "٠١٥١ ١٢٣٤٥٦٧٨", "+4915112345678"),
        ("DE", "०१५१ १२३४५६७८", "+4915112345678"),
        ("DE", "０１５１／１２３４５６７８", ""),
        ("DE", "\u{202a}+49 151 12345678\u{202c}", "+4915112345678"),
        ("", "0049 (0) 151 12345678", "+4915112345678"),
        ("", "(+49) 151.12345678", "+4915112345678"),
        ("US", "1 202 555 0123", "+12025550123"),
        ("US", "555 0123", ""),
        ("DE", "49 151 12345678", "+4915112345678"),
        ("IT", "391 234 5678", "+393912345678"),
        ("IT", "+39 06 698 12345", "+390669812345"),
        ("GB", "+44 (0)20 7946 0958", "+442079460958"),
        ("KZ", "8 701 234 56 78", "+77012345678"),
        ("", "+49 151 12345678;ext=5", ""),
        ("", "+", ""),
        ("DE", "0", ""),
        ("AU", "0412 345 678", "+61412345678"),
    ] {
        let got = stored(country, text);
        assert_eq!(
            got.as_str().unwrap_or_default(),
            expected,
            "{country} {text}: {got}"
        );
    }
}

fn sums(schema: &FormSchema, submissions: &[Value]) -> Vec<Value> {
    let mut counted: Vec<Counted> = Vec::new();
    for submission in submissions {
        let data = submission.as_object().unwrap().iter();
        let data = Data(
            data.map(|(name, value)| (name.clone(), value.clone()))
                .collect(),
        );
        for (_, key, count) in answers::counts(schema, &data, false) {
            let metric = "answer".to_owned();
            counted.push(Counted { metric, key, count });
        }
    }
    answers::answer_sums(schema, &counted)
}

#[test]
fn the_summary_of_a_ranking_counts_first_places_and_mean_places() {
    let schema = schema_with(json!([
        {"name": "r", "type": "checkbox", "options": ["a", "b", "c"], "attributes": {"data-rank": ""}},
    ]));
    let sums = sums(
        &schema,
        &[
            json!({"r": ["a", "b", "c"]}),
            json!({"r": ["b", "a"]}),
            json!({"r": []}),
        ],
    );
    let option = |index: usize| {
        let option = &sums[0]["options"][index];
        (
            option["count"].clone(),
            option["first"].clone(),
            option["place"].clone(),
        )
    };
    assert_eq!(option(0), (json!(2), json!(1), json!(1.5)));
    assert_eq!(option(1), (json!(2), json!(1), json!(1.5)));
    assert_eq!(option(2), (json!(1), json!(0), json!(3)));
}

#[test]
fn the_summary_of_a_matrix_has_the_mean_weight_of_each_row() {
    let row = |name: &str, options: Value, attributes: Value| json!({"name": name, "type": "radio", "group": "m", "options": options, "attributes": attributes});
    let weights = json!({"data-weights": "{\"a\":0,\"b\":5}"});
    let schema = schema_with(json!([
        {"name": "m", "type": "fieldset", "css_class": "cf-matrix"},
        row("x", json!(["1", "2", "3"]), json!({})),
        row("y", json!(["a", "b"]), weights),
        row("z", json!(["a", "b"]), json!({})),
        {"name": "alone", "type": "radio", "options": ["1", "2"]},
    ]));
    let submissions = [
        json!({"x": "3", "y": "b", "z": "a", "alone": "1"}),
        json!({"x": "2", "y": "a"}),
        json!({"x": "2"}),
    ];
    let sums = sums(&schema, &submissions);
    assert_eq!(sums[0]["mean"], json!(2.333333333));
    assert_eq!(sums[1]["mean"], json!(2.5));
    assert!(sums[2].get("mean").is_none() && sums[3].get("mean").is_none());
}
