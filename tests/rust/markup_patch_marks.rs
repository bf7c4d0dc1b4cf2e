//! Editing `required` of fields whose label carries a mark, in the author's HTML.

use serde_json::json;

use crate::markup_patch_places::{assert_edits, edited};

/// Two radios of one name.
const RADIOS: &str = "<label><input type=radio name=s value=1 required> One</label> <label><input type=radio name=s value=2> Two</label>";

#[test]
fn the_mark_of_a_set_goes_when_none_of_it_must_be_chosen() {
    let free = RADIOS.replace(" required", "");
    for (before, after) in [
        (
            "<fieldset><legend>Size <b>*</b></legend>@</fieldset>",
            "<fieldset><legend>Size </legend>@</fieldset>",
        ),
        (
            "<fieldset><legend>Size*:</legend>@</fieldset>",
            "<fieldset><legend>Size</legend>@</fieldset>",
        ),
        (
            "<fieldset><legend><b>*</b> Size</legend>@</fieldset>",
            "<fieldset><legend> Size</legend>@</fieldset>",
        ),
        ("<p>Size*: @</p>", "<p>Size: @</p>"),
        ("<p>* Size: @</p>", "<p>Size: @</p>"),
        ("<p>Size (required): @</p>", "<p>Size: @</p>"),
        (
            "<div><span>Size</span> <span class=req>*</span> @</div>",
            "<div><span>Size</span>  @</div>",
        ),
        (
            "<div role=radiogroup aria-labelledby=q><p id=q>Size <b>*</b></p>@</div>",
            "<div role=radiogroup aria-labelledby=q><p id=q>Size </p>@</div>",
        ),
        (
            "<fieldset><legend>Size</legend>@</fieldset>",
            "<fieldset><legend>Size</legend>@</fieldset>",
        ),
    ] {
        let html = before.replace('@', RADIOS);
        let expected = after.replace('@', &free);
        let members = json!({"required": false});
        assert_edits(&[(&html, "s", members, &expected)]);
        let renamed = expected.replacen("Size", "How big", 1);
        let members = json!({"required": false, "label": "How big"});
        assert_edits(&[(&html, "s", members, &renamed)]);
    }
}

#[test]
fn a_group_that_says_that_it_is_required_says_so_no_more() {
    let html = |attribute: &str, label: &str| {
        let free = RADIOS.replace(" required", "");
        format!("<fieldset role=radiogroup{attribute}><legend>{label}</legend>{free}</fieldset>")
    };
    let (before, after) = (html(" aria-required=true", "Size *"), html("", "Size"));
    assert_edits(&[(&before, "s", json!({"required": false}), &after)]);
}

#[test]
fn the_mark_of_a_row_of_radios_goes_when_none_of_it_must_be_chosen() {
    let cells = "<td><input type=radio name=s value=1 required></td><td><input type=radio name=s value=2></td>";
    for (before, after) in [
        ("<th>Fri *</th>", "<th>Fri</th>"),
        (
            "<th scope=row>Fri <span class=\"req\">*</span></th>",
            "<th scope=row>Fri </th>",
        ),
    ] {
        let table = |head: &str| {
            format!(
                "<table><tr><td></td><th>Bad</th><th>Good</th></tr><tr>{head}{cells}</tr></table>"
            )
        };
        let expected = table(after).replace(" required", "");
        let members = json!({"required": false});
        assert_edits(&[(&table(before), "s", members, &expected)]);
    }
}

#[test]
fn the_mark_of_a_set_that_must_be_chosen_stays_when_its_label_changes() {
    let html = |label: &str| format!("<fieldset><legend>{label}</legend>{RADIOS}</fieldset>");
    for (before, after) in [
        ("Size <b>*</b>", "How big <b>*</b>"),
        ("<b>*</b> Size", "<b>*</b> How big"),
        ("Size (required)", "How big (required)"),
    ] {
        let members = json!({"label": "How big"});
        assert_edits(&[(&html(before), "s", members, &html(after))]);
    }
    assert!(edited(&html("Size"), "s", &json!({"label": ""})).is_ok());
}

#[test]
fn a_field_whose_label_has_a_mark_already_is_made_required_and_keeps_it() {
    let required = || json!({"required": true});
    let renamed = || json!({"required": true, "label": "Full name"});
    let input = "<input name=n>";
    let made = "<input name=n required>";
    for (label, new) in [
        ("<label>Name * @</label>", "<label>Full name * @</label>"),
        (
            "<label>Name <b>*</b> @</label>",
            "<label>Full name <b>*</b> @</label>",
        ),
        ("<label>* Name @</label>", "<label>* Full name @</label>"),
        (
            "<label>Name (required): @</label>",
            "<label>Full name (required): @</label>",
        ),
        (
            "<table><tr><td>Name:*</td><td>@</td></tr></table>",
            "<table><tr><td>Full name:*</td><td>@</td></tr></table>",
        ),
        (
            "<table><tr><td>Name*:</td><td>@</td></tr></table>",
            "<table><tr><td>Full name*:</td><td>@</td></tr></table>",
        ),
        ("<p>Name* @</p>", "<p>Full name* @</p>"),
    ] {
        let html = label.replace('@', input);
        assert_edits(&[
            (&html, "n", required(), &label.replace('@', made)),
            (&html, "n", renamed(), &new.replace('@', made)),
        ]);
        let html = label.replace('@', made);
        assert_edits(&[(&html, "n", renamed(), &new.replace('@', made))]);
    }
    // What is sent as it is asks for nothing else, and other members change too.
    assert_edits(&[
        (
            "<label>Name * <input name=n></label>",
            "n",
            json!({"required": true, "label": "Name *"}),
            "<label>Name * <input name=n required></label>",
        ),
        (
            "<label>Name * <input name=n></label>",
            "n",
            json!({"required": true, "label": "Name"}),
            "<label>Name * <input name=n required></label>",
        ),
        (
            "<label>Name * <input name=n></label>",
            "n",
            json!({"required": true, "label": "New", "name": "m", "css_class": "x"}),
            "<label>New * <input name=m required class=\"x\"></label>",
        ),
        (
            "<input name=n placeholder='Name *'>",
            "n",
            json!({"required": true}),
            "<input name=n placeholder='Name *' required>",
        ),
        (
            "<input name=n aria-label='Name *'>",
            "n",
            json!({"required": true}),
            "<input name=n aria-label='Name *' required>",
        ),
    ]);
}

#[test]
fn a_set_whose_label_has_a_mark_already_is_made_required_and_keeps_it() {
    let free = RADIOS.replace(" required", "");
    for (label, new) in [
        (
            "<fieldset><legend>Size <b>*</b></legend>@</fieldset>",
            "<fieldset><legend>How big <b>*</b></legend>@</fieldset>",
        ),
        ("<p>Size*: @</p>", "<p>How big*: @</p>"),
        ("<p>Size (required): @</p>", "<p>How big (required): @</p>"),
    ] {
        let html = label.replace('@', &free);
        let made = free.replacen("value=1", "value=1 required", 1);
        let required = json!({"required": true});
        let renamed = json!({"required": true, "label": "How big"});
        assert_edits(&[
            (&html, "s", required, &label.replace('@', &made)),
            (&html, "s", renamed, &new.replace('@', &made)),
        ]);
    }
}
