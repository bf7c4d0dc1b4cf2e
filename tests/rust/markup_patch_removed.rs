//! Taking fields and choices out of the author's HTML with what belongs to them alone.

use serde_json::{Value, json};

use crate::markup_patch_places::{assert_edits, edited};

#[test]
fn a_field_is_deleted_with_the_text_that_names_it_and_its_help() {
    assert_edits(&[
        (
            "<div>B <input name=b></div><div><label for=a>A</label><input id=a name=a><small><i>Help</i></small></div>",
            "a",
            Value::Null,
            "<div>B <input name=b></div>",
        ),
        (
            "<label>B <input name=b></label><br>Name: <input name=a><br><button>Go</button>",
            "a",
            Value::Null,
            "<label>B <input name=b></label><br><button>Go</button>",
        ),
        (
            "<input type=checkbox name=a> <label>OK</label><hr>",
            "a",
            Value::Null,
            "<hr>",
        ),
    ]);
}

#[test]
fn deleting_a_field_takes_the_inline_elements_of_its_label_away_whole() {
    let rest = "<p><input name=rest></p>";
    for (field, left) in [
        ("<p><b>Name</b> * <input name=n></p>", ""),
        (
            "<p><a href=\"/x\">Your <u>name</u></a> please <input name=n></p>",
            "",
        ),
        (
            "<table><tr><td><b>Name</b> *</td><td><input name=n></td></tr></table>",
            "",
        ),
        (
            "<table><tr><td><b>Name</b> *</td><td><input name=n></td><td><img></td></tr></table>",
            "<table><tr><td></td><td></td><td><img></td></tr></table>",
        ),
        (
            "<div>Room <small>(double)</small> <input name=n><img></div>",
            "<div><img></div>",
        ),
        (
            "<label>No<input name=n></label><span class=hint>as in <b>passport</b></span>",
            "",
        ),
        ("<ul><li>Name <input name=n></li></ul>", ""),
    ] {
        let html = format!("{field}{rest}");
        let deleted = edited(&html, "n", &Value::Null);
        assert_eq!(deleted, Ok(format!("{left}{rest}")), "{html}");
    }
}

#[test]
fn taking_a_choice_away_leaves_no_half_of_the_elements_of_its_label() {
    let html = "<p>Room? <input type=radio name=a value=1> One <b>bed</b> <br><input type=radio name=a value=2> Two <b>beds</b></p>";
    let one = json!({"options": [{"value": "2", "label": "Two beds"}]});
    let left = edited(html, "a", &one).unwrap();
    assert_eq!(left.matches("<b>").count(), left.matches("</b>").count());
    assert!(!left.contains("One") && !left.contains(">bed<"), "{left}");
}

#[test]
fn what_a_deleted_field_leaves_empty_goes_with_it() {
    let rest = "<p><input name=rest></p>";
    for (field, left) in [
        (
            "<table><tbody><tr><td>A</td><td><input name=n></td></tr></tbody></table>",
            "",
        ),
        (
            "<section><div><label>A <input name=n></label></div></section>",
            "",
        ),
        ("<ul><li><label>A <input name=n></label></li></ul>", ""),
        (
            "<fieldset><legend>F</legend><p><label>A <input name=n></label></p></fieldset>",
            "",
        ),
        (
            "<fieldset><legend>F</legend><label>A <input name=n></label><p>Text</p></fieldset>",
            "<fieldset><legend>F</legend><p>Text</p></fieldset>",
        ),
        (
            "<section><h2>H</h2><label>A <input name=n></label></section>",
            "<section><h2>H</h2></section>",
        ),
        // A step stays a step.
        (
            "<section data-step=one><label>A <input name=n></label></section>",
            "<section data-step=one></section>",
        ),
        ("<b>A</b><br><input name=n><br>", ""),
        ("<div>Text<br>A: <input name=n></div>", "<div>Text</div>"),
        (
            "<p><img><br>A: <input name=n><br><img></p>",
            "<p><img><br><img></p>",
        ),
    ] {
        let html = format!("{field}{rest}");
        let deleted = edited(&html, "n", &Value::Null);
        assert_eq!(deleted, Ok(format!("{left}{rest}")), "{html}");
    }
}

#[test]
fn headings_texts_and_fieldsets_are_deleted_in_place() {
    assert_edits(&[
        (
            "<h2>Title</h2><p>Text</p><input name=a>",
            "heading-1",
            Value::Null,
            "<p>Text</p><input name=a>",
        ),
        (
            "<h2>Title</h2><div><p>Text</p></div><input name=a>",
            "paragraph-1",
            Value::Null,
            "<h2>Title</h2><input name=a>",
        ),
        (
            "<input name=a><hr><input name=b>",
            "divider-1",
            Value::Null,
            "<input name=a><input name=b>",
        ),
        (
            "<input type=hidden name=a value=0><p><label><input type=checkbox name=a value=1> OK</label></p>",
            "a",
            Value::Null,
            "",
        ),
        (
            "<fieldset class=x><legend>F</legend> <label>A <input name=a></label></fieldset>",
            "f",
            Value::Null,
            " <label>A <input name=a></label>",
        ),
    ]);
}

#[test]
fn deleting_a_fieldset_without_an_end_tag_leaves_what_stands_last_in_it() {
    assert_edits(&[(
        "<input name=a aria-label=A><fieldset><legend>F</legend><p>Text</p><img>",
        "f",
        Value::Null,
        "<input name=a aria-label=A><p>Text</p><img>",
    )]);
}

#[test]
fn a_fieldset_that_holds_controls_of_others_does_not_go_with_its_field() {
    for inner in ["<input name=d>", "<button>Send</button>"] {
        let html = format!("<fieldset data-cf-type=radio data-cf-name=a>{inner}</fieldset>");
        assert!(edited(&html, "a", &Value::Null).is_err(), "{html}");
    }
}

#[test]
fn taking_a_choice_away_takes_its_line_break_too() {
    let html = "<p>Which?<br>\n<input type=radio name=s value=x> x<br>\n<input type=radio name=s value=y> y<br>\n<input type=radio name=s value=z> z</p>";
    for (options, left) in [
        (json!(["x", "y"]), html.replace("<br>\n<input type=radio name=s value=z> z", "")),
        (json!(["x", "z"]), html.replace("<input type=radio name=s value=y> y<br>", "")),
        (json!(["x"]), html.replace("<br>\n<input type=radio name=s value=y> y<br>\n<input type=radio name=s value=z> z", "")),
        (json!(["z"]), html.replace("<input type=radio name=s value=x> x<br>\n<input type=radio name=s value=y> y<br>", "")),
    ] {
        assert_eq!(edited(html, "s", &json!({"options": options})), Ok(left), "{options}");
    }
}
