//! Prefill by URL, answers in later texts, and scales: the cases of `tests/cases/fields`.

use std::path::Path;

use cf_forms::forms::FormSchema;
use cf_forms::forms::check::parse_schema;
use cf_forms::forms::messages::messages_over_defaults;
use cf_forms::logic::conditions::Visibility;
use cf_forms::logic::input::Input;
use cf_forms::logic::piping::{self, PipeNames};
use cf_forms::logic::prefill::{Prefill, ignored, without_answers};
use cf_forms::logic::validate::{Rules, answers_in, piped_input};
use serde_json::{Map, Value, json};

use crate::cases::{Case, cases_of, schema_of};

/// The texts of a language.
pub fn texts_in(language: Option<&str>) -> Map<String, Value> {
    let mut texts = messages_over_defaults(&Map::new());
    if let Some(language) = language {
        let file = format!("visitor/languages/{language}.json");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        let text = std::fs::read_to_string(path).unwrap();
        texts.extend(serde_json::from_str::<Map<String, Value>>(&text).unwrap());
    }
    texts
}

pub fn input_of(case: &Case) -> Input {
    let pairs = serde_json::from_value(case.input["pairs"].clone()).unwrap_or_default();
    Input::of_pairs(pairs, Vec::new())
}

fn validated(schema: &FormSchema, input: &Input) -> Value {
    let rules = Rules {
        schema,
        visibility: &Visibility::of(schema),
        messages: &texts_in(None),
        required_fields: &[],
        email_fields: &[],
        has_pipes: true,
        today: 0,
    };
    match rules.validate(input) {
        Ok(clean) => json!({"data": clean.answers.to_map()}),
        Err(faults) => json!({"errors": faults}),
    }
}

#[test]
fn answers_in_urls_match_the_cases() {
    for case in cases_of("fields/prefill.json") {
        let schema = schema_of(&case);
        let query = case.input["query"].as_str().unwrap();
        let prefill = match case.input["setting"].as_str() {
            Some("off") => Prefill::default(),
            _ => Prefill::of(&schema, query),
        };
        let filled: Map<String, Value> = prefill
            .values
            .iter()
            .map(|(name, values)| (name.clone(), json!(values)))
            .collect();
        assert_eq!(
            Value::Object(filled),
            case.expect["prefilled"],
            "{}",
            case.name
        );
        if let Some(expected) = case.expect.get("ignored") {
            assert_eq!(&json!(ignored(query, &prefill)), expected, "{}", case.name);
        }
    }
}

#[test]
fn answers_in_texts_match_the_cases() {
    for case in cases_of("fields/piping.json") {
        let (schema, input) = (schema_of(&case), input_of(&case));
        let texts = texts_in(case.input["language"].as_str());
        let visibility = Visibility::of(&schema);
        let answers = answers_in(&schema, &input);
        let settled = visibility.settle(&mut answers.clone(), 0);
        for (template, expected) in case.expect["texts"].as_object().into_iter().flatten() {
            // A heading makes the text part of the schema.
            let mut with_text = schema.clone();
            let heading =
                json!({"fields": [{"name": "shown here", "type": "heading", "label": template}]});
            with_text
                .fields
                .extend(parse_schema(&heading).unwrap().fields);
            let piped = piped_input(&with_text, &settled, &input, &texts);
            let shown = piping::filled(&with_text, &piped).unwrap_or(with_text);
            let shown = &shown.fields.last().unwrap().label;
            assert_eq!(json!(shown), *expected, "{}: {template}", case.name);
        }
        if let Some(data) = case.expect.get("data") {
            let got = validated(&schema, &input);
            assert_eq!(&got["data"], data, "{}", case.name);
        }
    }
}

#[test]
fn scales_match_the_cases() {
    for case in cases_of("fields/scales.json") {
        let got = validated(&schema_of(&case), &input_of(&case));
        let Some(expected) = case.expect["errors"].as_array() else {
            assert_eq!(got["data"], case.expect["data"], "{}", case.name);
            continue;
        };
        let got = &got["errors"];
        assert_eq!(
            got.as_array().map(Vec::len),
            Some(expected.len()),
            "{}: {got}",
            case.name
        );
        for (got, expected) in got.as_array().unwrap().iter().zip(expected) {
            for member in ["field", "code"] {
                assert_eq!(got[member], expected[member], "{}: {got}", case.name);
            }
            // The message names the bound.
            let max = expected["max"].as_str().unwrap_or_default();
            let message = got["message"].as_str().unwrap();
            assert!(message.contains(max) || max == "1", "{}: {got}", case.name);
        }
    }
}

#[test]
fn a_net_promoter_score_is_summed_in_percent() {
    use cf_forms::analytics::{Counted, answers};
    let schema = schema_with(json!([
        {"name": "n", "type": "rating", "css_class": "cf-nps", "validation": {"min": 0, "max": 10}},
        {"name": "r", "type": "rating"},
    ]));
    let score = |points: &[i64]| {
        let mut counted: Vec<Counted> = Vec::new();
        for point in points {
            let data = cf_forms::submissions::Data(vec![("n".to_owned(), json!(point))]);
            for (_, key, count) in answers::counts(&schema, &data, false) {
                let metric = "answer".to_owned();
                counted.push(Counted { metric, key, count });
            }
        }
        let sums = answers::answer_sums(&schema, &counted);
        assert!(sums[1].get("nps").is_none());
        sums[0]["nps"].clone()
    };
    assert_eq!(score(&[]), Value::Null);
    assert_eq!(score(&[10, 9, 8, 7, 6, 0]), json!(0));
    assert_eq!(score(&[10, 9, 9]), json!(100));
    assert_eq!(score(&[0, 6, 7]), json!(-67));
}

fn schema_with(fields: Value) -> FormSchema {
    parse_schema(&json!({"fields": fields})).unwrap()
}

fn prefilled(fields: Value, query: &str) -> Value {
    json!(Prefill::of(&schema_with(fields), query).values)
}

#[test]
fn parameters_beyond_the_limits_fill_in_nothing() {
    let text = || json!([{"name": "a"}, {"name": "b", "type": "textarea"}]);
    let value = "x".repeat(2_000);
    assert_eq!(
        prefilled(text(), &format!("a={value}")),
        json!([["a", [value]]])
    );
    assert_eq!(
        prefilled(text(), &format!("a={value}y&b=1")),
        json!([["b", ["1"]]])
    );
    let many = "z=1&".repeat(199);
    assert_eq!(
        prefilled(text(), &format!("{many}a=1&b=2")),
        json!([["a", ["1"]]])
    );
    let long = "z".repeat(8 * 1024 - 4);
    assert_eq!(
        prefilled(text(), &format!("a=1&{long}")),
        json!([["a", ["1"]]])
    );
    assert_eq!(prefilled(text(), &format!("a=1&{long}z")), json!([]));
}

#[test]
fn urls_may_spell_parts_and_choices_in_several_ways() {
    let name = || json!([{"name": "who", "type": "name"}]);
    assert_eq!(
        prefilled(name(), "who.first=Ada&who%5Blast%5D=Lovelace"),
        json!([["who[first]", ["Ada"]], ["who[last]", ["Lovelace"]]])
    );
    let other = |kind: &str| json!([{"name": "q", "type": kind, "options": ["A"], "attributes": {"data-other": "Else"}}]);
    assert_eq!(
        prefilled(other("radio"), "q=mine"),
        json!([["q", [""]], ["q[other]", ["mine"]]])
    );
    assert_eq!(
        prefilled(other("checkbox"), "q=a&q=mine"),
        json!([["q[]", ["A"]], ["q[other]", ["mine"]]])
    );
    let boxes =
        json!([{"name": "q", "type": "checkbox", "options": ["a", "b"], "validation": {"max": 1}}]);
    assert_eq!(
        prefilled(boxes, "q=a&q=b"),
        json!([]),
        "more values than the field accepts"
    );
    let guarded = json!([
        {"name": "_a"}, {"name": "b", "attributes": {"disabled": ""}},
        {"name": "c", "attributes": {"data-prefill": "_x"}},
        {"name": "d", "type": "password", "attributes": {"data-prefill": ""}},
    ]);
    assert_eq!(prefilled(guarded, "_a=1&b=1&_x=1&c=1&d=1"), json!([]));
}

#[test]
fn a_stored_url_has_no_answers() {
    let schema =
        schema_with(json!([{"name": "email", "type": "email"}, {"name": "n", "type": "number"}]));
    let kept = |address: &str| without_answers(&schema, address);
    assert_eq!(
        kept("https://a.org/f?email=a%40b.org&gclid=1#x"),
        "https://a.org/f?gclid=1#x"
    );
    assert_eq!(kept("https://a.org/f?email=a%40b.org"), "https://a.org/f");
    assert_eq!(
        kept("https://a.org/f?n=many&u=%26"),
        "https://a.org/f?n=many&u=%26"
    );
    assert_eq!(kept("https://a.org/f"), "https://a.org/f");
}

#[test]
fn pipes_follow_a_rename_and_keep_their_field_in_use() {
    use cf_forms::forms::edit::{EditError, delete_piped_field, update_piped_field};
    let schema = parse_schema(&json!({"fields": [
        {"name": "nick"},
        {"name": "who", "type": "name"},
        {"name": "b", "label": "For [NICK|you], [who.first] [optional] [nick](/x)"},
        {"name": "c", "type": "radio", "options": [{"value": "x", "label": "[nick]"}]},
    ], "layout": {"type": "multi-step", "steps": [{"id": "one", "title": "Hi [nick]", "fields": ["nick", "who", "b", "c"]}]}})).unwrap();
    let (changed, _) = update_piped_field(&schema, "nick", &json!({"name": "short"})).unwrap();
    assert_eq!(
        changed.field("b").unwrap().label,
        "For [short|you], [who.first] [optional] [nick](/x)"
    );
    assert_eq!(changed.field("c").unwrap().options[0].label, "[short]");
    assert_eq!(changed.layout.steps.unwrap()[0].title, "Hi [short]");
    let users = |error: EditError| match error {
        EditError::InUse { users, .. } => users,
        other => panic!("{other}"),
    };
    let error = delete_piped_field(&schema, "nick", false).unwrap_err();
    assert_eq!(users(error), ["b", "c", "one"]);
    assert!(delete_piped_field(&schema, "b", false).is_ok());
    let (forced, _) = delete_piped_field(&schema, "nick", true).unwrap();
    assert_eq!(
        forced.field("b").unwrap().label,
        "For you, [who.first] [optional] [nick](/x)"
    );
    assert!(PipeNames::of(&schema).is_some());
}

#[test]
fn an_answer_never_becomes_a_link_in_a_consent() {
    let schema = schema_with(json!([
        {"name": "nick"},
        {"name": "terms", "type": "consent", "label": "I, [nick], accept the [terms](/terms)"},
    ]));
    let pairs = [
        ("nick", "[x](javascript:y) [nick]"),
        ("terms[accepted]", "on"),
    ];
    let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let got = validated(&schema, &Input::of_pairs(pairs.to_vec(), Vec::new()));
    let text = "I, [x](javascript:y) [nick], accept the terms";
    assert_eq!(got["data"]["terms"]["text"], text);
}

#[test]
fn only_a_currency_is_shown_by_a_sign() {
    for (format, expected) in [
        ("currency EUR", json!(["currency", "€", true])),
        ("currency CHF", json!(["currency", "CHF", true])),
        ("unit EUR", json!(["unit", "EUR", false])),
    ] {
        let attributes = json!({"data-calc": "1", "data-format": format});
        let field = json!({"name": "x", "type": "number", "attributes": attributes});
        let schema = parse_schema(&json!({"fields": [field]})).unwrap();
        assert_eq!(
            model::logic::calc::format::facts(&schema.fields[0]),
            Some(("format", expected))
        );
    }
}
