//! Edits a document. Every byte outside the edited tags and texts stays unchanged. In an edited tag, the other
//! attributes stay too, although lol_html rewrites the tag.

use std::ops::Range;

use lol_html::{RewriteStrSettings, element, rewrite_str};
use model::{escape, ordered};

/// The offset of a start tag, the name of an attribute, and its new value; `None` removes the attribute.
type AttributeEdit = (usize, String, Option<String>);

/// Edits of a document, by their offsets.
#[derive(Debug, Default)]
pub(crate) struct Edits {
    attributes: Vec<AttributeEdit>,
    /// The bytes to remove, and the HTML that replaces them.
    replaced: Vec<(Range<usize>, String)>,
}

impl Edits {
    /// Sets an attribute of the tag that begins at an offset, or removes it.
    pub(crate) fn set_attribute(&mut self, tag: usize, name: &str, value: Option<&str>) {
        let value = value.map(escape::escaped);
        self.attributes.push((tag, name.to_owned(), value));
    }

    /// Replaces whole tokens, or any part of a text, with HTML; the range may be empty.
    pub(crate) fn replace(&mut self, span: Range<usize>, html: String) {
        self.replaced.push((span, html));
    }

    /// The edited document.
    pub(crate) fn apply(mut self, html: &str) -> String {
        ordered::sort_by(&mut self.replaced, |(one, _), (other, _)| {
            one.start.cmp(&other.start)
        });
        ordered::sort_by(&mut self.attributes, |(one, ..), (other, ..)| {
            one.cmp(other)
        });
        self.replace(html.len()..html.len(), String::new());
        let mut edits = self.attributes.into_iter().peekable();
        // The edits of attributes, with the offsets of their tags in the output.
        let mut moved: Vec<AttributeEdit> = Vec::new();
        let mut out = String::with_capacity(html.len());
        let mut at = 0;
        for (span, new) in self.replaced {
            while let Some((tag, name, value)) = edits.next_if(|(tag, ..)| *tag < span.start) {
                if let Some(behind) = tag.checked_sub(at) {
                    moved.push((out.len() + behind, name, value));
                }
            }
            out.push_str(html.get(at..span.start).unwrap_or_default());
            out.push_str(&new);
            at = at.max(span.end);
        }
        if moved.is_empty() {
            return out;
        }
        let mut moved = moved.into_iter().peekable();
        let set_attributes = element!("*", |element| {
            let tag = element.source_location().bytes().start;
            while let Some((edited, name, value)) = moved.next_if(|(edited, ..)| *edited <= tag) {
                match value {
                    // lol_html found no tag at this offset.
                    _ if edited < tag => {}
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
