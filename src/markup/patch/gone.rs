//! Bytes that are taken away, and the line breaks that go with them.

use std::ops::Range;

use super::Patch;
use crate::markup::html::tag::Tag;
use crate::ordered;

/// How many elements that end in one place are looked at.
const MAX_ENDS: usize = 16;

/// Bytes that go, in their order, none within or beside others.
pub(super) struct Gone(pub(super) Vec<Range<usize>>);

impl Gone {
    pub(super) fn of(mut parts: Vec<Range<usize>>) -> Gone {
        ordered::sort_by(&mut parts, |one, other| one.start.cmp(&other.start));
        let mut gone: Vec<Range<usize>> = Vec::new();
        for part in parts {
            match gone.last_mut() {
                Some(last) if part.start <= last.end => last.end = last.end.max(part.end),
                _ => gone.push(part),
            }
        }
        Gone(gone)
    }

    pub(super) fn add(&mut self, mut part: Range<usize>) {
        let first = self.0.partition_point(|known| known.end < part.start);
        let end = self.0.partition_point(|known| known.start <= part.end);
        for joined in self.0.drain(first..end.max(first)) {
            part = part.start.min(joined.start)..part.end.max(joined.end);
        }
        self.0.insert(first, part);
    }

    /// Makes one of parts between which there is nothing but white space and a line break.
    fn join(&mut self, html: &str) {
        let mut joined: Vec<Range<usize>> = Vec::new();
        for part in std::mem::take(&mut self.0) {
            match joined.last_mut() {
                Some(last) if is_line_break(html.get(last.end..part.start).unwrap_or_default()) => {
                    last.end = part.end;
                }
                _ => joined.push(part),
            }
        }
        self.0 = joined;
    }

    pub(super) fn holds(&self, offset: usize) -> bool {
        let next = self.0.partition_point(|part| part.start <= offset);
        let before = next.checked_sub(1).and_then(|before| self.0.get(before));
        before.is_some_and(|part| part.contains(&offset))
    }

    /// Whether nothing but white space stays of those bytes of a document.
    pub(super) fn empties(&self, html: &str, bytes: Range<usize>) -> bool {
        let first = self.0.partition_point(|part| part.end <= bytes.start);
        let mut at = bytes.start;
        for part in self.0.iter().skip(first) {
            if part.start >= bytes.end {
                break;
            }
            if !is_blank(html, at..part.start) {
                return false;
            }
            at = at.max(part.end);
        }
        is_blank(html, at..bytes.end)
    }
}

/// Whether those bytes, if there are any, are white space.
fn is_blank(html: &str, bytes: Range<usize>) -> bool {
    let text = html.get(bytes).unwrap_or_default();
    text.trim_ascii().is_empty()
}

/// Whether a text between two parts is white space, with a line break or without.
pub(super) fn is_line_break(between: &str) -> bool {
    let tag = between.trim_ascii().to_ascii_lowercase();
    matches!(tag.as_str(), "" | "<br>" | "<br/>" | "<br />")
}

impl Patch<'_> {
    /// Adds the line break of each line that goes whole.
    pub(super) fn take_line_breaks(&self, gone: &mut Gone) {
        gone.join(self.html);
        for part in gone.0.clone() {
            gone.add(self.with_line_break(part));
        }
    }

    /// Those bytes, with the line break behind them where they are a line, or the one before them where
    /// they are the last.
    fn with_line_break(&self, bytes: Range<usize>) -> Range<usize> {
        let html = self.html;
        let before = html.get(..bytes.start).unwrap_or_default();
        let before = before.trim_ascii_end().len();
        let behind = html.get(bytes.end..).unwrap_or_default();
        let behind = html.len() - behind.trim_ascii_start().len();
        let elements = &self.outline.elements;
        let around = self.outline.around(&bytes).find_map(|holder| {
            let element = elements.get(holder)?;
            (element.span() != bytes).then(|| element.content())
        });
        let last_before = self.outline.at_or_behind(before).checked_sub(1);
        let last_byte = before.saturating_sub(1)..before;
        let holders = self.outline.around(&last_byte).take(MAX_ENDS);
        let mut ends_before = last_before.into_iter().chain(holders);
        let br_before = last_before.and_then(|index| elements.get(index));
        let br_before = br_before.filter(|e| e.name == Tag::Br && e.span().end == before);
        let parts = |index: usize| {
            let element = elements.get(index);
            element.is_some_and(|e| e.span().end == before && e.name.parts_text())
        };
        let begins_line = before == around.as_ref().map_or(0, |around| around.start)
            || br_before.is_some()
            || ends_before.any(parts);
        let next = self
            .outline
            .at(behind)
            .and_then(|index| elements.get(index));
        let ends_block = behind >= around.map_or(html.len(), |around| around.end)
            || next.is_some_and(|next| next.name != Tag::Br && next.name.parts_text());
        match (next.filter(|next| next.name == Tag::Br), br_before) {
            (Some(next), _) if begins_line => bytes.start..next.span().end,
            (_, Some(br)) if ends_block => br.span().start..bytes.end,
            _ => bytes,
        }
    }
}
