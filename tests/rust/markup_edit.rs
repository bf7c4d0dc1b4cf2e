//! Edits of fields in the author's HTML, which change nothing else.

use markup::{Change, added, parse, patched};
use model::edit::{add_field, delete_field, requested_position, update_field};
use serde_json::{Value, json};

/// Updates a field in place; returns the HTML, or the reason why that is impossible.
pub fn updated(html: &str, name: &str, members: &Value) -> Result<String, String> {
    let schema = parse(html).unwrap().schema;
    let (wanted, field) = update_field(&schema, name, members).unwrap();
    let before = schema.field(name).unwrap();
    let done = patched(html, Change::Update(before, &field), &wanted);
    let done = done.map_err(|why| why.to_string())?;
    assert_eq!(done.schema, wanted, "{html}\n{}", done.markup);
    Ok(done.markup)
}

fn deleted(html: &str, name: &str) -> Result<String, String> {
    let schema = parse(html).unwrap().schema;
    let (wanted, field) = delete_field(&schema, name, true).unwrap();
    let done = patched(html, Change::Remove(&field), &wanted);
    done.map(|done| done.markup).map_err(|why| why.to_string())
}

/// Adds the field `n`; returns the HTML with `@` in its place.
fn with_new(html: &str, members: &Value) -> Result<String, String> {
    let mut body = json!({"name": "n", "type": "text", "label": "New"});
    for (name, value) in members.as_object().unwrap() {
        body[name] = value.clone();
    }
    let schema = parse(html).unwrap().schema;
    let (_, field) = add_field(&schema, &body).unwrap();
    let done = added(html, &field, requested_position(&body, &field));
    let markup = done.map_err(|why| why.to_string())?.markup;
    let (before, added) = markup.split_once("<div class=\"cf-field").unwrap();
    let (_, behind) = added.split_once("</div>").unwrap();
    Ok(format!("{before}@{behind}"))
}

#[test]
fn an_edit_changes_only_its_tags_and_texts() {
    for (html, name, members, expected) in [
        (
            "<LABEL for=a>Your  name *</LABEL> <INPUT ID=a NAME='a' Required>",
            "a",
            json!({"label": "Full <name>"}),
            "<LABEL for=a>Full &lt;name&gt; *</LABEL> <INPUT ID=a NAME='a' Required>",
        ),
        (
            "<label>Name <b>*</b> <input name=a required></label>",
            "a",
            json!({"label": "Nickname"}),
            "<label>Nickname <b>*</b> <input name=a required></label>",
        ),
        (
            "<label>Name (required) <input name=a required></label>",
            "a",
            json!({"required": false}),
            "<label>Name <input name=a></label>",
        ),
        (
            "<p><label>\n  Age\n  <input\n    name=a type=number min=1></label>",
            "a",
            json!({"validation": {"min": 18, "max": 99}, "label": "Years"}),
            "<p><label>\n  Years\n  <input name=a type=number min=\"18\" max=\"99\"></label>",
        ),
        (
            "<input name=a aria-label=Old value='x' data-k=v>",
            "a",
            json!({"label": "New", "default_value": "it's \"y\"", "attributes": {"data-l": "w"}}),
            "<input name=a aria-label=\"New\" value=\"it's &quot;y&quot;\" data-l=\"w\">",
        ),
        (
            "<input name=a id=i><label for=i>A</label>",
            "a",
            json!({"name": "b", "type": "email", "css_class": "wide", "placeholder": "p"}),
            "<input name=\"b\" id=i type=\"email\" placeholder=\"p\" class=\"wide\"><label for=i>A</label>",
        ),
        (
            "<label>T<textarea name=a rows=3>\nold</textarea></label>",
            "a",
            json!({"default_value": "<new>\n"}),
            "<label>T<textarea name=a rows=3>&lt;new&gt;\n</textarea></label>",
        ),
        (
            "<label>S <select name=a>\n  <option value=1>One\n  <option>Two</option>\n</select></label>",
            "a",
            json!({"options": [{"value": "1", "label": "First"}, {"value": "2", "label": "Two"}]}),
            "<label>S <select name=a>\n  <option value=1>First\n  <option value=\"2\">Two</option>\n</select></label>",
        ),
        (
            "<label>S <select name=a><option>One<option>Two</select></label>",
            "a",
            json!({"options": ["Three"]}),
            "<label>S <select name=a>\n<option value=\"Three\">Three</option>\n</select></label>",
        ),
        (
            "<fieldset><legend>Size</legend><label><input type=radio name=s value=1> Small</label> <label><input type=radio name=s value=2 checked> Big</label></fieldset>",
            "s",
            json!({"label": "How big", "options": [{"value": "1", "label": "Tiny"}, {"value": "2", "label": "Big"}], "default_value": "1", "required": true}),
            "<fieldset data-cf-required=\"\"><legend>How big</legend><label><input type=radio name=s value=1 checked=\"\" required=\"\"> Tiny</label> <label><input type=radio name=s value=2 required=\"\"> Big</label></fieldset>",
        ),
        (
            "<label>A<input name=a aria-describedby=h></label><small id=h>Old help</small>",
            "a",
            json!({"description": "New & old"}),
            "<label>A<input name=a aria-describedby=h></label><small id=h>New &amp; old</small>",
        ),
        (
            "<input name=z aria-label=Z><label>A<input name=a data-show-if='z=1'></label>",
            "a",
            json!({"conditions": []}),
            "<input name=z aria-label=Z><label>A<input name=a></label>",
        ),
        (
            "<input name=z aria-label=Z><p data-hide-if='z:1'><label>A<input name=a></label></p>",
            "z",
            json!({"name": "y"}),
            "<input name=\"y\" aria-label=Z><p data-hide-if=\"y:1\"><label>A<input name=a></label></p>",
        ),
        (
            "<h3 class=x>Old</h3><button class=y>Go</button>",
            "heading-1",
            json!({"label": "New"}),
            "<h3 class=x>New</h3><button class=y>Go</button>",
        ),
        (
            "<fieldset><legend>Trip</legend><label>City <input name=city></label><p>Size</p><label><input type=radio name=size value=s> S</label><label><input type=radio name=size value=m> M</label></fieldset>",
            "size",
            json!({"name": "room"}),
            "<fieldset><legend>Trip</legend><label>City <input name=city></label><p>Size</p><label><input type=radio name=\"room\" value=s> S</label><label><input type=radio name=\"room\" value=m> M</label></fieldset>",
        ),
        (
            "<label><input type=checkbox name=agree required> I agree to the terms and conditions of use</label>",
            "agree",
            json!({"name": "terms"}),
            "<label><input type=checkbox name=\"terms\" required> I agree to the terms and conditions of use</label>",
        ),
        (
            "<button name=go>Send</button>",
            "go",
            json!({"name": "send"}),
            "<button name=\"send\">Send</button>",
        ),
        (
            "<fieldset><legend>Where</legend><input type=radio id=g name=w value=g data-cf-image=/g.png><label for=g><img alt='' src=/g.png>Garden</label><input type=radio id=h name=w value=h data-cf-image=/h.png><label for=h><img alt='' src=/h.png>House</label></fieldset>",
            "w",
            json!({"options": [{"value": "g", "label": "Park", "image": "/g.png"}, {"value": "h", "label": "House", "image": "/h.png"}]}),
            "<fieldset><legend>Where</legend><input type=radio id=g name=w value=g data-cf-image=/g.png><label for=g><img alt='' src=/g.png>Park</label><input type=radio id=h name=w value=h data-cf-image=/h.png><label for=h><img alt='' src=/h.png>House</label></fieldset>",
        ),
    ] {
        let done = updated(html, name, &members);
        assert_eq!(done.as_deref(), Ok(expected), "{html}\n{members}");
    }
}

#[test]
fn a_new_description_follows_the_control_which_references_it() {
    for (html, expected) in [
        (
            "<div class=f><label for=a>A</label><div class=input-group><span>€</span><input id=a name=a></div>\n</div>",
            "<div class=f><label for=a>A</label><div class=input-group><span>€</span><input id=a name=a aria-describedby=\"a-help\"></div><small id=\"a-help\">Why &amp; how</small>\n</div>",
        ),
        (
            "<label>A <input name=a></label> <label>B <input name=b></label>",
            "<label>A <input name=a aria-describedby=\"a-help\"></label><small id=\"a-help\">Why &amp; how</small> <label>B <input name=b></label>",
        ),
        (
            "<p><label>A <input name=a aria-describedby=e></label><span id=e></span></p><i id=a-help></i>",
            "<p><label>A <input name=a aria-describedby=\"e a-help-2\"></label><span id=e></span><small id=\"a-help-2\">Why &amp; how</small></p><i id=a-help></i>",
        ),
        (
            "<fieldset><legend>A</legend><label><input type=radio name=a value=1>1</label><label><input type=radio name=a value=2>2</label></fieldset>",
            "<fieldset aria-describedby=\"a-help\"><legend>A</legend><small id=\"a-help\">Why &amp; how</small><label><input type=radio name=a value=1>1</label><label><input type=radio name=a value=2>2</label></fieldset>",
        ),
        (
            "<table><tr><td><label for=a>A</label><td><select id=a name=a><option>1</select></table>",
            "<table><tr><td><label for=a>A</label><td><select id=a name=a aria-describedby=\"a-help\"><option>1</select><small id=\"a-help\">Why &amp; how</small></table>",
        ),
    ] {
        let done = updated(html, "a", &json!({"description": "Why & how"}));
        assert_eq!(done.as_deref(), Ok(expected), "{html}");
    }
}

#[test]
fn an_edit_that_is_impossible_in_place_is_rejected_with_a_reason() {
    for (html, name, members, reason) in [
        (
            "<label>A<input name=a></label>",
            "a",
            json!({"type": "textarea"}),
            "`type` of the field `a` cannot be edited in place: it needs another element",
        ),
        (
            "<label>A<input name=a></label><label>B<input name=b></label>",
            "a",
            json!({"position": 1}),
            "`position` of the field `a` cannot be edited in place: fields are not moved in the markup",
        ),
        (
            "<label>Name <b>*</b> <input name=a required></label>",
            "a",
            json!({"required": false}),
            "`label` of the field `a` cannot be edited in place: the markup has no single text for it",
        ),
        (
            "<label>A <b>and</b> B<input name=a></label>",
            "a",
            json!({"label": "C"}),
            "`label` of the field `a` cannot be edited in place: the markup has no single text for it",
        ),
        (
            "<input name=a aria-labelledby=l><input name=b aria-labelledby=l><i id=l>A</i>",
            "a",
            json!({"label": "C"}),
            "the field `a` cannot be edited in place: another field or step would be added, removed or changed",
        ),
        (
            "<fieldset><legend>S</legend><label><input type=radio name=s value=1>1</label><label><input type=radio name=s value=2>2</label></fieldset>",
            "s",
            json!({"options": ["3"]}),
            "`options` of the field `s` cannot be edited in place: the markup cannot hold them",
        ),
    ] {
        assert_eq!(
            updated(html, name, &members),
            Err(reason.to_owned()),
            "{html}"
        );
    }
}

#[test]
fn a_deleted_field_takes_its_label_and_empty_wrappers_with_it() {
    let rest = "<p><input name=rest></p>";
    for (field, left) in [
        ("<div><label for=n>A</label><input id=n name=n></div>", ""),
        ("<p><label>A <input name=n></label></p>", ""),
        (
            "<section><div><label>A <input name=n></label></div></section>",
            "",
        ),
        (
            "<div><label for=n>A</label><input id=n name=n><small>Help</small></div>",
            "",
        ),
        (
            "<fieldset><legend>S</legend><label><input type=radio name=n value=1>1</label><label><input type=radio name=n value=2>2</label></fieldset>",
            "",
        ),
        (
            "<section><h2>H</h2><label>A <input name=n></label></section>",
            "<section><h2>H</h2></section>",
        ),
        (
            "<section data-step=one><label>A <input name=n></label></section>",
            "<section data-step=one></section>",
        ),
        (
            "<div><img src=x><label>A <input name=n></label></div>",
            "<div><img src=x></div>",
        ),
    ] {
        let html = format!("{field}{rest}");
        assert_eq!(deleted(&html, "n"), Ok(format!("{left}{rest}")), "{html}");
    }
    let html = "<p>Hello <label for=a>A</label><input id=a name=a></p>";
    let reason = "the field `a` cannot be deleted in place: another field or step would be added, removed or changed";
    assert_eq!(deleted(html, "a"), Err(reason.to_owned()));
    let html = "<input name=z aria-label=Z><p data-show-if='z=1'><input name=a aria-label=A></p>";
    assert_eq!(
        deleted(html, "z").as_deref(),
        Ok("<p><input name=a aria-label=A></p>")
    );
}

#[test]
fn a_new_field_goes_before_the_submit_button() {
    for (html, members, expected) in [
        (
            "<form>\n  <p><label>A <input name=a></label></p>\n  <p class=actions>\n    <button>Send</button> <a href=/>Back</a>\n  </p>\n</form>",
            json!({}),
            "<form>\n  <p><label>A <input name=a></label></p>\n  @\n  <p class=actions>\n    <button>Send</button> <a href=/>Back</a>\n  </p>\n</form>",
        ),
        ("<button>Go</button>", json!({}), "@\n<button>Go</button>"),
        ("<form></form>", json!({}), "<form>@\n</form>"),
        ("", json!({}), "@\n"),
        (
            "<ul><li><label>A <input name=a></label></li><li><button>Go</button></li></ul>",
            json!({}),
            "<ul><li><label>A <input name=a></label></li><li>\n@\n</li>\n<li><button>Go</button></li></ul>",
        ),
        (
            "<p><label>A <input name=a></label></p>\n<p><label>B <input name=b></label></p>",
            json!({"position": 1}),
            "<p><label>A <input name=a></label></p>\n@\n<p><label>B <input name=b></label></p>",
        ),
        (
            "<section data-step=one><p><label>A <input name=a></label></p></section><section data-step=two><p><label>B <input name=b></label></p><button>Go</button></section>",
            json!({"group": "one"}),
            "<section data-step=one><p><label>A <input name=a></label></p>@\n</section><section data-step=two><p><label>B <input name=b></label></p><button>Go</button></section>",
        ),
        (
            "<fieldset name=f><legend>F</legend><p><label>A <input name=a></label></p></fieldset><button>Go</button>",
            json!({"group": "f"}),
            "<fieldset name=f><legend>F</legend><p><label>A <input name=a></label></p>@\n</fieldset><button>Go</button>",
        ),
    ] {
        assert_eq!(with_new(html, &members).as_deref(), Ok(expected), "{html}");
    }
    let html = "<p>Name: <input name=a> <button>Go</button></p>";
    assert!(with_new(html, &json!({"position": 0})).is_err());
}
