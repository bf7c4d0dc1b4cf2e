//! The texts of Gravity Forms, which may be HTML where this engine has plain text.

use model::entities::unescape;

use super::Report;

/// Elements that stand within a line: nothing is put in their place.
const INLINE: [&str; 12] = [
    "a", "b", "code", "em", "i", "mark", "small", "span", "strong", "sub", "sup", "u",
];

/// The text of HTML, its white space on one line.
#[inline(never)]
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
            // There is no further tag either.
            plain.push('<');
            break;
        };
        if !INLINE.contains(&name_of(tag).as_str()) {
            plain.push(' ');
        }
        rest = after;
    }
    plain.push_str(rest);
    one_line(&unescape(&plain))
}

/// The name of a tag's element, of the tag's inside.
fn name_of(tag: &str) -> String {
    let name = tag.trim_start_matches('/').chars();
    let name = name.take_while(char::is_ascii_alphanumeric).take(10);
    name.map(|c| c.to_ascii_lowercase()).collect()
}

/// Tells when a text was more than paragraphs and lines.
#[inline(never)]
pub fn note_formatting(html: &str, place: &str, report: &mut Report) {
    let mut tags = html.split('<').skip(1);
    if tags.any(|tag| !matches!(name_of(tag).as_str(), "" | "p" | "br")) {
        let message = "Links, pictures and the like of the text are left out.";
        report.note("formatting", place, message);
    }
}

/// A text with its white space on one line.
#[inline(never)]
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
