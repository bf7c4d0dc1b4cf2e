//! Values in templates that try to become URLs, tags or scripts.

use crate::logic_template::expanded_with;
use cf_forms::logic::template::Context;
use serde_json::json;

#[test]
fn a_value_makes_no_script_url_and_no_url_of_another_origin() {
    let rows = [
        ("<a href=\"[x]\">", "javascript:alert(1)", "<a href=\"\">"),
        (
            "<a href=\"[x]\">",
            " jAvA\tscript:alert(1)",
            "<a href=\"\">",
        ),
        (
            "<a href=\"[x]\">",
            "\u{1}javascript:alert(1)",
            "<a href=\"\">",
        ),
        ("<a href='[x]'>", "data:text/html,x", "<a href=''>"),
        (
            "<a href=[x] title=t>",
            "vbscript:x",
            "<a href=\"\" title=t>",
        ),
        ("<A\nHREF = \"[x]\">", "javascript:1", "<A\nHREF = \"\">"),
        ("<img src=\"[x]\">", "file:///etc/passwd", "<img src=\"\">"),
        ("<a href=\"java[x]\">", "script:1", "<a href=\"java\">"),
        (
            "<a href=\"[x]:alert(1)\">",
            "javascript",
            "<a href=\":alert(1)\">",
        ),
        (
            "<a href=\"&#106;ava[x]\">",
            "script:1",
            "<a href=\"&#106;ava\">",
        ),
        ("<a href=\"[x]\">", "//evil.example", "<a href=\"\">"),
        ("<a href=\"/[x]\">", "/evil.example", "<a href=\"/\">"),
        ("<a href=\"[x]\">", "example.com", "<a href=\"\">"),
        (
            "<!--[if mso]><a href=\"[x]\"><![endif]-->",
            "javascript:1",
            "<!--[if mso]><a href=\"\"><![endif]-->",
        ),
        ("<a href=\"[x]", "javascript:1", "<a href=\""),
        // Values that do not change.
        (
            "<a href=\"[x]\">[x]</a>",
            "https://a.example/?b=1&c=\"2",
            "<a href=\"https://a.example/?b=1&amp;c=&quot;2\">https://a.example/?b=1&amp;c=&quot;2</a>",
        ),
        (
            "<a href=\"mailto:[x]\">",
            "a@b.example",
            "<a href=\"mailto:a@b.example\">",
        ),
        ("<a href=\"[x]\">", "TEL:+49 1", "<a href=\"TEL:+49 1\">"),
        (
            "<a href=\"https://s.example/?q=[x]\">",
            "javascript:1",
            "<a href=\"https://s.example/?q=javascript:1\">",
        ),
        (
            "<a href=\"/entries/[x]\">",
            "a:b",
            "<a href=\"/entries/a:b\">",
        ),
        (
            "<a href=\"[x]\">",
            "https://a.example/1\nhttps://a.example/2",
            "<a href=\"https://a.example/1\">",
        ),
        // Values that are not in a URL.
        (
            "<p title=\"[x]\">[x]</p>",
            "javascript:1\n2",
            "<p title=\"javascript:1 2\">javascript:1<br>\n2</p>",
        ),
        ("<p title=[x]>", "a onclick=b", "<p title=a&#32;onclick=b>"),
        ("<p [x]>", "onclick=b", "<p >"),
        ("1 < 2 and [x] > 0", "3", "1 < 2 and 3 > 0"),
        (
            "<img srcset=\"[x] 1x, /b.png 2x\">",
            "https://a.example/a.png",
            "<img srcset=\"https://a.example/a.png 1x, /b.png 2x\">",
        ),
        (
            "<img srcset=\"/a.png 1x, [x] 2x\">",
            "javascript:1",
            "<img srcset=\"/a.png 1x,  2x\">",
        ),
        (
            "<svg><a xlink:href=\"[x]\"><animate to=\"[x]\">",
            "javascript:1",
            "<svg><a xlink:href=\"\"><animate to=\"\">",
        ),
    ];
    for (template, value, expected) in rows {
        let data = json!({"x": value}).as_object().unwrap().clone();
        assert_eq!(
            expanded_with(template, &data, Context::Html),
            expected,
            "{template} {value}"
        );
    }
}

#[test]
fn a_value_starts_no_tag_and_never_becomes_script() {
    let hostile = "img src=x onerror=alert(1)";
    let rows = [
        // After text that may begin a tag or a comment.
        ("From [y] <[x]>", "a@b.example", "From y &lt;a@b.example>"),
        ("<[x]> and <b>[x]</b>", "b", "&lt;b> and <b>b</b>"),
        ("<{x}", hostile, "&lt;img src=x onerror=alert(1)"),
        ("</[x]>", "p", "&lt;/p>"),
        ("<?[x]>", "php", "&lt;?php>"),
        ("<!-{x}>", "-", "&lt;!-->"),
        ("<[y][x]>", "b", "&lt;yb>"),
        ("<[x]", "", "&lt;"),
        ("<<[x]>", "b", "<&lt;b>"),
        ("a < [x] <3", "b", "a < b <3"),
        // Inside the name of a tag or an attribute.
        ("<a[x]>", "pplet", "<a>"),
        ("</di[x]>", "v", "</di>"),
        ("</p [x]>", "a>", "</p >"),
        (
            "<p data-[x]=\"1\" on[x]=\"2\">",
            "click",
            "<p data-=\"1\" on=\"2\">",
        ),
        ("<p [x]=\"[x]\">", "a", "<p =\"\">"),
        // After a `/`, an `=` begins a name, which includes a following quoted text.
        ("<a href/=\"[x]\">", "a onclick=b c", "<a href/=\"\">"),
        ("<a title /='[x]'>", "a onclick=b c", "<a title /=''>"),
        // Inside a value, quoted or not.
        (
            "<p title=a[x]>",
            "\" onclick=b ",
            "<p title=a&quot;&#32;onclick=b&#32;>",
        ),
        ("<p title=[x]/>", ">", "<p title=&gt;/>"),
        ("<p title='[x]'>", "'\"", "<p title='&#39;&quot;'>"),
        (
            "<p title=\"<b\">[x]</p>",
            "1\n2",
            "<p title=\"<b\">1<br>\n2</p>",
        ),
        // Inside comments.
        (
            "<!-- [x] --><b>",
            "--><img>",
            "<!-- --&gt;&lt;img&gt; --><b>",
        ),
        (
            "<!-- <a title=' --><a href=[x]>",
            "javascript:alert(1) onclick=a",
            "<!-- <a title=' --><a href=\"\">",
        ),
        ("<!-- <style> --!>[x]", "a(b)", "<!-- <style> --!>a(b)"),
        (
            "<!--><a href=[x]><!-- <a title=\"-->[x]",
            "a:b",
            "<!--><a href=\"\"><!-- <a title=\"-->a:b",
        ),
        (
            "<!--[if mso]><a href=\"[x]\"><![endif]-->",
            "javascript:x",
            "<!--[if mso]><a href=\"\"><![endif]-->",
        ),
        // Inside scripts and styles.
        (
            "<a onclick=\"go('[x]')\">",
            "');alert('",
            "<a onclick=\"go('')\">",
        ),
        ("<a onclick=\"go([x])\">", "42", "<a onclick=\"go(42)\">"),
        (
            "<script>x=\"[x]\";if(1<2)y='[x]'</script>[x]",
            "\\",
            "<script>x=\"\";if(1<2)y=''</script>\\",
        ),
        ("<SCRIPT>x=[x]</Script >[x]", "7", "<SCRIPT>x=7</Script >7"),
        (
            "<script></scripts>[x]</script><b>[x]",
            "a",
            "<script></scripts></script><b>a",
        ),
        (
            "<style>p{color:[x]}</style>",
            "red}*{display:none",
            "<style>p{color:}</style>",
        ),
        (
            "<style>p{color:[x]}</style>[x]",
            "#f00",
            "<style>p{color:#f00}</style>#f00",
        ),
        ("<p style=\"width:[x]%\">", "50", "<p style=\"width:50%\">"),
        (
            "<p style=\"color:[x]\">",
            "red;background:url(//e)",
            "<p style=\"color:\">",
        ),
        ("<p style=[x]>", "a:b", "<p style=\"\">"),
        (
            "<iframe srcdoc=\"[x]\">",
            "<script>",
            "<iframe srcdoc=\"\">",
        ),
        (
            "<script src=\"[x]\"></script>",
            "https://e.example/",
            "<script src=\"\"></script>",
        ),
        (
            "<base href=\"[x]\">",
            "https://e.example/",
            "<base href=\"\">",
        ),
        (
            "<meta http-equiv=refresh content=\"0;url=[x]\">",
            "https://e.example/",
            "<meta http-equiv=refresh content=\"0;url=\">",
        ),
        (
            "<form action=\"[x]\"><button formaction=\"[x]\">",
            "javascript:1",
            "<form action=\"\"><button formaction=\"\">",
        ),
        // In preformatted text, where line feeds show.
        (
            "<textarea>[x]</textarea>[x]",
            "1\n<2",
            "<textarea>1\n&lt;2</textarea>1<br>\n&lt;2",
        ),
        (
            "<title>[x]</title><pre>[x]</pre>",
            "</title>",
            "<title>&lt;/title&gt;</title><pre>&lt;/title&gt;</pre>",
        ),
    ];
    for (template, value, expected) in rows {
        let data = json!({"x": value, "y": "y"}).as_object().unwrap().clone();
        assert_eq!(
            expanded_with(template, &data, Context::Html),
            expected,
            "{template} {value}"
        );
    }
}
