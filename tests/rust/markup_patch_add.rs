//! Adding fields to the author's HTML: where they stand, and that nothing else changes.

use cf_forms::forms::Field;
use cf_forms::forms::edit::{add_field, asked_position};
use cf_forms::markup::{Patched, added, parse};
use serde_json::{Value, json};

/// The HTML with a field added in place, or why it cannot be.
fn with(html: &str, body: &Value) -> Result<Patched, String> {
    let schema = parse(html).unwrap().schema;
    let (_, field) = add_field(&schema, body).unwrap();
    let patched = added(html, &field, asked_position(body, &field));
    let patched = patched.map_err(|why| why.to_string())?;
    assert_eq!(parse(&patched.markup).unwrap().schema, patched.schema);
    Ok(patched)
}

/// The new field `n` as `@` where it stands.
fn place(html: &str, members: &Value) -> Result<String, String> {
    let mut body = json!({"name": "n", "type": "text", "label": "New"});
    for (name, value) in members.as_object().unwrap() {
        body[name] = value.clone();
    }
    let markup = with(html, &body)?.markup;
    let (before, own) = markup.split_once("<div class=\"cf-field").unwrap();
    let (_, behind) = own.split_once("</div>").unwrap();
    Ok(format!("{before}@{behind}"))
}

fn names(fields: &[Field]) -> Vec<&str> {
    fields.iter().map(|field| field.name.as_str()).collect()
}

#[test]
fn a_new_field_stands_before_the_button_that_sends_and_not_behind_it() {
    for (html, expected) in [
        (
            "<form>\n  <p><label>A <input name=a></label></p>\n  <p class=actions>\n    <button>Send</button> <a href=/>Back</a>\n  </p>\n</form>\n<script>x()</script>",
            "<form>\n  <p><label>A <input name=a></label></p>\n  @\n  <p class=actions>\n    <button>Send</button> <a href=/>Back</a>\n  </p>\n</form>\n<script>x()</script>",
        ),
        // A text before the button stays with it.
        (
            "<label>A <input name=a></label>\n<p>We read it.</p>\n<input type=submit>",
            "<label>A <input name=a></label>\n@\n<p>We read it.</p>\n<input type=submit>",
        ),
        (
            "<label for=a>A</label> <input id=a name=a> <small>Help</small>\n<script>x()</script>",
            "<label for=a>A</label> <input id=a name=a> <small>Help</small>\n@\n<script>x()</script>",
        ),
        (
            "Name: <input name=a><br>\n<button>Go</button>",
            "Name: <input name=a><br>\n@\n<button>Go</button>",
        ),
        (
            "<h2>Title</h2><button>Go</button>",
            "<h2>Title</h2>@\n<button>Go</button>",
        ),
        ("<button>Go</button>", "@\n<button>Go</button>"),
        ("<form></form>", "<form>@\n</form>"),
        ("", "@\n"),
        // What is hidden asks for nothing.
        (
            "<div><input name=a aria-label=A></div><div><button>Go</button></div><input type=hidden name=t>",
            "<div><input name=a aria-label=A></div>@\n<div><button>Go</button></div><input type=hidden name=t>",
        ),
        (
            "<ul>\n <li><label>A <input name=a></label>\n <li><label>B <input name=b></label>\n <li><button>Go</button>\n</ul>",
            "<ul>\n <li><label>A <input name=a></label>\n <li><label>B <input name=b></label>\n <li>\n@\n</li>\n <li><button>Go</button>\n</ul>",
        ),
        (
            "<table><tr><td>A</td><td><input type=radio name=a value=1> 1</td></tr>\n<tr><td></td><td><button>Go</button></td></tr></table>",
            "<table><tr><td>A</td><td><input type=radio name=a value=1> 1</td></tr>\n<tr><td colspan=\"2\">\n@\n</td></tr>\n<tr><td></td><td><button>Go</button></td></tr></table>",
        ),
        (
            "<fieldset><legend>F</legend><label>A <input name=a></label></fieldset><p><button>Go</button></p>",
            "<fieldset><legend>F</legend><label>A <input name=a></label></fieldset>@\n<p><button>Go</button></p>",
        ),
        (
            "<fieldset><legend>S</legend>\n <label><input type=radio name=s value=1>1</label></fieldset>\n<!-- end -->",
            "<fieldset><legend>S</legend>\n <label><input type=radio name=s value=1>1</label></fieldset>\n@\n<!-- end -->",
        ),
    ] {
        assert_eq!(place(html, &json!({})).as_deref(), Ok(expected), "{html}");
    }
}

#[test]
fn a_new_field_of_a_group_stands_last_in_its_step_or_fieldset() {
    let steps = "<form><section data-step=who><h2>You</h2><p><label>A <input name=a></label></p><button type=button class=next>On</button></section><section data-step=what><p><label>B <input name=b></label></p><p><button>Go</button></p></section></form>";
    for (group, expected) in [
        (
            "who",
            steps.replace("</p><button type", "</p>\n@<button type"),
        ),
        ("what", steps.replace("<p><button>", "@\n<p><button>")),
    ] {
        let placed = place(steps, &json!({"group": group}));
        assert_eq!(placed, Ok(expected), "{group}");
    }
    let body = json!({"name": "n", "type": "text", "group": "who"});
    let schema = with(steps, &body).unwrap().schema;
    assert_eq!(names(&schema.fields), ["a", "n", "b", "submit"]);
    let steps_of = schema.layout.steps.unwrap();
    assert_eq!(steps_of[0].fields, ["a", "n"]);

    // Without a group it belongs to the step of its place.
    let patched = with(steps, &json!({"name": "n", "type": "text"})).unwrap();
    assert_eq!(
        patched.schema.field("n").unwrap().group.as_deref(),
        Some("what")
    );

    for (html, group, expected) in [
        (
            "<fieldset id=f><legend>F</legend>\n<label>A <input name=a></label>\n</fieldset><label>B <input name=b></label><button>Go</button>",
            "f",
            "<fieldset id=f><legend>F</legend>\n<label>A <input name=a></label>\n@\n</fieldset><label>B <input name=b></label><button>Go</button>",
        ),
        (
            "<fieldset id=f><legend>F</legend></fieldset><button>Go</button>",
            "f",
            "<fieldset id=f><legend>F</legend>\n@</fieldset><button>Go</button>",
        ),
        (
            "<div data-step=one></div><div data-step=two><input name=a aria-label=A></div>",
            "one",
            "<div data-step=one>\n@</div><div data-step=two><input name=a aria-label=A></div>",
        ),
        (
            "<label>A <input name=a></label><button>Go</button>",
            "own",
            "<label>A <input name=a></label><section class=\"cf-step\" data-cf-group=\"own\">\n@\n</section>\n<button>Go</button>",
        ),
    ] {
        let placed = place(html, &json!({"group": group}));
        assert_eq!(placed.as_deref(), Ok(expected), "{html}");
    }
}

#[test]
fn a_new_field_with_a_position_stands_before_the_field_that_has_it() {
    let html = "<form>\n<div><label for=a>A</label><input id=a name=a></div>\n<div><label for=b>B</label><input id=b name=b></div>\n<button>Go</button>\n</form>";
    for (position, expected) in [
        (
            0,
            html.replace("<div><label for=a>", "@\n<div><label for=a>"),
        ),
        (
            1,
            html.replace("<div><label for=b>", "@\n<div><label for=b>"),
        ),
        (2, html.replace("<button>", "@\n<button>")),
        // Behind the last it stands before the button that sends.
        (3, html.replace("<button>", "@\n<button>")),
        (9, html.replace("<button>", "@\n<button>")),
    ] {
        let placed = place(html, &json!({"position": position}));
        assert_eq!(placed, Ok(expected), "{position}");
    }
    let loose = "Mail: <input name=a><br>\nName: <input name=b><br>";
    let placed = place(loose, &json!({"position": 1}));
    assert_eq!(placed, Ok(loose.replace("Name:", "@\nName:")));
}

#[test]
fn only_a_button_or_a_text_with_a_position_behind_all_stands_behind_the_button_that_sends() {
    let form = "<form>\n<label>A <input name=a></label>\n<button>Go</button>\n</form>";
    for kind in ["submit", "heading", "paragraph", "divider"] {
        let body = json!({"name": "n", "type": kind, "label": "N", "position": 2});
        let added = with(form, &body).unwrap();
        assert!(
            added
                .markup
                .starts_with(form.strip_suffix("\n</form>").unwrap())
        );
    }
    for (html, expected) in [
        (
            "<label>A <input name=a></label><button name=b value=1>Save</button><p>Or</p><button>Go</button><p>Bye</p>",
            "<label>A <input name=a></label>@\n<button name=b value=1>Save</button><p>Or</p><button>Go</button><p>Bye</p>",
        ),
        (
            "<p>Text</p><button>Go</button>",
            "<p>Text</p>@\n<button>Go</button>",
        ),
        // What asks for an answer stands behind the button already.
        (
            "<button>Go</button><label>A <input name=a></label>",
            "<button>Go</button><label>A <input name=a></label>\n@",
        ),
        (
            "<label>A <input name=a></label><p>Bye</p>",
            "<label>A <input name=a></label><p>Bye</p>\n@",
        ),
    ] {
        let placed = place(html, &json!({"position": 99}));
        assert_eq!(placed.as_deref(), Ok(expected), "{html}");
    }
}

#[test]
fn a_field_that_has_no_place_in_the_markup_is_not_added_and_it_is_said_why() {
    let html = "<p>Name: <input name=a> <button>Go</button></p>";
    assert_eq!(
        place(html, &json!({})),
        Err("the field `n` cannot be added in place: its place is within a line of text, a row of a table or a list of terms".to_owned())
    );
}

#[test]
fn a_new_field_of_a_group_whose_last_line_holds_two_controls_is_not_put_outside_its_fieldset() {
    let html = "<fieldset><legend>One</legend><p>A / B<br><input name=a> <input name=b></p></fieldset><fieldset><legend>Two</legend><p><label>C <input name=c></label></p></fieldset><p><button>Go</button></p>";
    assert_eq!(
        place(html, &json!({"group": "one"})),
        Ok(html.replacen("</fieldset>", "\n@</fieldset>", 1))
    );
    // Never behind the button that sends.
    let step = "<section data-step=one><p>A / B<br><input name=a> <input name=b> <button>Go</button></p></section>";
    assert!(place(step, &json!({"group": "one"})).is_err());
}

#[test]
fn a_new_field_of_the_last_step_is_not_put_between_previous_and_submit() {
    for buttons in [
        "<button type=button>Previous</button>\n<button>Go</button>",
        "<input type=reset> <button type=BUTTON><b>Previous</b></button> <input type=submit>",
    ] {
        let html = format!(
            "<section data-step=one><p><label>A <input name=a></label></p></section><section data-step=two><p><label>B <input name=b></label></p>{buttons}</section>"
        );
        let expected = html.replace(buttons, &format!("@\n{buttons}"));
        assert_eq!(place(&html, &json!({"group": "two"})), Ok(expected.clone()));
        assert_eq!(place(&html, &json!({})), Ok(expected));
    }
    // A button that sends too is a field of its own.
    let both =
        "<label>A <input name=a></label><button name=b value=1>Save</button> <button>Go</button>";
    let placed = place(both, &json!({"position": 2}));
    assert_eq!(placed, Ok(both.replace("<button>", "@\n<button>")));
}

#[test]
fn a_new_field_in_a_table_of_two_columns_has_its_label_and_control_in_cells() {
    let rows = "<table class=t>\n<tr class=odd><td align=right><b>Name</b> *:</td><td><input name=a size=20 required></td></tr>\n<tr><td></td><td><button>Go</button></td></tr></table>";
    let body = json!({"name": "n", "type": "email", "label": "Mail & more"});
    let added = with(rows, &body).unwrap();
    let own = "<tr class=odd><td align=right><b>Mail &amp; more</b> :</td><td><input type=\"email\" id=\"cf-n\" name=\"n\"></td></tr>\n";
    assert_eq!(
        added.markup,
        rows.replace("<tr><td></td>", &format!("{own}<tr><td></td>"))
    );
    // With the star where it is required too.
    let body = json!({"name": "n", "type": "select", "label": "Size", "required": true, "options": ["1"], "description": "Help"});
    let added = with(rows, &body).unwrap();
    assert!(
        added
            .markup
            .contains("<td align=right><b>Size</b> *:</td><td><select "),
        "{}",
        added.markup
    );
    assert!(
        added
            .markup
            .contains("</select> <small id=\"cf-n--description\">Help</small></td></tr>"),
        "{}",
        added.markup
    );
}

#[test]
fn a_new_field_among_those_of_a_framework_has_their_elements_and_classes() {
    let html = "<form>\n  <div class=\"mb-3\">\n    <label for=\"a\" class=\"form-label\">A</label>\n    <input class=\"form-control\" id=\"a\" name=\"a\" data-x=1>\n  </div>\n  <div class=\"mb-3\">\n    <label for=\"s\" class=\"form-label\">S</label>\n    <select class=\"form-select\" id=\"s\" name=\"s\"><option>1</option></select>\n  </div>\n  <button class=\"btn\">Go</button>\n</form>";
    let body = json!({"name": "n", "type": "text", "label": "New"});
    let added = with(html, &body).unwrap();
    let own = "<div class=\"mb-3\">\n    <label for=\"cf-n\" class=\"form-label\">New</label>\n    <input type=\"text\" class=\"form-control\" id=\"cf-n\" name=\"n\">\n  </div>\n  ";
    assert_eq!(
        added.markup,
        html.replace("<button", &format!("{own}<button"))
    );
    assert_eq!(added.schema.field("n").unwrap().css_class, "form-control");
    let wrapped = "<label class=\"l\">A <input name=a></label>\n<button>Go</button>";
    let added = with(wrapped, &body).unwrap();
    assert!(
        added.markup.contains("<label class=\"l\">New <input "),
        "{}",
        added.markup
    );
    // A class of its own is not another's.
    let body = json!({"name": "n", "type": "text", "label": "New", "css_class": "own"});
    let added = with(html, &body).unwrap();
    assert_eq!(added.schema.field("n").unwrap().css_class, "own");
}

#[test]
fn a_new_field_is_not_made_like_a_spam_trap_that_visitors_do_not_see() {
    let plain = "<form><p><label>Mail <input name=mail></label></p>@<button>Go</button></form>";
    let framed = plain.replace("<p>", "<p class=row>");
    for trap in [
        "<div class=\"hp\" hidden><label>Leave this empty</label><input name=website></div>",
        "<div class=hp style=\"position:absolute;left:-9999px\" aria-hidden=\"true\"><label>Leave this empty</label><input name=website></div>",
        "<div class=hp style=\"Display: none\"><label>Leave this empty</label><input name=website></div>",
        "<div class=\"row d-none\"><label>Leave this empty</label><input name=website></div>",
        "<div class=hp><label>Leave this empty</label><input name=website tabindex=-1></div>",
        "<div class=hp><label>Leave this empty</label><input name=website autocomplete=off></div>",
        "<div class=hp><label>Leave this empty</label><input name=website style=\"visibility:hidden\"></div>",
        "<div class=hp><label>Leave this empty</label><span hidden><input name=website></span></div>",
    ] {
        let html = plain.replace('@', trap);
        let expected = plain.replace('@', &format!("{trap}@\n"));
        assert_eq!(place(&html, &json!({})), Ok(expected), "{trap}");
        // It looks as one that is seen.
        let html = framed.replace('@', trap);
        let body = json!({"name": "n", "type": "text", "label": "New", "required": true});
        let own = "<p class=row><label>New <input type=\"text\" id=\"cf-n\" name=\"n\" required></label></p>";
        let expected = framed.replace('@', &format!("{trap}{own}\n"));
        assert_eq!(
            with(&html, &body).map(|done| done.markup),
            Ok(expected),
            "{trap}"
        );
    }
}

#[test]
fn a_new_field_does_not_run_its_neighbours_script_a_second_time() {
    for own in [
        "<div class=r><label>A</label><input name=a><script>x()</script></div>",
        "<div class=r onclick=x()><label>A</label><input name=a></div>",
        "<div class=r><label>A</label><input name=a><img src=x></div>",
        "<div class=r><label>A</label><input name=a><svg></svg></div>",
        "<div class=r><label>A</label><input name=a><iframe src=x></iframe></div>",
        "<div class=r><label>A</label><input name=a><x-picker></x-picker></div>",
        "<div class=r data-vue-if=a><label>A</label><input name=a></div>",
        "<div class=r style=\"background:url(x)\"><label>A</label><input name=a></div>",
        "<div class=r><label>A</label><input name=a><span data-for=a></span></div>",
        "<div class=r><label for=a>A</label><input name=a id=a><label for=a class=error></label></div>",
        "<div class=r><label>A</label><input name=a><!-- n --></div>",
    ] {
        let html = format!("{own}<button>Go</button>");
        let expected = format!("{own}@\n<button>Go</button>");
        assert_eq!(place(&html, &json!({})), Ok(expected), "{own}");
    }
}
