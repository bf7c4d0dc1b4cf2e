//! The text of elements, stored as offsets in the document and decoded on demand.

use std::cell::Cell;
use std::ops::Range;

use super::entities::{decode_attribute, decode_text};
use super::place;
pub use model::collapse;
pub(crate) use model::is_unseen;
use model::links::{MAX_LINKS, link_of};

/// Maximum number of pieces that are searched for the line before a position.
const MAX_PIECES_BEFORE: usize = 32;

/// A piece of text, or a separator between pieces.
#[derive(Debug)]
struct Piece {
    /// The bytes in the document, character references included.
    start: u32,
    end: u32,
    kind: Kind,
    /// Whether a field uses the text; unclaimed text is reported as lost.
    is_claimed: Cell<bool>,
}

/// The kind of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Text outside a form.
    Text,
    /// Text within a form.
    TextInForm,
    /// Text within a select, datalist or textarea, or other text that never labels another element.
    Choice,
    /// The edge of an option, which separates only texts within its select or datalist.
    ChoiceEdge,
    /// The edge of a block: text before and after it is separate.
    Break,
    /// A line break within a block.
    Line,
    /// A control, which separates the texts that may label it.
    Control,
}

impl Piece {
    /// The bytes in the document; empty for a separator.
    const fn span(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Whether labels may show this text.
    const fn is_text(&self) -> bool {
        matches!(self.kind, Kind::Text | Kind::TextInForm)
    }
}

/// The text of a document, in order. An element's text is the range of pieces between its tags.
#[derive(Debug, Default)]
pub(crate) struct Texts<'a> {
    html: &'a str,
    pieces: Vec<Piece>,
    /// The links, in document order.
    links: Vec<Link<'a>>,
}

/// A link in the text.
#[derive(Debug)]
struct Link<'a> {
    text: TextRange,
    /// The link's address, as written.
    address: &'a str,
    /// Whether a label keeps the link, which then is not reported as lost.
    is_kept: Cell<bool>,
}

/// A range of pieces; see [`Texts::mark`].
pub(crate) type TextRange = Range<u32>;

impl<'a> Texts<'a> {
    pub(crate) fn of(html: &'a str) -> Texts<'a> {
        Texts {
            html,
            ..Texts::default()
        }
    }

    /// The current position.
    pub(crate) fn mark(&self) -> u32 {
        place(self.pieces.len())
    }

    pub(crate) fn add(&mut self, span: Range<usize>, is_hidden: bool, is_in_form: bool) {
        let kind = match (is_hidden, is_in_form) {
            (true, _) => Kind::Choice,
            (false, true) => Kind::TextInForm,
            (false, false) => Kind::Text,
        };
        self.push(span, kind);
    }

    /// Adds a separator; consecutive edges of one kind are added once.
    pub(crate) fn add_edge(&mut self, kind: Kind) {
        let is_edge = matches!(kind, Kind::Break | Kind::ChoiceEdge);
        if !is_edge || self.pieces.last().is_none_or(|last| last.kind != kind) {
            self.push(0..0, kind);
        }
    }

    fn push(&mut self, span: Range<usize>, kind: Kind) {
        self.pieces.push(Piece {
            start: place(span.start),
            end: place(span.end),
            kind,
            is_claimed: Cell::new(false),
        });
    }

    /// Excludes a text from the labels around it.
    pub(crate) fn hide(&mut self, range: TextRange) {
        let behind = self.pieces.iter_mut().skip(range.start as usize);
        for piece in behind.take(range.len()).filter(|piece| piece.is_text()) {
            piece.kind = Kind::Choice;
        }
    }

    /// The text as rendered: white space collapsed, without the text of selects. The text counts as claimed.
    pub(crate) fn rendered(&self, range: TextRange) -> String {
        self.claim(&range);
        self.glimpse(range)
    }

    /// The text as rendered, without claiming it.
    pub(crate) fn glimpse(&self, range: TextRange) -> String {
        self.collapsed(range, false, usize::MAX).0
    }

    /// All text as rendered, also the text of options and hidden text, without claiming it.
    pub(crate) fn glimpse_with_choices(&self, range: TextRange) -> String {
        self.collapsed(range, true, usize::MAX).0
    }

    /// The text of an option.
    pub(crate) fn of_option(&self, range: TextRange) -> String {
        self.claim(&range);
        self.glimpse_with_choices(range)
    }

    /// The beginning of a text as rendered: whole pieces until there are `limit` bytes. `with_choices` includes the
    /// text of options. Also returns the work: the number of visited bytes plus visited pieces.
    pub(crate) fn collapsed(
        &self,
        range: TextRange,
        with_choices: bool,
        limit: usize,
    ) -> (String, usize) {
        let (text, work) = self.uncollapsed(range, with_choices, limit);
        (collapse(&text), work)
    }

    fn uncollapsed(&self, range: TextRange, with_choices: bool, limit: usize) -> (String, usize) {
        let mut out = String::new();
        let mut work = 0;
        for piece in self.within(range) {
            let raw = self.raw(piece);
            match piece.kind {
                Kind::Choice | Kind::ChoiceEdge if !with_choices => {}
                Kind::Text | Kind::TextInForm | Kind::Choice => out.push_str(&decode_text(raw)),
                Kind::Break | Kind::Line | Kind::ChoiceEdge => out.push(' '),
                Kind::Control => {}
            }
            work += raw.len() + 1;
            if out.len() >= limit {
                break;
            }
        }
        (out, work)
    }

    /// Begins a link; returns its number for [`Texts::close_link`].
    pub(crate) fn open_link(&mut self, address: &'a str) -> usize {
        let start = self.mark();
        self.links.push(Link {
            text: start..start,
            address,
            is_kept: Cell::new(false),
        });
        self.links.len() - 1
    }

    /// Ends a link.
    pub(crate) fn close_link(&mut self, link: usize) {
        let end = self.mark();
        if let Some(link) = self.links.get_mut(link) {
            link.text.end = end;
        }
    }

    /// Whether a label keeps the link with this address. Compares the address's place in the document, not its text.
    pub(crate) fn keeps_link(&self, address: &str) -> bool {
        let mut kept = self.links.iter().filter(|link| link.is_kept.get());
        kept.any(|link| std::ptr::eq(link.address, address))
    }

    /// The text as rendered, with links as `[text](address)` where the address is safe. `keep` marks those links as
    /// kept.
    pub(crate) fn linked(&self, range: TextRange, keep: bool) -> String {
        let first = self
            .links
            .partition_point(|link| link.text.start < range.start);
        let links = self.links.iter().skip(first).take(MAX_LINKS);
        let (mut out, mut at) = (String::new(), range.start);
        for link in links.take_while(|link| link.text.start < range.end) {
            let text = &link.text;
            let link_text = self.uncollapsed(text.clone(), false, usize::MAX).0;
            let linked = link_of(&link_text, &decode_attribute(link.address));
            if let Some(linked) = linked.filter(|_| at <= text.start && text.end <= range.end) {
                out += &self.uncollapsed(at..text.start, false, usize::MAX).0;
                out += &linked;
                at = text.end;
                link.is_kept.set(keep || link.is_kept.get());
            }
        }
        out += &self.uncollapsed(at..range.end, false, usize::MAX).0;
        collapse(&out)
    }

    /// The ranges in the document of the texts of `range`, without blank texts.
    pub(crate) fn spans(&self, range: TextRange, with_choices: bool) -> Vec<Range<usize>> {
        let is_choice = |piece: &Piece| with_choices && piece.kind == Kind::Choice;
        let pieces = self.within(range).iter();
        let texts = pieces.filter(|piece| piece.is_text() || is_choice(piece));
        let seen = texts.filter(|text| !decode_text(self.raw(text)).trim_ascii().is_empty());
        seen.map(Piece::span).collect()
    }

    /// Marks a text as claimed.
    pub(crate) fn claim(&self, range: &TextRange) {
        for piece in self.within(range.clone()) {
            piece.is_claimed.set(true);
        }
    }

    /// Whether the piece at a position was claimed.
    pub(crate) fn is_claimed(&self, place: u32) -> bool {
        let piece = self.pieces.get(place as usize);
        piece.is_some_and(|piece| piece.is_claimed.get())
    }

    /// Whether the text has no visible characters.
    pub(crate) fn is_blank(&self, range: TextRange) -> bool {
        let mut texts = self.within(range).iter().filter(|piece| piece.is_text());
        texts.all(|piece| self.is_space(piece))
    }

    /// Whether a text has at most this many bytes in the document, and at most as many pieces.
    pub(crate) fn is_at_most(&self, range: TextRange, bytes: usize) -> bool {
        let pieces = self.within(range);
        let lengths = pieces.iter().map(|piece| piece.span().len());
        pieces.len() <= bytes && lengths.sum::<usize>() <= bytes
    }

    /// The last unclaimed text before `end`. The text begins after a control or claimed text, or at the start of its
    /// line. If a block's edge separates the text from `end`, the text instead begins at the previous edge. The search
    /// does not cross edges before `from`.
    pub(crate) fn line_before(&self, from: u32, end: u32) -> TextRange {
        let (mut last, mut start, mut crosses_block) = (None, end, false);
        let before = (0..end).zip(self.within(0..end)).rev();
        for (at, piece) in before.take(MAX_PIECES_BEFORE) {
            let ends = match piece.kind {
                Kind::Control => true,
                Kind::Break => {
                    crosses_block = true;
                    last.is_some() || at < from
                }
                Kind::Line => last.is_some() && !crosses_block,
                Kind::Choice | Kind::ChoiceEdge => false,
                Kind::Text | Kind::TextInForm if self.is_space(piece) => false,
                Kind::Text | Kind::TextInForm => {
                    let is_claimed = piece.is_claimed.get();
                    last = last.or((!is_claimed).then_some(at + 1));
                    is_claimed
                }
            };
            if ends {
                break;
            }
            start = at;
        }
        last.map_or(end..end, |last| start..last)
    }

    /// The text after a position, up to the next control or separator.
    pub(crate) fn after(&self, mark: u32) -> TextRange {
        let rest = self.within(mark..u32::MAX);
        let parts = |piece: &Piece| matches!(piece.kind, Kind::Break | Kind::Line | Kind::Control);
        let length = rest.iter().position(parts);
        mark..mark.saturating_add(place(length.unwrap_or(rest.len())))
    }

    /// The text after a position, if the edge of a block ends it.
    pub(crate) fn line_of_block(&self, mark: u32) -> Option<TextRange> {
        let line = self.after(mark);
        let next = self.within(line.end..u32::MAX).first()?;
        (next.kind == Kind::Break && !self.is_blank(line.clone())).then_some(line)
    }

    /// The text as a textarea holds it: as written, but without a first line feed.
    pub(crate) fn verbatim(&self, range: TextRange) -> String {
        self.claim(&range);
        let pieces = self.within(range).iter();
        let text: String = pieces.map(|piece| decode_text(self.raw(piece))).collect();
        text.strip_prefix('\n').map(str::to_owned).unwrap_or(text)
    }

    fn within(&self, range: TextRange) -> &[Piece] {
        let end = (range.end as usize).min(self.pieces.len());
        let pieces = self.pieces.get(range.start as usize..end);
        pieces.unwrap_or_default()
    }

    fn raw(&self, piece: &Piece) -> &'a str {
        self.html.get(piece.span()).unwrap_or_default()
    }

    fn is_space(&self, piece: &Piece) -> bool {
        self.raw(piece).bytes().all(|b| b.is_ascii_whitespace())
    }

    /// The runs of text that were never claimed, in order, and whether each begins in a form. A run ends at a
    /// separator, a control or a claimed text.
    pub(crate) fn unclaimed(&self) -> impl Iterator<Item = (TextRange, bool)> {
        let is_lost = |piece: &Piece| piece.is_text() && !piece.is_claimed.get();
        let pieces = &self.pieces;
        let runs = pieces.chunk_by(move |one, next| is_lost(one) == is_lost(next));
        let mut end = 0;
        runs.filter_map(move |run| {
            let start = end;
            end += place(run.len());
            let first = run.first().filter(|first| is_lost(first))?;
            Some((start..end, first.kind == Kind::TextInForm))
        })
    }

    /// The start of a run of text in the document, after its leading white space.
    pub(crate) fn start_of(&self, run: &TextRange) -> usize {
        let first = self.within(run.clone()).first();
        first.map_or(0, |piece| {
            let text = decode_text(self.raw(piece));
            piece.span().start + (text.len() - text.trim_start().len())
        })
    }
}
