//! What holds for every field that is added to an author's HTML or taken out of it.

use std::cell::RefCell;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use cf_forms::forms::edit::{add_field, asked_position, delete_field};
use cf_forms::forms::{Field, FieldType, FormSchema};
use cf_forms::markup::{Change, added, parse, patched};
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};

use crate::choices::Choices;
use crate::markup_documents::document;
use crate::markup_patch_any;
use crate::markup_patch_bytes::{
    assert_added_is_seen, assert_removed_is_own, assert_whole_elements, emptied,
};

/// How many edits were tried, and how many were made in place.
#[derive(Default)]
struct Count {
    tried: usize,
    made: usize,
}

/// A schema without a field, as it is where the field is not.
fn without(schema: &FormSchema, name: &str) -> FormSchema {
    let mut schema = schema.clone();
    schema.fields.retain(|field| field.name != name);
    for (position, field) in (0..).zip(&mut schema.fields) {
        field.position = position;
    }
    for step in schema.layout.steps.iter_mut().flatten() {
        step.fields.retain(|member| member != name);
    }
    schema
}

/// That one text is another with bytes put in at one place.
fn assert_inserted(html: &str, markup: &str) {
    let same = html.bytes().zip(markup.bytes());
    let start = same.take_while(|(old, new)| old == new).count();
    let rest = &html.as_bytes()[start..];
    assert!(markup.len() > html.len(), "{html}\n{markup}");
    assert!(markup.as_bytes().ends_with(rest), "{html}\n{markup}");
}

fn adds(schema: &FormSchema) -> Vec<Value> {
    let mut bodies = vec![
        json!({"name": "new", "type": "email", "label": "New", "description": "Help"}),
        json!({"name": "new", "type": "radio", "label": "New", "options": ["x", "y"]}),
        json!({"name": "new", "type": "heading", "label": "New"}),
    ];
    for position in (0..schema.fields.len().min(5)).chain([99]) {
        bodies.push(json!({"name": "new", "type": "text", "label": "New", "position": position}));
    }
    let groups = schema
        .fields
        .iter()
        .filter_map(|field| field.group.as_ref());
    for group in groups.take(3) {
        bodies.push(json!({"name": "new", "type": "textarea", "label": "New", "group": group}));
    }
    bodies
}

fn try_adds(html: &str, count: &mut Count) {
    let Ok(parsed) = parse(html) else { return };
    for body in adds(&parsed.schema) {
        let Ok((_, field)) = add_field(&parsed.schema, &body) else {
            continue;
        };
        count.tried += 1;
        let Ok(patched) = added(html, &field, asked_position(&body, &field)) else {
            continue;
        };
        count.made += 1;
        assert_inserted(html, &patched.markup);
        let found = parse(&patched.markup).unwrap().schema;
        assert_eq!(found, patched.schema, "{html}\n{}", patched.markup);
        assert_eq!(
            without(&found, "new"),
            parsed.schema,
            "{html}\n{}",
            patched.markup
        );
        let new = found.field("new").unwrap();
        let wanted = Field {
            position: new.position,
            group: field.group.clone().or_else(|| new.group.clone()),
            // It may look as those beside it.
            css_class: new.css_class.clone(),
            ..field.clone()
        };
        assert_eq!(*new, wanted, "{html}\n{}", patched.markup);
        match body.get("position").and_then(Value::as_u64) {
            Some(99) => assert_is_behind_all(&found, new, &patched.markup),
            Some(position) => assert_eq!(u64::from(new.position), position, "{html}"),
            None => assert_is_last(&found, new, &patched.markup),
        }
    }
}

/// That no field which asks for an answer stands behind a new one, but for those of other groups.
fn assert_is_last(schema: &FormSchema, new: &Field, markup: &str) {
    let behind = schema.fields.iter().skip(new.position as usize + 1);
    let asks = |field: &&Field| field.kind.captures_value() && field.kind != FieldType::Hidden;
    let other = behind.filter(asks).find(|field| field.group == new.group);
    if new.group.is_none() || schema.layout.steps.is_some() {
        return;
    }
    assert!(other.is_none(), "{other:?} behind {new:?} in\n{markup}");
}

/// That nothing stands behind a new field, but a button that sends right behind it with what follows that
/// and asks for no answer.
fn assert_is_behind_all(schema: &FormSchema, new: &Field, markup: &str) {
    let behind: Vec<&Field> = schema
        .fields
        .iter()
        .skip(new.position as usize + 1)
        .collect();
    let asks = |field: &&&Field| {
        let is_seen = field.kind.captures_value() && field.kind != FieldType::Hidden;
        is_seen || field.kind.holds_fields()
    };
    let first = behind.first().map(|field| field.kind);
    let sends = |field: &Field| field.kind == FieldType::Submit;
    assert!(
        first.is_none_or(|kind| kind == FieldType::Submit),
        "{new:?} in\n{markup}"
    );
    assert!(
        !behind.iter().any(|field| asks(&field)),
        "{new:?} in\n{markup}"
    );
    // Behind a button only what others that ask for an answer stand behind too.
    let before = schema.fields.iter().take(new.position as usize).rev();
    let mut before = before.take_while(|field| !asks(&field));
    assert!(!before.any(sends), "{new:?} in\n{markup}");
}

/// The start tags of controls, but for hidden ones: a box has one before it that says what is sent when
/// it is not ticked.
fn controls(html: &str) -> usize {
    let html = html.to_ascii_lowercase();
    let tags = html.split('<').filter(|tag| {
        let names = ["input", "select", "textarea", "button"];
        let is_control = names.iter().any(|name| tag.starts_with(name));
        let tag = tag.split('>').next().unwrap_or_default();
        is_control && !tag.contains("hidden")
    });
    tags.count()
}

/// Tries every removal; in well-formed HTML the controls that go can be counted.
fn try_removals(html: &str, is_well_formed: bool, count: &mut Count) {
    let Ok(parsed) = parse(html) else { return };
    for field in &parsed.schema.fields {
        let Ok((wanted, _)) = delete_field(&parsed.schema, &field.name, false) else {
            continue;
        };
        count.tried += 1;
        let Ok(patched) = patched(html, Change::Remove(field), &wanted) else {
            continue;
        };
        count.made += 1;
        let markup = &patched.markup;
        let found = parse(markup).unwrap().schema;
        assert_eq!(found, patched.schema, "{html}\n{markup}");
        // Emptied fieldsets may go with it.
        let mut expected = wanted.clone();
        let emptied = emptied(&wanted, &found, &field.name);
        for gone in &emptied {
            assert_eq!(gone.kind, FieldType::Fieldset, "{html}\n{markup}");
            expected = delete_field(&expected, &gone.name, false).unwrap().0;
        }
        assert_eq!(found, expected, "{html}\n{markup}");
        assert_removed_is_own(html, markup, field, &emptied);
        if is_well_formed {
            assert_whole_elements(html, markup);
        }
        let own = match field.kind {
            FieldType::Radio | FieldType::Checkbox => field.options.len().max(1),
            FieldType::Heading | FieldType::Paragraph | FieldType::Divider => 0,
            FieldType::Fieldset | FieldType::Container => 0,
            // Of several parts, or with other tags for a text.
            FieldType::Name | FieldType::Address | FieldType::Rating | FieldType::Textarea => {
                continue;
            }
            FieldType::Hidden => 0,
            _ => 1,
        };
        if !is_well_formed {
            continue;
        }
        // Choices that cannot be chosen go too.
        let gone = controls(html) - controls(markup);
        let is_set = own > 1;
        assert!(
            gone == own || (is_set && gone > own),
            "{field:?}\n{html}\n{markup}"
        );
    }
}

fn for_each_real_form(mut run: impl FnMut(&str)) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/markup");
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path
            .extension()
            .is_some_and(|extension| extension == "html")
        {
            run(&fs::read_to_string(&path).unwrap());
        }
    }
}

/// Runs on many documents, with bytes to choose by. They are the same in every run: other ones are what
/// the fuzzer is for (`fuzz/`).
fn for_any_document(run: impl Fn(&str, &[u8])) {
    let config = Config {
        cases: 300,
        failure_persistence: None,
        ..Config::default()
    };
    let random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let bytes = (
        vec(any::<u8>(), 0..30),
        vec(any::<u8>(), markup_patch_any::CHOICES),
    );
    let outcome = TestRunner::new_with_rng(config, random).run(&bytes, |(bytes, choices)| {
        run(&document(&mut Choices::of(&bytes)), &choices);
        Ok(())
    });
    assert!(outcome.is_ok(), "{outcome:?}");
}

#[test]
fn fields_added_to_real_forms_change_no_other_byte_and_no_other_field() {
    let mut count = Count::default();
    for_each_real_form(|html| try_adds(html, &mut count));
    let Count { tried, made } = count;
    println!("{made} of {tried} fields were added in place");
    assert!(made * 10 > tried * 9, "{made} of {tried}");
}

#[test]
fn fields_removed_from_real_forms_change_no_other_byte_and_no_other_field() {
    let mut count = Count::default();
    for_each_real_form(|html| try_removals(html, true, &mut count));
    let Count { tried, made } = count;
    println!("{made} of {tried} fields were removed in place");
    assert!(made * 4 > tried * 3, "{made} of {tried}");
}

#[test]
fn fields_added_to_any_document_change_no_other_byte_and_no_other_field() {
    let count = RefCell::new(Count::default());
    for_any_document(|html, _| try_adds(html, &mut count.borrow_mut()));
    let Count { tried, made } = count.into_inner();
    println!("{made} of {tried} fields were added in place to any document");
    assert!(made * 4 > tried, "{made} of {tried}");
}

#[test]
fn fields_removed_from_any_document_change_no_other_byte_and_no_other_field() {
    let count = RefCell::new(Count::default());
    for_any_document(|html, _| try_removals(html, false, &mut count.borrow_mut()));
    let Count { tried, made } = count.into_inner();
    println!("{made} of {tried} fields were removed in place from any document");
    assert!(made * 4 > tried, "{made} of {tried}");
}

/// Counts one edit.
fn tell(made: Option<bool>, count: &mut Count) {
    count.tried += usize::from(made.is_some());
    count.made += usize::from(made == Some(true));
}

#[test]
fn any_edit_of_any_document_changes_no_other_byte_and_no_other_field() {
    let count = RefCell::new(Count::default());
    for_any_document(|html, choices| {
        for start in 0..8 {
            let made = markup_patch_any::check_edit(html, &mut Choices::of(&choices[start..]));
            tell(made, &mut count.borrow_mut());
        }
    });
    let Count { tried, made } = count.into_inner();
    println!("{made} of {tried} edits of any document were made in place");
    assert!(made * 4 > tried, "{made} of {tried}");
}

#[test]
fn any_edit_of_real_forms_changes_no_other_byte_and_no_other_field() {
    let mut count = Count::default();
    for_each_real_form(|html| {
        // Each kind of edit of a few fields.
        for kind in 0..13 {
            for place in 0..6 {
                let bytes = [2, place * 3, 0, kind, kind + place, place, 1, 0, 0, 0, 0, 0];
                tell(
                    markup_patch_any::check_edit(html, &mut Choices::of(&bytes)),
                    &mut count,
                );
            }
        }
    });
    let Count { tried, made } = count;
    println!("{made} of {tried} edits of real forms were made in place");
    assert!(made * 2 > tried, "{made} of {tried}");
}

#[test]
fn what_the_fuzzer_kept_of_edits_holds_still() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/patch");
    let mut count = Count::default();
    for entry in fs::read_dir(folder).unwrap() {
        let input = fs::read(entry.unwrap().path()).unwrap();
        tell(markup_patch_any::check(&input), &mut count);
    }
    let Count { tried, made } = count;
    println!("{made} of {tried} edits of the corpus were made in place");
    assert!(made > 0, "{made} of {tried}");
}

#[test]
fn a_copied_spam_trap_or_script_and_a_picture_gone_with_its_fieldset_are_judged_wrong() {
    let is_refused = |judge: &dyn Fn()| catch_unwind(AssertUnwindSafe(judge)).is_err();
    let html = "<div hidden><input name=a></div><p onclick=x()><script>x()</script></p>";
    for copy in ["<div hidden>", "<p onclick=x()>", "<script>x()</script>"] {
        let markup = format!("{html}{copy}");
        let judge = || assert_added_is_seen(html, &markup);
        assert!(is_refused(&judge), "{copy}");
    }
    assert_added_is_seen(html, &format!("{html}<p class=x><input name=n></p>"));
    for own in [
        "<img src=x>",
        "<!--keep-->",
        "<script src=y></script>",
        "<input type=text>",
    ] {
        let html = format!(
            "<fieldset><legend>F</legend><label><input type=radio name=a value=1> One</label>{own}</fieldset><hr>"
        );
        let schema = parse(&html).unwrap().schema;
        let judge = || assert_removed_is_own(&html, "<hr>", schema.field("a").unwrap(), &[]);
        assert!(is_refused(&judge), "{own}");
    }
    // A line break of others, the message of another control, and one that stands apart.
    for (html, left) in [
        ("A: <input name=a>x<br><b>y</b>", "x<b>y</b>"),
        (
            "<label>A <input name=a></label><div class=error id=e>No</div><input name=b aria-describedby=e>",
            "<input name=b aria-describedby=e>",
        ),
        (
            "<label>A <input name=a></label><hr><div class=error>No</div>",
            "<hr>",
        ),
        // More than an add-on, and what stands outside of the element around the control.
        (
            "<div><input name=a aria-label=A> Say it as it is.</div><hr>",
            "<hr>",
        ),
        ("<div><input name=a></div><i>kg</i><hr>", "<hr>"),
        ("<div><svg></svg><input name=a></div><hr>", "<hr>"),
        ("<div><img src=x><input name=a></div><hr>", "<hr>"),
        (
            "<table><caption>Tea</caption><tr><td><input name=a aria-label=A></td></tr></table>",
            "<table></table>",
        ),
    ] {
        let schema = parse(html).unwrap().schema;
        let judge = || assert_removed_is_own(html, left, schema.field("a").unwrap(), &[]);
        assert!(is_refused(&judge), "{html}");
    }
}
