//! The first half of reading: lists the controls, groups and texts that fields may come from, in the
//! document's order, with what surrounds each. Nothing is decoded or copied yet.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::columns::Columns;
use super::elements::Classes;
use super::fields_within::FieldsWithin;
use super::found_steps::{StepCandidate, StepWay};
use super::item::{ByOffset, MAX_ID_BYTES};
pub(super) use super::item::{
    Conditional, Context, Item, ItemKind, Label, LegendOf, Link, Node, Role, Step, index,
};
use super::losses::Loss;
use super::options::{Choice, OptionsOwner};
use crate::html::entities::decode_attribute;
use crate::html::kept_tags::KeptTags;
use crate::html::text::{Kind, TextRange, Texts};
use crate::html::tokens::{Attribute, StartTag};
use crate::warnings::{WarningCode, Warnings};
use model::FieldType;

/// Places in a list by names: all maps of texts of the document are of one type, which the module holds once.
pub(super) type Names<'a> = BTreeMap<Cow<'a, str>, u32>;

/// The items of a document.
#[derive(Default)]
pub(super) struct Items<'a> {
    pub(super) html: &'a str,
    pub(super) list: Vec<Item>,
    pub(super) tags: KeptTags<'a>,
    /// What `data-cf-group` says, as written.
    pub(super) groups: Vec<&'a str>,
    pub(super) texts: Texts<'a>,
    pub(super) labels: Vec<Label<'a>>,
    pub(super) choices: Vec<Choice>,
    /// Which of those belong to each select or datalist.
    choices_of: ByOffset,
    /// Where the datalists begin, by their ids.
    pub(super) datalists: BTreeMap<&'a str, u32>,
    pub(super) conditions: Vec<Conditional>,
    pub(super) steps: Vec<Step<'a>>,
    /// The first element of each `id`, in [`Items::texts_of_ids`].
    pub(super) ids: Names<'a>,
    /// The texts of those elements.
    pub(super) texts_of_ids: Vec<TextRange>,
    /// Help texts beside items, by where those begin.
    pub(super) helps: ByOffset,
    /// `data-layout`, `data-cf-layout` and `data-cf-settings`, as written.
    pub(super) layout: Option<&'a str>,
    pub(super) exact_layout: Option<&'a str>,
    pub(super) settings: Option<&'a str>,
    pub(super) forms: BTreeSet<&'a str>,
    pub(super) form_count: u32,
    pub(super) warnings: Warnings,
    pub(super) losses: Vec<Loss<'a>>,
    pub(super) losses_in_form: usize,
    pub(super) losses_outside: usize,
    pub(super) step_candidates: Vec<StepCandidate>,
    /// Where the elements begin that were found to be steps; the first is `step-1`.
    pub(super) found_steps: Vec<u32>,
    /// The buttons that submit nothing, by where they begin, and the step that each leads to.
    pub(super) step_buttons: Vec<(u32, Option<StepWay>)>,
    /// Whether a button that leads to another step stands in none.
    pub(super) has_common_step_button: bool,
    pub(super) columns: Columns,
    /// Whether there were more than [`super::MAX_ITEMS`].
    pub(super) is_full: bool,
    pub(super) context: Context,
    /// What held around each of the open elements, and the fields that each holds so far.
    pub(super) contexts_around: Vec<Context>,
    pub(super) fields_within: Vec<FieldsWithin>,
    pub(super) classes: Classes<'a>,
    pub(super) pending_help: Option<(u32, TextRange)>,
    pub(super) blocks: u32,
}

impl<'a> Items<'a> {
    pub(super) fn of(html: &'a str) -> Items<'a> {
        Items {
            html,
            tags: KeptTags::of(html),
            texts: Texts::of(html),
            ..Items::default()
        }
    }

    /// The attribute of an item by its lower-case name.
    pub(super) fn attribute(&self, item: &Item, name: &str) -> Option<Attribute<'a>> {
        self.tags.attribute(item.offset, name)
    }

    /// Adds what names a group, and gives its place in [`Items::groups`].
    pub(super) fn note_group(&mut self, tag: &StartTag<'a, '_>) -> Option<u32> {
        self.groups.push(tag.attribute("data-cf-group")?.raw_value);
        Some(index(self.groups.len() - 1))
    }

    pub(super) fn add(&mut self, kind: ItemKind, tag: &StartTag<'a, '_>) -> Option<u32> {
        let limit = match kind {
            ItemKind::Heading(_) | ItemKind::Paragraph | ItemKind::Divider => super::MAX_TEXTS,
            _ => super::MAX_ITEMS,
        };
        if self.list.len() >= limit {
            self.is_full = true;
            return None;
        }
        self.tags.keep(tag);
        let mark = self.texts.mark();
        let own_group = self.note_group(tag);
        self.list.push(Item {
            kind,
            offset: index(tag.span.start),
            mark,
            label_from: self.context.row.get().unwrap_or(mark),
            text: mark..mark,
            label: Link::NONE,
            parent: self.context.parent,
            conditions: self.context.conditions,
            step: self.context.step,
            group: own_group.map_or(self.context.group, Link::from),
            is_disabled: self.context.is_disabled,
            is_in_form: self.context.is_in_form,
            is_in_label: self.context.label != Link::NONE,
            owns_set: false,
        });
        Some(index(self.list.len() - 1))
    }

    /// Adds a control and ties it to the label and help text around it.
    pub(super) fn add_control(&mut self, kind: FieldType, tag: &StartTag<'a, '_>) -> Option<u32> {
        let is_seen = kind != FieldType::Hidden;
        let name = tag.attribute("name").map_or("", |name| name.raw_value);
        if name.is_empty() {
            let message = "A control without a name is never submitted.";
            self.warnings
                .add(WarningCode::ControlWithoutName, tag.span.start, message);
            self.texts.add_edge(Kind::Control);
            if is_seen {
                // It has the label around it all the same.
                self.claiming_label(tag);
            }
            return None;
        }
        let added = self.add(ItemKind::Control(kind), tag)?;
        self.texts.add_edge(Kind::Control);
        let mut label = None;
        if is_seen {
            label = self.claiming_label(tag);
            if let Some((_, text)) = self.pending_help.take() {
                self.helps.get_or_insert(index(tag.span.start), text);
            }
            self.note_column(index(tag.span.start));
        }
        let mark = self.texts.mark();
        if let Some(item) = self.list.get_mut(added as usize) {
            item.label = label.into();
            item.mark = mark;
        }
        self.note_field(added);
        Some(added)
    }

    /// Notes a button in the label around it.
    pub(super) fn note_button(&mut self) {
        let label = self.context.label.get();
        if let Some(label) = label.and_then(|label| self.labels.get_mut(label as usize)) {
            label.has_button |= label.target.is_none() && !label.has_control;
        }
    }

    /// The innermost label around a control that labels it.
    fn claiming_label(&mut self, tag: &StartTag<'a, '_>) -> Option<u32> {
        let mut next = self.context.label.get();
        while let Some(label) = next {
            if self.claims(label, tag) {
                return Some(label);
            }
            next = self.labels.get(label as usize)?.outer.get();
        }
        None
    }

    /// Whether the label around a control labels it: without `for`, the first control within.
    fn claims(&mut self, label: u32, tag: &StartTag<'a, '_>) -> bool {
        let Some(label) = self.labels.get_mut(label as usize) else {
            return false;
        };
        let is_free = !label.has_control;
        label.has_control = true;
        match label.target {
            None => is_free,
            Some(target) if target.len() > MAX_ID_BYTES => false,
            Some(target) => {
                let id = tag.attribute("id");
                id.is_some_and(|id| id.value() == decode_attribute(target))
            }
        }
    }

    /// The id that a label is for.
    pub(super) fn target(&self, label: &Label<'a>) -> Option<Cow<'a, str>> {
        let target = label.target.filter(|target| target.len() <= MAX_ID_BYTES);
        target.map(decode_attribute)
    }

    /// The text of the first element of an `id`.
    pub(super) fn text_of_id(&self, id: &str) -> Option<TextRange> {
        let place = *self.ids.get(id)? as usize;
        self.texts_of_ids.get(place).cloned()
    }

    /// Gives that element another text.
    pub(super) fn set_text_of_id(&mut self, id: &str, text: TextRange) {
        let place = self.ids.get(id).map(|place| *place as usize);
        if let Some(known) = place.and_then(|place| self.texts_of_ids.get_mut(place)) {
            *known = text;
        }
    }

    /// The choices of a select or datalist.
    pub(super) fn choices_of(&self, owner: OptionsOwner) -> Range<usize> {
        let own = self.choices_of.get(owner.offset()).unwrap_or_default();
        own.start as usize..own.end as usize
    }

    /// Notes the last choice as one of a select or datalist. Of datalists of one id the first counts.
    pub(super) fn note_choice(&mut self, owner: OptionsOwner) {
        let at = index(self.choices.len() - 1);
        let own = self.choices_of.get_or_insert(owner.offset(), at..at);
        if let Some(own) = own.filter(|own| own.end == at) {
            own.end += 1;
        }
    }
}
