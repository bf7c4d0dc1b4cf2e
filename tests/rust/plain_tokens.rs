//! For the importers' files, the tokenizer without lol_html (`markup::plain_tokens`) gives the same tokens as
//! `markup::tokens`.

use std::ops::Range;

use markup::tokens::{StartTag, TokenSink};
use markup::{plain_tokens, tokens};

/// Each token as a line, with its text.
struct Lines(Vec<String>);

impl<'a> TokenSink<'a> for Lines {
    fn start_tag(&mut self, tag: &StartTag<'a, '_>) {
        let values = ["name", "type", "class", "value"].map(|name| tag.value_of(name));
        let at = (tag.name, tag.tag, tag.is_foreign, tag.span.clone());
        self.0.push(format!("start {at:?} {values:?}"));
    }

    fn end_tag(&mut self, name: &'a str, span: Range<usize>) {
        self.0.push(format!("end {name} {span:?}"));
    }

    fn text(&mut self, raw: &'a str, span: Range<usize>) {
        self.0.push(format!("text {raw:?} {span:?}"));
    }

    fn comment(&mut self, span: Range<usize>) {
        self.0.push(format!("comment {span:?}"));
    }
}

fn assert_same(html: &str) {
    let (mut plain, mut full) = (Lines(Vec::new()), Lines(Vec::new()));
    plain_tokens::read(html, &mut plain);
    tokens::read(html, &mut full);
    assert_eq!(plain.0, full.0, "{html}");
}

#[test]
fn the_tokens_equal_those_of_the_full_tokenizer() {
    for html in [
        "",
        "a",
        "a < b <3 </ c",
        "<p>one<br>two</p> three",
        "<input name=a type='te\"xt' value=\"x>y\" disabled class = b/>",
        "<a =b c==d e= f>g</a>",
        "<!doctype html><html><!-- c --><title>a<b>&amp;</title><p>x",
        "<!-->a<!--->b<!--c--!>d<!e><?f>g</>h</ i>",
        "<!-- never ended <p>",
        "<textarea><p></textareas></TEXTAREA ><p>",
        "<script>if (a</b) '</scrip'</script>c<style>p</style><noscript><p></noscript>",
        "<script>never <p> ended",
        "<svg><title>a<b></b></title><path d='x'/></svg><math/><p>",
        "text<p",
        "text<p a='b",
        "text</p",
        "text<",
        "text</",
        "<plaintext>a</plaintext><p>",
        "<div a='1' a=\"2\" B=3>ä ü <ü></div>",
    ] {
        assert_same(html);
    }
}

#[test]
fn the_markup_of_the_cases_has_the_same_tokens() {
    let mut count = 0;
    for entry in std::fs::read_dir("tests/cases/markup").unwrap() {
        let path = entry.unwrap().path();
        if path
            .extension()
            .is_some_and(|extension| extension == "html")
        {
            assert_same(&std::fs::read_to_string(&path).unwrap());
            count += 1;
        }
    }
    assert!(count > 10, "{count}");
}

#[test]
fn any_bytes_are_read_in_linear_time() {
    let read = |html: &str| {
        let mut count = 0_usize;
        plain_tokens::read(html, &mut |_: &StartTag<'_, '_>| count += 1);
        count
    };
    for piece in [
        "<",
        "<!--",
        "</",
        "<a ",
        "<a b='",
        "<script>",
        "<svg><![CDATA[",
        "</x",
        "<textarea></",
        "<!-- -->",
        "<!-- --!>",
    ] {
        read(&piece.repeat(200_000));
    }
    assert_eq!(read(&"<p>".repeat(100_000)), 100_000);
}
