//! The stack of open elements: the part of the HTML standard's tree construction that forms need
//! (<https://html.spec.whatwg.org/multipage/parsing.html#tree-construction>).
//!
//! Elements open and close in source order. Content that the standard would move (misplaced in tables, misnested
//! formatting) stays where it was written.

use std::ops::Range;

use super::tag::Tag;
use super::tokens::{self, StartTag, TokenSink};

/// Limit on the open elements; as in browsers, deeper elements become siblings.
const MAX_DEPTH: usize = 512;

/// A receiver of a document's elements and text.
pub(crate) trait TreeSink<'a> {
    /// An element begins.
    fn open(&mut self, tag: &StartTag<'a, '_>);
    /// The innermost open element ends: by its end tag (whose bytes are passed), by implication, or at the end of the
    /// document.
    fn close(&mut self, tag: Tag, end_tag: Option<Range<usize>>);
    /// Text within the innermost open element.
    fn text(&mut self, raw: &'a str, span: Range<usize>);
    /// A form begins within another form; browsers ignore the inner tag.
    fn nested_form(&mut self, _tag: &StartTag<'a, '_>) {}
    /// An element whose content is not part of the form, see [`Tag::is_skipped`].
    fn skipped(&mut self, _tag: &StartTag<'a, '_>) {}
}

/// Reads a document, and reports its elements and text to the sink.
pub(crate) fn read<'a>(html: &'a str, sink: &mut dyn TreeSink<'a>) {
    let mut tree = Tree {
        sink,
        open: Vec::new(),
        counts: [0; Tag::COUNT],
        form_is_open: false,
        skipped: None,
    };
    tokens::read(html, &mut tree);
    while !tree.open.is_empty() {
        tree.pop(None);
    }
}

/// The stack of open elements. One type serves all sinks, so that the wasm module holds these rules once.
struct Tree<'a, 's> {
    sink: &'s mut dyn TreeSink<'a>,
    open: Vec<Open<'a>>,
    /// The number of open elements of each tag, so that most tests need no walk.
    counts: [u16; Tag::COUNT],
    form_is_open: bool,
    skipped: Option<Skipped>,
}

struct Open<'a> {
    tag: Tag,
    /// The name, which distinguishes elements of [`Tag::Other`].
    name: &'a str,
}

/// An element whose content is not part of the form: a script, an inert template, a picture.
struct Skipped {
    tag: Tag,
    /// The number of open elements of this tag within the element, itself included.
    depth: u32,
    is_foreign: bool,
    /// The number of open SVG or MathML elements within it that may contain HTML.
    integration_points: u32,
}

/// Whether an element of SVG or MathML may contain HTML (HTML standard, "integration points").
fn is_integration_point(name: &str) -> bool {
    const OF_SVG: [&str; 3] = ["desc", "foreignobject", "title"];
    const OF_MATH: [&str; 6] = ["annotation-xml", "mi", "mn", "mo", "ms", "mtext"];
    let mut names = OF_SVG.iter().chain(&OF_MATH);
    names.any(|known| name.eq_ignore_ascii_case(known))
}

impl<'a> Tree<'a, '_> {
    fn count(&self, tag: Tag) -> u16 {
        self.counts.get(tag as usize).copied().unwrap_or(0)
    }

    fn change_count(&mut self, tag: Tag, change: i16) {
        if let Some(count) = self.counts.get_mut(tag as usize) {
            *count = count.saturating_add_signed(change);
        }
    }

    fn current(&self) -> Option<Tag> {
        self.open.last().map(|open| open.tag)
    }

    fn push(&mut self, tag: &StartTag<'a, '_>) {
        if self.open.len() >= MAX_DEPTH {
            self.pop(None);
        }
        self.sink.open(tag);
        self.change_count(tag.tag, 1);
        self.open.push(Open {
            tag: tag.tag,
            name: tag.name,
        });
    }

    fn pop(&mut self, end_tag: Option<Range<usize>>) {
        if let Some(open) = self.open.pop() {
            self.change_count(open.tag, -1);
            if open.tag == Tag::Form {
                self.form_is_open = false;
            }
            self.sink.close(open.tag, end_tag);
        }
    }

    /// An element without content.
    fn leaf(&mut self, tag: &StartTag<'a, '_>) {
        self.sink.open(tag);
        self.sink.close(tag.tag, None);
    }

    /// The number of elements to pop so that the innermost wanted element ends; `None` if a boundary is nearer.
    fn pops_to(
        &self,
        is_wanted: &dyn Fn(&Open<'a>) -> bool,
        bounds: &dyn Fn(Tag) -> bool,
    ) -> Option<usize> {
        for (above, open) in self.open.iter().rev().enumerate() {
            if is_wanted(open) {
                return Some(above + 1);
            }
            if bounds(open.tag) {
                return None;
            }
        }
        None
    }

    fn pops_in_scope(
        &self,
        scope: fn(Tag) -> bool,
        is_wanted: &dyn Fn(Tag) -> bool,
    ) -> Option<usize> {
        self.pops_to(&|open| is_wanted(open.tag), &scope)
    }

    /// Ends the innermost element of a tag, unless a bound of the scope is nearer.
    fn close_in_scope(&mut self, scope: fn(Tag) -> bool, tag: Tag, end_tag: Option<Range<usize>>) {
        if self.count(tag) > 0 {
            let pops = self.pops_in_scope(scope, &|open| open == tag);
            self.pop_times(pops, end_tag);
        }
    }

    fn pop_times(&mut self, times: Option<usize>, end_tag: Option<Range<usize>>) {
        if let Some(times) = times {
            (1..times).for_each(|_| self.pop(None));
            self.pop(end_tag);
        }
    }

    fn close_if_current(&mut self, is_ended: fn(Tag) -> bool) {
        if self.current().is_some_and(is_ended) {
            self.pop(None);
        }
    }

    fn open_ordinary(&mut self, tag: &StartTag<'a, '_>) {
        let name = tag.tag;
        if name.is_block() || name.is_heading() || matches!(name, Tag::P | Tag::Hr | Tag::Table) {
            self.close_in_scope(Tag::bounds_button_scope, Tag::P, None);
        }
        match name {
            Tag::Html | Tag::Head | Tag::Body | Tag::Frameset => return,
            _ if name.is_heading() => self.close_if_current(Tag::is_heading),
            Tag::Button => self.close_in_scope(Tag::bounds_scope, Tag::Button, None),
            Tag::Li => self.close_list_item(|open| open == Tag::Li),
            Tag::Dd | Tag::Dt => self.close_list_item(|open| matches!(open, Tag::Dd | Tag::Dt)),
            Tag::Option => self.close_if_current(|open| open == Tag::Option),
            Tag::Optgroup => self.close_options(),
            Tag::Form => {
                if self.form_is_open {
                    return self.sink.nested_form(tag);
                }
                self.close_in_scope(Tag::bounds_button_scope, Tag::P, None);
                self.form_is_open = true;
            }
            _ if name.is_table_part() && !self.clear_for_table_part(name) => return,
            _ => {}
        }
        if name.is_void() {
            self.leaf(tag);
        } else {
            self.push(tag);
        }
    }

    fn close_list_item(&mut self, is_item: fn(Tag) -> bool) {
        let pops = self.pops_to(&|open| is_item(open.tag), &|tag| {
            tag.is_special() && !matches!(tag, Tag::Address | Tag::Div | Tag::P)
        });
        self.pop_times(pops, None);
        self.close_in_scope(Tag::bounds_button_scope, Tag::P, None);
    }

    /// Ends the open parts of the table that cannot contain a new part. Returns false outside a table.
    fn clear_for_table_part(&mut self, part: Tag) -> bool {
        let (is_cell, is_row) = (matches!(part, Tag::Td | Tag::Th), part == Tag::Tr);
        let stays = |open: &Open<'_>| match open.tag {
            Tag::Table => true,
            Tag::Tbody | Tag::Thead | Tag::Tfoot => is_cell || is_row,
            other => is_cell && other == Tag::Tr,
        };
        let pops = self.pops_to(&stays, &|_| false);
        (1..pops.unwrap_or(0)).for_each(|_| self.pop(None));
        pops.is_some()
    }

    /// Applies the rules within a select, which contains options only.
    fn open_in_select(&mut self, tag: &StartTag<'a, '_>) {
        let ends_select = match tag.tag {
            Tag::Input | Tag::Keygen | Tag::Textarea => true,
            other => other.is_of_table() && self.count(Tag::Table) > 0,
        };
        match tag.tag {
            Tag::Option | Tag::Optgroup => self.open_ordinary(tag),
            Tag::Hr => self.close_options(),
            Tag::Select => self.close_select(None),
            _ if ends_select => {
                self.close_select(None);
                self.open_ordinary(tag);
            }
            _ => {}
        }
    }

    fn close_options(&mut self) {
        self.close_if_current(|open| open == Tag::Option);
        self.close_if_current(|open| open == Tag::Optgroup);
    }

    fn close_select(&mut self, end_tag: Option<Range<usize>>) {
        self.close_in_scope(Tag::bounds_table_scope, Tag::Select, end_tag);
    }

    fn end_in_select(&mut self, tag: Tag, span: Range<usize>) {
        match tag {
            Tag::Option | Tag::Optgroup => {
                if tag == Tag::Optgroup {
                    self.close_if_current(|open| open == Tag::Option);
                }
                if self.current() == Some(tag) {
                    self.pop(Some(span));
                }
            }
            Tag::Select => self.close_select(Some(span)),
            _ if tag.is_of_table() && self.count(tag) > 0 => {
                self.close_select(None);
                self.end_ordinary(tag, "", span);
            }
            _ => {}
        }
    }

    fn end_ordinary(&mut self, tag: Tag, name: &str, span: Range<usize>) {
        match tag {
            Tag::Html | Tag::Body | Tag::Head => {}
            Tag::P => self.close_in_scope(Tag::bounds_button_scope, tag, Some(span)),
            Tag::Li => self.close_in_scope(Tag::bounds_list_scope, tag, Some(span)),
            Tag::Form => self.end_form(span),
            _ if tag.is_of_table() => {
                self.close_in_scope(Tag::bounds_table_scope, tag, Some(span));
            }
            _ if tag.is_block() || tag.ends_in_scope() => {
                self.close_in_scope(Tag::bounds_scope, tag, Some(span));
            }
            _ if tag.is_heading() => {
                let pops = self.pops_in_scope(Tag::bounds_scope, &Tag::is_heading);
                self.pop_times(pops, Some(span));
            }
            _ => self.end_other(tag, name, span),
        }
    }

    /// Removes a form from the stack at its end tag; elements that are still open in it stay open.
    fn end_form(&mut self, span: Range<usize>) {
        self.form_is_open = false;
        let pops = self.pops_in_scope(Tag::bounds_scope, &|open| open == Tag::Form);
        let within = self.open.iter().rev();
        let implied = within.take_while(|open| open.tag.is_implied()).count();
        if pops == Some(implied + 1) {
            self.pop_times(pops, Some(span));
        } else if let Some(pops) = pops
            && let Some(form) = self.open.iter_mut().rev().nth(pops - 1)
        {
            (form.tag, form.name) = (Tag::Other, "");
            self.change_count(Tag::Form, -1);
            self.change_count(Tag::Other, 1);
        }
    }

    fn end_other(&mut self, tag: Tag, name: &str, span: Range<usize>) {
        let has_name = |open: &Open<'a>| {
            open.tag == tag && (tag != Tag::Other || open.name.eq_ignore_ascii_case(name))
        };
        if self.count(tag) > 0 {
            let pops = self.pops_to(&has_name, &Tag::is_special);
            self.pop_times(pops, Some(span));
        }
    }
}

impl<'a> TokenSink<'a> for Tree<'a, '_> {
    fn start_tag(&mut self, tag: &StartTag<'a, '_>) {
        let is_open = !(tag.is_foreign && tag.is_self_closing);
        if let Some(skipped) = &mut self.skipped {
            // An HTML tag ends an SVG or MathML element that may not contain HTML. lol_html reports integration points
            // as HTML.
            let is_of_html = skipped.is_foreign && !tag.is_foreign;
            let holds_html = is_of_html && is_integration_point(tag.name);
            if !is_of_html || holds_html || skipped.integration_points > 0 {
                skipped.depth += u32::from(is_open && tag.tag == skipped.tag);
                skipped.integration_points += u32::from(holds_html);
                return;
            }
        }
        self.skipped = None;
        if tag.is_foreign || tag.tag.is_skipped() {
            self.sink.skipped(tag);
            self.skipped = is_open.then_some(Skipped {
                tag: tag.tag,
                depth: 1,
                is_foreign: tag.is_foreign,
                integration_points: 0,
            });
        } else if self.count(Tag::Select) > 0 {
            self.open_in_select(tag);
        } else {
            self.open_ordinary(tag);
        }
    }

    fn end_tag(&mut self, name: &'a str, span: Range<usize>) {
        let tag = Tag::of(name);
        if let Some(skipped) = &mut self.skipped {
            if skipped.is_foreign && is_integration_point(name) {
                skipped.integration_points = skipped.integration_points.saturating_sub(1);
            }
            let may_leave = skipped.is_foreign && skipped.integration_points == 0;
            skipped.depth -= u32::from(tag == skipped.tag);
            if skipped.depth == 0 || (may_leave && matches!(tag, Tag::P | Tag::Br)) {
                self.skipped = None;
            }
        } else if self.count(Tag::Select) > 0 {
            self.end_in_select(tag, span);
        } else {
            self.end_ordinary(tag, name, span);
        }
    }

    fn text(&mut self, raw: &'a str, span: Range<usize>) {
        if self.skipped.is_none() {
            self.sink.text(raw, span);
        }
    }
}
