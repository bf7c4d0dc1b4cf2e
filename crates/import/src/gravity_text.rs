//! The texts of Gravity Forms, which may be HTML where this engine has plain text.

use std::ops::Range;

use markup::tag::Tag;
use markup::tokens::{self, StartTag, TokenSink};
use model::entities::unescape;

use super::Report;
use super::values::one_line;

/// The text of HTML, its white space on one line.
pub fn without_tags(html: &str) -> String {
    let mut plain = Plain::default();
    tokens::read(html, &mut plain);
    one_line(&unescape(&plain.0))
}

/// Text without tags: a space for each that is not a formatting element's within a line.
#[derive(Default)]
struct Plain(String);

impl<'a> TokenSink<'a> for Plain {
    fn start_tag(&mut self, tag: &StartTag<'a, '_>) {
        self.end_tag(tag.name, 0..0);
    }

    fn end_tag(&mut self, name: &'a str, _: Range<usize>) {
        if !matches!(Tag::of(name), Tag::Other | Tag::Small) {
            self.0.push(' ');
        }
    }

    fn text(&mut self, raw: &'a str, _: Range<usize>) {
        self.0.push_str(raw);
    }
}

/// Notes when a text had more formatting than paragraphs and lines.
pub fn note_formatting(html: &str, place: &str, report: &mut Report) {
    let mut has_formatting = false;
    tokens::read(html, &mut |tag: &StartTag<'_, '_>| {
        has_formatting |= !matches!(tag.tag, Tag::P | Tag::Br);
    });
    if has_formatting {
        report.remark("formatting", place, "");
    }
}
