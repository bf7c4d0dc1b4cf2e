//! Property tests of schema checks, over generated documents.

use cf_forms::forms::FormSchema;
use cf_forms::forms::check::parse_schema;
use cf_forms::forms::edit::{Edited, add_field, delete_field, update_field};
use cf_forms::forms::slug::{is_slug, numbered_slug, slug_of};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Texts that have a meaning in some member of a schema.
const WORDS: &[&str] = &[
    "",
    "a",
    "b",
    "text",
    "select",
    "equals",
    "matches",
    "before",
    "single",
    "multi-step",
    "hide",
    "(",
    "[a-z]+",
    "2024-01-01",
    "javascript:x",
    "\u{0}",
];

/// Member names of schemas.
const MEMBERS: &[&str] = &[
    "version",
    "fields",
    "layout",
    "form_settings",
    "name",
    "type",
    "label",
    "options",
    "validation",
    "conditions",
    "attributes",
    "position",
    "group",
    "value",
    "min",
    "max",
    "pattern",
    "field",
    "operator",
    "any",
    "all",
    "rules",
    "action",
    "match",
    "steps",
    "id",
    "onclick",
    "maxlength",
];

/// Generates any JSON; some names of members are those of schemas.
fn any_document() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-2_000_000_000..2_000_000_000i64).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        prop::sample::select(WORDS).prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    scalar.prop_recursive(6, 64, 6, |inner| {
        let name = prop_oneof![
            4 => prop::sample::select(MEMBERS).prop_map(str::to_owned),
            1 => any::<String>(),
        ];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(name, inner, 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// A change to a schema, with names that often collide.
#[derive(Clone, Debug)]
enum Change {
    Add(Value),
    Update(String, Value),
    Delete(String, bool),
}

fn any_change() -> impl Strategy<Value = Change> {
    let name = || (0..5u8).prop_map(|number| format!("f{number}"));
    let member = prop_oneof![
        name().prop_map(|name| json!({"name": name})),
        (0..6u8).prop_map(|position| json!({"position": position})),
        name().prop_map(|group| json!({"group": group})),
        name().prop_map(|field| json!({"conditions": [{"field": field, "operator": "checked"}]})),
        (name(), name()).prop_map(|(a, b)| json!({"conditions": [{"any": [
            {"field": a, "operator": "checked"}, {"field": b, "operator": "equals", "value": "x"},
        ]}]})),
        prop::sample::select(vec!["text", "container", "fieldset", "nonsense"])
            .prop_map(|kind| json!({"type": kind})),
    ];
    let members = || {
        prop::collection::vec(member.clone(), 0..3).prop_map(|members| {
            let members = members
                .into_iter()
                .flat_map(|one| one.as_object().cloned().unwrap());
            Value::Object(members.collect())
        })
    };
    prop_oneof![
        2 => (name(), members()).prop_map(|(name, mut field)| {
            field["name"] = json!(name);
            Change::Add(field)
        }),
        2 => (name(), members()).prop_map(|(name, patch)| Change::Update(name, patch)),
        1 => (name(), any::<bool>()).prop_map(|(name, force)| Change::Delete(name, force)),
    ]
}

fn apply(schema: &FormSchema, change: &Change) -> Edited {
    match change {
        Change::Add(field) => add_field(schema, field),
        Change::Update(name, patch) => update_field(schema, name, patch),
        Change::Delete(name, force) => delete_field(schema, name, *force),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1_000) })]

    #[test]
    fn any_document_gets_a_response_and_an_accepted_one_is_stable(mut document in any_document(), fields in prop::collection::vec(any_document(), 0..4)) {
        if let Some(members) = document.as_object_mut() {
            members.entry("fields").or_insert(Value::Array(fields));
        }
        match parse_schema(&document) {
            Ok(schema) => {
                let stored = serde_json::to_value(&schema).unwrap();
                prop_assert_eq!(parse_schema(&stored).unwrap(), schema);
            }
            Err(faults) => {
                prop_assert!(!faults.is_empty() && faults.len() <= 100);
                prop_assert!(faults.iter().all(|fault| fault.message.len() < 2_000));
            }
        }
    }

    #[test]
    fn no_change_of_a_field_breaks_a_schema(changes in prop::collection::vec(any_change(), 1..16)) {
        let mut schema = FormSchema::of(Vec::new());
        for change in &changes {
            if let Ok((changed, field)) = apply(&schema, change) {
                let stored = serde_json::to_value(&changed).unwrap();
                prop_assert_eq!(parse_schema(&stored), Ok(changed.clone()));
                let is_there = changed.field(&field.name) == Some(&field);
                prop_assert_eq!(is_there, !matches!(change, Change::Delete(..)));
                schema = changed;
            }
        }
    }

    #[test]
    fn every_title_has_a_slug(title in any::<String>(), number in any::<u64>()) {
        let slug = slug_of(&title);
        prop_assert!(is_slug(&slug), "{}", slug);
        let numbered = numbered_slug(&slug, number);
        prop_assert!(is_slug(&numbered), "{}", numbered);
    }
}
