//! Dates with an input for each part (day, month, year), bounds that depend on other answers, and signatures. Some
//! tests run the cases of `dates.json` and `signature-and-uploads.json` in `tests/cases/fields`.

use cf_forms::forms::FormSchema;
use cf_forms::forms::check::{parse_schema, unchecked};
use cf_forms::forms::messages::messages_over_defaults;
use cf_forms::logic::conditions::Visibility;
use cf_forms::logic::input::{Input, UploadedFile};
use cf_forms::logic::prefill::Prefill;
use cf_forms::logic::validate::Rules;
use cf_forms::markup::{RenderOptions, parse, render};
use serde_json::{Map, Value, json};

use crate::cases::{Case, case_file, cases_of, schema_of};

/// The current day in the cases: 2026-11-28.
const TODAY: i64 = 20_785;

/// The input of a case: pairs and files. If the case has `uploads`, the value of each pair is the token of a stored
/// file. Then the input has the stored files in place of the pairs.
pub fn input_with_files(case: &Case, uploads: &Value) -> Input {
    let mut pairs: Vec<(String, String)> =
        serde_json::from_value(case.input["pairs"].clone()).unwrap_or_default();
    let files = case.input["files"].as_array().into_iter().flatten();
    let mut files: Vec<UploadedFile> = files
        .map(|file| serde_json::from_value(file.clone()).unwrap())
        .collect();
    if uploads.is_object() {
        for (field, token) in std::mem::take(&mut pairs) {
            let stored = &uploads[&token];
            let is = |fact: &str| stored[fact] == json!(true);
            if !token.is_empty() {
                files.push(UploadedFile {
                    field,
                    filename: stored["filename"].as_str().unwrap_or_default().to_owned(),
                    size: stored["size"].as_u64().unwrap_or_default(),
                    is_unusable: stored.is_null()
                        || is("expired")
                        || is("claimed")
                        || is("foreign"),
                    ..UploadedFile::default()
                });
            }
        }
    }
    Input::of_pairs(pairs, files)
}

/// Validates an input, and returns the data or the faults.
pub fn outcome(schema: &FormSchema, input: &Input) -> Value {
    let rules = Rules {
        schema,
        visibility: &Visibility::of(schema),
        messages: &messages_over_defaults(&Map::new()),
        required_fields: &[],
        email_fields: &[],
        has_pipes: true,
        today: TODAY,
    };
    match rules.validate(input) {
        Ok(clean) => json!({"data": clean.answers.to_map()}),
        Err(faults) => json!({"errors": faults}),
    }
}

/// The text of a bound in messages: a date in words, any other bound unchanged.
fn in_words(bound: &str) -> String {
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let parts: Vec<usize> = bound
        .split('-')
        .filter_map(|part| part.parse().ok())
        .collect();
    match parts[..] {
        [year, month, day] => format!("{day} {} {year}", MONTHS[month - 1]),
        _ => bound.to_owned(),
    }
}

/// Asserts that a result has the data or the faults that a case expects.
pub fn assert_expected(name: &str, got: &Value, expect: &Value) {
    if let Some(data) = expect.get("data") {
        assert_eq!(&got["data"], data, "{name}: {got}");
    }
    let Some(expected) = expect["errors"].as_array() else {
        return;
    };
    let faults = got["errors"].as_array();
    assert_eq!(faults.map(Vec::len), Some(expected.len()), "{name}: {got}");
    for (got, expected) in faults.into_iter().flatten().zip(expected) {
        for (member, value) in expected.as_object().unwrap() {
            match member.as_str() {
                "min" | "max" => {
                    let bound = value.as_str().unwrap();
                    let message = got["message"].as_str().unwrap();
                    let named = message.contains(&in_words(bound));
                    assert!(named || bound == "999", "{name}: {got}");
                }
                member => assert_eq!(&got[member], value, "{name}: {got}"),
            }
        }
    }
}

fn uploads_of(file: &Value, name: &str) -> Value {
    let mut cases = file["cases"].as_array().unwrap().iter();
    let case = cases.find(|case| case["name"] == *name).unwrap();
    case["context"]["uploads"].clone()
}

#[test]
fn dates_and_signatures_match_the_cases() {
    for file in ["dates", "signature-and-uploads"] {
        let path = format!("fields/{file}.json");
        let whole = case_file(&path);
        for case in cases_of(&path) {
            let input = input_with_files(&case, &uploads_of(&whole, &case.name));
            let got = outcome(&schema_of(&case), &input);
            assert_expected(&case.name, &got, &case.expect);
        }
    }
}

fn schema_with(fields: Value) -> FormSchema {
    parse_schema(&json!({"fields": fields})).unwrap()
}

#[test]
fn a_signature_without_a_limit_has_at_most_a_megabyte() {
    let schema = schema_with(json!([
        {"name": "sign", "type": "file", "label": "Signature", "attributes": {"data-signature": ""}},
    ]));
    let sent = |filename: &str, size: u64| {
        let file = UploadedFile {
            field: "sign".to_owned(),
            filename: filename.to_owned(),
            size,
            ..UploadedFile::default()
        };
        outcome(&schema, &Input::of_pairs(Vec::new(), vec![file]))
    };
    assert_eq!(sent("a.png", 1_000_000)["data"], json!({"sign": "a.png"}));
    assert_eq!(
        sent("a.png", 1_000_001)["errors"][0]["code"],
        "file_too_large"
    );
    assert_eq!(
        sent("a.pdf", 1_000)["errors"][0]["code"],
        "file_type_not_allowed"
    );
}

#[test]
fn a_fault_of_a_date_names_the_part_with_the_fault() {
    let schema = schema_with(json!([
        {"name": "d", "type": "date", "label": "Born", "attributes": {"data-parts": ""}},
    ]));
    for (parts, expected) in [
        (["31", "4", "2020"], json!("day")),
        (["0", "4", "2020"], json!("day")),
        (["1", "0", "2020"], json!("month")),
        (["1", "1", "90"], json!("year")),
        (["1", "1", "0000"], json!("year")),
        (["1", "1", "20200"], json!("year")),
        (["1", "1", "+200"], json!("year")),
        (["001", "1", "2000"], json!("day")),
    ] {
        let names = ["d[day]", "d[month]", "d[year]"].map(str::to_owned);
        let pairs = names.into_iter().zip(parts.map(str::to_owned)).collect();
        let got = outcome(&schema, &Input::of_pairs(pairs, Vec::new()));
        assert_eq!(got["errors"][0]["part"], expected, "{parts:?}: {got}");
        assert_eq!(got["errors"].as_array().unwrap().len(), 1);
    }
    let json = json!({"d": {"day": 4, "month": 5, "year": 1990}});
    let got = outcome(&schema, &Input::of_json(json.as_object().unwrap()));
    assert_eq!(got["data"], json!({"d": "1990-05-04"}));
}

#[test]
fn a_url_with_a_whole_date_or_with_every_part_prefills_a_date_with_parts() {
    let schema =
        schema_with(json!([{"name": "born", "type": "date", "attributes": {"data-parts": ""}}]));
    let filled = |query: &str| {
        let values = Prefill::of(&schema, query).values;
        let values: Vec<String> = values
            .into_iter()
            .map(|(name, texts)| format!("{name}={}", texts[0]))
            .collect();
        values.join(" ")
    };
    let whole = "born[year]=1990 born[month]=5 born[day]=4";
    let sorted = |text: &str| {
        let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        words.sort();
        words
    };
    for query in [
        "born=1990-05-04",
        "born.day=04&born.month=5&born.year=1990",
        "born[day]=4&born[month]=5&born[year]=1990",
    ] {
        assert_eq!(sorted(&filled(query)), sorted(whole), "{query}");
    }
    for query in ["born=1990-13-04", "born.day=4", "born="] {
        assert_eq!(filled(query), "", "{query}");
    }
}

#[test]
fn rendered_dates_and_signatures_are_parsed_unchanged() {
    for file in ["dates", "signature-and-uploads"] {
        for case in cases_of(&format!("fields/{file}.json")) {
            let schema = schema_of(&case);
            let read = parse(&render(&schema, &RenderOptions::default())).unwrap();
            assert_eq!(read.schema, schema, "{}", case.name);
        }
    }
}

#[test]
fn the_parts_of_a_date_follow_the_order_of_the_language() {
    let schema = schema_with(json!([
        {"name": "d", "type": "date", "label": "Born", "required": true, "default_value": "1990-05-04",
         "attributes": {"data-parts": "", "autocomplete": "bday", "min": "1900-01-01"}},
    ]));
    let order = |format: &str| {
        let words = [("date_format".to_owned(), format.to_owned())];
        let options = RenderOptions {
            instance: "1".to_owned(),
            visitors: Some(std::rc::Rc::new(words.into_iter().collect())),
            ..RenderOptions::default()
        };
        let html = render(&schema, &options);
        for part in [
            "<legend class=\"cf-label\">Born",
            "<label for=\"cf-1--d--day\">Day</label>",
            "inputmode=\"numeric\"",
            "value=\"4\"",
            "value=\"1990\"",
            "autocomplete=\"bday-day\"",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
        assert!(
            !html.contains("min=") && !html.contains("<input type=\"date\""),
            "{html}"
        );
        let at = |part: &str| html.find(&format!("name=\"d[{part}]\"")).unwrap();
        let mut parts = ["day", "month", "year"];
        parts.sort_by_key(|part| at(part));
        parts.join(" ")
    };
    assert_eq!(order("{day}.{month}.{year}"), "day month year");
    assert_eq!(order("{year}-{month}-{day}"), "year month day");
}

#[test]
fn attributes_without_effect_are_reported() {
    let schema = schema_with(json!([
        {"name": "t", "type": "text", "attributes": {"data-parts": "", "data-signature": ""}},
    ]));
    assert_eq!(
        unchecked(&schema),
        [
            "data-parts means nothing for the text \"t\"",
            "data-signature means nothing for the text \"t\"",
        ]
    );
}
