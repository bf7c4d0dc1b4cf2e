//! Edits of single attributes of a tag, however the author wrote the others.

use serde_json::json;

use crate::markup_patch_places::{assert_edits, edited};

#[test]
fn an_attribute_written_with_an_equals_sign_and_no_value_is_not_mangled() {
    let labelled = |tag: &str| format!("<label>A {tag}</label>");
    for (tag, members, expected) in [
        (
            "<input name=a value=>",
            json!({"default_value": "x"}),
            "<input name=a value=\"x\">",
        ),
        (
            "<input name=a VALUE = >",
            json!({"default_value": "x y"}),
            "<input name=a VALUE=\"x y\" >",
        ),
        (
            "<input name=a class=>",
            json!({"css_class": "wide"}),
            "<input name=a class=\"wide\">",
        ),
        (
            "<input name=a type=>",
            json!({"type": "email"}),
            "<input name=a type=\"email\">",
        ),
        (
            "<input name=a data-b=>",
            json!({"attributes": {}}),
            "<input name=a>",
        ),
        (
            "<input name=a required=>",
            json!({"required": false}),
            "<input name=a>",
        ),
        // What is put behind it is not its value.
        (
            "<input name=a value=>",
            json!({"placeholder": "p"}),
            "<input name=a value=\"\" placeholder=\"p\">",
        ),
        (
            "<input name=a value=>",
            json!({"placeholder": "p", "required": true, "default_value": "x"}),
            "<input name=a value=\"x\" placeholder=\"p\" required>",
        ),
        (
            "<input name=a data-b=>",
            json!({"placeholder": "p", "attributes": {}}),
            "<input name=a placeholder=\"p\">",
        ),
        // Nor is it that of one without the sign.
        (
            "<input name=a value>",
            json!({"placeholder": "p", "required": true, "default_value": "x"}),
            "<input name=a value=\"x\" placeholder=\"p\" required>",
        ),
    ] {
        let edited = edited(&labelled(tag), "a", &members);
        assert_eq!(edited, Ok(labelled(expected)), "{tag} {members}");
    }
    assert_edits(&[(
        "<label>X <input name=x data-x=></label>",
        "x",
        json!({"description": "Help"}),
        "<label>X <input name=x data-x=\"\" aria-describedby=\"x-help\"></label> <small id=\"x-help\">Help</small>",
    )]);
}
