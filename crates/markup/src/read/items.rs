//! The first half of reading: lists the controls, groups and texts that may become fields, in document order, with
//! their surroundings. Only ids and conditions are decoded here; the rest is stored by its place in the document.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::columns::Columns;
use super::elements::Classes;
use super::fields_within::FieldsWithin;
use super::found_steps::StepCandidate;
use super::item::ByOffset;
pub(super) use super::item::{
    Conditional, Context, Hidden, Item, ItemKind, Label, Link, MAX_ID_BYTES, Node, Role, Step,
    index,
};
use super::losses::Loss;
use super::options::{Choice, OptionsOwner};
use crate::html::attributes::{Attribute, KeptTags};
use crate::html::entities::decode_attribute;
use crate::html::text::{Kind, TextRange, Texts};
use crate::html::tokens::StartTag;
use crate::warnings::{WarningCode, Warnings};
use model::FieldType;
use model::step_words::StepWay;

/// Indexes into a list, by name. All maps whose keys are texts of the document share this type, so that the wasm module
/// contains the map's code once.
pub(super) type Names<'a> = BTreeMap<Cow<'a, str>, u32>;

/// The items of a document.
#[derive(Default)]
pub(super) struct Items<'a> {
    pub(super) html: &'a str,
    pub(super) list: Vec<Item>,
    pub(super) tags: KeptTags<'a>,
    /// The values of `data-cf-group`, as written.
    pub(super) groups: Vec<&'a str>,
    pub(super) texts: Texts<'a>,
    pub(super) labels: Vec<Label<'a>>,
    pub(super) choices: Vec<Choice>,
    /// The range of `choices` of each select or datalist.
    choices_of: ByOffset,
    /// The offsets of the datalists, by their ids.
    pub(super) datalists: BTreeMap<&'a str, u32>,
    pub(super) conditions: Vec<Conditional>,
    pub(super) steps: Vec<Step<'a>>,
    /// The index in [`Items::texts_of_ids`] of the first element with each `id`.
    pub(super) ids: Names<'a>,
    pub(super) texts_of_ids: Vec<TextRange>,
    /// Help texts next to items, by the offsets of the items.
    pub(super) helps: ByOffset,
    /// `data-layout`, `data-cf-layout` and `data-cf-settings`, as written.
    pub(super) layout: Option<&'a str>,
    pub(super) exact_layout: Option<&'a str>,
    pub(super) settings: Option<&'a str>,
    pub(super) forms: BTreeSet<&'a str>,
    pub(super) form_count: u32,
    pub(super) warnings: Warnings,
    pub(super) losses_in_form: Vec<Loss<'a>>,
    pub(super) losses_outside: Vec<Loss<'a>>,
    pub(super) step_candidates: Vec<StepCandidate>,
    /// The offsets of the buttons that do not submit, and whether each leads to the next or the previous step.
    pub(super) step_buttons: Vec<(u32, Option<StepWay>)>,
    /// Whether a step button is outside all step candidates.
    pub(super) has_common_step_button: bool,
    pub(super) columns: Columns,
    /// The elements that are hidden from people and contain controls, innermost first.
    pub(super) hidden: Vec<Hidden>,
    /// The name of the spam trap that a form declares ([`crate::markers::TRAPS_OF_FORMS`]), as written.
    pub(super) declared_trap: Option<&'a str>,
    /// Whether `data-step` is ignored.
    pub(super) ignores_steps: bool,
    /// Whether the document exceeds a limit, such as [`super::MAX_ITEMS`].
    pub(super) is_full: bool,
    pub(super) context: Context,
    /// The open elements, and the fields in each so far.
    pub(super) nodes: Vec<Node>,
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
        self.tags.attributes(item.tag).get(name)
    }

    /// The decoded value of an item's attribute.
    pub(super) fn value(&self, item: &Item, name: &str) -> Option<Cow<'a, str>> {
        Some(self.attribute(item, name)?.value())
    }

    /// The value of an item's attribute as written; empty if there is none.
    pub(super) fn raw_value(&self, item: &Item, name: &str) -> &'a str {
        let attribute = self.attribute(item, name);
        attribute.map_or("", |attribute| attribute.raw_value())
    }

    /// The `name` of a control as browsers send it.
    pub(super) fn name(&self, item: &Item) -> Cow<'a, str> {
        decode_attribute(self.raw_value(item, "name"))
    }

    /// Adds the stated name of a group; returns its index in [`Items::groups`].
    pub(super) fn note_group(&mut self, tag: &StartTag<'a, '_>) -> Option<usize> {
        self.groups
            .push(tag.attribute("data-cf-group")?.raw_value());
        Some(self.groups.len() - 1)
    }

    pub(super) fn add(&mut self, kind: ItemKind, tag: &StartTag<'a, '_>) -> Option<usize> {
        let limit = match kind {
            ItemKind::Heading(_) | ItemKind::Paragraph | ItemKind::Divider => super::MAX_TEXTS,
            _ => super::MAX_ITEMS,
        };
        if self.list.len() >= limit {
            self.is_full = true;
            return None;
        }
        let mark = self.texts.mark();
        let group = self.note_group(tag);
        self.list.push(Item {
            kind,
            offset: index(tag.span.start),
            tag: self.tags.keep(tag),
            mark,
            label_from: self.context.row.get().map_or(mark, index),
            label_to: 0,
            text: mark..mark,
            label: Link::NONE,
            parent: self.context.parent,
            conditions: self.context.conditions,
            step: self.context.step,
            group: group.map_or(self.context.group, Link::from),
            is_disabled: self.context.is_disabled,
            is_in_form: self.context.is_in_form,
            is_in_label: self.context.label != Link::NONE,
            holds_one_set: false,
            is_hidden: self.context.is_hidden,
            is_called_trap: self.context.is_called_trap,
        });
        Some(self.list.len() - 1)
    }

    /// Adds a control, with the label around it and the help text before it. A control without a name also claims its
    /// label, although it becomes no item.
    pub(super) fn add_control(&mut self, kind: FieldType, tag: &StartTag<'a, '_>) -> Option<usize> {
        let label = kind.is_seen().then(|| self.claiming_label(tag));
        let is_named = !tag.raw_value("name").is_empty();
        let added = is_named.then(|| self.add(ItemKind::Control(kind), tag));
        self.texts.add_edge(Kind::Control);
        let mark = self.texts.mark();
        let Some(added) = added else {
            let (code, offset) = (WarningCode::ControlWithoutName, tag.span.start);
            let message = "A control without a name is never submitted.";
            self.warnings.add(code, offset, message);
            return None;
        };
        let item = self.list.get_mut(added?)?;
        item.label = label.unwrap_or_default();
        item.mark = mark;
        if kind.is_seen() {
            if let Some((_, text)) = self.pending_help.take() {
                self.helps.get_or_insert(item.offset, text);
            }
            self.note_column(index(tag.span.start));
        }
        self.note_field(added?);
        added
    }

    /// Notes a button in the label around it.
    pub(super) fn note_button(&mut self) {
        if let Some(label) = self.context.label.of_mut(&mut self.labels) {
            label.has_button |= label.target.is_none() && !label.has_control;
        }
    }

    /// The innermost label around a control that labels it; a label without `for` labels its first control.
    fn claiming_label(&mut self, tag: &StartTag<'a, '_>) -> Link {
        let mut next = self.context.label;
        while let Some(label) = next.of_mut(&mut self.labels) {
            let is_free = !std::mem::replace(&mut label.has_control, true);
            let id = tag.value_of("id");
            let labels_control = match label.target {
                None => is_free,
                target => id.is_some() && target_of(target) == id,
            };
            if labels_control {
                break;
            }
            next = label.outer;
        }
        next
    }

    /// The choices of a select or datalist.
    pub(super) fn choices_of(&self, owner: OptionsOwner) -> Range<usize> {
        let range = self.choices_of.get(owner.offset()).unwrap_or_default();
        range.start as usize..range.end as usize
    }

    /// Adds a choice to a select or datalist. If several datalists share an id, the first counts.
    pub(super) fn add_choice(&mut self, choice: Choice, owner: OptionsOwner) {
        let at = index(self.choices.len());
        self.choices.push(choice);
        let range = self.choices_of.get_or_insert(owner.offset(), at..at);
        if let Some(range) = range.filter(|range| range.end == at) {
            range.end += 1;
        }
    }
}

/// The id in a label's attribute `for`, character references decoded.
pub(super) fn target_of(target: Option<&str>) -> Option<Cow<'_, str>> {
    let target = target.filter(|target| target.len() <= MAX_ID_BYTES);
    target.map(decode_attribute)
}
