//! Any edit of any field of any HTML, made from bytes: what is edited in place reads as was asked, and
//! nothing but the field's own bytes change. Property tests and the fuzzer (`fuzz/`) run it.

use cf_forms::forms::edit::{add_field, asked_position, delete_field, update_field};
use cf_forms::forms::{Field, FieldType, FormSchema};
use cf_forms::markup::{Change, Patched, added, parse, patched};
use serde_json::{Value, json};

use crate::choices::Choices;
use crate::markup_patch_bytes::{
    assert_added_is_seen, assert_changed_is_own, assert_removed_is_own, emptied,
};

/// How many bytes of an input choose the edit; the others are the HTML.
pub const CHOICES: usize = 12;

const LABELS: &[&str] = &[
    "New",
    "a",
    "New & \"old\"",
    "Name *",
    "<b>",
    "",
    "a b",
    "  x ",
    "日本",
    "&amp;",
];

const TYPES: &[&str] = &[
    "text", "email", "number", "textarea", "select", "radio", "checkbox", "consent", "hidden",
    "date",
];

/// Makes the edit that an input says. Whether it was made in place; nothing where there is nothing to
/// edit, or where the API refuses the edit.
pub fn check(input: &[u8]) -> Option<bool> {
    let (choices, html) = input.split_at_checked(CHOICES)?;
    let html = String::from_utf8_lossy(html);
    check_edit(&html, &mut Choices::of(choices))
}

/// The same, with the choices apart from the HTML.
pub fn check_edit(html: &str, choices: &mut Choices<'_>) -> Option<bool> {
    let schema = parse(html).ok()?.schema;
    let kind = choices.below(4);
    if kind == 0 || schema.fields.is_empty() {
        return check_add(html, &schema, choices);
    }
    let place = choices.below(schema.fields.len().min(256));
    let field = &schema.fields[place];
    match kind {
        1 => check_removal(html, &schema, field),
        _ => check_update(html, &schema, field, &members(field, &schema, choices)),
    }
}

fn check_update(html: &str, schema: &FormSchema, before: &Field, members: &Value) -> Option<bool> {
    let (wanted, after) = update_field(schema, &before.name, members).ok()?;
    let Ok(done) = patched(html, Change::Update(before, &after), &wanted) else {
        return Some(false);
    };
    assert_reads(html, &done);
    let found = done.schema.field(&after.name).unwrap();
    // A label that is a placeholder is changed there.
    let mut expected = wanted.clone();
    if before.label != after.label && before.placeholder == after.placeholder {
        let known = expected
            .fields
            .iter_mut()
            .find(|field| field.name == after.name)
            .unwrap();
        known.placeholder.clone_from(&found.placeholder);
        assert!(found.placeholder == after.placeholder || found.placeholder.contains(&after.label));
    }
    expect_unmarked(&mut expected, &done.schema, before, &after);
    assert_eq!(
        done.schema, expected,
        "{members}\n{html}\n--\n{}",
        done.markup
    );
    assert_changed_is_own(html, &done.markup, before, found);
    Some(true)
}

/// Expects a label that has a mark already to be read without it when nothing but `required` comes.
pub fn expect_unmarked(
    expected: &mut FormSchema,
    found: &FormSchema,
    before: &Field,
    after: &Field,
) {
    let fields = expected.fields.iter_mut();
    let known = fields.into_iter().find(|field| field.name == after.name);
    let (Some(known), Some(found)) = (known, found.field(&after.name)) else {
        return;
    };
    if before.required || !after.required || before.label != after.label {
        return;
    }
    let Some((start, end)) = before.label.split_once(&*found.label) else {
        return;
    };
    let left = format!("{start} {end}").replace("(required)", "*");
    if left.contains(['*', '＊']) && left.chars().all(|c| " *＊:：".contains(c)) {
        known.label.clone_from(&found.label);
    }
}

fn check_removal(html: &str, schema: &FormSchema, field: &Field) -> Option<bool> {
    let (wanted, _) = delete_field(schema, &field.name, false).ok()?;
    let Ok(done) = patched(html, Change::Remove(field), &wanted) else {
        return Some(false);
    };
    assert_reads(html, &done);
    let emptied = emptied(&wanted, &done.schema, &field.name);
    let mut expected = wanted.clone();
    for fieldset in &emptied {
        assert_eq!(
            fieldset.kind.as_str(),
            "fieldset",
            "{html}\n--\n{}",
            done.markup
        );
        expected = delete_field(&expected, &fieldset.name, false).unwrap().0;
    }
    assert_eq!(done.schema, expected, "{html}\n--\n{}", done.markup);
    assert_removed_is_own(html, &done.markup, field, &emptied);
    Some(true)
}

fn check_add(html: &str, schema: &FormSchema, choices: &mut Choices<'_>) -> Option<bool> {
    let mut body = json!({
        "name": "brand-new",
        "type": *choices.pick(TYPES),
        "label": *choices.pick(LABELS),
        "required": choices.is_one_of(1, 3),
        "options": ["x", "y"],
    });
    if choices.is_one_of(1, 2) {
        body["position"] = json!(choices.below(6));
    }
    let (_, field) = add_field(schema, &body).ok()?;
    let Ok(done) = added(html, &field, asked_position(&body, &field)) else {
        return Some(false);
    };
    assert_reads(html, &done);
    let same = html.bytes().zip(done.markup.bytes());
    let start = same.take_while(|(old, new)| old == new).count();
    assert!(
        done.markup.as_bytes().ends_with(&html.as_bytes()[start..]),
        "{html}\n--\n{}",
        done.markup
    );
    if field.kind != FieldType::Hidden {
        assert_added_is_seen(html, &done.markup);
    }
    let (without, new) = delete_field(&done.schema, &field.name, false).unwrap();
    assert_eq!(without.fields, schema.fields, "{html}\n--\n{}", done.markup);
    let wanted = Field {
        position: new.position,
        group: new.group.clone(),
        css_class: new.css_class.clone(),
        ..field
    };
    assert_eq!(new, wanted, "{html}\n--\n{}", done.markup);
    Some(true)
}

fn assert_reads(html: &str, done: &Patched) {
    let found = parse(&done.markup).unwrap().schema;
    assert_eq!(found, done.schema, "{html}\n--\n{}", done.markup);
}

/// Other members for a field.
fn members(field: &Field, schema: &FormSchema, choices: &mut Choices<'_>) -> Value {
    let mut members = json!({});
    for _ in 0..=choices.below(2) {
        let (name, value) = member(field, schema, choices);
        members[name] = value;
    }
    members
}

fn member(field: &Field, schema: &FormSchema, choices: &mut Choices<'_>) -> (&'static str, Value) {
    let label = |choices: &mut Choices<'_>| json!(*choices.pick(LABELS));
    match choices.below(13) {
        0 | 1 => ("label", label(choices)),
        2 => ("required", json!(!field.required)),
        3 => ("placeholder", label(choices)),
        4 => ("css_class", json!(*choices.pick(&["one two", "", "cf-x"]))),
        5 => ("default_value", label(choices)),
        6 => ("description", label(choices)),
        7 => ("name", json!(*choices.pick(&["renamed", "x[y]", "a b"]))),
        8 => ("attributes", json!({"data-own": *choices.pick(LABELS)})),
        9 => (
            "validation",
            json!({"min": choices.below(9), "max": 9 + choices.below(9)}),
        ),
        10 => ("type", json!(*choices.pick(TYPES))),
        11 => {
            let other = choices.below(schema.fields.len().min(256));
            let rule =
                json!({"field": schema.fields[other].name, "operator": "equals", "value": "1"});
            match choices.is_one_of(2, 3) {
                true => ("conditions", json!([rule])),
                false => ("conditions", json!([])),
            }
        }
        _ => {
            let mut options = serde_json::to_value(&field.options).unwrap();
            let list = options.as_array_mut().unwrap();
            match choices.below(5) {
                0 => list.reverse(),
                1 => _ = list.pop(),
                2 if !list.is_empty() => _ = list.remove(0),
                3 if !list.is_empty() => list[0]["label"] = label(choices),
                _ => list.insert(
                    choices.below(list.len() + 1),
                    json!({"value": "brand-new", "label": "Brand new"}),
                ),
            }
            ("options", options)
        }
    }
}
