//! An author's form without its own `<form>` tags.

use std::ops::Range;

use super::html::tokens::{self, StartTag, TokenSink};

/// The markup without `<form>` and `</form>`, every other byte left alone. A page puts its own
/// form element around the fields, and browsers end that one at the author's `</form>`.
pub fn without_form_tags(html: &str) -> String {
    let mut tags = FormTags(Vec::new());
    tokens::read(html, &mut tags);
    let mut out = String::with_capacity(html.len());
    let mut at = 0;
    for tag in tags.0 {
        out.push_str(html.get(at..tag.start).unwrap_or_default());
        at = tag.end;
    }
    out.push_str(html.get(at..).unwrap_or_default());
    out
}

/// Where the tags stand.
struct FormTags(Vec<Range<usize>>);

impl<'a> TokenSink<'a> for FormTags {
    fn start_tag(&mut self, tag: &StartTag<'a, '_>) {
        self.end_tag(tag.name, tag.span.clone());
    }

    fn end_tag(&mut self, name: &'a str, span: Range<usize>) {
        if name.eq_ignore_ascii_case("form") {
            self.0.push(span);
        }
    }

    fn text(&mut self, _raw: &'a str, _span: Range<usize>) {}
}

#[cfg(test)]
mod tests {
    use super::without_form_tags;

    #[test]
    fn only_the_form_tags_go() {
        let html = "<p>a</p><FORM action=/x><input name=form value='<form>'></form >b</form><!-- <form> -->";
        let expected = "<p>a</p><input name=form value='<form>'>b<!-- <form> -->";
        assert_eq!(without_form_tags(html), expected);
    }
}
