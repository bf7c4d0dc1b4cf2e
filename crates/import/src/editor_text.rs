//! Converts texts of Payload's form builder: templates with variables, and documents of the rich-text editors.

use serde_json::Value;

use super::submissions::field_name;
use super::values::{member, text, values};

/// Converts the variables of a template to this engine's variables: `{{name}}` to `[name]`, `{{*}}` and `{{*:table}}`
/// to `[all:label]`, and `{{formSubmissionID}}` to `[CF_SUBMISSION_ID]`.
pub fn variables(template: &str) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, at)) = rest.split_once("{{") {
        out.push_str(before);
        let Some((tag, after)) = at.split_once("}}") else {
            out.push_str("{{");
            rest = at;
            continue;
        };
        rest = after;
        let name = field_name(tag.trim());
        match tag.trim() {
            "*" | "*:table" => out.push_str("[all:label]"),
            "formSubmissionID" => out.push_str("[CF_SUBMISSION_ID]"),
            _ => out.extend(["[", &name, "]"]),
        }
    }
    out.push_str(rest);
    out
}

/// The plain text of a rich-text document, with one line for each block. The editor Lexical stores an object with a
/// `root`; the editor Slate stores a list of blocks.
pub fn plain(document: &Value) -> String {
    let node = document.get("root").unwrap_or(document);
    if text(node, "type") == "linebreak" {
        return "\n".to_owned();
    }
    let children = values(if node.is_array() {
        node
    } else {
        member(node, "children")
    });
    let is_block =
        |child: &&Value| child.get("children").is_some() && !text(child, "type").ends_with("link");
    let between = if children.iter().any(is_block) {
        "\n"
    } else {
        ""
    };
    let words: Vec<String> = children.into_iter().map(plain).collect();
    let leaf = node.as_str().unwrap_or_else(|| text(node, "text"));
    [leaf, &words.join(between)].concat()
}
