//! Changes of a document: every byte outside the tags and texts that change stays as it is, and so do the
//! other attributes of a tag, which lol_html rewrites.

use std::collections::BTreeMap;
use std::ops::Range;

use lol_html::{RewriteStrSettings, element, rewrite_str};

use super::escape;

/// Attributes and the values that they get; none for those that go.
type Attributes = Vec<(String, Option<String>)>;

/// Changes of a document, by their places in it.
#[derive(Debug, Default)]
pub(crate) struct Edits {
    /// By where a start tag begins.
    attributes: BTreeMap<usize, Attributes>,
    /// Bytes that go, and the HTML that comes in their place.
    replaced: Vec<(Range<usize>, String)>,
}

impl Edits {
    /// Gives an attribute of the tag that begins at an offset a value, or takes it away.
    pub(crate) fn set_attribute(&mut self, tag: usize, name: &str, value: Option<&str>) {
        let value = value.map(|value| {
            let mut escaped = String::new();
            escape::text(&mut escaped, value);
            escaped
        });
        let changes = self.attributes.entry(tag).or_default();
        changes.push((name.to_owned(), value));
    }

    /// Puts HTML in the place of whole tokens, or of any part of a text; also at the edge of one.
    pub(crate) fn replace(&mut self, span: Range<usize>, html: String) {
        self.replaced.push((span, html));
    }

    /// The document with the changes made.
    pub(crate) fn apply(mut self, html: &str) -> String {
        self.replaced.sort_by_key(|(span, _)| span.start);
        self.replace(html.len()..html.len(), String::new());
        let mut tags = self.attributes.into_iter().peekable();
        // The tags that change, by their places in what is written.
        let mut moved: BTreeMap<usize, Attributes> = BTreeMap::new();
        let mut out = String::with_capacity(html.len());
        let mut at = 0;
        for (span, new) in self.replaced {
            while let Some((tag, changes)) = tags.next_if(|(tag, _)| *tag < span.start) {
                if let Some(behind) = tag.checked_sub(at) {
                    moved.insert(out.len() + behind, changes);
                }
            }
            out.push_str(html.get(at..span.start).unwrap_or_default());
            out.push_str(&new);
            at = at.max(span.end);
        }
        if moved.is_empty() {
            return out;
        }
        let set_attributes = element!("*", |element| {
            let tag = element.source_location().bytes().start;
            for (name, value) in moved.remove(&tag).unwrap_or_default() {
                match value {
                    Some(value) => element.set_attribute(&name, &value)?,
                    None => element.remove_attribute(&name),
                }
            }
            Ok(())
        });
        let settings = RewriteStrSettings::new()
            .with_strict(false)
            .append_element_content_handler(set_attributes);
        rewrite_str(&out, settings).unwrap_or(out)
    }
}
