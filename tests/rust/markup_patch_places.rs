//! Editing what stands beside a control in the author's HTML: the text that names it, its help, the
//! choices of its set, and the element that is hidden with it.

use cf_forms::forms::edit::{delete_field, update_field};
use cf_forms::markup::{Change, parse, patched};
use serde_json::{Value, json};

/// The HTML with a field updated in place, or why it cannot be; `null` deletes the field.
pub fn edited(html: &str, name: &str, members: &Value) -> Result<String, String> {
    let schema = parse(html).unwrap().schema;
    let before = schema.field(name).unwrap();
    let (wanted, change) = match members.is_null() {
        true => (
            delete_field(&schema, name, false).unwrap().0,
            Change::Remove(before),
        ),
        false => {
            let (wanted, field) = update_field(&schema, name, members).unwrap();
            let patched = patched(html, Change::Update(before, &field), &wanted);
            return patched
                .map(|done| done.markup)
                .map_err(|why| why.to_string());
        }
    };
    let patched = patched(html, change, &wanted);
    patched
        .map(|done| done.markup)
        .map_err(|why| why.to_string())
}

pub fn assert_edits(cases: &[(&str, &str, Value, &str)]) {
    for (html, name, members, expected) in cases {
        let edited = edited(html, name, members);
        assert_eq!(edited.as_deref(), Ok(*expected), "{html}\n{members}");
    }
}

#[test]
fn the_visible_text_that_names_a_control_is_edited_and_not_hidden_behind_aria_label() {
    let label = || json!({"label": "New & old"});
    assert_edits(&[
        (
            "<p>Size: <select name=a><option>1</select></p>",
            "a",
            label(),
            "<p>New &amp; old: <select name=a><option>1</select></p>",
        ),
        (
            "<input type=checkbox name=a> <label>OK</label>",
            "a",
            label(),
            "<input type=checkbox name=a> <label>New &amp; old</label>",
        ),
        (
            "<input type=checkbox name=a> I agree<br>",
            "a",
            label(),
            "<input type=checkbox name=a> New &amp; old<br>",
        ),
        (
            "<label>Name</label> <input name=a>",
            "a",
            label(),
            "<label>New &amp; old</label> <input name=a>",
        ),
        (
            "<table><tr><td>Name:</td><td><input name=a></td></tr></table>",
            "a",
            label(),
            "<table><tr><td>New &amp; old:</td><td><input name=a></td></tr></table>",
        ),
        (
            "<i id=l>Name</i><input name=a aria-labelledby=l>",
            "a",
            label(),
            "<i id=l>New &amp; old</i><input name=a aria-labelledby=l>",
        ),
        (
            "<label>Name <i aria-hidden=true>x</i> <input name=a></label>",
            "a",
            label(),
            "<label>New &amp; old <i aria-hidden=true>x</i> <input name=a></label>",
        ),
        (
            "<p>Which?<br><input type=radio name=a value=1> One <input type=radio name=a value=2> Two",
            "a",
            json!({"label": "What?", "options": [{"value": "1", "label": "Eins"}, {"value": "2", "label": "Two"}]}),
            "<p>What?<br><input type=radio name=a value=1> Eins <input type=radio name=a value=2> Two",
        ),
        // Nothing is seen but the placeholder.
        (
            "<input name=a placeholder='Name *' required>",
            "a",
            label(),
            "<input name=a placeholder='New &amp; old *' required>",
        ),
        (
            "<textarea name=a placeholder=Name></textarea>",
            "a",
            json!({"label": "Who", "placeholder": "Jo"}),
            "<textarea name=a placeholder=Jo aria-label=\"Who\"></textarea>",
        ),
        (
            "<input name=a placeholder=Name>",
            "a",
            json!({"placeholder": "Jo"}),
            "<input name=a placeholder=Jo aria-label=\"Name\">",
        ),
        (
            "<label>Name <span class=req>*</span> <input name=a></label>",
            "a",
            json!({"label": "Full name *"}),
            "<label>Full name <span class=req>*</span> <input name=a></label>",
        ),
        (
            "<label>I accept the <a href=/t>terms</a> of use <input name=a></label>",
            "a",
            json!({"label": "I accept the rules of use"}),
            "<label>I accept the <a href=/t>rules</a> of use <input name=a></label>",
        ),
    ]);
}

#[test]
fn what_a_button_says_and_the_help_beside_a_control_are_edited() {
    assert_edits(&[
        (
            "<label>A<input name=a></label><button class=b>\n Send </button>",
            "submit",
            json!({"label": "Go <on>"}),
            "<label>A<input name=a></label><button class=b>\n Go &lt;on&gt; </button>",
        ),
        (
            "<label>A<input name=a></label><input type=submit value=Send>",
            "submit",
            json!({"label": "Go on"}),
            "<label>A<input name=a></label><input type=submit value=\"Go on\">",
        ),
        (
            "<label>A<input name=a></label> <small>Old help</small>",
            "a",
            json!({"description": "New"}),
            "<label>A<input name=a></label> <small>New</small>",
        ),
        (
            "<label>A<input name=a></label> <div class=form-text>Old <!-- c --></div>",
            "a",
            json!({"description": "New"}),
            "<label>A<input name=a></label> <div class=form-text>New <!-- c --></div>",
        ),
    ]);
}

#[test]
fn conditions_hide_the_text_that_names_a_control_with_it() {
    let shown = json!({"conditions": [{"field": "z", "operator": "equals", "value": "1"}]});
    let written = "data-show-if=\"z=1\"";
    for (html, members, expected) in [
        (
            "<label>A<input name=a></label>",
            shown.clone(),
            "<label @>A<input name=a></label>",
        ),
        (
            "<div class=row><div><label for=a>A</label></div><input id=a name=a></div>",
            shown.clone(),
            "<div class=row @><div><label for=a>A</label></div><input id=a name=a></div>",
        ),
        (
            "<input name=a placeholder=A>",
            shown.clone(),
            "<input name=a placeholder=A @>",
        ),
        // On the control alone they left its label standing.
        (
            "<label>A<input name=a data-show-if='z=2'></label>",
            shown.clone(),
            "<label @>A<input name=a></label>",
        ),
        (
            "<p data-show-if=z><label>A<input name=a></label></p>",
            json!({"conditions": []}),
            "<p><label>A<input name=a></label></p>",
        ),
        (
            "<fieldset><legend>A</legend><label><input type=radio name=a value=1> 1</label></fieldset>",
            shown.clone(),
            "<fieldset @><legend>A</legend><label><input type=radio name=a value=1> 1</label></fieldset>",
        ),
    ] {
        let html = format!("<label>Z<input name=z></label>{html}");
        let expected = format!("<label>Z<input name=z></label>{expected}").replace('@', written);
        assert_eq!(edited(&html, "a", &members), Ok(expected), "{html}");
    }
    let html = "<div><label>Z<input name=z></label><label for=a>A</label><input id=a name=a></div>";
    let refused = edited(html, "a", &shown).unwrap_err();
    assert_eq!(
        refused,
        "`conditions` of the field `a` cannot be edited in place: no element holds the field and its label alone"
    );
}

#[test]
fn choices_are_added_behind_the_last_one_and_taken_away() {
    let options = |values: &[&str]| json!({"options": values});
    assert_edits(&[
        (
            "<fieldset><legend>S</legend>\n <label><input type=radio name=s value=x> x</label>\n <label><input type=radio name=s value=y checked> y</label>\n</fieldset>",
            "s",
            options(&["x", "y", "z & z"]),
            "<fieldset><legend>S</legend>\n <label><input type=radio name=s value=x> x</label>\n <label><input type=radio name=s value=y checked> y</label>\n <label><input type=radio name=s value=\"z &amp; z\"> z &amp; z</label>\n</fieldset>",
        ),
        (
            "<fieldset><legend>S</legend><div class=c><input type=checkbox name=s[] id=x value=x><label for=x>x</label></div><div class=c><input type=checkbox name=s[] id=y value=y><label for=y>y</label></div></fieldset>",
            "s",
            options(&["x", "y", "z"]),
            "<fieldset><legend>S</legend><div class=c><input type=checkbox name=s[] id=x value=x><label for=x>x</label></div><div class=c><input type=checkbox name=s[] id=y value=y><label for=y>y</label></div><div class=c><input type=checkbox name=s[] id=y-3 value=z><label for=y-3>z</label></div></fieldset>",
        ),
        (
            "<p>Which?<br><input type=radio name=s value=x> x<br><input type=radio name=s value=y> y</p>",
            "s",
            options(&["x", "y", "z"]),
            "<p>Which?<br><input type=radio name=s value=x> x<br><input type=radio name=s value=y> y<br><input type=radio name=s value=z> z</p>",
        ),
        (
            "<fieldset><legend>S</legend><ul><li><label><input type=radio name=s value=x> x</label></li><li><label><input type=radio name=s value=y> y</label></li></ul></fieldset>",
            "s",
            options(&["x"]),
            "<fieldset><legend>S</legend><ul><li><label><input type=radio name=s value=x> x</label></li></ul></fieldset>",
        ),
    ]);
}

#[test]
fn an_edit_that_is_not_made_in_place_says_which_member_and_why() {
    for (html, name, members, expected) in [
        (
            "<label>A<input name=a></label>",
            "a",
            json!({"type": "textarea"}),
            "`type` of the field `a` cannot be edited in place: its element would have to become another",
        ),
        (
            "<label>A <b>and</b> B<input name=a></label>",
            "a",
            json!({"label": "C"}),
            "`label` of the field `a` cannot be edited in place: its text is not in one piece",
        ),
        (
            "<input name=a aria-labelledby=l><input name=b aria-labelledby=l><i id=l>A</i>",
            "a",
            json!({"label": "C"}),
            "`label` of the field `a` cannot be edited in place: `label` of the field `b` would be read otherwise",
        ),
        (
            "<select name=a><option value=''>Pick<option>1</select>",
            "a",
            json!({"placeholder": "Choose"}),
            "`placeholder` of the field `a` cannot be edited in place: its `label` would be read otherwise",
        ),
        (
            "<select name=a aria-label=A><option>1</select>",
            "a",
            json!({"default_value": "2"}),
            "`default_value` of the field `a` cannot be edited in place: none of its options has that value",
        ),
        (
            "<label><input type=checkbox name=a value=1> A</label>",
            "a",
            json!({"type": "text"}),
            "`type` of the field `a` cannot be edited in place: its `default_value` would be read otherwise",
        ),
        (
            "<p>A: <label><input type=radio name=a value=1> One</label></p>",
            "a",
            json!({"type": "select"}),
            "`type` of the field `a` cannot be edited in place: its elements would have to become others",
        ),
        (
            "<p>A: <label><input type=radio name=a value=1> One</label></p>",
            "a",
            json!({"options": []}),
            "`options` of the field `a` cannot be edited in place: the last of its choices would go, and the field with it",
        ),
        (
            "<h2>Title</h2>",
            "heading-1",
            json!({"type": "paragraph"}),
            "`type` of the field `heading-1` cannot be edited in place: its element would have to become another",
        ),
        (
            "<h2>Title</h2>",
            "heading-1",
            json!({"label": ""}),
            "`label` of the field `heading-1` cannot be edited in place: the markup would have no such field any more",
        ),
        (
            "<h2>Title</h2>",
            "heading-1",
            json!({"required": true}),
            "`required` of the field `heading-1` cannot be edited in place: it asks for no answer",
        ),
    ] {
        assert_eq!(
            edited(html, name, &members),
            Err(expected.to_owned()),
            "{html}"
        );
    }
}

#[test]
fn a_set_of_boxes_that_is_to_be_required_is_not_made_to_require_its_first_box() {
    let html = "<p>Which? <label><input type=checkbox name=a value=1>One</label><label><input type=checkbox name=a value=2>Two</label></p>";
    let required = edited(html, "a", &json!({"required": true})).unwrap();
    assert_eq!(
        required,
        html.replacen("value=1", "value=1 data-cf-required", 1)
    );
    let free = edited(&required, "a", &json!({"required": false}));
    assert_eq!(free.as_deref(), Ok(html));
    let rendered = "<fieldset data-cf-required><legend>Which?</legend><label><input type=checkbox name=a value=1>One</label><label><input type=checkbox name=a value=2>Two</label></fieldset>";
    let free = edited(rendered, "a", &json!({"required": false}));
    assert_eq!(free.unwrap(), rendered.replace(" data-cf-required", ""));
    let radios = html.replace("checkbox", "radio");
    edited(&radios, "a", &json!({"required": true})).unwrap();
}

#[test]
fn steps_without_names_are_numbered_in_order_so_that_edits_of_attributes_leave_their_names() {
    let html = "<form class=a id=b><div data-step><label>A<input name=a></label></div><div data-step=step-2><input name=b aria-label=B></div><div data-step=''><input name=c aria-label=C></div></form>";
    let steps = parse(html).unwrap().schema.layout.steps.unwrap();
    let ids: Vec<&str> = steps.iter().map(|step| step.id.as_str()).collect();
    assert_eq!(ids, ["step-1", "step-2", "step-3"]);
    let required = edited(html, "a", &json!({"required": true, "placeholder": "x"}));
    assert_eq!(
        required.unwrap(),
        html.replace("name=a>", "name=a placeholder=\"x\" required>")
    );
}

#[test]
fn a_select_whose_first_option_asks_to_choose_is_made_required_and_free_in_place() {
    let html = "<label>A<select name=a><option value=\"\">Choose</option><option>1</option></select></label>";
    let required = edited(html, "a", &json!({"required": true})).unwrap();
    assert_eq!(required, html.replace("name=a", "name=a required"));
    let free = edited(&required, "a", &json!({"required": false}));
    assert_eq!(free.as_deref(), Ok(html));
}

#[test]
fn a_box_behind_a_hidden_input_of_its_name_is_what_is_edited() {
    let html =
        "<input type=hidden name=a value=0><label><input type=checkbox name=a value=1> OK</label>";
    let required = edited(html, "a", &json!({"required": true, "css_class": "x"}));
    assert_eq!(
        required.unwrap(),
        html.replace("value=1>", "value=1 required class=\"x\">")
    );
}

#[test]
fn headings_texts_and_legends_are_edited_in_place() {
    assert_edits(&[
        (
            "<h3 class=t>Old</h3><input name=a>",
            "heading-1",
            json!({"label": "New <&>", "css_class": "u"}),
            "<h3 class=u>New &lt;&amp;&gt;</h3><input name=a>",
        ),
        (
            "<p>Some <b>bold</b> text</p><input name=a>",
            "paragraph-1",
            json!({"label": "Some brave text"}),
            "<p>Some <b>brave</b> text</p><input name=a>",
        ),
        (
            "<fieldset id=f><legend> Old </legend><input name=a aria-label=A></fieldset>",
            "f",
            json!({"label": "New"}),
            "<fieldset id=f><legend> New </legend><input name=a aria-label=A></fieldset>",
        ),
        // The name was that of the legend; fields belong to the fieldset by it.
        (
            "<fieldset><legend>Old</legend><input name=a aria-label=A></fieldset>",
            "old",
            json!({"label": "New"}),
            "<fieldset data-cf-name=\"old\"><legend>New</legend><input name=a aria-label=A></fieldset>",
        ),
        (
            "<fieldset id=f><input name=a aria-label=A></fieldset>",
            "f",
            json!({"label": "New"}),
            "<fieldset id=f><legend>New</legend><input name=a aria-label=A></fieldset>",
        ),
        (
            "<input name=z aria-label=Z><fieldset id=f><legend>F</legend><input name=a aria-label=A></fieldset>",
            "f",
            json!({"conditions": [{"field": "z", "operator": "is_not_empty"}]}),
            "<input name=z aria-label=Z><fieldset id=f data-show-if=\"z=*\"><legend>F</legend><input name=a aria-label=A></fieldset>",
        ),
        (
            "<h2>Old</h2><input name=a>",
            "heading-1",
            json!({"name": "title"}),
            "<h2 data-cf-name=\"title\">Old</h2><input name=a>",
        ),
    ]);
}

#[test]
fn a_consent_keeps_being_one_whatever_its_words_and_whether_it_must_be_given() {
    let html =
        "<label><input type=checkbox name=a required> I agree to the terms and conditions</label>";
    assert_edits(&[
        (
            html,
            "a",
            json!({"label": "I agree to the terms and to all conditions"}),
            "<label><input type=checkbox name=a required> I agree to the terms and to all conditions</label>",
        ),
        (
            html,
            "a",
            json!({"label": "OK"}),
            "<label><input type=checkbox name=a required data-cf-type=\"consent\"> OK</label>",
        ),
        (
            html,
            "a",
            json!({"required": false}),
            "<label><input type=checkbox name=a data-cf-type=\"consent\"> I agree to the terms and conditions</label>",
        ),
        (
            "<label><input type=checkbox name=a value=yes> Yes</label>",
            "a",
            json!({"type": "consent"}),
            "<label><input type=checkbox name=a value=yes data-cf-type=\"consent\"> Yes</label>",
        ),
    ]);
}

#[test]
fn options_and_choices_change_their_places_with_all_of_their_bytes() {
    assert_edits(&[
        (
            "<label>S<select name=s>\n  <option value=1 data-price=3>One</option>\n  <option value=2 data-price=5 selected>Two\n  <option value=3>Three\n</select></label>",
            "s",
            json!({"options": [{"value": "3", "label": "Drei"}, {"value": "1", "label": "One"}, {"value": "2", "label": "Two"}], "default_value": "1"}),
            "<label>S<select name=s>\n  <option value=3>Drei\n  <option value=1 data-price=3 selected>One</option>\n  <option value=2 data-price=5>Two\n</select></label>",
        ),
        (
            "<fieldset><legend>S</legend><label class=x><input type=radio name=s value=1 checked> One</label> <label class=y><input type=radio name=s value=2> Two</label></fieldset>",
            "s",
            json!({"options": [{"value": "2", "label": "Two"}, {"value": "1", "label": "One"}]}),
            "<fieldset><legend>S</legend><label class=y><input type=radio name=s value=2> Two</label> <label class=x><input type=radio name=s value=1 checked> One</label></fieldset>",
        ),
    ]);
}

#[test]
fn conditions_are_written_where_and_as_the_author_wrote_them_when_that_says_them() {
    let rule =
        |value: &str| json!({"field": "z", "operator": "equals", "value": value, "action": "hide"});
    let z = "<label>Z<input name=z></label>";
    for (html, conditions, expected) in [
        (
            "<p data-hide-if='z:1'><label>A<input name=a></label></p>",
            json!([rule("2")]),
            "<p data-hide-if='z:2'><label>A<input name=a></label></p>",
        ),
        (
            "<p data-show-if=z><label>A<input name=a></label></p>",
            json!([rule("2")]),
            "<p data-hide-if=\"z=2\"><label>A<input name=a></label></p>",
        ),
    ] {
        let edited = edited(
            &format!("{z}{html}"),
            "a",
            &json!({"conditions": conditions}),
        );
        assert_eq!(edited, Ok(format!("{z}{expected}")), "{html}");
    }
    let both = json!({"conditions": [rule("1"), rule("2")]});
    let html = format!("{z}<p data-show-if=z><label>A<input name=a></label></p>");
    let edited = edited(&html, "a", &both).unwrap();
    assert!(edited.contains("<p data-cf-conditions=\"[{"), "{edited}");
    assert!(!edited.contains("data-show-if"), "{edited}");
}
