//! An author's form without its own `<form>` tags.

use std::ops::Range;

use super::html::edits::Edits;
use super::html::tokens::{self, StartTag, TokenSink};

/// The markup without `<form>` and `</form>`, every other byte left alone. A page puts its own
/// form element around the fields, and browsers end that one at the author's `</form>`.
pub fn without_form_tags(html: &str) -> String {
    let mut tags = FormTags::default();
    tokens::read(html, &mut tags);
    tags.0.apply(html)
}

/// Takes the tags away.
#[derive(Default)]
struct FormTags(Edits);

impl<'a> TokenSink<'a> for FormTags {
    fn start_tag(&mut self, tag: &StartTag<'a, '_>) {
        self.end_tag(tag.name, tag.span.clone());
    }

    fn end_tag(&mut self, name: &'a str, span: Range<usize>) {
        if name.eq_ignore_ascii_case("form") {
            self.0.remove(span);
        }
    }
}
