//! The elements that hold nothing else than what goes, and go along.

use std::collections::BTreeSet;
use std::ops::Range;

use super::Patch;
use super::gone::Gone;
use super::outline::Element;
use crate::html::tag::Tag;

/// What goes with a field's own parts.
#[derive(Clone, Copy)]
pub(super) struct With<'d> {
    /// Larger elements that hold nothing else, and line breaks.
    pub(super) is_thorough: bool,
    /// Marks, icons and messages of faults, but for those that describe others: their ids.
    pub(super) described: Option<&'d BTreeSet<String>>,
    /// Units, the starts of addresses and hidden pictures in the elements around its control.
    pub(super) has_addons: bool,
}

impl Patch<'_> {
    /// Adds the elements around the parts that hold nothing else than what goes. Each is looked at once,
    /// when all that it holds has been: an element begins behind the one around it.
    pub(super) fn empty_around(&self, parts: &[Range<usize>], gone: &mut Gone, with: With<'_>) {
        let mut holders: BTreeSet<usize> = BTreeSet::new();
        for part in parts {
            let is_around = |holder: &usize| {
                let element = self.outline.elements.get(*holder);
                element.is_some_and(|element| element.span() != *part)
            };
            holders.extend(self.outline.around(part).find(is_around));
        }
        while let Some(holder) = holders.pop_last() {
            let Some(element) = self.outline.elements.get(holder) else {
                continue;
            };
            match element.name {
                Tag::Form | Tag::Body | Tag::Html => continue,
                // They may say something of their own, as a step does.
                Tag::Fieldset | Tag::Section | Tag::Table if !with.is_thorough => continue,
                // A cell keeps the others in their columns; it goes with its row.
                Tag::Td | Tag::Th => {
                    holders.extend(element.around());
                    continue;
                }
                // It may go with its table.
                Tag::Tbody | Tag::Thead | Tag::Tfoot => holders.extend(element.around()),
                _ => {}
            }
            let is_empty = match element.name {
                Tag::Tr => self.is_empty_but(holder, (gone, with), &[Tag::Td, Tag::Th]),
                Tag::Fieldset => self.is_empty_but(holder, (gone, with), &[Tag::Legend]),
                Tag::Table => {
                    self.is_emptied(gone, with, element.content())
                        || self.holds_heads_only(holder, gone)
                }
                Tag::Section | Tag::Li => self.is_emptied(gone, with, element.content()),
                _ => self.is_emptied_around(gone, with, element.content()),
            };
            if is_empty && !self.is_of_layout(holder) {
                gone.add(element.span());
                holders.extend(element.around());
            }
        }
    }

    /// Whether nothing stays of those bytes but white space, and what belongs to the field.
    fn is_emptied(&self, gone: &Gone, with: With<'_>, bytes: Range<usize>) -> bool {
        match with.described {
            Some(described) => gone.rest(bytes).all(|rest| self.is_idle(&rest, described)),
            None => gone.empties(self.html, bytes),
        }
    }

    /// Whether nothing stays of those bytes around a control but what belongs to that.
    fn is_emptied_around(&self, gone: &Gone, with: With<'_>, bytes: Range<usize>) -> bool {
        self.is_emptied(gone, with, bytes.clone())
            || with.has_addons && self.holds_addons_only(gone, bytes)
    }

    /// Whether nothing stays of a table but its caption and the heads of its rows and columns.
    fn holds_heads_only(&self, table: usize, gone: &Gone) -> bool {
        let Some(content) = self.outline.elements.get(table).map(Element::content) else {
            return false;
        };
        let fields = self.offsets_in(&content);
        if !fields.iter().all(|at| gone.holds(*at as usize)) {
            return false;
        }
        let mut heads: Vec<Range<usize>> = Vec::new();
        let within = self.outline.within(table);
        for element in within.filter_map(|index| self.outline.elements.get(index)) {
            let is_head = matches!(element.name, Tag::Caption | Tag::Thead | Tag::Th);
            let is_within = heads
                .last()
                .is_some_and(|head| head.end >= element.span().end);
            if is_head && !is_within {
                heads.push(element.span());
            }
        }
        let is_in_head = |at: usize| {
            let behind = heads.partition_point(|head| head.start <= at);
            let head = behind.checked_sub(1).and_then(|head| heads.get(head));
            head.is_some_and(|head| head.contains(&at))
        };
        let is_part = |at: usize| {
            let element = self.outline.at(at);
            let element = element.and_then(|element| self.outline.elements.get(element));
            element.is_some_and(|element| element.name.is_table_part())
        };
        let texts = self.outline.texts_in(&content);
        self.is_all_plain(&content, |at| gone.holds(at) || is_part(at))
            && texts
                .iter()
                .all(|text| gone.holds(text.start) || is_in_head(text.start))
    }

    /// Whether nothing stays of a row but cells that hold nothing, or of a fieldset but its legend.
    fn is_empty_but(&self, holder: usize, (gone, with): (&Gone, With<'_>), tags: &[Tag]) -> bool {
        let Some(content) = self.outline.elements.get(holder).map(Element::content) else {
            return false;
        };
        let mut at = content.start;
        let mut next = holder + 1;
        // The elements right in it, one after the other.
        while let Some(element) = self.outline.elements.get(next) {
            let span = element.span();
            if span.start >= content.end {
                break;
            }
            let is_one = tags.contains(&element.name)
                && (element.name == Tag::Legend
                    || self.is_emptied_around(gone, with, element.content()));
            if is_one {
                if !gone.empties(self.html, at..span.start) {
                    return false;
                }
                at = span.end;
            }
            next = self.outline.at_or_behind(span.end.max(span.start + 1));
        }
        gone.empties(self.html, at..content.end)
    }

    /// Whether an element is a step of the form, or all of its steps.
    pub(super) fn is_of_layout(&self, element: usize) -> bool {
        let tag = self.outline.tag(element);
        tag.is_some_and(|tag| {
            let mut names = tag.attributes.iter().map(|a| a.name);
            names.any(|name| name.starts_with("data-step") || name.starts_with("data-layout"))
        })
    }
}
