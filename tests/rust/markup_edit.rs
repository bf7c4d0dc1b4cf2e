//! Editing fields in the author's HTML: what changes, and that nothing else does.

use std::fs;
use std::path::Path;

use cf_forms::forms::edit::{delete_field, update_field};
use cf_forms::forms::{Field, FieldType};
use cf_forms::markup::{Change, Parsed, parse, patched};
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};

use crate::choices::Choices;
use crate::markup_documents::document;
use crate::markup_patch_any::expect_unmarked;
use crate::markup_patch_bytes::assert_changed_is_own;
use crate::markup_patch_tokens::begins_tag;

/// The HTML with a field updated in place.
fn updated(html: &str, parsed: &Parsed, name: &str, members: &Value) -> Option<String> {
    let (mut wanted, field) = update_field(&parsed.schema, name, members).ok()?;
    let before = parsed.schema.field(name).unwrap();
    let patched = patched(html, Change::Update(before, &field), &wanted).ok()?;
    // A label that is a placeholder is changed with that.
    let known = wanted.fields.iter_mut().find(|f| f.name == field.name);
    if let (Some(known), Some(found)) = (known, patched.schema.field(&field.name))
        && known.label == found.label
        && before.label != found.label
        && found.placeholder.starts_with(&found.label)
    {
        known.placeholder.clone_from(&found.placeholder);
    }
    expect_unmarked(&mut wanted, &patched.schema, before, &field);
    let patched = patched.markup;
    assert_eq!(parse(&patched).unwrap().schema, wanted, "{html}\n{patched}");
    Some(patched)
}

#[test]
fn only_the_bytes_of_the_edit_change() {
    for (html, name, members, expected) in [
        (
            "<LABEL for=a>Your  name *</LABEL> <INPUT ID=a NAME='a' Required>",
            "a",
            json!({"label": "Full <name>"}),
            "<LABEL for=a>Full &lt;name&gt; *</LABEL> <INPUT ID=a NAME='a' Required>",
        ),
        (
            "<label>Name <b>*</b> <input name=a required></label>",
            "a",
            json!({"required": false}),
            "<label>Name  <input name=a></label>",
        ),
        (
            "<p><label>\n  Age\n  <input\n    name=a type=number min=1></label>",
            "a",
            json!({"validation": {"min": 18, "max": 99}, "label": "Years"}),
            "<p><label>\n  Years\n  <input\n    name=a type=number min=18 max=\"99\"></label>",
        ),
        (
            "<input name=a aria-label=Old value='x' data-k=v/>",
            "a",
            json!({"label": "New", "default_value": "it's \"y\"", "attributes": {"data-l": "w"}}),
            "<input name=a aria-label=New value='it&#39;s &quot;y&quot;' data-l=\"w\">",
        ),
        (
            "<input name=a id=i><label for=i>A</label>",
            "a",
            json!({"name": "b", "type": "email", "css_class": "wide", "placeholder": "p"}),
            "<input name=b id=i type=\"email\" placeholder=\"p\" class=\"wide\"><label for=i>A</label>",
        ),
        (
            "<label>T<textarea name=a rows=3>\nold</textarea></label>",
            "a",
            json!({"default_value": "<new>\n"}),
            "<label>T<textarea name=a rows=3>\n&lt;new&gt;\n</textarea></label>",
        ),
        (
            "<label>S <select name=a>\n  <option value=1>One\n  <option>Two</option>\n</select></label>",
            "a",
            json!({"options": [{"value": "1", "label": "First"}, {"value": "2", "label": "Two"}]}),
            "<label>S <select name=a>\n  <option value=1>First\n  <option value=\"2\">Two</option>\n</select></label>",
        ),
        (
            "<label>S <select name=a>\n  <option value=1>One</option>\n  <option>Two</option>\n</select></label>",
            "a",
            json!({"options": [{"value": "1", "label": "One"}, {"value": "x&", "label": "X <"}, {"value": "Two", "label": "Two"}], "default_value": "Two"}),
            "<label>S <select name=a>\n  <option value=1>One</option>\n  <option value=\"x&amp;\">X &lt;</option>\n  <option selected>Two</option>\n</select></label>",
        ),
        (
            "<label>S <select name=a><option>One<option>Two<option>Three</select></label>",
            "a",
            json!({"options": ["One", "Three"]}),
            "<label>S <select name=a><option>One<option>Three</select></label>",
        ),
        (
            "<fieldset><legend>Size</legend><label><input type=radio name=s value=1> Small</label> <label><input type=radio name=s value=2 checked> Big</label></fieldset>",
            "s",
            json!({"label": "How big", "options": [{"value": "1", "label": "Tiny"}, {"value": "2", "label": "Big"}], "default_value": "1", "required": true}),
            "<fieldset><legend>How big</legend><label><input type=radio name=s value=1 checked required> Tiny</label> <label><input type=radio name=s value=2> Big</label></fieldset>",
        ),
        (
            "<label>A<input name=a aria-describedby=h></label><small id=h>Old help</small>",
            "a",
            json!({"description": "New & old"}),
            "<label>A<input name=a aria-describedby=h></label><small id=h>New &amp; old</small>",
        ),
        (
            "<input name=z aria-label=Z><label>A<input name=a data-show-if='z=1'></label>",
            "a",
            json!({"conditions": []}),
            "<input name=z aria-label=Z><label>A<input name=a></label>",
        ),
    ] {
        let parsed = parse(html).unwrap();
        let patched = updated(html, &parsed, name, &members);
        assert_eq!(patched.as_deref(), Some(expected), "{html}\n{members}");
    }
}

#[test]
fn what_the_fields_own_bytes_cannot_say_is_not_done() {
    for (html, name, members) in [
        (
            "<label>A<input name=a></label>",
            "a",
            json!({"type": "textarea"}),
        ),
        (
            "<label>A<input name=a></label><label>B<input name=b></label>",
            "a",
            json!({"position": 1}),
        ),
        (
            "<label>A <b>and</b> B<input name=a></label>",
            "a",
            json!({"label": "C"}),
        ),
        // One label text for two fields.
        (
            "<input name=a aria-labelledby=l><input name=b aria-labelledby=l><i id=l>A</i>",
            "a",
            json!({"label": "C"}),
        ),
        ("<h2>Title</h2>", "heading-1", json!({"required": true})),
    ] {
        let parsed = parse(html).unwrap();
        assert_eq!(
            updated(html, &parsed, name, &members),
            None,
            "{html}\n{members}"
        );
    }
}

#[test]
fn fields_are_removed_with_their_labels() {
    let html = "<form><p>Hello <label for=a>A</label><input id=a name=a aria-describedby=h><i id=h>Help</i></p></form>\n<footer>";
    let parsed = parse(html).unwrap();
    let (wanted, field) = delete_field(&parsed.schema, "a", false).unwrap();
    let removed = patched(html, Change::Remove(&field), &wanted).ok();
    // The paragraph becomes one of its own, which is another field.
    assert_eq!(removed, None);

    let html = html.replace("<p>Hello ", "<div>").replace("</p>", "</div>");
    let parsed = parse(&html).unwrap();
    let (wanted, field) = delete_field(&parsed.schema, "a", false).unwrap();
    let removed = patched(&html, Change::Remove(&field), &wanted).unwrap();
    assert_eq!(removed.markup, "<form></form>\n<footer>");

    let set = "<p>a</p><fieldset><legend>S</legend><label><input type=radio name=s value=1>1</label></fieldset>";
    let parsed = parse(set).unwrap();
    let (wanted, field) = delete_field(&parsed.schema, "s", false).unwrap();
    let removed = patched(set, Change::Remove(&field), &wanted).ok();
    assert_eq!(removed.unwrap().markup, "<p>a</p>");
}

#[test]
fn a_solidus_at_the_end_of_a_document_is_text_that_an_edit_may_change() {
    let (tried, made) = try_all("<input name=a id=i><label for=i></");
    assert!(made > tried / 2, "{made} of {tried}");
}

/// A document as its texts and tags.
fn pieces(html: &str) -> Vec<&str> {
    // A text behind the last tag may be one that the edit has made.
    let end = html.ends_with('>').then_some("");
    html.split_inclusive('>')
        .chain(end)
        .flat_map(|chunk| {
            let tag = chunk
                .match_indices('<')
                .find(|(at, _)| begins_tag(chunk, *at));
            let (text, tag) = chunk.split_at(tag.map_or(chunk.len(), |(at, _)| at));
            [text, tag]
        })
        .collect()
}

/// A document without the elements within a line that hold the mark of a required field alone.
fn without_marks(html: &str) -> String {
    let mut left = html.to_owned();
    let names = [
        "abbr", "b", "em", "font", "i", "small", "span", "strong", "sup",
    ];
    let mark = |left: &str, at: usize| {
        let (tag, rest) = left.get(at + 1..)?.split_once('>')?;
        let name = tag.split_ascii_whitespace().next()?;
        let (text, rest) = rest.split_once("</")?;
        let is_mark = text.trim().is_empty() || ["*", "＊", "(required)"].contains(&text.trim());
        let (end, _) = rest.split_once('>')?;
        (names.contains(&name) && end == name && is_mark)
            .then_some(at..at + tag.len() + text.len() + end.len() + 5)
    };
    loop {
        let mut places = left.match_indices('<').map(|(at, _)| at);
        let Some(mark) = places.find_map(|at| mark(&left, at)) else {
            return left;
        };
        left.replace_range(mark, "");
    }
}

/// That two documents differ in tags of controls and options, and in texts only where the edited
/// member is a text; and in no more places than the field has.
fn assert_confined(html: &str, patched: &str, member: &str, field: &Field) {
    // A fieldset without a legend gets one.
    let patched = match field.kind {
        FieldType::Fieldset if pieces(html).len() < pieces(patched).len() => {
            patched.replacen("<legend>Neu &amp; \"anders\"</legend>", "", 1)
        }
        _ => patched.to_owned(),
    };
    // The element of a mark goes with it.
    let (html, patched) = match member {
        "required" if !field.required || pieces(html).len() > pieces(&patched).len() => {
            (without_marks(html), without_marks(&patched))
        }
        _ => (html.to_owned(), patched),
    };
    let (html, patched) = (html.as_str(), patched.as_str());
    let (old, new) = (pieces(html), pieces(patched));
    assert_eq!(old.len(), new.len(), "{html}\n{patched}");
    let mut changed = 0;
    for (old, new) in old.iter().zip(&new).filter(|(old, new)| old != new) {
        changed += 1;
        let own: &[&str] = match field.kind {
            FieldType::Heading => &["<h"],
            FieldType::Paragraph => &["<p"],
            FieldType::Divider => &["<hr"],
            FieldType::Fieldset => &["<fieldset"],
            FieldType::Container => &["<div"],
            _ => &["<input", "<select", "<textarea", "<option", "<button"],
        };
        let is_control = own
            .iter()
            .any(|tag| old.to_ascii_lowercase().starts_with(tag));
        let is_text = match member {
            "label" | "options" | "default_value" => !begins_tag(old, 0),
            "required" => {
                let has_word = old.to_ascii_lowercase().contains("(required)");
                has_word || old.contains(['*', '＊']) || old.trim_end() == format!("{new}:")
            }
            _ => false,
        };
        assert!(
            is_control || is_text,
            "{member}: `{old}` became `{new}` in\n{html}\n{patched}"
        );
    }
    assert!(
        changed <= 3 + field.options.len(),
        "{member}: {changed} places in\n{html}\n{patched}"
    );
}

/// That two documents differ in the content of one textarea.
fn assert_in_textarea(html: &str, patched: &str) {
    let same = html.bytes().zip(patched.bytes());
    let start = same.take_while(|(old, new)| old == new).count();
    let before = html.get(..start).unwrap_or_default().to_ascii_lowercase();
    let tag = before.rfind("<textarea").unwrap();
    let rest = |text: &str| {
        let text = text.to_ascii_lowercase();
        let (_, behind) = text.split_at(tag);
        let (_, rest) = behind.split_once("</textarea")?;
        Some(rest.to_owned())
    };
    assert_eq!(rest(html), rest(patched), "{html}\n{patched}");
}

/// The edits of one member each that are tried on every field.
fn edits(field: &Value) -> Vec<Value> {
    let mut edits = vec![
        json!({"required": field["required"] != json!(true)}),
        json!({"label": "Neu & \"anders\""}),
        json!({"css_class": "one two"}),
        json!({"placeholder": "Such <as>"}),
        json!({"default_value": "7"}),
        json!({"attributes": {"data-own": "'x'"}}),
    ];
    let mut options = field["options"].clone();
    if let Some(first) = options.get_mut(0) {
        first["label"] = json!("Erste & beste");
        edits.push(json!({"options": options}));
    }
    edits
}

/// Tries every edit on every field, and says how many there were and how many were made.
fn try_all(html: &str) -> (usize, usize) {
    let Ok(parsed) = parse(html) else {
        return (0, 0);
    };
    let (mut tried, mut made) = (0, 0);
    for field in &parsed.schema.fields {
        let as_json = serde_json::to_value(field).unwrap();
        for members in edits(&as_json) {
            tried += 1;
            let Some(patched) = updated(html, &parsed, &field.name, &members) else {
                continue;
            };
            made += 1;
            let member = members.as_object().unwrap().keys().next().unwrap();
            let found = parse(&patched).unwrap().schema;
            let after = &found.fields[field.position as usize];
            assert_changed_is_own(html, &patched, field, after);
            if field.kind == FieldType::Select && member == "placeholder" {
                continue;
            }
            if field.kind == FieldType::Textarea && member == "default_value" {
                assert_in_textarea(html, &patched);
                continue;
            }
            assert_confined(html, &patched, member, field);
        }
    }
    (tried, made)
}

#[test]
fn edits_of_real_forms_stay_within_the_field() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/markup");
    let (mut tried, mut made) = (0, 0);
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path
            .extension()
            .is_some_and(|extension| extension == "html")
        {
            let of_form = try_all(&fs::read_to_string(&path).unwrap());
            tried += of_form.0;
            made += of_form.1;
        }
    }
    println!("{made} of {tried} edits were made in place");
    assert!(made * 2 > tried, "{made} of {tried}");
}

#[test]
fn edits_of_any_document_stay_within_the_field() {
    let config = Config {
        cases: 500,
        failure_persistence: None,
        ..Config::default()
    };
    // The same documents in every run: other ones are what the fuzzer is for.
    let random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let outcome = TestRunner::new_with_rng(config, random).run(&vec(any::<u8>(), 0..30), |bytes| {
        try_all(&document(&mut Choices::of(&bytes)));
        Ok(())
    });
    assert!(outcome.is_ok(), "{outcome:?}");
}
