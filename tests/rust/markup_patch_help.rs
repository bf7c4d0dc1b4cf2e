//! Clearing help in the author's HTML: its element goes with it.

use serde_json::{Value, json};

use crate::markup_patch_places::{assert_edits, edited};

fn cleared() -> Value {
    json!({"description": ""})
}

#[test]
fn help_that_is_cleared_takes_its_element_and_the_reference_to_it_along() {
    let field = "<label for=a>A</label><input name=a id=a aria-describedby=h>";
    let bare = "<label for=a>A</label><input name=a id=a>";
    for (help, left) in [
        ("<small id=h>Help</small>", ""),
        (" <small id=h>Help</small>\n", "\n"),
        ("<p class=x id=h>Help <b>more</b></p><hr>", "<hr>"),
        ("<div class=\"form-text\" id=h>Help</div>", ""),
        ("<div class=x><div><span id=h>Help</span></div></div>", ""),
        ("<br><small id=h>Help</small><br><hr>", "<br><hr>"),
        (" <small id=h>Help</small><b>x</b>", " <b>x</b>"),
    ] {
        let html = format!("<div>{field}{help}</div>");
        let expected = format!("<div>{bare}{left}</div>");
        assert_edits(&[(&html, "a", cleared(), &expected)]);
    }
    assert_edits(&[
        (
            "<label>A <input name=a></label><small>Help</small>",
            "a",
            cleared(),
            "<label>A <input name=a></label>",
        ),
        (
            "<div><small id=h>Help</small> <label>A <input name=a aria-describedby='h a--error'></label></div>",
            "a",
            cleared(),
            "<div> <label>A <input name=a aria-describedby='a--error'></label></div>",
        ),
        (
            "<table><tr><td>A</td><td><input name=a aria-describedby=h></td><td id=h><i>Help</i></td></tr></table>",
            "a",
            cleared(),
            "<table><tr><td>A</td><td><input name=a aria-describedby=h></td><td id=h></td></tr></table>",
        ),
        (
            "<fieldset aria-describedby=h><legend>S</legend><small id=h>Help</small><label><input type=radio name=s value=1> 1</label><label><input type=radio name=s value=2> 2</label></fieldset>",
            "s",
            cleared(),
            "<fieldset><legend>S</legend><label><input type=radio name=s value=1> 1</label><label><input type=radio name=s value=2> 2</label></fieldset>",
        ),
    ]);
}

#[test]
fn help_that_is_added_and_cleared_leaves_the_html_as_it_was() {
    for html in [
        "<p><label>A <input name=a></label></p>",
        "<form>\n<label for=x>A</label> <input name=a id=x>\n</form>",
    ] {
        let helped = edited(html, "a", &json!({"description": "Help"})).unwrap();
        assert_ne!(helped, html);
        assert_eq!(edited(&helped, "a", &cleared()).as_deref(), Ok(html));
    }
}

#[test]
fn the_element_of_cleared_help_stays_where_something_else_names_it_or_is_in_it() {
    let field = "<label>A <input name=a aria-describedby=h></label>";
    for (help, rest) in [
        ("<small id=h>@</small>", "<a href='#h'>?</a>"),
        (
            "<small id=h>@</small>",
            "<a href='#' data-bs-target='#h'>?</a>",
        ),
        (
            "<small id=h>@</small>",
            "<button type=button aria-controls='g h'>?</button>",
        ),
        (
            "<small id=h>@</small>",
            "<script>document.getElementById('h').hidden = true</script>",
        ),
        ("<small id=h>@</small>", "<style>#h { color: red }</style>"),
        ("<small id=h>@</small>", "<hr onclick=\"x('h')\">"),
        ("<small id=h>@<img src=x></small>", ""),
        ("<small id=h>@<!-- x --></small>", ""),
    ] {
        let html = format!("{field}{}{rest}", help.replace('@', "Help"));
        let expected = format!("{field}{}{rest}", help.replace('@', ""));
        assert_edits(&[(&html, "a", cleared(), &expected)]);
    }
    // Ids that are a part of others, and texts, name nothing.
    for rest in [
        "<a href='#h-2'>?</a>",
        "<hr class=h>",
        "<hr data-x=hh><u>h</u>",
    ] {
        let html = format!("{field}<small id=h>Help</small>{rest}");
        let expected = format!("<label>A <input name=a></label>{rest}");
        assert_edits(&[(&html, "a", cleared(), &expected)]);
    }
}
