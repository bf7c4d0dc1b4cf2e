//! Finds labels and descriptions by the attributes and elements that HTML defines for them.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::iter::successors;

use super::MAX_MARKUP_BYTES;
use super::attributes::cut;
use super::items::{Item, ItemKind, Items, Label, Names, index, target_of};
use crate::html::text::{TextRange, collapse, is_unseen};
use crate::markers::{humanized, without_marker};
use model::check::MAX_TEXT_CHARS;
use model::label_texts::without_colon;
use model::links::with_safe_links;
use model::logic::input::field_name;

/// The maximum number of ids in one attribute of a control that are followed.
const MAX_REFERENCES: usize = 20;

/// The maximum number of labels of one control, and of labels that are searched for it.
const MAX_LABELS: usize = 20;

/// The maximum number of bytes that all references of a document read and repeat, because many may refer to one long
/// text.
const MAX_REFERRED_BYTES: usize = 2 * MAX_MARKUP_BYTES;

/// The text that labels or describes something, and its place among the texts.
#[derive(Clone, Debug, Default)]
pub(super) struct LabelText {
    pub(super) text: String,
    /// The place; empty if the text is not in the document, or comes from several elements.
    pub(super) place: TextRange,
}

impl LabelText {
    /// A text that is not among the texts of the document.
    pub(super) fn unplaced(text: Option<String>) -> Option<LabelText> {
        let text = text.filter(|text| !text.is_empty())?;
        Some(LabelText { text, place: 0..0 })
    }

    pub(super) fn without_colon(mut self) -> LabelText {
        let bare = without_colon(&self.text).len();
        self.text.truncate(bare);
        self
    }

    /// The text of a range, if it is visible.
    pub(super) fn of(items: &Items<'_>, place: TextRange) -> Option<LabelText> {
        let text = items.texts.rendered(place.clone());
        (!is_unseen(&text)).then_some(LabelText { text, place })
    }
}

/// The labels of a document by their targets.
#[derive(Default)]
pub(super) struct Labels<'a> {
    /// The first label for each id.
    by_target: Names<'a>,
    /// For each label, the next label for the same id.
    next: Vec<Option<u32>>,
    /// The offset of the first control whose name a label uses as an id, if no element has that id.
    by_name: Names<'a>,
    /// For each label, the offset of the control that it labels: the first control with its id.
    labelled: RefCell<Vec<Option<u32>>>,
    /// The used part of [`MAX_REFERRED_BYTES`].
    spent: Cell<usize>,
}

impl<'a> Labels<'a> {
    pub(super) fn of(items: &Items<'a>) -> Labels<'a> {
        let mut labels = Labels {
            labelled: vec![None; items.labels.len()].into(),
            next: vec![None; items.labels.len()],
            ..Labels::default()
        };
        // The reverse order leaves the first entry of each key in the maps.
        for (place, label) in items.labels.iter().enumerate().rev() {
            if let Some(target) = target_of(label.target) {
                let next = labels.by_target.insert(target, index(place));
                if let Some(known) = labels.next.get_mut(place) {
                    *known = next;
                }
            }
        }
        let is_control = |item: &&Item| matches!(item.kind, ItemKind::Control(_));
        for item in items.list.iter().filter(is_control).rev() {
            let name = items.name(item);
            let name = field_name(&name);
            if let Some((target, _)) = labels.by_target.get_key_value(&*name)
                && !items.ids.contains_key(&*name)
            {
                labels.by_name.insert(target.clone(), item.offset);
            }
        }
        labels
    }

    /// The visible label of a control: the labels around it and for its id, joined as browsers join them, or the
    /// elements that `aria-labelledby` names. If a label contains a button before the control, browsers label the
    /// button. Such a label counts only if there is no other.
    pub(super) fn shown(&self, items: &Items<'a>, item: &Item) -> LabelText {
        let around = item.label.of(&items.labels);
        let near = around.filter(|label| !label.has_button);
        let lies_in = |inner: &Label<'_>, outer: &Label<'_>| {
            outer.text.start <= inner.text.start && inner.text.end <= outer.text.end
        };
        let mut labels = self.labels_for(items, item);
        labels
            .retain(|label| near.is_none_or(|near| !lies_in(label, near) && !lies_in(near, label)));
        let place = labels
            .partition_point(|label| near.is_some_and(|near| label.text.start < near.text.start));
        labels.splice(place..place, near);
        self.joined(items, &labels)
            .or_else(|| self.joined(items, around.as_slice()))
            .or_else(|| self.referred(items, item, "aria-labelledby", false))
            .unwrap_or_default()
    }

    /// The text of the labels whose `for` has the control's name in place of its id, if no element has that id.
    pub(super) fn for_name(&self, items: &Items<'a>, item: &Item) -> Option<LabelText> {
        let name = items.name(item);
        let name = field_name(&name);
        let is_first = self.by_name.get(&*name) == Some(&item.offset);
        let first = self.by_target.get(&*name).filter(|_| is_first);
        self.joined(items, &self.chain(items, first.copied()))
    }

    /// The labels for a control's id, if the control is the first that has it.
    pub(super) fn labels_for<'i>(&self, items: &'i Items<'a>, item: &Item) -> Vec<&'i Label<'a>> {
        let id = items.value(item, "id").unwrap_or_default();
        let Some(first) = self.by_target.get(&id).copied() else {
            return Vec::new();
        };
        let mut labelled = self.labelled.borrow_mut();
        let Some(control) = labelled.get_mut(first as usize) else {
            return Vec::new();
        };
        let is_first = *control.get_or_insert(item.offset) == item.offset;
        self.chain(items, Some(first).filter(|_| is_first))
    }

    /// The labels for one id, beginning with the first.
    fn chain<'i>(&self, items: &'i Items<'a>, first: Option<u32>) -> Vec<&'i Label<'a>> {
        let next = |label: &u32| *self.next.get(*label as usize)?;
        let all = successors(first, next).take(MAX_LABELS);
        all.filter_map(|label| items.labels.get(label as usize))
            .collect()
    }

    /// Joins the distinct texts of labels. Error messages count only if there is no other label. The place is set if
    /// there is only one text.
    fn joined(&self, items: &Items<'a>, labels: &[&Label<'_>]) -> Option<LabelText> {
        let of = |is_error: bool| {
            let labels = labels.iter().filter(move |one| one.is_error == is_error);
            labels.filter_map(|label| LabelText::of(items, label.text.clone()))
        };
        let mut found: Vec<LabelText> = Vec::new();
        for text in of(false) {
            if found.iter().all(|known| known.text != text.text) {
                found.push(text);
            }
        }
        if found.len() < 2 {
            return found.pop().or_else(|| of(true).next());
        }
        let texts: Vec<&str> = found.iter().map(|label| label.text.as_str()).collect();
        LabelText::unplaced(Some(texts.join(" ")))
    }

    /// The label in the block that contains only this control, if there is only one label and it refers to no control.
    pub(super) fn alone(&self, items: &Items<'a>, item: &Item) -> Option<LabelText> {
        let block = item.label_from..item.label_to;
        let first = items.labels.partition_point(|l| l.text.start < block.start);
        let labels = items.labels.iter().skip(first).take(MAX_LABELS);
        let labels = labels.take_while(|label| label.text.end <= block.end);
        let is_one = |label: &&Label<'_>| {
            !label.is_error && !self.is_for_another(items, label) && !label.text.is_empty()
        };
        let mut found = labels.filter(is_one);
        let only = found.next().filter(|_| found.next().is_none())?;
        Some(LabelText::of(items, only.text.clone())?.without_colon())
    }

    /// The text after a box, up to the first label of another control.
    pub(super) fn text_after(&self, items: &Items<'a>, item: &Item) -> TextRange {
        let range = items.texts.after(item.mark);
        let first = items.labels.partition_point(|l| l.text.start < range.start);
        let labels = items.labels.iter().skip(first);
        let mut labels = labels.take_while(|label| label.text.start < range.end);
        let other = labels.find(|label| self.is_for_another(items, label));
        range.start..other.map_or(range.end, |label| label.text.start)
    }

    /// Whether a text belongs to a label without a control.
    pub(super) fn is_for_nothing(&self, items: &Items<'a>, text: &TextRange) -> bool {
        let next = items.labels.partition_point(|l| l.text.start < text.end);
        let label = next.checked_sub(1).and_then(|last| items.labels.get(last));
        label.is_some_and(|l| text.start < l.text.end && !self.is_for_another(items, l))
    }

    /// Whether a label is for a control or another element.
    fn is_for_another(&self, items: &Items<'_>, label: &Label<'_>) -> bool {
        let is_known =
            |id: Cow<'_, str>| items.ids.contains_key(&id) || self.by_name.contains_key(&id);
        label.has_control || target_of(label.target).is_some_and(is_known)
    }

    /// The text that describes an item: the elements in `aria-describedby`, or a help text next to it that describes no
    /// other item.
    pub(super) fn description(&self, items: &Items<'a>, item: &Item) -> LabelText {
        let beside = || {
            let place = items.helps.get(item.offset)?;
            let is_free = !place.is_empty() && !items.texts.is_claimed(place.start);
            is_free.then(|| LabelText {
                text: items.texts.of_option(place.clone()),
                place,
            })
        };
        self.referred(items, item, "aria-describedby", true)
            .or_else(beside)
            .unwrap_or_default()
    }

    /// Whether references would repeat too much text.
    pub(super) const fn is_spent(&self) -> bool {
        self.spent.get() >= MAX_REFERRED_BYTES
    }

    /// The text of the elements that an attribute names by their ids.
    fn referred(
        &self,
        items: &Items<'a>,
        item: &Item,
        attribute: &str,
        with_choices: bool,
    ) -> Option<LabelText> {
        let ids = items.value(item, attribute)?;
        let mut followed: Vec<&str> = Vec::new();
        let mut found = LabelText::default();
        for id in ids.split_ascii_whitespace() {
            let limit = MAX_TEXT_CHARS * size_of::<char>();
            if followed.len() >= MAX_REFERENCES || found.text.len() > limit {
                break;
            }
            if id.ends_with("--error") || followed.contains(&id) {
                continue;
            }
            followed.push(id);
            let place = items.ids.get(id).map(|place| *place as usize);
            let Some(range) = place.and_then(|place| items.texts_of_ids.get(place)) else {
                continue;
            };
            if self.is_spent() {
                break;
            }
            items.texts.claim(range);
            let (text, work) = items.texts.collapsed(range.clone(), with_choices, limit);
            self.spent.set(self.spent.get() + work + text.len());
            let is_first = followed.len() == 1;
            found.place = if is_first { range.clone() } else { 0..0 };
            if !found.text.is_empty() && !text.is_empty() {
                found.text.push(' ');
            }
            found.text.push_str(&cut(text));
        }
        (!found.text.is_empty()).then_some(found)
    }
}

/// Whether the exact text of a consent equals the shown text, links included.
pub(super) fn is_same_text(exact: &str, shown: &str, is_required: bool) -> bool {
    let exact = collapse(exact);
    without_marker(&with_safe_links(&exact), is_required) == shown
}

/// The intended text, from the shown text and the exact text in an attribute (see [`crate::markers`]). The exact text
/// counts as long as it matches the shown text, which an author may have edited. A control without a label shows its
/// humanized name.
pub(super) fn settle(
    shown: String,
    exact: Option<String>,
    name: Option<&str>,
    is_required: bool,
) -> String {
    let substitute = || name.map(humanized).unwrap_or_default();
    let is_substitute = |shown: &str| shown == without_marker(&substitute(), is_required);
    let is_meant = |exact: &String| {
        (is_unseen(exact) && (shown.is_empty() || is_substitute(&shown)))
            || without_marker(&collapse(exact), is_required) == shown
    };
    let exact = exact.filter(is_meant);
    exact.unwrap_or(shown)
}
