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

#[test]
fn deleting_a_set_does_not_take_pictures_scripts_and_comments_of_its_fieldset() {
    let rest = "<p><input name=rest></p>";
    let radios = "<label><input type=radio name=a value=1> One</label><label><input type=radio name=a value=2> Two</label>";
    for own in [
        "<img src=x>",
        "<!--keep-->",
        "<script src=y></script>",
        "<img src=x><!--keep--><script src=y></script>",
        "<template><b>x</b></template>",
        "<iframe src=x></iframe>",
        "<input type=text placeholder=x>",
        "<div id=map></div>",
        "<a href=/x>Which is mine?</a>",
    ] {
        let html = format!("<fieldset><legend>Colour</legend>{radios}{own}</fieldset>{rest}");
        let deleted = edited(&html, "a", &Value::Null);
        assert_eq!(deleted, Ok(format!("{own}{rest}")));
    }
    for own in ["", "<br>", "<span class=mark></span>"] {
        let html = format!("<fieldset><legend>Colour</legend>{radios}{own}</fieldset>{rest}");
        assert_eq!(
            edited(&html, "a", &Value::Null),
            Ok(rest.to_owned()),
            "{own}"
        );
    }
}

#[test]
fn taking_a_choice_away_does_not_take_the_pictures_controls_and_comments_beside_it() {
    let one = json!({"options": [{"value": "1", "label": "One"}]});
    for (choice, left) in [
        (
            "<div><input type=radio name=a value=2 id=a2><label for=a2>Two</label><!-- n --><input type=text placeholder=x></div>",
            "<div><!-- n --><input type=text placeholder=x></div>",
        ),
        (
            "<p><label><input type=radio name=a value=2> Two</label> <img src=two.png></p>",
            "<p> <img src=two.png></p>",
        ),
        (
            "<p><script>x()</script><label><input type=radio name=a value=2> Two</label></p>",
            "<p><script>x()</script></p>",
        ),
        (
            "<p><label><input type=radio name=a value=2> Two</label><span class=mark></span></p>",
            "",
        ),
    ] {
        let first = "<fieldset><legend>Which</legend><p><label><input type=radio name=a value=1> One</label></p>";
        let html = format!("{first}{choice}</fieldset>");
        let expected = format!("{first}{left}</fieldset>");
        assert_eq!(edited(&html, "a", &one), Ok(expected), "{choice}");
    }
}

#[test]
fn a_deleted_control_takes_its_mark_its_messages_and_its_line_breaks_along() {
    let rest = "<p><label>B <input name=b></label></p>";
    let message = "<div class=\"invalid-feedback\" role=alert>Please say <b>who</b>.</div>";
    for field in [
        "<p><label for=n>N</label><span class=\"required\">*</span><br><input id=n name=n required></p>",
        "<p><label for=n>N</label>*<input id=n name=n required></p>",
        "<p><label for=n>N</label><input id=n name=n required> <font color=red>*</font></p>",
        "<p><label for=n>N</label><sup class=is-required></sup>&nbsp;<input id=n name=n>&nbsp;</p>",
        "<label for=n>N</label><abbr title=required>*</abbr> <input id=n name=n required><br>",
        "<label for=n>N</label> <input id=n name=n required><span style=\"color:red\">*</span><br><br>",
        "<p><label>N <br><input name=n></label><br>\n</p>",
        "<div class=box><i class=\"fa fa-user\" aria-hidden=true></i><input name=n placeholder=N></div>",
        &format!(
            "<div class=mb-3><label for=n>N</label><input id=n name=n><div class=valid-feedback>Good!</div>{message}</div>"
        ),
        &format!("<label for=n>N</label><input id=n name=n>{message}"),
        &format!(
            "<div><div class=floating><input id=n name=n><label for=n>N</label></div>{message}</div>"
        ),
        &format!(
            "<div><input type=checkbox id=n name=n value=1><label for=n>I agree</label>{message}</div>"
        ),
        &format!(
            "<fieldset><legend>N</legend><div><label><input type=radio name=n value=1> One</label></div><div><label><input type=radio name=n value=2> Two</label>{message}</div></fieldset>"
        ),
        "<table><tr><td>N</td><td><input name=n></td><td><span class=field-error></span></td></tr></table>",
        "<div>* <label for=n>N</label> <input id=n name=n required><br></div>",
        "<b class=required>*</b> <label for=n>N</label> <input id=n name=n required><br>",
        "<div><label for=n>N</label><div><input id=n name=n aria-describedby='h e'><small id=h>Help</small><div id=e class=invalid-feedback>No</div></div></div>",
    ] {
        for (start, end) in [("", ""), ("<form>", "</form>")] {
            let html = format!("{start}{field}{rest}{end}");
            let left = format!("{start}{rest}{end}");
            assert_eq!(edited(&html, "n", &Value::Null), Ok(left), "{html}");
        }
    }
}

#[test]
fn the_line_breaks_between_two_fields_that_stay_are_as_many_as_before() {
    let html = "<form>A: <input name=a><br><br>\nN: <input name=n><br><br>\nC: <input name=c><br>\nD: <input name=d><br></form>";
    for (name, field) in [
        ("a", "A: <input name=a><br><br>"),
        ("n", "\nN: <input name=n><br><br>"),
        ("c", "\nC: <input name=c><br>"),
        ("d", "\nD: <input name=d><br>"),
    ] {
        let left = html.replace(field, "");
        assert_eq!(edited(html, name, &Value::Null), Ok(left), "{name}");
    }
}

#[test]
fn a_deleted_control_leaves_what_belongs_to_others() {
    let next = "<label for=b>B</label><input id=b name=b";
    for (field, left) in [
        // On the line of another.
        ("<span>*</span> ", "<span>*</span> "),
        ("<i class=icon></i>", "<i class=icon></i>"),
        ("<em>or</em> ", "<em>or</em> "),
        // Of another, by its id.
        (
            "<div class=invalid-feedback id=e>No</div>",
            "<div class=invalid-feedback id=e>No</div>",
        ),
        ("<p id=e>Of <b>B</b></p>", "<p id=e>Of <b>B</b></p>"),
        // More than a message.
        (
            "<div class=invalid-feedback>No <a href=/help>Help</a></div>",
            "<div class=invalid-feedback>No <a href=/help>Help</a></div>",
        ),
        (
            "<div class=invalid-feedback onclick=x()>No</div>",
            "<div class=invalid-feedback onclick=x()>No</div>",
        ),
        (
            "<!-- x --><div class=invalid-feedback>No</div>",
            "<!-- x --><div class=invalid-feedback>No</div>",
        ),
    ] {
        let html = format!(
            "<div><label for=n>N</label><input id=n name=n>{field}{next} aria-describedby=e></div>"
        );
        let left = format!("<div>{left}{next} aria-describedby=e></div>");
        assert_eq!(edited(&html, "n", &Value::Null), Ok(left), "{html}");
    }
    // Messages that stand before their controls.
    let html = format!(
        "<div><p class=invalid-feedback></p><label for=n>N</label><input id=n name=n><p class=invalid-feedback></p>{next}></div>"
    );
    let left =
        format!("<div><p class=invalid-feedback></p><p class=invalid-feedback></p>{next}></div>");
    assert_eq!(edited(&html, "n", &Value::Null), Ok(left));
    for own in [
        "<!-- x -->",
        "<img src=x>",
        "<span id=map></span>",
        "<i data-x></i>",
    ] {
        let html =
            format!("<div><p><label for=n>N</label><input id=n name=n>{own}</p>{next}></div>");
        let left = format!("<div><p>{own}</p>{next}></div>");
        assert_eq!(edited(&html, "n", &Value::Null), Ok(left), "{own}");
    }
    // What others refer to, and what is more than text.
    for (own, other) in [
        (
            "",
            "<form aria-describedby=e><label>A<input name=a></label>",
        ),
        (
            "",
            "<form><label>A<input name=a aria-labelledby='l e'></label>",
        ),
        (
            "",
            "<form><a href=#e>Why?</a><label>A<input name=a></label>",
        ),
        (
            " class=error-message",
            "<form><label>A<input name=a aria-details=e></label>",
        ),
    ] {
        let said = format!("<section id=e{own}>Said</section><button>Go</button></form>");
        let html = format!("{other}<label>N<input name=n aria-errormessage=e></label>{said}");
        assert_eq!(
            edited(&html, "n", &Value::Null),
            Ok(format!("{other}{said}")),
            "{html}"
        );
    }
    let left = "<div id=e><my-widget></my-widget></div><label>A<input name=a></label>";
    let html = format!("<label>N<input name=n aria-describedby=e></label>{left}");
    assert_eq!(edited(&html, "n", &Value::Null), Ok(left.to_owned()));
}

#[test]
fn a_message_that_may_be_anothers_stays() {
    let message = |text| format!("<div class=invalid-feedback>{text}</div>");
    let row = |name: &str| format!("<p><label>{name} <input name={name}></label></p>");
    let (no, own) = (message("No"), message("Own"));
    for (before, field, behind) in [
        // The form's.
        (row("a"), row("n"), format!("{no}<button>Go</button>")),
        // Before each control but the first.
        (
            "<label>X<input name=x></label>".to_owned(),
            format!("{own}<label>N<input name=n></label>"),
            format!("{no}<label>B<input name=b></label>"),
        ),
        (
            String::new(),
            row("n"),
            format!("{no}{}{no}{}", row("b"), row("c")),
        ),
    ] {
        let html = format!("<form>{before}{field}{behind}</form>");
        let left = edited(&html, "n", &Value::Null).unwrap();
        assert!(
            left.ends_with(&format!("{behind}</form>")),
            "{html}\n{left}"
        );
    }
}

#[test]
fn a_button_within_a_legend_or_label_does_not_take_what_else_that_says_along() {
    for (tag, left) in [
        ("label", "<label>Ready? </label>"),
        ("legend", "<legend>Ready? </legend>"),
    ] {
        let html = format!("<{tag}>Ready? <button>Send</button></{tag}>");
        assert_eq!(edited(&html, "submit", &Value::Null), Ok(left.to_owned()));
    }
}

#[test]
fn a_text_that_holds_more_is_not_deleted_with_that() {
    for own in [
        "<img src=x>",
        "<script>x()</script>",
        "<!-- keep -->",
        "<input placeholder=x>",
    ] {
        let html = format!("<p>Text {own}</p><input name=b>");
        let reason =
            "the field `paragraph-1` cannot be deleted in place: it holds more than its text";
        let deleted = edited(&html, "paragraph-1", &Value::Null);
        assert_eq!(deleted, Err(reason.to_owned()), "{html}");
    }
    let html = "<p>Text <a href=/x>with <b>a link</b></a><br>and more</p><input name=b>";
    let left = "<input name=b>".to_owned();
    assert_eq!(edited(html, "paragraph-1", &Value::Null), Ok(left));
}

#[test]
fn the_addons_of_a_deleted_control_go_with_it() {
    let rest = "<p><label>B <input name=b></label></p>";
    let label = "<label for=n>N</label>";
    for (field, left) in [
        (
            "<div class=\"input-group\"><span class=\"input-group-text\">$</span><input name=n><span class=\"input-group-text\">.00</span></div>",
            "",
        ),
        (
            "<div class=mb-3>@<div class=input-group><div class=input-group-prepend><span class=input-group-text>First and last name</span></div><input id=n name=n></div></div>",
            "",
        ),
        (
            "<div class=col-4>@<div class=mt-2><div class=\"flex items-center\"><div class=shrink-0>workcation.com/</div><input id=n name=n></div></div></div>",
            "",
        ),
        (
            "<div>@<div class=grid><select id=n name=n><option>1</select><svg viewBox=\"0 0 16 16\" aria-hidden=\"true\" data-slot=icon><path d=\"M4 4\" /></svg></div></div>",
            "",
        ),
        (
            "<div class=\"flex gap-3\"><div><div class=group><input type=checkbox id=n name=n value=1><svg fill=none aria-hidden=true><path d=x></path></svg></div></div><div>@</div></div>",
            "",
        ),
        (
            "<div>@<div><img src=x.png alt=\"\" width=9><input id=n name=n></div></div>",
            "",
        ),
        ("<p>@<input id=n name=n> kg</p>", ""),
        (
            "<table><tr><td>@</td><td>&euro; <input id=n name=n> per month</td></tr></table>",
            "",
        ),
        // More than add-ons.
        (
            "<div>@<div><div>Say it as in your passport.</div><input id=n name=n></div></div>",
            "<div><div><div>Say it as in your passport.</div></div></div>",
        ),
        (
            "<div><div>Contact</div>@<input id=n name=n></div>",
            "<div><div>Contact</div></div>",
        ),
        (
            "<div>@<div><span id=map>km</span><input id=n name=n></div></div>",
            "<div><div><span id=map>km</span></div></div>",
        ),
        (
            "<div>@<div><input id=n name=n><svg><path d=x /></svg></div></div>",
            "<div><div><svg><path d=x /></svg></div></div>",
        ),
        (
            "<div>@<div><input id=n name=n><svg aria-hidden=true><symbol id=s></symbol></svg></div></div>",
            "<div><div><svg aria-hidden=true><symbol id=s></symbol></svg></div></div>",
        ),
        (
            "<div>@<div><input id=n name=n><img src=x alt=Map></div></div>",
            "<div><div><img src=x alt=Map></div></div>",
        ),
        (
            "<div>@<div><span>$</span><input id=n name=n><select name=c aria-label=C><option>1</select></div></div>",
            "<div><div><span>$</span><select name=c aria-label=C><option>1</select></div></div>",
        ),
    ] {
        let html = format!("{}{rest}", field.replace('@', label));
        let left = format!("{left}{rest}");
        assert_eq!(edited(&html, "n", &Value::Null), Ok(left), "{html}");
    }
}

#[test]
fn a_table_goes_with_its_last_field_if_only_its_caption_and_heads_are_left() {
    let rest = "<p><input name=rest></p>";
    let radios =
        "<td><input type=radio name=n value=1></td><td><input type=radio name=n value=2></td>";
    for (table, left) in [
        (
            format!("<table><caption>Rate us</caption><thead><tr><th></th><th>Good</th><th>Bad</th></tr></thead><tbody><tr><th>Food</th>{radios}</tr></tbody></table>"),
            "",
        ),
        (
            format!("<table><tr><td></td><th>Good</th><th>Bad</th></tr><tr><th>Food</th>{radios}</tr></table>"),
            "",
        ),
        (
            format!("<table><caption>Rate <img src=x></caption><tr><td></td><th>Good</th><th>Bad</th></tr><tr><th>Food</th>{radios}</tr></table>"),
            "<table><caption>Rate <img src=x></caption></table>",
        ),
        (
            "<table><tr><th>Name</th><th>Price</th></tr><tr><td>Tea</td><td>2</td></tr><tr><td>N</td><td><input name=n></td></tr></table>".to_owned(),
            "<table><tr><th>Name</th><th>Price</th></tr><tr><td>Tea</td><td>2</td></tr></table>",
        ),
    ] {
        let html = format!("{table}{rest}");
        let left = format!("{left}{rest}");
        assert_eq!(edited(&html, "n", &Value::Null), Ok(left), "{html}");
    }
}
