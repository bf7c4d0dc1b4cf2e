//! Warnings about parts of an author's HTML that a schema cannot contain.

use cf_forms::markup::{RenderOptions, WarningCode, parse, render};

fn codes(html: &str) -> Vec<WarningCode> {
    let warnings = parse(html).unwrap().warnings;
    warnings.into_iter().map(|warning| warning.code).collect()
}

#[test]
fn warnings_about_the_page_do_not_displace_those_about_the_form() {
    let page = "<img src=a><a href=b>c</a>".repeat(300);
    let html = format!("{page}<form><label>A<input name=a></label><iframe src=b></iframe></form>");
    let warnings = parse(&html).unwrap().warnings;
    let reported = warnings.iter().find(|w| w.message.contains("`iframe`"));
    assert!(reported.is_some(), "{} warnings", warnings.len());
}

#[test]
fn a_control_with_an_error_class_is_not_reported_as_dropped() {
    let html = "<label class=field-error>A<input class='x field-error' name=a></label>\
                <fieldset class=form-error><legend>F</legend><label>B<select class=error-text name=b><option>1</select></label></fieldset>";
    assert_eq!(codes(html), []);
    let schema = parse(html).unwrap().schema;
    let fields: Vec<_> = schema
        .fields
        .iter()
        .map(|f| (&*f.label, &*f.css_class))
        .collect();
    assert_eq!(
        fields,
        [
            ("A", "x field-error"),
            ("F", "form-error"),
            ("B", "error-text")
        ]
    );
}

#[test]
fn cells_with_no_break_spaces_give_no_warning() {
    let html = "<form><table><tr><td>&nbsp;</td><td><label>A<input name=a></label></td></tr>\
                <tr><td>&#160;&nbsp;</td><td>&nbsp;</td></tr></table></form>&nbsp;";
    assert_eq!(codes(html), []);
}

#[test]
fn an_optgroup_around_a_select_has_no_effect() {
    let html = "<optgroup disabled label=S><select name=a required><option value=''>Choose<option>One</select>";
    let field = parse(html).unwrap().schema.fields.remove(0);
    assert_eq!(field.placeholder, "Choose");
    assert_eq!(field.options.len(), 1);
}

#[test]
fn a_label_without_a_control_is_reported() {
    let html = "<form><label for=a>A</label><input id=a name=a>\
                <div><input name=b aria-label=B></div><label>Third</label><p>y</p><input name=c></form>";
    let reported: Vec<String> = parse(html)
        .unwrap()
        .warnings
        .into_iter()
        .map(|w| w.message)
        .collect();
    assert!(
        reported.iter().any(|message| message.contains("`Third`")),
        "{reported:?}"
    );
}

#[test]
fn unnamed_buttons_are_reported_once() {
    let save = "<button name=do value=save>Save</button>";
    let send = "<input type=submit name=do value=send>";
    let plain = "<button>Send</button>";
    for html in [format!("{save}{plain}"), format!("{plain}{send}{plain}")] {
        assert_eq!(codes(&html), [WarningCode::ButtonNotStored], "{html}");
    }
    for html in [
        save.to_owned(),
        // With two named buttons, the name of the pressed one is an answer.
        format!("{save}{send}"),
        format!("{plain}{plain}{send}{save}"),
        format!("{save}<input type=image name=on alt=On>"),
        format!("{plain}{plain}"),
        format!("{save}{save}"),
        format!("{plain}<button name=''>Go</button>"),
    ] {
        assert_eq!(codes(&html), [], "{html}");
    }
    let schema = parse(&format!("{save}{send}")).unwrap().schema;
    let rendered = render(&schema, &RenderOptions::default());
    assert_eq!(codes(&rendered), [], "{rendered}");
}

#[test]
fn every_shortened_text_is_reported_with_its_field() {
    let long = "x".repeat(10_001);
    let short = "x".repeat(10_000);
    for (html, what) in [
        (
            format!("<textarea aria-label=A name=a>{long}</textarea>"),
            "default value",
        ),
        (
            format!("<input aria-label=A name=a value='{long}'>"),
            "default value",
        ),
        (
            format!("<input aria-label=A type=hidden name=a value='{long}'>"),
            "default value",
        ),
        (format!("<label>{long}<input name=a></label>"), "label"),
        (
            format!(
                "<fieldset><legend>{long}</legend><input type=radio name=a value=1 aria-label=1></fieldset>"
            ),
            "label",
        ),
        (
            format!("<input aria-label=A name=a aria-describedby=d><p id=d>{long}</p>"),
            "description",
        ),
        (
            format!("<input aria-label=A name=a placeholder='{long}'>"),
            "placeholder",
        ),
        (
            format!("<input aria-label=A name=a class='{long}'>"),
            "class",
        ),
        (
            format!("<input aria-label=A name=a[] value='{short}'><input name=a[] value=y>"),
            "default value",
        ),
    ] {
        let parsed = parse(&html).unwrap();
        let messages: Vec<_> = parsed
            .warnings
            .iter()
            .map(|warning| warning.message.as_str())
            .collect();
        let message = format!("The {what} of `a` is cut: it has more than 10000 characters.");
        assert!(messages.contains(&message.as_str()), "{messages:?}");
        let fits = html.replace(&long, &short).replace("value=y", "");
        assert!(!codes(&fits).contains(&WarningCode::TextCut), "{what}");
    }
    let steps = format!(
        "<div data-step=1><h2>{long}</h2><input aria-label=A name=a></div><div data-step=2><input aria-label=B name=b></div>"
    );
    assert_eq!(codes(&steps), [WarningCode::TextCut]);
}

#[test]
fn a_schemas_field_with_the_name_of_a_trap_stays_a_field() {
    let fields = serde_json::json!({"fields": [
        {"name": "_gotcha", "type": "text", "label": "Leave this field empty"},
        {"name": "_honey", "type": "hidden"},
        {"name": "botcheck", "type": "checkbox", "css_class": "hidden", "attributes": {"tabindex": "-1"}},
        {"name": "b_12ab_34cd", "type": "textarea", "css_class": "hidden"},
    ]});
    let schema = cf_forms::forms::check::parse_schema(&fields).unwrap();
    let read = parse(&render(&schema, &RenderOptions::default())).unwrap();
    assert_eq!(read.schema, schema);
}
