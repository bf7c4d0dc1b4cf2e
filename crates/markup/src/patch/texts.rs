//! Changing the text of a label, a legend, a help text or an option.

use std::ops::Range;

use super::{Patch, Why};
use crate::html::entities::decode_text;
use crate::html::escape;
use crate::html::text::{TextRange, collapse, is_unseen};
use crate::markers::{COLONS, REQUIRED_WORD, STARS, without_last_marker, without_marker};
use model::Field;

/// What may stand behind a label that is no part of it, as [`REQUIRED_WORD`].
const TAIL: [char; 6] = ['*', '＊', ':', '：', ',', ';'];

/// Of a text in several elements, when more than one of them would have to change.
const SEVERAL: &str = "its text is not in one piece";

/// Of a text with more in it than the member and what may stand around it.
const PART: &str = "it is only a part of the text that says it";

/// What becomes of the asterisk of a required field, or the word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Marker {
    /// There is none, or it stays.
    None,
    Stays,
    Goes,
}

impl Marker {
    /// What an edit of a field makes of it.
    pub(super) const fn of(from: &Field, to: &Field) -> Marker {
        match (from.required, to.required) {
            (true, true) => Marker::Stays,
            (true, false) => Marker::Goes,
            _ => Marker::None,
        }
    }
}

impl Patch<'_> {
    /// The bytes of the texts in a range that the reader named, but for white space.
    pub(super) fn texts_at(&self, range: &TextRange, with_choices: bool) -> Vec<Range<usize>> {
        self.read.texts.spans(range.clone(), with_choices)
    }

    /// Replaces a text between the white space around it, and what stands before and behind it that is
    /// no part of it. Of several pieces one is replaced, where only one can differ.
    pub(super) fn set_text(
        &mut self,
        member: &'static str,
        texts: &[Range<usize>],
        from: &str,
        to: &str,
        marker: Marker,
    ) -> Result<(), Why> {
        let has_markers = marker != Marker::None && texts.len() > 1;
        let (markers, texts): (Vec<_>, Vec<_>) = texts
            .iter()
            .partition(|text| has_markers && is_marker(self.html, text));
        let (texts, tail_pieces) = self.without_tail(texts, from);
        let drops_colon = from != to && ends_sentence(to);
        let [text] = texts.as_slice() else {
            if from != to {
                let piece = self.changed_piece(&texts, from, to);
                let (piece, text) = piece.ok_or(Why(member, SEVERAL))?;
                self.edits.replace(piece, text);
            } else if let Some(last) = texts.last().filter(|_| marker == Marker::Goes) {
                self.take_markers(last, from);
            }
            match marker == Marker::Goes {
                true => self.take_marks(markers, tail_pieces),
                false if drops_colon => self.drop_colons(&tail_pieces),
                false => {}
            }
            return Ok(());
        };
        let core = trimmed(self.html, text);
        let said = self.said_in(&core, from);
        let said = said.ok_or(Why(member, PART))?;
        if from != to {
            let mut written = String::new();
            escape::text(&mut written, to);
            self.edits.replace(said.clone(), written);
        }
        if drops_colon && marker != Marker::Goes {
            self.drop_colons(&tail_pieces);
            self.drop_colons(&[&(said.end..core.end)]);
        }
        if marker == Marker::Goes {
            let tail = self.html.get(said.end..core.end).unwrap_or_default();
            let kept = match drops_colon {
                true => without_colons(&self.kept_tail(text, tail)),
                false => self.kept_tail(text, tail),
            };
            self.edits.replace(core.start..said.start, String::new());
            if said.end < core.end {
                self.edits.replace(said.end..core.end, kept);
            }
            self.take_marks(markers, tail_pieces);
        }
        Ok(())
    }

    /// The bytes of a piece that say a text, without what stands before and behind it. None if there is
    /// more than that.
    fn said_in(&self, core: &Range<usize>, from: &str) -> Option<Range<usize>> {
        if is_unseen(from) {
            // Something is shown in its place.
            return Some(core.clone());
        }
        let old = self.html.get(core.clone())?;
        let starless = core.end - behind_stars(old).len();
        // `data-cf-label` may say the text with its white space, and the marker.
        let collapsed = collapse(from);
        let bare = without_marker(&collapsed, true);
        [core.start, starless].into_iter().find_map(|start| {
            let said = collapse(&self.outline.decoded(&(start..core.end)));
            [from, &collapsed, bare].into_iter().find_map(|shown| {
                let tail = said.strip_prefix(shown)?;
                let marks = tail.chars().filter(|c| !c.is_whitespace()).count();
                let length = without_marks(self.html.get(start..core.end)?, marks)?.len();
                Some(start..start + length)
            })
        })
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
            if !without_all_marks(text).is_empty() || said.ends_with(text) {
                break;
            }
            tail.push(*last);
            texts.pop();
        }
        (texts, tail)
    }

    /// Takes the colons away behind a text that ends with a sign of its own.
    fn drop_colons(&mut self, tail: &[&Range<usize>]) {
        for piece in tail {
            let text = self.html.get((*piece).clone()).unwrap_or_default();
            let kept = without_colons(text);
            if kept != text {
                self.edits.replace((*piece).clone(), kept);
            }
        }
    }

    /// Takes pieces away that mark a required field, and what stands behind them.
    fn take_marks(&mut self, markers: Vec<&Range<usize>>, tail: Vec<&Range<usize>>) {
        for marker in markers {
            let mark = self.with_elements_of_mark(marker);
            self.edits.replace(mark, String::new());
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
            false => without_markers(tail).trim_ascii().to_owned(),
        }
    }

    /// Takes the markers away that stand behind what a text says.
    fn take_markers(&mut self, text: &Range<usize>, said: &str) {
        let core = trimmed(self.html, text);
        let old = self.html.get(core.clone()).unwrap_or_default();
        // `data-cf-label` says it with its white space.
        let said = collapse(said);
        let is_said = |text: &str| said.ends_with(&collapse(&decode_text(text)));
        let mut bare = old;
        while !is_said(bare) {
            let Some((shorter, _)) = without_mark(bare) else {
                return;
            };
            bare = shorter;
        }
        if bare.len() < old.len() {
            let tail = old.get(bare.len()..).unwrap_or_default();
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
    without_last_marker(text.trim()).is_empty()
}

/// A text as written, without the asterisks before it.
fn behind_stars(text: &str) -> &str {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || STARS.contains(&c));
        match rest.strip_prefix("&nbsp;") {
            Some(behind) => rest = behind,
            None => return rest,
        }
    }
}

/// A text as written, without that many signs behind it. None if there are others than may be there.
fn without_marks(text: &str, mut signs: usize) -> Option<&str> {
    let mut bare = text;
    while signs > 0 {
        let (shorter, taken) = without_mark(bare)?;
        bare = shorter;
        signs = signs.checked_sub(taken)?;
    }
    Some(bare)
}

/// A text as written, without all that may stand behind it.
fn without_all_marks(text: &str) -> &str {
    let mut bare = text;
    while let Some((shorter, _)) = without_mark(bare) {
        bare = shorter;
    }
    bare
}

/// A text as written, without the sign or the word at its end and the space before that, and how many
/// signs those are.
fn without_mark(text: &str) -> Option<(&str, usize)> {
    let text = text.trim_end();
    let word = || {
        let (rest, word) = text.split_at_checked(text.len().checked_sub(REQUIRED_WORD.len())?)?;
        let is_word = word.eq_ignore_ascii_case(REQUIRED_WORD);
        is_word.then_some((rest, REQUIRED_WORD.len()))
    };
    let sign = text
        .strip_suffix(TAIL)
        .filter(|_| !ends_with_reference(text));
    let (mut bare, taken) = sign.map(|rest| (rest, 1)).or_else(word)?;
    bare = bare.trim_end();
    while let Some(shorter) = bare.strip_suffix("&nbsp;") {
        bare = shorter.trim_end();
    }
    Some((bare, taken))
}

/// Whether the `;` at the end of a text as written is that of a character reference.
fn ends_with_reference(text: &str) -> bool {
    let name = text
        .strip_suffix(';')
        .and_then(|text| text.rsplit_once('&'));
    name.is_some_and(|(_, name)| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'#')
    })
}

/// Whether a text ends with a sign behind which no colon stands.
fn ends_sentence(text: &str) -> bool {
    text.trim_end()
        .ends_with(['?', '!', '…', ':', '？', '！', '：'])
}

/// What stands behind a text, without colons and the space before them.
fn without_colons(tail: &str) -> String {
    let mut kept = String::new();
    for character in tail.chars() {
        match COLONS.contains(&character) {
            true => kept.truncate(kept.trim_end().len()),
            false => kept.push(character),
        }
    }
    kept
}

/// What stands behind a text, without what marks a required field.
fn without_markers(tail: &str) -> String {
    let mut kept = tail.replace(STARS, "");
    while let Some(at) = kept.to_ascii_lowercase().find(REQUIRED_WORD) {
        kept.replace_range(at..at + REQUIRED_WORD.len(), "");
    }
    kept
}

/// The bytes of a text without the white space around it.
fn trimmed(html: &str, span: &Range<usize>) -> Range<usize> {
    let text = html.get(span.clone()).unwrap_or_default();
    let start = span.start + (text.len() - text.trim_ascii_start().len());
    start..start + text.trim_ascii().len()
}
