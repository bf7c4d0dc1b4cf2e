//! Renaming and deleting fields that conditions of the author's HTML are about.

use cf_forms::forms::edit::{delete_field, update_field};
use cf_forms::markup::{Change, parse, patched};
use serde_json::json;

fn renamed(html: &str) -> Result<String, String> {
    let schema = parse(html).unwrap().schema;
    let (wanted, field) = update_field(&schema, "t", &json!({"name": "t2"})).unwrap();
    let change = Change::Update(schema.field("t").unwrap(), &field);
    let patched = patched(html, change, &wanted);
    patched
        .map(|done| done.markup)
        .map_err(|why| why.to_string())
}

fn deleted(html: &str) -> Result<String, String> {
    let schema = parse(html).unwrap().schema;
    let (wanted, field) = delete_field(&schema, "t", true).unwrap();
    let patched = patched(html, Change::Remove(&field), &wanted);
    patched
        .map(|done| done.markup)
        .map_err(|why| why.to_string())
}

const SELECT: &str = "<p><label>T <select name=t><option>x<option>y</select></label></p>";

#[test]
fn a_field_that_conditions_are_about_is_renamed_in_place_with_them() {
    for (said, expected) in [
        ("data-show-if=\"t=x\"", "data-show-if=\"t2=x\""),
        ("data-hide-if='t : x|y'", "data-hide-if='t2 : x|y'"),
        ("DATA-SHOW-IF=t", "DATA-SHOW-IF=t2"),
        ("data-show-if='u=t'", "data-show-if='u=t'"),
        (
            "data-cf-conditions='[{\"any\":[{\"field\":\"t\",\"operator\":\"equals\",\"value\":\"x\"},{\"field\":\"u\",\"operator\":\"is_empty\"}]}]'",
            "data-cf-conditions='[{&quot;",
        ),
    ] {
        let of = |said: &str| {
            format!(
                "{SELECT}<input name=u aria-label=U><div {said}><p><label>E <input name=e></label></p><label>F <input name=f></label></div>"
            )
        };
        let done = renamed(&of(said));
        if said.contains("cf-conditions") {
            let done = done.unwrap();
            assert!(done.contains("&quot;field&quot;:&quot;t2&quot;"), "{done}");
            assert!(done.contains("&quot;field&quot;:&quot;u&quot;"), "{done}");
            continue;
        }
        let expected = of(expected).replace("<select name=t>", "<select name=t2>");
        assert_eq!(done, Ok(expected), "{said}");
    }
    let boxes = "<fieldset><legend>T</legend><label><input type=checkbox name=t[] value=x> x</label><label><input type=checkbox name=t[] value=y> y</label></fieldset><label data-show-if='t[]=x'>E <input name=e></label>";
    let expected = boxes
        .replace("name=t[]", "name=\"t2[]\"")
        .replace("'t[]", "'t2[]");
    assert_eq!(renamed(boxes), Ok(expected));
}

#[test]
fn a_field_that_is_deleted_with_force_leaves_no_condition_about_it_in_the_markup() {
    let e = "<label>E <input name=e></label>";
    for (said, left) in [
        (" data-show-if=\"t=x\"", ""),
        (" class=c data-hide-if=t", " class=c"),
        (
            " data-cf-conditions='[{\"field\":\"t\",\"operator\":\"is_empty\"}]'",
            "",
        ),
        (" data-show-if='u=t'", " data-show-if='u=t'"),
    ] {
        let u = "<p><label>U <input name=u></label></p>";
        let html = format!("{SELECT}{u}<p{said}>{e}</p>");
        assert_eq!(deleted(&html), Ok(format!("{u}<p{left}>{e}</p>")), "{said}");
    }
}

#[test]
fn an_attribute_said_very_often_is_taken_away_as_one() {
    let html = format!(
        "{SELECT}<p {}><label>E <input name=e></label></p>",
        "data-show-if=t ".repeat(4000)
    );
    let left = deleted(&html).unwrap();
    assert!(!left.contains("data-show-if"), "{}", left.len());
}
