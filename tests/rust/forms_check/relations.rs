//! Checks of relations between fields: conditions, cycles, names, positions, steps.

use cf_forms::forms::check::parse_schema;
use serde_json::{Value, json};

use super::{accepted, refused};

#[test]
fn conditions_may_be_a_list_or_an_object() {
    let field = |conditions: Value| {
        let schema = json!({"fields": [{"name": "a"}, {"name": "b", "conditions": conditions}]});
        accepted(schema)["fields"][1]["conditions"].clone()
    };
    let rule = json!({"field": "a", "operator": "equals", "value": "x"});
    let sign = json!({"field": "a", "operator": "=", "value": "x"});
    assert_eq!(field(json!([sign])), json!([rule]));
    assert_eq!(field(sign.clone()), json!([rule]));
    assert_eq!(
        field(json!({"action": "show", "rules": [sign]})),
        json!([rule])
    );
    assert_eq!(
        field(json!({"action": "hide", "rules": [sign]})),
        json!([{"all": [rule], "action": "hide"}])
    );
    assert_eq!(
        field(json!({"match": "any", "rules": [sign, sign]})),
        json!([{"any": [rule, rule]}])
    );
    assert_eq!(
        field(json!([{"any": [{"all": [sign]}], "action": "hide"}])),
        json!([{"any": [{"all": [rule]}], "action": "hide"}])
    );
    assert_eq!(
        field(json!([{"field": "a", "operator": "in", "value": "x"}])),
        json!([{"field": "a", "operator": "in", "value": ["x"]}])
    );
    assert_eq!(
        field(json!([{"field": "a", "operator": "is_empty", "value": "ignored"}])),
        json!([{"field": "a", "operator": "is_empty", "value": null}])
    );
    assert_eq!(field(json!({})), json!([]));
}

#[test]
fn bad_conditions_are_rejected() {
    let mut deep = json!({"field": "a", "operator": "is_empty"});
    for _ in 0..17 {
        deep = json!({"all": [deep]});
    }
    let many = vec![json!({"field": "a", "operator": "is_empty"}); 1_001];
    let rule = |operator: &str, value: Value| json!([{"field": "a", "operator": operator, "value": value}]);
    for (conditions, path, code) in [
        (json!("x"), "", "rest_invalid_type"),
        (json!([1]), "[0]", "rest_invalid_type"),
        (json!([{}]), "[0].field", "rest_property_required"),
        (
            json!([{"field": "a"}]),
            "[0].operator",
            "rest_property_required",
        ),
        (
            rule("similar_to", json!("x")),
            "[0].operator",
            "rest_not_in_enum",
        ),
        (
            rule("equals", json!(null)),
            "[0].value",
            "rest_property_required",
        ),
        (rule("equals", json!([])), "[0].value", "rest_invalid_type"),
        (rule("in", json!([[]])), "[0].value[0]", "rest_invalid_type"),
        (
            rule("matches", json!("(")),
            "[0].value",
            "rest_invalid_pattern",
        ),
        (
            rule("before", json!("tomorrow")),
            "[0].value",
            "rest_invalid_pattern",
        ),
        (
            rule("greater_than", json!("many")),
            "[0].value",
            "rest_invalid_pattern",
        ),
        (json!([{"any": []}]), "[0].any", "rest_too_few_items"),
        (
            json!([{"any": [], "all": []}]),
            "[0].all",
            "rest_additional_properties_forbidden",
        ),
        (
            json!([{"field": "a", "operator": "is_empty", "when": 1}]),
            "[0].when",
            "rest_additional_properties_forbidden",
        ),
        (
            json!([{"field": "a", "operator": "is_empty", "action": "blink"}]),
            "[0].action",
            "rest_not_in_enum",
        ),
        (
            json!([{"field": "z", "operator": "is_empty"}]),
            "[0]",
            "rest_invalid_param",
        ),
        (json!([{"all": many}]), "[0].all", "rest_too_many_items"),
    ] {
        let shown = conditions.to_string();
        let faults =
            refused(json!({"fields": [{"name": "a"}, {"name": "b", "conditions": conditions}]}));
        assert_eq!(
            faults[0].path,
            format!("fields[1].conditions{path}"),
            "{shown}"
        );
        assert_eq!(faults[0].code, code, "{shown}");
    }
    let faults = refused(json!({"fields": [{"name": "a"}, {"name": "b", "conditions": [deep]}]}));
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].code, "rest_too_many_items");
}

#[test]
fn the_deepest_conditions_are_accepted_as_they_are_stored() {
    let stored = |conditions: &Value| {
        let form = json!({"fields": [{"name": "a"}, {"name": "b", "conditions": conditions}]});
        parse_schema(&form).map(|schema| json!(schema.fields[1].conditions))
    };
    let mut deep = json!({"field": "a", "operator": "is_empty", "value": null});
    for depth in 1..=17 {
        deep = json!({"all": [deep]});
        let is_allowed = depth <= 16;
        assert_eq!(stored(&deep).is_ok(), is_allowed, "{depth}");
        assert_eq!(stored(&json!([deep])).is_ok(), is_allowed, "{depth}");
        let in_object = stored(&json!({"match": "any", "rules": [deep]}));
        assert_eq!(in_object.is_ok(), depth < 16, "{depth}");
        if let Ok(conditions) = in_object {
            assert_eq!(stored(&conditions), Ok(conditions.clone()), "{depth}");
        }
    }
}

#[test]
fn a_cycle_is_rejected_by_name() {
    let shown_by = |name: &str, other: &str| json!({"name": name, "conditions": [{"field": other, "operator": "is_not_empty"}]});
    let faults = refused(json!({"fields": [
        {"name": "x"}, shown_by("a", "c"), shown_by("b", "a"), shown_by("c", "b"), shown_by("d", "d"),
    ]}));
    let found: Vec<_> = faults
        .iter()
        .map(|fault| (fault.path.as_str(), fault.message.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            (
                "fields[1].conditions",
                "These conditions depend on each other: a → c → b → a."
            ),
            (
                "fields[4].conditions",
                "These conditions depend on each other: d → d."
            ),
        ]
    );

    let faults = refused(json!({"fields": [
        {"name": "box", "type": "container", "conditions": [{"field": "inside", "operator": "checked"}]},
        {"name": "inside", "type": "checkbox", "group": "box"},
    ]}));
    assert_eq!(
        faults[0].message,
        "These conditions depend on each other: box → inside → box."
    );

    let faults = refused(json!({"fields": [
        {"name": "p", "type": "fieldset", "group": "q"}, {"name": "q", "type": "fieldset", "group": "p"},
    ]}));
    assert_eq!(faults[0].path, "fields[0].group");
}

#[test]
fn names_are_unique_including_the_parts_of_composite_fields() {
    let faults = refused(json!({"fields": [{"name": "a"}, {"name": "a"}]}));
    assert_eq!(faults[0].path, "fields[1].name");
    assert_eq!(faults[0].code, "rest_duplicate_items");
    let faults = refused(json!({"fields": [
        {"name": "home", "type": "address"}, {"name": "home[city]"}, {"name": "home[floor]"},
    ]}));
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].path, "fields[1].name");
}

#[test]
fn positions_order_the_fields_and_count_from_zero() {
    let names = |fields: Value| {
        let stored = accepted(json!({"fields": fields}));
        let fields = stored["fields"].as_array().unwrap().clone();
        for (index, field) in fields.iter().enumerate() {
            assert_eq!(field["position"], index);
        }
        let names = fields
            .iter()
            .map(|field| field["name"].as_str().unwrap().to_owned());
        names.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        names(json!([{"name": "a"}, {"name": "b"}, {"name": "c"}])),
        "a b c"
    );
    assert_eq!(
        names(
            json!([{"name": "a", "position": 9}, {"name": "b", "position": 2}, {"name": "c", "position": 2}])
        ),
        "b c a"
    );
    assert_eq!(
        names(json!([{"name": "a"}, {"name": "b"}, {"name": "c", "position": 0}])),
        "a c b"
    );
}

#[test]
fn steps_refer_to_each_field_once() {
    let with_steps = |steps: Value| {
        json!({
            "fields": [{"name": "a"}, {"name": "b"}],
            "layout": {"type": "multi-step", "steps": steps, "progress": {"bar": true}},
        })
    };
    let stored = accepted(with_steps(
        json!([{"id": "one", "title": "One", "fields": ["a", "b"]}]),
    ));
    assert_eq!(stored["layout"]["progress"], json!({"bar": true}));
    assert_eq!(accepted(with_steps(json!([])))["layout"].get("steps"), None);
    let faults = refused(with_steps(json!([
        {"id": "one", "fields": ["a", "z"]},
        {"id": "two", "fields": ["a"]},
    ])));
    let found: Vec<_> = faults
        .iter()
        .map(|fault| (fault.path.as_str(), fault.code))
        .collect();
    assert_eq!(
        found,
        [
            ("layout.steps[0].fields[1]", "rest_invalid_param"),
            ("layout.steps[1].fields[0]", "rest_duplicate_items"),
        ]
    );
    let faults = refused(with_steps(
        json!([{"id": "x"}, {"id": "x"}, {"title": "t"}, {"id": "y", "a": 1}]),
    ));
    let found: Vec<_> = faults.iter().map(|fault| fault.path.as_str()).collect();
    assert_eq!(
        found,
        [
            "layout.steps[1].id",
            "layout.steps[2].id",
            "layout.steps[3].a"
        ]
    );
}

#[test]
fn ten_thousand_fields_are_checked_in_bounded_time() {
    let chain: Vec<Value> = (0..10_000)
        .map(|number| match number {
            0 => json!({"name": "f0"}),
            _ => json!({"name": format!("f{number}"), "conditions": [
                {"field": format!("f{}", number - 1), "operator": "is_not_empty"},
            ]}),
        })
        .collect();
    let start = crate::stopwatch::Stopwatch::start();
    accepted(json!({"fields": chain}));
    let mut ring = chain;
    ring[0] = json!({"name": "f0", "conditions": [{"field": "f9999", "operator": "checked"}]});
    let faults = refused(json!({"fields": ring}));
    assert!(faults[0].message.len() < 200, "{}", faults[0].message);
    ring.push(json!({"name": "one more"}));
    assert_eq!(
        refused(json!({"fields": ring}))[0].code,
        "rest_too_many_items"
    );
    assert!(start.elapsed() < std::time::Duration::from_secs(10));
}
