//! The text of elements, kept as places in the document until someone asks for it.

use std::cell::RefCell;
use std::ops::Range;

use super::entities::decode_text;
use super::white_space::Collapsed;
pub use super::white_space::collapse;
pub(crate) use super::white_space::{is_collapsed, seen};
pub(crate) use model::is_unseen;

/// A piece of text, or what lies between pieces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// Where its bytes of the document begin and end, with their references.
    start: u32,
    end: u32,
    kind: Kind,
}

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Text outside a form.
    Text,
    /// Text within a form.
    TextInForm,
    /// Text within a select or datalist, which belongs to no label around it.
    Choice,
    /// The edge of an option there, which parts its text alone.
    ChoiceEdge,
    /// The edge of a block: text before and after it is apart.
    Break,
    /// A line break within a block.
    Line,
    /// A control, which parts the text that may label it.
    Control,
}

impl Piece {
    pub(super) const fn kind(self) -> Kind {
        self.kind
    }

    /// Its bytes of the document; none of what lies between.
    const fn span(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Whether it is text that labels may show.
    pub(super) const fn is_text(self) -> bool {
        matches!(self.kind, Kind::Text | Kind::TextInForm)
    }

    /// Whether it parts the text that may label a control.
    pub(super) const fn parts(self) -> bool {
        matches!(self.kind, Kind::Break | Kind::Line | Kind::Control)
    }
}

/// The text of a document in its order. An element's text is the range of pieces between its
/// tags.
#[derive(Debug, Default)]
pub(crate) struct Texts<'a> {
    html: &'a str,
    pieces: Vec<Piece>,
    /// For each piece whether it was read, so that the rest can be told as lost.
    claimed: RefCell<Vec<bool>>,
}

/// Which pieces; see [`Texts::mark`].
pub(crate) type TextRange = Range<u32>;

impl<'a> Texts<'a> {
    pub(crate) fn of(html: &'a str) -> Texts<'a> {
        Texts {
            html,
            pieces: Vec::new(),
            claimed: RefCell::default(),
        }
    }

    /// The current place.
    pub(crate) fn mark(&self) -> u32 {
        u32::try_from(self.pieces.len()).unwrap_or(u32::MAX)
    }

    pub(crate) fn add(&mut self, span: Range<usize>, is_choice: bool, is_in_form: bool) {
        let kind = match (is_choice, is_in_form) {
            (true, _) => Kind::Choice,
            (false, true) => Kind::TextInForm,
            (false, false) => Kind::Text,
        };
        // No document is too long for it, see `MAX_MARKUP_BYTES`.
        if let (Ok(start), Ok(end)) = (u32::try_from(span.start), u32::try_from(span.end)) {
            self.pieces.push(Piece { start, end, kind });
        }
    }

    pub(crate) fn add_break(&mut self) {
        self.add_edge(Kind::Break);
    }

    /// Adds the edge of an option of a select or datalist.
    pub(crate) fn add_choice_edge(&mut self) {
        self.add_edge(Kind::ChoiceEdge);
    }

    fn add_edge(&mut self, kind: Kind) {
        let follows_edge = self.pieces.last().is_some_and(|last| last.kind() == kind);
        if !follows_edge {
            self.add_between(kind);
        }
    }

    pub(crate) fn add_line_break(&mut self) {
        self.add_between(Kind::Line);
    }

    pub(crate) fn add_control(&mut self) {
        self.add_between(Kind::Control);
    }

    fn add_between(&mut self, kind: Kind) {
        let (start, end) = (0, 0);
        self.pieces.push(Piece { start, end, kind });
    }

    /// Makes a text one that belongs to no label around it.
    pub(crate) fn hide(&mut self, range: TextRange) {
        let pieces = self
            .pieces
            .get_mut(range.start as usize..range.end as usize);
        for piece in pieces.unwrap_or_default() {
            if piece.is_text() {
                piece.kind = Kind::Choice;
            }
        }
    }

    /// The text as rendered: white space collapsed, without the text of selects.
    pub(crate) fn rendered(&self, range: TextRange) -> String {
        self.claim(&range);
        self.collapsed(range, false)
    }

    /// The text as rendered, for a look that takes nothing: it is lost unless it is read.
    pub(crate) fn glimpse(&self, range: TextRange) -> String {
        self.collapsed(range, false)
    }

    /// Such a look at all text, also that of options and what is hidden.
    pub(crate) fn glimpse_with_choices(&self, range: TextRange) -> String {
        self.collapsed(range, true)
    }

    /// The text of an option.
    pub(crate) fn of_option(&self, range: TextRange) -> String {
        self.claim(&range);
        self.collapsed(range, true)
    }

    /// The beginning of a text as rendered, with or without the text of options: all pieces
    /// until there are `most` bytes. Also says how many bytes and pieces were looked at.
    pub(crate) fn beginning(
        &self,
        range: TextRange,
        with_choices: bool,
        most: usize,
    ) -> (String, usize) {
        self.claim(&range);
        let mut out = Collapsed::default();
        let mut work = 0;
        for piece in self.within(range) {
            self.collapse_piece(*piece, with_choices, &mut out);
            work += self.raw(*piece).len() + 1;
            if out.text.len() >= most {
                break;
            }
        }
        (out.text, work)
    }

    /// Where the texts of a range stand in the document, but for white space.
    pub(crate) fn spans(&self, range: TextRange, with_choices: bool) -> Vec<Range<usize>> {
        let span_of = |piece: &Piece| {
            let is_meant = piece.is_text() || (with_choices && piece.kind == Kind::Choice);
            let is_seen = is_meant && !decode_text(self.raw(*piece)).trim_ascii().is_empty();
            is_seen.then(|| piece.span())
        };
        self.within(range).iter().filter_map(span_of).collect()
    }

    fn claim(&self, range: &TextRange) {
        let end = (range.end as usize).min(self.pieces.len());
        let mut claimed = self.claimed.borrow_mut();
        claimed.resize(self.pieces.len(), false);
        let read = claimed.get_mut(range.start as usize..end);
        read.unwrap_or_default().fill(true);
    }

    /// Whether there is anything to see in the text.
    pub(crate) fn is_blank(&self, range: TextRange) -> bool {
        let is_blank = |piece: &Piece| self.raw(*piece).bytes().all(|b| b.is_ascii_whitespace());
        let mut texts = self.within(range).iter().filter(|piece| piece.is_text());
        texts.all(is_blank)
    }

    /// Whether there is nothing to see even in text that is hidden from labels.
    pub(crate) fn is_blank_with_hidden(&self, range: TextRange) -> bool {
        self.within(range)
            .iter()
            .all(|piece| self.raw(*piece).bytes().all(|b| b.is_ascii_whitespace()))
    }

    /// The text as written, as a textarea keeps it: without its first line feed.
    pub(crate) fn verbatim(&self, range: TextRange) -> String {
        self.claim(&range);
        let mut text = String::new();
        for piece in self.within(range) {
            text.push_str(&decode_text(self.raw(*piece)));
        }
        if text.starts_with('\n') {
            text.remove(0);
        }
        text
    }

    pub(super) fn within(&self, range: TextRange) -> &[Piece] {
        let end = (range.end as usize).min(self.pieces.len());
        self.pieces
            .get(range.start as usize..end)
            .unwrap_or_default()
    }

    pub(super) fn raw(&self, piece: Piece) -> &'a str {
        self.html.get(piece.span()).unwrap_or_default()
    }

    /// Tells the runs of text that were never read, in their order, with whether they begin in a
    /// form: each up to a break, a control or a text that was read.
    pub(crate) fn unclaimed(&self, mut tell: impl FnMut(TextRange, bool)) {
        let claimed = self.claimed.borrow();
        let is_claimed = |index: u32| claimed.get(index as usize).is_some_and(|read| *read);
        let mut open: Option<(u32, bool)> = None;
        for (index, piece) in (0..).zip(&self.pieces) {
            if piece.is_text() && !is_claimed(index) {
                open.get_or_insert((index, piece.kind() == Kind::TextInForm));
            } else if let Some((start, is_in_form)) = open.take() {
                tell(start..index, is_in_form);
            }
        }
        if let Some((start, is_in_form)) = open {
            tell(start..self.mark(), is_in_form);
        }
    }

    /// Where a run of text begins in the document, behind its first white space.
    pub(crate) fn start_of(&self, run: &TextRange) -> usize {
        let Some(piece) = self.within(run.clone()).first() else {
            return 0;
        };
        let text = decode_text(self.raw(*piece));
        piece.span().start + (text.len() - text.trim_start().len())
    }

    fn collapsed(&self, range: TextRange, with_choices: bool) -> String {
        let mut out = Collapsed::default();
        for piece in self.within(range) {
            self.collapse_piece(*piece, with_choices, &mut out);
        }
        out.text
    }

    fn collapse_piece(&self, piece: Piece, with_choices: bool, out: &mut Collapsed) {
        match piece.kind() {
            Kind::Choice | Kind::ChoiceEdge if !with_choices => {}
            Kind::Text | Kind::TextInForm | Kind::Choice => {
                out.push(&decode_text(self.raw(piece)));
            }
            Kind::Break | Kind::Line | Kind::ChoiceEdge => out.push(" "),
            Kind::Control => {}
        }
    }
}
