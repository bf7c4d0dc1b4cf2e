//! Edits in the author's HTML that add what was not there, and deletions beside what stays.

use serde_json::{Value, json};

use crate::markup_patch_places::{assert_edits, edited};

#[test]
fn help_is_written_behind_a_control_that_has_none_and_named_by_it() {
    let help = || json!({"description": "Help & more"});
    assert_edits(&[
        (
            "<p><label>A <input name=a></label></p>",
            "a",
            help(),
            "<p><label>A <input name=a aria-describedby=\"a-help\"></label> <small id=\"a-help\">Help &amp; more</small></p>",
        ),
        (
            "<div><label for=x>A</label> <input name='a[b]' id=x></div>",
            "a[b]",
            help(),
            "<div><label for=x>A</label> <input name='a[b]' id=x aria-describedby=\"x-help\"> <small id=\"x-help\">Help &amp; more</small></div>",
        ),
        (
            "<table><tr><td>A</td><td><select name=a><option>1</select></td></tr></table>",
            "a",
            help(),
            "<table><tr><td>A</td><td><select name=a aria-describedby=\"a-help\"><option>1</select> <small id=\"a-help\">Help &amp; more</small></td></tr></table>",
        ),
        (
            "<input type=checkbox name=a id=a> <label for=a>OK</label><br>",
            "a",
            help(),
            "<input type=checkbox name=a id=a aria-describedby=\"a-help\"> <label for=a>OK</label> <small id=\"a-help\">Help &amp; more</small><br>",
        ),
        // No id can be made of the name, or it is taken.
        (
            "<label>A <input name='a b'></label>",
            "a b",
            help(),
            "<label>A <input name='a b'></label> <small>Help &amp; more</small>",
        ),
        (
            "<label>A <input name=a></label><hr id=a-help>",
            "a",
            help(),
            "<label>A <input name=a></label> <small>Help &amp; more</small><hr id=a-help>",
        ),
    ]);
}

#[test]
fn the_placeholder_of_a_select_is_its_first_option() {
    let said = |text: &str| json!({"placeholder": text});
    let none =
        "<label>S <select name=s>\n <option value=1>One\n <option value=2>Two\n</select></label>";
    let some = "<label>S <select name=s>\n <option value=\"\">Choose &amp; go</option>\n <option value=1>One\n <option value=2>Two\n</select></label>";
    assert_edits(&[
        (none, "s", said("Choose & go"), some),
        (
            some,
            "s",
            said("Which?"),
            &some.replace("Choose &amp; go", "Which?"),
        ),
        (some, "s", said(""), none),
        (
            "<label>S <select name=s></select></label>",
            "s",
            json!({"placeholder": "Choose", "options": ["1"]}),
            "<label>S <select name=s><option value=\"\">Choose</option><option value=\"1\">1</option></select></label>",
        ),
    ]);
}

#[test]
fn a_row_of_a_table_of_radios_is_deleted_and_the_heads_of_its_columns_stay() {
    let row = |name: &str, label: &str| {
        format!(
            "<tr><th>{label}</th><td><input type=radio name={name} value=1></td><td><input type=radio name={name} value=2></td></tr>\n"
        )
    };
    let table =
        |rows: &str| format!("<table><tr><td></td><th>Bad</th><th>Good</th></tr>\n{rows}</table>");
    let html = table(&(row("a", "Food") + &row("b", "Price") + &row("c", "Staff")));
    let without_b = table(&(row("a", "Food") + "\n" + &row("c", "Staff")));
    assert_edits(&[(&html, "b", Value::Null, &without_b)]);
}

#[test]
fn the_star_of_a_label_and_what_stands_behind_it_stay_when_the_label_changes() {
    let label = || json!({"label": "Mail & post"});
    assert_edits(&[
        (
            "<label>E-mail<b>*</b>: <input name=a required></label>",
            "a",
            label(),
            "<label>Mail &amp; post<b>*</b>: <input name=a required></label>",
        ),
        (
            "<label for=a>E-mail <span class=req>*</span> :</label><input id=a name=a required>",
            "a",
            label(),
            "<label for=a>Mail &amp; post <span class=req>*</span> :</label><input id=a name=a required>",
        ),
        (
            "<label>E-mail<b>*</b>: <input name=a required></label>",
            "a",
            json!({"label": "Mail", "required": false}),
            "<label>Mail <input name=a></label>",
        ),
    ]);
}

#[test]
fn a_consent_with_a_link_in_its_text_is_made_free_in_place() {
    let html = "<label><input type=checkbox name=a required> I agree to the <a href=/t>terms and conditions</a> of use@</label>";
    let free = html.replace("a required", "a data-cf-type=\"consent\"");
    for (star, left) in [
        ("", ""),
        (" *", ""),
        (" <b>*</b>", " "),
        ("*:", ""),
        (" (required)", ""),
        (", *", ","),
        ("&amp; *", "&amp;"),
    ] {
        let edited = edited(&html.replace('@', star), "a", &json!({"required": false}));
        assert_eq!(edited, Ok(free.replace('@', left)), "{star}");
    }
}

#[test]
fn a_choice_that_is_disabled_stands_in_the_way_of_no_edit_of_the_others() {
    let x = "<label><input type=radio name=s value=x> x</label>";
    let no = "<label><input type=radio name=s value=no disabled> no</label>";
    let y = "<label><input type=radio name=s value=y> y</label>";
    let set = |inner: &str| format!("<p>Which? {inner}</p>");
    let html = set(&format!("{x} {no} {y}"));
    assert_edits(&[
        (
            &html,
            "s",
            json!({"options": [{"value": "x", "label": "Ex"}, {"value": "y", "label": "y"}]}),
            &html.replace("> x<", "> Ex<"),
        ),
        (
            &html,
            "s",
            json!({"name": "t"}),
            &html.replace("name=s", "name=t"),
        ),
        (
            &html,
            "s",
            json!({"options": ["x"]}),
            &set(&format!("{x} {no} ")),
        ),
        (
            &(html.clone() + "<input name=b aria-label=B>"),
            "s",
            Value::Null,
            "<input name=b aria-label=B>",
        ),
    ]);
}

#[test]
fn a_text_that_names_two_controls_does_not_go_with_the_first() {
    for html in [
        "<p>ZIP / Town <input name=a> <input name=b></p>",
        "<p><label for=a>ZIP / Town</label> <input id=a name=a> <input name=b></p>",
    ] {
        assert_eq!(
            edited(html, "a", &Value::Null),
            Err("the field `a` cannot be deleted in place: the text that names it names the next field too".to_owned()),
            "{html}"
        );
    }
    // The second has none of its own.
    assert_edits(&[(
        "<p>ZIP / Town <input name=a> <input name=b></p>",
        "b",
        Value::Null,
        "<p>ZIP / Town <input name=a> </p>",
    )]);
}

#[test]
fn a_star_before_a_label_and_the_colon_behind_it_stay_when_the_label_changes() {
    let label = || json!({"label": "Bar"});
    assert_edits(&[
        (
            "<p>* Foo: <input name=a required></p>",
            "a",
            label(),
            "<p>* Bar: <input name=a required></p>",
        ),
        (
            "<label>* Foo*: <input name=a required></label>",
            "a",
            label(),
            "<label>* Bar*: <input name=a required></label>",
        ),
        (
            "<fieldset><legend>* Foo *</legend><label><input type=radio name=a value=1 required>1</label></fieldset>",
            "a",
            label(),
            "<fieldset><legend>* Bar *</legend><label><input type=radio name=a value=1 required>1</label></fieldset>",
        ),
        // In a label the colon is a part of it, unless there is a star.
        (
            "<label>* Foo: <input name=a required></label>",
            "a",
            label(),
            "<label>* Bar: <input name=a required></label>",
        ),
        (
            "<label for=a>\n  *Foo</label><input id=a name=a required>",
            "a",
            label(),
            "<label for=a>\n  *Bar</label><input id=a name=a required>",
        ),
        (
            "<label>* Foo * <input name=a required></label>",
            "a",
            label(),
            "<label>* Bar * <input name=a required></label>",
        ),
        (
            "<label>* Foo: <input name=a required></label>",
            "a",
            json!({"label": "Bar", "required": false}),
            "<label>Bar <input name=a></label>",
        ),
        (
            "<label>* Foo <input name=a required></label>",
            "a",
            json!({"required": false}),
            "<label>Foo <input name=a></label>",
        ),
        (
            "<label>*&nbsp;R&amp;D&nbsp;*: <input name=a required></label>",
            "a",
            label(),
            "<label>*&nbsp;Bar&nbsp;*: <input name=a required></label>",
        ),
        // A star is text where nothing is required.
        (
            "<label>* Foo <input name=a></label>",
            "a",
            label(),
            "<label>Bar <input name=a></label>",
        ),
        (
            "<label>* <input name=a required></label>",
            "a",
            label(),
            "<label>Bar <input name=a required></label>",
        ),
        // What `data-cf-label` says is said by the text too.
        (
            "<label>*  Foo  bar*: <input name=a required data-cf-label=' Foo  bar'></label>",
            "a",
            label(),
            "<label>*  Bar*: <input name=a required data-cf-label=' Foo  bar'></label>",
        ),
    ]);
}

#[test]
fn the_word_required_behind_a_label_stays_when_the_label_changes() {
    let label = || json!({"label": "Bar"});
    assert_edits(&[
        (
            "<label>Name (required) <input name=a required></label>",
            "a",
            label(),
            "<label>Bar (required) <input name=a required></label>",
        ),
        (
            "<label>Name (Required)*: <input name=a required></label>",
            "a",
            label(),
            "<label>Bar (Required)*: <input name=a required></label>",
        ),
        (
            "<label>Name <em>(required)</em> <input name=a required></label>",
            "a",
            label(),
            "<label>Bar <em>(required)</em> <input name=a required></label>",
        ),
        (
            "<label>Name (required) <input name=a required></label>",
            "a",
            json!({"label": "Bar", "required": false}),
            "<label>Bar <input name=a></label>",
        ),
        (
            "<p>Name (required): <input name=a required></p>",
            "a",
            json!({"required": false}),
            "<p>Name: <input name=a></p>",
        ),
        (
            "<label>Name <em>(required)</em> <input name=a required></label>",
            "a",
            json!({"required": false}),
            "<label>Name  <input name=a></label>",
        ),
    ]);
}

#[test]
fn the_comma_between_two_controls_stays_when_the_label_before_it_changes() {
    assert_edits(&[
        (
            "<p><input name=a> Adults, <input name=b> Kids</p>",
            "a",
            json!({"label": "Grown-ups"}),
            "<p><input name=a> Grown-ups, <input name=b> Kids</p>",
        ),
        (
            "<p><input name=a> Adults ; <input name=b> Kids;</p>",
            "b",
            json!({"label": "Children"}),
            "<p><input name=a> Adults ; <input name=b> Children;</p>",
        ),
    ]);
}

#[test]
fn a_text_of_which_the_label_is_only_a_part_is_not_replaced() {
    for html in [
        "<label>&#42; Foo <input name=a required></label>",
        "<label>Foo &ast; <input name=a required></label>",
    ] {
        let edited = edited(html, "a", &json!({"label": "Bar"}));
        let reason = "`label` of the field `a` cannot be edited in place: it is only a part of the text that says it";
        assert_eq!(edited, Err(reason.to_owned()), "{html}");
    }
}

#[test]
fn the_element_of_a_mark_goes_when_the_field_is_no_more_required() {
    let free = || json!({"required": false});
    assert_edits(&[
        (
            "<label>N<span class=\"required\"> * </span><input name=a required></label>",
            "a",
            free(),
            "<label>N<input name=a></label>",
        ),
        (
            "<label for=a>N <span style=\"color:red\"><b>*</b></span></label><input id=a name=a required>",
            "a",
            free(),
            "<label for=a>N </label><input id=a name=a>",
        ),
        // It may be of a script.
        (
            "<label>N<span id=mark>*</span><input name=a required></label>",
            "a",
            free(),
            "<label>N<span id=mark></span><input name=a></label>",
        ),
    ]);
}

#[test]
fn no_colon_stays_behind_a_label_that_ends_with_a_sign_of_its_own() {
    let is = |label: &str| json!({"label": label});
    assert_edits(&[
        (
            "Name: <input name=a>",
            "a",
            is("Who?"),
            "Who? <input name=a>",
        ),
        (
            "Name : <input name=a>",
            "a",
            is("Go on…"),
            "Go on… <input name=a>",
        ),
        (
            "Name: <input name=a>",
            "a",
            is("Who"),
            "Who: <input name=a>",
        ),
        (
            "<b>Name</b>: <input name=a>",
            "a",
            is("Say it!"),
            "<b>Say it!</b> <input name=a>",
        ),
        (
            "Name <b>*</b>: <input name=a required>",
            "a",
            is("Who?"),
            "Who? <b>*</b> <input name=a required>",
        ),
        (
            "<label for=a>Name *:</label> <input id=a name=a required>",
            "a",
            is("Who?"),
            "<label for=a>Who? *</label> <input id=a name=a required>",
        ),
        (
            "Name *: <input name=a required>",
            "a",
            json!({"label": "Who?", "required": false}),
            "Who? <input name=a>",
        ),
        // What it does not end with.
        (
            "<p>Colour: <label><input type=radio name=a value=1> One</label></p>",
            "a",
            is("Which? (one)"),
            "<p>Which? (one): <label><input type=radio name=a value=1> One</label></p>",
        ),
    ]);
}
