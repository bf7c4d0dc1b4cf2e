//! Edits of options in place.

use crate::markup_edit::updated;
use serde_json::{Value, json};

#[test]
fn options_are_added_removed_and_changed_in_their_elements() {
    let select = "<form>\n<label>Size <select name=\"s\"><option class=\"grey\" value=\"\">Choose</option><option class=\"dark\" value=\"a\" data-price=\"5\">A</option><option value=\"b\" data-price=\"7\">B</option></select></label>\n<button>Send</button>\n</form>";
    let lines = "<label>S <select name=s>\n  <optgroup label=G>\n  <option data-k=1>One\n  <option data-k=2>Two\n  </optgroup>\n  <!-- mine -->\n</select></label>";
    let divs = "<fieldset class=x><legend>S</legend>\n<div class=form-check><input class=i type=radio name=s id=s1 value=a data-price=5 checked><label class=l for=s1>A</label></div>\n<div class=form-check><input class=i type=radio name=s id=s2 value=b><label class=l for=s2>B</label></div>\n</fieldset>";
    let flat = "<p>Which?<br><input type=checkbox name=s[] value=a> A<br><input type=checkbox name=s[] value=b> B</p>";
    let list = "<fieldset><legend>S</legend><ul><li><label><input type=radio name=s value=a> A</label></li><li><label><input type=radio name=s value=b> B</label></li></ul></fieldset>";
    let option = |pairs: &[&str]| -> Value {
        let pairs = pairs.iter().map(|pair| pair.split_once('=').unwrap());
        pairs
            .map(|(value, label)| json!({"value": value, "label": label}))
            .collect()
    };
    for (html, options, from, to) in [
        (
            select,
            &["a=A", "b=B", "c=C"][..],
            "B</option>",
            "B</option><option value=\"c\">C</option>",
        ),
        (
            select,
            &["a=A", "c=C & D", "b=B"],
            "A</option>",
            "A</option><option value=\"c\">C &amp; D</option>",
        ),
        (
            select,
            &["c=C", "a=A", "b=B"],
            "Choose</option>",
            "Choose</option><option value=\"c\">C</option>",
        ),
        (
            select,
            &["b=B"],
            "<option class=\"dark\" value=\"a\" data-price=\"5\">A</option>",
            "",
        ),
        (
            select,
            &["a=A"],
            "<option value=\"b\" data-price=\"7\">B</option>",
            "",
        ),
        (select, &["a=A", "b=Bee"], ">B<", ">Bee<"),
        (select, &["a=A", "x=B"], "value=\"b\"", "value=\"x\""),
        (
            select,
            &["b=B", "a=A"],
            "<option class=\"dark\" value=\"a\" data-price=\"5\">A</option><option value=\"b\" data-price=\"7\">B</option>",
            "<option value=\"b\" data-price=\"7\">B</option><option class=\"dark\" value=\"a\" data-price=\"5\">A</option>",
        ),
        (
            lines,
            &["One=One", "Two=Two", "3=Three"],
            "Two\n  </optgroup>",
            "Two\n  <option value=\"3\">Three</option></optgroup>",
        ),
        (lines, &["Two=Two"], "<option data-k=1>One\n  ", ""),
        (
            divs,
            &["a=A", "b=B", "c=C"],
            "B</label></div>",
            "B</label></div>\n<div class=form-check><input class=i type=radio name=s id=\"s2-2\" value=\"c\"><label class=l for=\"s2-2\">C</label></div>",
        ),
        (
            divs,
            &["a=A", "c=C", "b=B"],
            "A</label></div>",
            "A</label></div>\n<div class=form-check><input class=i type=radio name=s id=\"s1-2\" value=\"c\"><label class=l for=\"s1-2\">C</label></div>",
        ),
        (
            divs,
            &["a=A"],
            "\n<div class=form-check><input class=i type=radio name=s id=s2 value=b><label class=l for=s2>B</label></div>",
            "",
        ),
        (divs, &["a=A", "b=Bee"], ">B<", ">Bee<"),
        (
            flat,
            &["a=A", "b=B", "c=C"],
            "B</p>",
            "B<br><input type=checkbox name=s[] value=\"c\"> C</p>",
        ),
        (
            flat,
            &["b=B"],
            "<input type=checkbox name=s[] value=a> A<br>",
            "",
        ),
        (
            list,
            &["a=A", "b=B", "c=C"],
            "B</label></li>",
            "B</label></li><li><label><input type=radio name=s value=\"c\"> C</label></li>",
        ),
        (
            list,
            &["b=B"],
            "<li><label><input type=radio name=s value=a> A</label></li>",
            "",
        ),
    ] {
        let members = json!({"options": option(options)});
        let members = match html == divs && !options.contains(&"a=A") {
            true => json!({"options": option(options), "default_value": ""}),
            false => members,
        };
        let done = updated(html, "s", &members);
        assert_eq!(done, Ok(html.replace(from, to)), "{members}");
    }
}
