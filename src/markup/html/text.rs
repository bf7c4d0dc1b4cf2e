//! The text of elements, kept as places in the document until someone asks for it.

use std::ops::Range;

use super::entities::decode_text;

/// A piece of text, or what lies between pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    /// Bytes of the document, with their references.
    Text { start: u32, length: u32 },
    /// Text within a select or datalist, which belongs to no label around it.
    Choice { start: u32, length: u32 },
    /// A line break or the edge of a block: text before and after it is apart.
    Break,
    /// A control, which parts the text that may label it.
    Control,
}

/// The text of a document in its order. An element's text is the range of pieces between its
/// tags.
#[derive(Debug, Default)]
pub(crate) struct Texts<'a> {
    html: &'a str,
    pieces: Vec<Piece>,
}

/// Which pieces; see [`Texts::mark`].
pub(crate) type TextRange = Range<u32>;

impl<'a> Texts<'a> {
    pub(crate) fn of(html: &'a str) -> Texts<'a> {
        Texts {
            html,
            pieces: Vec::new(),
        }
    }

    /// The current place.
    pub(crate) fn mark(&self) -> u32 {
        u32::try_from(self.pieces.len()).unwrap_or(u32::MAX)
    }

    pub(crate) fn add(&mut self, span: Range<usize>, is_choice: bool) {
        let (Ok(start), Ok(length)) = (u32::try_from(span.start), u32::try_from(span.len())) else {
            return;
        };
        self.pieces.push(match is_choice {
            true => Piece::Choice { start, length },
            false => Piece::Text { start, length },
        });
    }

    pub(crate) fn add_break(&mut self) {
        if self.pieces.last() != Some(&Piece::Break) {
            self.pieces.push(Piece::Break);
        }
    }

    pub(crate) fn add_control(&mut self) {
        self.pieces.push(Piece::Control);
    }

    /// The text as rendered: white space collapsed, without the text of selects.
    pub(crate) fn rendered(&self, range: TextRange) -> String {
        self.collapsed(range, false)
    }

    /// The text of an option.
    pub(crate) fn of_option(&self, range: TextRange) -> String {
        self.collapsed(range, true)
    }

    /// Whether there is anything to see in the text.
    pub(crate) fn is_blank(&self, range: TextRange) -> bool {
        self.within(range).iter().all(|piece| match piece {
            Piece::Text { .. } => self.raw(*piece).bytes().all(|b| b.is_ascii_whitespace()),
            _ => true,
        })
    }

    /// Whether there is nothing to see even in text that is hidden from labels.
    pub(crate) fn is_blank_with_hidden(&self, range: TextRange) -> bool {
        self.within(range)
            .iter()
            .all(|piece| self.raw(*piece).bytes().all(|b| b.is_ascii_whitespace()))
    }

    /// The text as written, as a textarea keeps it: without its first line feed.
    pub(crate) fn verbatim(&self, range: TextRange) -> String {
        let mut text = String::new();
        for piece in self.within(range) {
            text.push_str(&decode_text(self.raw(*piece)));
        }
        if text.starts_with('\n') {
            text.remove(0);
        }
        text
    }

    /// The text beside a place: before it, back to the last control or break.
    pub(crate) fn before(&self, mark: u32) -> TextRange {
        let start = self
            .within(0..mark)
            .iter()
            .rposition(|piece| matches!(piece, Piece::Break | Piece::Control))
            .map_or(0, |index| index + 1);
        u32::try_from(start).unwrap_or(mark)..mark
    }

    /// The text before the break before a place: of the cell to the left.
    pub(crate) fn before_break(&self, mark: u32) -> TextRange {
        let start = self.before(mark).start;
        match self.within(start.saturating_sub(1)..start).first() {
            Some(Piece::Break) => self.before(start - 1),
            _ => start..start,
        }
    }

    /// The text beside a place: after it, up to the next control or break.
    pub(crate) fn after(&self, mark: u32) -> TextRange {
        let rest = self.within(mark..u32::MAX);
        let length = rest
            .iter()
            .position(|piece| matches!(piece, Piece::Break | Piece::Control))
            .unwrap_or(rest.len());
        mark..mark.saturating_add(u32::try_from(length).unwrap_or(0))
    }

    fn within(&self, range: TextRange) -> &[Piece] {
        let end = (range.end as usize).min(self.pieces.len());
        self.pieces
            .get(range.start as usize..end)
            .unwrap_or_default()
    }

    fn raw(&self, piece: Piece) -> &'a str {
        match piece {
            Piece::Text { start, length } | Piece::Choice { start, length } => {
                let start = start as usize;
                self.html
                    .get(start..start + length as usize)
                    .unwrap_or_default()
            }
            Piece::Break | Piece::Control => "",
        }
    }

    fn collapsed(&self, range: TextRange, with_choices: bool) -> String {
        let mut out = Collapsed::default();
        for piece in self.within(range) {
            match piece {
                Piece::Choice { .. } if !with_choices => {}
                Piece::Text { .. } | Piece::Choice { .. } => {
                    out.push(&decode_text(self.raw(*piece)));
                }
                Piece::Break => out.push(" "),
                Piece::Control => {}
            }
        }
        out.text
    }
}

/// Text with white space collapsed and none at its ends.
#[derive(Default)]
struct Collapsed {
    text: String,
    space_is_due: bool,
}

impl Collapsed {
    fn push(&mut self, text: &str) {
        let mut rest = text;
        while let Some(first) = rest.bytes().next() {
            let is_space = first.is_ascii_whitespace();
            let length = rest
                .bytes()
                .position(|byte| byte.is_ascii_whitespace() != is_space)
                .unwrap_or(rest.len());
            let (run, tail) = rest.split_at_checked(length).unwrap_or((rest, ""));
            rest = tail;
            if is_space {
                self.space_is_due = !self.text.is_empty();
            } else {
                if std::mem::take(&mut self.space_is_due) {
                    self.text.push(' ');
                }
                self.text.push_str(run);
            }
        }
    }
}

/// A text with its white space collapsed, as a browser shows it.
pub(crate) fn collapse(text: &str) -> String {
    let mut out = Collapsed::default();
    out.push(text);
    out.text
}
