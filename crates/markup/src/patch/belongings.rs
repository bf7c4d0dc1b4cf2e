//! What stands beside a field for it alone and is none of its texts: the mark of a required field, the
//! message of a fault, an icon, a line break.

use std::collections::BTreeSet;
use std::ops::Range;

use super::gone::Gone;
use super::outline::Element;
use super::plain;
use super::remove::is_named_so;
use super::{Patch, is_set};
use crate::html::entities::decode_text;
use crate::html::tag::Tag;
use crate::html::text::is_unseen;
use crate::markers::without_last_marker;
use crate::read::says_fault;
use model::Field;

/// The most bytes of a mark or message.
const MAX_BYTES: usize = 2_000;

/// The attributes that name what describes a control, and how many ids of one are looked at.
const DESCRIBING: [&str; 2] = ["aria-describedby", "aria-errormessage"];
const MAX_IDS: usize = 8;

/// The attributes that refer to other elements.
const REFERRING: [&str; 7] = [
    "aria-controls",
    "aria-describedby",
    "aria-details",
    "aria-errormessage",
    "aria-labelledby",
    "aria-owns",
    "href",
];

/// How many elements that end in one place are looked at.
const MAX_ENDS: usize = 16;

/// How many elements are looked at for whether messages stand behind their controls.
const MAX_ELEMENTS: usize = 64;

/// The elements that mark a required field or draw an icon.
const MARKS: &[&str] = &[
    "abbr", "b", "em", "font", "i", "small", "span", "strong", "sub", "sup", "u",
];

/// What such an element, or one that holds an add-on, may say besides [`plain::ATTRIBUTES`].
pub(super) const MARK_ATTRIBUTES: &[&str] =
    &["aria-hidden", "aria-label", "role", "style", "title"];

/// The words of classes that draw the mark of a required field.
const MARK_CLASSES: [&str; 3] = ["requi", "asterisk", "mandatory"];

impl Patch<'_> {
    /// Adds what belongs to the parts of a field that goes: what stands between them, the messages of
    /// faults behind them, and the marks before and behind them that stand on a line with them alone.
    pub(super) fn take_belongings(&self, gone: &mut Gone, described: &BTreeSet<String>) {
        let mut own = Vec::new();
        for pair in gone.0.windows(2) {
            if let [one, other] = pair {
                own.push(one.end..other.start);
            }
        }
        own.retain(|between| self.is_idle(between, described));
        for part in &gone.0 {
            let end = self.end_of_messages(part, described);
            own.push(part.end..self.end_of_marks(end).unwrap_or(end));
            own.extend(
                self.start_of_marks(part.start)
                    .map(|start| start..part.start),
            );
        }
        // White space alone is not taken here.
        own.retain(|bytes| {
            let bytes = self.html.get(bytes.clone()).unwrap_or_default();
            !bytes.trim_ascii().is_empty()
        });
        for bytes in own {
            gone.add(bytes);
        }
    }

    /// Whether those bytes hold nothing that is missed when the field beside them goes.
    pub(super) fn is_idle(&self, bytes: &Range<usize>, described: &BTreeSet<String>) -> bool {
        let is_idle = |element: usize| {
            self.is(element, Tag::Br)
                || self.is(element, Tag::Wbr)
                || self.is_mark(element, |text| without_last_marker(text).is_empty())
                || self.is_message(element, described)
        };
        let mut at = bytes.start;
        while at < bytes.end {
            at = match self.step(at, bytes.end, is_idle) {
                Some(next) => next,
                None => return false,
            };
        }
        at == bytes.end
    }

    /// Behind the text at an offset if it says no more than that a field is required, or behind the
    /// element there if it is one of those.
    fn step(&self, at: usize, end: usize, is_one: impl Fn(usize) -> bool) -> Option<usize> {
        let rest = self.html.get(at..end)?;
        if rest.starts_with('<') {
            let element = self.outline.at(at).filter(|element| is_one(*element))?;
            return self.outline.elements.get(element).map(|e| e.span().end);
        }
        let window = (0..=MAX_BYTES.min(rest.len())).rev();
        let window = window.into_iter().find_map(|length| rest.get(..length))?;
        let text = match window.split_once('<') {
            Some((text, _)) => text,
            None if window.len() == rest.len() => window,
            None => return None,
        };
        let is_idle = without_last_marker(decode_text(text).trim()).is_empty();
        is_idle.then_some(at + text.len())
    }

    /// Where the messages of faults end that stand behind a part of a field and are its own: with it alone
    /// in an element, or where messages stand behind their controls. Behind a row of its own one may be
    /// that of the form.
    fn end_of_messages(&self, part: &Range<usize>, described: &BTreeSet<String>) -> usize {
        let last = self.ends_at(part.end);
        let last = last.and_then(|last| self.outline.elements.get(last));
        let mut end = part.end;
        if last.is_some_and(|last| last.name.parts_text()) {
            return end;
        }
        loop {
            let rest = self.html.get(end..).unwrap_or_default();
            let next = end + (rest.len() - rest.trim_ascii_start().len());
            let message = self.outline.at(next);
            let message = message.filter(|message| self.is_message(*message, described));
            let message = message.filter(|message| self.is_behind_its_control(*message, part));
            match message.and_then(|message| self.outline.elements.get(message)) {
                Some(message) => end = message.span().end,
                None => return end,
            }
        }
    }

    /// Where the marks end that stand there, if their line ends behind them.
    fn end_of_marks(&self, start: usize) -> Option<usize> {
        let end = self.content_at(start).end;
        let is_mark = |element| {
            self.is_mark(element, |text| {
                !is_unseen(text) && without_last_marker(text).is_empty()
            })
        };
        let mut at = start;
        while let Some(next) = self.step(at, end, is_mark).filter(|next| *next > at) {
            at = next;
        }
        let next = self.outline.at(at);
        let next = next.and_then(|next| self.outline.elements.get(next));
        let ends_line = at == end || next.is_some_and(|next| next.name.parts_text());
        let marks = self.html.get(start..at)?.trim_ascii_end();
        ends_line.then_some(start + marks.len())
    }

    /// Where the marks begin that end there, if their line begins with them.
    fn start_of_marks(&self, end: usize) -> Option<usize> {
        let start = self.content_at(end).start;
        let least = start.max(end.saturating_sub(MAX_BYTES));
        let mut at = end;
        while at > start {
            let before = (least..at).find_map(|from| self.html.get(from..at))?;
            let text = before.rsplit('>').next().unwrap_or_default();
            if !text.is_empty() {
                let is_mark = without_last_marker(decode_text(text).trim()).is_empty();
                if !is_mark || text.len() == before.len() && least > start {
                    return None;
                }
                at -= text.len();
                continue;
            }
            let element = self.ends_at(at)?;
            let span = self.outline.elements.get(element)?;
            if span.name.parts_text() {
                break;
            }
            if !self.is_mark(element, |text| without_last_marker(text).is_empty()) {
                return None;
            }
            at = span.span().start;
        }
        let marks = self.html.get(at..end)?;
        Some(end - marks.trim_ascii_start().len()).filter(|start| *start < end)
    }

    /// An element that ends at an offset.
    fn ends_at(&self, offset: usize) -> Option<usize> {
        let last = self.outline.at_or_behind(offset).checked_sub(1);
        let last_byte = offset.checked_sub(1)?..offset;
        let around = self.outline.around(&last_byte).take(MAX_ENDS);
        let mut ends = last.into_iter().chain(around);
        ends.find(|index| {
            let element = self.outline.elements.get(*index);
            element.is_some_and(|element| element.span().end == offset)
        })
    }

    /// The content of the element around an offset.
    fn content_at(&self, offset: usize) -> Range<usize> {
        let around = self.outline.around(&(offset..offset)).find_map(|holder| {
            let content = self.outline.elements.get(holder)?.content();
            (content.start <= offset && offset <= content.end).then_some(content)
        });
        around.unwrap_or(0..self.html.len())
    }

    /// The elements that lay out a mark and nothing else, or the mark itself.
    pub(super) fn with_elements_of_mark(&self, mark: &Range<usize>) -> Range<usize> {
        let trimmed = |bytes: Range<usize>| {
            let text = self.html.get(bytes.clone()).unwrap_or_default();
            let start = bytes.start + (text.len() - text.trim_ascii_start().len());
            start..start + text.trim_ascii().len()
        };
        let mut whole = trimmed(mark.clone());
        for holder in self.outline.around(mark) {
            let Some(element) = self.outline.elements.get(holder) else {
                break;
            };
            let holds_more = trimmed(element.content()) != whole || whole.is_empty();
            if holds_more || !self.is_within_line(holder) {
                break;
            }
            whole = element.span();
        }
        match whole == trimmed(mark.clone()) {
            true => mark.clone(),
            false => whole,
        }
    }

    /// What the control of a field names by `aria-describedby`, of words alone, and no other element does.
    pub(super) fn described_by(
        &self,
        control: usize,
        described: &BTreeSet<String>,
    ) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        for name in DESCRIBING {
            let said = self.outline.value(control, name).unwrap_or_default();
            let ids = said.split_ascii_whitespace().take(MAX_IDS);
            for id in ids.filter(|id| !described.contains(*id)) {
                let element = self.outline.with_id(id);
                let element = element.filter(|element| self.is_text(*element));
                let element = element.and_then(|index| self.outline.elements.get(index));
                found.extend(element.map(Element::span));
            }
        }
        found
    }

    /// Whether an element is a text that is no field, and no longer than a message.
    fn is_text(&self, index: usize) -> bool {
        let Some(element) = self.outline.elements.get(index) else {
            return false;
        };
        let tag = self.outline.tag(index);
        element.span().len() <= MAX_BYTES
            && tag.is_some_and(|tag| plain::is_text(tag.name))
            && !matches!(element.name, Tag::Label | Tag::Legend | Tag::Td | Tag::Th)
            && self.offsets_in(&element.span()).is_empty()
            && self.is_all_text(&element.content())
    }

    /// Whether an element stands within a line, lays out what it holds, and has a text of that sort. An
    /// empty one is a mark if its class says so, and an icon else.
    fn is_mark(&self, index: usize, is_text: impl Fn(&str) -> bool) -> bool {
        let Some(element) = self.outline.elements.get(index) else {
            return false;
        };
        let is_drawn = || {
            let class = self.outline.value(index, "class").unwrap_or_default();
            let class = class.to_ascii_lowercase();
            MARK_CLASSES.iter().any(|word| class.contains(word))
        };
        element.span().len() <= MAX_BYTES
            && self.is_within_line(index)
            && self.is_all_plain(&element.content(), |at| {
                self.outline
                    .at(at)
                    .is_some_and(|index| self.is_within_line(index))
            })
            && {
                let text = self.outline.text_of(index);
                is_text(&text) || text.is_empty() && is_drawn()
            }
    }

    fn is_within_line(&self, index: usize) -> bool {
        let is_among = |names: &[&str], name: &str| {
            let mut names = names.iter();
            names.any(|known| known.eq_ignore_ascii_case(name))
        };
        self.outline.tag(index).is_some_and(|tag| {
            is_among(MARKS, tag.name)
                && tag.attributes.iter().all(|attribute| {
                    is_among(plain::ATTRIBUTES, attribute.name)
                        || is_among(MARK_ATTRIBUTES, attribute.name)
                })
        })
    }

    /// Whether an element is the message of a fault, which describes no control of others.
    fn is_message(&self, index: usize, described: &BTreeSet<String>) -> bool {
        let Some(element) = self.outline.elements.get(index) else {
            return false;
        };
        let value = |name| self.outline.value(index, name);
        let is_other =
            element.is_control() || matches!(element.name, Tag::Label | Tag::Fieldset | Tag::Form);
        let has_handler = || {
            let tag = self.outline.tag(index);
            tag.is_some_and(|tag| {
                let mut names = tag.attributes.iter().map(|a| a.name.to_ascii_lowercase());
                names.any(|name| name.starts_with("on"))
            })
        };
        element.span().len() <= MAX_BYTES
            && !is_other
            && value("class").is_some_and(|class| says_fault(&class))
            && self.offsets_in(&element.span()).is_empty()
            && self.is_all_plain(&element.content(), |_| false)
            && value("id").is_none_or(|id| !described.contains(&*id))
            && !has_handler()
    }

    /// Whether a message stands in an element with one field alone, or the first there is a control and the
    /// last a message: where messages stand before their controls, the one behind a control is that of the
    /// next.
    fn is_behind_its_control(&self, message: usize, part: &Range<usize>) -> bool {
        let around = self.outline.elements.get(message).and_then(Element::around);
        if around.is_some_and(|around| self.holds_nothing_beside(around, part)) {
            return true;
        }
        let within = match around {
            Some(around) => self.outline.within(around),
            None => 0..self.outline.elements.len(),
        };
        let says_fault = |index: usize| {
            let class = self.outline.value(index, "class");
            class.is_some_and(|class| says_fault(&class))
        };
        let is_one = |index: &usize| {
            (says_fault(*index) || self.is_answered(*index)) && self.block_around(*index) == around
        };
        let first = within.clone().take(MAX_ELEMENTS).find(is_one);
        let last = within.rev().take(MAX_ELEMENTS).find(is_one);
        first.is_some_and(|first| !says_fault(first)) && last.is_some_and(says_fault)
    }

    /// The element around another that is no part of its line.
    fn block_around(&self, index: usize) -> Option<usize> {
        let around = |index: &usize| self.outline.elements.get(*index)?.around();
        std::iter::successors(around(&index), around).find(|holder| {
            let element = self.outline.elements.get(*holder);
            element.is_some_and(|element| element.name.parts_text())
        })
    }

    /// Whether an element is a control that visitors answer.
    fn is_answered(&self, index: usize) -> bool {
        let kind = self.outline.value(index, "type").unwrap_or_default();
        let is_sent_only = ["button", "hidden", "image", "reset", "submit"]
            .iter()
            .any(|own| kind.eq_ignore_ascii_case(own));
        let element = self.outline.elements.get(index);
        element.is_some_and(|element| element.is_control() && element.name != Tag::Button)
            && !is_sent_only
    }

    /// The ids of what others than a field's controls and the elements around it alone refer to.
    pub(super) fn referred_by_others(&self, field: &Field) -> BTreeSet<String> {
        let offset = self.place.offset as usize;
        let own = match is_set(field) {
            true => self.set_of(field).map_or(1, |controls| controls.len()),
            false => 1,
        };
        let is_other = |(index, element): &(usize, &Element)| {
            let name = || self.outline.value(*index, "name").unwrap_or_default();
            match element.is_control() {
                true => element.span().start != offset && !is_named_so(&name(), field),
                false => {
                    let span = element.span();
                    !span.contains(&offset) || self.offsets_in(&span).len() > own
                }
            }
        };
        let elements = self.outline.elements.iter().enumerate();
        let mut ids = BTreeSet::new();
        for (index, _) in elements.filter(is_other) {
            for name in REFERRING {
                let said = self.outline.value(index, name).unwrap_or_default();
                let said = said.strip_prefix('#').unwrap_or(&said);
                ids.extend(said.split_ascii_whitespace().map(str::to_owned));
            }
        }
        ids
    }
}
