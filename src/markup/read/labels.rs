//! What labels and describes a control, by every route that browsers and authors know.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use super::MAX_MARKUP_BYTES;
use super::attributes::cut;
use super::firsts::Firsts;
use super::items::{Item, Items, Label};
use crate::forms::check::MAX_TEXT_CHARS;
use crate::markup::html::text::{TextRange, collapse};
use crate::markup::markers::{self, without_marker};

/// How many labels around a control are looked beyond.
const MAX_LABELS_AROUND: usize = 4;

/// The most ids that one attribute of a control is followed to.
const MAX_REFERENCES: usize = 20;

/// The most bytes that all references of a document read and repeat: each may name a long text
/// that others name too.
const MAX_REFERRED_BYTES: usize = 2 * MAX_MARKUP_BYTES;

/// The labels of a document by what they point to.
pub(super) struct Labels<'a> {
    /// The first label for each id.
    by_target: Firsts<'a, u32>,
    /// The texts that some `aria-describedby` names, by where they begin and end.
    described: OnceCell<BTreeSet<(u32, u32)>>,
    /// The texts that references named, by where they begin and end and whether with options.
    referred: RefCell<BTreeMap<(u32, u32, bool), String>>,
    /// How many of [`MAX_REFERRED_BYTES`] are spent.
    spent: Cell<usize>,
}

impl<'a> Labels<'a> {
    pub(super) fn of(items: &Items<'a>) -> Labels<'a> {
        let mut by_target = Firsts::default();
        for (index, label) in items.labels.iter().enumerate() {
            if let Some(target) = &label.target {
                let index = super::items::index(index);
                by_target.add(target.value(), index);
            }
        }
        by_target.sort();
        Labels {
            by_target,
            described: OnceCell::new(),
            referred: RefCell::default(),
            spent: Cell::new(0),
        }
    }

    /// The text that labels a control for everyone: a label around it, a label for its id, or
    /// the elements that `aria-labelledby` names.
    pub(super) fn shown(&self, items: &Items<'_>, item: &Item) -> String {
        let around = item.label.and_then(|label| text_of(items, label));
        around
            .or_else(|| {
                let id = items.attribute(item, "id")?.value();
                text_of(items, *self.by_target.get(&id)?)
            })
            .or_else(|| self.referred(items, item, "aria-labelledby", false))
            .unwrap_or_default()
    }

    /// A label beside a control that points nowhere: it stands between the item before and the
    /// control.
    pub(super) fn orphan(&self, items: &Items<'_>, item: &Item, after: u32) -> Option<String> {
        let end = items
            .labels
            .partition_point(|label| label.text.start < item.mark);
        let before = items.labels.get(..end)?.iter().rev();
        let label = before
            .take(MAX_LABELS_AROUND)
            .find(|label| label.text.end <= item.mark)?;
        let is_orphan =
            !label.has_control && label.text.start >= after && !self.has_target(items, label);
        is_orphan
            .then(|| items.texts.rendered(label.text.clone()))
            .filter(|text| !text.is_empty())
    }

    /// The text that describes an item: what `aria-describedby` names, or help beside it that
    /// describes no other.
    pub(super) fn description(&self, items: &Items<'_>, item: &Item) -> String {
        self.referred(items, item, "aria-describedby", true)
            .or_else(|| {
                let help = item.help.clone()?;
                let described = self.described.get_or_init(|| {
                    referred_ids(items)
                        .into_iter()
                        .filter_map(|id| items.texts_by_id.get(id))
                        .map(|text| (text.start, text.end))
                        .collect()
                });
                let is_free = !described.contains(&(help.start, help.end));
                is_free.then(|| items.texts.of_option(help))
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
        items: &Items<'_>,
        item: &Item,
        attribute: &str,
        with_choices: bool,
    ) -> Option<String> {
        let ids = items.attribute(item, attribute)?.value();
        let mut followed: Vec<&str> = Vec::new();
        let mut joined = String::new();
        for id in ids.split_ascii_whitespace() {
            if followed.len() >= MAX_REFERENCES || joined.len() >= MAX_TEXT_CHARS {
                break;
            }
            if id.ends_with("--error") || followed.contains(&id) {
                continue;
            }
            followed.push(id);
            if let Some(range) = items.texts_by_id.get(id) {
                self.add_referred(items, range, with_choices, &mut joined);
            }
        }
        Some(joined).filter(|text| !text.is_empty())
    }

    /// Adds a text that a reference names. It is read once, however many name it.
    fn add_referred(
        &self,
        items: &Items<'_>,
        range: &TextRange,
        with_choices: bool,
        joined: &mut String,
    ) {
        if self.is_spent() {
            return;
        }
        let mut known = self.referred.borrow_mut();
        let text = known
            .entry((range.start, range.end, with_choices))
            .or_insert_with(|| {
                let most = MAX_TEXT_CHARS * size_of::<char>();
                let (text, work) = items.texts.beginning(range.clone(), with_choices, most);
                self.spent.set(self.spent.get() + work);
                cut(text)
            });
        self.spent.set(self.spent.get() + text.len());
        if !joined.is_empty() && !text.is_empty() {
            joined.push(' ');
        }
        joined.push_str(text);
    }

    fn has_target(&self, items: &Items<'_>, label: &Label<'_>) -> bool {
        label
            .target
            .is_some_and(|target| items.texts_by_id.get(target.raw_value).is_some())
    }
}

fn text_of(items: &Items<'_>, label: u32) -> Option<String> {
    let label = items.labels.get(label as usize)?;
    Some(items.texts.rendered(label.text.clone())).filter(|text| !text.is_empty())
}

/// The ids that some control is described by.
pub(super) fn referred_ids<'a>(items: &Items<'a>) -> BTreeSet<&'a str> {
    items
        .attributes
        .iter()
        .filter(|attribute| attribute.name.eq_ignore_ascii_case("aria-describedby"))
        .flat_map(|attribute| attribute.raw_value.split_ascii_whitespace())
        .collect()
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
            if collapse(&exact).is_empty()
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
