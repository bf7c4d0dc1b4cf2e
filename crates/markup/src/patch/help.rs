//! Help text for a control that has none, and the element of one that is cleared.

use std::collections::BTreeSet;
use std::ops::Range;

use super::Patch;
use super::gone::Gone;
use super::mentions::names_any;
use crate::html::escape;
use crate::html::tag::Tag;
use crate::ids::ids;
use model::Field;

/// The most bytes of an element that goes with its help text, how many of them lie around each other,
/// and how many ids they have.
const MAX_BYTES: usize = 20_000;
const MAX_AROUND: usize = 8;
const MAX_IDS: usize = 8;

impl Patch<'_> {
    /// Writes help text behind a control and the label around or behind it. The control names it by
    /// `aria-describedby` if it names no other, and has an id or name that an id can be made of.
    pub(super) fn add_help(&mut self, control: usize, from: &Field, to: &Field) {
        if from.description == to.description {
            return;
        }
        let mut text = String::new();
        escape::text(&mut text, &to.description);
        let at = self.behind_label(control).end;
        match self.help_id(control, to) {
            Some(id) => {
                self.set(control, "aria-describedby", Some(&id));
                self.edits
                    .insert(at, format!(" <small id=\"{id}\">{text}</small>"));
            }
            None => self.edits.insert(at, format!(" <small>{text}</small>")),
        }
    }

    /// An id for the help text of a control, which nothing in the document has.
    fn help_id(&self, control: usize, field: &Field) -> Option<String> {
        if self.outline.value(control, "aria-describedby").is_some() {
            return None;
        }
        let own = self.outline.value(control, "id");
        let own = own.unwrap_or_else(|| field.name.as_str().into());
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let id = format!("{own}-help");
        (!own.is_empty() && own.bytes().all(is_plain) && !ids(self.html).contains(&id))
            .then_some(id)
    }

    /// The bytes of a control with the label around it alone, or else to the end of the text behind it
    /// that names it.
    fn behind_label(&self, control: usize) -> Range<usize> {
        let elements = &self.outline.elements;
        let Some(element) = elements.get(control) else {
            return 0..0;
        };
        let own = element.span();
        if let Some(label) = self.label_around(&own) {
            let label_at = self.outline.at(label.start);
            if label_at.is_some_and(|label| self.holds_only(label, &[control])) {
                return label;
            }
        }
        let texts = self.texts_at(&self.place.label, false);
        let behind = texts.last().filter(|text| text.start >= own.end);
        let Some(text) = behind.cloned() else {
            return own;
        };
        let label = self.label_around(&text).unwrap_or(text);
        let mut around = self.outline.around(&label);
        let parent = around.find(|holder| elements.get(*holder).is_some_and(|e| e.span() != label));
        match parent == element.around() {
            true => own.start..label.end,
            false => own,
        }
    }

    /// Takes the element of a help text away that holds nothing else, and what names it in
    /// `aria-describedby`. Whether it went: not if another field or anything else names its id.
    pub(super) fn take_help(&mut self, texts: &[Range<usize>], from: &Field) -> bool {
        let Some(whole) = self.element_of_help(texts) else {
            return false;
        };
        let first = self.outline.at_or_behind(whole.start);
        let within = first..self.outline.at_or_behind(whole.end);
        let own_ids = within.filter_map(|index| self.outline.value(index, "id"));
        let own_ids = own_ids.filter(|id| !id.is_empty()).take(MAX_IDS + 1);
        let own_ids: BTreeSet<String> = own_ids.map(std::borrow::Cow::into_owned).collect();
        let is_named = own_ids.len() > MAX_IDS
            || !own_ids.is_empty()
                && (!own_ids.is_disjoint(&self.referred_by_others(from))
                    || names_any(self.html, &own_ids));
        if is_named {
            return false;
        }
        if !own_ids.is_empty() {
            self.describe_no_more(&own_ids);
        }
        let mut gone = Gone::of(vec![whole]);
        self.take_line_breaks(&mut gone);
        for part in gone.0 {
            let part = self.with_space_before(part);
            self.edits.replace(part, String::new());
        }
        true
    }

    /// The bytes of the largest element that holds these texts and nothing else to see or to use.
    fn element_of_help(&self, texts: &[Range<usize>]) -> Option<Range<usize>> {
        let mut whole = texts.first()?.start..texts.last()?.end;
        let seen = self.outline.texts_in(&whole);
        if seen.len() > texts.len() {
            return None;
        }
        let mut found = None;
        for holder in self.outline.around(&whole.clone()).take(MAX_AROUND) {
            let Some(element) = self.outline.elements.get(holder) else {
                break;
            };
            let (span, content) = (element.span(), element.content());
            let goes = span.len() <= MAX_BYTES
                && !is_kept(element.name)
                && self.offsets_in(&span).is_empty()
                && self.is_all_text(&content)
                && self.outline.is_blank(&(content.start..whole.start))
                && self.outline.is_blank(&(whole.end..content.end));
            if !goes {
                break;
            }
            whole = span.clone();
            found = Some(span);
        }
        found
    }

    /// Takes ids out of what `aria-describedby` names.
    fn describe_no_more(&mut self, gone: &BTreeSet<String>) {
        const NAME: &str = "aria-describedby";
        for element in 0..self.outline.elements.len() {
            let Some(said) = self.outline.value(element, NAME) else {
                continue;
            };
            let ids = || said.split_ascii_whitespace();
            if ids().any(|id| gone.contains(id)) {
                let left: Vec<&str> = ids().filter(|id| !gone.contains(*id)).collect();
                let left = Some(left.join(" ")).filter(|left| !left.is_empty());
                self.set(element, NAME, left.as_deref());
            }
        }
    }

    /// Those bytes with the white space before them, where what follows stands apart without it.
    fn with_space_before(&self, bytes: Range<usize>) -> Range<usize> {
        let before = self.html.get(..bytes.start).unwrap_or_default();
        let behind = self.html.get(bytes.end..).unwrap_or_default();
        let next = self.outline.at(bytes.end);
        let next = next.and_then(|next| self.outline.elements.get(next));
        let is_apart = behind.is_empty()
            || behind.starts_with("</")
            || behind.starts_with(|c: char| c.is_ascii_whitespace())
            || next.is_some_and(|next| next.name.parts_text());
        match is_apart {
            true => before.trim_ascii_end().len()..bytes.end,
            false => bytes,
        }
    }
}

/// Whether an element stays when its text goes: what follows would be read or laid out otherwise.
const fn is_kept(name: Tag) -> bool {
    name.is_table_part()
        || matches!(
            name,
            Tag::Body
                | Tag::Dd
                | Tag::Dt
                | Tag::Fieldset
                | Tag::Form
                | Tag::Html
                | Tag::Label
                | Tag::Legend
                | Tag::Li
                | Tag::Td
                | Tag::Th
                | Tag::Tr
        )
}
