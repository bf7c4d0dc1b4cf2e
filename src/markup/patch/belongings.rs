//! What stands beside a field for it alone and is none of its texts: the mark of a required field, the
//! message of a fault, an icon, a line break.

use std::collections::BTreeSet;
use std::ops::Range;

use super::Patch;
use super::gone::Gone;
use super::outline::Element;
use super::plain;
use super::remove::is_named_so;
use crate::forms::Field;
use crate::markup::html::entities::decode_text;
use crate::markup::html::tag::Tag;
use crate::markup::html::text::is_unseen;
use crate::markup::markers::without_last_marker;
use crate::markup::read::says_fault;

/// The most bytes of a mark or message.
const MAX_BYTES: usize = 2_000;

/// How many elements are looked at for whether messages stand before their controls.
const MAX_ELEMENTS: usize = 64;

/// The elements that mark a required field or draw an icon.
const MARKS: &[&str] = &[
    "abbr", "b", "em", "font", "i", "small", "span", "strong", "sub", "sup", "u",
];

/// What such an element may say besides [`plain::ATTRIBUTES`].
const MARK_ATTRIBUTES: &[&str] = &["aria-hidden", "aria-label", "role", "style", "title"];

/// The words of classes that draw the mark of a required field.
const MARK_CLASSES: [&str; 3] = ["requi", "asterisk", "mandatory"];

impl Patch<'_> {
    /// Adds what belongs to the parts of a field that goes: what stands between them, the messages of
    /// faults behind them, and the marks behind them where their line ends.
    pub(super) fn take_belongings(&self, gone: &mut Gone, described: &BTreeSet<String>) {
        let mut own = Vec::new();
        for pair in gone.0.windows(2) {
            if let [one, other] = pair {
                own.push(one.end..other.start);
            }
        }
        own.retain(|between| self.is_idle(between, described));
        for part in &gone.0 {
            let end = self.end_of_messages(part.end, described);
            own.push(part.end..self.end_of_marks(end).unwrap_or(end));
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
        let text = rest.split('<').next().unwrap_or_default();
        let is_idle = text.len() <= MAX_BYTES || text.trim_ascii().is_empty();
        let decoded = decode_text(text);
        let is_idle = is_idle && without_last_marker(decoded.trim()).is_empty();
        is_idle.then_some(at + text.len())
    }

    /// Where the messages of faults end that stand there.
    fn end_of_messages(&self, start: usize, described: &BTreeSet<String>) -> usize {
        let mut end = start;
        loop {
            let rest = self.html.get(end..).unwrap_or_default();
            let next = end + (rest.len() - rest.trim_ascii_start().len());
            let message = self.outline.at(next);
            let message = message.filter(|message| self.is_message(*message, described));
            let message = message.filter(|message| !self.is_before_controls(*message));
            match message.and_then(|message| self.outline.elements.get(message)) {
                Some(message) => end = message.span().end,
                None => return end,
            }
        }
    }

    /// Where the marks end that stand there, if their line ends behind them.
    fn end_of_marks(&self, start: usize) -> Option<usize> {
        let end = self.content_end_at(start);
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

    /// Where the content ends of the element around an offset.
    fn content_end_at(&self, offset: usize) -> usize {
        let around = self.outline.around(&(offset..offset)).find_map(|holder| {
            let element = self.outline.elements.get(holder)?;
            let content = element.content();
            (content.start <= offset && offset <= content.end).then_some(content.end)
        });
        around.unwrap_or(self.html.len())
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

    /// Whether the messages of an element stand before their controls: then the one behind a control
    /// is that of the next.
    fn is_before_controls(&self, message: usize) -> bool {
        let around = self.outline.elements.get(message).and_then(Element::around);
        let within = match around {
            Some(around) => self.outline.within(around),
            None => 0..self.outline.elements.len(),
        };
        let says_fault = |index: usize| {
            let class = self.outline.value(index, "class");
            class.is_some_and(|class| says_fault(&class))
        };
        let mut within = within.take(MAX_ELEMENTS);
        let first = within.find(|index| {
            let element = self.outline.elements.get(*index);
            element.is_some_and(Element::is_control) || says_fault(*index)
        });
        first.is_some_and(says_fault)
    }

    /// The ids of what describes other controls than a field's.
    pub(super) fn described_by_others(&self, field: &Field) -> BTreeSet<String> {
        let is_other = |(index, element): &(usize, &Element)| {
            let name = || self.outline.value(*index, "name").unwrap_or_default();
            element.is_control()
                && element.span().start != self.place.offset as usize
                && !is_named_so(&name(), field)
        };
        let elements = self.outline.elements.iter().enumerate();
        let mut ids = BTreeSet::new();
        for (control, _) in elements.filter(is_other) {
            for name in ["aria-describedby", "aria-errormessage"] {
                let said = self.outline.value(control, name).unwrap_or_default();
                ids.extend(said.split_ascii_whitespace().map(str::to_owned));
            }
        }
        ids
    }
}
