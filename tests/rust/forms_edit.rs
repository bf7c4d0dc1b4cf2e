//! Adds, changes and removes one field of a schema.

use cf_forms::forms::FormSchema;
use cf_forms::forms::check::parse_schema;
use cf_forms::forms::edit::{EditError, Edited, add_field, delete_field, update_field};
use serde_json::{Value, json};

/// Returns a schema with all references to `kind`: a condition, a group of conditions and a step. Also, `box` contains
/// `detail`.
fn schema() -> FormSchema {
    parse_schema(&json!({
        "fields": [
            {"name": "kind", "type": "select", "options": ["a", "b"]},
            {"name": "box", "type": "fieldset", "group": "page"},
            {"name": "detail", "group": "box", "conditions": [
                {"field": "kind", "operator": "equals", "value": "a"},
                {"any": [{"field": "kind", "operator": "is_not_empty"}]},
            ]},
            {"name": "send", "type": "submit", "conditions": [
                {"all": [
                    {"field": "kind", "operator": "is_not_empty"},
                    {"field": "detail", "operator": "is_not_empty"},
                ]},
            ]},
        ],
        "layout": {"type": "multi-step", "steps": [{"id": "one", "fields": ["kind", "detail"]}]},
    }))
    .unwrap()
}

fn names(schema: &FormSchema) -> String {
    for (index, field) in schema.fields.iter().enumerate() {
        assert_eq!(field.position as usize, index);
    }
    let names = schema.fields.iter().map(|field| field.name.as_str());
    names.collect::<Vec<_>>().join(" ")
}

fn code_and_path(edited: Edited) -> (String, &'static str) {
    match edited.unwrap_err() {
        EditError::Invalid(faults) => (faults[0].path.clone(), faults[0].code),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_new_field_goes_last_or_to_its_position() {
    let (changed, field) = add_field(&schema(), &json!({"name": "n", "type": "text"})).unwrap();
    assert_eq!(names(&changed), "kind box detail send n");
    assert_eq!(field.position, 4);
    let (changed, field) = add_field(
        &schema(),
        &json!({"name": "n", "type": "text", "position": 1}),
    )
    .unwrap();
    assert_eq!(names(&changed), "kind n box detail send");
    assert_eq!(field.position, 1);
    let (changed, _) = add_field(&schema(), &json!({"name": "n", "position": 99})).unwrap();
    assert_eq!(names(&changed), "kind box detail send n");
}

#[test]
fn a_new_field_must_be_valid_and_new() {
    assert_eq!(
        add_field(&schema(), &json!({"name": "kind", "type": "text"})).unwrap_err(),
        EditError::Duplicate("kind".to_owned())
    );
    assert_eq!(
        code_and_path(add_field(&schema(), &json!({"name": "n", "type": "x"}))),
        ("type".to_owned(), "rest_not_in_enum")
    );
    let unknown = json!({"name": "n", "conditions": [{"field": "m", "operator": "checked"}]});
    assert_eq!(
        code_and_path(add_field(&schema(), &unknown)),
        ("conditions[0]".to_owned(), "rest_invalid_param")
    );
}

#[test]
fn omitted_members_do_not_change() {
    let patch = json!({"required": true, "validation": {"pattern": "[a-z]+"}});
    let (changed, field) = update_field(&schema(), "detail", &patch).unwrap();
    assert_eq!(names(&changed), "kind box detail send");
    assert!(field.required);
    assert_eq!(field.validation.pattern.as_deref(), Some("[a-z]+"));
    assert_eq!(field.group.as_deref(), Some("box"));
    assert_eq!(field.conditions.len(), 2);
    assert_eq!(changed.field("detail"), Some(&field));

    let (_, field) = update_field(&schema(), "detail", &json!({"autocomplete": "off"})).unwrap();
    assert_eq!(field.attributes["autocomplete"], "off");
    let (_, field) = update_field(&schema(), "detail", &json!({"conditions": null})).unwrap();
    assert!(field.conditions.is_empty());
}

#[test]
fn a_new_position_moves_the_field() {
    let (changed, _) = update_field(&schema(), "send", &json!({"position": 0})).unwrap();
    assert_eq!(names(&changed), "send kind box detail");
    let (changed, _) = update_field(&schema(), "kind", &json!({"position": 2})).unwrap();
    assert_eq!(names(&changed), "box detail kind send");
}

#[test]
fn a_renamed_field_is_updated_in_all_references() {
    let (changed, field) = update_field(&schema(), "kind", &json!({"name": "sort"})).unwrap();
    assert_eq!(field.name, "sort");
    let stored = serde_json::to_string(&changed).unwrap();
    assert!(!stored.contains("kind"), "{stored}");
    assert_eq!(stored.matches("\"sort\"").count(), 5);

    let (changed, _) = update_field(&schema(), "box", &json!({"name": "frame"})).unwrap();
    assert_eq!(
        changed.field("detail").unwrap().group.as_deref(),
        Some("frame")
    );
}

#[test]
fn a_change_that_breaks_the_schema_is_rejected() {
    assert_eq!(
        update_field(&schema(), "none", &json!({})).unwrap_err(),
        EditError::NotFound("none".to_owned())
    );
    assert_eq!(
        update_field(&schema(), "kind", &json!({"name": "send"})).unwrap_err(),
        EditError::Duplicate("send".to_owned())
    );
    let cycle = json!({"conditions": [{"field": "send", "operator": "checked"}]});
    assert_eq!(
        code_and_path(update_field(&schema(), "kind", &cycle)),
        ("conditions".to_owned(), "rest_invalid_param")
    );
    for patch in [json!([]), json!(5), json!(null)] {
        assert_eq!(
            code_and_path(update_field(&schema(), "kind", &patch)),
            (String::new(), "rest_invalid_type")
        );
    }
}

#[test]
fn a_field_in_use_is_removed_only_with_force() {
    assert_eq!(
        delete_field(&schema(), "kind", false).unwrap_err(),
        EditError::InUse {
            name: "kind".to_owned(),
            users: vec!["detail".to_owned(), "send".to_owned()],
        }
    );
    let (changed, removed) = delete_field(&schema(), "kind", true).unwrap();
    assert_eq!(removed.name, "kind");
    assert_eq!(names(&changed), "box detail send");
    let stored = serde_json::to_value(&changed).unwrap();
    assert_eq!(stored["fields"][1]["conditions"], json!([]));
    assert_eq!(
        stored["fields"][2]["conditions"],
        json!([{"all": [{"field": "detail", "operator": "is_not_empty", "value": null}]}])
    );
    assert_eq!(stored["layout"]["steps"][0]["fields"], json!(["detail"]));
    assert_eq!(parse_schema(&stored).unwrap(), changed);
}

#[test]
fn fields_of_a_removed_container_move_out() {
    let (changed, _) = delete_field(&schema(), "box", false).unwrap();
    assert_eq!(
        changed.field("detail").unwrap().group.as_deref(),
        Some("page")
    );
    assert_eq!(
        delete_field(&schema(), "none", true).unwrap_err(),
        EditError::NotFound("none".to_owned())
    );
    let full: Vec<Value> = (0..10_000)
        .map(|n| json!({"name": format!("f{n}")}))
        .collect();
    let full = parse_schema(&json!({"fields": full})).unwrap();
    assert_eq!(
        add_field(&full, &json!({"name": "n"})).unwrap_err(),
        EditError::TooMany
    );
}

#[test]
fn a_field_in_a_step_by_group_or_container_belongs_to_that_step() {
    let steps = |schema: &FormSchema| {
        let steps = schema.layout.steps.iter().flatten();
        let steps = steps.map(|step| step.fields.join(" "));
        steps.collect::<Vec<_>>().join(" | ")
    };
    let wizard = parse_schema(&json!({
        "fields": [{"name": "a"}, {"name": "b"}, {"name": "box", "type": "fieldset"}, {"name": "c"}],
        "layout": {"type": "multi-step", "steps": [
            {"id": "one", "fields": ["a", "b"]}, {"id": "two", "fields": ["box", "c"]},
        ]},
    }))
    .unwrap();
    for (field, expected) in [
        (json!({"name": "n", "group": "one"}), "a b n | box c"),
        (
            json!({"name": "n", "group": "one", "position": 1}),
            "a n b | box c",
        ),
        (
            json!({"name": "n", "group": "two", "position": 0}),
            "a b | n box c",
        ),
        (
            json!({"name": "n", "group": "box", "position": 3}),
            "a b | box n c",
        ),
        (json!({"name": "n", "group": "elsewhere"}), "a b | box c"),
        (json!({"name": "n"}), "a b | box c"),
    ] {
        let (changed, _) = add_field(&wizard, &field).unwrap();
        assert_eq!(steps(&changed), expected, "{field}");
    }
    for (patch, expected) in [
        (json!({"group": "two", "name": "d"}), "a | d box c"),
        (json!({"group": "two", "position": 3}), "a | box c b"),
        (json!({"label": "B"}), "a b | box c"),
    ] {
        let (changed, _) = update_field(&wizard, "b", &patch).unwrap();
        assert_eq!(steps(&changed), expected, "{patch}");
    }
}
