//! Checks of the members of one field.

use serde_json::{Value, json};

use super::{accepted, refused};

/// Returns the only field of an accepted schema.
fn accepted_field(field: Value) -> Value {
    accepted(json!({"fields": [field]}))["fields"][0].clone()
}

/// Returns the path (within the field) and the code of each fault.
fn field_faults(field: Value) -> Vec<(String, &'static str)> {
    let faults = refused(json!({"fields": [field]}));
    let found = faults.into_iter().map(|fault| {
        let path = fault.path.strip_prefix("fields[0]").unwrap().to_owned();
        (path.trim_start_matches('.').to_owned(), fault.code)
    });
    found.collect()
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
fn all_faults_are_reported_at_once_with_their_paths() {
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
    let found: Vec<_> = faults
        .iter()
        .map(|fault| (fault.path.as_str(), fault.code))
        .collect();
    assert_eq!(
        found,
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
fn bad_members_of_a_field_are_rejected() {
    let long = "é".repeat(201);
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
            json!({"name": "a", "validation": {"min": "1"}}),
            "validation.min",
            "rest_invalid_type",
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
fn each_property_is_normalized_to_one_member() {
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
fn a_pattern_that_only_browsers_support_stays_an_attribute() {
    let field = accepted_field(json!({"name": "a", "attributes": {"pattern": "(?=.*[0-9]).{8,}"}}));
    assert_eq!(field["attributes"]["pattern"], "(?=.*[0-9]).{8,}");
    assert_eq!(field["validation"], json!({}));
}
