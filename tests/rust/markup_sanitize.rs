//! Cleaning the HTML of authors who may not write any.

use cf_forms::markup::{WarningCode, parse, sanitize};
use proptest::prelude::*;

use crate::choices::Choices;
use crate::markup_documents::document;

fn cleaned(html: &str) -> String {
    sanitize(html).unwrap().0
}

#[test]
fn harmless_html_keeps_its_bytes() {
    for html in [
        "<input name=a value=><a href = >x</a>",
        "<p><label for=a>Name</label> <INPUT ID='a' name=\"a\" required></p>",
        "<select name=s><option value=1 selected>One<option>Two</select>",
        "<a href=\"https://example.org/?a=1&b=2\" target=_blank rel=noopener>x &copy y</a>",
        "<img src=/logo.png alt=''><img src='data:image/png;base64,AAAA' alt=\"\">",
        "<div class=\"row\" data-show-if=\"a=b\" aria-live=polite>{{tag}} 1 > 0 & so on</div>",
        "<a href='mailto:a@b.c'>m</a><a href='tel:+1'>t</a><a href='#top'>u</a><a href='/a:b'>v</a>",
        "<!-- a plain comment --><fieldset><legend>L</legend></fieldset>",
        "<textarea name=t>\n&lt;b&gt;</textarea><b><i></b></i></p>",
        "日本語 שלום \u{0} 😀",
    ] {
        let (out, removed) = sanitize(html).unwrap();
        assert_eq!(out, html);
        assert_eq!(removed, [], "{html}");
    }
}

#[test]
fn what_is_removed_is_told_with_its_place() {
    let (out, removed) = sanitize("<p onclick=x>a</p><script>b</script>").unwrap();
    assert_eq!(out, "<p>a</p>");
    let told: Vec<_> = removed.iter().map(|w| (w.code, w.offset)).collect();
    let (attribute, element) = (WarningCode::AttributeRemoved, WarningCode::ElementRemoved);
    assert_eq!(told, [(attribute, 3), (element, 18)]);
}

#[test]
fn what_can_be_read_in_two_ways_is_refused() {
    for html in [
        "<frameset><script>",
        "<select><iframe></select><img src=x onerror=y>",
    ] {
        assert!(sanitize(html).is_err(), "{html}");
    }
}

/// Families of the published cross-site scripting cheat sheets.
#[test]
fn no_family_of_the_cheat_sheets_comes_through() {
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
fn what_a_tag_has_behind_very_many_attributes_is_removed_too() {
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
        "<".repeat(2_000_000),
        "<!--".repeat(200_000),
    ] {
        // Some of it is ambiguous.
        let removed = sanitize(&html).map_or(0, |(_, removed)| removed.len());
        assert!(removed <= 200);
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
