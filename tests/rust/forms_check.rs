//! What clients may write as a schema, and what they are told about what they may not.

use cf_forms::forms::check::parse_schema;
use cf_forms::forms::{Fault, FormSchema};
use serde_json::{Value, json};

fn accepted(body: Value) -> Value {
    let schema = parse_schema(&body).unwrap_or_else(|faults| panic!("{faults:#?}"));
    let stored = serde_json::to_value(&schema).unwrap();
    // What was accepted once is accepted again, unchanged; and what was stored can be read.
    assert_eq!(parse_schema(&stored).unwrap(), schema);
    let read: FormSchema = serde_json::from_str(&stored.to_string()).unwrap();
    assert_eq!(read, schema);
    stored
}

fn refused(body: Value) -> Vec<Fault> {
    parse_schema(&body).expect_err(&body.to_string())
}

/// The one field of a schema, as it is accepted.
fn accepted_field(field: Value) -> Value {
    accepted(json!({"fields": [field]}))["fields"][0].clone()
}

/// Path (within the field) and code of the faults of a field.
fn field_faults(field: Value) -> Vec<(String, &'static str)> {
    let faults = refused(json!({"fields": [field]}));
    let told = faults.into_iter().map(|fault| {
        let path = fault.path.strip_prefix("fields[0]").unwrap().to_owned();
        (path.trim_start_matches('.').to_owned(), fault.code)
    });
    told.collect()
}

#[test]
fn every_default_is_filled_in() {
    assert_eq!(
        accepted(json!({"fields": [{"name": "email", "type": "email"}]})),
        json!({
            "version": 1,
            "fields": [{
                "name": "email", "type": "email", "label": "", "placeholder": "",
                "default_value": "", "required": false, "css_class": "", "description": "",
                "options": [], "validation": {}, "conditions": [], "attributes": {},
                "position": 0, "group": null
            }],
            "layout": {"type": "single"},
            "form_settings": {}
        })
    );
    assert_eq!(accepted_field(json!({"name": "a"}))["type"], "text");
    assert_eq!(
        accepted_field(json!({"name": "a", "label": null}))["label"],
        ""
    );
}

#[test]
fn all_faults_are_told_at_once_with_their_places() {
    let faults = refused(json!({
        "version": 2,
        "fields": [
            {"type": "text"},
            {"name": "b", "type": "nonsense", "required": "yes"},
            {"name": "c", "validation": {"pattern": "(", "step": 1, "min": "1"}},
        ],
        "layout": {"type": "sideways"},
        "form_settings": [],
    }));
    let told: Vec<_> = faults
        .iter()
        .map(|fault| (fault.path.as_str(), fault.code))
        .collect();
    assert_eq!(
        told,
        [
            ("version", "rest_not_in_enum"),
            ("fields[0].name", "rest_property_required"),
            ("fields[1].type", "rest_not_in_enum"),
            ("fields[1].required", "rest_invalid_type"),
            ("fields[2].validation.min", "rest_invalid_type"),
            ("fields[2].validation.pattern", "rest_invalid_pattern"),
            (
                "fields[2].validation.step",
                "rest_additional_properties_forbidden"
            ),
            ("layout.type", "rest_not_in_enum"),
            ("form_settings", "rest_invalid_type"),
        ]
    );
    assert_eq!(refused(json!({}))[0].code, "rest_property_required");
    assert_eq!(refused(json!([]))[0].code, "rest_invalid_type");
    assert_eq!(refused(json!({"fields": {}}))[0].code, "rest_invalid_type");
    assert_eq!(refused(json!({"fields": [5]}))[0].path, "fields[0]");
}

#[test]
fn bad_members_of_a_field_are_refused() {
    let long = "é".repeat(101);
    let cases = [
        (json!({"name": ""}), "name", "rest_too_short"),
        (json!({"name": 5}), "name", "rest_invalid_type"),
        (json!({"name": long}), "name", "rest_too_long"),
        (json!({"name": "a\u{7}b"}), "name", "rest_invalid_pattern"),
        (json!({"name": " a"}), "name", "rest_invalid_pattern"),
        (json!({"name": "a\nb"}), "name", "rest_invalid_pattern"),
        (json!({"name": "a[]"}), "name", "rest_invalid_pattern"),
        (json!({"name": "a", "type": 1}), "type", "rest_invalid_type"),
        (
            json!({"name": "a", "label": 1}),
            "label",
            "rest_invalid_type",
        ),
        (
            json!({"name": "a", "label": "\u{0}"}),
            "label",
            "rest_invalid_pattern",
        ),
        (
            json!({"name": "a", "position": -1}),
            "position",
            "rest_out_of_bounds",
        ),
        (
            json!({"name": "a", "position": 1.5}),
            "position",
            "rest_invalid_type",
        ),
        (
            json!({"name": "a", "group": 1}),
            "group",
            "rest_invalid_type",
        ),
        (
            json!({"name": "a", "rows": 5}),
            "rows",
            "rest_additional_properties_forbidden",
        ),
        (
            json!({"name": "a", "options": {}}),
            "options",
            "rest_invalid_type",
        ),
        (
            json!({"name": "a", "options": [1]}),
            "options[0]",
            "rest_invalid_type",
        ),
        (
            json!({"name": "a", "options": [{"label": "x"}]}),
            "options[0].value",
            "rest_property_required",
        ),
        (
            json!({"name": "a", "options": ["x", {"value": "x"}]}),
            "options[1]",
            "rest_duplicate_items",
        ),
        (
            json!({"name": "a", "options": ["x\ny"]}),
            "options[0]",
            "rest_invalid_pattern",
        ),
        (
            json!({"name": "a", "validation": []}),
            "validation",
            "rest_invalid_type",
        ),
        (
            json!({"name": "a", "validation": {"min": 3, "max": 2}}),
            "validation.min",
            "rest_out_of_bounds",
        ),
        (
            json!({"name": "a", "validation": {"min": -1}}),
            "validation.min",
            "rest_out_of_bounds",
        ),
        (
            json!({"name": "a", "validation": {"max": 2.5}}),
            "validation.max",
            "rest_invalid_type",
        ),
        (
            json!({"name": "a", "type": "rating", "validation": {"max": 0}}),
            "validation.max",
            "rest_out_of_bounds",
        ),
        (
            json!({"name": "a", "type": "rating", "validation": {"max": 101}}),
            "validation.max",
            "rest_out_of_bounds",
        ),
        (
            json!({"name": "a", "validation": {"pattern": "(?=x)"}}),
            "validation.pattern",
            "rest_invalid_pattern",
        ),
        (
            json!({"name": "a", "attributes": []}),
            "attributes",
            "rest_invalid_type",
        ),
        (
            json!({"name": "a", "attributes": {"x": {}}}),
            "attributes.x",
            "rest_invalid_type",
        ),
        (
            json!({"name": "a", "attributes": {"onclick": "x"}}),
            "attributes.onclick",
            "rest_invalid_param",
        ),
        (
            json!({"name": "a", "attributes": {"ONCLICK": "x"}}),
            "attributes.onclick",
            "rest_invalid_param",
        ),
        (
            json!({"name": "a", "onfocus": "x"}),
            "attributes.onfocus",
            "rest_invalid_param",
        ),
        (
            json!({"name": "a", "attributes": {"style": "x"}}),
            "attributes.style",
            "rest_invalid_param",
        ),
        (
            json!({"name": "a", "attributes": {"formaction": "/x"}}),
            "attributes.formaction",
            "rest_invalid_param",
        ),
        (
            json!({"name": "a", "attributes": {"srcdoc": "x"}}),
            "attributes.srcdoc",
            "rest_invalid_param",
        ),
        (
            json!({"name": "a", "attributes": {"src": "java\nscript:x"}}),
            "attributes.src",
            "rest_invalid_param",
        ),
        (
            json!({"name": "a", "attributes": {"a>b": "x"}}),
            "attributes.a>b",
            "rest_invalid_param",
        ),
        (
            json!({"name": "a", "attributes": {"id": "cf-x"}}),
            "attributes.id",
            "rest_invalid_param",
        ),
        (
            json!({"name": "a", "attributes": {"A": "1", "a": "2"}}),
            "attributes.a",
            "rest_duplicate_items",
        ),
        (
            json!({"name": "a", "placeholder": "x", "attributes": {"placeholder": "y"}}),
            "attributes.placeholder",
            "rest_invalid_param",
        ),
        (
            json!({"name": "a", "attributes": {"maxlength": "x"}}),
            "attributes.maxlength",
            "rest_invalid_type",
        ),
    ];
    for (field, path, code) in cases {
        let shown = field.to_string();
        assert_eq!(field_faults(field), [(path.to_owned(), code)], "{shown}");
    }
}

#[test]
fn each_fact_ends_in_one_place() {
    let field = accepted_field(json!({
        "name": "a",
        "label": "Two\r\nlines",
        "css_class": " wide  blue ",
        "options": ["x", {"value": "y"}, {"value": "z", "label": "Z"}],
        "validation": {"min": 2.0, "pattern": ""},
        "attributes": {
            "Maxlength": "10", "placeholder": "p", "pattern": "[0-9]+", "rows": 5,
            "autofocus": true, "hidden": false
        },
        "autocomplete": "email",
        "group": "",
    }));
    assert_eq!(field["label"], "Two\nlines");
    assert_eq!(field["css_class"], "wide blue");
    assert_eq!(
        field["options"],
        json!([
            {"value": "x", "label": "x"},
            {"value": "y", "label": "y"},
            {"value": "z", "label": "Z"},
        ])
    );
    assert_eq!(
        field["validation"],
        json!({"min": 2, "max": 10, "pattern": "[0-9]+"})
    );
    assert_eq!(field["placeholder"], "p");
    assert_eq!(
        field["attributes"],
        json!({"rows": "5", "autofocus": "", "autocomplete": "email"})
    );
    assert_eq!(field["group"], Value::Null);
}

#[test]
fn a_pattern_only_browsers_understand_stays_an_attribute() {
    let field = accepted_field(json!({"name": "a", "attributes": {"pattern": "(?=.*[0-9]).{8,}"}}));
    assert_eq!(field["attributes"]["pattern"], "(?=.*[0-9]).{8,}");
    assert_eq!(field["validation"], json!({}));
}

#[test]
fn conditions_come_as_a_list_or_as_an_object() {
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
fn bad_conditions_are_refused() {
    let mut deep = json!({"field": "a", "operator": "is_empty"});
    for _ in 0..16 {
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
fn a_cycle_is_refused_by_name() {
    let shown_by = |name: &str, other: &str| json!({"name": name, "conditions": [{"field": other, "operator": "is_not_empty"}]});
    let faults = refused(json!({"fields": [
        {"name": "x"}, shown_by("a", "c"), shown_by("b", "a"), shown_by("c", "b"), shown_by("d", "d"),
    ]}));
    let told: Vec<_> = faults
        .iter()
        .map(|fault| (fault.path.as_str(), fault.message.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            (
                "fields[1].conditions",
                "The conditions form a cycle: a → c → b → a."
            ),
            (
                "fields[4].conditions",
                "The conditions form a cycle: d → d."
            ),
        ]
    );

    let faults = refused(json!({"fields": [
        {"name": "box", "type": "container", "conditions": [{"field": "inside", "operator": "checked"}]},
        {"name": "inside", "type": "checkbox", "group": "box"},
    ]}));
    assert_eq!(
        faults[0].message,
        "The conditions form a cycle: box → inside → box."
    );

    let faults = refused(json!({"fields": [
        {"name": "p", "type": "fieldset", "group": "q"}, {"name": "q", "type": "fieldset", "group": "p"},
    ]}));
    assert_eq!(faults[0].path, "fields[0].group");
}

#[test]
fn names_are_unique_also_against_the_parts_of_composites() {
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
fn steps_refer_to_fields_once() {
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
    let told: Vec<_> = faults
        .iter()
        .map(|fault| (fault.path.as_str(), fault.code))
        .collect();
    assert_eq!(
        told,
        [
            ("layout.steps[0].fields[1]", "rest_invalid_param"),
            ("layout.steps[1].fields[0]", "rest_duplicate_items"),
        ]
    );
    let faults = refused(with_steps(
        json!([{"id": "x"}, {"id": "x"}, {"title": "t"}, {"id": "y", "a": 1}]),
    ));
    let told: Vec<_> = faults.iter().map(|fault| fault.path.as_str()).collect();
    assert_eq!(
        told,
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
    let start = std::time::Instant::now();
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
