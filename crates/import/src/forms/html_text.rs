//! Converts texts of other products, which may be HTML, to the plain text that this engine needs.

use crate::gravity_text::{name_of, without_tags};

/// Elements that start a new line.
const BLOCKS: &str = " address article blockquote br div dl dt dd h1 h2 h3 h4 h5 h6 hr li ol p pre section table tr ul ";

/// The text of HTML with a line for each block; plain text keeps its lines.
pub fn lines(html: &str) -> String {
    let is_block = |tag: &str| BLOCKS.contains(&[" ", &name_of(tag), " "].concat());
    let has_blocks = html.split('<').skip(1).any(is_block);
    let mut out = String::with_capacity(html.len());
    for (index, piece) in html.split('<').enumerate() {
        if index > 0 {
            out.push_str(if is_block(piece) { "\u{1e}<" } else { "<" });
        }
        out.push_str(piece);
    }
    let split = |c: char| c == '\u{1e}' || !has_blocks && c == '\n';
    let lines = out.split(split).map(without_tags);
    let lines: Vec<String> = if has_blocks {
        lines.filter(|line| !line.is_empty()).collect()
    } else {
        lines.collect()
    };
    lines.join("\n").trim().to_owned()
}

/// Whether HTML contains more than paragraphs and line breaks.
pub fn is_formatted(html: &str) -> bool {
    let mut tags = html.split('<').skip(1);
    tags.any(|tag| !matches!(name_of(tag).as_str(), "" | "p" | "br"))
}

/// The text of HTML on one line, with links as `[words](address)`.
pub fn linked(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    while let Some((before, at)) = rest.split_once("<a ") {
        out.push_str(before);
        rest = at;
        let Some((tag, after)) = at.split_once('>') else {
            break;
        };
        let Some((words, after)) = after.split_once("</a>") else {
            rest = after;
            continue;
        };
        rest = after;
        let words_only = without_tags(words);
        match attribute(tag, "href") {
            Some(address) if !words_only.is_empty() && is_plain(&words_only, address) => {
                out.extend(["[", &words_only, "](", address, ")"]);
            }
            _ => out.push_str(words),
        }
    }
    out.push_str(rest);
    without_tags(&out)
}

/// Whether a link can be written as `[words](address)`.
fn is_plain(words: &str, address: &str) -> bool {
    let is_odd = |c: char| c.is_whitespace() || c.is_control() || "()<>[]".contains(c);
    !words.contains(['[', ']', '<']) && !address.is_empty() && !address.contains(is_odd)
}

/// The quoted value of an attribute in the text of a tag.
fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let (_, after) = tag.split_once(&[name, "="].concat())?;
    let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    after.get(1..)?.split(quote).next()
}
