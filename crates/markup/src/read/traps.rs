//! Recognizes the spam traps of other systems: controls that only bots fill in. Traps do not become fields. A control
//! is a trap if its form or a mark on it declares the trap. An empty, optional control is a trap if a form service
//! defines its name. Others must be hidden, out of the tab order or called a trap by a class; in addition, the class,
//! the name or a text must show that people should leave them empty.

use super::items::{Hidden, Item, ItemKind, Items};
use super::labels::Labels;
use crate::html::text::TextRange;
use crate::markers;
use crate::warnings::{WarningCode, Warnings};
use model::check::is_name;
use model::{FieldType, spam_traps};

/// The maximum number of traps of a form.
const MAX_TRAPS: usize = 20;

/// The longest text that may ask people to leave a control empty, in bytes.
const MAX_TEXT_BYTES: usize = 500;

/// The spam traps of a document.
#[derive(Debug, Default)]
pub(crate) struct Traps {
    /// The distinct names.
    pub(crate) names: Vec<String>,
    /// The offsets of the controls.
    pub(crate) controls: Vec<u32>,
    /// The offsets of the elements to hide from people.
    pub(crate) hidden: Vec<u32>,
}

/// Takes the traps and their texts out of the items, and reports them. Other controls that only a style hides are
/// reported too.
pub(super) fn take(items: &mut Items<'_>, warnings: &mut Warnings) -> Traps {
    let mut traps = Traps::default();
    let places = 0..items.list.len();
    let may_be = |at: &usize| {
        let item = items.list.get(*at);
        item.is_some_and(|item| items.is_declared(item) || items.may_be_trap(item))
    };
    let candidates: Vec<usize> = places.filter(may_be).collect();
    let found = if candidates.is_empty() {
        Vec::new()
    } else {
        items.traps_among(&candidates)
    };
    for (at, trap_labels) in found {
        let Some(item) = items.list.get_mut(at) else {
            continue;
        };
        let is_seen = item.kind.is_used();
        item.kind = ItemKind::Nothing;
        let offset = item.offset;
        let name = items.list.get(at).map(|item| items.name(item).into_owned());
        let name = name.unwrap_or_default();
        let message = format!("`{name}` is a spam trap: filling it in counts as spam.");
        warnings.add(WarningCode::SpamTrap, offset as usize, message);
        if !traps.names.contains(&name) {
            traps.names.push(name);
        }
        if is_seen {
            traps.controls.push(offset);
            traps.hidden.push(offset);
        }
        for (label, text) in trap_labels {
            traps.hidden.push(label);
            items.texts.hide(text);
        }
    }
    let hidden = std::mem::take(&mut items.hidden);
    let is_of_interest = |hidden: &Hidden| hidden.is_by_style || !traps.controls.is_empty();
    let hidden: Vec<Hidden> = hidden.into_iter().filter(is_of_interest).collect();
    for hidden in hidden {
        let within = items.list.get_mut(hidden.items).unwrap_or_default();
        let is_trap = |item: &Item| traps.controls.contains(&item.offset);
        if within.iter().any(|item| item.kind.is_used()) {
            if hidden.is_by_style {
                let message = "The form's page ignores inline styles: hide the control with `hidden` or `data-show-if`.";
                warnings.add(WarningCode::NotHidden, hidden.offset as usize, message);
            }
        } else if within.iter().any(is_trap) {
            for item in within {
                item.kind = ItemKind::Nothing;
            }
            traps.hidden.push(hidden.offset);
            items.texts.hide(hidden.text);
        }
    }
    traps
}

impl Items<'_> {
    /// Whether the form or the control itself declares the trap.
    fn is_declared(&self, item: &Item) -> bool {
        let is_control = matches!(item.kind, ItemKind::Control(_));
        let name = self.raw_value(item, "name");
        let has_mark = || self.attribute(item, markers::TRAP).is_some();
        is_control && (self.declared_trap == Some(name) || has_mark()) && is_name(name)
    }

    /// Whether a control may be a trap: empty, optional, marked, and without conditions.
    fn may_be_trap(&self, item: &Item) -> bool {
        let ItemKind::Control(kind) = item.kind else {
            return false;
        };
        let has = |name| self.attribute(item, name).is_some();
        let name = self.raw_value(item, "name");
        // A rendered field is never a trap, even if its name suggests one.
        let is_rendered = self
            .raw_value(item, "class")
            .starts_with(markers::CONTROL_CLASS);
        let is_checkbox = kind == FieldType::Checkbox;
        let is_of_kind =
            kind.is_typed() || (is_checkbox && !has("checked")) || kind == FieldType::Hidden;
        let is_empty = is_checkbox || self.raw_value(item, "value").trim().is_empty();
        let is_marked = item.is_hidden
            || item.is_called_trap
            || self.raw_value(item, "tabindex") == "-1"
            || spam_traps::is_name(name);
        is_of_kind
            && !is_rendered
            && is_empty
            && is_marked
            && !has("required")
            && item.conditions.get().is_none()
            && self.shown(item.text.clone()).is_empty()
            && is_name(name)
    }

    /// The traps among the candidates, each with the offsets and texts of its labels.
    fn traps_among(&self, candidates: &[usize]) -> Vec<(usize, Vec<(u32, TextRange)>)> {
        let labels = Labels::of(self);
        let found = candidates.iter().filter_map(|at| {
            let item = self.list.get(*at)?;
            let enclosing = item.label.of(&self.labels);
            let labels = labels.labels_for(self, item).into_iter().chain(enclosing);
            let labels: Vec<_> = labels
                .map(|label| (label.offset, label.text.clone()))
                .collect();
            self.is_trap(*at, item, &labels).then_some((*at, labels))
        });
        found.take(MAX_TRAPS).collect()
    }

    /// Whether a candidate is marked as a trap.
    fn is_trap(&self, at: usize, item: &Item, labels: &[(u32, TextRange)]) -> bool {
        let name = self.raw_value(item, "name");
        if self.is_declared(item) || spam_traps::is_name(name) {
            return true;
        }
        // The innermost hidden element around the control: the first in the list that spans it.
        let first = (self.hidden).partition_point(|hidden| hidden.items.end <= at);
        let mut hidden = self.hidden.iter().skip(first).take(MAX_TRAPS);
        let hidden = hidden.find(|hidden| hidden.items.start <= at);
        // The hidden part of the control's block of text.
        let block = hidden.map(|hidden| {
            let start = hidden.text.start.max(item.label_from);
            start..hidden.text.end.min(item.label_to)
        });
        let texts = block
            .into_iter()
            .chain(labels.iter().map(|(_, text)| text.clone()));
        item.kind != ItemKind::Control(FieldType::Hidden)
            && (spam_traps::is_name_where_hidden(name)
                || item.is_called_trap
                || spam_traps::warns_people(self.raw_value(item, "placeholder"))
                || spam_traps::warns_people(self.raw_value(item, "aria-label"))
                || texts
                    .into_iter()
                    .any(|text| spam_traps::warns_people(&self.shown(text))))
    }

    fn shown(&self, range: TextRange) -> String {
        self.texts.collapsed(range, true, MAX_TEXT_BYTES).0
    }
}
