//! Labels: which text names which control.

use cf_forms::forms::check::parse_schema;
use cf_forms::markup::{RenderOptions, WarningCode, parse, render};

/// Returns the labels of a form's fields, of choices with the labels of their options, and the number of warnings about
/// a missing label.
fn labels(html: &str) -> (Vec<String>, usize) {
    let parsed = parse(html).unwrap();
    let names = parsed.schema.fields.iter().map(|field| {
        let options: Vec<&str> = field.options.iter().map(|o| o.label.as_str()).collect();
        match options.is_empty() {
            true => field.label.clone(),
            false => format!("{}[{}]", field.label, options.join("|")),
        }
    });
    let is_unreported = |code: WarningCode| code == WarningCode::ControlWithoutLabel;
    let codes = parsed.warnings.iter().map(|warning| warning.code);
    (
        names.collect(),
        codes.filter(|code| is_unreported(*code)).count(),
    )
}

#[test]
fn a_label_names_only_one_control() {
    for (html, expected, unlabelled) in [
        (
            "<input type=checkbox name=a> <label>OK</label> <input name=b>",
            &["OK", ""][..],
            1,
        ),
        (
            "<input type=checkbox name=a> OK <input name=b>",
            &["OK", ""],
            1,
        ),
        (
            "<input type=checkbox name=a> OK <br> <input name=b>",
            &["OK", ""],
            1,
        ),
        // A label for the next control does not belong to the checkbox before it.
        (
            "<input type=checkbox name=a> <label for=b>B</label> <input id=b name=b>",
            &["", "B"],
            1,
        ),
        (
            "<input type=checkbox name=a> Yes <label for=b>B</label> <input id=b name=b>",
            &["Yes", "B"],
            0,
        ),
        (
            "<input id=c name=c> <label for=c>C</label> <input name=b>",
            &["C", ""],
            1,
        ),
        (
            "<label><input name=a> A</label> <input name=b>",
            &["A", ""],
            1,
        ),
        (
            "<label><input name=a> A</label> B <input name=b>",
            &["A", "B"],
            0,
        ),
        (
            "<input type=radio name=s value=1> <label>One</label> <input type=radio name=s value=2> <label>Two</label> <input name=b>",
            &["[One|Two]", ""],
            2,
        ),
        ("<button>Go</button> <input name=b>", &["Go", ""], 1),
        (
            "<input type=checkbox name=a> <button>Go</button>",
            &["", "Go"],
            1,
        ),
    ] {
        let (found, without) = labels(html);
        assert_eq!(found, expected, "{html}");
        assert_eq!(without, unlabelled, "{html}");
    }
}

#[test]
fn a_label_for_an_id_names_only_the_first_control_with_it() {
    let (found, without) = labels(
        "<label for=i>Long</label><input id=i name=a><input id=i name=b><select id=i name=c></select>",
    );
    assert_eq!(found, ["Long", "", ""]);
    assert_eq!(without, 2);
}

#[test]
fn many_controls_with_one_id_do_not_copy_its_label() {
    let text = "x".repeat(10_000);
    let inputs = (0..9_000).map(|n| format!("<input id=i name=a{n}>"));
    let html = format!("<label for=i>{text}</label>{}", inputs.collect::<String>());
    let parsed = parse(&html).unwrap();
    let copied: usize = parsed
        .schema
        .fields
        .iter()
        .map(|field| field.label.len())
        .sum();
    assert_eq!(copied, 10_000);
}

#[test]
fn a_label_around_an_unnamed_control_does_not_name_the_next_one() {
    let (found, _) = labels("<label for=i>For i <label><input> A <input name=b id=i></label>");
    assert_eq!(found, ["For i A"]);
}

#[test]
fn an_invisible_label_is_rendered_as_the_name_and_parsed_as_empty() {
    for unseen in ["\u{a0}", "\u{2028}", "\u{feff}", "\u{200b} \u{3000}"] {
        let html = format!("<label>{unseen}<input name=first_name></label>");
        assert_eq!(labels(&html), (vec![String::new()], 1), "{unseen:?}");
        let schema = serde_json::json!({"fields": [{"name": "first_name", "type": "text", "label": unseen}]});
        let schema = parse_schema(&schema).unwrap();
        let html = render(&schema, &RenderOptions::default());
        assert!(html.contains(">First name</label>"), "{html}");
        assert_eq!(parse(&html).unwrap().schema, schema, "{html}");
    }
}

#[test]
fn text_next_to_a_select_takes_precedence_over_its_empty_option() {
    for (html, label) in [
        (
            "<p>Colour <select name=a required><option value=''>Choose…</option><option>Red</select></p>",
            "Colour",
        ),
        (
            "<p>Colour <select name=a><option value=''>Choose…</option><option>Red</select></p>",
            "Colour",
        ),
        ("<p>Phone <input name=a placeholder='+49 …'></p>", "Phone"),
    ] {
        let (found, _) = labels(html);
        let found = found
            .last()
            .map(|found| found.split('[').next().unwrap_or_default());
        assert_eq!(found, Some(label), "{html}");
    }
}

#[test]
fn an_error_element_around_a_field_hides_the_message_but_not_the_label() {
    for html in [
        "<div class=form-error>Name <input name=a></div>",
        "<div class=form-error><label for=a>Name</label> <input id=a name=a></div>",
        "<div class=field-error><label>Name <input name=a></label><span class=error-message>Bad</span></div>",
        "<div class=field-error><p class=error-message>Bad</p><label>Name <input name=a></label></div>",
        "<label>Name <span class=error-text>Bad</span><input name=a></label>",
    ] {
        let (labels, _) = labels(html);
        assert_eq!(labels, ["Name"], "{html}");
        let warnings = parse(html).unwrap().warnings;
        let mentions = warnings.iter().filter(|w| w.message.contains("`div`"));
        assert_eq!(mentions.count(), 0, "{html}");
    }
    let html = "<div class=form-error><h2>Oh</h2><p>Bad</p></div><label>A<input name=a></label>";
    let (labels, warnings) = labels(html);
    assert_eq!((labels, warnings), (vec!["A".to_owned()], 0));
}

#[test]
fn a_table_cell_with_several_lines_names_the_control_next_to_it() {
    for (html, label) in [
        (
            "<table><tr><td>Full name<br>(as in your passport)</td><td><input name=a></td></tr></table>",
            "Full name (as in your passport)",
        ),
        (
            "<table>\n<tr>\n<td>Full<br>\n name:</td>\n<td>\n<input name=a></td>\n</tr></table>",
            "Full name",
        ),
        (
            "<table><tr><td>A: <input name=b aria-label=B><br>Name</td><td><input name=a></td></tr></table>",
            "Name",
        ),
        (
            "<table><tr><td>Age<br>Name<br><input name=a></td></tr></table>",
            "Name",
        ),
    ] {
        let schema = parse(html).unwrap().schema;
        assert_eq!(schema.field("a").unwrap().label, label, "{html}");
    }
}

#[test]
fn a_rendered_text_with_an_error_class_is_read_as_text() {
    let schema = serde_json::json!({"version": 1, "fields": [
        {"name": "p", "type": "paragraph", "label": "Mind this", "css_class": "form-error"},
        {"name": "a", "type": "text", "label": "A", "css_class": "field-error"},
    ]});
    let schema = parse_schema(&schema).unwrap();
    let parsed = parse(&render(&schema, &RenderOptions::default())).unwrap();
    assert_eq!(parsed.schema, schema);
    assert_eq!(parsed.warnings, []);
}

#[test]
fn the_parts_of_a_name_keep_the_authors_labels() {
    let html = "<fieldset><legend>Gast</legend>
        <label>Vorname <input name=guest[first] autocomplete=given-name></label>
        <label>Last name <input name=guest[last] autocomplete=family-name></label></fieldset>";
    let read = parse(html).unwrap();
    let codes: Vec<_> = read.warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(codes, [WarningCode::FieldRecognized]);
    assert_eq!(labels(html).0, ["Gast[Vorname]"]);
    let rendered = render(&read.schema, &RenderOptions::default());
    assert!(rendered.contains(">Vorname</label>"), "{rendered}");
    assert_eq!(parse(&rendered).unwrap().schema, read.schema, "{rendered}");

    let changed = rendered.replace(">Last name</label>", ">Familien&shy;name</label>");
    let again = parse(&changed).unwrap();
    assert_eq!(again.warnings.len(), 0, "{:?}", again.warnings);
    let (name_field, last) = (&again.schema.fields[0], "Familien\u{ad}name");
    assert_eq!(
        (
            name_field.part_label("first"),
            name_field.part_label("last")
        ),
        (Some("Vorname"), Some(last))
    );
    let rendered = render(&again.schema, &RenderOptions::default());
    assert_eq!(parse(&rendered).unwrap().schema, again.schema, "{rendered}");
}

#[test]
fn labels_of_parts_with_any_white_space_round_trip() {
    for label in [
        "",
        " ",
        "\u{200b}",
        "  Vor \n name ",
        "First name",
        "<b>&amp;",
    ] {
        let options =
            serde_json::json!([{"value": "first", "label": label}, {"value": "x", "label": "y"}]);
        let schema =
            serde_json::json!({"fields": [{"name": "who", "type": "name", "options": options}]});
        let schema = parse_schema(&schema).unwrap();
        let html = render(&schema, &RenderOptions::default());
        let read = parse(&html).unwrap();
        assert_eq!(read.schema, schema, "{html}");
        assert_eq!(read.warnings.len(), 0, "{label:?}: {:?}", read.warnings);
    }
}

#[test]
fn a_label_for_a_control_takes_precedence_over_a_label_around_it() {
    for (html, expected) in [
        (
            "<label>All <button>Go</button><input id=i name=a></label><label for=i>Mine</label>",
            &["Go", "Mine"][..],
        ),
        (
            "<label>All <input type=button value=x><input id=i name=a></label><label for=i>Mine</label>",
            &["Mine"],
        ),
        // No other text names the control, so the label must belong to it.
        (
            "<label>All <button type=button>?</button><input name=a></label>",
            &["All"],
        ),
        (
            "<label>All <input id=i name=a><button type=button>?</button></label><label for=i>Mine</label>",
            &["All Mine"],
        ),
        // A hidden field has no label.
        (
            "<label>All <input type=hidden><input name=a></label>",
            &["All"],
        ),
    ] {
        assert_eq!(labels(html).0, expected, "{html}");
    }
}

#[test]
fn options_of_a_select_do_not_split_the_label_around_it() {
    let (found, _) = labels("<label>Per<select name=a><option>1<option>2</select>son</label>");
    assert_eq!(found, ["Person[1|2]"]);
    let (found, _) = labels(
        "<p id=d>Choose <select name=a><option>1<option>2</select></p><label>B <input name=b aria-describedby=d></label>",
    );
    assert_eq!(found, ["Choose[1|2]", "B"]);
    let described = parse(
        "<div id=d>Of <select name=a><option>1<option>2</select></div><input name=b aria-describedby=d>",
    );
    assert_eq!(described.unwrap().schema.fields[1].description, "Of 1 2");
}

#[test]
fn of_nested_elements_with_one_id_the_outer_one_is_referenced() {
    let html = "<div id=a>Your <b id=a>name</b></div><p id=b>x</p><i id=b>y</i>\
        <input name=a aria-labelledby=a><input name=b aria-labelledby=b>";
    assert_eq!(labels(html).0, ["Your name", "x"]);
}

#[test]
fn a_label_for_an_id_of_over_a_thousand_bytes_is_ignored() {
    let id = "x".repeat(1_001);
    let html = format!("<label for={id}>A</label><p>B</p><input id={id} name=a aria-label=C>");
    assert_eq!(labels(&html).0.last().map(String::as_str), Some("C"));
    let id = "x".repeat(1_000);
    let html = format!("<label for={id}>A</label><p>B</p><input id={id} name=a aria-label=C>");
    assert_eq!(labels(&html).0.last().map(String::as_str), Some("A"));
}

#[test]
fn a_question_above_a_control_takes_precedence_over_its_placeholder() {
    for (html, label) in [
        (
            "<div><p>Anything else?</p><textarea name=c placeholder='Tell us'></textarea></div>",
            "Anything else?",
        ),
        (
            "<div>Anything else?<br><textarea name=c placeholder='Tell us'></textarea></div>",
            "Anything else?",
        ),
        (
            "<p>Anything else?</p><textarea name=c placeholder='Tell us'></textarea>",
            "Anything else?",
        ),
        (
            "<div><h4>News</h4><input name=c placeholder='Your e-mail'></div>",
            "Your e-mail",
        ),
    ] {
        let (found, _) = labels(html);
        assert_eq!(
            found.last().map(String::as_str),
            Some(label),
            "{html}: {found:?}"
        );
    }
}

#[test]
fn a_legend_names_the_choices_despite_other_controls_with_their_name() {
    for controls in [
        "<label><input type=radio name=s value=a> A</label><label><input type=radio name=s value=o> O</label><input name=s>",
        "<input name=s><label><input type=radio name=s value=a> A</label><label><input type=radio name=s value=o> O</label>",
        "<label><input type=checkbox name='s[]' value=a> A</label><label><input type=checkbox name='s[]' value=o> O</label><textarea name='s[]'></textarea>",
        "<label><input type=radio name=s value=a> A</label><select name=s><option value=o>O</option></select>",
        "<p><label><input type=radio name=s value=a> A</label></p><p><label><input type=radio name=s value=o> O</label></p><p><label>Which? <input name=s></label></p>",
    ] {
        let html = format!(
            "<fieldset><legend>How?</legend>{controls}</fieldset><input name=t aria-label=T>"
        );
        let (found, _) = labels(&html);
        assert_eq!(found, ["How?[A|O]", "T"], "{html}");
    }
    // An empty option of only punctuation is not a label.
    let html = "<fieldset><legend>Birth</legend><select name=m><option value=''>---</option><option>1</option></select><select name=d><option value=''>Day</option><option>1</option></select></fieldset>";
    assert_eq!(labels(html).0, ["Birth", "[1]", "Day[1]"]);
    // A text input with another name is a separate field.
    let html = "<fieldset><legend>How?</legend><label><input type=radio name=s value=a> A</label><label>B <input name=b></label></fieldset>";
    assert_eq!(labels(html).0, ["How?", "[A]", "B"]);
}
