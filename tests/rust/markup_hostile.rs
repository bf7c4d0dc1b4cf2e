//! Hostile markup is parsed in bounded time, and rejected only if it exceeds a limit.

use std::time::Duration;

use cf_forms::forms::check::parse_schema;
use cf_forms::markup::{Filling, MAX_MARKUP_BYTES, ParseError, WarningCode, fill, parse};

use crate::stopwatch::Stopwatch;

/// Time limit, which allows for debug builds: they are about twenty times slower than release builds.
const TIME_LIMIT: Duration = Duration::from_secs(20);

#[test]
fn hostile_markup_is_parsed_in_bounded_time() {
    let deep = 30_000;
    for (what, html) in [
        ("nested div", "<div>".repeat(deep)),
        ("nested label", "<label>x".repeat(deep)),
        ("nested fieldset", "<fieldset>".repeat(deep / 2)),
        ("nested groups", "<div role=group>".repeat(deep / 2)),
        (
            "p in button",
            format!("<p><button>{}", "<div><span>".repeat(deep)),
        ),
        ("misnested", "<b><p></b><i></p></i>".repeat(deep / 2)),
        (
            "conditions on an element around many fields",
            format!(
                "<input name=z><div data-cf-conditions='[{}]'>{}",
                vec![r#"{"field":"z","operator":"equals","value":"1"}"#; 900].join(","),
                (0..9_000)
                    .map(|n| format!("<input name=a{n}>"))
                    .collect::<String>()
            ),
        ),
        (
            "a long tag with a condition around many fields",
            format!(
                "<input name=z><div data-show-if='z=1' {}>{}",
                "a ".repeat(50_000),
                (0..9_000)
                    .map(|n| format!("<input name=a{n}>"))
                    .collect::<String>()
            ),
        ),
        (
            "nested conditions",
            format!(
                "<input name=z>{}{}",
                "<div data-show-if='z=1'>".repeat(500),
                (0..5_000)
                    .map(|n| format!("<input name=a{n}>"))
                    .collect::<String>()
            ),
        ),
        (
            "a long tag in nested elements",
            format!(
                "{}<input type=radio name=a><input type=radio name=a {}>{}",
                "<div>".repeat(500),
                "a ".repeat(100_000),
                "</div>".repeat(500)
            ),
        ),
        (
            "nested elements before a question",
            format!(
                "{}<p>Which?</p>{}{}",
                "<div>".repeat(500),
                "<input type=radio name=a>".repeat(60),
                "</div>".repeat(500)
            )
            .repeat(5),
        ),
        (
            "rows of header cells",
            format!(
                "<table>{}",
                "<tr><th>a<th>b<tr><td><input name=a><td><input name=b>".repeat(deep / 4)
            ),
        ),
        (
            "a label with a long `for`, around controls",
            format!(
                "<label for={}>{}</label>",
                "x".repeat(1_000_000),
                "<input type=checkbox name=b[]>".repeat(2_000)
            ),
        ),
        (
            "texts after controls, separated by many line breaks",
            format!(
                "<input name=b> x <input name=c> y{}{}",
                "<br>".repeat(400_000),
                (0..4_000)
                    .map(|n| format!("<input name=f{n}> -"))
                    .collect::<String>()
            ),
        ),
        ("end tags", "</div></p></option>".repeat(deep)),
        (
            "options",
            format!("<select name=s>{}", "<option>a".repeat(deep)),
        ),
        ("headings", "<h2>a".repeat(9_000)),
        ("paragraphs", "<p id=a>a".repeat(9_000)),
        ("same names", "<input name=a><label>a".repeat(deep / 2)),
        (
            "radios",
            "<input type=radio name=a value=b>".repeat(deep / 2),
        ),
        ("lists", "<input name=a[] value=b>".repeat(deep / 2)),
        (
            "attributes",
            format!("<input name=a {}>", "data-a=b ".repeat(50_000)),
        ),
        (
            "other attributes",
            format!(
                "<input name=a {}>",
                (0..20_000)
                    .map(|n| format!("data-a{n}=b "))
                    .collect::<String>()
            ),
        ),
        (
            "one attribute",
            format!("<input name=a title='{}'>", "x".repeat(2_000_000)),
        ),
        (
            "conditions",
            "<div data-show-if=a=b>".repeat(500) + &"<input name=a>".repeat(500),
        ),
        ("NUL", "\0<input name=\0>".repeat(deep)),
        (
            "references",
            format!(
                "<label>{}<input name=a></label>",
                "&amp;&#0;&notit;".repeat(deep)
            ),
        ),
        ("steps", "<section data-step=a>".repeat(5_000)),
        ("tables", "<table><tr><td>".repeat(10_000)),
        ("templates", "<template>".repeat(deep)),
        ("svg", "<svg><title>".repeat(deep)),
        ("angle brackets", "<".repeat(1_000_000)),
        ("unclosed comment", format!("<!--{}", "-".repeat(1_000_000))),
        ("datalists", "<datalist id=a><option>b".repeat(deep / 2)),
        ("help", "<small>a<input name=a>".repeat(deep / 2)),
        ("texts", "a<br>".repeat(deep)),
        (
            "names of people",
            (0..4_500)
                .map(|n| {
                    format!(
                        "<input name=n{n}[first] autocomplete=given-name>\
                         <input name=n{n}[last] autocomplete=family-name>"
                    )
                })
                .collect(),
        ),
    ] {
        let start = Stopwatch::start();
        let parsed = parse(&html);
        let took = start.elapsed();
        assert!(took < TIME_LIMIT, "{what}: {took:?}");
        if let Ok(parsed) = parsed {
            let checked = parse_schema(&serde_json::to_value(&parsed.schema).unwrap());
            assert_eq!(
                checked.as_ref().ok(),
                Some(&parsed.schema),
                "{what}: {:?}",
                checked.as_ref().err()
            );
            assert!(parsed.warnings.len() <= 200, "{what}");
        }
        let values = [("a".to_owned(), vec!["x".to_owned()])];
        let faults = [("a".to_owned(), "wrong".to_owned())];
        let start = Stopwatch::start();
        let filled = fill(
            &html,
            &Filling {
                values: &values,
                faults: &faults,
                instance: "",
                prefill: None,
            },
        );
        let took = start.elapsed();
        assert!(took < TIME_LIMIT, "filling {what}: {took:?}");
        assert!(filled.len() >= html.len() / 2, "filling {what}");
    }
}

#[test]
fn a_control_in_ten_thousand_nested_elements_is_found() {
    let html = format!(
        "{}<input name=a>{}<input name=b>",
        "<div>".repeat(10_000),
        "</div>".repeat(10_000)
    );
    let schema = parse(&html).unwrap().schema;
    let names: Vec<_> = schema
        .fields
        .iter()
        .map(|field| field.name.as_str())
        .collect();
    assert_eq!(names, ["a", "b"]);
}

/// Sums the bytes of all texts and options of a schema.
fn bytes_of(html: &str) -> usize {
    let parsed = parse(html).unwrap();
    let options = parsed.schema.fields.iter().flat_map(|field| &field.options);
    let options: usize = options
        .map(|option| option.value.len() + option.label.len())
        .sum();
    let texts = parsed.schema.fields.iter();
    let texts: usize = texts
        .map(|field| field.label.len() + field.description.len())
        .sum();
    texts + options
}

#[test]
fn a_text_referenced_often_is_copied_within_limits() {
    let text = "word ".repeat(4_000);
    for attribute in ["aria-labelledby", "aria-describedby"] {
        let once = format!("<i id=t>{text}</i><input name=a {attribute}='t'>");
        let often = format!(
            "<i id=t>{text}</i><input name=a {attribute}='{}'>",
            "t ".repeat(14_000)
        );
        let description = |html: &str| parse(html).unwrap().schema.fields[0].description.clone();
        assert_eq!(description(&once), description(&often));

        let inputs: String = (0..3_000)
            .map(|n| format!("<input name=f{n} title=x {attribute}=t>"))
            .collect();
        let html = format!("<i id=t>{text}</i>{inputs}");
        assert!(
            bytes_of(&html) <= 2 * MAX_MARKUP_BYTES + 100_000,
            "{attribute}"
        );
        let warnings = parse(&html).unwrap().warnings;
        assert!(
            warnings
                .iter()
                .any(|warning| warning.code == WarningCode::TextCut)
        );
    }
}

#[test]
fn a_control_takes_at_most_twenty_referenced_texts() {
    let texts: String = (0..30).map(|n| format!("<i id=t{n}>x{n}</i>")).collect();
    let ids: String = (0..30).map(|n| format!("t{n} ")).collect();
    let html = format!("{texts}<label>a <input name=a aria-describedby='t0 {ids}'></label>");
    let schema = parse(&html).unwrap().schema;
    let expected: Vec<String> = (0..20).map(|n| format!("x{n}")).collect();
    let field = schema
        .fields
        .iter()
        .find(|field| field.name == "a")
        .unwrap();
    assert_eq!(field.description, expected.join(" "));
}

#[test]
fn a_datalist_referenced_often_is_copied_within_limits() {
    let options: String = (0..100).map(|n| format!("<option>{n:>0900}")).collect();
    let inputs: String = (0..3_000)
        .map(|n| format!("<label>a <input name=f{n} list=l></label>"))
        .collect();
    let html = format!("<datalist id=l>{options}</datalist>{inputs}");
    let parsed = parse(&html).unwrap();
    assert_eq!(parsed.schema.fields[0].options.len(), 100);
    assert_eq!(parsed.schema.fields.len(), 3_000);
    assert!(bytes_of(&html) <= 3 * MAX_MARKUP_BYTES);
    let codes = parsed.warnings.iter().map(|warning| warning.code);
    assert!(codes.into_iter().any(|code| code == WarningCode::TextCut));
}

#[test]
fn markup_beyond_the_limits_is_rejected() {
    let too_large = " ".repeat(MAX_MARKUP_BYTES + 1);
    assert_eq!(parse(&too_large).unwrap_err(), ParseError::TooLarge);
    let too_many: String = (0..10_001).map(|n| format!("<input name=f{n}>")).collect();
    assert_eq!(parse(&too_many).unwrap_err(), ParseError::TooManyFields);
    let many: String = (0..10_000).map(|n| format!("<input name=f{n}>")).collect();
    assert_eq!(parse(&many).unwrap().schema.fields.len(), 10_000);
}
