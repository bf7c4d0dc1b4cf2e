//! The first half of reading: lists the controls, groups and texts that fields may come from, in the
//! document's order, with what surrounds each. Nothing is decoded or copied yet.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::choices::Choice;
use super::elements::Classes;
use super::found_steps::StepCandidate;
use super::item::MAX_ID_BYTES;
pub(super) use super::item::{
    Conditional, Context, Item, ItemKind, Label, LegendOf, Link, Node, Role, Step, index,
};
use super::losses::Loss;
use super::tables::Tables;
use crate::html::entities::decode_attribute;
use crate::html::kept_tags::KeptTags;
use crate::html::text::{TextRange, Texts};
use crate::html::tokens::{Attribute, StartTag};
use crate::warnings::{WarningCode, Warnings};
use model::FieldType;

/// How many elements a tag may lie in that each look for a question.
const ELEMENTS_AROUND: usize = 256;

/// A longer tag, in bytes, is seldom an author's.
const LONG_TAG: usize = 4_000;

/// The items of a document.
pub(super) struct Items<'a> {
    pub(super) list: Vec<Item>,
    pub(super) tags: KeptTags<'a>,
    /// What `data-cf-group` says, as written.
    pub(super) groups: Vec<&'a str>,
    /// What `aria-describedby` of all that may be a field or a part of one says, as written.
    pub(super) described_by: Vec<&'a str>,
    /// What `aria-labelledby` of them says.
    pub(super) labelled_by: Vec<&'a str>,
    pub(super) texts: Texts<'a>,
    pub(super) labels: Vec<Label<'a>>,
    pub(super) choices: Vec<Choice>,
    pub(super) datalists: BTreeMap<&'a str, u32>,
    pub(super) conditions: Vec<Conditional>,
    pub(super) steps: Vec<Step<'a>>,
    /// The text of the first element of each `id`.
    pub(super) texts_by_id: BTreeMap<Cow<'a, str>, TextRange>,
    /// Help texts beside items, by where those begin.
    pub(super) helps: Vec<(u32, TextRange)>,
    /// The paragraphs that were taken for such help by where they stand alone, in [`Items::list`].
    pub(super) described_boxes: Vec<u32>,
    /// `data-layout`, `data-cf-layout` and `data-cf-settings`, as written.
    pub(super) layout: Option<&'a str>,
    pub(super) exact_layout: Option<&'a str>,
    pub(super) settings: Option<&'a str>,
    pub(super) forms: BTreeMap<&'a str, ()>,
    pub(super) form_count: u32,
    pub(super) warnings: Warnings,
    pub(super) losses: Vec<Loss<'a>>,
    pub(super) losses_in_form: usize,
    pub(super) losses_outside: usize,
    pub(super) step_candidates: Vec<StepCandidate>,
    /// Where the elements begin that were found to be steps; the first is `step-1`.
    pub(super) found_steps: Vec<u32>,
    /// Whether a button that leads to another step stands in none.
    pub(super) has_common_step_button: bool,
    /// The texts that ask for what begins at a place of the document, by that place; see
    /// [`super::questions`].
    pub(super) questions: Vec<(u32, TextRange)>,
    pub(super) looked_at: usize,
    /// Whether a radio or checkbox says that it cannot be chosen.
    pub(super) has_disabled_choice: bool,
    pub(super) tables: Tables,
    /// Whether there were more than [`super::MAX_ITEMS`].
    pub(super) is_full: bool,
    pub(super) context: Context,
    /// What held around each of the open elements.
    pub(super) contexts_around: Vec<Context>,
    pub(super) classes: Classes<'a>,
    pub(super) pending_help: Option<(u32, TextRange)>,
    pub(super) blocks: u32,
}

impl<'a> Items<'a> {
    pub(super) fn of(html: &'a str) -> Items<'a> {
        Items {
            list: Vec::new(),
            tags: KeptTags::of(html),
            groups: Vec::new(),
            described_by: Vec::new(),
            labelled_by: Vec::new(),
            texts: Texts::of(html),
            labels: Vec::new(),
            choices: Vec::new(),
            datalists: BTreeMap::new(),
            conditions: Vec::new(),
            steps: Vec::new(),
            texts_by_id: BTreeMap::new(),
            helps: Vec::new(),
            described_boxes: Vec::new(),
            layout: None,
            exact_layout: None,
            settings: None,
            forms: BTreeMap::new(),
            form_count: 0,
            warnings: Warnings::default(),
            losses: Vec::new(),
            losses_in_form: 0,
            losses_outside: 0,
            step_candidates: Vec::new(),
            found_steps: Vec::new(),
            has_common_step_button: false,
            questions: Vec::new(),
            looked_at: 0,
            has_disabled_choice: false,
            tables: Tables::default(),
            is_full: false,
            context: Context::default(),
            contexts_around: Vec::new(),
            classes: Classes::default(),
            pending_help: None,
            blocks: 0,
        }
    }

    /// The attribute of an item by its lower-case name.
    pub(super) fn attribute(&self, item: &Item, name: &str) -> Option<Attribute<'a>> {
        self.tags.attribute(item.offset, name)
    }

    /// Keeps the attributes of a tag, and notes what it refers to.
    pub(super) fn keep_tag(&mut self, tag: &StartTag<'a, '_>) {
        self.tags.keep(tag);
        if let Some(ids) = tag.attribute("aria-describedby") {
            self.described_by.push(ids.raw_value);
        }
        if let Some(ids) = tag.attribute("aria-labelledby") {
            self.labelled_by.push(ids.raw_value);
        }
    }

    /// Adds what names a group, and gives its place in [`Items::groups`].
    pub(super) fn note_group(&mut self, tag: &StartTag<'a, '_>) -> Option<u32> {
        self.groups.push(tag.attribute("data-cf-group")?.raw_value);
        Some(index(self.groups.len() - 1))
    }

    pub(super) fn add(
        &mut self,
        what: ItemKind,
        tag: &StartTag<'a, '_>,
        conditions: Option<u32>,
    ) -> Option<u32> {
        let limit = match what {
            ItemKind::Heading(_) | ItemKind::Paragraph | ItemKind::Divider => super::MAX_TEXTS,
            _ => super::MAX_ITEMS,
        };
        if self.list.len() >= limit {
            self.is_full = true;
            return None;
        }
        self.keep_tag(tag);
        if tag.span.len() > LONG_TAG {
            // As if each of many elements around it read it again.
            self.looked_at += tag.span.len() * ELEMENTS_AROUND;
        }
        let mark = self.texts.mark();
        let own_group = self.note_group(tag);
        let item = Item {
            what,
            offset: index(tag.span.start),
            mark,
            text: mark..mark,
            label: Link::NONE,
            parent: self.context.parent,
            conditions: conditions.into(),
            step: self.context.step,
            group: own_group.map_or(self.context.group, Link::from),
            is_disabled: self.context.is_disabled,
            is_in_form: self.context.is_in_form,
            is_in_label: self.context.label != Link::NONE,
            is_in_cell: self.context.is_in_cell,
            is_follow_up: self.context.is_follow_up,
        };
        self.list.push(item);
        Some(index(self.list.len() - 1))
    }

    /// Adds a control and ties it to the label and help text around it.
    pub(super) fn add_control(
        &mut self,
        kind: FieldType,
        tag: &StartTag<'a, '_>,
        conditions: Option<u32>,
    ) -> Option<u32> {
        if tag
            .attribute("name")
            .is_none_or(|name| name.raw_value.is_empty())
        {
            self.warnings.add(
                WarningCode::ControlWithoutName,
                tag.span.start,
                "A control without a name is never submitted.",
            );
            self.texts.add_control();
            if kind != FieldType::Hidden {
                // It has the label around it all the same.
                self.claiming_label(tag);
            }
            return None;
        }
        let added = self.add(ItemKind::Control(kind), tag, conditions)?;
        if matches!(kind, FieldType::Radio | FieldType::Checkbox) {
            self.has_disabled_choice |= tag.attribute("disabled").is_some();
        }
        self.texts.add_control();
        let label = match kind {
            FieldType::Hidden => None,
            _ => self.claiming_label(tag),
        };
        let help = match kind {
            FieldType::Hidden => None,
            _ => self.pending_help.take(),
        };
        if let Some((_, text)) = help {
            self.note_help(index(tag.span.start), text);
        }
        let mark = self.texts.mark();
        if kind != FieldType::Hidden {
            self.note_column(index(tag.span.start));
        }
        if let Some(item) = self.list.get_mut(added as usize) {
            item.label = label.into();
            item.mark = mark;
        }
        let is_lone_box = kind == FieldType::Checkbox
            && tag
                .attribute("name")
                .is_none_or(|name| !name.raw_value.ends_with("[]"));
        if !is_lone_box && !matches!(kind, FieldType::Hidden | FieldType::Consent) {
            self.take_question_before(added as usize);
        }
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

    /// The text of the first element of that id.
    pub(super) fn text_of_id(&self, id: &str) -> Option<TextRange> {
        self.texts_by_id.get(id).cloned()
    }

    /// Notes the help text beside the item that begins at an offset.
    pub(super) fn note_help(&mut self, offset: u32, text: TextRange) {
        let place = self.helps.partition_point(|(known, _)| *known < offset);
        self.helps.insert(place, (offset, text));
    }

    /// Takes the help text of the item that begins at an offset away.
    pub(super) fn take_help(&mut self, offset: u32) {
        let found = self.helps.binary_search_by_key(&offset, |(at, _)| *at);
        if let Some((_, text)) = found.ok().and_then(|found| self.helps.get_mut(found)) {
            *text = 0..0;
        }
    }

    /// The help text beside an item; empty where there is none.
    pub(super) fn help_of(&self, item: &Item) -> TextRange {
        let known = &self.helps;
        let found = known.binary_search_by_key(&item.offset, |(at, _)| *at);
        let help = found.ok().and_then(|found| known.get(found));
        help.map_or(0..0, |(_, text)| text.clone())
    }
}
