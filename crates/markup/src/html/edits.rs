//! Changes of a document: every byte outside the tags and texts that change stays as it is, and so do the
//! other attributes of a tag, which lol_html rewrites.

use std::ops::Range;

use lol_html::{RewriteStrSettings, element, rewrite_str};
use model::{escape, ordered};

/// Where a start tag begins, an attribute of it, and the value that this gets; none where it goes.
type AttributeEdit = (usize, String, Option<String>);

/// Changes of a document, by their places in it.
#[derive(Debug, Default)]
pub(crate) struct Edits {
    attributes: Vec<AttributeEdit>,
    /// Bytes that go, and the HTML that comes in their place.
    replaced: Vec<(Range<usize>, String)>,
}

impl Edits {
    /// Gives an attribute of the tag that begins at an offset a value, or takes it away.
    pub(crate) fn set_attribute(&mut self, tag: usize, name: &str, value: Option<&str>) {
        let value = value.map(escape::escaped);
        self.attributes.push((tag, name.to_owned(), value));
    }

    /// Puts HTML in the place of whole tokens, or of any part of a text; also at the edge of one.
    pub(crate) fn replace(&mut self, span: Range<usize>, html: String) {
        self.replaced.push((span, html));
    }

    /// The document with the changes made.
    pub(crate) fn apply(mut self, html: &str) -> String {
        ordered::sort_by(&mut self.replaced, |(one, _), (other, _)| {
            one.start.cmp(&other.start)
        });
        ordered::sort_by(&mut self.attributes, |(one, ..), (other, ..)| {
            one.cmp(other)
        });
        self.replace(html.len()..html.len(), String::new());
        let mut edits = self.attributes.into_iter().peekable();
        // By the places of the tags in what is written.
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
            while let Some((own, name, value)) = moved.next_if(|(own, ..)| *own <= tag) {
                match value {
                    // A tag that is none to lol_html.
                    _ if own < tag => {}
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
