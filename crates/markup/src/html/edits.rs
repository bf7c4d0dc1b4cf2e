//! Changes of a document, made by lol_html's rewriter: every byte outside the tags and texts that change
//! stays as it is, and so do the other attributes of a tag.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use lol_html::html_content::{Comment, ContentType, DocumentEnd, Element, EndTag, TextChunk};
use lol_html::{
    DocumentContentHandlers, ElementContentHandlers, HandlerResult, RewriteStrSettings, Selector,
    rewrite_str,
};

use super::escape;

/// Changes of a document, by their places in it.
#[derive(Debug, Default)]
pub(crate) struct Edits {
    /// By where a start tag begins, attributes and the values that they get; none for those that go.
    attributes: BTreeMap<usize, Vec<(String, Option<String>)>>,
    inserted: Vec<(usize, String)>,
    removed: Vec<Range<usize>>,
}

impl Edits {
    pub(crate) fn is_empty(&self) -> bool {
        self.attributes.is_empty() && self.inserted.is_empty() && self.removed.is_empty()
    }

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

    /// Puts HTML at the edge of a token, or anywhere in a text.
    pub(crate) fn insert(&mut self, at: usize, html: String) {
        self.inserted.push((at, html));
    }

    /// Takes away the tokens that begin in a range, and of texts what lies in it.
    pub(crate) fn remove(&mut self, span: Range<usize>) {
        if !span.is_empty() {
            self.removed.push(span);
        }
    }

    /// Puts HTML in the place of a range.
    pub(crate) fn replace(&mut self, span: Range<usize>, html: String) {
        self.insert(span.start, html);
        self.remove(span);
    }

    /// The document with the changes made.
    pub(crate) fn apply(mut self, html: &str) -> String {
        self.inserted.sort_by_key(|(at, _)| *at);
        self.removed.sort_by_key(|span| span.start);
        self.removed.dedup_by(|next, before| {
            let is_one = next.start <= before.end;
            if is_one {
                before.end = before.end.max(next.end);
            }
            is_one
        });
        let (false, Ok(every_element)) = (self.is_empty(), "*".parse::<Selector>()) else {
            return html.to_owned();
        };
        let rewriter = Rc::new(RefCell::new(Rewriter {
            edits: self,
            inserted: 0,
        }));
        let on_element =
            |element: &mut Element<'_, '_>| rewriter.borrow_mut().element(element, &rewriter);
        let on_text = |text: &mut TextChunk<'_>| {
            rewriter.borrow_mut().text(text);
            Ok(())
        };
        let on_comment = |comment: &mut Comment<'_>| {
            rewriter.borrow_mut().comment(comment);
            Ok(())
        };
        let on_end = |end: &mut DocumentEnd<'_>| {
            if let Some(html) = rewriter.borrow_mut().insertion(usize::MAX) {
                end.append(&html, ContentType::Html);
            }
            Ok(())
        };
        let settings = RewriteStrSettings::new()
            .with_strict(false)
            .append_element_content_handler((
                Cow::Owned(every_element),
                ElementContentHandlers::default().element(on_element),
            ))
            .append_document_content_handler(
                DocumentContentHandlers::default()
                    .text(on_text)
                    .comments(on_comment)
                    .end(on_end),
            );
        rewrite_str(html, settings).unwrap_or_else(|_| html.to_owned())
    }
}

/// Makes the changes while lol_html goes through the document.
struct Rewriter {
    edits: Edits,
    /// How many insertions are made.
    inserted: usize,
}

impl Rewriter {
    /// What is inserted before a place, and is not yet.
    fn insertion(&mut self, up_to: usize) -> Option<String> {
        let due = self.edits.inserted.get(self.inserted..)?;
        let due: Vec<&str> = due
            .iter()
            .take_while(|(at, _)| *at <= up_to)
            .map(|(_, html)| html.as_str())
            .collect();
        self.inserted += due.len();
        (!due.is_empty()).then(|| due.concat())
    }

    fn is_removed(&self, at: usize) -> bool {
        self.removed_before(at + 1)
            .is_some_and(|span| at < span.end)
    }

    /// The last range to be removed that begins before a place.
    fn removed_before(&self, at: usize) -> Option<&Range<usize>> {
        let removed = &self.edits.removed;
        let next = removed.partition_point(|span| span.start < at);
        removed.get(next.checked_sub(1)?)
    }

    fn element(
        &mut self,
        element: &mut Element<'_, '_>,
        rewriter: &Rc<RefCell<Rewriter>>,
    ) -> HandlerResult {
        let start = element.source_location().bytes().start;
        if let Some(html) = self.insertion(start) {
            element.before(&html, ContentType::Html);
        }
        if self.is_removed(start) {
            element.start_tag().remove();
        }
        for (name, value) in self.edits.attributes.remove(&start).unwrap_or_default() {
            match value {
                Some(value) => element.set_attribute(&name, &value)?,
                None => element.remove_attribute(&name),
            }
        }
        if let Some(handlers) = element.end_tag_handlers() {
            let rewriter = Rc::clone(rewriter);
            handlers.push(Box::new(move |tag: &mut EndTag<'_>| {
                rewriter.borrow_mut().end_tag(tag);
                Ok(())
            }));
        }
        Ok(())
    }

    fn end_tag(&mut self, tag: &mut EndTag<'_>) {
        let start = tag.source_location().bytes().start;
        if let Some(html) = self.insertion(start) {
            tag.before(&html, ContentType::Html);
        }
        if self.is_removed(start) {
            tag.remove();
        }
    }

    fn comment(&mut self, comment: &mut Comment<'_>) {
        let start = comment.source_location().bytes().start;
        if let Some(html) = self.insertion(start) {
            comment.before(&html, ContentType::Html);
        }
        if self.is_removed(start) {
            comment.remove();
        }
    }

    /// Writes what stays of a text, with what is inserted in it.
    fn text(&mut self, chunk: &mut TextChunk<'_>) {
        let span = chunk.source_location().bytes();
        let next = self.edits.inserted.get(self.inserted);
        let is_changed = next.is_some_and(|(at, _)| *at < span.end)
            || self
                .removed_before(span.end)
                .is_some_and(|removed| span.start < removed.end);
        if span.is_empty() || !is_changed {
            return;
        }
        let mut out = String::new();
        for (at, character) in chunk.as_str().char_indices() {
            let at = span.start + at;
            out.extend(self.insertion(at));
            if !self.is_removed(at) {
                out.push(character);
            }
        }
        chunk.set_str(out);
    }
}
