//! Changing the text of a label, a legend, a help text or an option.

use std::ops::Range;

use super::{Patch, Why};
use crate::markup::html::escape;
use crate::markup::html::text::{TextRange, collapse};

/// What marks a required field.
const MARKERS: [char; 2] = ['*', '＊'];

/// What may stand behind a label that is no part of it.
const TAIL: [char; 4] = ['*', '＊', ':', '：'];

/// Of a text in several elements, when more than one of them would have to change.
const SEVERAL: &str = "its text is not in one piece";

/// What becomes of the asterisk of a required field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Marker {
    /// There is none; asterisks are text.
    None,
    Stays,
    Goes,
}

impl Patch<'_> {
    /// The bytes of the texts in a range that the reader named, but for white space.
    pub(super) fn texts_at(&self, range: &TextRange, with_choices: bool) -> Vec<Range<usize>> {
        self.read.texts.spans(range.clone(), with_choices)
    }

    /// Replaces a text between the white space around it, and what stands behind it that is no part
    /// of it. Of several pieces one is replaced, where only one can differ.
    pub(super) fn set_text(
        &mut self,
        member: &'static str,
        texts: &[Range<usize>],
        from: &str,
        to: &str,
        marker: Marker,
    ) -> Result<(), Why> {
        let (markers, texts): (Vec<_>, Vec<_>) = texts
            .iter()
            .partition(|text| marker != Marker::None && is_marker(self.html, text));
        let (texts, tail_pieces) = self.without_tail(texts, from);
        let [text] = texts.as_slice() else {
            if from != to {
                let piece = self.changed_piece(&texts, from, to);
                let (piece, text) = piece.ok_or(Why(member, SEVERAL))?;
                self.edits.replace(piece, text);
            } else if let Some(last) = texts.last().filter(|_| marker == Marker::Goes) {
                self.take_markers(last, from);
            }
            if marker == Marker::Goes {
                self.take_marks(markers, tail_pieces);
            }
            return Ok(());
        };
        let core = trimmed(self.html, text);
        let said = collapse(&self.outline.decoded(&core));
        let tail = said.strip_prefix(from).unwrap_or_default();
        let tail = tail.chars().filter(|c| !c.is_whitespace()).count();
        let old = self.html.get(core.clone()).unwrap_or_default();
        let mut bare = old;
        for _ in 0..tail {
            let Some(shorter) = bare.trim_end().strip_suffix(TAIL) else {
                return Err(Why(member, SEVERAL));
            };
            bare = shorter;
        }
        let bare = bare.trim_end().len();
        if from != to {
            let mut written = String::new();
            escape::text(&mut written, to);
            self.edits.replace(core.start..core.start + bare, written);
        }
        if marker == Marker::Goes {
            let kept = self.kept_tail(text, old.get(bare..).unwrap_or_default());
            if core.start + bare < core.end {
                self.edits.replace(core.start + bare..core.end, kept);
            }
            self.take_marks(markers, tail_pieces);
        }
        Ok(())
    }

    /// The pieces of a text, and those at its end that are no part of it, as the `:` behind a star in
    /// an element of its own.
    fn without_tail<'t>(
        &self,
        mut texts: Vec<&'t Range<usize>>,
        said: &str,
    ) -> (Vec<&'t Range<usize>>, Vec<&'t Range<usize>>) {
        let mut tail = Vec::new();
        while let [_, .., last] = texts.as_slice() {
            let text = self.html.get((*last).clone()).unwrap_or_default().trim();
            if !text.chars().all(|c| TAIL.contains(&c)) || said.ends_with(text) {
                break;
            }
            tail.push(*last);
            texts.pop();
        }
        (texts, tail)
    }

    /// Takes pieces away that mark a required field, and what stands behind them.
    fn take_marks(&mut self, markers: Vec<&Range<usize>>, tail: Vec<&Range<usize>>) {
        for marker in markers {
            self.edits.replace(marker.clone(), String::new());
        }
        for piece in tail {
            let core = trimmed(self.html, piece);
            let kept = self.kept_tail(piece, self.html.get(core.clone()).unwrap_or_default());
            self.edits.replace(core, kept);
        }
    }

    /// What stays behind a text without its marker. In a label a `:` would become a part of it.
    fn kept_tail(&self, text: &Range<usize>, tail: &str) -> String {
        match self.label_around(text).is_some() {
            true => String::new(),
            false => tail.replace(MARKERS, "").trim_ascii().to_owned(),
        }
    }

    /// Takes the asterisks away that stand behind what a text says.
    fn take_markers(&mut self, text: &Range<usize>, said: &str) {
        let core = trimmed(self.html, text);
        let old = self.html.get(core.clone()).unwrap_or_default();
        let is_tail = |c: char| c.is_whitespace() || TAIL.contains(&c);
        let bare = old.trim_end_matches(is_tail);
        let tail = old.get(bare.len()..).unwrap_or_default();
        if tail.contains(MARKERS) && !said.ends_with(tail) {
            let kept = self.kept_tail(text, tail);
            self.edits.replace(core.start + bare.len()..core.end, kept);
        }
    }

    /// The one of several pieces that makes one text another, and what it is to be, escaped.
    fn changed_piece(
        &self,
        texts: &[&Range<usize>],
        from: &str,
        to: &str,
    ) -> Option<(Range<usize>, String)> {
        let mut at = 0;
        let mut changed = None;
        for text in texts {
            let core = trimmed(self.html, text);
            let said = collapse(&self.outline.decoded(&core));
            let rest = from.get(at..)?;
            let gap = rest.len() - rest.trim_ascii_start().len();
            rest.trim_ascii_start().strip_prefix(said.as_str())?;
            let start = at + gap;
            at = start + said.len();
            let before = from.get(..start)?;
            let behind = from.get(at..)?;
            let new = to
                .strip_prefix(before)
                .and_then(|to| to.strip_suffix(behind));
            let new = new.filter(|new| !new.is_empty() && new.trim_ascii() == *new);
            if let Some(new) = new {
                let mut written = String::new();
                escape::text(&mut written, new);
                if changed.replace((core, written)).is_some() {
                    return None;
                }
            }
        }
        changed.filter(|_| at == from.len())
    }
}

fn is_marker(html: &str, text: &Range<usize>) -> bool {
    let text = html.get(text.clone()).unwrap_or_default();
    text.trim().chars().all(|c| MARKERS.contains(&c))
}

/// The bytes of a text without the white space around it.
fn trimmed(html: &str, span: &Range<usize>) -> Range<usize> {
    let text = html.get(span.clone()).unwrap_or_default();
    let start = span.start + (text.len() - text.trim_ascii_start().len());
    start..start + text.trim_ascii().len()
}
