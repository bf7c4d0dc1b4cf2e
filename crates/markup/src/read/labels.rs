//! What labels and describes a control, by every route that browsers and authors know.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use super::MAX_MARKUP_BYTES;
use super::attributes::cut;
use super::items::{Item, Items, Label, Link};
use crate::html::text::{TextRange, collapse, is_unseen};
use crate::markers::{self, COLONS, without_marker};
use model::check::MAX_TEXT_CHARS;
use model::ordered::Gather;

/// How many labels around a control are looked beyond.
const MAX_LABELS_AROUND: usize = 4;

/// The most ids that one attribute of a control is followed to.
const MAX_REFERENCES: usize = 20;

/// The most bytes that all references of a document read and repeat: each may name a long text
/// that others name too.
const MAX_REFERRED_BYTES: usize = 2 * MAX_MARKUP_BYTES;

/// How many bytes a text takes at most that is read again for each reference to it.
const MAX_READ_AGAIN: usize = 256;

/// The text that labels or describes something, and where it stands among the texts.
#[derive(Clone, Debug, Default)]
pub(super) struct LabelText {
    pub(super) text: String,
    /// Empty where the text is no part of the document's, or of several elements.
    pub(super) place: TextRange,
}

impl LabelText {
    /// A text that stands elsewhere than among the texts.
    pub(super) fn unplaced(text: Option<String>) -> Option<LabelText> {
        let text = text.filter(|text| !text.is_empty())?;
        Some(LabelText { text, place: 0..0 })
    }

    pub(super) fn without_colon(mut self) -> LabelText {
        let bare = self.text.trim_end_matches(COLONS).trim_end().len();
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
pub(super) struct Labels<'a> {
    /// The first label for each id.
    by_target: BTreeMap<Cow<'a, str>, u32>,
    /// For each label, where the control begins that it names by its id: the first of that id.
    named: RefCell<Vec<Link>>,
    /// The texts that some `aria-describedby` names, by where they begin and end.
    described: OnceCell<BTreeSet<(u32, u32)>>,
    /// The long texts that references named, by where they begin and end and whether with options.
    referred: RefCell<BTreeMap<(u32, u32, bool), String>>,
    /// How many of [`MAX_REFERRED_BYTES`] are spent.
    spent: Cell<usize>,
}

impl<'a> Labels<'a> {
    pub(super) fn of(items: &Items<'a>) -> Labels<'a> {
        let mut by_target = BTreeMap::new();
        for (index, label) in items.labels.iter().enumerate() {
            if let Some(target) = items.target(label) {
                let place = super::items::index(index);
                by_target.entry(target).or_insert(place);
            }
        }
        Labels {
            by_target,
            named: RefCell::new(vec![Link::NONE; items.labels.len()]),
            described: OnceCell::new(),
            referred: RefCell::default(),
            spent: Cell::new(0),
        }
    }

    /// The text that labels a control for everyone: a label around it, a label for its id, or
    /// the elements that `aria-labelledby` names. A label around a button and then the control is the
    /// button's in browsers, so one for the control's id comes before it.
    pub(super) fn shown(&self, items: &Items<'a>, item: &Item) -> LabelText {
        let around = item.label.get();
        let is_of_button = |label| {
            items
                .labels
                .get(label as usize)
                .is_some_and(|l| l.has_button)
        };
        let (first, second) = if around.is_some_and(is_of_button) {
            (self.naming(items, item), around)
        } else {
            (around, None)
        };
        first
            .and_then(|label| text_of_label(items, label))
            .or_else(|| text_of_label(items, second.or_else(|| self.naming(items, item))?))
            .or_else(|| self.referred(items, item, "aria-labelledby", false))
            .unwrap_or_default()
    }

    /// The label for a control's id, unless it names another control of that id.
    fn naming(&self, items: &Items<'a>, item: &Item) -> Option<u32> {
        let id = items.attribute(item, "id")?.value();
        let label = self.labelling(&id)?;
        let mut named = self.named.borrow_mut();
        let first = named.get_mut(label as usize)?;
        if *first == Link::NONE {
            *first = Link::from(Some(item.offset));
        }
        (first.get() == Some(item.offset)).then_some(label)
    }

    /// Whether there is a label for a control's id.
    pub(super) fn is_named(&self, items: &Items<'a>, item: &Item) -> bool {
        let id = items.attribute(item, "id");
        id.is_some_and(|id| self.labelling(&id.value()).is_some())
    }

    /// The first label for an id.
    fn labelling(&self, id: &str) -> Option<u32> {
        self.by_target.get(id).copied()
    }

    /// Whether a label belongs to a control, so that it names no other.
    fn is_owned(&self, items: &Items<'a>, index: usize, label: &Label<'a>) -> bool {
        let is_first = || {
            let first = self.labelling(&items.target(label)?)?;
            Some(first as usize == index && self.has_target(items, label))
        };
        label.has_control || is_first().unwrap_or(false)
    }

    /// The text of a range before the first label in it that belongs to a control.
    pub(super) fn free_before(&self, items: &Items<'a>, range: TextRange) -> TextRange {
        let first = items.labels.partition_point(|l| l.text.start < range.start);
        let labels = items.labels.iter().enumerate().skip(first);
        let end = labels
            .take_while(|(_, label)| label.text.start < range.end)
            .find(|(index, label)| self.is_owned(items, *index, label))
            .map_or(range.end, |(_, label)| label.text.start);
        range.start..end
    }

    /// The text of a range behind the last label in it that has named a control. One that names a
    /// control still to come may speak for a row of them.
    pub(super) fn free_behind(&self, items: &Items<'a>, range: TextRange) -> TextRange {
        let end = items.labels.partition_point(|l| l.text.start < range.end);
        let start = items.labels.partition_point(|l| l.text.start < range.start);
        // A label may begin before the range and end in it.
        let first = start.saturating_sub(MAX_LABELS_AROUND);
        let labels = items.labels.iter().enumerate().take(end).skip(first).rev();
        let start = labels
            .filter(|(_, label)| label.text.end > range.start)
            .find(|(index, label)| {
                label.has_control
                    || self
                        .named
                        .borrow()
                        .get(*index)
                        .is_some_and(|first| *first != Link::NONE)
            })
            .map_or(range.start, |(_, label)| label.text.end);
        start.min(range.end)..range.end
    }

    /// A label beside a control that points nowhere: it stands between the item before and the
    /// control.
    pub(super) fn orphan(&self, items: &Items<'a>, item: &Item, after: u32) -> Option<LabelText> {
        let end = items
            .labels
            .partition_point(|label| label.text.start < item.mark);
        let before = items.labels.get(..end)?.iter().rev();
        let label = before
            .take(MAX_LABELS_AROUND)
            .find(|label| label.text.end <= item.mark)?;
        let is_orphan =
            !label.has_control && label.text.start >= after && !self.has_target(items, label);
        // A text that is looked at counts as read, so that nobody would be told of its loss.
        is_orphan
            .then(|| LabelText::of(items, label.text.clone()))
            .flatten()
    }

    /// The text that describes an item: what `aria-describedby` names, or help beside it that
    /// describes no other.
    pub(super) fn description(&self, items: &Items<'a>, item: &Item) -> LabelText {
        self.referred(items, item, "aria-describedby", true)
            .or_else(|| {
                let help = Some(items.help_of(item)).filter(|help| !help.is_empty())?;
                let described = self.described.get_or_init(|| described(items));
                let is_free = !described.contains(&(help.start, help.end));
                is_free.then(|| LabelText {
                    text: items.texts.of_option(help.clone()),
                    place: help,
                })
            })
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
        let ids = items.attribute(item, attribute)?.value();
        let mut followed = [""; MAX_REFERENCES];
        let mut count = 0;
        let mut joined = String::new();
        let mut place = 0..0;
        for id in ids.split_ascii_whitespace() {
            let Some(next) = followed.get_mut(count) else {
                break;
            };
            if joined.len() >= MAX_TEXT_CHARS {
                break;
            }
            *next = id;
            let is_known = followed.iter().take(count).any(|known| *known == id);
            if id.ends_with("--error") || is_known {
                continue;
            }
            count += 1;
            if let Some(range) = items.text_of_id(id) {
                place = match count {
                    1 => range.clone(),
                    _ => 0..0,
                };
                self.add_referred(items, &range, with_choices, &mut joined);
            }
        }
        (!joined.is_empty()).then_some(LabelText {
            text: joined,
            place,
        })
    }

    /// Adds a text that a reference names. A long one is read once, however many name it.
    fn add_referred(
        &self,
        items: &Items<'a>,
        range: &TextRange,
        with_choices: bool,
        joined: &mut String,
    ) {
        if self.is_spent() {
            return;
        }
        let key = (range.start, range.end, with_choices);
        let known = self.referred.borrow().get(&key).cloned();
        let text = known.unwrap_or_else(|| {
            let most = MAX_TEXT_CHARS * size_of::<char>();
            let (text, work) = items.texts.beginning(range.clone(), with_choices, most);
            self.spent.set(self.spent.get() + work);
            let text = cut(text);
            if work > MAX_READ_AGAIN {
                self.referred.borrow_mut().insert(key, text.clone());
            }
            text
        });
        self.spent.set(self.spent.get() + text.len());
        if joined.is_empty() {
            *joined = text;
        } else if !text.is_empty() {
            joined.push(' ');
            joined.push_str(&text);
        }
    }

    fn has_target(&self, items: &Items<'a>, label: &Label<'a>) -> bool {
        let target = items.target(label);
        target.is_some_and(|target| items.text_of_id(&target).is_some())
    }
}

fn text_of_label(items: &Items<'_>, label: u32) -> Option<LabelText> {
    let label = items.labels.get(label as usize)?;
    LabelText::of(items, label.text.clone())
}

/// The texts that some `aria-describedby` names.
fn described(items: &Items<'_>) -> BTreeSet<(u32, u32)> {
    let lists = items.described_by.iter();
    let ids = lists.flat_map(|ids| ids.split_ascii_whitespace());
    let texts = ids.filter_map(|id| items.text_of_id(id));
    texts.map(|text| (text.start, text.end)).gather()
}

/// The ids in lists of them.
pub(super) fn ids_in<'a: 'b, 'b>(lists: impl Iterator<Item = &'b &'a str>) -> BTreeSet<&'a str> {
    lists.flat_map(|ids| ids.split_ascii_whitespace()).gather()
}

/// The text that is meant, from the text shown and the exact text beside it (see
/// [`markers`]): the exact one counts while both say the same. A control that has no label is
/// shown with a substitute, which is made when it is needed.
pub(super) fn settle(
    shown: String,
    exact: Option<String>,
    substitute: impl FnOnce() -> String,
    is_required: bool,
) -> String {
    match exact {
        Some(exact)
            if is_unseen(&exact)
                && (shown.is_empty() || shown == without_marker(&substitute(), is_required)) =>
        {
            exact
        }
        Some(exact) if without_marker(&collapse(&exact), is_required) == shown => exact,
        _ => shown,
    }
}

/// What a control without a label is shown with.
pub(super) fn substitute(name: &str) -> String {
    markers::humanized(name)
}
