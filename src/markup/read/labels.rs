//! What labels and describes a control, by every route that browsers and authors know.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::items::{Item, Items, Label};
use crate::markup::html::text::{TextRange, Texts, collapse};
use crate::markup::markers::{self, without_marker};

/// The labels of a document by what they point to.
pub(super) struct Labels<'a> {
    /// The first label for each id.
    by_target: BTreeMap<Cow<'a, str>, u32>,
}

impl<'a> Labels<'a> {
    pub(super) fn of(items: &Items<'a>) -> Labels<'a> {
        let mut by_target = BTreeMap::new();
        for (index, label) in items.labels.iter().enumerate() {
            if let Some(target) = &label.target {
                let index = super::items::index(index);
                by_target.entry(target.value()).or_insert(index);
            }
        }
        Labels { by_target }
    }

    /// The text that labels a control for everyone: a label around it, a label for its id, or
    /// the elements that `aria-labelledby` names.
    pub(super) fn shown(&self, items: &Items<'_>, item: &Item) -> String {
        let around = item.label.and_then(|label| text_of(items, label));
        around
            .or_else(|| {
                let id = items.attribute(item, "id")?.value();
                text_of(items, *self.by_target.get(id.as_ref())?)
            })
            .or_else(|| {
                referred(items, item, "aria-labelledby", |texts, range| {
                    texts.rendered(range)
                })
            })
            .unwrap_or_default()
    }

    /// A label beside a control that points nowhere: it stands between the item before and the
    /// control.
    pub(super) fn orphan(&self, items: &Items<'_>, item: &Item, after: u32) -> Option<String> {
        let end = items
            .labels
            .partition_point(|label| label.text.start < item.mark);
        let label = items.labels.get(..end)?.last()?;
        let is_orphan = !label.has_control
            && label.text.start >= after
            && label.text.end <= item.mark
            && !self.has_target(items, label);
        is_orphan
            .then(|| items.texts.rendered(label.text.clone()))
            .filter(|text| !text.is_empty())
    }

    fn has_target(&self, items: &Items<'_>, label: &Label<'_>) -> bool {
        label
            .target
            .is_some_and(|target| items.texts_by_id.contains_key(target.raw_value))
    }
}

fn text_of(items: &Items<'_>, label: u32) -> Option<String> {
    let label = items.labels.get(label as usize)?;
    Some(items.texts.rendered(label.text.clone())).filter(|text| !text.is_empty())
}

/// The text that describes an item: what `aria-describedby` names, or help beside it.
pub(super) fn description(items: &Items<'_>, item: &Item) -> String {
    referred(items, item, "aria-describedby", |texts, range| {
        texts.of_option(range)
    })
    .or_else(|| Some(items.texts.of_option(item.help.clone()?)))
    .unwrap_or_default()
}

/// The text of the elements that an attribute names by their ids.
fn referred(
    items: &Items<'_>,
    item: &Item,
    attribute: &str,
    read: impl Fn(&Texts<'_>, TextRange) -> String,
) -> Option<String> {
    let ids = items.attribute(item, attribute)?.value();
    let texts: Vec<String> = ids
        .split_ascii_whitespace()
        .filter(|id| !id.ends_with("--error"))
        .filter_map(|id| items.texts_by_id.get(id))
        .map(|range| read(&items.texts, range.clone()))
        .filter(|text| !text.is_empty())
        .collect();
    (!texts.is_empty()).then(|| texts.join(" "))
}

/// The text that is meant, from the text shown and the exact text beside it (see
/// [`markers`]): the exact one counts while both say the same. A control that has no label is
/// shown with a substitute.
pub(super) fn settle(
    shown: String,
    exact: Option<String>,
    substitute: &str,
    is_required: bool,
) -> String {
    match exact {
        Some(exact) if collapse(&exact).is_empty() && (shown == substitute || shown.is_empty()) => {
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
