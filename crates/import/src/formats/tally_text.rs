//! The texts of Tally: lists of pieces, each with its tags, link, or mention of a field.

use markup::escape;
use serde_json::Value;

use crate::forms::builder::Builder;
use crate::gravity_text::without_tags;
use crate::values::{member, text, values};

/// Maximum depth of nested pieces in a formatted text.
const MAX_DEPTH: usize = 16;

/// The elements that a text may keep.
const TAGS: [&str; 6] = ["b", "strong", "i", "em", "u", "s"];

/// The words of a block, and whether they are formatted.
pub fn words(block: &Value) -> (String, bool) {
    let payload = member(block, "payload");
    let schema = member(payload, "safeHTMLSchema");
    if let Some(pieces) = schema.as_array() {
        let is_formatted = pieces.iter().any(|piece| piece.get(1).is_some());
        let all: Vec<String> = pieces.iter().map(|piece| leaves(piece, 0)).collect();
        return (all.concat(), is_formatted);
    }
    let html = match text(payload, "html") {
        "" => text(payload, "title"),
        html => html,
    };
    (without_tags(html), html.contains('<'))
}

/// The text of a piece: a string, or a list whose first item is a string or a list of pieces.
fn leaves(piece: &Value, depth: usize) -> String {
    match piece {
        Value::String(text) => text.clone(),
        Value::Array(items) if depth < MAX_DEPTH => items
            .first()
            .map(|first| match first {
                Value::Array(inner) => inner.iter().map(|piece| leaves(piece, depth + 1)).collect(),
                first => leaves(first, depth + 1),
            })
            .unwrap_or_default(),
        _ => String::new(),
    }
}

/// The fields that texts mention, by the ids of the mentions.
pub fn mentions(blocks: &[&Value]) -> Vec<(String, String)> {
    let all = blocks
        .iter()
        .flat_map(|block| values(member(member(block, "payload"), "mentions")));
    all.map(|mention| {
        let field = member(mention, "field");
        let group = text(field, "blockGroupUuid").to_owned();
        (text(mention, "uuid").to_owned(), group)
    })
    .collect()
}

/// The HTML of a block, with its links, and variables for mentions.
pub fn html(form: &mut Builder<'_>, block: &Value, mentions: &[(String, String)]) -> String {
    let payload = member(block, "payload");
    let Some(pieces) = member(payload, "safeHTMLSchema").as_array() else {
        return text(payload, "html").to_owned();
    };
    let mut html = String::new();
    for piece in pieces {
        let words = leaves(piece, 0);
        let mark = |name: &str| {
            let marks = piece.get(1).and_then(Value::as_array)?;
            let mut marks = marks.iter().filter_map(Value::as_array);
            let found = marks.find(|mark| mark.first().and_then(Value::as_str) == Some(name))?;
            found.get(1)?.as_str()
        };
        if let Some(id) = mark("mention") {
            let group = mentions.iter().find(|(known, _)| known == id);
            match group.and_then(|(_, group)| form.variable(group, "")) {
                Some(variable) => html.push_str(&variable),
                None => form.note("unknown_variable", "PAGE_BREAK", &words),
            }
            continue;
        }
        let tag = mark("tag").filter(|tag| TAGS.contains(tag));
        let href = mark("href");
        if let Some(address) = href {
            html.push_str("<a");
            escape::attribute(&mut html, "href", address);
            html.push('>');
        }
        if let Some(tag) = tag {
            html.extend(["<", tag, ">"]);
        }
        escape::text(&mut html, &words);
        if let Some(tag) = tag {
            html.extend(["</", tag, ">"]);
        }
        if href.is_some() {
            html.push_str("</a>");
        }
    }
    html
}
