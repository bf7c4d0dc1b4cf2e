//! The spam traps of other systems: controls that people do not see, so that whoever fills one in is a robot.
//! They are no fields. A control that people may see is never one: each needs a mark that says what it is,
//! and, unless the author's service defines its name, must be hidden.

use super::items::{Hidden, Item, ItemKind, Items};
use super::labels::Labels;
use crate::html::text::TextRange;
use crate::markers;
use crate::warnings::{WarningCode, Warnings};
use model::check::is_name;
use model::{FieldType, spam_traps};

/// The most traps of a form.
const MAX_TRAPS: usize = 20;

/// The most bytes of a text that may tell people to leave a control empty.
const MAX_TEXT_BYTES: usize = 500;

/// The spam traps of a document.
#[derive(Debug, Default)]
pub(crate) struct Traps {
    /// Their names, each once.
    pub(crate) names: Vec<String>,
    /// Where the controls begin.
    pub(crate) controls: Vec<u32>,
    /// Where the elements begin that no person is to see.
    pub(crate) hidden: Vec<u32>,
}

/// Takes the traps from the items, with the texts that belong to them; reports them, and what is hidden by a
/// style and is none.
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
    for (at, own_labels) in found {
        let Some(item) = items.list.get_mut(at) else {
            continue;
        };
        let is_seen = item.kind.is_used();
        item.kind = ItemKind::Nothing;
        let offset = item.offset;
        let name = items.list.get(at).map(|item| items.name(item).into_owned());
        let name = name.unwrap_or_default();
        let message = format!("`{name}` is a trap for robots: whoever fills it in sends spam.");
        warnings.add(WarningCode::SpamTrap, offset as usize, message);
        if !traps.names.contains(&name) {
            traps.names.push(name);
        }
        if is_seen {
            traps.controls.push(offset);
            traps.hidden.push(offset);
        }
        for (label, text) in own_labels {
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
                let message = "No style hides a control on the form's page: `hidden` does, or `data-show-if`.";
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
    /// Whether the form or the control itself says that this is a trap.
    fn is_declared(&self, item: &Item) -> bool {
        let is_control = matches!(item.kind, ItemKind::Control(_));
        let name = self.raw_value(item, "name");
        let says_so = || self.attribute(item, markers::TRAP).is_some();
        is_control && (self.declared_trap == Some(name) || says_so()) && is_name(name)
    }

    /// Whether a control is one that traps are made of: empty, not required, shown to nobody by a condition.
    fn may_be_trap(&self, item: &Item) -> bool {
        use FieldType::{Checkbox, Email, Hidden, Number, Password, Tel, Text, Textarea, Url};
        let ItemKind::Control(kind) = item.kind else {
            return false;
        };
        let has = |name| self.attribute(item, name).is_some();
        let name = self.raw_value(item, "name");
        // A schema's field stays one, whatever its name.
        let is_rendered = self
            .raw_value(item, "class")
            .starts_with(markers::CONTROL_CLASS);
        let is_of_kind = matches!(
            kind,
            Text | Email | Tel | Url | Textarea | Number | Password
        ) || (kind == Checkbox && !has("checked"))
            || kind == Hidden;
        let is_empty = kind == Checkbox || self.raw_value(item, "value").trim().is_empty();
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

    /// The traps among such controls, each with its labels: where these begin, and their texts.
    fn traps_among(&self, candidates: &[usize]) -> Vec<(usize, Vec<(u32, TextRange)>)> {
        let labels = Labels::of(self);
        let found = candidates.iter().filter_map(|at| {
            let item = self.list.get(*at)?;
            let own = item.label.of(&self.labels);
            let own = labels.labels_for(self, item).into_iter().chain(own);
            let own: Vec<_> = own
                .map(|label| (label.offset, label.text.clone()))
                .collect();
            self.is_trap(*at, item, &own).then_some((*at, own))
        });
        found.take(MAX_TRAPS).collect()
    }

    /// Whether such a control has a mark that says so.
    fn is_trap(&self, at: usize, item: &Item, labels: &[(u32, TextRange)]) -> bool {
        let name = self.raw_value(item, "name");
        if self.is_declared(item) || spam_traps::is_name(name) {
            return true;
        }
        // The innermost is the first that ends behind it, but for those that begin behind it too.
        let first = (self.hidden).partition_point(|hidden| hidden.items.end <= at);
        let mut hidden = self.hidden.iter().skip(first).take(MAX_TRAPS);
        let hidden = hidden.find(|hidden| hidden.items.start <= at);
        // The text of its own block, as far as nobody sees it.
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
