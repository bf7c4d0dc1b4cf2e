//! Changing the text of a label, a legend or a help text.

use std::ops::Range;

use super::Patch;
use super::outline::Run;
use crate::markup::html::escape;
use crate::markup::html::text::collapse;

/// What marks a required field.
const MARKERS: [char; 2] = ['*', '＊'];

/// What becomes of the asterisk of a required field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Marker {
    /// There is none; asterisks are text.
    None,
    Stays,
    Goes,
}

impl Patch<'_> {
    /// Whether an element's text is that text, but for the asterisk of a required field.
    pub(super) fn says(&self, element: usize, text: &str) -> bool {
        let Some(element) = self.outline.elements.get(element) else {
            return false;
        };
        let runs = self.outline.runs.get(element.runs.clone());
        let own = runs
            .unwrap_or_default()
            .iter()
            .filter(|run| !run.is_in_control);
        let shown = collapse(&own.map(|run| self.outline.decoded(run)).collect::<String>());
        shown == text || shown.trim_end_matches(MARKERS).trim_end() == text
    }

    /// Replaces the one text of an element, between the white space around it. `None` when the
    /// element's text is in several pieces.
    pub(super) fn set_text(&mut self, element: usize, text: &str, marker: Marker) -> Option<()> {
        let element = self.outline.elements.get(element)?;
        let runs = self.outline.runs.get(element.runs.clone())?;
        let counts = |run: &&Run| {
            let is_own =
                !run.is_in_control || element.name == crate::markup::html::tag::Tag::Option;
            is_own && !collapse(&self.outline.decoded(run)).is_empty()
        };
        let (markers, texts): (Vec<&Run>, Vec<&Run>) = runs
            .iter()
            .filter(counts)
            .partition(|run| marker != Marker::None && is_marker(self.html, run));
        let mut written = String::new();
        escape::text(&mut written, text);
        match texts.as_slice() {
            [] if text.is_empty() => {}
            [] => self.edits.insert(element.content.start, written),
            [run] => {
                let core = trimmed(self.html, &run.span);
                let old = self.html.get(core.clone()).unwrap_or_default();
                let bare = old.trim_end_matches(MARKERS);
                let said = collapse(&self.outline.decoded(run));
                let is_same = match marker {
                    Marker::None => said == text,
                    _ => said.trim_end_matches(MARKERS).trim_end() == text,
                };
                if !is_same {
                    if marker == Marker::Stays {
                        written.push_str(old.get(bare.trim_end().len()..).unwrap_or_default());
                    }
                    self.edits.replace(core, written);
                } else if marker == Marker::Goes && bare.len() < old.len() {
                    // The author's references stay as they are spelled.
                    let start = core.start + bare.trim_end().len();
                    self.edits.replace(start..core.end, String::new());
                }
            }
            _ => return None,
        }
        if marker == Marker::Goes {
            for run in markers {
                self.edits.replace(run.span.clone(), String::new());
            }
        }
        Some(())
    }
}

fn is_marker(html: &str, run: &Run) -> bool {
    let text = html.get(run.span.clone()).unwrap_or_default();
    text.trim().chars().all(|c| MARKERS.contains(&c))
}

/// The bytes of a text without the white space around it.
fn trimmed(html: &str, span: &Range<usize>) -> Range<usize> {
    let text = html.get(span.clone()).unwrap_or_default();
    let start = span.start + (text.len() - text.trim_ascii_start().len());
    start..start + text.trim_ascii().len()
}
