//! Validation of answers.

use std::time::Duration;

use cf_forms::forms::check::parse_schema;
use cf_forms::forms::messages::messages_over_defaults;
use cf_forms::forms::settings::Settings;
use cf_forms::forms::{FieldType, FormSchema};
use cf_forms::logic::conditions::Visibility;
use cf_forms::logic::input::{Input, UploadedFile};
use cf_forms::logic::validate::{AnswerFault, CleanData, Rules, unchecked_data};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::cases::{cases_of, schema_of};
use crate::stopwatch::Stopwatch;

fn validate(
    schema: &FormSchema,
    input: &Input,
    settings: &Value,
) -> Result<CleanData, Vec<AnswerFault>> {
    let settings = Settings::read(settings.as_object().unwrap_or(&Map::new()));
    let rules = Rules {
        schema,
        visibility: &Visibility::of(schema),
        messages: &messages_over_defaults(&Map::new()),
        required_fields: &settings.required_fields,
        email_fields: &settings.email_fields,
        has_pipes: true,
        today: 0,
    };
    rules.validate(input)
}

/// `{pairs: [[name, value]], files: [{field, filename, content_type, size}]}` or `{json: {…}}`.
fn input_of(described: &Value) -> Input {
    if let Some(body) = described["json"].as_object() {
        return Input::of_json(body);
    }
    let pairs = serde_json::from_value(described["pairs"].clone()).unwrap();
    let files = described["files"].as_array().cloned().unwrap_or_default();
    let files = files.iter().map(|file| UploadedFile {
        field: file["field"].as_str().unwrap().to_owned(),
        filename: file["filename"].as_str().unwrap().to_owned(),
        content_type: file["content_type"].as_str().unwrap().to_owned(),
        size: file["size"].as_u64().unwrap(),
        content: None,
        is_unusable: false,
    });
    Input::of_pairs(pairs, files.collect())
}

/// Returns the result in the format of the case files: faults without messages.
fn outcome(result: Result<CleanData, Vec<AnswerFault>>) -> Value {
    match result {
        Ok(data) => json!({"data": data.answers.to_map()}),
        Err(faults) => {
            let faults = faults.iter().map(|fault| match fault.part {
                Some(part) => json!({"field": fault.field, "code": fault.code, "part": part}),
                None => json!({"field": fault.field, "code": fault.code}),
            });
            json!({"errors": faults.collect::<Vec<_>>()})
        }
    }
}

#[test]
fn every_case_has_the_expected_outcome() {
    let mut failures = Vec::new();
    for case in cases_of("validation.json") {
        let mut input = input_of(&case.input);
        let schema = schema_of(&case);
        input.use_current_names(&schema);
        let got = outcome(validate(&schema, &input, &case.input["settings"]));
        if got != case.expect {
            failures.push(format!("{}: {got} instead of {}", case.name, case.expect));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn data_is_serialized_in_the_order_of_the_form() {
    let schema =
        parse_schema(&json!({"fields": [{"name": "z"}, {"name": "a"}, {"name": "m"}]})).unwrap();
    let input = Input::of_json(json!({"a": "1", "m": "2", "z": "3"}).as_object().unwrap());
    let data = validate(&schema, &input, &Value::Null).unwrap();
    assert_eq!(
        serde_json::to_string(&data.answers).unwrap(),
        r#"{"z":"3","a":"1","m":"2"}"#
    );
}

#[test]
fn an_empty_list_counts_as_sent_under_its_fields_name() {
    let input = Input::of_json(json!({"a[]": [], "b []": [["x"]]}).as_object().unwrap());
    let sent: Vec<(&str, usize)> = input.iter().map(|(name, all)| (name, all.len())).collect();
    assert_eq!(sent, [("a", 0), ("b", 1), ("b[0]", 1)]);
}

#[test]
fn accepted_files_are_listed_by_index() {
    let schema = parse_schema(&json!({"fields": [
        {"name": "b", "type": "file", "attributes": {"multiple": ""}}, {"name": "a", "type": "file"},
    ]}))
    .unwrap();
    let file = |field: &str, filename: &str| UploadedFile {
        field: field.to_owned(),
        filename: filename.to_owned(),
        content_type: String::new(),
        size: u64::from(!filename.is_empty()),
        content: None,
        is_unusable: false,
    };
    let files = vec![
        file("x", "x.txt"),
        file("a", "a.txt"),
        file("b", ""),
        file("b", "b.txt"),
    ];
    let data = validate(&schema, &Input::of_pairs(Vec::new(), files), &Value::Null).unwrap();
    assert_eq!(data.files, [3, 1]);
}

#[test]
fn messages_come_from_the_form_and_never_echo_answers() {
    let schema = parse_schema(&json!({"fields": [
        {"name": "mail", "type": "email", "label": "E-mail"},
        {"name": "nick", "label": "Nick", "validation": {"min": 3}},
        {"name": "who", "type": "name", "label": "Gast", "required": true,
         "options": [{"value": "last", "label": "Familienname"}]},
    ]}))
    .unwrap();
    let stored = json!({"invalid_email": "{label} is odd."});
    let rules = Rules {
        schema: &schema,
        visibility: &Visibility::of(&schema),
        messages: stored.as_object().unwrap(),
        required_fields: &[],
        email_fields: &[],
        has_pipes: true,
        today: 0,
    };
    let body = json!({"mail": "<script>", "nick": "me"});
    let faults = rules
        .validate(&Input::of_json(body.as_object().unwrap()))
        .unwrap_err();
    assert_eq!(
        serde_json::to_value(&faults).unwrap(),
        json!([
            {"field": "mail", "code": "invalid_email", "message": "E-mail is odd."},
            {"field": "nick", "code": "too_short", "message": "Nick: enter at least 3 characters."},
            {"field": "who", "part": "first", "code": "required_field_missing", "message": "Gast (first): this field is required."},
            {"field": "who", "part": "last", "code": "required_field_missing", "message": "Gast (Familienname): this field is required."},
        ])
    );
}

#[test]
fn every_answer_has_a_maximum_length() {
    let schema = parse_schema(&json!({"fields": [
        {"name": "line"}, {"name": "lines", "type": "textarea"}, {"name": "home", "type": "address"},
    ]}))
    .unwrap();
    let send = |lengths: [usize; 3]| {
        let [line, lines, city] = lengths.map(|length| "a".repeat(length));
        let body = json!({"line": line, "lines": lines, "home": {"city": city}});
        let input = Input::of_json(body.as_object().unwrap());
        validate(&schema, &input, &Value::Null)
    };
    assert!(send([10_000, 100_000, 1_000]).is_ok());
    let faults = send([10_001, 100_001, 1_001]).unwrap_err();
    let codes: Vec<_> = faults.iter().map(|fault| fault.code.as_ref()).collect();
    assert_eq!(codes, ["too_long"; 3]);
}

#[test]
fn unchecked_data_keeps_the_order_and_masks_passwords() {
    let schema = parse_schema(&json!({"fields": [
        {"name": "z", "type": "number"}, {"name": "pin", "type": "password"},
        {"name": "colors", "type": "checkbox", "options": ["r"]}, {"name": "empty"},
    ]}))
    .unwrap();
    let body =
        json!({"colors": ["r", "x"], "pin": "secret", "z": "many\u{0}", "other": "o", "empty": ""});
    let data = unchecked_data(&schema, &Input::of_json(body.as_object().unwrap()));
    assert_eq!(
        serde_json::to_string(&data.answers).unwrap(),
        r#"{"z":"many","pin":"********","colors":"r, x"}"#
    );
}

#[test]
fn a_megabyte_of_pairs_for_the_largest_field_is_validated_in_time() {
    let options: Vec<String> = (0..5_000).map(|number| format!("o{number}")).collect();
    let schema =
        parse_schema(&json!({"fields": [{"name": "a", "type": "checkbox", "options": options}]}))
            .unwrap();
    let pairs = (0..150_000)
        .map(|number| ("a".to_owned(), format!("o{}", number % 5_000)))
        .collect();
    let start = Stopwatch::start();
    let data = validate(&schema, &Input::of_pairs(pairs, Vec::new()), &Value::Null).unwrap();
    assert_eq!(data.answers.0[0].1.as_array().unwrap().len(), 5_000);
    assert!(
        start.elapsed() < Duration::from_secs(5),
        "{:?}",
        start.elapsed()
    );
}

fn any_form() -> impl Strategy<Value = Vec<Value>> {
    let field = (
        prop::sample::select(FieldType::ALL.to_vec()),
        any::<bool>(),
        any::<bool>(),
        prop::collection::vec("[a-c]{0,2}", 0..3),
    );
    prop::collection::vec(field, 0..6).prop_map(|fields| {
        let fields = fields.into_iter().enumerate();
        fields
            .map(|(number, (kind, required, multiple, mut options))| {
                options.sort();
                options.dedup();
                let attributes = if multiple {
                    json!({"multiple": ""})
                } else {
                    json!({})
                };
                json!({
                    "name": format!("f{number}"), "type": kind.as_str(), "required": required,
                    "options": options, "attributes": attributes,
                })
            })
            .collect()
    })
}

fn any_value() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-c]{0,2}".prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        prop::sample::select(vec![
            "2024-02-30",
            "10:00",
            "a@b.c",
            "https://a.b",
            "#ffffff",
            "5"
        ])
        .prop_map(Value::from),
    ];
    scalar.prop_recursive(3, 16, 4, |inner| {
        let part = prop::sample::select(vec!["first", "last", "city", "accepted", "x"]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(part, inner, 0..4).prop_map(|members| members
                .into_iter()
                .map(|(k, v)| (k.to_owned(), v))
                .collect::<Map<_, _>>()
                .into()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1_000) })]

    #[test]
    fn accepted_data_is_accepted_again_unchanged(fields in any_form(), values in prop::collection::vec(any_value(), 6)) {
        let schema = parse_schema(&json!({"fields": fields})).unwrap();
        let body: Map<String, Value> = values.into_iter().enumerate().map(|(number, value)| (format!("f{number}"), value)).collect();
        if let Ok(data) = validate(&schema, &Input::of_json(&body), &Value::Null) {
            let again = validate(&schema, &Input::of_json(&data.answers.to_map()), &Value::Null);
            // An empty number is stored as null, which in JSON input means a missing answer.
            let kept = |data: &CleanData| -> Map<String, Value> {
                data.answers.to_map().into_iter().filter(|(_, value)| !value.is_null()).collect()
            };
            prop_assert_eq!(kept(&again.unwrap()), kept(&data));
        }
    }

    #[test]
    fn faults_are_in_the_order_of_the_form(fields in any_form(), values in prop::collection::vec(any_value(), 6)) {
        let schema = parse_schema(&json!({"fields": fields})).unwrap();
        let body: Map<String, Value> = values.into_iter().enumerate().map(|(number, value)| (format!("f{number}"), value)).collect();
        if let Err(faults) = validate(&schema, &Input::of_json(&body), &Value::Null) {
            let places: Vec<u32> = faults.iter().map(|fault| schema.field(&fault.field).unwrap().position).collect();
            prop_assert!(places.is_sorted());
        }
    }
}
