//! Converts texts of Gravity Forms, which may be HTML, to the plain text that this engine needs.

use model::entities::unescape;

use super::Report;
use super::values::{one_line, shortened};

/// Inline elements, which are removed without inserting a space.
const INLINE: &str = " a b code em i mark small span strong sub sup u ";

/// The text of HTML on one line, with single spaces.
pub fn without_tags(html: &str) -> String {
    let mut plain = String::with_capacity(html.len());
    let mut rest = html;
    while let Some((before, at)) = rest.split_once('<') {
        plain.push_str(before);
        rest = at;
        if !at.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!')) {
            plain.push('<');
            continue;
        }
        let Some((tag, after)) = at.split_once('>') else {
            // No further tag can follow.
            plain.push('<');
            break;
        };
        if !INLINE.contains(&[" ", &name_of(tag), " "].concat()) {
            plain.push(' ');
        }
        rest = after;
    }
    plain.push_str(rest);
    one_line(&unescape(&plain))
}

/// The name of a tag's element, from the text inside the tag.
pub fn name_of(tag: &str) -> String {
    let tag = tag.trim_start_matches('/');
    let name = tag.split(|c: char| !c.is_ascii_alphanumeric()).next();
    shortened(name.unwrap_or_default(), 10).to_ascii_lowercase()
}

/// Reports a text with more formatting than paragraphs and line breaks.
pub fn note_formatting(html: &str, place: &str, report: &mut Report) {
    let mut tags = html.split('<').skip(1);
    if tags.any(|tag| !matches!(name_of(tag).as_str(), "" | "p" | "br")) {
        report.remark("formatting", place, "");
    }
}
