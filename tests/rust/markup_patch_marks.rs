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
