//! Invariants of every edit of a field in any document: the result parses as requested, and all other tokens keep their
//! bytes. Property tests and the fuzzer (`fuzz/`) check them.

use markup::tokens::{self, StartTag, TokenSink};
use markup::{Change, Patched, added, parse, patched};
use model::edit::{add_field, delete_field, requested_position, update_field};
use model::{Field, FormSchema};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ops::Range;

use crate::choices::Choices;

/// Number of bytes of an input that choose the edit. The other bytes are the HTML.
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

/// Applies the edit that an input encodes. Returns whether it was made in place; `None` if there is nothing to edit or
/// the API rejects the edit.
pub fn check(input: &[u8]) -> Option<bool> {
    let (choices, html) = input.split_at_checked(CHOICES)?;
    let html = String::from_utf8_lossy(html);
    check_edit(&html, &mut Choices::of(choices))
}

/// Applies the edit that the choices encode to the HTML; see [`check`].
pub fn check_edit(html: &str, choices: &mut Choices<'_>) -> Option<bool> {
    let schema = parse(html).ok()?.schema;
    let kind = choices.below(4);
    if kind == 0 || schema.fields.is_empty() {
        return check_added(html, &schema, choices);
    }
    let place = choices.below(schema.fields.len().min(256));
    let field = &schema.fields[place];
    let (wanted, change, after);
    if kind == 1 {
        wanted = delete_field(&schema, &field.name, false).ok()?.0;
        change = Change::Remove(field);
    } else {
        let (name, value) = member(field, &schema, choices);
        (wanted, after) = update_field(&schema, &field.name, &json!({name: value})).ok()?;
        change = Change::Update(field, &after);
    }
    let Ok(done) = patched(html, change, &wanted) else {
        return Some(false);
    };
    assert_eq!(done.schema, wanted, "{html}\n--\n{}", done.markup);
    assert_reads(html, &done);
    if kind == 1 {
        assert_no_new_tokens(html, &done.markup);
    }
    Some(true)
}

fn check_added(html: &str, schema: &FormSchema, choices: &mut Choices<'_>) -> Option<bool> {
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
    let Ok(done) = added(html, &field, requested_position(&body, &field)) else {
        return Some(false);
    };
    assert_reads(html, &done);
    assert_inserted(html, &done.markup);
    let (without, new) = delete_field(&done.schema, &field.name, false).unwrap();
    assert_eq!(without.fields, schema.fields, "{html}\n--\n{}", done.markup);
    let wanted = Field {
        position: new.position,
        group: new.group.clone(),
        ..field
    };
    assert_eq!(new, wanted, "{html}\n--\n{}", done.markup);
    Some(true)
}

fn assert_reads(html: &str, done: &Patched) {
    let found = parse(&done.markup).unwrap().schema;
    assert_eq!(found, done.schema, "{html}\n--\n{}", done.markup);
}

/// Asserts that the markup is the HTML with bytes inserted at one place.
fn assert_inserted(html: &str, markup: &str) {
    let same = html.bytes().zip(markup.bytes());
    let start = same.take_while(|(old, new)| old == new).count();
    let rest = &html.as_bytes()[start..];
    assert!(markup.as_bytes().ends_with(rest), "{html}\n--\n{markup}");
}

/// Counts each tag and text, without white space.
#[derive(Default)]
struct Tokens(BTreeMap<String, usize>);

impl<'a> TokenSink<'a> for Tokens {
    fn start_tag(&mut self, tag: &StartTag<'a, '_>) {
        self.text(tag.name, tag.span.clone());
    }

    fn end_tag(&mut self, name: &'a str, span: Range<usize>) {
        self.text(name, span);
    }

    fn text(&mut self, raw: &'a str, _span: Range<usize>) {
        *self.0.entry(raw.trim().to_owned()).or_default() += 1;
    }
}

/// Asserts that a deletion adds no tokens.
fn assert_no_new_tokens(html: &str, markup: &str) {
    let mut before = Tokens::default();
    tokens::read(html, &mut before);
    let mut after = Tokens::default();
    tokens::read(markup, &mut after);
    for (token, count) in after.0.iter().filter(|(token, _)| token.starts_with('<')) {
        let known = before.0.get(token).copied().unwrap_or_default();
        assert!(*count <= known, "{token}\n{html}\n--\n{markup}");
    }
}

/// Chooses a change of a field's member.
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
            (
                "conditions",
                if choices.is_one_of(2, 3) {
                    json!([rule])
                } else {
                    json!([])
                },
            )
        }
        _ => {
            let mut options = serde_json::to_value(&field.options).unwrap();
            let list = options.as_array_mut().unwrap();
            match choices.below(4) {
                0 => list.reverse(),
                1 => _ = list.pop(),
                2 if !list.is_empty() => list[0]["label"] = label(choices),
                _ => list.push(json!({"value": "brand-new", "label": "Brand new"})),
            }
            ("options", options)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::fs;

    use proptest::collection::vec;
    use proptest::prelude::any;
    use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

    use super::{CHOICES, check, check_edit};
    use crate::choices::Choices;
    use crate::markup_documents::document;

    /// Counts the tried edits and those made in place, to assert that enough were made in place.
    #[derive(Default)]
    struct Count(Cell<(usize, usize)>);

    impl Count {
        fn tell(&self, made: Option<bool>) {
            let (tried, done) = self.0.get();
            self.0.set((
                tried + usize::from(made.is_some()),
                done + usize::from(made == Some(true)),
            ));
        }

        fn assert_made(&self, one_of: usize) {
            let (tried, made) = self.0.get();
            println!("{made} of {tried} edits were made in place");
            assert!(made * one_of > tried, "{made} of {tried}");
        }
    }

    #[test]
    fn edits_of_any_document_have_the_requested_effect() {
        let config = Config {
            cases: 300,
            failure_persistence: None,
            ..Config::default()
        };
        // The documents are the same in every run; the fuzzer tries others.
        let random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
        let bytes = (vec(any::<u8>(), 0..30), vec(any::<u8>(), CHOICES));
        let count = Count::default();
        let outcome = TestRunner::new_with_rng(config, random).run(&bytes, |(bytes, choices)| {
            let html = document(&mut Choices::of(&bytes));
            for start in 0..8 {
                count.tell(check_edit(&html, &mut Choices::of(&choices[start..])));
            }
            Ok(())
        });
        assert!(outcome.is_ok(), "{outcome:?}");
        count.assert_made(5);
    }

    #[test]
    fn edits_of_real_forms_have_the_requested_effect() {
        let count = Count::default();
        for entry in fs::read_dir("tests/cases/markup").unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "html") {
                continue;
            }
            let html = fs::read_to_string(&path).unwrap();
            for kind in 0..13 {
                for place in 0..6 {
                    let bytes = [
                        kind % 4,
                        place * 3,
                        kind,
                        kind + place,
                        place,
                        1,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                    ];
                    count.tell(check_edit(&html, &mut Choices::of(&bytes)));
                }
            }
        }
        count.assert_made(3);
    }

    #[test]
    fn the_fuzz_corpus_of_edits_passes() {
        let count = Count::default();
        for entry in fs::read_dir("fuzz/corpus/patch").unwrap() {
            count.tell(check(&fs::read(entry.unwrap().path()).unwrap()));
        }
        count.assert_made(10);
    }
}
