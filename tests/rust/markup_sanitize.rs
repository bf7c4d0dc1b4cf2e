//! Sanitizing the HTML of authors without `unfiltered_html`.

use std::collections::BTreeSet;

use cf_forms::markup::markers::{AUTHOR_DATA, PAGE_DATA, RESERVED as RESERVED_PREFIX};
use cf_forms::markup::{WarningCode, for_visitors, parse, sanitize, without_reserved};
use proptest::prelude::*;

use crate::choices::Choices;
use crate::markup_documents::document;

fn cleaned(html: &str) -> String {
    sanitize(html).unwrap().0
}

#[test]
fn safe_html_keeps_its_bytes() {
    for html in [
        "<input name=a value=><a href = >x</a>",
        "<p><label for=a>Name</label> <INPUT ID='a' name=\"a\" required></p>",
        "<select name=s><option value=1 selected>One<option>Two</select>",
        "<a href=\"https://example.org/?a=1&b=2\" target=_blank rel=noopener>x &copy y</a>",
        "<img src=/logo.png alt=''><img src='data:image/png;base64,AAAA' alt=\"\">",
        "<div class=\"row\" data-show-if=\"a=b\" aria-live=polite>{{tag}} 1 > 0 & so on</div>",
        "<a href='mailto:a@b.c'>m</a><a href='tel:+1'>t</a><a href='#top'>u</a><a href='/a:b'>v</a>",
        "<!-- a plain comment --><fieldset><legend>L</legend></fieldset>",
        "<textarea name=t value=>&lt;b></textarea><textarea name=t>\n&lt;b&gt;</textarea><b><i></b></i></p>",
        "日本語 שלום \u{0} 😀",
    ] {
        let (out, removed) = sanitize(html).unwrap();
        assert_eq!(out, html);
        assert_eq!(removed, [], "{html}");
    }
}

#[test]
fn raw_text_elements_are_closed_for_any_end_of_their_tag() {
    for tag in ["<textarea>", "<textarea name=>", "<textarea name= >"] {
        let clean = [tag, "a&lt;b></textarea>"].concat();
        assert_eq!(cleaned(&[tag, "a<b>"].concat()), clean);
        assert_eq!(cleaned(&clean), clean);
    }
}

#[test]
fn removed_parts_are_reported_with_their_offset() {
    let (out, removed) = sanitize("<p onclick=x>a</p><script>b</script>").unwrap();
    assert_eq!(out, "<p>a</p>");
    let found: Vec<_> = removed.iter().map(|w| (w.code, w.offset)).collect();
    let (attribute, element) = (WarningCode::AttributeRemoved, WarningCode::ElementRemoved);
    assert_eq!(found, [(attribute, 3), (element, 18)]);
}

/// Attributes that only the engine may write, as hostile authors spell them, and the expected result.
const RESERVED: [(&str, &str); 19] = [
    ("<div data-cf-embed=/x>a</div>", "<div>a</div>"),
    ("<div DATA-CF-Embed='/x' id=a>", "<div id=a>"),
    ("<div data-cf-embed>", "<div>"),
    ("<div data-cf-embed=>", "<div>"),
    ("<div data-cf-embed=\"\">", "<div>"),
    ("<div data-cf-embed = \"/x\" >", "<div>"),
    (
        "<div data-cf-embed=a data-cf-embed=b Data-cf-embed=c>",
        "<div>",
    ),
    (
        "<div data-cf-type=name data-cf-embed=a data-cf-label=x>",
        "<div data-cf-type=name data-cf-label=x>",
    ),
    (
        "<div id=\"a\"data-cf-embed=\"/x\"class=\"b\">",
        "<div id=\"a\" class=\"b\">",
    ),
    ("<div/data-cf-embed=x/id=a>", "<div>"),
    ("<div\ndata-cf-embed\t=\r\n'x'\x0cid=a>", "<div id=a>"),
    (
        "<div data-cf-\u{0}embed=x data-cf-em\u{fffd}bed=y>",
        "<div>",
    ),
    (
        "<div data-cf data-cf. data-cfembed data-cf_x data-cf--type>",
        "<div>",
    ),
    (
        "<div data-cf-theme=dark data-cf-was-shown data-cf-described>",
        "<div>",
    ),
    ("<div data-cf-typé=x data-cf-type\"=y>", "<div>"),
    (
        "<p><b data-cf-embed=x><textarea data-cf-embed=y>data-cf-embed=z</textarea></b>",
        "<p><b><textarea>data-cf-embed=z</textarea></b>",
    ),
    (
        "<select data-cf-embed=x><option data-cf-embed=y>z</select>",
        "<select><option>z</select>",
    ),
    (
        "<input data-cf-step=a data-cf-way=on data-cf-title=b data-cf-embed=c>",
        "<input data-cf-step=a data-cf-way=on data-cf-title=b>",
    ),
    (
        "<table><td data-cf-embed=a><table data-cf-embed=b>",
        "<table><td><table>",
    ),
];

#[test]
fn attributes_of_the_engine_are_removed_from_markup() {
    for (html, expected) in RESERVED {
        let (out, removed) = without_reserved(html);
        assert_eq!(out, expected, "{html}");
        assert!(!removed.is_empty(), "{html}");
        assert_eq!(without_reserved(&out), (out.clone(), vec![]), "{html}");
        assert_eq!(for_visitors(html, ""), for_visitors(expected, ""), "{html}");
        assert_eq!(sanitize(html).unwrap().0, expected, "{html}");
    }
}

#[test]
fn attributes_of_the_engine_are_removed_from_unfiltered_markup_too() {
    for (html, expected) in [
        (
            "<svg data-cf-embed=x/>",
            "<svg data-cf-embed=x/>".replace(" data-cf-embed=x/", ""),
        ),
        ("<svg data-cf-embed=x /><p>", "<svg /><p>".to_owned()),
        (
            "<svg><g data-cf-embed='a' id=b><circle data-cf-embed/></svg>",
            "<svg><g id=b><circle /></svg>".to_owned(),
        ),
        (
            "<svg><foreignObject><div data-cf-embed=x>",
            "<svg><foreignObject><div>".to_owned(),
        ),
        ("<math><mi data-cf-embed=x>", "<math><mi>".to_owned()),
        (
            "<template><div data-cf-embed=x></template>",
            "<template><div></template>".to_owned(),
        ),
        (
            "<custom-a data-cf-embed=x onclick=y>",
            "<custom-a onclick=y>".to_owned(),
        ),
        (
            "<script data-cf-embed=x>'<p data-cf-embed=y>'</script>",
            "<script>'<p data-cf-embed=y>'</script>".to_owned(),
        ),
    ] {
        assert_eq!(without_reserved(html).0, expected, "{html}");
        assert!(
            !for_visitors(html, "")
                .replace("'<p data", "")
                .contains("data-cf-embed"),
            "{html}"
        );
    }
    // Ambiguous markup contains none of them anywhere.
    for html in [
        "<select><iframe></select><div DATA-cf-embed=/x data-cf-type=name></iframe>",
        "<frameset><div data-cf-embed=x>",
    ] {
        let (out, removed) = without_reserved(html);
        assert!(!out.to_ascii_lowercase().contains("data-cf-embed"), "{out}");
        assert_eq!(
            out.contains("data-cf-type=name"),
            html.contains("data-cf-type=name")
        );
        assert!(!removed.is_empty(), "{html}");
    }
}

#[test]
fn other_data_attributes_stay() {
    let plain = [
        "data-id=1",
        "data-cx-a",
        "data-c",
        "x-data-cf-embed=1",
        "data-x=data-cf-embed",
    ];
    let author_names = AUTHOR_DATA.iter().map(|name| format!("{name}=x"));
    for attribute in plain.map(str::to_owned).into_iter().chain(author_names) {
        let html = format!("<div {attribute}>a</div>");
        assert_eq!(without_reserved(&html), (html.clone(), vec![]));
        if attribute.starts_with("data") {
            assert_eq!(sanitize(&html).unwrap(), (html, vec![]));
        }
    }
}

/// Returns the names in a text that begin with `data-`.
fn data_names(text: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_ascii_lowercase() || c == '-';
    let words = text.split(|c: char| !is_part(c));
    // A prefix that several names share is not a name.
    let is_name =
        |word: &&str| word.starts_with("data-") && !word.ends_with('-') && *word != RESERVED_PREFIX;
    let names = words.filter(is_name);
    names.map(str::to_owned).collect()
}

/// Parsing reads and rendering writes exactly the attributes that the documentation lists for authors, and those of
/// visitors' pages.
#[test]
fn the_list_of_names_matches_the_parser_and_the_documentation() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("crates");
    let mut folders = vec![root.join("markup/src"), root.join("model/src")];
    let mut known = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|kind| kind == "rs") {
                let text = std::fs::read_to_string(path).unwrap();
                // The code after the list.
                let split = text.split_once("pub const RESERVED: &str = \"data-cf\";");
                let code = split.map_or(text.as_str(), |(_, rest)| rest).lines();
                let code = code.filter(|line| !line.trim_start().starts_with("//"));
                known.extend(code.flat_map(data_names));
            }
        }
    }
    let listed: BTreeSet<String> = AUTHOR_DATA.iter().map(|name| (*name).to_owned()).collect();
    let of_pages = PAGE_DATA.iter().map(|name| (*name).to_owned());
    let all: BTreeSet<String> = listed.iter().cloned().chain(of_pages).collect();
    assert_eq!(known, all);
    let page = include_str!("../../docs/html-forms.md");
    let rows = page.lines().filter(|line| line.starts_with("| `data-"));
    let first = rows.filter_map(|row| row.split('|').nth(1));
    let documented = first.flat_map(data_names).collect();
    assert_eq!(listed, documented);
}

#[test]
fn ambiguous_markup_is_rejected() {
    for html in [
        "<frameset><script>",
        "<select><iframe></select><img src=x onerror=y>",
    ] {
        assert!(sanitize(html).is_err(), "{html}");
    }
}

/// Attacks of the published cross-site scripting cheat sheets.
#[test]
fn no_attack_of_the_cheat_sheets_passes() {
    for (html, expected) in [
        ("<script>alert(1)</script>", ""),
        ("<SCRIPT SRC=//x/x.js></SCRIPT>", ""),
        (
            "<scr<script>ipt>alert(1)</scr</script>ipt>",
            "ipt>alert(1)ipt>",
        ),
        ("<img src=x onerror=alert(1)>", "<img src=x>"),
        ("<img src=x onerror=>", "<img src=x>"),
        ("<img onerror=alert(1) src=>", "<img src>"),
        ("<IMG SRC=\"jav&#x09;ascript:alert(1);\">", "<IMG>"),
        ("<IMG SRC=`javascript:alert(1)`>", "<IMG>"),
        ("<a href=\" &#14; javascript:alert(1)\">x</a>", "<a>x</a>"),
        ("<a href=\"java\nscript:alert(1)\">x</a>", "<a>x</a>"),
        ("<a href=javascript&colon;alert(1)>x</a>", "<a>x</a>"),
        ("<a href=\"&#0000106&#0000097vascript:x\">x</a>", "<a>x</a>"),
        (
            "<a href=vbscript:x>x</a><a href=data:text/html,x>y</a>",
            "<a>x</a><a>y</a>",
        ),
        ("<img src=\"data:image/svg+xml,<svg onload=x>\">", "<img>"),
        ("<a href='data:image/png,x'>x</a>", "<a>x</a>"),
        ("<iframe src=javascript:x></iframe>", ""),
        ("<iframe srcdoc='<script>x</script>'>y</iframe>z", "z"),
        ("<object data=x><embed src=x></object>", ""),
        ("<embed src=x>after", "after"),
        (
            "<base href=//x><meta http-equiv=refresh content='0;javascript:x'>",
            "",
        ),
        ("<link rel=stylesheet href=x><style>@import x</style>", ""),
        (
            "<div style='background:url(javascript:x)'>a</div>",
            "<div>a</div>",
        ),
        ("<svg onload=alert(1)><circle/></svg>a", "a"),
        ("<svg><style><img src=x onerror=x></style></svg>", ""),
        ("<svg/>a", "a"),
        (
            "<math><mtext><table><mglyph><style><img src=x onerror=x>",
            "",
        ),
        ("<math href=javascript:x>y</math>", ""),
        (
            "<form action=javascript:x><button formaction=javascript:y>z</form>",
            "<button>z",
        ),
        (
            "<input type=image src=javascript:x onfocus=y autofocus>",
            "<input type=image autofocus>",
        ),
        ("<body onload=x><p>a</body>", "<p>a"),
        (
            "<details open ontoggle=x>a</details>",
            "<details open>a</details>",
        ),
        (
            "<<script>x</script>img src=x onerror=y>",
            "&lt;img src=x onerror=y>",
        ),
        (
            "<a title='</textarea><script>x</script>'>",
            "<a title='&lt;/textarea>&lt;script>x&lt;/script>'>",
        ),
        (
            "<textarea><script>x</script>",
            "<textarea>&lt;script>x&lt;/script></textarea>",
        ),
        (
            "<noscript><p title=\"</noscript><img src=x onerror=x>\">",
            "<img src=x>\">",
        ),
        ("<template><script>x</script></template>", ""),
        (
            "<xmp><p title='</xmp><img src=x onerror=x>'>",
            "<img src=x>'>",
        ),
        ("<!--><img src=x onerror=x>-->", "<img src=x>--&gt;"),
        ("<!--[if IE]><script>x</script><![endif]-->", ""),
        ("<!-- --!><img src=x onerror=x> -->", "<img src=x> --&gt;"),
        ("<?php echo 1 ?><!DOCTYPE html><![CDATA[x]]>", ""),
        ("<p/onclick=x id=a/>b", "<p id=a/>b"),
        ("<img src=x:alert(1) alt=a>", "<img alt=a>"),
        ("<img \" src=x onerror=x>", "<img src=x>"),
        ("<custom-element onclick=x>a</custom-element>", "a"),
        ("<video src=x onerror=y><source onerror=x></video>", ""),
        (
            "<a href=x ping=y download xlink:href=javascript:z>a</a>",
            "<a href=x>a</a>",
        ),
        ("<p><img src=x title='a", "<p>"),
        ("</script><b>a</b></iframe>", "<b>a</b>"),
        (
            "<select><iframe></select><img src=x onerror=y></iframe>",
            "ambiguous",
        ),
        ("<plaintext><p>", ""),
        (
            "<p data-\"x=1 data-=2 aria-x.y=3 data-ok=4>",
            "<p aria-x.y=3 data-ok=4>",
        ),
    ] {
        let Ok((out, _)) = sanitize(html) else {
            assert_eq!(expected, "ambiguous", "{html}");
            continue;
        };
        let comparable = |text: &str| text.replace("&gt;", ">");
        assert_eq!(comparable(&out), comparable(expected), "{html}");
        assert_eq!(cleaned(&out), out, "cleaning twice: {html}");
    }
}

#[test]
fn a_handler_after_very_many_attributes_is_removed() {
    let many: String = (0..1_000).map(|n| format!(" data-{n}")).collect();
    let html = format!("<p{many} onclick=alert(1) title=a>x</p>");
    let expected = html.replace(" onclick=alert(1)", "");
    assert_eq!(cleaned(&html), expected);
}

#[test]
fn hostile_input_is_cleaned_in_bounded_time() {
    for html in [
        "<script>".repeat(200_000),
        "<div onclick=x>".repeat(100_000),
        format!("<p {}>", "onclick=x ".repeat(100_000)),
        format!("<p {}>", "data-cf-embed=x ".repeat(100_000)),
        "<p data-cf-embed=x>".repeat(100_000),
        format!("<frameset>{}", "data-cf".repeat(300_000)),
        "<".repeat(2_000_000),
        "<!--".repeat(200_000),
    ] {
        // Some inputs are ambiguous.
        let removed = sanitize(&html).map_or(0, |(_, removed)| removed.len());
        assert!(removed <= 200);
        assert!(without_reserved(&html).1.len() <= 200);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_cleaned_document_is_clean(bytes in proptest::collection::vec(any::<u8>(), 0..30)) {
        let html = document(&mut Choices::of(&bytes));
        let Ok((out, _)) = sanitize(&html) else { return Ok(()) };
        let (again, removed) = sanitize(&out).unwrap();
        prop_assert_eq!(&again, &out);
        prop_assert_eq!(removed, vec![]);
        let warnings = parse(&out).unwrap().warnings;
        prop_assert!(warnings.iter().all(|w| w.code != WarningCode::UnsafeAttribute));
    }
}
