//! The text of elements, kept as places in the document until someone asks for it.

use std::cell::RefCell;
use std::ops::Range;

use super::entities::decode_text;
use super::growth;

/// How many pieces one word tells of.
const BITS: usize = u32::BITS as usize;

/// A piece of text, or what lies between pieces, in eight bytes: a document may be little else.
#[derive(Clone, Copy, Debug)]
struct Piece {
    /// Where its bytes of the document begin, with their references.
    start: u32,
    /// How many they are, and behind that in the lowest bits its [`Kind`].
    length_and_kind: u32,
}

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
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
    /// How many bits tell the kind.
    const KIND_BITS: u32 = 3;
    const KIND_MASK: u32 = (1 << Self::KIND_BITS) - 1;

    const fn between(kind: Kind) -> Piece {
        Piece {
            start: 0,
            length_and_kind: kind as u32,
        }
    }

    /// None for a text that no document has, see `MAX_MARKUP_BYTES`.
    fn text(span: &Range<usize>, kind: Kind) -> Option<Piece> {
        let length = u32::try_from(span.len()).ok()?;
        Some(Piece {
            start: u32::try_from(span.start).ok()?,
            length_and_kind: length.checked_mul(1 << Self::KIND_BITS)? | kind as u32,
        })
    }

    const fn kind(self) -> Kind {
        match self.length_and_kind & Self::KIND_MASK {
            0 => Kind::Text,
            1 => Kind::TextInForm,
            2 => Kind::Choice,
            3 => Kind::ChoiceEdge,
            4 => Kind::Break,
            5 => Kind::Line,
            _ => Kind::Control,
        }
    }

    /// Its bytes of the document; none of what lies between.
    const fn span(self) -> Range<usize> {
        let start = self.start as usize;
        start..start + (self.length_and_kind >> Self::KIND_BITS) as usize
    }

    const fn is_choice(self) -> bool {
        matches!(self.kind(), Kind::Choice)
    }

    /// Whether it is text that labels may show.
    const fn is_text(self) -> bool {
        matches!(self.kind(), Kind::Text | Kind::TextInForm)
    }

    /// Whether it parts the text that may label a control.
    const fn parts(self) -> bool {
        matches!(self.kind(), Kind::Break | Kind::Line | Kind::Control)
    }
}

/// The text of a document in its order. An element's text is the range of pieces between its
/// tags.
#[derive(Debug, Default)]
pub(crate) struct Texts<'a> {
    html: &'a str,
    pieces: Vec<Piece>,
    /// How much of the document is read.
    read: usize,
    /// For each piece a bit, whether it was read, so that the rest can be told as lost.
    claimed: RefCell<Vec<u32>>,
}

/// How far the line above a place, or the control behind it, is looked for.
const MAX_PIECES_ABOVE: u32 = 32;

/// Which pieces; see [`Texts::mark`].
pub(crate) type TextRange = Range<u32>;

impl<'a> Texts<'a> {
    pub(crate) fn of(html: &'a str) -> Texts<'a> {
        Texts {
            html,
            pieces: Vec::new(),
            read: 0,
            claimed: RefCell::default(),
        }
    }

    /// Notes how much of the document is read.
    pub(crate) const fn read_to(&mut self, end: usize) {
        self.read = end;
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
        self.read = span.end;
        if let Some(piece) = Piece::text(&span, kind) {
            self.push(piece);
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
            self.push(Piece::between(kind));
        }
    }

    pub(crate) fn add_line_break(&mut self) {
        self.push(Piece::between(Kind::Line));
    }

    pub(crate) fn add_control(&mut self) {
        self.push(Piece::between(Kind::Control));
    }

    fn push(&mut self, piece: Piece) {
        growth::push(&mut self.pieces, piece, self.read, self.html.len());
    }

    /// Makes a text one that belongs to no label around it.
    pub(crate) fn hide(&mut self, range: TextRange) {
        let pieces = self
            .pieces
            .get_mut(range.start as usize..range.end as usize);
        for piece in pieces.unwrap_or_default() {
            if piece.is_text() {
                piece.length_and_kind &= !Piece::KIND_MASK;
                piece.length_and_kind |= Kind::Choice as u32;
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
            let is_meant = piece.is_text() || (with_choices && piece.is_choice());
            let is_seen = is_meant && !decode_text(self.raw(*piece)).trim_ascii().is_empty();
            is_seen.then(|| piece.span())
        };
        self.within(range).iter().filter_map(span_of).collect()
    }

    fn claim(&self, range: &TextRange) {
        let end = (range.end as usize).min(self.pieces.len());
        let mut claimed = self.claimed.borrow_mut();
        if claimed.is_empty() {
            claimed.resize(self.pieces.len().div_ceil(BITS), 0);
        }
        let mut at = range.start as usize;
        while at < end {
            let last = end.min((at / BITS + 1) * BITS);
            let bits = (u32::MAX >> (BITS - (last - at))) << (at % BITS);
            if let Some(word) = claimed.get_mut(at / BITS) {
                *word |= bits;
            }
            at = last;
        }
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

    /// The text beside a place: before it, back to the last control or break.
    pub(crate) fn before(&self, mark: u32) -> TextRange {
        let start = self
            .within(0..mark)
            .iter()
            .rposition(|piece| piece.parts())
            .map_or(0, |index| index + 1);
        u32::try_from(start).unwrap_or(mark)..mark
    }

    /// The text on the line above a place; with `crosses_blocks` also of the cell to the left, all of
    /// its lines unless a control is among them.
    pub(crate) fn before_break(&self, mark: u32, crosses_blocks: bool) -> TextRange {
        let start = self.before(mark).start;
        let before = self.within(start.saturating_sub(1)..start).first();
        match before.map(|piece| piece.kind()) {
            Some(Kind::Line) => self.before(start - 1),
            Some(Kind::Break) if crosses_blocks => self.block_before(start - 1),
            _ => start..start,
        }
    }

    /// The text of the block before a break, white space between blocks not counting: its last line
    /// where there is a control in it.
    fn block_before(&self, mark: u32) -> TextRange {
        let is_between = |piece: &Piece| {
            piece.kind() == Kind::Break
                || (piece.is_text() && self.raw(*piece).bytes().all(|b| b.is_ascii_whitespace()))
        };
        let before = self.within(0..mark);
        let end = before.iter().rposition(|piece| !is_between(piece));
        let end = end.map_or(0, |last| last + 1);
        let block = before.get(..end).unwrap_or_default();
        let is_edge = |piece: &Piece| matches!(piece.kind(), Kind::Break | Kind::Control);
        let edge = block.iter().rposition(is_edge);
        let end = u32::try_from(end).unwrap_or(mark);
        match edge.and_then(|edge| Some((edge, block.get(edge)?))) {
            Some((_, piece)) if piece.kind() == Kind::Control => self.before(end),
            edge => u32::try_from(edge.map_or(0, |(edge, _)| edge + 1)).unwrap_or(end)..end,
        }
    }

    /// The line of text that ends a range, or ends the line or block above its end; empty where
    /// there is none among the last pieces.
    pub(crate) fn line_above(&self, range: TextRange) -> TextRange {
        let nothing = range.end..range.end;
        let start = range.end.saturating_sub(MAX_PIECES_ABOVE).max(range.start);
        let pieces = self.within(start..range.end);
        let is_blank = |piece: &Piece| match piece.kind() {
            Kind::Break | Kind::Line | Kind::Choice | Kind::ChoiceEdge => true,
            Kind::Control => false,
            Kind::Text | Kind::TextInForm => self.raw(*piece).trim_ascii().is_empty(),
        };
        let Some(last) = pieces.iter().rposition(|piece| !is_blank(piece)) else {
            return nothing;
        };
        let line = pieces.get(..=last).unwrap_or_default();
        let begins = match line.iter().rposition(|piece| piece.parts()) {
            Some(parting) => parting + 1,
            None if start == range.start => 0,
            None => return nothing,
        };
        let place = |index: usize| start.saturating_add(u32::try_from(index).unwrap_or(u32::MAX));
        place(begins)..place(last + 1)
    }

    /// The place behind the control that comes next, with no text before it.
    pub(crate) fn control_after(&self, mark: u32) -> Option<u32> {
        let is_between = |piece: &Piece| match piece.kind() {
            Kind::Break | Kind::Line => true,
            Kind::Text | Kind::TextInForm => self.raw(*piece).trim_ascii().is_empty(),
            Kind::Choice | Kind::ChoiceEdge | Kind::Control => false,
        };
        let most = mark.saturating_add(MAX_PIECES_ABOVE);
        let mut rest = (mark..).zip(self.within(mark..most));
        let (at, next) = rest.find(|(_, piece)| !is_between(piece))?;
        (next.kind() == Kind::Control).then_some(at + 1)
    }

    /// The text at a place, if the edge of a block ends it.
    pub(crate) fn line_of_block(&self, mark: u32) -> Option<TextRange> {
        let line = self.after(mark);
        let next = self.within(line.end..u32::MAX).first()?;
        (next.kind() == Kind::Break && !self.is_blank(line.clone())).then_some(line)
    }

    /// Whether a text has so few bytes in the document, and no more pieces.
    pub(crate) fn is_at_most(&self, range: TextRange, bytes: usize) -> bool {
        let pieces = self.within(range);
        pieces.len() <= bytes
            && pieces
                .iter()
                .map(|piece| self.raw(*piece).len())
                .sum::<usize>()
                <= bytes
    }

    /// The text beside a place: after it, up to the next control or break.
    pub(crate) fn after(&self, mark: u32) -> TextRange {
        let rest = self.within(mark..u32::MAX);
        let length = rest
            .iter()
            .position(|piece| piece.parts())
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
        self.html.get(piece.span()).unwrap_or_default()
    }

    /// Tells the runs of text that were never read, in their order, with whether they begin in a
    /// form: each up to a break, a control or a text that was read.
    pub(crate) fn unclaimed(&self, mut tell: impl FnMut(TextRange, bool)) {
        let claimed = self.claimed.borrow();
        let is_claimed = |index: u32| {
            let index = index as usize;
            let word = claimed.get(index / BITS).copied().unwrap_or(0);
            (word >> (index % BITS)) & 1 == 1
        };
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
                // Mostly there is one text, which then takes one allocation.
                self.text.reserve(run.len() + tail.len() + 1);
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

/// A text as somebody sees it: collapsed, and nothing where no character of it can be seen.
pub(crate) fn seen(text: &str) -> String {
    match is_unseen(text) {
        true => String::new(),
        false => collapse(text),
    }
}

/// Whether no character of a text can be seen.
pub(crate) fn is_unseen(text: &str) -> bool {
    text.chars().all(|c| {
        c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
    })
}

/// Whether a text is as [`collapse`] would leave it.
pub(crate) fn is_collapsed(text: &str) -> bool {
    let mut before_is_space = true;
    for byte in text.bytes() {
        let is_space = byte.is_ascii_whitespace();
        if is_space && (before_is_space || byte != b' ') {
            return false;
        }
        before_is_space = is_space;
    }
    text.is_empty() || !before_is_space
}

#[cfg(test)]
mod tests {
    use super::{collapse, is_collapsed};

    #[test]
    fn what_is_collapsed_already_is_known_without_doing_it() {
        for text in [
            "",
            " ",
            "a",
            " a",
            "a ",
            "a b",
            "a  b",
            "a\tb",
            "a\u{a0} b",
            "é ü",
        ] {
            assert_eq!(is_collapsed(text), collapse(text) == text, "{text:?}");
        }
    }
}
