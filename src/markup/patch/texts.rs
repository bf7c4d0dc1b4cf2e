//! Changing the text of a label, a legend, a help text or an option.

use std::ops::Range;

use super::{Patch, Why};
use crate::markup::html::escape;
use crate::markup::html::text::{TextRange, collapse};

/// What marks a required field.
const MARKERS: [char; 2] = ['*', '＊'];

/// What may stand behind a label that is no part of it.
const TAIL: [char; 4] = ['*', '＊', ':', '：'];

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
    /// of it. Refused when it is in several pieces.
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
        let [text] = texts.as_slice() else {
            return Err(Why(member, "its text is not in one piece"));
        };
        let core = trimmed(self.html, text);
        let said = collapse(&self.outline.decoded(&core));
        let tail = said.strip_prefix(from).unwrap_or_default();
        let tail = tail.chars().filter(|c| !c.is_whitespace()).count();
        let old = self.html.get(core.clone()).unwrap_or_default();
        let mut bare = old;
        for _ in 0..tail {
            let Some(shorter) = bare.trim_end().strip_suffix(TAIL) else {
                return Err(Why(member, "its text is not in one piece"));
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
            let kept = old.get(bare..).unwrap_or_default().replace(MARKERS, "");
            let kept = kept.trim_ascii().to_owned();
            if core.start + bare < core.end {
                self.edits.replace(core.start + bare..core.end, kept);
            }
            for marker in markers {
                self.edits.replace(marker.clone(), String::new());
            }
        }
        Ok(())
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
