//! Conditions: all operators, groups, chains, containers and cycles.

use std::collections::BTreeSet;
use std::time::Duration;

use cf_forms::forms::FormSchema;
use cf_forms::forms::check::parse_conditions;
use cf_forms::logic::answer::Answers;
use cf_forms::logic::conditions::{Visibility, answers_to, hold_for_data};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::cases::{cases_of, schema_of};
use crate::stopwatch::Stopwatch;

fn hidden(schema: &FormSchema, input: &Value) -> Vec<String> {
    let visibility = Visibility::of(schema);
    let answers = answers_to(schema, input.as_object().unwrap());
    let hidden = visibility.settle(&mut answers.clone(), 0).hidden;
    let fields = schema.fields.iter();
    let names = fields.map(|field| field.name.as_str());
    names
        .filter(|name| hidden.contains(name))
        .map(str::to_owned)
        .collect()
}

/// Returns an unchecked schema, as another plugin may have stored it.
fn stored(fields: Value) -> FormSchema {
    serde_json::from_value(json!({"version": 1, "fields": fields})).unwrap()
}

fn shown_when(name: &str, other: &str) -> Value {
    json!({"name": name, "conditions": [{"field": other, "operator": "is_not_empty"}]})
}

#[test]
fn every_case_hides_the_expected_fields() {
    let mut failures = Vec::new();
    for case in cases_of("conditions.json") {
        let got = json!(hidden(&schema_of(&case), &case.input));
        if got != case.expect["hidden"] {
            failures.push(format!("{}: hides {got}", case.name));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn fields_of_a_cycle_are_visible_and_others_are_evaluated() {
    let schema = stored(json!([
        {"name": "x"},
        shown_when("a", "c"), shown_when("b", "a"), shown_when("c", "b"),
        shown_when("self", "self"),
        shown_when("after", "a"),
        shown_when("other", "x"),
        {"name": "p", "type": "container", "group": "q"},
        {"name": "q", "type": "container", "group": "p"},
    ]));
    assert_eq!(hidden(&schema, &json!({})), ["after", "other"]);
    assert_eq!(
        hidden(&schema, &json!({"a": "1", "x": "1"})),
        Vec::<String>::new()
    );
}

#[test]
fn a_cycle_inside_a_hidden_container_is_hidden_with_it() {
    let mut inside = shown_when("a", "b");
    inside["group"] = json!("box");
    let schema = stored(json!([
        {"name": "x"},
        {"name": "box", "type": "fieldset", "conditions": [{"field": "x", "operator": "checked"}]},
        inside,
        shown_when("b", "a"),
    ]));
    assert_eq!(hidden(&schema, &json!({"a": "1"})), ["box", "a"]);
    assert_eq!(hidden(&schema, &json!({"x": "1"})), Vec::<String>::new());
}

#[test]
fn rules_about_missing_fields_are_ignored() {
    let schema = stored(json!([
        {"name": "a"},
        {"name": "b", "conditions": [
            {"field": "gone", "operator": "equals", "value": "1"},
            {"any": [{"field": "gone", "operator": "equals", "value": "1"}, {"all": []}]},
        ]},
        {"name": "c", "conditions": [
            {"any": [
                {"field": "gone", "operator": "equals", "value": "1"},
                {"field": "a", "operator": "equals", "value": "1"},
            ]},
        ]},
    ]));
    assert_eq!(hidden(&schema, &json!({})), ["c"]);
    assert_eq!(hidden(&schema, &json!({"a": "1"})), Vec::<String>::new());
}

#[test]
fn a_chain_of_ten_thousand_conditions_is_evaluated_in_linear_time() {
    let chain = |count: usize, reversed: bool| {
        let mut fields: Vec<Value> = (1..count)
            .map(|number| shown_when(&format!("f{number}"), &format!("f{}", number - 1)))
            .collect();
        fields.insert(0, json!({"name": "f0"}));
        if reversed {
            fields.reverse();
        }
        stored(Value::Array(fields))
    };
    let answers = |first: &str| -> Answers {
        let names = (0..10_000).map(|number| format!("f{number}"));
        names
            .map(|name| {
                let texts = if name == "f0" { first } else { "x" };
                (
                    name,
                    vec![texts.to_owned()]
                        .into_iter()
                        .filter(|text| !text.is_empty())
                        .collect(),
                )
            })
            .collect()
    };
    for reversed in [false, true] {
        let schema = chain(10_000, reversed);
        let start = Stopwatch::start();
        let visibility = Visibility::of(&schema);
        assert_eq!(visibility.settle(&mut answers(""), 0).hidden.len(), 9_999);
        assert_eq!(visibility.settle(&mut answers("x"), 0).hidden.len(), 0);
        // Quadratic time would be minutes in a debug build.
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "{:?}",
            start.elapsed()
        );
    }
}

#[test]
fn conditions_of_actions_use_the_stored_answers() {
    let holds = |condition: Value, data: Value| {
        let conditions = parse_conditions(&condition).unwrap();
        hold_for_data(
            &conditions,
            &FormSchema::of(vec![]),
            data.as_object().unwrap(),
        )
    };
    let rule =
        |operator: &str, value: Value| json!({"field": "a", "operator": operator, "value": value});
    assert!(holds(rule("equals", json!("5")), json!({"a": 5})));
    assert!(holds(rule("checked", Value::Null), json!({"a": true})));
    assert!(holds(
        rule("equals", json!("yes")),
        json!({"a": {"accepted": true, "text": "I agree"}})
    ));
    assert!(holds(
        rule("contains", json!("Blue")),
        json!({"a": ["Blue", "Red"]})
    ));
    assert!(!holds(
        rule("contains", json!("Blue")),
        json!({"a": ["Blueberry"]})
    ));
    assert!(!holds(rule("equals", json!("x")), json!({})));
    assert!(holds(rule("is_empty", Value::Null), json!({})));
    let either = json!({"match": "any", "rules": [rule("=", json!("x")), rule("=", json!("y"))]});
    assert!(holds(either.clone(), json!({"a": "y"})));
    assert!(!holds(either, json!({"a": "z"})));
    assert!(parse_conditions(&json!([{"field": "a", "operator": "nonsense"}])).is_err());
    assert!(hold_for_data(&[], &FormSchema::of(vec![]), &Map::new()));
}

#[test]
fn conditions_of_actions_know_checkbox_values_and_former_names() {
    let schema: FormSchema = serde_json::from_value(json!({
        "version": 1,
        "fields": [
            {"name": "spam", "type": "checkbox", "attributes": {"value": "no"}},
            {"name": "news", "type": "checkbox", "attributes": {"value": "yes please"}},
            {"name": "terms", "type": "consent", "attributes": {"value": "0"}},
            {"name": "city"},
        ],
        "form_settings": {"former_names": {"city": ["town"]}},
    }))
    .unwrap();
    let ticked = json!({"spam": true, "news": true, "terms": {"accepted": true, "text": "I do"}, "city": "Oslo"});
    let off = json!({"spam": false, "terms": {"accepted": false, "text": "I do"}});
    // Columns: rule, result with the boxes checked, result with them unchecked.
    for (field, operator, value, when_ticked, when_off) in [
        ("spam", "equals", json!("no"), true, false),
        ("spam", "not_equals", json!("no"), false, true),
        ("spam", "in", json!(["x", "no"]), true, false),
        ("spam", "not_in", json!(["x", "no"]), false, true),
        ("spam", "in", json!("no"), true, false),
        ("spam", "checked", Value::Null, true, false),
        ("spam", "equals", json!(true), true, false),
        ("spam", "is_empty", Value::Null, false, true),
        ("terms", "equals", json!("0"), true, false),
        ("terms", "not_checked", Value::Null, false, true),
        ("news", "equals", json!("yes please"), true, false),
        ("news", "contains", json!("please"), true, false),
        ("news", "equals", json!("no"), false, true),
        ("town", "equals", json!("Oslo"), true, false),
        ("nobody", "is_empty", Value::Null, true, true),
    ] {
        let rule = json!({"field": field, "operator": operator, "value": value});
        let conditions = parse_conditions(&rule).unwrap();
        let holds = |data: &Value| hold_for_data(&conditions, &schema, data.as_object().unwrap());
        assert_eq!(
            (holds(&ticked), holds(&off)),
            (when_ticked, when_off),
            "{rule}"
        );
    }
}

/// Reference implementation of the contract. Evaluates all fields in repeated passes until nothing changes; hidden
/// fields count as empty. Without cycles, the result is final after at most one pass per field; one more pass confirms
/// it.
fn settled_by_passes(schema: &FormSchema, answers: &Answers) -> BTreeSet<String> {
    let mut hidden: BTreeSet<String> = BTreeSet::new();
    for _ in 0..=schema.fields.len() {
        let mut data = Map::new();
        for (name, texts) in answers.iter().filter(|(name, _)| !hidden.contains(*name)) {
            data.insert(name.clone(), json!(texts.first()));
        }
        let next: BTreeSet<String> = schema
            .fields
            .iter()
            .filter(|field| {
                let group = field.group.as_ref();
                group.is_some_and(|group| hidden.contains(group))
                    || !hold_for_data(&field.conditions, schema, &data)
            })
            .map(|field| field.name.clone())
            .collect();
        if next == hidden {
            return hidden;
        }
        hidden = next;
    }
    panic!("never settles");
}

const COUNT: usize = 8;

/// Generates fields in any order; each may only refer to fields with a smaller number.
fn acyclic_fields() -> impl Strategy<Value = Vec<Value>> {
    let rule = |limit: usize| {
        let operators =
            prop::sample::select(vec!["equals", "not_equals", "is_empty", "is_not_empty"]);
        (0..limit, operators, 0..3u8, any::<bool>()).prop_map(|(field, operator, value, hide)| {
            let action = if hide { "hide" } else { "show" };
            json!({"field": format!("f{field}"), "operator": operator, "value": value.to_string(), "action": action})
        })
    };
    let fields: Vec<BoxedStrategy<Value>> = (0..COUNT)
        .map(|number| {
            let name = format!("f{number}");
            let kind = if number % 3 == 0 { "container" } else { "text" };
            if number == 0 {
                return Just(json!({"name": name, "type": kind})).boxed();
            }
            let rules = prop::collection::vec(rule(number), 0..3);
            let group =
                prop::option::of((0..number).prop_map(|holder| format!("f{}", holder / 3 * 3)));
            (rules, any::<bool>(), group)
                .prop_map(move |(rules, any, group)| {
                    let conditions = if any && !rules.is_empty() {
                        json!([{"any": rules}])
                    } else {
                        json!(rules)
                    };
                    json!({"name": name, "type": kind, "conditions": conditions, "group": group})
                })
                .boxed()
        })
        .collect();
    fields.prop_shuffle()
}

fn some_answers() -> impl Strategy<Value = Answers> {
    let name = (0..COUNT).prop_map(|number| format!("f{number}"));
    let texts = (0..3u8).prop_map(|value| vec![value.to_string()]);
    prop::collection::btree_map(name, texts, 0..COUNT)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn one_ordered_pass_gives_the_same_as_repeated_passes(fields in acyclic_fields(), answers in some_answers()) {
        let schema = stored(Value::Array(fields));
        let visibility = Visibility::of(&schema);
        let once: BTreeSet<String> = visibility.settle(&mut answers.clone(), 0).hidden.into_iter().map(str::to_owned).collect();
        prop_assert_eq!(once, settled_by_passes(&schema, &answers));
    }

    #[test]
    fn evaluation_ends_for_any_references(links in prop::collection::vec((0..COUNT, 0..COUNT), 0..20), answers in some_answers()) {
        let fields: Vec<Value> = (0..COUNT).map(|number| {
            let rules: Vec<Value> = links.iter().filter(|(from, _)| *from == number).map(|(_, to)| {
                json!({"field": format!("f{to}"), "operator": "is_not_empty"})
            }).collect();
            json!({"name": format!("f{number}"), "conditions": rules})
        }).collect();
        let schema = stored(Value::Array(fields));
        let visibility = Visibility::of(&schema);
        let reaches = |from: usize, to: usize| {
            let mut seen = BTreeSet::from([from]);
            let mut open = vec![from];
            while let Some(at) = open.pop() {
                for (_, next) in links.iter().filter(|(start, _)| *start == at) {
                    if *next == to { return true; }
                    if seen.insert(*next) { open.push(*next); }
                }
            }
            false
        };
        let hidden = visibility.settle(&mut answers.clone(), 0).hidden;
        for number in (0..COUNT).filter(|number| reaches(*number, *number)) {
            let name = format!("f{number}");
            prop_assert!(!hidden.contains(name.as_str()));
        }
    }
}
