//! Bytes that are taken away, and the line breaks that go with them.

use std::ops::Range;

use super::Patch;
use crate::html::tag::Tag;
use model::ordered;

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

    /// What stays of those bytes.
    pub(super) fn rest(&self, bytes: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let first = self.0.partition_point(|part| part.end <= bytes.start);
        let parts = self.0.iter().skip(first).cloned();
        let end = bytes.end;
        let mut at = bytes.start;
        let parts = parts.take_while(move |part| part.start < end);
        parts
            .chain(std::iter::once(end..end))
            .map(move |part| std::mem::replace(&mut at, part.end)..part.start)
            .filter(|rest| rest.start < rest.end)
    }

    /// Whether nothing but white space stays of those bytes of a document.
    pub(super) fn empties(&self, html: &str, bytes: Range<usize>) -> bool {
        self.rest(bytes).all(|rest| is_blank(html, rest))
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

    /// Those bytes, with the line breaks behind them where they are a line, or those before them where
    /// they are the last. Between two lines that stay, as many stay as there were on one side.
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
        let breaks_before = self.breaks_before(before);
        let breaks_behind = self.breaks_behind(behind);
        let last_before = self.outline.at_or_behind(before).checked_sub(1);
        let last_byte = before.saturating_sub(1)..before;
        let holders = self.outline.around(&last_byte).take(MAX_ENDS);
        let mut ends_before = last_before.into_iter().chain(holders);
        let parts = |index: usize| {
            let element = elements.get(index);
            element.is_some_and(|e| e.span().end == before && e.name.parts_text())
        };
        let begins_line = before == around.as_ref().map_or(0, |around| around.start)
            || !breaks_before.is_empty()
            || ends_before.any(parts);
        let next = self
            .outline
            .at(behind)
            .and_then(|index| elements.get(index));
        let ends_block = behind >= around.map_or(html.len(), |around| around.end)
            || next.is_some_and(|next| next.name != Tag::Br && next.name.parts_text());
        let most = match breaks_before.len() {
            0 => breaks_behind.len(),
            before => before.min(breaks_behind.len()),
        };
        let last = most.checked_sub(1).and_then(|last| breaks_behind.get(last));
        match (last, breaks_before.last()) {
            (Some(end), _) if begins_line => bytes.start..*end,
            (_, Some(start)) if ends_block => *start..bytes.end,
            _ => bytes,
        }
    }

    /// Where the line breaks end that follow one on another, from the first of them on.
    fn breaks_behind(&self, start: usize) -> Vec<usize> {
        let mut at = start;
        let next = || {
            let element = self.outline.elements.get(self.outline.at(at)?)?;
            let end = element.span().end;
            let rest = self.html.get(end..)?;
            at = self.html.len() - rest.trim_ascii_start().len();
            (element.name == Tag::Br).then_some(end)
        };
        std::iter::from_fn(next).collect()
    }

    /// Where the line breaks begin that follow one on another, from the last of them back.
    fn breaks_before(&self, end: usize) -> Vec<usize> {
        let mut at = end;
        let next = || {
            let last = self.outline.at_or_behind(at).checked_sub(1)?;
            let element = self.outline.elements.get(last)?;
            let span = element.span();
            let is_one = element.name == Tag::Br && span.end == at;
            at = self.html.get(..span.start)?.trim_ascii_end().len();
            is_one.then_some(span.start)
        };
        std::iter::from_fn(next).collect()
    }
}
