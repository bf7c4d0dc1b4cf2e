//! Plain texts, sentences and headings that belong to a field, and styles that do not hide it.

use cf_forms::forms::check::parse_schema;
use cf_forms::markup::{WarningCode, parse};

/// Returns the fields as `type name "label" "description"`, and the codes of the warnings.
fn read(html: &str) -> (Vec<String>, Vec<WarningCode>) {
    let parsed = parse(html).unwrap();
    let fields = parsed.schema.fields.iter().map(|field| {
        let kind = field.kind.as_str();
        match field.description.is_empty() {
            true => format!("{kind} {} {:?}", field.name, field.label),
            false => format!(
                "{kind} {} {:?} {:?}",
                field.name, field.label, field.description
            ),
        }
    });
    let codes = parsed.warnings.iter().map(|warning| warning.code);
    (fields.collect(), codes.collect())
}

fn fields(html: &str) -> Vec<String> {
    read(html).0
}

/// Returns choices of one name, with a text before and after the first one.
fn choices(before: &str, after: &str) -> String {
    format!(
        "{before}<label>1 <input type=radio name=r value=1></label> <label>2 <input type=radio name=r value=2></label>{after}"
    )
}

#[test]
fn a_required_mark_before_the_colon_is_removed_from_the_label() {
    for (html, label) in [
        (
            "<label>E-mail<b>*</b>: <input name=a required></label>",
            "E-mail",
        ),
        ("E-mail *： <input name=a required>", "E-mail"),
        ("E-mail: * <input name=a required>", "E-mail"),
        (
            "<label>E-mail (required): <input name=a required></label>",
            "E-mail",
        ),
        (
            "<label>E-mail (Required) * <input name=a required></label>",
            "E-mail",
        ),
        ("<label>* E-mail: <input name=a required></label>", "E-mail"),
        ("* E-mail: <input name=a required>", "E-mail"),
        ("<label>* E-mail: <input name=a></label>", "* E-mail:"),
        // An optional field keeps its marks, which may mean a note. A lone colon stays in a label.
        ("<label>E-mail*: <input name=a></label>", "E-mail*:"),
        ("<label>E-mail: <input name=a required></label>", "E-mail:"),
        ("<label>*: <input name=a required></label>", "*:"),
        (
            "<label>(required) <input name=a required></label>",
            "(required)",
        ),
        (
            "<label>É(required <input name=a required></label>",
            "É(required",
        ),
    ] {
        assert_eq!(fields(html), [format!("text a {label:?}")], "{html}");
    }
}

#[test]
fn a_button_with_only_an_image_is_named_by_its_attributes() {
    for (html, label) in [
        (
            "<button type=submit aria-label='Send  it'><svg/></button>",
            "Send it",
        ),
        (
            "<button aria-label=Send title=Go>&nbsp;<svg/></button>",
            "Send",
        ),
        ("<button title=Go><i></i></button>", "Go"),
        ("<button aria-label=Send>Go</button>", "Go"),
        ("<button aria-label=' '></button>", "Submit"),
    ] {
        assert_eq!(fields(html), [format!("submit submit {label:?}")], "{html}");
    }
}

#[test]
fn the_end_of_a_scale_is_not_a_question_if_there_is_a_text_above() {
    for (html, expected) in [
        (
            format!(
                "<h3>How?</h3><p>{}</p>",
                choices("Not at all ", " Very much")
            ),
            "How?",
        ),
        (
            format!(
                "<p>How happy?</p><p>{}</p>",
                choices("Not at all ", " Very much")
            ),
            "How happy?",
        ),
        (
            format!(
                "<fieldset><legend>Bed</legend>{}</fieldset>",
                choices("Soft ", " Hard")
            ),
            "Bed",
        ),
    ] {
        assert_eq!(fields(&html), [format!("radio r {expected:?}")], "{html}");
    }
    // The text stays a label where there is no better one, where it is not the end of a scale, or where it is a
    // question.
    for (above, before, after, label) in [
        (
            "<p>Please be honest.</p>",
            "Not at all ",
            " Very much",
            "Not at all",
        ),
        ("<h4>Rooms</h4>", "Size ", "", "Size"),
        ("<h4>Rooms</h4>", "Which size? ", " or none", "Which size?"),
        ("<h4>Why?</h4>", "Which size? ", "", "Which size?"),
    ] {
        let html = format!("{above}<div>{}</div>", choices(before, after));
        let found = fields(&html);
        assert_eq!(found.last(), Some(&format!("radio r {label:?}")), "{html}");
        assert_eq!(found.len(), 2, "{html}");
    }
}

#[test]
fn a_sentence_after_the_legend_does_not_take_it_from_the_choices() {
    let set = choices("", "");
    let html = format!("<fieldset><legend>Size</legend><p>A sentence.</p>{set}</fieldset>");
    assert_eq!(
        read(&html),
        (vec!["radio r \"Size\" \"A sentence.\"".to_owned()], vec![])
    );
    // A single checkbox is not a set of choices; other fields and further texts need the fieldset.
    for within in [
        "<p>A sentence.</p><input type=checkbox name=r>".to_owned(),
        format!("<p>A sentence.</p>{set}<input name=b>"),
    ] {
        let html = format!("<fieldset><legend>Size</legend>{within}</fieldset>");
        assert_eq!(fields(&html)[0], "fieldset size \"Size\"", "{html}");
    }
}

#[test]
fn a_heading_that_labels_a_field_is_not_a_field_itself() {
    let set = choices("", "");
    for (html, expected) in [
        (
            format!("<h4 id=x>Colour</h4><div role=radiogroup aria-labelledby=x>{set}</div>"),
            &["radio r \"Colour\""][..],
        ),
        (
            format!("<div role=group aria-labelledby=x><h4 id=x>Colour</h4>{set}</div>"),
            &["radio r \"Colour\""],
        ),
        (
            "<h3 id=x>Name</h3><input name=a aria-labelledby=x>".to_owned(),
            &["text a \"Name\""],
        ),
        // A heading of several fields stays, and so does one that is only part of a label.
        (
            "<h4 id=x>You</h4><div role=group aria-labelledby=x><label>A <input name=a></label><label>B <input name=b></label></div>"
                .to_owned(),
            &["heading heading-1 \"You\"", "text a \"A\"", "text b \"B\""],
        ),
    ] {
        assert_eq!(fields(&html), expected, "{html}");
    }
}

#[test]
fn a_text_between_two_controls_names_the_second_one() {
    for (html, labels) in [
        ("We <input name=a> and <input name=b> more", ["We", "and"]),
        ("<input name=a> Phone <input name=b>", ["", "Phone"]),
        (
            "<input name=a> Phone <input name=b> <label for=c>C</label>",
            ["", "Phone"],
        ),
        ("<input name=a> % <input name=b> %", ["", ""]),
    ] {
        let html = format!("<form>{html}<input type=hidden id=c name=c></form>");
        let parsed = parse(&html).unwrap();
        let found: Vec<&str> = parsed
            .schema
            .fields
            .iter()
            .take(2)
            .map(|f| f.label.as_str())
            .collect();
        assert_eq!(found, labels, "{html}");
    }
}

#[test]
fn a_control_without_text_in_its_row_is_named_by_its_column() {
    for (rows, labels) in [
        ("<tr><th>Item<th>From<th>To", ["A", "To"]),
        ("<tr><th>Item<th colspan=2>Range", ["A", "Range"]),
        ("<tr><th colspan=2>Item<th>To", ["A", "To"]),
        ("<tr><th>Hours", ["A", ""]),
    ] {
        let html = format!("<table>{rows}<tr><td>A<td><input name=a><td><input name=b></table>");
        let fields = parse(&html).unwrap().schema.fields;
        let found: Vec<&str> = fields.iter().map(|field| field.label.as_str()).collect();
        assert_eq!(found, labels, "{html}");
    }
}

#[test]
fn steps_that_begin_with_plain_text_take_it_as_title() {
    let titles = |first: &str| {
        let html = format!(
            "<div class=tab>{first}</div><div class=tab><h3>Two</h3><input name=z></div><button type=button id=nextBtn>Next</button>"
        );
        let layout = parse(&html).unwrap().schema.layout;
        layout
            .steps
            .unwrap()
            .into_iter()
            .map(|step| step.title)
            .collect::<Vec<_>>()
    };
    let two = "<p><input name=a placeholder=A></p><p><input name=b placeholder=B></p>";
    assert_eq!(titles(&format!("Name: {two}")), ["Name", "Two"]);
    assert_eq!(
        titles(&format!("<b>Your name</b>{two}")),
        ["Your name", "Two"]
    );
    // A text that names a control is not a title.
    assert_eq!(
        titles("Name: <input name=a> Mail: <input name=b>"),
        ["", "Two"]
    );
    assert_eq!(
        titles("<label for=a>Name</label><p><input id=a name=a></p><p><input name=b></p>"),
        ["", "Two"]
    );
}

#[test]
fn a_removed_style_that_hid_a_control_is_reported() {
    for (html, count) in [
        ("<input name=a style='display:none'>", 1),
        (
            "<div style='Display : NONE !important'><p><input name=a></p></div>",
            1,
        ),
        ("<input name=a style='position:absolute; left:-9999px'>", 1),
        (
            "<p style='visibility:hidden'><label>A <input name=a></label></p>",
            1,
        ),
        (
            "<div style='display:none'>Thanks <input type=hidden name=a></div>",
            0,
        ),
        ("<div style='display:none' hidden><input name=a></div>", 0),
        (
            "<div style='display:none' data-show-if='b=1'><input name=a></div>",
            0,
        ),
        (
            "<div style='display:none' class=step><input name=a></div>",
            0,
        ),
        (
            "<input name=a style='display:block;left:-5px;border:none'>",
            0,
        ),
    ] {
        let warnings = parse(html).unwrap().warnings;
        let reported = warnings.iter().filter(|w| w.code == WarningCode::NotHidden);
        assert_eq!(reported.count(), count, "{html}");
    }
}

#[test]
fn a_heading_never_takes_the_name_of_the_next_field() {
    for field in [
        "<input name=n>",
        "<select name=n><option>A</select>",
        "<input type=checkbox name=n>",
        "<fieldset data-cf-type=name data-cf-name=n></fieldset>",
        "<button name=n value=1>Send</button><button name=n value=2>Save</button>",
    ] {
        for tag in ["h3", "p"] {
            let html = format!("<form><{tag} data-cf-name=n>You</{tag}>Your name {field}</form>");
            let schema = parse(&html).unwrap().schema;
            let body = serde_json::to_value(&schema).unwrap();
            assert!(parse_schema(&body).is_ok(), "{html}: {body}");
        }
    }
}
