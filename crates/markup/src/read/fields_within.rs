//! Counts the fields in each element while elements close. A legend can then name its set of choices, and text in a
//! block can name the only field in that block.

use super::item::{Item, ItemKind, Link, Node};
use super::items::Items;
use crate::html::tag::Tag;
use model::FieldType;

/// The visible controls within an open element.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum FieldsWithin {
    #[default]
    None,
    One(OneField),
    Several,
}

/// The only field of an element.
#[derive(Clone, Copy, Debug)]
pub(super) struct OneField {
    /// The first control, in [`Items::list`].
    first: usize,
    /// The number of the field's controls.
    controls: u32,
    /// Whether other controls ask for details of the field's answer.
    has_follow_ups: bool,
}

impl Items<'_> {
    /// Notes a control or a submit button in the element around it.
    pub(super) fn note_field(&mut self, item: usize) {
        let within = match self.list.get(item).map(|item| item.kind) {
            None => return,
            Some(ItemKind::Control(kind)) if !kind.is_seen() => return,
            Some(ItemKind::Control(_)) => FieldsWithin::One(OneField {
                first: item,
                controls: 1,
                has_follow_ups: false,
            }),
            Some(_) => FieldsWithin::Several,
        };
        self.add_fields_within(within, false);
    }

    /// Adds the fields of an element to those of the element around it.
    fn add_fields_within(&mut self, more: FieldsWithin, is_conditional: bool) {
        let Some(around) = self.fields_within.pop() else {
            return;
        };
        self.fields_within.push(match (around, more) {
            (around, FieldsWithin::None) => around,
            (FieldsWithin::None, more) => more,
            (FieldsWithin::One(one), more) => self.joined(one, more, is_conditional),
            _ => FieldsWithin::Several,
        });
    }

    /// Combines one field with further fields. They count as one field in two cases. Either they share a name and one
    /// is a choice, or the second field asks for details of an answer. It does so if an element with conditions
    /// contains it, or if it is in the label of a choice. A text whose name extends the set's name does so too.
    fn joined(&self, mut one: OneField, more: FieldsWithin, is_conditional: bool) -> FieldsWithin {
        let Some(first) = self.list.get(one.first) else {
            return FieldsWithin::Several;
        };
        let base = |item: &Item| self.raw_value(item, "name").trim_end_matches("[]");
        let is_follow_up = |next: &Item| {
            let rest = base(next).strip_prefix(base(first));
            let is_of_set = rest.is_some_and(|rest| rest.starts_with(['_', '-', '[', '.']));
            (next.is_in_label && next.label == Link::NONE)
                || (next.kind == ItemKind::Control(FieldType::Text) && is_of_set)
        };
        let mut follows = is_conditional;
        if let FieldsWithin::One(more) = more
            && let Some(next) = self.list.get(more.first)
        {
            if base(next) == base(first) && (first.is_choice() || next.is_choice()) {
                let set = if first.is_choice() { one } else { more };
                one.first = set.first;
                one.controls += more.controls;
                one.has_follow_ups |= more.has_follow_ups;
                return FieldsWithin::One(one);
            }
            follows |= is_follow_up(next);
        }
        if !first.is_choice() || !follows {
            return FieldsWithin::Several;
        }
        FieldsWithin::One(OneField {
            has_follow_ups: true,
            ..one
        })
    }

    /// Ends an element. A fieldset or role group that contains one set of choices becomes part of the set. Text in an
    /// element with a single field may label that field.
    pub(super) fn close_fields_within(&mut self, tag: Tag, node: &Node, group: Link) {
        let mut within = self.fields_within.pop().unwrap_or_default();
        if let Some(item) = group.of(&self.list) {
            let holds_one_set = self.holds_one_set(item, within);
            if !holds_one_set && item.kind != ItemKind::RoleGroup {
                within = FieldsWithin::Several;
            }
            if let Some(item) = group.of_mut(&mut self.list) {
                item.holds_one_set = holds_one_set;
            }
        }
        if let FieldsWithin::One(one) = within
            && may_label(tag)
            && let Some(control) = self.list.get_mut(one.first)
        {
            control.label_from = control.label_from.min(node.start);
            control.label_to = self.texts.mark();
        }
        self.add_fields_within(within, node.is_conditional);
    }

    /// Whether a fieldset or role group belongs to the set of choices in it. A fieldset with conditions and follow-up
    /// controls does not: its conditions must still apply to these controls.
    fn holds_one_set(&self, group: &Item, within: FieldsWithin) -> bool {
        let FieldsWithin::One(one) = within else {
            return false;
        };
        let is_set = |first: &Item| {
            first.is_choice()
                && (one.controls > 1
                    || first.kind == ItemKind::Control(FieldType::Radio)
                    || self.raw_value(first, "name").ends_with("[]"))
        };
        let may_hold_set = match group.kind {
            ItemKind::RoleGroup => true,
            ItemKind::Fieldset => !one.has_follow_ups || group.conditions == Link::NONE,
            _ => false,
        };
        may_hold_set
            && self.list.get(one.first).is_some_and(is_set)
            && self.attribute(group, "data-cf-type").is_none()
    }
}

/// Whether text in an element may label the only field in it. The title of a form or section and the head of a column
/// may not.
const fn may_label(tag: Tag) -> bool {
    !matches!(
        tag,
        Tag::Form | Tag::Section | Tag::Main | Tag::Header | Tag::Table | Tag::Tbody | Tag::Thead
    )
}
