//! The text beside, above and behind a place among the texts.

use super::text::{Kind, Piece, TextRange, Texts};

/// How far the line above a place, or the control behind it, is looked for.
pub(crate) const MAX_PIECES_ABOVE: u32 = 32;

impl Texts<'_> {
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
}
