//! What labels and describes a control by the attributes and elements that are made for it.

use std::cell::{Cell, RefCell};

use super::MAX_MARKUP_BYTES;
use super::attributes::cut;
use super::items::{Item, Items, Label, Names, target_of};
use crate::html::text::{TextRange, collapse, is_unseen};
use crate::markers::{COLONS, without_marker};
use model::check::MAX_TEXT_CHARS;

/// The most ids that one attribute of a control is followed to.
const MAX_REFERENCES: usize = 20;

/// The most bytes that all references of a document read and repeat: each may name a long text
/// that others name too.
const MAX_REFERRED_BYTES: usize = 2 * MAX_MARKUP_BYTES;

/// The text that labels or describes something, and where it stands among the texts.
#[derive(Clone, Debug, Default)]
pub(super) struct LabelText {
    pub(super) text: String,
    /// Empty where the text is no part of the document's, or of several elements.
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

    /// The text of a place, if there is any.
    pub(super) fn of(items: &Items<'_>, place: TextRange) -> Option<LabelText> {
        let text = items.texts.rendered(place.clone());
        (!is_unseen(&text)).then_some(LabelText { text, place })
    }
}

/// The labels of a document by what they point to.
#[derive(Default)]
pub(super) struct Labels<'a> {
    /// The first label for each id.
    by_target: Names<'a>,
    /// Where the control begins that each label is for: the first one of its id.
    labelled: RefCell<Vec<Option<u32>>>,
    /// How many of [`MAX_REFERRED_BYTES`] are spent.
    spent: Cell<usize>,
}

impl<'a> Labels<'a> {
    pub(super) fn of(items: &Items<'a>) -> Labels<'a> {
        let mut labels = Labels {
            labelled: vec![None; items.labels.len()].into(),
            ..Labels::default()
        };
        for (index, label) in (0..).zip(&items.labels) {
            if let Some(target) = target_of(label.target) {
                labels.by_target.entry(target).or_insert(index);
            }
        }
        labels
    }

    /// The text that labels a control for everyone: a label around it, a label for its id, or
    /// the elements that `aria-labelledby` names. A label around a button and then the control is the
    /// button's in browsers, so one for the control's id comes before it.
    pub(super) fn shown(&self, items: &Items<'a>, item: &Item) -> LabelText {
        let text_of = |label: &Label<'_>| LabelText::of(items, label.text.clone());
        let around = item.label.of(&items.labels);
        let own = around.filter(|label| !label.has_button);
        own.and_then(text_of)
            .or_else(|| text_of(self.label_for(items, item)?))
            .or_else(|| text_of(around?))
            .or_else(|| self.referred(items, item, "aria-labelledby", false))
            .unwrap_or_default()
    }

    /// The label for a control's id, if the control is the first that has it.
    fn label_for<'i>(&self, items: &'i Items<'a>, item: &Item) -> Option<&'i Label<'a>> {
        let id = items.value(item, "id")?;
        let label = *self.by_target.get(&id)? as usize;
        let mut labelled = self.labelled.borrow_mut();
        let first = labelled.get_mut(label)?.get_or_insert(item.offset);
        items.labels.get(label).filter(|_| *first == item.offset)
    }

    /// The text behind a box, up to the first label in it that belongs to another control.
    pub(super) fn text_after(&self, items: &Items<'a>, item: &Item) -> TextRange {
        let range = items.texts.after(item.mark);
        let first = items.labels.partition_point(|l| l.text.start < range.start);
        let labels = items.labels.iter().skip(first);
        let mut labels = labels.take_while(|label| label.text.start < range.end);
        let other = labels.find(|label| is_for_another(items, label));
        range.start..other.map_or(range.end, |label| label.text.start)
    }

    /// Whether a text is that of a label which points nowhere.
    pub(super) fn is_for_nothing(&self, items: &Items<'a>, text: &TextRange) -> bool {
        let next = items.labels.partition_point(|l| l.text.start < text.end);
        let label = next.checked_sub(1).and_then(|last| items.labels.get(last));
        label.is_some_and(|l| text.start < l.text.end && !is_for_another(items, l))
    }

    /// The text that describes an item: what `aria-describedby` names, or help beside it that
    /// describes no other.
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

    /// Whether references named more text than is repeated.
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
            if followed.len() >= MAX_REFERENCES || found.text.len() >= MAX_TEXT_CHARS {
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
            let most = MAX_TEXT_CHARS * size_of::<char>();
            items.texts.claim(range);
            let (text, work) = items.texts.collapsed(range.clone(), with_choices, most);
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

/// A text without the colon that ends it before a control.
pub(super) fn without_colon(text: &str) -> &str {
    text.trim_end_matches(COLONS).trim_end()
}

/// Whether a label is for a control, or for another element.
fn is_for_another(items: &Items<'_>, label: &Label<'_>) -> bool {
    let target = target_of(label.target);
    label.has_control || target.is_some_and(|id| items.ids.contains_key(&id))
}

/// The text that is meant, from the text shown and the exact text beside it (see
/// [`crate::markers`]): the exact one counts while both say the same. A control that has no label is
/// shown with a substitute, which is made when it is needed.
pub(super) fn settle(
    shown: String,
    exact: Option<String>,
    substitute: impl FnOnce() -> String,
    is_required: bool,
) -> String {
    let is_substitute = |shown: &str| shown == without_marker(&substitute(), is_required);
    let is_meant = |exact: &String| {
        (is_unseen(exact) && (shown.is_empty() || is_substitute(&shown)))
            || without_marker(&collapse(exact), is_required) == shown
    };
    let exact = exact.filter(is_meant);
    exact.unwrap_or(shown)
}
