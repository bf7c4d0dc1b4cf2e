//! Filling a form's HTML with a visitor's answers and their faults.

use cf_forms::markup::{Filling, RenderOptions, fill, parse, render};

fn filled(html: &str, values: &[(&str, &[&str])], faults: &[(&str, &str)]) -> String {
    let values: Vec<(String, Vec<String>)> = values
        .iter()
        .map(|(name, values)| {
            let values = values.iter().map(|value| (*value).to_owned()).collect();
            ((*name).to_owned(), values)
        })
        .collect();
    let faults: Vec<(String, String)> = faults
        .iter()
        .map(|(name, message)| ((*name).to_owned(), (*message).to_owned()))
        .collect();
    fill(
        html,
        &Filling {
            values: &values,
            faults: &faults,
            instance: "",
            prefill: None,
        },
    )
}

#[test]
fn answers_are_filled_into_their_controls() {
    for (html, values, expected) in [
        (
            "<input name=a value=old>",
            &[("a", &["\"<&"][..])][..],
            "<input name=a value=\"&quot;&lt;&amp;\">",
        ),
        (
            "<input name=a value=old>",
            &[("a", &[""])],
            "<input name=a value=\"\">",
        ),
        ("<input name=a value=old>", &[], "<input name=a value=old>"),
        (
            "<input name=a class=>",
            &[("a", &["new"])],
            "<input name=a class value=\"new\">",
        ),
        (
            "<textarea name=a>old</textarea>x",
            &[("a", &["</textarea>\n"])],
            "<textarea name=a>&lt;/textarea&gt;\n</textarea>x",
        ),
        (
            "<textarea name=a></textarea>",
            &[("a", &["\nb"])],
            "<textarea name=a>\n\nb</textarea>",
        ),
        (
            "<textarea name=a>old",
            &[("a", &["new"])],
            "<textarea name=a>new",
        ),
        (
            "<input type=radio name=a value=1 checked><input type=radio name=a value=2>",
            &[("a", &["2"])],
            "<input type=radio name=a value=1><input type=radio name=a value=2 checked>",
        ),
        (
            "<input type=checkbox name=a checked>",
            &[],
            "<input type=checkbox name=a>",
        ),
        (
            "<input type=checkbox name=a>",
            &[("a", &["on"])],
            "<input type=checkbox name=a checked>",
        ),
        (
            "<input type=checkbox name=a[] value=1><input type=checkbox name=a[] value=2>",
            &[("a[]", &["1", "2"])],
            "<input type=checkbox name=a[] value=1 checked><input type=checkbox name=a[] value=2 checked>",
        ),
        (
            "<select name=s><option selected>One<option value=2>Two</select>",
            &[("s", &["2"])],
            "<select name=s><option>One<option value=2 selected>Two</select>",
        ),
        (
            "<select name=s><option> One &amp;\n more </select>",
            &[("s", &["One & more"])],
            "<select name=s><option selected> One &amp;\n more </select>",
        ),
        (
            "<select name=s[] multiple><option selected>1</select>",
            &[],
            "<select name=s[] multiple><option>1</select>",
        ),
        (
            "<input name=t[]><input name=t[]>",
            &[("t", &["x", "y"])],
            "<input name=t[] value=\"x\"><input name=t[] value=\"y\">",
        ),
        (
            "<input type=password name=a><input type=file name=b><input type=hidden name=c value=k>",
            &[("a", &["x"]), ("b", &["x"]), ("c", &["x"])],
            "<input type=password name=a><input type=file name=b><input type=hidden name=c value=k>",
        ),
        (
            "<input NAME='n[first]' data-x=\"y\">",
            &[("n[first]", &["A"])],
            "<input NAME='n[first]' data-x=\"y\" value=\"A\">",
        ),
        (
            "<template><input name=a></template><!-- <input name=a> -->",
            &[("a", &["x"])],
            "<template><input name=a></template><!-- <input name=a> -->",
        ),
    ] {
        // An attribute without a value is written with an empty one.
        let found = filled(html, values, &[])
            .replace("checked=\"\"", "checked")
            .replace("selected=\"\"", "selected");
        assert_eq!(found, expected, "{html}");
    }
}

#[test]
fn faults_are_shown_beside_their_controls() {
    for (html, expected) in [
        (
            "<input name=a>",
            "<input name=a aria-invalid=\"true\" aria-describedby=\"cf-a--error\"><p class=\"cf-error\" id=\"cf-a--error\">Wrong &lt;</p>",
        ),
        (
            "<p><label>A <input name=a aria-describedby=h></label></p>",
            "<p><label>A <input name=a aria-describedby=\"h cf-a--error\" aria-invalid=\"true\"></label><span class=\"cf-error\" id=\"cf-a--error\">Wrong &lt;</span></p>",
        ),
        (
            "<div><select name=a></select></div>",
            "<div><select name=a aria-invalid=\"true\" aria-describedby=\"cf-a--error\"></select><p class=\"cf-error\" id=\"cf-a--error\">Wrong &lt;</p></div>",
        ),
        (
            "<textarea name=a>x</textarea>",
            "<textarea name=a aria-invalid=\"true\" aria-describedby=\"cf-a--error\">x</textarea><p class=\"cf-error\" id=\"cf-a--error\">Wrong &lt;</p>",
        ),
    ] {
        assert_eq!(filled(html, &[], &[("a", "Wrong <")]), expected);
    }
}

/// Checks the same as `faults_are_shown_beside_their_controls` for checkboxes. Their tags change only by the attributes
/// that mark a fault.
#[test]
fn the_message_about_a_single_checkbox_follows_its_label() {
    let marks = "aria-invalid=\"true\" aria-describedby=\"cf-a--error\"";
    let error_element =
        |element: &str| format!("<{element} class=\"cf-error\" id=\"cf-a--error\">No</{element}>");
    let (line, phrase) = (error_element("p"), error_element("span"));
    for (html, expected) in [
        (
            "<div><input type=checkbox name=a><label for=x>A</label><p>Help</p></div>",
            format!(
                "<div><input type=checkbox name=a {marks}><label for=x>A</label>{line}<p>Help</p></div>"
            ),
        ),
        (
            "<p><label><input type=checkbox name=a> A</label></p>",
            format!("<p><label><input type=checkbox name=a {marks}> A</label>{phrase}</p>"),
        ),
        (
            "<p><input type=checkbox name='a'> I <a href=x>agree</a>.<br>Next</p>",
            format!(
                "<p><input type=checkbox name='a' {marks}> I <a href=x>agree</a>.{phrase}<br>Next</p>"
            ),
        ),
        (
            "<input type=checkbox name=a> Yes <label for=b>B</label><input id=b name=b>",
            format!(
                "<input type=checkbox name=a {marks}> Yes {line}<label for=b>B</label><input id=b name=b>"
            ),
        ),
        (
            "<input type=checkbox name=a>",
            format!("<input type=checkbox name=a {marks}>{line}"),
        ),
        (
            "<div><input type=radio name=a id=y><label for=y>Y</label></div>",
            format!(
                "<div><input type=radio name=a id=y {marks}><label for=y>Y</label>{line}</div>"
            ),
        ),
        (
            "<input type=checkbox name=a[] value=1><input type=checkbox name=a[] value=2>",
            format!(
                "<input type=checkbox name=a[] value=1 {marks}><input type=checkbox name=a[] value=2 {marks}>{line}"
            ),
        ),
        (
            "<label>A <input name=a>",
            format!("<label>A <input name=a {marks}>{line}"),
        ),
    ] {
        assert_eq!(filled(html, &[], &[("a", "No")]), expected, "{html}");
    }
}

#[test]
fn every_message_that_a_control_references_exists() {
    let out = filled(
        "<label>Both <input name=a> <input name=b></label><input type=checkbox name=c>",
        &[],
        &[("a", "1"), ("b", "2"), ("c", "3")],
    );
    for name in ["a", "b", "c"] {
        let id = format!("cf-{name}--error\"");
        assert_eq!(out.matches(&id).count(), 2, "{name}: {out}");
    }
}

#[test]
fn the_message_about_a_part_follows_its_control() {
    let fieldset = "<fieldset data-cf-type=name data-cf-name=who><legend>Who</legend>";
    let html = format!(
        "{fieldset}<div><input name=who[first]></div><div><input name=who[last]></div></fieldset>"
    );
    let error_element =
        |name: &str| format!("<p class=\"cf-error\" id=\"cf-{name}--error\">No</p>");
    let out = filled(&html, &[], &[("who[last]", "No")]);
    let last = error_element("who--x5b-last--x5d-");
    assert!(out.ends_with(&format!("{last}</div></fieldset>")), "{out}");
    let out = filled(&html, &[], &[("who", "No")]);
    assert!(
        out.ends_with(&format!("</div>{}</fieldset>", error_element("who"))),
        "{out}"
    );
}

#[test]
fn an_empty_colour_leaves_no_invalid_value_attribute() {
    let html = "<input type=color name=a value=\"#ff0000\">";
    assert_eq!(
        filled(html, &[("a", &[""])], &[]),
        "<input type=color name=a>"
    );
    assert_eq!(
        filled(html, &[("a", &["#00ff00"])], &[]),
        "<input type=color name=a value=\"#00ff00\">"
    );
}

#[test]
fn the_fault_of_a_choice_group_is_shown_once_and_the_form_parses_the_same() {
    let html = "<fieldset><legend>Pick</legend><label><input type=radio name=a value=1> One</label>\
                <label><input type=radio name=a value=2> Two</label></fieldset><input name='n[first]'>";
    let before = parse(html).unwrap().schema;
    let rendered = render(&before, &RenderOptions::default());
    for html in [html, &rendered] {
        let out = filled(
            html,
            &[("a", &["2"])],
            &[("a", "Pick one"), ("n[first]", "Missing")],
        );
        assert_eq!(out.matches("Pick one").count(), 1, "{out}");
        assert_eq!(out.matches("aria-invalid").count(), 3, "{out}");
        let mut after = parse(&out).unwrap().schema;
        for field in &mut after.fields {
            field.attributes.remove("aria-invalid");
            field.default_value.clear();
        }
        assert_eq!(after, before, "{out}");
    }
}
